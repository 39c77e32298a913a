"""In which line of a TOML text each key stands (TOML 1.0.0); what its values are, the reader of TOML knows.

The reader of the standard library keeps no places.  This one goes over the text once, at
a cost that is linear in its length, and stops where the text is no TOML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]
"""The parts of a dotted name."""

MOST_PARTS = 8
"""Names are cut there: a hostile text could otherwise have ever longer ones, each made of the one before."""

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAME = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*+"
_BETWEEN = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_HEADER = re.compile(rf"\[\[?[ \t]*({_NAME})[ \t]*\]\]?")
_KEY = re.compile(rf"[ \t]*+({_NAME})[ \t]*=[ \t]*")
_PIECE = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+"
    r"|[\[\]{},\n]"
    r"""|[^"'#\[\]{},\n]++"""
)
_AT = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")
_LONG_NUMBER = re.compile(r"[0-9_]{4301,}")
_OPEN, _CLOSED = ("[", "{"), ("]", "}")


def keys(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the whole name of each header, key and key of an inline table of `text`, and its line from 1, in order.

    Line ends are LF, with or without a CR before it.  Of a name, the first `MOST_PARTS` parts are given.
    """
    position, line, table = 0, 1, Path()
    while position < len(text):
        between = _BETWEEN.match(text, position)
        if between is not None:  # it matches nothing as well
            line, position = line + between[0].count("\n"), between.end()
        if header := _HEADER.match(text, position):
            table = parts(header[1])[:MOST_PARTS]
            yield table, line
            position = header.end()
        elif key := _KEY.match(text, position):
            name = (*table, *parts(key[1]))[:MOST_PARTS]
            yield name, line
            inner, position, line = _value(text, key.end(), line, name)
            yield from inner
        else:
            return


def places(text: str) -> dict[Path, int]:
    """Return the line in which each name, and each beginning of one, stands first."""
    found: dict[Path, int] = {}
    for path, line in keys(text):
        for length in range(1, len(path) + 1):
            found.setdefault(path[:length], line)
    return found


def fault(text: str, said: str) -> str:
    """Return where and why `text` is no TOML, from what the reader of the standard library `said` of it.

    The words go behind the name of the file: ``line 3, column 7 is not TOML: ...``, with the key
    that stands there, or the one that is there twice.
    """
    at = _AT.search(said)
    lines = text.split("\n")
    if at is not None and at[1]:
        line, column = int(at[1]), int(at[2])
    elif at is None and (number := _LONG_NUMBER.search(text)):  # it is refused without a place
        line = text.count("\n", 0, number.start()) + 1
        column = number.start() - text.rfind("\n", 0, number.start())
    else:
        line = len(lines) - (len(lines) > 1 and not lines[-1])
        column = len(lines[line - 1]) + 1
    why = said[: at.start()].rstrip() if at is not None else "a number has too many digits"
    return (
        f"line {line}, column {column} is not TOML: {_why(text, why, lines[line - 1], column)}{_key(text, why, line)}"
    )


def _why(text: str, why: str, line: str, column: int) -> str:
    if text.startswith("\ufeff"):
        return "it begins with a byte order mark; save it as UTF-8 without one"
    if line[column - 1 : column] == "\r" and column < len(line):
        return "a carriage return stands alone; end lines with LF, or with CR LF"
    return why


def _key(text: str, why: str, line: int) -> str:
    """Return the words for the key that is at fault, where it is known."""
    seen: dict[Path, int] = {}
    last: tuple[Path, int] | None = None
    for name, place in keys(text):
        if place > line:
            break
        if name in seen and why.startswith(("Cannot", "Duplicate")):
            return f"; {'.'.join(name)} stands in line {seen[name]} already"
        seen[name], last = place, (name, place)
    return f", at {'.'.join(last[0])} in line {last[1]}" if last else ""


def parts(name: str) -> Path:
    """Return the parts of a dotted name as it is written, without their quotes."""
    if '"' not in name and "'" not in name:
        return tuple(part.strip(" \t") for part in name.split("."))
    return tuple(_unquoted(part) for part in re.findall(_PART, name))


def _unquoted(part: str) -> str:
    if part.startswith("'"):
        return part[1:-1]
    if not part.startswith('"'):
        return part
    if "\\" not in part:
        return part[1:-1]
    import tomllib  # knows the escapes

    try:
        return str(tomllib.loads(f"x = {part}")["x"])
    except tomllib.TOMLDecodeError:
        return part


def _value(text: str, position: int, line: int, name: Path) -> tuple[list[tuple[Path, int]], int, int]:
    """Return the keys of inline tables in the value that begins there, with their lines, and where the value ends."""
    found: list[tuple[Path, int]] = []
    # for each bracket that is open, the name of the inline table that it begins, or None in an array
    around: list[Path | None] = []
    last, awaits_key = name, False
    while position < len(text):
        table = around[-1] if around else None
        if awaits_key and table is not None and (key := _KEY.match(text, position)):
            last, position, awaits_key = (*table, *parts(key[1]))[:MOST_PARTS], key.end(), False
            found.append((last, line))
            continue
        piece = _PIECE.match(text, position)
        if piece is None or (piece[0] == "\n" and not around) or (piece[0] in _CLOSED and not around):
            break
        position, line = piece.end(), line + piece[0].count("\n")
        if piece[0] in _OPEN:
            around.append(last if piece[0] == "{" and None not in around[-1:] else None)
        elif piece[0] in _CLOSED:
            around.pop()
        awaits_key = piece[0] in ("{", ",")
    return found, position, line
