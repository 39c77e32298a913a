"""An external guard program, the published ``guard.py`` or one with its entry points, as a judge.

Its content is read once and checked: what is fingerprinted is what runs, in every child
that is started.  docs/guard.md says what is relied on.
"""

from __future__ import annotations

import os
import stat
import sys
import zlib
from typing import TYPE_CHECKING

from attrs import frozen

from ...domain.request import GateRequest
from ...domain.trusted_paths import UntrustedPath, check, resolved
from ...domain.verdict import Decision, Hit, Layer, Undecided, Verdict, Weight
from ...domain.visible import visible
from ...errors import GuardFailed, InvalidSettings
from ...settings import GUARD_BESIDE

if TYPE_CHECKING:
    from .guard_process import GuardProcess

ENGINE = "guard"
"""What verdicts of a guard program name as their engine, and its hits as their rule."""

TABLE = "l0_table.json"
"""The file beside the published program that its rules stand in."""

SIZE_LIMIT = 1 << 20
"""The largest guard program, in bytes."""

SHOWN = 200
"""The most characters of what the program writes that anybody is shown."""

_WEIGHTS = {Decision.ASK: Weight.PERSON, Decision.DENY: Weight.DENY}


@frozen(repr=False)
class GuardProgram:
    """A guard program that may be used: where it stands, links resolved, and its content.

    `fingerprint` names the place, the content and that of the table beside it.
    """

    path: str
    source: bytes
    fingerprint: str


class GuardJudge:
    """A `Judge` that asks a guard program, within `timeout` seconds in all."""

    def __init__(self, program: GuardProgram, timeout: float, policy: str = "") -> None:
        self._program, self._timeout, self._policy = program, timeout, policy
        self._process: dict[str, GuardProcess] = {}

    def __call__(self, request: GateRequest, /) -> Verdict | Undecided:
        """Return what the program says: a verdict, or `Undecided` where it has no opinion.

        Raises:
            GuardFailed: it gave no answer, or one that cannot be used.
        """
        answer = self._asked().ask(request.command, request.cwd or "", self._timeout)
        word, layer = answer.get("decision"), answer.get("layer")
        if type(layer) is not str or type(word) is not str or word not in ("allow", "ask", "deny"):
            raise GuardFailed("its answer has no decision that is allow, ask or deny, or no layer")
        if layer == Layer.FAIL_CLOSED.value:
            return Undecided(reason="The guard program has no opinion.", ceiling=Decision.ALLOW, policy=self._policy)
        return self._verdict(Decision.of(word), answer.get("reason"))

    def close(self) -> None:
        """End the child process, if there is one."""
        for process in self._process.values():
            process.close()

    def _asked(self) -> GuardProcess:
        if not self._process:
            from .guard_process import GuardProcess  # loads subprocess, which most commands do without

            # of two threads that come here at once, both get what the first of them has put there
            self._process.setdefault(ENGINE, GuardProcess(self._program.path, self._program.source))
        return self._process[ENGINE]

    def _verdict(self, decision: Decision, text: object) -> Verdict:
        reason = f"The guard program says {decision.wire}: {shown(text)}"
        weight = _WEIGHTS.get(decision)
        return Verdict(
            decision=decision,
            layer=Layer.L0,
            reason=reason,
            hits=() if weight is None else (Hit(rule=ENGINE, weight=weight, reason=reason),),
            ceiling=decision,
            policy=self._policy,
            engine=ENGINE,
        )


def read_guard(path: str) -> GuardProgram:
    """Return the guard program `path`, or the one beside the installed package where `path` is ``auto``.

    Raises:
        InvalidSettings: there is none, or it could be another's than the user's or root's.
    """
    if sys.platform == "win32":
        raise _refused("it cannot be used on Windows, where this program cannot tell who may write a file")
    real = _resolved(_beside() if path == GUARD_BESIDE else path)
    _not_below_working_directory(real)
    source = _content(real)
    if source is None:
        raise _refused(f"{visible(real)} does not exist")
    table = _content(os.path.join(os.path.dirname(real), TABLE)) or b""
    return GuardProgram(real, source, f"{real} {zlib.crc32(source):08x} {zlib.crc32(table):08x}")


def beside() -> tuple[str, ...]:
    """Return where a guard program may stand beside the installed package: first where published servers look.

    They look for a checkout next to their own, or next to their package.  The last place
    is that in which pip puts the published guard.
    """
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parent = os.path.dirname(package)
    checkouts = (os.path.join(folder, "phocinae-guard") for folder in (os.path.dirname(parent), parent))
    return tuple(os.path.join(folder, "guard.py") for folder in (*checkouts, os.path.join(parent, "phocinae_guard")))


def watched(path: str) -> tuple[str, ...]:
    """Return the files that a guard program may be read from, for somebody who wants to know when they change."""
    programs = beside() if path == GUARD_BESIDE else (path,)
    return tuple(file for one in programs for file in (one, os.path.join(os.path.dirname(one), TABLE)))


def _beside() -> str:
    places = beside()
    for place in places:
        if os.path.lexists(place):
            return place
    raise _refused(f"there is none beside the installed package, in {', '.join(map(visible, places))}; name its path")


def _resolved(path: str) -> str:
    """Return `path` with links resolved; refuse one on whose way another user could put something else."""
    try:
        return resolved(path, os.geteuid(), os.lstat, os.readlink)
    except UntrustedPath as error:
        raise _refused(str(error)) from None
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _refused(f"{visible(error.filename)} does not exist") from None
    except OSError as error:
        raise _refused(f"{visible(error.filename)} cannot be reached: {error.strerror}") from None


def _not_below_working_directory(path: str) -> None:
    """Refuse a program in the folder that the judged agent works in; the root, where services start, is none."""
    try:
        folder = os.path.realpath(os.getcwd())
    except OSError:  # it was deleted, so nothing is below it
        return
    if path.startswith(f"{folder}/"):  # never for the root: no path here begins with two bars
        raise _refused(f"{visible(path)} is below the working directory, where the agent that is judged may write")


def _content(path: str) -> bytes | None:
    """Return what is in a regular file of the user's or root's, or None if there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = "it is a symbolic link" if os.path.islink(path) else error.strerror
        raise _refused(f"{visible(path)} cannot be read: {why}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _refused(f"{visible(path)} is not a regular file")
        check(path, os.geteuid(), status)
        content = b""
        while piece := os.read(descriptor, SIZE_LIMIT + 1 - len(content)):
            content += piece
    except UntrustedPath as error:
        raise _refused(str(error)) from None
    finally:
        os.close(descriptor)
    if len(content) > SIZE_LIMIT:
        raise _refused(f"{visible(path)} is larger than {SIZE_LIMIT} bytes")
    return content


def shown(text: object) -> str:
    """Return what the program wrote so that it cannot drive a terminal, and at most `SHOWN` characters of it."""
    if type(text) is not str:
        return "no text"
    whole = visible(text[: SHOWN + 1])
    return whole if len(whole) <= SHOWN else f"{whole[: SHOWN - 1]}…"


def _refused(why: str) -> InvalidSettings:
    return InvalidSettings(f"l1.guard (--guard): the guard program cannot be used: {why}")
