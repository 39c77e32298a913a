"""Whether a value fits a JSON Schema (2020-12), and a sentence about the first thing that does not.

jsonschema has the word on every refusal.  Most tools take an object of texts and of lists
of texts, and for such a schema a few comparisons can say yes with certainty; they keep
jsonschema, which takes 25 µs a call and 95 ms to import, off the path of a call that
fits.  A test holds the two against each other.

A sentence names the place and the rule, never the value: values are commands, and may
hold secrets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Schema = dict[str, Any]
Check = Callable[[object], bool]

_ROOT_KEYWORDS = {"type", "properties", "required", "additionalProperties", "title", "description"}
_TEXT_KEYWORDS = {"type", "minLength", "maxLength", "title", "description", "examples"}
_LIST_KEYWORDS = {"type", "items", "minItems", "maxItems", "uniqueItems", "title", "description"}
_NO_END = float("inf")
_LONGEST_NAME = 64


class SchemaCheck:
    """One schema, ready to judge values; safe to share between threads."""

    def __init__(self, schema: Schema) -> None:
        """Take `schema`; what is more than an object of texts and lists is checked at once.

        Raises:
            jsonschema.SchemaError: it is no valid schema.
        """
        self._schema = schema
        self._fits_plainly = _plain_check(schema)
        self._validator: Any = None
        if self._fits_plainly is None:
            self._build()

    def misfit(self, value: object) -> str | None:
        """Return None when `value` fits, and a sentence about the first misfit otherwise; never raise."""
        if self._fits_plainly is not None and self._fits_plainly(value):
            return None
        error = self._first_error(value)
        return error if error is None or isinstance(error, str) else _sentence(error)

    def fault(self) -> str | None:
        """Return None for a schema that can be used, and what is wrong with it otherwise; never raise."""
        if self._fits_plainly is not None:
            return None
        error = self._first_error({})
        return error if isinstance(error, str) else None

    def _first_error(self, value: object) -> ValidationError | str | None:
        """Return the first misfit of `value`, or a text where it could not be looked for to the end."""
        from .bounded import TooMuch, first_error  # late: see the head of this file

        validator = self._validator or self._build()
        try:
            return first_error(validator, value)
        except RecursionError:
            return "is nested too deeply"
        except TooMuch:
            return "takes too long to check"
        except Exception as broken:  # a schema that points to nowhere raises what its library likes
            return f"cannot be checked ({type(broken).__name__})"

    def _build(self) -> Any:
        """Return the validator, built once."""
        from .bounded import validator

        self._validator = validator(self._schema)
        return self._validator


def _plain_check(schema: Schema) -> Check | None:
    """Return a check that says yes only where jsonschema does, or None for a schema that is not plain."""
    if schema.get("type") != "object" or schema.get("additionalProperties") is not False:
        return None
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not schema.keys() <= _ROOT_KEYWORDS or not isinstance(properties, dict) or not isinstance(required, list):
        return None
    if not all(isinstance(name, str) for name in required):
        return None
    checks = {name: _plain_text(rule) or _plain_list(rule) for name, rule in properties.items()}
    known = {name: check for name, check in checks.items() if check is not None}
    if len(known) < len(checks):
        return None

    def fits(value: object) -> bool:
        if not isinstance(value, dict):
            return False
        for name in required:
            if name not in value:
                return False
        return all(name in known and known[name](member) for name, member in value.items())

    return fits


def _plain_text(rule: object) -> Check | None:
    if not isinstance(rule, dict) or rule.get("type") != "string" or not rule.keys() <= _TEXT_KEYWORDS:
        return None
    limits = _limits(rule, "minLength", "maxLength")
    if limits is None:
        return None
    least, most = limits

    def fits(text: object) -> bool:
        return isinstance(text, str) and least <= len(text) <= most

    return fits


def _plain_list(rule: object) -> Check | None:
    if not isinstance(rule, dict) or rule.get("type") != "array" or not rule.keys() <= _LIST_KEYWORDS:
        return None
    item, limits, unique = (
        _plain_text(rule.get("items")),
        _limits(rule, "minItems", "maxItems"),
        rule.get("uniqueItems"),
    )
    if item is None or limits is None or unique not in (None, True, False):
        return None
    least, most = limits

    def fits(listed: object) -> bool:
        if not isinstance(listed, list) or not least <= len(listed) <= most or not all(map(item, listed)):
            return False
        return not unique or len(set(listed)) == len(listed)

    return fits


def _limits(rule: Schema, least: str, most: str) -> tuple[int, float] | None:
    """Return the two limits of a rule, or None where one of them is no whole number."""
    low, high = rule.get(least, 0), rule.get(most, _NO_END)
    return (low, high) if type(low) is int and (type(high) is int or high is _NO_END) else None


def _sentence(error: ValidationError) -> str:
    """Return what is wrong, in words of ours: those of the library repeat the value."""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    rule: Any = error.validator
    limit: Any = error.validator_value
    value: Any = error.instance
    if rule == "required":
        missing = next(name for name in limit if name not in value)
        return f"{_name(f'{place}.{missing}')} is missing"
    if rule == "additionalProperties" and limit is False:
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        foreign = next((name for name in value if name not in known), "")
        return f"{_name(f'{place}.{foreign}')} is not known"
    words = _RULES.get(rule, "breaks the rule {rule}").format(limit=limit, rule=rule)
    return f"{_name(place) or 'the value'} {words}"


_RULES = {
    "type": "must be of type {limit}",
    "minLength": "must have at least {limit} characters",
    "maxLength": "must have at most {limit} characters",
    "minItems": "must have at least {limit} items",
    "maxItems": "must have at most {limit} items",
    "uniqueItems": "must not hold an item twice",
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "enum": "must be one of {limit}",
    "const": "must be {limit}",
}


def _name(place: str) -> str:
    """Return a place as a person reads it, printable and not too long: a foreign name is the client's text."""
    shown = place.removeprefix(".")
    shown = "".join(char if char.isprintable() else "?" for char in shown)
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…"
