"""The body of an unquoted here-document: text with expansions, where quotes mean nothing.

The extent of an expansion is found by trying the closing brackets in turn: the first one
up to which the text reads as that one expansion is where a shell would end it, too.

Rule: POSIX XCU 2.7.4.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve

from ...domain.shell import Command, Part, PartKind, Word
from . import expansions, quoting
from .heredocs import Document

if TYPE_CHECKING:
    from .statements import StatementReader

MOST_TRIES = 12
"""Closing brackets that are tried for one expansion."""

_MARK = re.compile(r"\\.|`|\$", re.S)
_NAME = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-])")
_OPENER = re.compile(r"\$[({]")
_FLAGGED = re.compile(r"\$(?:[\[=~^\w]|\+\w)")
"""Dollar signs that some shell expands in another way."""
_QUOTE = re.compile(r"['\"]")
_UNJOINED = re.compile(r"['#]")
"""What starts a quotation or a comment, in which dash joins no lines while bash has joined them all."""


def read(reader: StatementReader, document: Document) -> Word:
    """Return the body as one word; what cannot be read is a gap."""
    start = reader.text.point(document.start)
    end = min(start + len(document.body), reader.text.limit)
    if document.quoted:
        return Word((Part(kind=PartKind.LITERAL, text=document.body, quoted=True),), start, end)
    return Word(tuple(_parts(reader, document)), start, end)


def _parts(reader: StatementReader, document: Document) -> list[Part]:
    body = quoting.joined(document.body)
    parts: list[Part] = []
    at = literal = 0
    while match := _MARK.search(body, at):
        at = match.end()
        if match[0].startswith("\\"):
            continue
        find = _backquotes if match[0] == "`" else _dollar
        found = find(reader, body, document.start, match.start())
        if found is None:
            reader.text.gap(document.start, document.start + len(document.body), "an expansion in a here-document")
            return [*parts, Part(kind=PartKind.OPAQUE, text=body[literal:])]
        part, end = found
        if body != document.body and _UNJOINED.search(body, match.start(), end):
            whole = document.start, document.start + len(document.body)
            reader.text.differs(*whole, "quotes or a comment around a line continuation")
        if part is not None:
            parts += [*_literal(body[literal : match.start()]), part]
            literal = at = end
    return parts + _literal(body[literal:])


def _literal(text: str) -> list[Part]:
    return [Part(kind=PartKind.LITERAL, text=quoting.body(text), quoted=True)] if text else []


def _backquotes(reader: StatementReader, body: str, place: int, start: int) -> tuple[Part, int] | None:
    rest = body[start + 1 :]
    close = next(quoting.unescaped(rest, "`"), None)
    if close is None:
        return None
    inner = quoting.backquoted(rest[:close], in_double_quotes=False)
    script = reader.nested(inner, place + start + 1, place + start + close + 2)
    return Part(kind=PartKind.COMMAND, script=script, quoted=True), start + close + 2


def _dollar(reader: StatementReader, body: str, place: int, start: int) -> tuple[Part | None, int] | None:
    """Return the part and its end; (None, end) for a dollar sign that stands for itself; None if unreadable."""
    name = _NAME.match(body, start)
    if name is not None:
        found = expansions.behind_name(Part(kind=PartKind.PARAMETER, text=name[1], quoted=True), body[name.end() :])
        return None if found is None else (found[0], name.end() + found[1])
    opener = _OPENER.match(body, start)
    if opener is None:
        return None if _FLAGGED.match(body, start) else (None, start + 1)
    closer = ")" if opener[0] == "$(" else "}"
    end = start
    for _ in range(MOST_TRIES):
        end = body.find(closer, end + 1)
        if end < 0:
            return None
        part = _whole(reader, body[start : end + 1], place + start)
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
    if part.kind is not PartKind.COMMAND and _QUOTE.search(text):
        return None  # shells disagree on whether it quotes there
    return evolve(part, quoted=True)
