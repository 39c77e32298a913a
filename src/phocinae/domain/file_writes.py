"""The judge of the files that a tool of an agent is about to write.

Each path is judged by its text, after every link, and where it leads, in each way in which a system
may read it; the strictest counts.  What nothing speaks against is left to the agent's own rules: there is
no verdict, and never an allow, because what is written is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from . import file_spellings, places, secrets, sensitive_files
from .followed_paths import FollowedPath
from .hits import Hits
from .places import Place
from .rules import RULES
from .values import HOME, SHOWN
from .verdict import Decision, Hit, Layer, ReadingStatus, Verdict, Weight
from .visible import hides, visible

LONGEST_PATH = 4_096
"""The longest path that is judged, in code points (POSIX PATH_MAX)."""

MOST_FILES = 1_000
"""The most files of one call that are judged."""


@frozen(kw_only=True)
class Surroundings:
    """What the judge knows of the machine: absolute paths, each as it is spelled and as it is resolved.

    `homes` are the home folders of the account, `programs` the folders in which its shells look for programs, and
    `own` the files and folders of this gate beside those that are known by name.
    """

    homes: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


def judged(paths: Sequence[FollowedPath], around: Surroundings, policy: str = "") -> Verdict | None:
    """Return the verdict on writing to all these paths, or None where there is nothing to say about any of them.

    `policy` is the fingerprint that the verdict carries.
    """
    if len(paths) > MOST_FILES:
        return closed(f"More than {MOST_FILES} files in one call are not judged.", "too many files", policy)
    hits = Hits()
    for path in paths:
        if why := _refused(path.named):
            return closed(f"A path {why}, so it is not judged.", f"a path {why}", policy)
        for hit in _hits(path, around):
            hits.add(hit)
    found = hits.heaviest_first()
    if not found:
        return None
    decision = Decision.DENY if found[0].weight is Weight.DENY else Decision.ASK
    return Verdict(
        decision=decision,
        layer=Layer.L0,
        reason=found[0].reason,
        hits=tuple(found),
        ceiling=decision,
        reading=ReadingStatus.COMPLETE,
        policy=policy,
    )


def closed(reason: str, error: str, policy: str = "") -> Verdict:
    """Return the denial of what is not judged at all."""
    return Verdict(
        decision=Decision.DENY,
        layer=Layer.FAIL_CLOSED,
        reason=reason,
        ceiling=Decision.DENY,
        policy=policy,
        error=error,
    )


def _refused(named: object) -> str:
    """Return why something is no path that is judged, or the empty text."""
    if not isinstance(named, str):
        return "is no text (a string)"
    if not named or named.isspace():
        return "is empty"
    if len(named) > LONGEST_PATH:
        return f"is longer than {LONGEST_PATH} characters"
    if "\0" in named:
        return "holds a null character"
    return "is not UTF-8 text" if any("\ud800" <= sign <= "\udfff" for sign in named) else ""


def _hits(path: FollowedPath, around: Surroundings) -> Iterator[Hit]:
    found = {_rule(reading, around) for way in path.ways for reading in file_spellings.readings(way)}
    found.update(_rule(reading, around) for reading in file_spellings.named(path.named))
    if hides(path.named):
        found.add("other-reading")
    if path.unclear:
        found.add("unclear-path")
    found.discard("")
    shown = _shown(path) if found else ""
    for rule in sorted(found):
        known = RULES[rule]
        it = f"{shown} ({path.unclear})" if path.unclear and rule == "unclear-path" else shown
        yield Hit(rule=rule, weight=known.weight, reason=known.reason.format(it=it), remedy=known.remedy)


def _rule(full: str, around: Surroundings) -> str:
    """Return the rule about writing to one resolved path, or the empty text."""
    low = full.casefold()
    if low == "/dev/null":
        return ""
    if full is file_spellings.UNCLEAR:
        return "unclear-path"
    if low.startswith("//"):
        return _of_share(full)
    homely = [full, *(HOME + full[len(home) :] for home in around.homes if _below(low, home))]
    if any(map(places.is_gate, homely)) or any(_below(low, own) for own in around.own):
        return "write-gate"
    if any(map(places.is_startup, homely)):
        return "write-startup"
    kind = places.place(full)
    if kind is Place.DEVICE:
        return "write-device"
    if kind in (Place.SYSTEM, Place.ROOT) or (low.startswith("/dev/") and not low.startswith("/dev/shm/")):
        return "write-system"
    found = [rule for one in homely if (rule := sensitive_files.rule(one))]
    if found:
        return max(found, key=lambda rule: RULES[rule].weight)
    if secrets.is_secret(full) or secrets.is_secret(low):
        return "write-secret"
    folder = low.rpartition("/")[0]
    return "write-program" if any(folder == one.casefold().rstrip("/") for one in around.programs) else ""


def _of_share(full: str) -> str:
    """Return the rule about a path of Windows on no drive: a device, or what another machine calls so."""
    from .windows import places as windows

    return "write-device" if windows.place(full) is Place.DEVICE else "unclear-path"


def _below(low: str, folder: str) -> bool:
    """Return whether a path in small letters is `folder`, or in it."""
    folder = folder.casefold().rstrip("/")
    return folder != "" and (low == folder or low.startswith(folder + "/"))


def _shown(path: FollowedPath) -> str:
    """Return a path for a sentence, and where it leads if that is somewhere else."""
    from .masking import mask  # which most calls do without

    end = path.ways[-1] if path.ways else path.named
    text = (
        visible(path.named) if end.endswith(path.named.lstrip("./")) else f"{visible(path.named)} (at {visible(end)})"
    )
    text = mask(text)
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN - 1] + "…"
