"""The offline layer: reads a command, walks over it, and lets the heaviest hit decide.

Nothing is allowed by this file; an allow is what is left when a text was read to the end
and every command, word and effect in it was described as harmless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from .expand import TooMuch
from .request import GateRequest
from .shell import Dialect, Reading, ShellReader
from .signs import may_be_windows
from .values import UNKNOWN_STREAM, plain
from .variables import Variables
from .verdict import Decision, Hit, Layer, ReadingStatus, Undecided, Verdict, Weight
from .walk import Walker

if TYPE_CHECKING:
    from .own_places import OwnPlaces

ALLOWED = "Every part of the command is known to be harmless."
ALLOWED_BUT = "Every part of the command is known to be harmless, but for this:"
_POSIX, _COMPLETE, _L0 = Dialect.POSIX, ReadingStatus.COMPLETE, Layer.L0  # the way through the class takes longer
_NOTE, _PERSON, _DENY = Weight.NOTE, Weight.PERSON, Weight.DENY
MOST_NOTES = 3
"""Notes that the reason of an allow repeats; all of them are among its hits."""


@frozen(eq=False, repr=False)
class OfflineJudge:
    """A `Judge` that needs nothing but a shell reader.

    `project_code` is the decision on test runners and linters, which run code of the
    project.  `policy` is the fingerprint that verdicts carry.  `dialect` is the language
    that the caller knows its commands to be in; None judges every one that a text may
    plausibly be in.  `own` are the files of the gate that lie where its settings put them.
    """

    reader: ShellReader
    project_code: Decision = Decision.ALLOW
    policy: str = ""
    dialect: Dialect | None = None
    own: OwnPlaces | None = None

    def __call__(self, request: GateRequest, /) -> Verdict | Undecided:
        """Return the verdict on a command, or `Undecided` with its ceiling."""
        walker = self.judged(request, self.dialect or _POSIX)
        if self.dialect is None and not walker.hits.denies() and may_be_windows(request.command):
            from . import dialects  # kept off the path of the many texts that only a POSIX shell is given

            try:
                hits, status = dialects.strictest(self, request, walker)
                return verdict_on(hits, status, self.policy)
            except RecursionError:
                walker.add("too-deep", 0, len(request.command), "it")
        return verdict_on(walker.hits.heaviest_first(), walker.status, self.policy)

    def reading(self, command: str) -> Reading:
        """Return what a command says in the dialect that is known, or in the one that decides."""
        dialect = self.dialect or _POSIX
        if self.dialect is None and may_be_windows(command):
            from . import dialects

            dialect = dialects.deciding(self, command)
        return Walker(self.reader, self.project_code, dialect).reading(plain(command))

    def judged(self, request: GateRequest, dialect: Dialect, after: Walker | None = None) -> Walker:
        """Return the walk over a command that is taken to be in `dialect`, with its hits and how the text was read.

        All readings of a text share what they may cost; `after` is the walk before this one.
        """
        walker = Walker(self.reader, self.project_code, dialect)
        if after is not None:
            walker.goes_on_from(after, request.command)
        walker.own = self.own
        walker.any_dialect = self.dialect is None
        walker.whole = walker.source = request.command
        reading = walker.reading(plain(request.command))
        if reading.gaps or reading.differences:
            walker.doubt(reading)
        if not request.command or request.command.isspace():
            walker.add("does-not-parse", 0, len(request.command), "there is nothing in it")
        self._walk(walker, reading, request.cwd)
        walker.status = reading.status
        return walker

    def _walk(self, walker: Walker, reading: Reading, cwd: str | None) -> None:
        if reading.script is None:
            return
        if cwd is not None and not cwd.startswith("/") and cwd[1:2] != ":":
            cwd = None
        elif cwd is not None and cwd[1:2] == ":":
            cwd = cwd.replace("\\", "/")
        try:
            walker.run(reading.script, Variables(), UNKNOWN_STREAM)
            if cwd is not None:  # a claim: judged as well, so that it can only add hits
                walker.run(reading.script, Variables(plain(cwd)), UNKNOWN_STREAM)
        except (TooMuch, RecursionError):  # the caller may have left little of the stack
            walker.add("too-deep", reading.script.start, reading.script.end, "it")
            walker.each_alone(reading.script)
        if walker.guessable and not walker.hits.denies():
            walker.guess(reading.script, Variables(guesses=True))
            if cwd is not None:
                walker.guess(reading.script, Variables(plain(cwd), guesses=True))


def verdict_on(hits: list[Hit], status: ReadingStatus, policy: str) -> Verdict | Undecided:
    """Return what these hits come to, the heaviest of which stands first."""
    heaviest = hits[0].weight if hits else _NOTE
    if heaviest is _DENY:
        return Verdict(
            decision=Decision.DENY, layer=_L0, reason=hits[0].reason, hits=tuple(hits),
            ceiling=Decision.DENY, reading=status,
            policy=policy,
        )  # fmt: skip
    if heaviest is _NOTE and status is _COMPLETE:
        return Verdict(
            decision=Decision.ALLOW, layer=_L0, reason=_allowed(hits), hits=tuple(hits), reading=status,
            policy=policy,
        )  # fmt: skip
    ceiling = Decision.ASK if heaviest is _PERSON else Decision.ALLOW
    reason = hits[0].reason if hits else "The text could not be read to the end."
    return Undecided(reason=reason, ceiling=ceiling, hits=tuple(hits), reading=status, policy=policy)


def _allowed(hits: list[Hit]) -> str:
    """Return the reason of an allow, which says what it does not vouch for."""
    if not hits:
        return ALLOWED
    notes = list(dict.fromkeys(hit.reason for hit in hits))[:MOST_NOTES]
    return " ".join([ALLOWED_BUT, *notes])
