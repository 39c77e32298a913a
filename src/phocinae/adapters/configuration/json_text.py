"""Entries in JSON, with comments where the file has them: found, added, replaced and removed as bytes.

`json_tree` says where things stand; what the text means is read by Python's own parser,
with the comments blanked out, so that nothing is edited that is no JSON.

An entry is taken out again as if it had never been there.  Whether a container that it
leaves empty was there before can be seen from the number of line ends in front of the
entry: one that was made for it has one or none, see `_Made`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from typing import Any

from ...domain.strict_json import Pairs, Unreadable, read_loosely
from .json_tree import Node, tokens, tree
from .place import BOM, CannotEdit, Place, line_end, line_of

_BLANK = b" \t\r\n"


class _Made(IntEnum):
    """What an entry alone in its container tells by the line ends in front of it: what was there before."""

    CONTAINER = 1  # nothing: the container is made for the entry
    CONTENT = 2  # an empty container, its brackets side by side
    MEMBER = 3  # a container with blanks or comments in it, which stand behind the entry now
    DOCUMENT = 4  # a file with nothing but blanks or comments in it


class JsonText:
    """One JSON text that is never changed: editing returns another one's bytes; None is a file that is not there."""

    def __init__(self, raw: bytes | None) -> None:
        self.is_new = raw is None
        raw = raw or b""
        self.mark = raw[: len(BOM)] if raw.startswith(BOM) else b""
        self.raw = raw[len(self.mark) :]
        self.plain = _without_comments(self.raw)
        self.data = self._read()
        if not isinstance(self.data, Pairs):
            raise CannotEdit(
                "it is no JSON object", line_of(self.raw, len(self.plain) - len(self.plain.lstrip(_BLANK)))
            )
        self.end = line_end(self.raw)

    @cached_property
    def top(self) -> Node | None:
        """The object that the file is, or None where there is nothing in it; found when it is needed."""
        return next(iter(tree(self.raw).members()), None)

    def _read(self) -> object:
        if not self.plain.strip(_BLANK):
            return Pairs()
        try:
            return read_loosely(self.plain)
        except Unreadable:
            pass
        try:
            json.loads(self.plain)
        except json.JSONDecodeError as error:
            raise CannotEdit(f"it is not JSON: {error.msg}", error.lineno) from None
        except (ValueError, RecursionError):
            pass
        raise CannotEdit("it is not JSON that can be read")

    # --- finding

    def entries(self, place: Place) -> list[Any]:
        """Return the values at `place`, in order: those of the list, or the one of the key.

        Raises:
            CannotEdit: something else stands on the way.
        """
        return [self._value(node) for node in self._entries(place)]

    def top_values(self) -> dict[str, Any]:
        """Return all that is in the file, of members of the same name the last."""
        found = json.loads(self.plain) if self.plain.strip(_BLANK) else {}
        return dict(found)

    def line(self, place: Place, index: int) -> int:
        """Return the line on which an entry begins."""
        return line_of(self.raw, self._entries(place)[index].start)

    def _entries(self, place: Place) -> list[Node]:
        way = self._way(place)
        if len(way) <= len(place.keys):
            return []
        return way[-1].members() if place.listed else [way[-1]]

    def _way(self, place: Place) -> list[Node]:
        """Return the containers on the way to a place, from the top, as far as they are there; then the place."""
        way = [] if self.top is None else [self.top]
        for depth, key in enumerate(place.keys, 1):
            if len(way) < depth:
                break
            found = [pair for pair in way[-1].members() if self._key(pair) == key]
            name = ".".join(place.keys[:depth])
            if len(found) > 1:
                raise CannotEdit(f"{name} stands in it twice; remove one", line_of(self.raw, found[1].start))
            if not found:
                break
            node = _inner(found[0])
            wanted = "array" if depth == len(place.keys) and place.listed else "object"
            if node.kind != wanted:
                article = "a list" if wanted == "array" else "an object"
                raise CannotEdit(f"{name} must be {article}", line_of(self.raw, node.start))
            way.append(node)
        return way

    def _key(self, pair: Node) -> str:
        key = pair.members()[0]
        return str(json.loads(self.raw[key.start : key.end]))

    def _value(self, node: Node) -> Any:
        return json.loads(self.plain[node.start : node.end])

    # --- adding

    def add(self, place: Place, value: Mapping[str, Any]) -> bytes:
        """Return the text with an entry more, behind all others."""
        way = self._way(place)
        rest = place.keys[max(len(way) - 1, 0) :]
        inner: Any = [value] if place.listed and rest else value
        for key in reversed(rest[1:]):
            inner = {key: inner}
        if not way:
            text = self._render({rest[0]: inner}, b"", _unit_of(self.raw, None))
            if self.is_new:
                return text + self.end
            # in front of what is there, which may be a comment that runs to its end
            return self.mark + text.replace(b"{", b"{" + self.end * (_Made.DOCUMENT - 1), 1) + self.raw
        return self.mark + self._with_member(way[-1], rest[0] if rest else None, inner)

    def set(self, place: Place, key: str, value: object) -> bytes:
        """Return the text with `key` of the entry at `place`, which is a table, being `value`."""
        table = self._way(place)[-1]
        for pair in table.members():
            if self._key(pair) == key:
                return self.mark + self._replaced(_inner(pair), value)
        return self.mark + self._with_member(table, key, value)

    def replace(self, place: Place, index: int, value: Mapping[str, Any]) -> bytes:
        """Return the text with `value` in the place of an entry."""
        return self.mark + self._replaced(self._entries(place)[index], value)

    def _replaced(self, node: Node, value: object) -> bytes:
        first = node.parent if node.parent is not None and node.parent.kind == "pair" else node
        alone = self._own_line(first)
        indent = self._indent(first.start)
        text = self._render(value, indent, _unit_of(self.raw, self.top)) if alone else _flat(value)
        return self.raw[: node.start] + text + self.raw[node.end :]

    def _with_member(self, container: Node, key: str | None, value: object) -> bytes:
        members = container.members()
        unit = _unit_of(self.raw, self.top)
        if not members:
            return self._filled(container, key, value, unit)
        last = members[-1]
        content = [node for node in container.children if node.start >= last.start]
        at = content[-1].end
        on_lines = self._own_line(last)
        indent = self._indent(last.start if on_lines else container.start) + (b"" if on_lines else unit)
        before = self.end + indent if on_lines or _runs_on(self.raw, content[-1]) else self._gap(members)
        text = _named(key, self._render(value, indent, unit) if on_lines else _flat(value))
        return self.raw[: last.end] + b"," + self.raw[last.end : at] + before + text + self.raw[at:]

    def _filled(self, container: Node, key: str | None, value: object, unit: bytes) -> bytes:
        """Return the text with a member in a container that has none."""
        start, end = container.start + 1, container.end - 1
        outer = self._indent(container.start)
        made = _Made.MEMBER if start < end else _Made.CONTENT
        text = self.end * made + outer + unit + _named(key, self._render(value, outer + unit, unit))
        if made is _Made.CONTENT:
            text += self.end + outer
        return self.raw[:start] + text + self.raw[start:]

    def _gap(self, members: Sequence[Node]) -> bytes:
        """Return what stands between a comma and the member behind it in a container on one line."""
        if len(members) < 2:
            return b" "
        between = self.raw[members[-2].end : members[-1].start].partition(b",")[2]
        return between if not between.strip(_BLANK) else b" "

    def _render(self, value: object, indent: bytes, unit: bytes) -> bytes:
        text = json.dumps(value, indent=unit.decode(), ensure_ascii=False).encode()
        return text.replace(b"\n", self.end + indent)

    # --- removing

    def remove(self, place: Place, index: int) -> bytes | None:
        """Return the text without an entry, or None if nothing is left of it; index 0 is the one of a table."""
        node = self._entries(place)[index]
        if not place.listed and node.parent is not None:
            node = node.parent
        rest = self._without(node)
        return None if rest is None else self.mark + rest

    def _without(self, node: Node) -> bytes | None:
        container = node.parent
        if container is None:
            return b""
        members = container.members()
        if len(members) == 1:
            return self._emptied(container, node)
        position = members.index(node)
        comma = container.comma_after(node) or container.comma_after(members[position - 1])
        if comma is None:
            raise CannotEdit("it is not JSON")
        if position + 1 < len(members):
            kept = self.raw[node.end : comma.start]
            return self.raw[: node.start] + kept + self.raw[comma.end :].lstrip(_BLANK)
        return self.raw[: comma.start] + self._up_to(comma.end, node) + self.raw[node.end :]

    def _up_to(self, start: int, node: Node) -> bytes:
        """Return what stands between `start` and a node that goes, without the blanks in front of the node."""
        between = self.raw[start : node.start]
        kept = between.rstrip(_BLANK)
        previous = [one for one in node.parent.children if one.end <= node.start] if node.parent else []
        ends_line = bool(previous) and _runs_on(self.raw, previous[-1])
        closes = self.raw[node.end :].lstrip(b" \t")[:1] in (b"\r", b"\n")
        return kept + (self.end if ends_line and not closes else b"")

    def _emptied(self, container: Node, node: Node) -> bytes | None:
        """Return the text without a node that was alone, and without a container that was made for it."""
        start, end = container.start + 1, container.end - 1
        before, after = self.raw[start : node.start], self.raw[node.end : end]
        ends = before.count(b"\n")
        if before.strip(_BLANK) or after.strip(_BLANK) or ends == _Made.MEMBER:
            return self.raw[:start] + self._up_to(start, node) + self.raw[node.end :]
        if ends == _Made.CONTENT:
            return self.raw[:start] + self.raw[end:]
        parent = container.parent
        if parent is not None and parent.kind == "pair":
            return self._without(parent)
        around = self.raw[: container.start] + self.raw[container.end :]
        if ends == _Made.DOCUMENT:
            return around
        return self.raw[:start] + self.raw[end:] if around.strip(_BLANK) else None

    # --- where things stand

    def _line_start(self, offset: int) -> int:
        return self.raw.rfind(b"\n", 0, offset) + 1

    def _indent(self, offset: int) -> bytes:
        line = self.raw[self._line_start(offset) : offset]
        return line[: len(line) - len(line.lstrip(b" \t"))]

    def _own_line(self, node: Node) -> bool:
        start = self._line_start(node.start)
        return start > 0 and not self.raw[start : node.start].strip(_BLANK)


def _inner(pair: Node) -> Node:
    return pair.members()[1]


def _named(key: str | None, text: bytes) -> bytes:
    return text if key is None else _flat(key) + b": " + text


def _flat(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _runs_on(raw: bytes, node: Node) -> bool:
    """Tell whether a node is a comment that goes on to the end of its line."""
    return node.kind == "comment" and raw[node.start : node.start + 2] == b"//"


def _unit_of(raw: bytes, top: Node | None) -> bytes:
    """Return by how much a file indents: what stands in front of the first member that begins a line."""
    first = None if top is None else next(iter(top.members()), None)
    if first is None:
        return b"  "
    line = raw[raw.rfind(b"\n", 0, first.start) + 1 : first.start]
    return line if line and not line.strip(b" \t") else b"  "


def _without_comments(raw: bytes) -> bytes:
    """Return the text with blanks in the place of its comments."""
    if b"//" not in raw and b"/*" not in raw:
        return raw
    text = bytearray(raw)
    for kind, start, end in tokens(raw):
        if kind == "comment":
            text[start:end] = bytes(sign if sign in _BLANK else 32 for sign in raw[start:end])
    return bytes(text)
