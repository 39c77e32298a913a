"""Where things stand in a TOML text: its tables, and the keys and values under each header, as stretches of bytes.

A text is cut at its signs, and what it means is for Python's own parser, which must have taken it before
anything here is relied on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from attrs import frozen

_TEXT = (
    rb'"""(?:[^\\]|\\.)*?"""(?!")|' + rb"'''.*?'''(?!')|" + rb'"(?:[^"\\\n]|\\.)*"|' + rb"'[^'\n]*'"
)  # a text of several lines ends with the last of up to five quotes
_TOKEN = re.compile(
    rb"(?P<blank>[ \t\r]+)|(?P<comment>#[^\n]*)|(?P<line>\n)|(?P<text>" + _TEXT + rb")|(?P<sign>.)", re.DOTALL
)

_Token = tuple[str, int, int]


@frozen
class Table:
    """One header and what stands under it: `start` to `end`, where its last key or the header ends."""

    keys: tuple[str, ...]
    listed: bool
    start: int
    end: int
    pairs: tuple[tuple[tuple[str, ...], int, int], ...]


def tables(raw: bytes) -> list[Table]:
    """Return the tables with a header in a text that is TOML, in order."""
    found: list[Table] = []
    for statement in _statements(raw):
        start, end = statement[0][1], statement[-1][2]
        if raw[start : start + 1] == b"[":
            listed = raw[start : start + 2] == b"[["
            keys = _keys(raw[start:end].strip(b"[]"))
            found.append(Table(keys, listed, start, end, ()))
        elif found:
            last = found[-1]
            equals = next(token for token in statement if raw[token[1] : token[2]] == b"=")
            value = statement[statement.index(equals) + 1][1]
            pair = (_keys(raw[start : equals[1]]), value, end)
            found[-1] = Table(last.keys, last.listed, last.start, end, (*last.pairs, pair))
    return found


def _statements(raw: bytes) -> Iterator[list[_Token]]:
    """Yield the tokens of each header and of each key with its value, without blanks and comments."""
    statement: list[_Token] = []
    depth = 0
    for kind, start, end in _tokens(raw):
        if kind == "line":
            if statement and not depth:
                yield statement
                statement = []
            continue
        statement.append((kind, start, end))
        if kind == "sign":
            depth += (raw[start:end] in b"[{") - (raw[start:end] in b"]}")
    if statement:
        yield statement


def _tokens(raw: bytes) -> Iterator[_Token]:
    for match in _TOKEN.finditer(raw):
        if match.lastgroup not in ("blank", "comment"):
            yield match.lastgroup or "", match.start(), match.end()


def _keys(text: bytes) -> tuple[str, ...]:
    """Return the parts of a key, as Python's parser reads them."""
    inner: Any = tomllib.loads(f"{text.decode()} = 0")
    keys = []
    while isinstance(inner, dict):
        ((key, inner),) = inner.items()
        keys.append(key)
    return tuple(keys)
