"""Substitutions inside a stretch that the parser kept as one token.

The stretch stays a gap, since nothing says where they end; they are read so that what would
be denied in them is denied there, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...domain.shell import Part, PartKind, Word
from . import quoting

if TYPE_CHECKING:
    from .words import WordReader

_OPENS = re.compile(r"\\.|'[^']*'|(`)|([$<>]\()(?!\()", re.S)
_PARENTHESIS = re.compile(r"\\.|'[^']*'|[()]", re.S)
_MOST = 20


def words(reader: WordReader, start: int, end: int) -> tuple[Word, ...]:
    """Return a word for each substitution that may be hidden between two bytes."""
    raw, at = reader.text.slice(start, end), 0
    found: list[Word] = []
    while len(found) < _MOST and (match := _OPENS.search(raw, at)) is not None:
        at = match.end()
        if match[1] is None and match[2] is None:
            continue
        if match[1] is not None:
            close = at + next(quoting.unescaped(raw[at:], "`"), len(raw) - at)
            inner = quoting.backquoted(raw[at:close], in_double_quotes=False)
        else:
            close = _closing(raw, at)
            inner = raw[at:close]
        first, last = start + len(raw[:at].encode()), start + len(raw[:close].encode())
        part = Part(kind=PartKind.COMMAND, script=reader.read_text(inner, first, last))
        found.append(Word((part,), reader.text.point(first), reader.text.point(last)))
        at = close + 1
    return tuple(found)


def _closing(raw: str, at: int) -> int:
    depth = 1
    for match in _PARENTHESIS.finditer(raw, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return len(raw)
