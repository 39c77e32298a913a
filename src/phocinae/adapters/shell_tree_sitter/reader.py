"""The reader: what is refused unread, what is read without a parser, and what a parser must read."""

from __future__ import annotations

from ...domain.request import COMMAND_LIMIT
from ...domain.shell import Gap, Reading
from ...domain.verdict import ReadingStatus
from . import simple

_COMPLETE = ReadingStatus.COMPLETE  # the way through the class takes longer


class TreeSitterReader:
    """A `ShellReader` for the language that bash, dash and zsh have in common, and bash beyond it.

    It is stateless and may be shared by threads.
    """

    def read(self, text: str) -> Reading:
        """Return what `text` says; never raise for any text."""
        if len(text) <= COMMAND_LIMIT and (script := simple.read(text)) is not None:
            return Reading(_COMPLETE, script)
        return parsed(text)


def parsed(text: str) -> Reading:
    """Return what a parser says of a text; every text that is no text for a shell is refused."""
    why = _unreadable(text)
    return _refused(text, why) if why else _parsed(text)


def _unreadable(text: str) -> str:
    if len(text) > COMMAND_LIMIT:
        return f"the text is longer than {COMMAND_LIMIT} characters"
    if "\0" in text:
        return "the text holds a NUL character, at which shells disagree"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "the text holds a lone surrogate, which no shell can be given"
    return ""


def _refused(text: str, why: str) -> Reading:
    return Reading(status=ReadingStatus.REFUSED, gaps=(Gap(0, len(text), why),))


def _parsed(text: str) -> Reading:
    from . import script  # the parser is loaded only for a text that needs one
    from .heredocs import Unclear
    from .text import Findings
    from .tree import Budget, OverBudget

    found = Findings()
    try:
        node = script.read(text, Budget(), found)
    except OverBudget:
        return _refused(text, "reading the text takes too much work")
    except Unclear as unclear:
        return _refused(text, str(unclear))
    except RecursionError:  # the caller left too little of the stack
        return _refused(text, "the text is nested too deeply")
    if node is None:
        return _refused(text, "the text does not parse")
    status = ReadingStatus.UNKNOWN if found.gaps else ReadingStatus.COMPLETE
    return Reading(status, node, tuple(found.gaps), tuple(found.differences), tuple(sorted(set(found.comments))))
