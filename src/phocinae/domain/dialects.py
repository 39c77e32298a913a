"""Which languages a text may plausibly be in, and what the readings of a text come to together.

A denial of any plausible reading counts, and an allow needs all of them.  One that fails
only because the text is not for a POSIX shell does not stand in the way: every word that
such a shell could take for a command must then be a name that PowerShell alone knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .expand import TooMuch
from .hits import MOST_OF_A_WEIGHT, Hits
from .redirections import UNSET_NULL
from .request import GateRequest
from .shell import Dialect
from .signs import words_in_front
from .values import Field
from .variables import Variables
from .verdict import Hit, ReadingStatus, Weight
from .windows import cmd

if TYPE_CHECKING:
    from .l0 import OfflineJudge
    from .walk import Walker

_DRIVE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]:[\\/]|\\\\[?.]\\")
_POWERSHELL = re.compile(
    r"(?i)\$\{?env:|\b(?:cd|ls|dir|cat|chdir|type|pushd)[ \t]+(?:env:|['\"]?\\\\[a-z0-9])"
    r"|\]::|\$ps(?:versiontable|home)\b|\$profile\b"
)


_MOST_FOREIGN = 50
"""Commands of a text that no POSIX shell knows and that are each read as PowerShell on their own."""


def plausible(text: str, cwd: str | None = None) -> tuple[Dialect, ...]:
    """Return the languages of Windows that a text with signs of one may be in; to be on a drive is a sign of cmd."""
    names = words_in_front(text)
    drive = _DRIVE.search(text) is not None
    on_drive = cwd is not None and cwd[1:2] == ":"
    powershell = bool(names) or _POWERSHELL.search(text) is not None
    in_cmd = cmd.plausible(text) or ((drive or on_drive) and not powershell)
    found = []
    if powershell or drive:
        found.append(Dialect.POWERSHELL)
    if in_cmd:
        found.append(Dialect.CMD)
    return tuple(found)


def strictest(judge: OfflineJudge, request: GateRequest, posix: Walker) -> tuple[list[Hit], ReadingStatus]:
    """Return the hits of all plausible readings of a command, given the POSIX one, and how they could be read."""
    walks: dict[Dialect, Walker] = {}
    last = posix
    for dialect in plausible(request.command, request.cwd):
        last = walks[dialect] = judge.judged(request, dialect, last)
    powershell = walks.get(Dialect.POWERSHELL)
    seen = set() if powershell is None else powershell.seen
    if last is not posix:
        posix.goes_on_from(last)
    try:
        _judge_foreign(request.command, posix, seen)
    except TooMuch:
        posix.add("too-deep", 0, len(request.command), "it")
    denying = [walk for walk in (*walks.values(), posix) if walk.hits.denies()]
    if denying:  # the other readings have nothing to add, and their hits would not be true of this language
        return _together(denying), max((walk.status for walk in denying), key=list(ReadingStatus).index)
    inert = powershell is not None and runs_nothing(judge, request.command, posix, powershell.seen)
    notes = [hit for hit in posix.hits.heaviest_first() if hit.weight is Weight.NOTE]
    together = _together(walks.values(), notes if inert else posix.hits.heaviest_first())
    statuses = [walk.status for walk in walks.values()] + ([] if inert else [posix.status])
    return together, max(statuses, key=list(ReadingStatus).index)


def deciding(judge: OfflineJudge, command: str) -> Dialect:
    """Return the language in which a command is to be shown: the first in which it is denied, or else can be read."""
    request = GateRequest(command)
    walks = [judge.judged(request, dialect) for dialect in (Dialect.POSIX, *plausible(command))]
    for walk in (*(walk for walk in walks if walk.hits.denies()), *walks):
        if walk.status is not ReadingStatus.REFUSED:
            return walk.dialect
    return Dialect.POSIX


def _judge_foreign(command: str, posix: Walker, seen: set[tuple[str, int]]) -> None:
    """Keep what the programs that no POSIX shell knows are denied for where PowerShell has not run them."""
    for start, end in posix.foreign[:_MOST_FOREIGN]:
        if (command, start) not in seen:  # an assignment in front, say, is another program to PowerShell
            place = Field(command[start:end], start, end)
            posix.denied_elsewhere(place.text, place, Variables())


def _together(walks: Iterable[Walker], first: Iterable[Hit] = ()) -> list[Hit]:
    """Return `first` and the hits of some walks, each once, the heaviest in front."""
    together = Hits()
    for hit in first:
        together.add(hit)
    for walk in walks:
        for hit in walk.hits.heaviest_first():
            together.add(hit)
    return together.heaviest_first()


# --- a POSIX shell that is given PowerShell

_READING = frozenset(["unread", "does-not-parse", "other-reading"])
_AUTOMATIC = re.compile(
    r"\$(?:(?:PSVersionTable|PSHOME|PSEdition|PSCulture)(?:\.[A-Za-z]\w*)*|(?:Host|PSItem)(?:\.[A-Za-z]\w*)+)\Z", re.I
)
_ALIASES = frozenset(
    "epcsv fl ft fw gci gdr gjb gmo gps gpv gsv gwmi gcim ipcsv measure rvpa % select group foreach".split()
)
"""Aliases of cmdlets of which no program for a POSIX shell has the name, as far as is known."""
_NOWHERE = re.compile(r"(?:\d|\*)?>(?:&[12]|[ \t]*\$null)(?=[\s;|&)}]|\Z)", re.I)
_ENDS = re.compile(r"[;|&()\r\n`]")
_VALUE = re.compile(r"\.[A-Za-z]\w*\Z|\[[A-Za-z.]+\]::\w+\Z|[@$]\Z|-?\d[\d.,]*\Z")
"""Members and numbers, which no program is named like."""
_RESERVED = re.compile(r"(?:if|else|elseif|while|do|until|try|catch|finally)\Z", re.I)
_PLAIN = re.compile(r"[A-Za-z][\w ./:,=@%+-]*\Z")
_MOST_PROGRAMS = 8
"""Programs that a text may name beside cmdlets where it is not read to the end."""
_LONGEST = 8_000
"""Characters of a text that is looked through for names of programs."""
_BRACE = re.compile(r"[{}]")


def runs_nothing(judge: OfflineJudge, text: str, posix: Walker, seen: set[tuple[str, int]]) -> bool:
    """Return whether a POSIX shell would do nothing unjudged with a text.

    Either it was read to the end, and all that is not allowed in it are names that no such
    shell can run and PowerShell was seen to run; or it was not, and no word in front of which
    a command may end, however the text is quoted, is another name.
    """
    hits = [hit for hit in posix.hits.heaviest_first() if hit.weight is not Weight.NOTE]
    left = [hit for hit in hits if not _is_foreign(text, hit, seen)]
    if len(hits) >= MOST_OF_A_WEIGHT:  # there may have been others, which were not kept
        return False
    if posix.status is ReadingStatus.COMPLETE and not left:
        return all(hit.rule != "unknown-name" for hit in hits) or _names_nothing(judge, text)
    return all(hit.rule in _READING for hit in left) and _names_nothing(judge, text)


def _is_foreign(text: str, hit: Hit, seen: set[tuple[str, int]]) -> bool:
    shown = text[hit.start : hit.end]
    if hit.rule == "unknown-program":
        following = text[hit.end : hit.end + 80].split(maxsplit=1)[:1]
        return (_is_cmdlet(shown, *following) and (text, hit.start) in seen) or _VALUE.match(shown) is not None
    if hit.rule == "unknown-name":
        return _AUTOMATIC.match(shown) is not None
    return hit.rule == "writes-file" and shown.lower() == UNSET_NULL and UNSET_NULL in hit.reason


def _is_cmdlet(name: str, following: str = "") -> bool:
    from .windows import powershell_names

    if name.lower() == "gci" and following.isalnum():  # also the name of a tool with subcommands
        return False
    known = "-" in name and name.replace("-", "").isalpha()
    return (known or name.lower() in _ALIASES) and powershell_names.cmdlet_of(name) is not None


def _names_nothing(judge: OfflineJudge, text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    rest = _NOWHERE.sub(" ", text)
    if "<" in rest or ">" in rest:
        return False
    pieces = [piece.strip() for piece in _ENDS.split(rest)]
    if any(_RESERVED.match(word) for piece in pieces for word in piece.strip("{}").split(maxsplit=1)[:1]):
        pieces = [part for piece in pieces for part in _BRACE.split(piece)]  # some shells let commands begin there
    named = [piece for piece in pieces if not _begins_with_no_program(piece)]
    if named and "$" in text:  # one of them may set the variable that is run or written to
        return False
    return len(named) <= _MOST_PROGRAMS and all(_is_allowed(judge, piece) for piece in named)


def _is_allowed(judge: OfflineJudge, piece: str) -> bool:
    """Return whether a stretch of plain words is allowed as a command of its own."""
    if not _PLAIN.match(piece):
        return False
    walk = judge.judged(GateRequest(piece), Dialect.POSIX)
    return walk.status is ReadingStatus.COMPLETE and all(
        hit.weight is Weight.NOTE for hit in walk.hits.heaviest_first()
    )


def _begins_with_no_program(piece: str) -> bool:
    words = piece.lstrip("{} \t").split()
    while words and (_RESERVED.match(words[0]) or not words[0].strip("{}")):
        words = words[1:]
    name = words[0].rstrip("}") if words else ""
    return (
        not name
        or _is_cmdlet(name, *words[1:2])
        or _AUTOMATIC.match(name) is not None
        or _VALUE.match(name) is not None
    )
