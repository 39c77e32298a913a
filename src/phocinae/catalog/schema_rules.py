"""Which JSON Schemas a server may offer, and what to change about the others (basic/index, JSON Schema usage).

A schema is checked once, when it is registered, so that no call ever meets one that
cannot be used, points into a network, or takes long on purpose of whoever sends the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..domain import strict_json
from ..errors import InvalidRegistration
from .schemas import Schema, SchemaCheck

DEPTH = 32
"""How deep a schema may be nested."""

SIZE = 256 * 1024
"""How long a schema may be as JSON, in characters."""

_DIALECT = re.compile(r"https://json-schema\.org/draft/2020-12/schema#?")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_REFERENCES = ("$ref", "$dynamicRef")
_DATA = {"const", "enum", "default", "examples", "required", "type"}
"""Keywords whose values are no schemas."""

_MAPS = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
"""Keywords whose values are schemas by names that are free."""


def check_schema(schema: object, what: str) -> None:
    """Return if `schema` can be offered; `what` names it in the error.

    Raises:
        InvalidRegistration: it cannot; the text says what to change.
    """
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise InvalidRegistration(f'{what} needs "type": "object" at its root; put other values into properties')
    try:
        size = len(strict_json.write(schema))
    except (TypeError, ValueError, RecursionError):
        raise InvalidRegistration(
            f"{what} is no JSON; use dictionaries with text keys, lists and plain values"
        ) from None
    if size > SIZE:
        raise InvalidRegistration(f"{what} is longer than {SIZE} characters; make it smaller")
    if not _DIALECT.fullmatch(str(schema.get("$schema", "https://json-schema.org/draft/2020-12/schema"))):
        raise InvalidRegistration(f"{what} names another dialect; write it in JSON Schema 2020-12, or drop $schema")
    parts = list(_parts(schema, what, 1))
    _check_references(parts, schema, what)
    for part in parts:
        _check_patterns(part, what)
    _check_headers(parts, schema, what)
    _check_use(schema, what)


def _parts(schema: Any, what: str, depth: int) -> Iterator[Schema]:
    """Yield `schema` and every schema in it."""
    if not isinstance(schema, dict):
        return
    if depth > DEPTH:
        raise InvalidRegistration(f"{what} is nested more than {DEPTH} deep; make it flatter")
    yield schema
    for keyword, value in schema.items():
        if keyword in _DATA:
            continue
        if keyword in _MAPS and isinstance(value, dict):
            inner = list(value.values())
        else:
            inner = value if isinstance(value, list) else [value]
        for one in inner:
            yield from _parts(one, what, depth + 1)


def _check_references(parts: list[Schema], root: Schema, what: str) -> None:
    anchors = {part[key] for part in parts for key in ("$anchor", "$dynamicAnchor") if isinstance(part.get(key), str)}
    for part in parts:
        for keyword in _REFERENCES:
            target = part.get(keyword)
            if target is None:
                continue
            if not isinstance(target, str) or not target.startswith("#"):
                raise InvalidRegistration(
                    f"{what} has a {keyword} to somewhere else, and nothing is ever fetched; "
                    "copy what it points to into $defs, and point to that with #/$defs/NAME"
                )
            name = target[1:]
            if name not in anchors and not _leads_somewhere(name, root):
                raise InvalidRegistration(f"{what} has a {keyword} to {target[:80]!r}, which is not there; define it")


def _leads_somewhere(pointer: str, root: Schema) -> bool:
    """Whether a JSON Pointer, in the fragment of a URI, has a schema at its end (RFC 6901, section 6)."""
    place: Any = root
    if pointer and not pointer.startswith("/"):
        return False
    for step in pointer.split("/")[1:]:
        name = step.replace("%25", "%").replace("~1", "/").replace("~0", "~")
        if isinstance(place, list):
            place = place[int(name)] if name.isdigit() and int(name) < len(place) else None
        else:
            place = place.get(name) if isinstance(place, dict) else None
    return isinstance(place, dict | bool)


def _check_patterns(part: Schema, what: str) -> None:
    """Refuse patterns that may take exponential time: a repetition without an end inside another one."""
    named = part.get("patternProperties")
    patterns = [part.get("pattern"), *(named if isinstance(named, dict) else ())]
    for pattern in patterns:
        if not isinstance(pattern, str):
            continue
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError):
            raise InvalidRegistration(f"{what} has a pattern that is no regular expression; mend it") from None
        if _repeats_repetitions(pattern):
            raise InvalidRegistration(
                f"{what} has a pattern with a repetition inside a repetition, which can take for ever; write it flat"
            )


_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d*,\}|\{\d+(?:,\d+)?\}|.", re.DOTALL)


def _repeats_repetitions(pattern: str) -> bool:
    """Whether a group that is repeated without an end holds a repetition, or a choice, which may overlap."""
    groups: list[bool] = [False]
    closed: bool | None = None
    for atom in _ATOM.findall(pattern):
        repeats = atom in ("*", "+") or (atom.startswith("{") and atom.endswith(",}"))
        if repeats and closed:
            return True
        if atom == "(":
            groups.append(False)
        elif atom == ")" and len(groups) > 1:
            closed = groups.pop()
            groups[-1] = groups[-1] or closed
            continue
        elif repeats or atom == "|":
            groups[-1] = True
        closed = None
    return False


def _check_headers(parts: list[Schema], root: Schema, what: str) -> None:
    """Refuse an ``x-mcp-header`` that no client could send (server/tools, parameters in headers)."""
    reached = list(_plain_properties(root))
    names = [part["x-mcp-header"] for part in reached if "x-mcp-header" in part]
    if sum("x-mcp-header" in part for part in parts) != len(names):
        raise InvalidRegistration(f"{what} has an x-mcp-header where none can be; put it on a property of the root")
    if not all(isinstance(name, str) and _TOKEN.fullmatch(name) for name in names):
        raise InvalidRegistration(f"{what} has an x-mcp-header that is no name of a header; use letters, digits and -")
    if len({name.lower() for name in names}) < len(names):
        raise InvalidRegistration(f"{what} has the same x-mcp-header twice; give each property its own")
    for part in reached:
        if "x-mcp-header" in part and part.get("type") not in ("string", "integer", "boolean"):
            raise InvalidRegistration(
                f"{what} has an x-mcp-header on a property that is no string, integer or boolean; take it off"
            )


def _plain_properties(schema: Schema) -> Iterator[Schema]:
    properties = schema.get("properties")
    for inner in properties.values() if isinstance(properties, dict) else ():
        if isinstance(inner, dict):
            yield inner
            yield from _plain_properties(inner)


def _check_use(schema: Schema, what: str) -> None:
    """Try the schema once: what is broken, or goes round in circles, shows on any value."""
    try:
        fault = SchemaCheck(schema).fault()
    except Exception as error:  # jsonschema has a tree of errors of its own, and loads late
        at = getattr(error, "json_path", "")
        raise InvalidRegistration(
            f"{what} is no valid JSON Schema {at}; check it against the 2020-12 dialect"
        ) from None
    if fault is not None:
        raise InvalidRegistration(f"{what} cannot be used: it {fault}; take out references that go in a circle")
