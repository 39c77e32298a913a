"""What words come to: text in which marks stand for what only the running shell knows.

A value is a plain string.  Private-use characters mark its unknown stretches, so that
values can be joined, split and compared like any text; such characters in the judged
text itself count as unknown, so that nobody can forge a mark.
"""

from __future__ import annotations

import re
from enum import IntFlag

from attrs import frozen

HOLE = "\ue000"
"""Unknown text within one word, perhaps empty."""
SPLIT = "\ue001"
"""Unknown text that may also be several words, or none."""
STAR = "\ue002"
"""An active ``*``."""
ANY = "\ue003"
"""An active ``?``, or a bracket expression."""
HOME = "\ue004"
"""The home directory, whatever its path is."""
CWD = "\ue005"
"""The directory in which the command starts, whatever its path is."""
NUMBER = "\ue006"
"""A number that is not known."""

_MARKS = re.compile("[\ue000-\ue00f]")
_GLOB = re.compile(f"[{STAR}{ANY}]")
_UNKNOWN = re.compile(f"[{HOLE}{SPLIT}{NUMBER}]")
_NUMERIC = re.compile(f"-?[0-9{NUMBER}]+\\Z")
_SHOWN = {HOLE: "…", SPLIT: "…", NUMBER: "…", STAR: "*", ANY: "?", HOME: "~", CWD: "."}


class Taint(IntFlag):
    """Where a value or a stream may come from."""

    NONE = 0
    REMOTE = 1
    """Downloaded."""
    DECODED = 2
    """The result of decoding or rewriting, so that it cannot be read from the command."""
    SECRET = 4
    """The contents of a file of secrets, or a dump of the environment."""


def plain(text: str) -> str:
    """Return a text from outside as a value, of the same length: marks in it become unknown."""
    return _MARKS.sub(HOLE, text) if _MARKS.search(text) else text


def active(text: str) -> str:
    """Return a value in which unquoted wildcards have come to life."""
    return text.replace("*", STAR).replace("?", ANY).replace("[", ANY)


def show(value: str) -> str:
    """Return a value for a sentence, with an ellipsis where it is unknown, at most 80 characters."""
    text = "".join(_SHOWN.get(char, char) for char in value)
    return text if len(text) <= 80 else text[:79] + "…"


@frozen
class Stream:
    """What flows out of a command: its text where it is known, its origin, and what each line of it is.

    `item` is a value that stands for every line, for programs that take lines as words.
    """

    text: str | None = None
    taint: Taint = Taint.NONE
    item: str = SPLIT


NO_STREAM = Stream(text="")
"""The output of a command that prints nothing."""

UNKNOWN_STREAM = Stream()
"""An output, or an input, of which nothing is known and that has no suspicious origin."""


@frozen
class Field:
    """One word after expansion: a value, where it stands, and where it came from.

    `stream` is set for a process substitution: reading the file named by the field reads it.
    """

    text: str
    start: int = 0
    end: int = 0
    taint: Taint = Taint.NONE
    stream: Stream | None = None

    @property
    def static(self) -> str | None:
        """The text when it is known to the letter, else None; home and working directory count as unknown."""
        return None if _MARKS.search(self.text) else self.text

    @property
    def unknown(self) -> bool:
        """Whether a part of the text is not known (a wildcard is)."""
        return _UNKNOWN.search(self.text) is not None

    @property
    def numeric(self) -> bool:
        """Whether it can only be a whole number, known or not."""
        return _NUMERIC.match(self.text) is not None

    @property
    def globbed(self) -> bool:
        """Whether it holds an active wildcard."""
        return _GLOB.search(self.text) is not None

    @property
    def many(self) -> bool:
        """Whether it may stand for several words, or none."""
        return SPLIT in self.text

    @property
    def may_be_option(self) -> bool:
        """Whether a program may take it for an option although it is not known to be one."""
        return self.text[:1] in (HOLE, SPLIT, STAR, ANY) or SPLIT in self.text

    def with_text(self, text: str) -> Field:
        """Return the same field with another text."""
        return Field(text, self.start, self.end, self.taint, self.stream)
