"""The parser behind a budget, and its tree as light nodes of ours.

Four facts about the parser shape this module.  It holds the interpreter's lock for a
whole parse, so that no other thread could end it: only its progress callback can.  After
a cancelled parse it would go on with the old text, so a parser serves one text only.  And
a tree may be as deep as the text is long, so it is walked with a cursor, never recursively.
And the binding never lets go of an object that its read callable returns, so that it gets
the same few objects over and over.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import tree_sitter
import tree_sitter_bash

LANGUAGE = tree_sitter.Language(tree_sitter_bash.language())
_KINDS = [
    (LANGUAGE.node_kind_for_id(kind) or "", LANGUAGE.node_kind_is_named(kind))
    for kind in range(LANGUAGE.node_kind_count)
]
"""Of each kind of node its name and whether it is named: nodes make a new string each time they are asked."""

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

_WINDOWS: list[bytearray] = []
"""Buffers that no parse uses now: a parse takes one for itself, so there are as many as ever ran at one time.

A buffer cannot be written while the parser looks at it: its size changes with every write, which Python then refuses.
"""


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
    tree = _tree(data, budget)
    if tree.root_node.has_error:
        return None
    return _light(tree, budget)


def _tree(data: bytes, budget: Budget) -> tree_sitter.Tree:
    try:
        window = _WINDOWS.pop()
    except IndexError:
        window = bytearray()
    size = len(data)

    def read(at: int, _point: object) -> bytearray | None:
        if at >= size:
            return None
        window.clear()
        window.extend(data[at:])
        return window

    try:
        return tree_sitter.Parser(LANGUAGE).parse(read, progress_callback=budget.spent)
    except ValueError:  # how the binding reports a parse that its callback cancelled
        raise OverBudget from None
    finally:
        window.clear()  # raises while the parser holds it, and then nobody else is given it
        _WINDOWS.append(window)


def _light(tree: tree_sitter.Tree, budget: Budget) -> SyntaxNode:
    cursor = tree.walk()
    down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    kinds = _KINDS
    siblings: list[SyntaxNode] = []
    above: list[list[SyntaxNode]] = []
    left = budget.nodes
    while True:
        found = cursor.node
        assert found is not None
        kind, named = kinds[found.kind_id]
        node = SyntaxNode(kind, named, found.start_byte, found.end_byte)
        siblings.append(node)
        left -= 1
        if left <= 0 or (left & 255 == 0 and perf_counter() > budget.until):
            raise OverBudget
        if down():
            above.append(siblings)
            siblings = node.children
            if len(above) >= MOST_DEPTH:
                raise OverBudget
            continue
        while not across():
            if not up():
                budget.nodes = left
                return siblings[0]
            siblings = above.pop()
