"""What is in force, where it came from and what does not count, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ..domain.verdict import Decision
from . import KEYS, Effective, Given, Settings, Source, key_of
from .keys import Key

_FROM_A_FILE = (Source.MANAGED, Source.USER, Source.PROJECT)


@frozen
class Line:
    """One setting: its name in a file, its value as it is in JSON, and where that came from.

    `where` is empty for a default.
    """

    name: str
    value: Any
    source: Source
    where: str


@frozen
class Unused:
    """One value of a source that does not count, and why."""

    name: str
    source: Source
    where: str
    why: str


def in_force(effective: Effective) -> list[Line]:
    """Return every setting, in the order of `KEYS`."""
    origins = {one.field: one for one in effective.origins}
    return [_line(key, effective.settings, origins.get(key.field)) for key in KEYS]


def unused(given: Sequence[Given], effective: Effective, *, hook: bool = False) -> list[Unused]:
    """Return those of the values `given` that are not in force, in their order; `hook` is as for `merge`."""
    origins = {one.field: one for one in effective.origins}
    bound = (Source.PROJECT, Source.ENVIRONMENT) if hook else (Source.PROJECT,)
    return [
        Unused(key_of(one.field).toml, one.source, _place(one), _why(one, effective, origins.get(one.field), bound))
        for one in given
        if one is not origins.get(one.field)
    ]


def _why(one: Given, effective: Effective, chosen: Given | None, bound: tuple[Source, ...]) -> str:
    """Return why a value does not count, beside which `chosen` does; the sources that are `bound` only tighten."""
    if any(one is other for other in effective.ignored):
        return f"the {one.source.value} may only make the gate stricter"
    if any(one is other for other in effective.withheld):
        return "the token is for the service of the settings files, and another one is named"
    if chosen is None or (one.source in bound and chosen.source not in bound):
        return "it says what holds anyway"
    if chosen.source in bound:
        return f"{_place(chosen)} is {'as strict' if one.source in bound else 'stricter'}"
    return f"{_place(chosen)} comes later"


def _line(key: Key, settings: Settings, origin: Given | None) -> Line:
    value = as_json(getattr(settings, key.field))
    if origin is None:
        return Line(key.toml, value, Source.DEFAULT, "")
    return Line(key.toml, value, origin.source, _place(origin))


def as_json(value: object) -> object:
    """Return the value of a setting as it is in JSON."""
    if isinstance(value, Decision):
        return value.wire
    return list(value) if isinstance(value, tuple) else value


def _place(one: Given) -> str:
    """Return where a value stands, without the name that a place in a file ends with."""
    return one.where.removesuffix(f": {key_of(one.field).toml}") if one.source in _FROM_A_FILE else one.where
