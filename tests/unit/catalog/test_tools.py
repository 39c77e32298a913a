"""What makes a tool one that every client accepts, and the box that tools are found in."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae.catalog.tools import Annotations, Arguments, Done, Failed, Tool, ToolBox, ToolOutcome


def echo(arguments: Arguments) -> ToolOutcome:
    return Done(dict(arguments))


def tool(name: str = "echo", **more: Any) -> Tool:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    given: dict[str, Any] = {"name": name, "title": "t", "description": "d", "input_schema": schema, "run": echo}
    return Tool(**given | more)


@pytest.mark.parametrize("name", ["", "a b", "a/b", "name\n", "é", "x" * 65])
def test_a_name_that_clients_choke_on_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a name is 1 to 64"):
        tool(name)


@pytest.mark.parametrize("name", ["a", "Do_it-2", "a.b", "x" * 64])
def test_other_names_are_kept(name: str) -> None:
    assert tool(name).name == name


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"anyOf": [{"type": "object"}]}])
def test_a_schema_without_an_object_at_its_root_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match='needs "type": "object"'):
        tool(input_schema=schema)
    with pytest.raises(ValueError, match='needs "type": "object"'):
        tool(output_schema=schema)


def test_arguments_are_checked_against_the_schema() -> None:
    assert tool().misfit({"a": "x"}) is None
    assert tool().misfit({"a": 1}) == "a must be of type string"


def test_a_tool_needs_time_unless_it_says_otherwise_and_fails_when_it_is_given_up() -> None:
    assert tool().at_once({}) is None
    assert isinstance(tool().gave_up({}), Failed)


def test_hints_are_all_said() -> None:
    hints = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)
    assert hints.to_wire() == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_a_box_keeps_the_order_and_finds_exact_names() -> None:
    second, first = tool("second"), tool("first")
    box = ToolBox(iter([second, first]))
    assert box.tools == (second, first)
    assert box.find("first") is first
    assert box.find("First") is None


def test_a_box_refuses_a_name_twice() -> None:
    with pytest.raises(ValueError, match="same name"):
        ToolBox([tool(), tool()])
