"""What words come to: text in which marks stand for what only the running shell knows.

A value is a plain string.  Private-use characters mark its unknown stretches, so that
values can be joined, split and compared like any text; such characters in the judged
text itself count as unknown, so that nobody can forge a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .light import light

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
BRACKET = "\ue007"
"""An active ``[`` whose partner has not been looked for yet."""

BREAK = "\ue008"
"""Between the elements of an array, and only in a second look (`phocinae.domain.guesses`)."""
LISTED = "\ue009"
"""Behind unknown text: it is a name that a listing of some folder prints."""
OWN_PROCESS = "\ue00a"
"""Behind unknown text: it is the number of a process of this gate."""
VALUE = "\ue00e"
"""Stands in front of a word of PowerShell that is no parameter, whatever it begins with."""
MORE = "\ue00f"
"""Stands in front of a word of PowerShell that a comma joins to the one before it."""

LONGEST = 20_000
"""Longest value that is kept, in characters; a text can make values far longer than itself."""

SHOWN = 80
"""Most characters of a value that a sentence shows."""

_MARKS = re.compile("[\ue000-\ue00f]")
"""None of them is ASCII, as nearly all texts are."""
_HIDING = re.compile(f"[{HOLE}{SPLIT}{STAR}{ANY}{CWD}]")
_GLOB = re.compile(f"[{STAR}{ANY}]")
_UNKNOWN = re.compile(f"[{HOLE}{SPLIT}{NUMBER}]")
_NUMERIC = re.compile(f"-?[0-9{NUMBER}]+\\Z")
_SHOWN = str.maketrans(
    {
        HOLE: "…",
        SPLIT: "…",
        NUMBER: "…",
        STAR: "*",
        ANY: "?",
        HOME: "~",
        CWD: ".",
        BREAK: " ",
        LISTED: "",
        OWN_PROCESS: "",
        VALUE: "",
        MORE: "",
    }
)


class Taint:
    """Where a value or a stream may come from: flags that are combined as integers.

    They are no `enum.IntFlag`, because combining two of those takes longer than judging a word.
    """

    NONE: Final = 0
    REMOTE: Final = 1
    """Downloaded."""
    DECODED: Final = 2
    """The result of decoding or rewriting, so that it cannot be read from the command."""
    SECRET: Final = 4
    """The contents of a file of secrets, or a dump of the environment."""
    SOCKET: Final = 8
    """What another machine sends at the moment, over a connection that stays open."""
    PROMPT: Final = 16
    """What an interactive shell prints."""
    PRIVATE: Final = 32
    """One secret by itself, which is perhaps there to sign in with: a variable named like one, a stored password."""
    PRINTED: Final = 64
    """What a command of the text prints: known or not, it is no name of a program that one can read in the text."""
    PIPE: Final = 128
    """What comes out of a named pipe that the text has made."""


def plain(text: str) -> str:
    """Return a text from outside as a value, of the same length: marks in it become unknown."""
    return text if text.isascii() else _MARKS.sub(HOLE, text)


def active(text: str) -> str:
    """Return a value in which unquoted wildcards have come to life."""
    return text.replace("*", STAR).replace("?", ANY).replace("[", BRACKET)


def bracketed(value: str) -> str:
    """Return a value in which each bracket expression is one unknown character; a bracket alone is itself.

    Rule: POSIX XBD 9.3.5 and XCU 2.13.
    """
    at = value.find(BRACKET)
    while at >= 0:
        inside = at + 2 if value[at + 1 : at + 2] in ("!", "^") else at + 1
        close = value.find("]", inside + 1)
        if close < 0:
            break
        if value[close - 1] in ":.=" and value[close + 1 : close + 2] == "]":
            close += 1  # a class within
        if "/" not in value[at:close]:
            value = value[:at] + ANY + value[close + 1 :]
        at = value.find(BRACKET, at + 1)
    return value.replace(BRACKET, "[")


def hides(value: str) -> bool:
    """Return whether a value, taken as shell text, may hold any command; file names may hold one, too."""
    return _HIDING.search(value) is not None


def show(value: str) -> str:
    """Return a value for a sentence, with an ellipsis where it is unknown, at most `SHOWN` characters."""
    text = value[: SHOWN + 1]
    text = text if text.isascii() else text.translate(_SHOWN)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


@light
class Stream:
    """What flows out of a command: its text where it is known, its origin, and what each line of it is.

    `text` is a value, so that a text that is known in part has marks in it; None is all unknown.
    `item` is a value that stands for every line, for programs that take lines as words.
    """

    text: str | None = None
    taint: int = Taint.NONE
    item: str = SPLIT

    def perhaps(self) -> Stream:
        """Return the stream when its text may come only in part, or with more around it, or not at all."""
        return self if self.text is None else Stream(f"{HOLE}\n{self.text}\n{HOLE}", self.taint, self.item)


def together(streams: list[Stream]) -> Stream:
    """Return what comes out of several commands that print one after the other, if nothing stops them."""
    if len(streams) == 1:
        return streams[0]
    taint = Taint.NONE
    for stream in streams:
        taint |= stream.taint
    texts = [HOLE if stream.text is None else stream.text for stream in streams]
    if all(stream.text is None for stream in streams) or sum(map(len, texts)) > LONGEST:
        return Stream(None, taint)
    return Stream("\n".join(texts), taint).perhaps()


def one_item(stream: Stream) -> str:
    """Return what a single item of a stream may be: its one line, or what stands for every line of it."""
    text = stream.text
    return text.rstrip("\n") if text is not None and "\n" not in text.rstrip("\n") else stream.item.replace(SPLIT, HOLE)


NO_STREAM = Stream(text="")
"""The output of a command that prints nothing."""

UNKNOWN_STREAM = Stream()
"""An output, or an input, of which nothing is known and that has no suspicious origin."""


@light
class Field:
    """One word after expansion: a value, where it stands, and where it came from.

    `stream` is set for a process substitution: reading the file named by the field reads it.
    `divided` says that it is taken apart at blanks, so that only the first piece begins as it does (xargs(1)).
    """

    text: str
    start: int = 0
    end: int = 0
    taint: int = Taint.NONE
    stream: Stream | None = None
    divided: bool = False

    @property
    def static(self) -> str | None:
        """The text when it is known to the letter, else None; home and working directory count as unknown."""
        return self.text if self.text.isascii() or not _MARKS.search(self.text) else None

    @property
    def unknown(self) -> bool:
        """Whether a part of the text is not known (a wildcard is)."""
        return not self.text.isascii() and _UNKNOWN.search(self.text) is not None

    @property
    def numeric(self) -> bool:
        """Whether it can only be a whole number, known or not."""
        return _NUMERIC.match(self.text) is not None

    @property
    def globbed(self) -> bool:
        """Whether it holds an active wildcard."""
        return not self.text.isascii() and _GLOB.search(self.text) is not None

    @property
    def many(self) -> bool:
        """Whether it may stand for several words, or none."""
        return self.divided or SPLIT in self.text

    @property
    def may_be_option(self) -> bool:
        """Whether a program may take it for an option although it is not known to be one."""
        return not self.text.isascii() and (self.text[:1] in (HOLE, SPLIT, STAR, ANY) or self.many)

    def with_text(self, text: str) -> Field:
        """Return the same field with another text."""
        return Field(text, self.start, self.end, self.taint, self.stream, self.divided)


def taint_of(fields: Iterable[Field]) -> int:
    """Return where any of these words may come from."""
    taint = Taint.NONE
    for field in fields:
        taint |= field.taint
    return taint
