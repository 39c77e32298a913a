"""``case``: the subject, the patterns, and the body of each item (POSIX XCU 2.9.4.3)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ...domain.shell import Compound, Kind, Node, Word
from .tree import WORDS, SyntaxNode

if TYPE_CHECKING:
    from .statements import StatementReader

ENDS = (";;", ";&", ";;&")
"""What ends an item."""
_ENDED = re.compile(rb"[;&\n]")


def read(reader: StatementReader, node: SyntaxNode) -> Node:
    """Return the compound for one ``case``."""
    words: list[Word] = []
    parts: list[Node] = []
    children = _alone(reader, reader.coverage.children(node, lines=True))
    for place, child in enumerate(children):
        if child.kind == "case_item":
            following = children[place + 1].start if place + 1 < len(children) else child.end
            patterns, statements = _item(reader, child, following)
            words.extend(patterns)
            parts.append(statements)
        elif child.kind in WORDS:
            words.append(reader.word_reader.word(child))
        elif child.kind not in ("case", "in", "esac", "\n"):
            reader.text.gap(child.start, child.end, "a case of a form that is not known")
    return Compound(kind=Kind.CASE, parts=tuple(parts), words=tuple(words), **reader.coverage.span(node))


def _item(reader: StatementReader, node: SyntaxNode, following: int) -> tuple[list[Word], Node]:
    """Return the patterns and the body of an item, behind which the next one or the end starts at `following`."""
    children = reader.coverage.children(node, lines=True)
    close = next((place for place, child in enumerate(children) if child.kind == ")"), None)
    if close is None:
        reader.text.gap(node.start, node.end, "a case of a form that is not known")
        close = -1
    reader.coverage.in_line(children[: close + 1])
    for before, child in pairwise(children[:close]):
        if before.named and child.named:
            reader.text.gap(before.start, child.end, "a pattern of several words")
    patterns = [reader.word_reader.word(child) for child in _alone(reader, children[:close]) if child.named]
    body = children[close + 1 :]
    if body and body[-1].kind in ENDS:
        body.pop()
    else:
        last = max((child.end for child in body if child.named), default=following)
        if last < following and not _ENDED.search(reader.text.data[last:following].replace(b"\\\n", b"")):
            reader.text.gap(node.start, following, "a case whose end is a word for a shell")
    return patterns, reader.statements(body, node.start, node.end)


def _alone(reader: StatementReader, nodes: list[SyntaxNode]) -> list[SyntaxNode]:
    """Return nodes as they are, after noting a gap where some of them are one word."""
    for group in reader.coverage.groups(nodes):
        if len(group) > 1:
            reader.text.gap(group[0].start, group[-1].end, "a word that the parser split")
    return nodes
