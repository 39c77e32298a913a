"""Reads one whole text: here-documents out, parse, statements; and the texts within it likewise."""

from __future__ import annotations

import re

from ...domain.shell import Node
from . import heredocs, prefixes
from .statements import StatementReader
from .text import MOST_LEVELS, Findings, Text
from .tree import Budget, SyntaxNode, parse

# The parser is shown another character where it would stumble, and words are read from the true text.
_ESCAPED_LINE = re.compile(rb"(\n[ \t]*)\\(?=[A-Za-z0-9_./])")
"""An escaped character that starts a line, which the grammar takes for a part of the line before."""
_TOGGLED = re.compile(rb"(\$\{[A-Za-z0-9_@*]+(?:\[[^]\s]{0,40}\])?)(~~?)(?=\})")
"""``${x~}`` and ``${x~~}``."""
_FOR_NAME = re.compile(rb"(\b(?:for|select)[ \t]+)(\w{0,40}[\x80-\xff][\w\x80-\xff]{0,160})(?=[ \t\n;])")
"""A loop's variable that is not in ASCII."""
_OFFSET = re.compile(rb"(\$\{[A-Za-z0-9_@*]+(?:\[[@*]\])?:[ \t]*-?)\$(?=[A-Za-z_])")
"""``${x:$y}``, where the grammar takes ``${x:y}`` and ``${x:0:$y}``."""
_BRACE_WORD = re.compile(
    rb"((?:\A|[;&|()\n`]|(?:\b(?:then|do|else|elif|if|while|until|time)|[{!])(?=[ \t]))[ \t]*)"
    rb"\{(?=[^\s{};&|()<>\"'`$]*,)"
)
"""A program's name in braces."""
_CLOSED = re.compile(
    rb"[;&\n][ \t]*(?:\}|fi|done|esac)(?:[ \t]+(?:\}|fi|done|esac))*[ \t]+"
    rb"(?:\}|fi|done|esac|then|do|else|elif)(?=[\s;&|)]|\Z)"
)
"""Reserved words of which the first ends a compound, so that the next one needs no separator."""
_BLANK = re.compile(rb"(?<=[}a-z])[ \t]")


def read(source: str, budget: Budget, found: Findings) -> Node | None:
    """Return what `source` says, with what it may hide in `found`; None when it does not parse.

    Raises:
        OverBudget: reading it takes too much work.
        heredocs.Unclear: a here-document has no readable end.
    """
    return _read(Text(source, budget, found), source)


def _read(text: Text, source: str) -> Node | None:
    if "<<" in source or "<>" in source:
        _take_out(text, source)
    tree = _with_prefixes_out(text) or _parse(text.data, text.budget)
    if tree is None:
        return None
    node = StatementReader(text, _nested).whole(tree)
    for place in text.documents:  # the scanner saw a here-document where the parser saw none
        text.gap(place, place + 2, "a here-document that the parser did not see")
    for place in text.operators:
        text.gap(place, place + 2, "a redirection that the parser did not see")
    for place, prefix in text.prefixes.items():
        text.gap(prefix.start, place, "a reserved word that the parser did not see")
    return node


def _parse(data: bytes, budget: Budget) -> SyntaxNode | None:
    shown = _ESCAPED_LINE.sub(rb"\1,", data) if b"\\" in data else data
    return parse(shown, budget) or _disguised(shown, budget)


def _with_prefixes_out(text: Text) -> SyntaxNode | None:
    """Take the reserved words in front of commands out; None where there are none, or some may be something else."""
    if prefixes.HINT.search(text.data) is None:
        return None
    data, found = prefixes.take_out(text.data)
    tree = _parse(data, text.budget) if found else None
    if tree is None or not prefixes.all_start(tree, found):
        return None
    text.data, text.prefixes = data, found
    return tree


def _disguised(data: bytes, budget: Budget) -> SyntaxNode | None:
    """Parse again without what the grammar refuses although some shell takes it."""
    shown = _BRACE_WORD.sub(rb"\1@", data)
    shown = _TOGGLED.sub(lambda found: found[1] + b"," * len(found[2]), shown)
    shown = _FOR_NAME.sub(lambda found: found[1] + b"_" * len(found[2]), shown)
    shown = _OFFSET.sub(rb"\1_", shown)
    shown = _CLOSED.sub(lambda found: _BLANK.sub(b";", found[0]), shown)
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
    text = Text(inner, parent.budget, parent.found, level=parent.level + 1, origin=parent.point(start))
    text.limit = max(parent.point(end), text.origin)
    try:
        return _read(text, inner)
    except heredocs.Unclear:
        return None
