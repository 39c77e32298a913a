"""The check that every byte of a statement is accounted for by a node that this package reads."""

from __future__ import annotations

import re
from typing import TypedDict

from .text import Text
from .tree import SyntaxNode

_BLANK = re.compile(rb"(?:[ \t\n]|\\\n)*\Z")
_BEFORE_COMMENT = b" \t\n;&|("


class Span(TypedDict):
    """Where a node stands, as the keyword arguments that the model takes."""

    start: int
    end: int


class Coverage:
    """Notes gaps where text stands between nodes, for one text."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def span(self, node: SyntaxNode) -> Span:
        """Return the code points from which and to which a node goes, as keyword arguments of the model."""
        return Span(start=self.text.point(node.start), end=self.text.point(node.end))

    def blank(self, start: int, end: int) -> None:
        """Note a gap unless only blanks and line continuations stand between two bytes."""
        if start < end and not _BLANK.match(self.text.data, start, end):
            self.text.gap(start, end, "text that the parser passed over")

    def comment(self, node: SyntaxNode) -> None:
        """Note a gap where some shell may read a comment as part of a word."""
        if node.start and self.text.data[node.start - 1] not in _BEFORE_COMMENT:
            self.text.gap(node.start, node.end, "a comment that some shell may read as part of a word")
        elif self.text.data[node.start - 2 : node.start] == b"\\\n":
            self.text.gap(node.start, node.end, "a comment that a line continuation may join to a word")

    def children(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the children of a node without comments, after checking what stands between them."""
        at, kept = node.start, []
        for child in node.children:
            self.blank(at, child.start)
            at = child.end
            if child.kind == "comment":
                self.comment(child)
            else:
                kept.append(child)
        self.blank(at, node.end)
        return kept
