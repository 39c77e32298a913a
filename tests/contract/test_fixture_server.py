"""The official SDK's client meets everything that can be registered, on the server for the conformance suite."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

import conformance

SERVER = Path(__file__).resolve().parent.parent / "conformance" / "server.py"
MODES = ("2026-07-28", "legacy")
ROUNDS = "test_input_required_result_"

Talk = Callable[[Client], Awaitable[None]]
Hold = Callable[..., None]


async def person(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:  # noqa: ARG001  # the SDK passes it by name
    """Accept every form, with a value of the right type in each field."""
    assert isinstance(params, types.ElicitRequestFormParams)
    values: dict[str, Any] = {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": ["option1"]}
    fields = params.requested_schema["properties"]
    return types.ElicitResult(action="accept", content={name: values[field["type"]] for name, field in fields.items()})


async def model(context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:  # noqa: ARG001  # the SDK passes it by name
    """Say something."""
    assert params.max_tokens > 0
    return types.CreateMessageResult(role="assistant", content=types.TextContent(text="Paris"), model="none")


async def folders(context: Any) -> types.ListRootsResult:  # noqa: ARG001  # the SDK passes it by name
    """Name one folder."""
    return types.ListRootsResult(roots=[types.Root(uri="file:///srv")])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server over HTTP."""
    with conformance.serving() as address:
        yield address


@pytest.fixture(params=["stdio", "http"])
def talk(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Returns what lets the SDK hold a conversation in one mode, with a server of its own or over HTTP."""
    address = request.getfixturevalue("address") if request.param == "http" else None
    return lambda mode, conversation, **callbacks: hold(address, mode, conversation, **callbacks)


def hold(address: str | None, mode: str, conversation: Talk, **callbacks: Any) -> None:
    """Let the SDK agree on the era and hold `conversation`, with a server that it starts where there is no address."""

    async def session() -> None:
        server = StdioServerParameters(command=sys.executable, args=[str(SERVER)])
        async with Client(
            address or stdio_client(server),
            mode=mode,
            elicitation_callback=person,
            sampling_callback=model,
            list_roots_callback=folders,
            **callbacks,
        ) as client:
            await conversation(client)

    anyio.run(session)


async def text_of(client: Client, name: str, arguments: dict[str, Any] | None = None) -> str:
    """Return the first text of a result that is no failure."""
    result = await client.call_tool(name, arguments)
    assert result.is_error is False
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_blocks_of_every_kind_arrive(talk: Hold, mode: str) -> None:
    async def conversation(client: Client) -> None:
        first = (await client.list_tools()).tools[0]
        assert first.input_schema["properties"] == {}
        kinds = {
            "test_simple_text": ["text"],
            "test_image_content": ["image"],
            "test_audio_content": ["audio"],
            "test_embedded_resource": ["resource"],
            "test_multiple_content_types": ["text", "image", "resource"],
        }
        for name, expected in kinds.items():
            result = await client.call_tool(name)
            assert [block.type for block in result.content] == expected
        assert (await client.call_tool("test_error_handling")).is_error is True

    talk(mode, conversation)


@pytest.mark.parametrize("mode", MODES)
def test_progress_arrives_in_order(talk: Hold, mode: str) -> None:
    seen: list[tuple[float, float | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        assert message == f"Completed step {progress:g} of 100"
        seen.append((progress, total))

    async def conversation(client: Client) -> None:
        await client.call_tool("test_tool_with_progress", progress_callback=told)
        assert seen == [(0, 100), (50, 100), (100, 100)]

    talk(mode, conversation)


def test_log_lines_arrive_at_a_client_with_a_handshake(talk: Hold) -> None:
    lines: list[object] = []

    async def told(params: types.LoggingMessageNotificationParams) -> None:
        if params.logger == "handler":
            lines.append(params.data)

    async def conversation(client: Client) -> None:
        await client.call_tool("test_tool_with_logging")
        assert lines == ["Tool execution started", "Tool processing data", "Tool execution completed"]

    talk("legacy", conversation, logging_callback=told)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "arguments", "ending"),
    [
        ("test_sampling", {"prompt": "What?"}, "Paris"),
        ("test_elicitation", {"message": "Who?"}, "accept"),
        ("test_elicitation_sep1034_defaults", {}, "accept"),
        (f"{ROUNDS}elicitation", {}, "accept"),
        (f"{ROUNDS}sampling", {}, "Paris"),
        (f"{ROUNDS}list_roots", {}, "file:///srv"),
        (f"{ROUNDS}request_state", {}, "state-ok"),
        (f"{ROUNDS}multiple_inputs", {}, "Paris"),
        (f"{ROUNDS}multi_round", {}, "Both rounds are done."),
    ],
)
def test_what_a_tool_asks_for_is_answered(
    talk: Hold, mode: str, name: str, arguments: dict[str, Any], ending: str
) -> None:
    async def conversation(client: Client) -> None:
        assert ending in await text_of(client, name, arguments)

    talk(mode, conversation)


@pytest.mark.parametrize("mode", MODES)
def test_resources_and_templates_are_read(talk: Hold, mode: str) -> None:
    async def conversation(client: Client) -> None:
        (text,) = (await client.read_resource("test://static-text")).contents
        assert isinstance(text, types.TextResourceContents)
        (blob,) = (await client.read_resource("test://static-binary")).contents
        assert isinstance(blob, types.BlobResourceContents)
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "test://template/{id}/data"
        (data,) = (await client.read_resource("test://template/7/data")).contents
        assert isinstance(data, types.TextResourceContents)
        assert '"id": "7"' in data.text
        with pytest.raises(MCPError) as refusal:
            await client.read_resource("test://none")
        assert refusal.value.code == (-32602 if mode == "2026-07-28" else -32002)

    talk(mode, conversation)


@pytest.mark.parametrize("mode", MODES)
def test_prompts_are_written_and_completed(talk: Hold, mode: str) -> None:
    async def conversation(client: Client) -> None:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert names[:2] == ["test_simple_prompt", "test_prompt_with_arguments"]
        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
        assert isinstance(prompt.messages[0].content, types.TextContent)
        assert "arg1='one', arg2='two'" in prompt.messages[0].content.text
        asked = await client.get_prompt("test_input_required_result_prompt")
        assert isinstance(asked.messages[0].content, types.TextContent)
        assert "accept" in asked.messages[0].content.text
        reference = types.PromptReference(name="test_prompt_with_arguments")
        found = await client.complete(reference, {"name": "arg1", "value": "par"})
        assert found.completion.values == ["paris", "park", "party"]

    talk(mode, conversation)


def test_changes_are_listened_to(talk: Hold) -> None:
    async def conversation(client: Client) -> None:
        async with client.listen(
            tools_list_changed=True, resource_subscriptions=["test://watched-resource"]
        ) as changes:
            assert changes.honored.tools_list_changed is True
            await client.call_tool("test_trigger_tool_change")
            async for change in changes:
                assert "Tool" in type(change).__name__
                break

    talk("2026-07-28", conversation)


def test_the_revision_of_a_session_holds_whatever_served_one_a_field_names(address: str) -> None:
    port = urlsplit(address).port
    assert port is not None

    def post(method: str, params: dict[str, Any], **fields: str) -> tuple[Any, dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection.request(
            "POST", "/mcp", body, {"Content-Type": "application/json", "Accept": "application/json"} | fields
        )
        response = connection.getresponse()
        found = response.headers, json.loads(response.read())
        connection.close()
        return found

    about = {"name": "t", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    headers, _ = post("initialize", hello)
    session = {"Mcp-Session-Id": headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-03-26"}
    _, reply = post("prompts/list", {}, **session)
    assert reply["result"]["prompts"]
    _, reply = post("tools/call", {"name": "test_audio_content"}, **session)
    assert reply["result"]["content"][0]["type"] == "audio"
