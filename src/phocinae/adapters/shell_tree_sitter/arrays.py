"""The elements of an array, as in ``name=(…)`` (bash manual, "Arrays")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...domain.shell import Word
from .tree import SyntaxNode

if TYPE_CHECKING:
    from .words import WordReader

_PLAIN_ELEMENT = re.compile(rb"\[(?:\d+\]|[\w.,-]+\](?!\+?=))")


def read(reader: WordReader, node: SyntaxNode) -> tuple[Word, ...]:
    """Return the words of all elements."""
    if reader.substitutions and b"\\" in reader.text.data[node.start : node.end]:
        reader.text.gap(node.start, node.end, "a backslash in an array, which bash loses in a substitution")
    children = reader.coverage.children(node, lines=True)[1:-1]
    return tuple(word for group in reader.coverage.groups(children) for word in _element(reader, group))


def _element(reader: WordReader, nodes: list[SyntaxNode]) -> list[Word]:
    """Return the words of one element.

    Where it starts with a bracket, bash reads on to the partner of that, whatever stands between, and
    evaluates what is in there if an assignment follows.
    """
    start, end = nodes[0].start, nodes[-1].end
    if reader.text.data[start] == ord("[") and not _PLAIN_ELEMENT.match(reader.text.data, start, end):
        reader.text.gap(start, end, "a subscript that bash evaluates, or looks for the end of")
    return reader.words(nodes)
