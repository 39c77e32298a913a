"""Quote removal: what the characters of one quoted or unquoted stretch stand for.

Rules: POSIX XCU 2.2, and the section "ANSI-C Quoting" of the bash manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_IN_DOUBLE = re.compile(r"\\([$`\"\\\n])")
_IN_BODY = re.compile(r"\\([$`\\\n])")
_CONTINUATION = re.compile(r"\\(\n)|(\\.)", re.S)
_IN_BACKQUOTES = re.compile(r"\\([$`\\])")
_IN_BACKQUOTES_DOUBLE = re.compile(r"\\([$`\\\"])")
_ANSI_C = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.))", re.S
)
_AGREED = re.compile(r"\\(?:[abeEfnrtv\\'\"?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})|[^\\]+")
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}

ANSI_C = re.compile(r"\$'(?:[^'\\]|\\.)*'", re.S)
PAIRED = re.compile(rf"{ANSI_C.pattern}|\\.|(?<!\$)'[^'`$]*'|\"[^\"`$\\]*\"", re.S)
"""What is quoted, an escaped character included, where it holds no expansion."""


def _unescape(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def double_quoted(text: str) -> str:
    """Return the value of literal text between double quotes."""
    return _IN_DOUBLE.sub(_unescape, text) if "\\" in text else text


def body(text: str) -> str:
    """Return the value of literal text in an unquoted here-document."""
    return _IN_BODY.sub(_unescape, text) if "\\" in text else text


def joined(text: str) -> str:
    """Return text, not in single quotes, without its line continuations."""
    return _CONTINUATION.sub(lambda found: found[2] or "", text) if "\\\n" in text else text


def backquoted(text: str, *, in_double_quotes: bool) -> str:
    """Return the command text that stands between backquotes."""
    if "\\" not in text:
        return text
    return (_IN_BACKQUOTES_DOUBLE if in_double_quotes else _IN_BACKQUOTES).sub(r"\1", text)


def ansi_c(text: str) -> tuple[str, bool]:
    """Return the value in bash of what stands between ``$'`` and ``'``, and whether zsh agrees.

    In bash the value ends at a NUL escape; in zsh an escape that is not known stands for its letter.
    """
    value = _ANSI_C.sub(_ansi_c_escape, text)
    agreed = "\0" not in value and not _AGREED.sub("", text)
    return value.split("\0", 1)[0], agreed


def _ansi_c_escape(match: re.Match[str]) -> str:
    simple, octal, hexa, short, long, control = match.groups()
    if simple is not None:
        return _SIMPLE.get(simple, simple)
    if control is not None:
        return chr(ord(control.upper()) & 0x1F)
    code = int(octal, 8) & 0xFF if octal is not None else int(hexa or short or long, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or 0xE000 <= code <= 0xF8FF:
        # no character, or a private one, which a judge may use as a mark of its own
        return "\N{REPLACEMENT CHARACTER}"
    return chr(code)


def unescaped(text: str, wanted: str) -> Iterator[int]:
    """Yield the offsets in `text` of the character `wanted` where no backslash stands before it."""
    position = 0
    while position < len(text):
        if text[position] == "\\":
            position += 2
            continue
        if text[position] == wanted:
            yield position
        position += 1
