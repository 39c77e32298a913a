"""Where things stand in a JSON text with comments: a tree of stretches of bytes.

A text is cut at its signs, and what it means is for Python's own parser, which must have taken it (with the
comments blanked out) before anything here is relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb'(?P<blank>[ \t\r\n]+)|(?P<comment>//[^\n\r]*|/\*.*?\*/)|(?P<string>"(?:[^"\\]|\\.)*")'
    rb"|(?P<sign>[\[\]{},:])|(?P<scalar>[^ \t\r\n\[\]{},:\"/]+)|(?P<other>.)",
    re.DOTALL,
)


class Node:
    """An object, an array, a member of an object (kind ``pair``), a scalar, a comment or a sign; `raw`[start:end]."""

    __slots__ = ("children", "end", "kind", "parent", "start")

    def __init__(self, kind: str, start: int, end: int, parent: Node | None = None) -> None:
        self.kind, self.start, self.end, self.parent = kind, start, end, parent
        self.children: list[Node] = []

    def members(self) -> list[Node]:
        """Return the pairs of an object, the values of an array, or the key and the value of a pair."""
        return [node for node in self.children if node.kind not in (",", ":", "comment")]

    def comma_after(self, member: Node) -> Node | None:
        """Return the comma behind one of the members, or None behind the last."""
        return next((node for node in self.children if node.kind == "," and node.start >= member.end), None)


def tokens(raw: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the kind, the start and the end of everything but blanks: ``comment``, ``scalar``, or a sign itself."""
    for match in _TOKEN.finditer(raw):
        kind = match.lastgroup or ""
        if kind == "sign":
            yield match[0].decode(), match.start(), match.end()
        elif kind != "blank":
            yield "comment" if kind == "comment" else "scalar", match.start(), match.end()


def tree(raw: bytes) -> Node:
    """Return a node of the kind ``document`` with the comments and the value of a text that is JSON."""
    here = document = Node("document", 0, len(raw))
    for kind, start, end in tokens(raw):
        if kind in "]}":
            here = _left(here)
            here.end = end
            here = here.parent or document
            continue
        if kind == "," and here.kind == "pair":
            here = _left(here)
        if here.kind == "object" and kind == "scalar":
            pair = Node("pair", start, end, here)
            here.children.append(pair)
            here = pair
        node = Node({"{": "object", "[": "array"}.get(kind, kind), start, end, here)
        here.children.append(node)
        if kind in "[{":
            here = node
    return document


def _left(here: Node) -> Node:
    """Return the container that a pair is in, which ends with its value; what stands behind that is the container's."""
    if here.kind != "pair" or here.parent is None:
        return here
    value = max((node.end for node in here.members()), default=here.end)
    here.parent.children += [node for node in here.children if node.start >= value]
    here.children = [node for node in here.children if node.start < value]
    here.end = value
    return here.parent
