"""One entry put into a configuration file or taken out of it, with proof that nothing else changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...domain.strict_json import Pairs
from .json_text import JsonText
from .place import CannotEdit, Place
from .toml_text import TomlText

Mine = Callable[[Mapping[str, Any]], bool]
"""Tells whether an entry is one of ours."""

SIZE_LIMIT = 16 << 20
"""The largest file that is edited, in bytes."""


def read(raw: bytes | None, kind: str) -> JsonText | TomlText:
    """Return the text of a file of the format `kind`, ``json`` or ``toml``; None is a file that is not there.

    Raises:
        CannotEdit: it cannot be read.
    """
    if raw is not None and len(raw) > SIZE_LIMIT:
        raise CannotEdit(f"it is larger than {SIZE_LIMIT} bytes")
    return TomlText(raw) if kind == "toml" else JsonText(raw)


def entries(raw: bytes | None, kind: str, place: Place) -> list[tuple[Any, int]]:
    """Return the entries at `place`, each with its line, which is 0 where that is not known.

    Raises:
        CannotEdit: the file cannot be read.
    """
    text = read(raw, kind)
    return [(value, text.line(place, index)) for index, value in enumerate(text.entries(place))]


def put(raw: bytes | None, kind: str, place: Place, value: Mapping[str, Any], mine: Mine) -> bytes:
    """Return the file with the entry `value`, in the place of one of ours that is there.

    In a list, an entry of ours is replaced as a whole, so that nothing in it can narrow it; in a table, the keys of
    `value` are set, and others that a person added stay.

    Raises:
        CannotEdit: it would not go without loss.
    """
    before = text = read(raw, kind)
    ours = _ours(text, place, mine)
    if not place.listed and text.entries(place) and not ours:
        raise CannotEdit(f"{place.name} is there already, and not one that starts phocinae", text.line(place, 0))
    for index in reversed(ours[1:]):
        text = read(text.remove(place, index), kind)
    if not ours:
        after = text.add(place, value)
    elif place.listed:
        same = text.entries(place)[ours[0]] == value
        after = text.mark + text.raw if same else text.replace(place, ours[0], value)
    else:
        after = _set(text, kind, place, value)
    if after != raw:
        _prove(before, _readable(after, kind), place, mine)
    return after


def take_out(raw: bytes, kind: str, place: Place, mine: Mine) -> bytes | None:
    """Return the file without our entries, or None if nothing is left of a file that was made for them.

    Raises:
        CannotEdit: it would not go without loss.
    """
    before = text = read(raw, kind)
    after: bytes | None = raw
    for index in reversed(_ours(text, place, mine)):
        after = text.remove(place, index)
        if after is None:
            break
        text = read(after, kind)
    if after != raw:
        _prove(before, text if after is not None else read(None, kind), place, mine)
    return after


def _ours(text: JsonText | TomlText, place: Place, mine: Mine) -> list[int]:
    return [index for index, one in enumerate(text.entries(place)) if isinstance(one, dict) and mine(one)]


def _set(text: JsonText | TomlText, kind: str, place: Place, value: Mapping[str, Any]) -> bytes:
    for key, item in value.items():
        if text.entries(place)[0].get(key) != item:
            text = read(text.set(place, key, item), kind)
    return text.mark + text.raw


def _readable(raw: bytes, kind: str) -> JsonText | TomlText | None:
    try:
        return read(raw, kind)
    except CannotEdit:
        return None


def _prove(before: JsonText | TomlText, after: JsonText | TomlText | None, place: Place, mine: Mine) -> None:
    """Refuse a change after which anything but our entries is not what it was."""
    if after is None or repr(_others(before.data, place, mine)) != repr(_others(after.data, place, mine)):
        raise CannotEdit(f"{place.name} is written in a way that cannot be changed safely; change it by hand")


def _others(data: object, place: Place, mine: Mine, depth: int = 0) -> object:
    """Return the data without our entries, and without containers on the way that are empty then."""
    if depth == len(place.keys):
        if isinstance(data, list) and place.listed:
            return [one for one in data if not _is_mine(one, mine)] or None
        return None if _is_mine(data, mine) else data
    members = data if isinstance(data, Pairs) else list(data.items()) if isinstance(data, dict) else None
    if members is None:
        return data
    kept = []
    for key, value in members:
        rest = _others(value, place, mine, depth + 1) if key == place.keys[depth] else value
        if rest is not None or value is None:
            kept.append((key, rest))
    return kept or None


def _is_mine(data: object, mine: Mine) -> bool:
    plain = _plain(data)
    return isinstance(plain, dict) and mine(plain)


def _plain(data: object) -> object:
    if isinstance(data, Pairs):
        return {key: _plain(value) for key, value in data}
    if isinstance(data, list):
        return [_plain(one) for one in data]
    return data
