"""The official SDK's client talks to the real commands, in every era that it can be held to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import published
import pytest
from decision_service.process import RealService
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

import isolation

SCRIPTS = Path(sys.executable).parent
POLICY = "phocinae://policy/gate-approval"
MODES = ("2026-07-28", "legacy", "auto")

Talk = Callable[[Client], Awaitable[None]]


def talk(command: list[str], mode: str, conversation: Talk, /, person: Any = None, **environment: str) -> None:
    """Let the SDK start `command`, agree on the era, and hold `conversation`."""

    async def session() -> None:
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=environment)
        async with Client(stdio_client(parameters), mode=mode, elicitation_callback=person) as client:
            await conversation(client)

    anyio.run(session)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A place of its own for the decision log of a child process."""
    return {"PHOCINAE_AUDIT_FILE": str(tmp_path / "audit.jsonl")}


SERVE = [isolation.PROGRAM, "serve"]


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_listed(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["gate"].output_schema is not None
        assert tools["gate"].annotations is not None
        assert tools["gate"].annotations.read_only_hint is True
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")

    talk(SERVE, mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("command", "decision", "layer"),
    [("git status", "allow", "L0"), ("rm -rf /", "deny", "L0"), ("npm install x", "deny", "fail_closed")],
)
def test_the_gate_decides(mode: str, command: str, decision: str, layer: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": command})  # the client checks it against the output schema
        assert isinstance(result, types.CallToolResult)
        assert result.is_error is False
        value = result.structured_content
        assert value is not None
        assert (value["decision"], value["layer"]) == (decision, layer)
        assert isinstance(result.content[0], types.TextContent)
        assert json.loads(result.content[0].text) == value

    talk(SERVE, mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
def test_an_ask_comes_as_a_whole_result_with_a_text_for_the_person(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": "npm install x"})
        assert isinstance(result, types.CallToolResult)
        assert result.structured_content is not None
        assert result.structured_content["decision"] == "ask"
        assert isinstance(result.content[1], types.TextContent)
        assert "person" in result.content[1].text

    talk([*SERVE, "--fail-closed", "ask"], mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
def test_refusals_arrive_as_protocol_errors(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("no_such_tool", {}),
            ("gate", {}),
            ("gate", {"command": "x" * 20_001}),
            ("gate", {"command": "ls", "server": "http://judge.example"}),
        ]
        for name, arguments in calls:
            with pytest.raises(MCPError) as refusal:
                await client.call_tool(name, arguments)
            assert refusal.value.code == -32602

    talk(SERVE, mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
def test_the_resources_are_read(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        entries = (await client.list_resources()).resources
        assert [str(entry.uri) for entry in entries] == [POLICY, "phocinae://policy/effective", "phocinae://manifest"]
        assert (await client.list_resource_templates()).resource_templates == []
        for entry in entries:
            (page,) = (await client.read_resource(str(entry.uri))).contents
            assert isinstance(page, types.TextResourceContents)
            assert (page.uri, page.mime_type) == (entry.uri, entry.mime_type)
            if page.mime_type == "application/json":
                assert json.loads(page.text)
            else:
                assert page.text.startswith("# Approval policy")

    talk(SERVE, mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "arguments", "own"),
    [
        ("classify", {"state": "it crashes", "labels": ["bug", "wish"]}, {"choice": 0, "label": "bug"}),
        ("route", {"state": "what is new?", "tools": ["search", "read"]}, {"choice": 0, "tool": "search"}),
        ("score", {"state": "the server is down", "criteria": ["urgency"]}, {"score": 6, "range": [2, 10]}),
    ],
)
def test_the_service_is_asked(
    mode: str, name: str, arguments: dict[str, Any], own: dict[str, Any], environment: dict[str, str]
) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool(name, arguments)  # the client checks it against the output schema
        assert isinstance(result, types.CallToolResult)
        assert result.is_error is False
        assert result.structured_content == own | {"model": "mock", "engine": "mock", "truncated": False}
        assert isinstance(result.content[0], types.TextContent)
        assert json.loads(result.content[0].text) == result.structured_content

    talk([*SERVE, "--backend", "mock"], mode, conversation, **environment)


@pytest.mark.requirement("M-050")
@pytest.mark.parametrize("mode", MODES)
def test_a_service_that_is_not_there_is_a_result_that_says_so(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool("classify", {"state": "it crashes", "labels": ["bug", "wish"]})
        assert isinstance(result, types.CallToolResult)
        assert result.is_error is True
        assert result.structured_content is None
        (block,) = result.content
        assert isinstance(block, types.TextContent)
        assert block.text.startswith("classify has no answer: the decision service at http://127.0.0.1:9 ")

    talk([*SERVE, "--server", "http://127.0.0.1:9"], mode, conversation, **environment)


@pytest.mark.parametrize("mode", MODES)
def test_a_session_that_was_set_up_for_the_published_server_goes_on(mode: str, environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": "git status"})
        assert isinstance(result, types.CallToolResult)
        assert result.structured_content is not None
        assert result.structured_content["decision"] == "allow"

    command = [str(SCRIPTS / "phocinae-mcp"), "--server", "http://127.0.0.1:9", "--timeout", "1"]
    talk(command, mode, conversation, PHOCINAE_MCP_TRANSPORT="stdio", **environment)


def test_the_published_server_s_script_tells_its_version() -> None:
    done = subprocess.run([SCRIPTS / "phocinae-mcp", "--version"], capture_output=True, timeout=30, check=True)
    assert done.stdout.decode().startswith("phocinae-mcp ")
    assert done.stderr == b""


def test_the_decisions_are_recorded(environment: dict[str, str]) -> None:
    async def conversation(client: Client) -> None:
        await client.call_tool("gate", {"command": "git status"})

    talk(SERVE, "2026-07-28", conversation, **environment)
    (line,) = Path(environment["PHOCINAE_AUDIT_FILE"]).read_text(encoding="utf-8").splitlines()
    assert "git status" in line
    assert os.path.getsize(environment["PHOCINAE_AUDIT_FILE"]) == len(line.encode()) + 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("action", "content", "decision", "human_action"),
    [
        ("accept", {"decision": "approve"}, "allow", "approve"),
        ("accept", {"decision": "reject"}, "deny", "reject"),
        ("decline", None, "deny", "decline"),
        ("cancel", None, "deny", "cancel"),
    ],
)
def test_a_person_is_asked_in_every_era(
    mode: str, action: Any, content: Any, decision: str, human_action: str, environment: dict[str, str]
) -> None:
    asked = []

    async def person(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)

    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": "npm install x"})
        assert isinstance(result, types.CallToolResult)
        value = result.structured_content
        assert value is not None
        assert (value["decision"], value["layer"], value["human_action"]) == (decision, "human_approval", human_action)

    talk([*SERVE, "--fail-closed", "ask"], mode, conversation, person=person, **environment)
    (message,) = asked
    assert "npm install x" in message


@pytest.mark.requirement("M-045")
@pytest.mark.parametrize("extensions", [True, False])
@pytest.mark.parametrize("mode", MODES)
def test_all_four_tools_answer_over_the_published_routes(
    mode: str, extensions: bool, environment: dict[str, str]
) -> None:
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("gate", {"command": "npm install x"}, {"decision": "allow", "layer": "L1", "engine": "http", "score": 3}),
        ("classify", {"state": "it crashes", "labels": ["wish", "bug"]}, {"choice": 1, "label": "bug"}),
        ("route", {"state": "what is new?", "tools": ["read", "search"]}, {"choice": 1, "tool": "search"}),
        ("score", {"state": "the server is down", "criteria": ["urgency"]}, {"score": 3, "range": [2, 10]}),
    ]

    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, arguments, expected in calls:
            result = await client.call_tool(name, arguments)  # the client checks it against the output schema
            assert isinstance(result, types.CallToolResult)
            value = result.structured_content
            assert value is not None
            assert value == value | expected
            assert ("confidence" in value) == extensions
            output = tools[name].output_schema
            assert output is not None
            Draft202012Validator(output).validate(value)

    with RealService(published.interpreter("server"), extensions=extensions) as real:
        real.tell(noul=0.9, score=3, choice=1)
        talk([*SERVE, "--l1-enabled", "--server", real.url], mode, conversation, **environment)
