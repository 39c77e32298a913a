"""Reads one whole text: here-documents out, parse, statements; and the texts within it likewise."""

from __future__ import annotations

import re

from ...domain.shell import Gap, Node
from . import heredocs
from .statements import StatementReader
from .text import MOST_LEVELS, Text
from .tree import Budget, SyntaxNode, parse

# The parser is shown another character where it would stumble, and words are read from the true text.
_ESCAPED_LINE = re.compile(rb"(\n[ \t]*)\\(?=[A-Za-z0-9_./])")
"""An escaped character that starts a line, which the grammar takes for a part of the line before."""
_BRACE_WORD = re.compile(rb"((?:\A|[;&|(\n])[ \t]*)\{(?=[^\s{};&|()<>\"'`$]*,)")


def read(source: str, budget: Budget, gaps: list[Gap]) -> Node | None:
    """Return what `source` says, with what it may hide in `gaps`; None when it does not parse.

    Raises:
        OverBudget: reading it takes too much work.
        heredocs.Unclear: a here-document has no readable end.
    """
    return _read(Text(source, budget, gaps), source)


def _read(text: Text, source: str) -> Node | None:
    if "<<" in source or "<>" in source:
        _take_out(text, source)
    shown = _ESCAPED_LINE.sub(rb"\1,", text.data) if b"\\" in text.data else text.data
    tree = parse(shown, text.budget) or _with_braces_disguised(shown, text.budget)
    if tree is None:
        return None
    node = StatementReader(text, _nested).whole(tree)
    for place in text.documents:  # the scanner saw a here-document where the parser saw none
        text.gap(place, place + 2, "a here-document that the parser did not see")
    for place in text.operators:
        text.gap(place, place + 2, "a redirection that the parser did not see")
    return node


def _with_braces_disguised(data: bytes, budget: Budget) -> SyntaxNode | None:
    """Parse again without the braces at which a command may start; the grammar refuses ``{rm,-r}`` there."""
    shown = _BRACE_WORD.sub(rb"\1@", data)
    return None if shown == data else parse(shown, budget)


def _take_out(text: Text, source: str) -> None:
    rewritten, documents, operators = heredocs.take_out(source)
    text.rewrite(rewritten)
    for place, (quoted, body, start) in documents.items():
        text.documents[text.byte(rewritten, place)] = heredocs.Document(quoted, body, text.byte(rewritten, start))
    for place, operator in operators.items():
        text.operators[text.byte(rewritten, place)] = operator


def _nested(parent: Text, inner: str, start: int, end: int) -> Node | None:
    """Return what a text within `parent` says, or None when it does not parse or stands too deep."""
    if parent.level >= MOST_LEVELS:
        return None
    text = Text(inner, parent.budget, parent.gaps, level=parent.level + 1, origin=parent.point(start))
    text.limit = max(parent.point(end), text.origin)
    try:
        return _read(text, inner)
    except heredocs.Unclear:
        return None
