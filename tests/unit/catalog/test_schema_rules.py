"""Schemas that cannot be offered are refused when they are registered, with what to change."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae.catalog.schema_rules import DEPTH, SIZE, check_schema
from phocinae.errors import InvalidRegistration

Json = dict[str, Any]


def nested(depth: int) -> Json:
    schema: Json = {"type": "object"}
    for _ in range(depth - 1):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def loop() -> Json:
    schema: Json = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


def of(**properties: Any) -> Json:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema"},
        nested(DEPTH),
        of(a={"$ref": "#/$defs/x~1y"}) | {"$defs": {"x/y": {"type": "string"}}},
        of(a={"$ref": "#name"}) | {"$defs": {"x": {"$anchor": "name"}}},
        of(a={"$ref": "#"}),
        of(a={"const": {"$ref": "http://example.com"}}),
        of(**{"$ref": {"type": "string"}}),
        of(a={"pattern": "^[a-z]+(-[a-z]*)?$"}),
        of(a={"pattern": r"^(ab)+\+$"}),
        of(a={"pattern": r"^[(+*]+$"}),
        of(a={"pattern": r"^(?:\d{2}|x)?$"}),
        of(a={"type": "string", "x-mcp-header": "Region"}, b={"type": "integer", "x-mcp-header": "Zone"}),
        of(a={"type": "object", "properties": {"b": {"type": "boolean", "x-mcp-header": "Flag"}}}),
    ],
)
def test_these_can_be_offered(schema: Json) -> None:
    check_schema(schema, "it")


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (None, 'needs "type": "object"'),
        (True, 'needs "type": "object"'),
        ([], 'needs "type": "object"'),
        ({"type": "string"}, 'needs "type": "object"'),
        ({"type": ["object", "null"]}, 'needs "type": "object"'),
        ({"anyOf": [{"type": "object"}]}, 'needs "type": "object"'),
        (of(a={"default": float("nan")}), "is no JSON"),
        (of(a={"default": object()}), "is no JSON"),
        (loop(), "is no JSON"),
        ({"type": "object", "description": "x" * SIZE}, "make it smaller"),
        ({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}, "another dialect"),
        (nested(DEPTH + 1), "make it flatter"),
        (of(a={"$ref": "https://example.com/schema.json"}), r"copy what it points to into \$defs"),
        (of(a={"$ref": "other.json#/a"}), r"copy what it points to into \$defs"),
        (of(a={"items": [{"$dynamicRef": "file:///etc/passwd"}]}), r"copy what it points to into \$defs"),
        (of(a={"$ref": 5}), r"copy what it points to into \$defs"),
        (of(a={"$ref": "#/$defs/none"}), "is not there; define it"),
        (of(a={"$ref": "#none"}), "is not there; define it"),
        (of(a={"type": "text"}), "is no valid JSON Schema"),
        (of(a={"minLength": "5"}), "is no valid JSON Schema"),
        ({"type": "object", "$ref": "#"}, "go in a circle"),
        (of(a={"pattern": "("}), "no regular expression"),
        (of(a={"pattern": "^(a+)+$"}), "write it flat"),
        (of(a={"pattern": "^((ab|b)c)*$"}), "write it flat"),
        (of(a={"pattern": "^(?:[a-z]{2,})*$"}), "write it flat"),
        (of(a={"pattern": "^(a|a)*$"}), "write it flat"),
        ({"type": "object", "patternProperties": {"^(a*)*$": {}}}, "write it flat"),
        (of(a={"type": "string", "x-mcp-header": ""}), "no name of a header"),
        (of(a={"type": "string", "x-mcp-header": "a b"}), "no name of a header"),
        (of(a={"type": "string", "x-mcp-header": 5}), "no name of a header"),
        (of(a={"type": "number", "x-mcp-header": "A"}), "take it off"),
        (of(a={"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}), "where none can be"),
        (of(a={"type": "string", "x-mcp-header": "A"}, b={"type": "string", "x-mcp-header": "a"}), "its own"),
    ],
)
def test_these_are_refused_with_what_to_change(schema: Any, why: str) -> None:
    with pytest.raises(InvalidRegistration, match=why):
        check_schema(schema, "it")
