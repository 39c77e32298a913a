"""A schema check: the quick yes agrees with jsonschema, and a refusal names the place and never the value."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, SchemaError

from phocinae.catalog.builtin import GATE_INPUT
from phocinae.catalog.schemas import SchemaCheck

NESTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "string", "minLength": 2, "maxLength": 3},
        },
        "level": {"enum": ["low", "high"]},
        "number": {"type": "integer", "minimum": 2, "maximum": 10},
        "fixed": {"const": 1},
        "pattern": {"type": "string", "pattern": "^a+$"},
    },
    "additionalProperties": {"type": "string"},
}

NAMES = st.sampled_from(["command", "cwd", "server", "other"])
VALUES = st.one_of(
    st.text(max_size=3),
    st.sampled_from(["x" * 4096, "x" * 4097, "é" * 20_000, "x" * 20_001]),
    st.none(),
    st.integers(),
    st.booleans(),
    st.floats(),
    st.lists(st.text(max_size=2), max_size=2),
)


@given(st.dictionaries(NAMES, VALUES) | VALUES)
def test_the_quick_yes_agrees_with_jsonschema(value: object) -> None:
    assert (SchemaCheck(GATE_INPUT).misfit(value) is None) == Draft202012Validator(GATE_INPUT).is_valid(value)


TEXT = {"type": "string"}


@given(
    st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(
                st.sampled_from("abc"), st.sampled_from([TEXT, {"minLength": 1} | TEXT, {"maxLength": 1} | TEXT, {}])
            ),
            "required": st.lists(st.sampled_from("abcd"), max_size=2, unique=True),
            "additionalProperties": st.sampled_from([True, False, TEXT]),
            "minProperties": st.integers(0, 2),
            "description": st.text(max_size=3),
        },
    ),
    st.dictionaries(st.sampled_from("abcd"), st.text(max_size=2) | st.integers()),
)
def test_it_agrees_on_every_schema_of_the_kind(schema: dict[str, Any], value: dict[str, Any]) -> None:
    assert (SchemaCheck(schema).misfit(value) is None) == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "value", "sentence"),
    [
        (GATE_INPUT, {}, "command is missing"),
        (GATE_INPUT, {"command": 5}, "command must be of type string"),
        (GATE_INPUT, {"command": ""}, "command must have at least 1 characters"),
        (GATE_INPUT, {"command": "x" * 20_001}, "command must have at most 20000 characters"),
        (GATE_INPUT, {"command": "ls", "unknown": 1}, "unknown is not known"),
        (GATE_INPUT, {"command": "ls", "\x1b[31m" + "x" * 100: 1}, "?[31m" + "x" * 58 + "… is not known"),
        (GATE_INPUT, ["ls"], "the value must be of type object"),
        (NESTED, {"items": []}, "items must have at least 1 items"),
        (NESTED, {"items": ["aa"] * 3}, "items must have at most 2 items"),
        (NESTED, {"items": ["aa", "b"]}, "items[1] must have at least 2 characters"),
        (NESTED, {"level": "hunter2"}, "level must be one of ['low', 'high']"),
        (NESTED, {"number": 1}, "number must be at least 2"),
        (NESTED, {"number": 11}, "number must be at most 10"),
        (NESTED, {"fixed": 2}, "fixed must be 1"),
        (NESTED, {"pattern": "hunter2"}, "pattern breaks the rule pattern"),
        (NESTED, {"other": 5}, "other must be of type string"),
    ],
)
def test_a_refusal_names_the_place_and_the_rule(schema: dict[str, Any], value: object, sentence: str) -> None:
    assert SchemaCheck(schema).misfit(value) == sentence


@pytest.mark.parametrize(
    "broken",
    [
        {"properties": {"a": {"type": "text"}}},
        {"properties": {"a": {"type": "string", "maxLength": "9"}}},
        {"properties": {"a": {"type": "string", "minLength": True}}},
        {"properties": [], "additionalProperties": False},
        {"required": "a", "additionalProperties": False},
        {"required": [1], "additionalProperties": False},
    ],
)
def test_a_schema_that_is_none_is_refused_when_it_is_taken(broken: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        SchemaCheck({"type": "object", "additionalProperties": False} | broken)


@pytest.mark.requirement("M-115")
@pytest.mark.parametrize("pointer", ["https://schema.invalid/x.json", "#/$defs/none", "other.json"])
def test_a_pointer_to_elsewhere_is_not_followed(pointer: str) -> None:
    misfit = SchemaCheck({"type": "object", "properties": {"a": {"$ref": pointer}}}).misfit({"a": 1})
    assert misfit is not None
    assert misfit.startswith("cannot be checked")


@pytest.mark.requirement("M-115")
def test_a_value_that_a_schema_follows_for_ever_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"a": deep}
    check = SchemaCheck({"type": "object", "properties": {"a": {"$ref": "#"}}})
    assert check.misfit(deep) == "is nested too deeply"


def test_a_call_that_fits_does_not_import_jsonschema() -> None:
    script = (
        "import sys; from phocinae.catalog.builtin import GATE_INPUT; from phocinae.catalog.schemas import SchemaCheck;"
        "check = SchemaCheck(GATE_INPUT); assert check.misfit({'command': 'ls'}) is None;"
        "assert 'jsonschema' not in sys.modules; assert check.misfit({}); assert 'jsonschema' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
