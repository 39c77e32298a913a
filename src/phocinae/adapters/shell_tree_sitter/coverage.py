"""The check that every byte of a statement is accounted for by a node that this package reads."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TypedDict

from .text import Text
from .tree import JOINED, SyntaxNode

_BLANK = re.compile(rb"(?:[ \t\n]|\\\n)*")
_BLANK_IN_LINE = re.compile(rb"(?:[ \t]|\\\n)*")
_BEFORE_COMMENT = b" \t\n;&|("
_CONTINUED = re.compile(rb"(?:\\\n)+")
_RESERVED = frozenset("if then elif else fi while until do done for select case in esac function }".split())
_IN_LINE = frozenset("case for select function".split())
"""Reserved words behind which a newline is a syntax error (POSIX XCU 2.10.2)."""
_GOES_ON = frozenset("; & && || | |&".split())
"""Operators that need a command in front of them (POSIX XCU 2.10.2)."""
_OPERATORS = b"&|;<>()"
_LONGER_OPERATORS = frozenset(b"&& || ;; ;& ;| |& &| &> >& <& >> << <> >| (( )) <( >(".split())


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

    def blank(self, start: int, end: int, *, lines: bool = True) -> None:
        """Note a gap unless only blanks and line continuations stand between two bytes, and newlines if `lines`."""
        pattern = _BLANK if lines else _BLANK_IN_LINE
        if start < end and not pattern.fullmatch(self.text.data, start, end):
            self.text.gap(start, end, "text that the parser passed over")

    def in_line(self, nodes: list[SyntaxNode]) -> None:
        """Note a gap where a newline or a comment stands between nodes that a shell wants in one line."""
        for before, node in pairwise(nodes):
            self.blank(before.end, node.start, lines=False)

    def comment(self, node: SyntaxNode) -> None:
        """Note a comment, or a gap where some shell may read it as part of a word."""
        if node.start and self.text.data[node.start - 1] not in _BEFORE_COMMENT:
            self.text.gap(node.start, node.end, "a comment that some shell may read as part of a word")
        elif self.text.data[node.start - 2 : node.start] == b"\\\n":
            self.text.gap(node.start, node.end, "a comment that a line continuation may join to a word")
        else:
            self.text.comment(node.start, node.end)

    def continuations(self, root: SyntaxNode) -> None:
        """Note a gap where a line continuation stands between two tokens of the parser that are one for a shell.

        A shell removes continuations before it looks for tokens (POSIX XCU 2.2.1).
        """
        data, at = self.text.data, 0
        if b"\\\n" not in data:
            return
        for leaf in root.leaves():
            if _CONTINUED.fullmatch(data, at, leaf.start) and self._merge(at, leaf.start):
                self.text.gap(at, leaf.start, "a line continuation inside a word or an operator")
            at = max(at, leaf.end)

    def _merge(self, end: int, start: int) -> bool:
        """Return whether what ends at one byte and what starts at another make one token when they touch."""
        before, after = self.text.data[max(end - 1, 0) : end], self.text.data[start : start + 1]
        if before in (b"", b"\n"):
            return False
        if after not in _OPERATORS:
            return self.one_word(end, start)
        if before in _OPERATORS:
            return before + after in _LONGER_OPERATORS
        return after == b"(" or (after in b"<>" and (before.isdigit() or before == b"}"))

    def one_word(self, end: int, start: int, *, closed: bool = True) -> bool:
        """Return whether what ends at one byte and what starts at another are one word when they touch.

        An operator ends a word, unless `closed` is false: the bracket of ``a=(…)`` belongs to it.
        """
        before, after = self.text.data[max(end - 1, 0) : end], self.text.data[start : start + 1]
        return (not closed or before not in _OPERATORS) and after not in _OPERATORS

    def children(self, node: SyntaxNode, *, lines: bool = False) -> list[SyntaxNode]:
        """Return the children of a node without comments, after checking what stands between them.

        The parser may go on with a command behind a newline, where a shell starts another; so newlines
        are blanks only if `lines`.
        """
        at, kept = node.start, []
        for before, child in zip((node, *node.children), node.children, strict=False):
            self.blank(at, child.start, lines=lines and before.kind not in _IN_LINE)
            if before.kind in _IN_LINE and child.kind == "comment":
                self.text.gap(before.start, child.end, "a comment where the line must go on")
            if child.kind in _GOES_ON and before is not node and self._ends_line(before, child):
                self.text.gap(child.start, child.end, "an operator that starts a line")
            if before.kind == ";" and self.text.data[before.start : child.start + 1] == b";&":
                self.text.gap(before.start, child.end, "an operator that the parser split")
            if before is not node and self._continues(before, child):
                self.text.gap(before.start, child.end, "a word that the parser split")
            if child.kind in _RESERVED and not child.named:
                self._reserved(child)
            at = child.end
            if child.kind == "comment":
                self.comment(child)
            else:
                kept.append(child)
        self.blank(at, node.end, lines=lines)
        return kept

    def _ends_line(self, before: SyntaxNode, node: SyntaxNode) -> bool:
        return before.kind in ("comment", "\n") or b"\n" in _CONTINUED.sub(b"", self.text.data[before.end : node.start])

    def _reserved(self, node: SyntaxNode) -> None:
        """Note a gap where a reserved word is only a part of a word (POSIX XCU 2.4)."""
        around = self.text.data[max(node.start - 1, 0) : node.start] + self.text.data[node.end : node.end + 1]
        if around.strip(b" \t\n;&|()<>`"):
            self.text.gap(node.start, node.end, "a reserved word inside a word")

    def _continues(self, before: SyntaxNode, node: SyntaxNode) -> bool:
        """Return whether a node starts with a process substitution that belongs to the word at the end of another."""
        data = self.text.data
        if before.kind == node.kind == "variable_assignment":  # such as A=(b)C=d
            return not data[before.end : node.start].replace(b"\\\n", b"")
        if data[node.start : node.start + 2] not in (b"<(", b">(") or not before.named:
            return False
        return before.kind not in JOINED | {"command_name"} and not data[before.end : node.start].replace(b"\\\n", b"")

    def _only_child(self, node: SyntaxNode) -> SyntaxNode:
        """Return the child of a node that wraps it, after noting a gap where it is not all of it."""
        inner = node.children[0] if node.children else node
        if (inner.start, inner.end) != (node.start, node.end):
            self.text.gap(node.start, node.end, "a word that the parser split")
        return inner

    def groups(self, children: list[SyntaxNode]) -> list[list[SyntaxNode]]:
        """Join nodes that touch, or that only a line continuation parts: the shell reads one word there."""
        groups: list[list[SyntaxNode]] = []
        for child in children:
            inner = self._only_child(child) if child.kind == "command_name" else child
            before = groups[-1][-1] if groups else None
            if before is not None and not self.text.data[before.end : inner.start].replace(b"\\\n", b""):
                if inner.kind in JOINED and before.kind in JOINED:
                    groups[-1].append(inner)
                    continue
                if self.one_word(before.end, inner.start, closed=before.kind != "variable_assignment"):
                    self.text.gap(before.start, inner.end, "a word that the parser split")
            groups.append([inner])
        return groups
