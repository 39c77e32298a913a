"""The reader: what is refused unread, what is read without a parser, and what a parser must read.

Most commands of an agent are a few bare words.  They are a simple command in every shell,
so they need no parser, and a gate that starts once per command need not load one.
"""

from __future__ import annotations

import re

from ...domain.request import COMMAND_LIMIT
from ...domain.shell import Command, Gap, Part, PartKind, Reading, Word
from ...domain.verdict import ReadingStatus

LONGEST_BARE = 4_096
"""The longest unquoted word that is vouched for, in characters: no path is longer, and no person reads it."""

_BARE = re.compile(r" *[A-Za-z0-9_./:,@%+-]+(?: +[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*)* *\Z")
_WORD = re.compile(r"[^ ]+")
_SPECIAL_NAMES = frozenset(
    (
        "if then else elif fi for while until do done case esac select function in time coproc export declare "
        "local readonly typeset unset unsetenv repeat foreach end always nocorrect noglob"
    ).split()
)


class TreeSitterReader:
    """A `ShellReader` for the language that bash, dash and zsh have in common, and bash beyond it.

    It is stateless and may be shared by threads.
    """

    def read(self, text: str) -> Reading:
        """Return what `text` says; never raise for any text."""
        if _BARE.match(text):
            words = tuple(
                Word((Part(kind=PartKind.LITERAL, text=match[0]),), match.start(), match.end())
                for match in _WORD.finditer(text, 0, COMMAND_LIMIT + 1)
            )
            if words[0].parts[0].text not in _SPECIAL_NAMES and _reviewable(text, words):
                script = Command((), words, (), words[0].start, words[-1].end)
                return Reading(status=ReadingStatus.COMPLETE, script=script)
        why = _unreadable(text)
        return _refused(text, why) if why else _parsed(text)


def _reviewable(text: str, words: tuple[Word, ...]) -> bool:
    """Return whether neither the text nor a word of it is too long to be read without a parser."""
    if len(text) <= LONGEST_BARE:
        return True
    return len(text) <= COMMAND_LIMIT and all(word.end - word.start <= LONGEST_BARE for word in words)


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
    return Reading(status=status, script=node, gaps=tuple(found.gaps), differences=tuple(found.differences))
