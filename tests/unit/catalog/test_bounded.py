"""No value takes long to be held against a schema, and the bounded check says what jsonschema says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from phocinae.catalog.bounded import REFERENCES, TEXT
from phocinae.catalog.schemas import SchemaCheck

Json = dict[str, Any]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.text(max_size=1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)
UNIQUE: Json = {"type": "object", "properties": {"a": {"uniqueItems": True}}}


@given(st.lists(VALUES, max_size=4))
def test_items_that_are_there_twice_are_the_same_as_for_jsonschema(items: list[Any]) -> None:
    value = {"a": items}
    assert (SchemaCheck(UNIQUE).misfit(value) is None) == Draft202012Validator(UNIQUE).is_valid(value)


def test_many_objects_are_compared_in_one_pass() -> None:
    check = SchemaCheck(UNIQUE)
    assert check.misfit({"a": [{"b": number} for number in range(50_000)]}) is None
    assert check.misfit({"a": [{"b": number % 49_999} for number in range(50_000)]}) == "a must not hold an item twice"


def test_references_that_double_again_and_again_are_followed_so_far_only() -> None:
    definitions: Json = {"0": {"type": "integer"}}
    for number in range(1, 40):
        below = {"$ref": f"#/$defs/{number - 1}"}
        definitions[str(number)] = {"allOf": [below, below]}
    schema: Json = {"type": "object", "properties": {"a": {"$ref": "#/$defs/39"}}, "$defs": definitions}
    assert SchemaCheck(schema).misfit({"a": 1}) == "takes too long to check"


@pytest.mark.parametrize(("items", "fits"), [(REFERENCES - 1, True), (REFERENCES + 1, False)])
def test_a_list_may_be_long(items: int, fits: bool) -> None:
    schema: Json = {
        "type": "object",
        "properties": {"a": {"items": {"$ref": "#/$defs/i"}}},
        "$defs": {"i": {"type": "integer"}},
    }
    check = SchemaCheck(schema)
    assert (check.misfit({"a": [1] * items}) is None) == fits
    assert check.misfit({"a": [1]}) is None


WORD: Json = {"type": "string", "pattern": "[a-z]+[0-9]$"}
LONG = "a" * 2_000_000


@pytest.mark.parametrize(
    "keywords",
    [
        {"properties": {"a": WORD}},
        {"propertyNames": WORD},
        {"patternProperties": {"[a-z]+[0-9]$": True}},
        {"additionalProperties": False, "patternProperties": {"[a-z]+[0-9]$": True}},
        {"patternProperties": {"^b": True}, "unevaluatedProperties": False},
    ],
)
def test_a_long_text_is_held_against_no_pattern(keywords: Json) -> None:
    check = SchemaCheck({"type": "object", **keywords})
    assert check.misfit({"a": LONG} if "properties" in keywords else {LONG: 1}) == "takes too long to check"


def test_the_length_that_a_schema_allows_is_told_where_it_is_less() -> None:
    limited = SchemaCheck({"type": "object", "properties": {"a": {**WORD, "maxLength": 9}}})
    assert limited.misfit({"a": LONG}) == "a must have at most 9 characters"


def test_a_text_of_some_length_is_held_against_a_pattern() -> None:
    check = SchemaCheck({"type": "object", "properties": {"a": WORD}})
    assert check.misfit({"a": "a" * (TEXT - 1) + "1"}) is None
    assert check.misfit({"a": "a" * TEXT}) == "a breaks the rule pattern"
