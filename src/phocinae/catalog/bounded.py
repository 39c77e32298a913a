"""A JSON Schema validator (2020-12) whose time is bounded, whoever chose the value (basic/index, JSON Schema usage)."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing.jsonschema import EMPTY_REGISTRY

REFERENCES = 20_000
"""How many references one check follows, which is what a small schema can double again and again."""

TEXT = 4_096
"""How long a text is, in characters, that is held against a pattern: many need a time that grows with its square."""


class TooMuch(Exception):
    """The check would take too long."""


_PROPERTIES = ("patternProperties", "additionalProperties", "unevaluatedProperties")
"""Keywords that hold the names of properties against patterns."""


class _Followed(threading.local):
    """How many references this thread has followed in the check at hand."""

    count = 0


_followed = _Followed()


def validator(schema: dict[str, Any]) -> Any:
    """Return a validator for `schema`; it fetches nothing from a network, whatever the schema points to.

    Raises:
        jsonschema.SchemaError: it is no valid schema.
    """
    Draft202012Validator.check_schema(schema)
    return _Bounded(schema, registry=EMPTY_REGISTRY)


def first_error(checker: Any, value: object) -> ValidationError | None:
    """Return the first misfit of `value`, or None.

    Raises:
        TooMuch: it was not found before the bound.
    """
    _followed.count = 0
    error: ValidationError | None = next(checker.iter_errors(value), None)
    return error


def _counted(keyword: str) -> Any:
    follow = Draft202012Validator.VALIDATORS[keyword]

    def check(checker: Any, target: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        _followed.count += 1
        if _followed.count > REFERENCES:
            raise TooMuch
        yield from follow(checker, target, instance, schema)

    return check


def _pattern(checker: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Search texts that are not too long, and leave those that are to what the schema says of their length."""
    if checker.is_type(instance, "string") and len(instance) > TEXT:
        most = schema.get("maxLength")
        if isinstance(most, int) and len(instance) > most:
            return
        raise TooMuch
    yield from Draft202012Validator.VALIDATORS["pattern"](checker, pattern, instance, schema)


def _named(keyword: str) -> Any:
    follow = Draft202012Validator.VALIDATORS[keyword]

    def check(checker: Any, target: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        has_patterns = "patternProperties" in schema or keyword == "unevaluatedProperties"
        if has_patterns and checker.is_type(instance, "object") and any(len(name) > TEXT for name in instance):
            raise TooMuch
        yield from follow(checker, target, instance, schema)

    return check


def _unique(checker: Any, wanted: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Look for items that are there twice in one pass; jsonschema compares each with each."""
    if wanted and checker.is_type(instance, "array") and len(set(map(_key, instance))) < len(instance):
        yield ValidationError("there is an item twice")


def _key(value: Any) -> Hashable:
    """Return what two equal JSON values have in common, and no others; 1 and 1.0 are equal, and true is neither."""
    if isinstance(value, dict):
        return "object", frozenset((name, _key(member)) for name, member in value.items())
    if isinstance(value, list):
        return "array", tuple(map(_key, value))
    return ("boolean" if isinstance(value, bool) else "other", value)


_Bounded = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "$ref": _counted("$ref"),
        "$dynamicRef": _counted("$dynamicRef"),
        "uniqueItems": _unique,
        "pattern": _pattern,
        **{keyword: _named(keyword) for keyword in _PROPERTIES},
    },
)
