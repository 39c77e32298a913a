"""The parser behind a budget, and its tree as light nodes of ours.

Three facts about the parser shape this module.  It holds the interpreter's lock for a
whole parse, so that no other thread could end it: only its progress callback can.  After
a cancelled parse it would go on with the old text, so a parser serves one text only.  And
a tree may be as deep as the text is long, so it is walked with a cursor, never recursively.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import tree_sitter
import tree_sitter_bash

LANGUAGE = tree_sitter.Language(tree_sitter_bash.language())

EXPANSIONS = frozenset(
    ["simple_expansion", "expansion", "command_substitution", "arithmetic_expansion", "process_substitution"]
)
WORDS = EXPANSIONS | {
    "word",
    "number",
    "string",
    "raw_string",
    "ansi_c_string",
    "translated_string",
    "concatenation",
    "brace_expression",
    "extglob_pattern",
    "regex",
    "variable_name",
    "special_variable_name",
    "test_operator",
    "file_descriptor",
    "array",
}
"""Kinds of nodes that are words or parts of words."""
JOINED = (WORDS | {"$"}) - {"regex"}
"""Kinds of nodes that are one word when they touch."""

EXPRESSIONS = frozenset(
    ["binary_expression", "unary_expression", "parenthesized_expression", "ternary_expression", "postfix_expression"]
)
"""Kinds of nodes that hold operands and operators, in arithmetic and in conditions."""

MOST_CALLBACKS = 400
"""Progress callbacks that one text may use; the longest script that is read needs about 300."""
MOST_NODES = 5_000
MOST_DEPTH = 150
MOST_PIPES = 800
"""Pipes of one text: where a long pipeline does not parse, the parser asks no callback, and its time is quadratic."""
SECONDS = 0.020
"""The second fuse, for a machine on which callbacks are slow."""


class OverBudget(Exception):
    """The text takes more work than a reading may cost."""


class Budget:
    """What is left for one reading, shared by all texts within it."""

    __slots__ = ("callbacks", "nodes", "until")

    def __init__(self) -> None:
        self.callbacks = MOST_CALLBACKS
        self.nodes = MOST_NODES
        self.until = perf_counter() + SECONDS

    def spent(self, _offset: int = 0, _has_error: bool = False) -> bool:
        """Count one callback; return whether the parser must stop."""
        self.callbacks -= 1
        return self.callbacks <= 0 or perf_counter() > self.until


class SyntaxNode:
    """One node of the tree: its kind, its bytes and its children, tokens included."""

    __slots__ = ("children", "end", "kind", "named", "start")

    def __init__(self, kind: str, named: bool, start: int, end: int) -> None:
        self.kind = kind
        self.named = named
        self.start = start
        self.end = end
        self.children: list[SyntaxNode] = []

    def first(self, kind: str) -> SyntaxNode | None:
        """Return the first child of `kind`, or None."""
        for child in self.children:
            if child.kind == kind:
                return child
        return None

    def leaves(self) -> Iterator[SyntaxNode]:
        """Yield all nodes below without children, from left to right."""
        pending = [self]
        while pending:
            node = pending.pop()
            if node.children:
                pending.extend(reversed(node.children))
            else:
                yield node


def parse(data: bytes, budget: Budget) -> SyntaxNode | None:
    """Return the tree of `data`, or None when it does not parse.

    Raises:
        OverBudget: the parse or the tree outgrew `budget`.
    """
    if data.count(b"|") > MOST_PIPES:
        raise OverBudget
    parser = tree_sitter.Parser(LANGUAGE)
    size = len(data)
    try:
        tree = parser.parse(lambda at, _point: data[at:size], progress_callback=budget.spent)
    except ValueError:  # how the binding reports a parse that its callback cancelled
        raise OverBudget from None
    if tree.root_node.has_error:
        return None
    return _light(tree, budget)


def _light(tree: tree_sitter.Tree, budget: Budget) -> SyntaxNode:
    cursor = tree.walk()
    down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    top = SyntaxNode("", True, 0, 0)
    path = [top]
    left = budget.nodes
    while True:
        found = cursor.node
        assert found is not None
        node = SyntaxNode(found.type, found.is_named, found.start_byte, found.end_byte)
        path[-1].children.append(node)
        left -= 1
        if left <= 0 or (left & 255 == 0 and perf_counter() > budget.until):
            raise OverBudget
        if down():
            path.append(node)
            if len(path) > MOST_DEPTH:
                raise OverBudget
            continue
        while not across():
            if not up():
                budget.nodes = left
                return top.children[0]
            path.pop()
