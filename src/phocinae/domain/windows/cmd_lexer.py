"""Quotes and carets of cmd: which characters of a text may be signs of its grammar.

Source: Microsoft, "cmd" (remarks on special characters), and "echo".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..shell import Gap
from .cmd_variables import Raw

BLANKS = " \t\x0b\x0c\xa0"
DELIMITERS = BLANKS + ",;="
HIDDEN, VARIABLE = "\x00", "\x01"
"""What stands in the outline for a character that is no sign, and for a variable."""
_STAND_INS = HIDDEN + VARIABLE


class Char(NamedTuple):
    """One character of a line; a tuple, because a text has thousands.

    `quoted` says that it stands in double quotes, `escaped` that a caret stands before it.
    """

    text: str
    start: int
    end: int
    name: str
    quoted: bool
    escaped: bool


_char = tuple.__new__  # the way through the class takes twice as long


class Line(NamedTuple):
    """A text after its quotes and carets; `outline` is as long as `chars` and has only the signs in it."""

    chars: list[Char]
    outline: str


def read(raw: Iterable[Raw], gaps: list[Gap]) -> Line:
    """Return a text with each character known to be a sign or not; unclosed quotes are gaps."""
    chars: list[Char] = []
    quoted = escaped = False
    last = 0
    for text, start, end, name in raw:
        last = end
        if escaped:
            escaped = False
            if text == "\n":  # the line goes on, and its first character is no sign
                escaped = True
                continue
            chars.append(_char(Char, (text, start, end, name, False, True)))
        elif text == "^" and not quoted:
            escaped = True
        elif text == "\n":
            if quoted:
                gaps.append(Gap(start, end, "a quote has no partner"))
            quoted = False
            chars.append(Char(text, start, end, name, False, False))
        else:
            if text == '"':
                quoted = not quoted
            chars.append(_char(Char, (text, start, end, name, quoted, False)))
    if quoted or escaped:
        gaps.append(Gap(last, last, "a quote has no partner" if quoted else "the line goes on behind the text"))
    signs = [
        text if not (name or quoted or escaped) and text not in _STAND_INS else _sign(text, name, quoted, escaped)
        for text, _start, _end, name, quoted, escaped in chars
    ]
    return Line(chars, "".join(signs))


def _sign(text: str, name: str, quoted: bool, escaped: bool) -> str:
    if name:
        return VARIABLE
    if text == '"' and not escaped:
        return '"'
    if quoted or (escaped and not text.isalnum()) or text in (HIDDEN, VARIABLE):
        return HIDDEN
    return text


_DELIMITED = re.compile(f"[{DELIMITERS}]*")


def skip(outline: str, at: int) -> int:
    """Return the place behind the delimiters at `at`."""
    match = _DELIMITED.match(outline, at)
    return at if match is None else match.end()
