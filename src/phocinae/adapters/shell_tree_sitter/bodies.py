"""The body of an unquoted here-document: text with expansions, where quotes mean nothing.

The extent of an expansion is found by trying the closing brackets in turn: the first one
up to which the text reads as that one expansion is where a shell would end it, too.

Rule: POSIX XCU 2.7.4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...domain.shell import Command, Part, PartKind, Word
from . import quoting
from .heredocs import Document

if TYPE_CHECKING:
    from .statements import StatementReader

MOST_TRIES = 12
"""Closing brackets that are tried for one expansion."""

_MARK = re.compile(r"\\.|`|\$", re.S)
_NAME = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-])")


def read(reader: StatementReader, document: Document) -> Word:
    """Return the body as one word; what cannot be read is a gap."""
    start = reader.text.point(document.start)
    end = min(start + len(document.body), reader.text.limit)
    if document.quoted:
        return Word((Part(kind=PartKind.LITERAL, text=document.body, quoted=True),), start, end)
    return Word(tuple(_parts(reader, document)), start, end)


def _parts(reader: StatementReader, document: Document) -> list[Part]:
    body = document.body
    parts: list[Part] = []
    at = literal = 0
    while match := _MARK.search(body, at):
        at = match.end()
        if match[0].startswith("\\"):
            continue
        found = (
            _backquotes(reader, document, match.start())
            if match[0] == "`"
            else _dollar(reader, document, match.start())
        )
        if found is None:
            reader.text.gap(document.start, document.start + len(body), "an expansion in a here-document")
            parts.append(Part(kind=PartKind.OPAQUE, text=body[literal:]))
            return parts
        part, end = found
        if part is not None:
            parts += [Part(kind=PartKind.LITERAL, text=quoting.body(body[literal : match.start()]), quoted=True), part]
            literal = at = end
    parts.append(Part(kind=PartKind.LITERAL, text=quoting.body(body[literal:]), quoted=True))
    return parts


def _backquotes(reader: StatementReader, document: Document, start: int) -> tuple[Part, int] | None:
    rest = document.body[start + 1 :]
    close = next(quoting.unescaped(rest, "`"), None)
    if close is None:
        return None
    inner = quoting.backquoted(rest[:close], in_double_quotes=False)
    script = reader.nested(inner, document.start + start + 1, document.start + start + close + 2)
    return Part(kind=PartKind.COMMAND, script=script, quoted=True), start + close + 2


def _dollar(reader: StatementReader, document: Document, start: int) -> tuple[Part | None, int] | None:
    """Return the part and its end; (None, end) for a dollar sign that stands for itself; None if unreadable."""
    body = document.body
    name = _NAME.match(body, start)
    if name is not None:
        return Part(kind=PartKind.PARAMETER, text=name[1], quoted=True), name.end()
    opener = body[start + 1 : start + 2]
    if opener not in ("(", "{"):
        return (None, start + 1) if opener not in ("[", "'", '"') else None
    closer = ")" if opener == "(" else "}"
    end = start
    for _ in range(MOST_TRIES):
        end = body.find(closer, end + 1)
        if end < 0:
            return None
        part = _whole(reader, body[start : end + 1], document.start + start)
        if part is not None:
            return part, end + 1
    return None


def _whole(reader: StatementReader, text: str, start: int) -> Part | None:
    """Return the part that `text` is when it is one expansion and nothing else."""
    node = reader.attempt(text, start, start + len(text))
    if not isinstance(node, Command) or len(node.words) != 1 or len(node.words[0].parts) != 1:
        return None
    part = node.words[0].parts[0]
    if part.kind not in (PartKind.COMMAND, PartKind.PARAMETER, PartKind.ARITHMETIC):
        return None
    return Part(
        kind=part.kind, text=part.text, quoted=True, operator=part.operator, words=part.words, script=part.script
    )
