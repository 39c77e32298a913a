"""Entries in TOML: found, added, replaced and removed as bytes.

`toml_tables` says where things stand; what the text means is read by Python's own
parser.  An entry is a table with a header of its own, added at the end, behind a blank
line.  What is written in another way (inline, with dotted keys) is found, but not edited.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from .place import BOM, CannotEdit, Place, line_end, line_of
from .toml_tables import Table, tables


class TomlText:
    """One TOML text that is never changed: editing returns another one's bytes; None is a file that is not there."""

    def __init__(self, raw: bytes | None) -> None:
        self.is_new = raw is None
        raw = raw or b""
        self.mark = raw[: len(BOM)] if raw.startswith(BOM) else b""
        self.raw = raw[len(self.mark) :]
        try:
            self.data = tomllib.loads(self.raw.decode())
        except UnicodeDecodeError:
            raise CannotEdit("it is not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise CannotEdit(f"it is not TOML: {error}") from None
        except RecursionError:
            raise CannotEdit("it is nested too deeply") from None
        self.tables = tables(self.raw)
        self.end = line_end(self.raw)

    # --- finding

    def entries(self, place: Place) -> list[Any]:
        """Return the values at `place`, in order: those of the list, or the one of the key.

        Raises:
            CannotEdit: something else stands on the way.
        """
        found: Any = self.data
        for depth, key in enumerate(place.keys, 1):
            if key not in found:
                return []
            found = found[key]
            wanted = list if depth == len(place.keys) and place.listed else dict
            if not isinstance(found, wanted):
                article = "a list" if wanted is list else "a table"
                raise CannotEdit(f"{'.'.join(place.keys[:depth])} must be {article}", self._mention(key))
        return list(found) if place.listed else [found]

    def top_values(self) -> dict[str, Any]:
        """Return all that is in the file."""
        return self.data

    def line(self, place: Place, index: int) -> int:
        """Return the line on which an entry begins, or 0 where it has no header of its own."""
        heads = self._heads(place)
        return line_of(self.raw, heads[index].start) if index < len(heads) else 0

    def _mention(self, key: str) -> int:
        at = self.raw.find(key.encode())
        return line_of(self.raw, at) if at >= 0 else 0

    def _heads(self, place: Place) -> list[Table]:
        return [table for table in self.tables if table.listed == place.listed and table.keys == place.keys]

    def _head(self, place: Place, index: int) -> Table:
        heads = self._heads(place)
        if len(heads) != len(self.entries(place)):
            header = f"[[{place.name}]]" if place.listed else f"[{place.name}]"
            raise CannotEdit(f"{place.name} is not written as {header}; write it so, or take it out by hand")
        return heads[index]

    def _extents(self, place: Place, index: int) -> list[tuple[int, int]]:
        """Return the stretches of an entry: its table, and the tables below it."""
        head = self._head(place, index)
        stretches = [(head.start, head.end)]
        for table in self.tables[self.tables.index(head) + 1 :] if place.listed else self.tables:
            if place.listed and table.keys == place.keys:
                break
            if len(table.keys) > len(place.keys) and table.keys[: len(place.keys)] == place.keys:
                stretches.append((table.start, table.end))
        return sorted(stretches)

    # --- adding

    def add(self, place: Place, value: Mapping[str, Any]) -> bytes:
        """Return the text with an entry more, behind all others and at the end."""
        if place.listed and self.entries(place):
            self._head(place, 0)  # a list in brackets cannot be continued by a header
        block = self._block(place, value)
        if not self.raw:
            # without a last line end it can be told from a file that was made for the entry
            return self.mark + block + (self.end if self.is_new else b"")
        if self.raw.endswith(b"\n"):
            return self.mark + self.raw + self.end + block + self.end
        return self.mark + self.raw + self.end * 2 + block

    def set(self, place: Place, key: str, value: object) -> bytes:
        """Return the text with `key` of the entry at `place`, which is a table, being `value`."""
        head = self._head(place, 0)
        text = _toml(value).encode()
        for keys, start, stop in head.pairs:
            if keys == (key,):
                return self.mark + self.raw[:start] + text + self.raw[stop:]
        at = head.end
        return self.mark + self.raw[:at] + self.end + _toml_key(key).encode() + b" = " + text + self.raw[at:]

    def replace(self, place: Place, index: int, value: Mapping[str, Any]) -> bytes:
        """Return the text with `value` in the place of an entry."""
        (start, stop), *others = self._extents(place, index)
        raw = self.raw
        for first, last in reversed(others):
            raw = self._cut(raw, first, last)
        return self.mark + raw[:start] + self._block(place, value) + raw[stop:]

    def _block(self, place: Place, value: Mapping[str, Any]) -> bytes:
        name = ".".join(map(_toml_key, place.keys))
        lines = [f"[[{name}]]" if place.listed else f"[{name}]"]
        lines += [f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items()]
        return self.end.join(line.encode() for line in lines)

    # --- removing

    def remove(self, place: Place, index: int) -> bytes | None:
        """Return the text without an entry, or None if nothing is left of it; index 0 is the one of a table."""
        raw = self.raw
        for start, stop in reversed(self._extents(place, index)):
            raw = self._cut(raw, start, stop)
        return None if not raw and self.raw.endswith(b"\n") and not self.mark else self.mark + raw

    def _cut(self, raw: bytes, start: int, stop: int) -> bytes:
        """Return `raw` without a stretch of whole lines, and without the blank line in front of it."""
        rest = raw[stop:]
        line = rest[: rest.find(b"\n") + 1]
        before = raw[:start]
        if not rest:
            return before.removesuffix(self.end).removesuffix(self.end)
        if not line.strip():
            rest = rest[len(line) :] if line else b""
        blank = before.endswith(self.end) and before.removesuffix(self.end)[-1:] in (b"", b"\n")
        return (before.removesuffix(self.end) if blank else before) + rest.lstrip(b" \t" if line.strip() else b"")


def _toml_key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _toml(key)


def _toml(value: object) -> str:
    """Return a value on one line (https://toml.io/en/v1.0.0)."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)
