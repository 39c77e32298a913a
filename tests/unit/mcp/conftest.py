"""A server on a judge that knows three commands, and a client that speaks to it in Python objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from phocinae.catalog.resources import Resource
from phocinae.catalog.tools import Arguments, Done, Failed, Tool, ToolOutcome
from phocinae.composition.server import build_server
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Undecided, Verdict
from phocinae.mcp.conversation import Conversation, Server
from phocinae.mcp.open_calls import Call
from phocinae.mcp.operations import Level
from phocinae.service.gate import GateService
from phocinae.settings import Settings

Json = dict[str, Any]
Lines = list[tuple[Level, str, "Level | None"]]

META: Json = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}

ANYTHING: Json = {"type": "object"}


def judge(request: GateRequest) -> Verdict | Undecided:
    """Allow ls, deny rm, and leave the rest open."""
    decision = {"ls": Decision.ALLOW, "rm": Decision.DENY}.get(request.command)
    if decision is None:
        return Undecided(reason="Nobody knows this command.", ceiling=Decision.ALLOW)
    return Verdict(decision=decision, layer=Layer.L0, reason="It is on the list.", policy="p1")


def gate_on(offline: Callable[[GateRequest], Verdict | Undecided] = judge, **options: Any) -> GateService:
    """Return a gate service on a judge of the tests."""
    return GateService(offline=offline, clock=lambda: 0.0, **options)


def make_tool(name: str, run: Callable[[Arguments], ToolOutcome], **more: Any) -> Tool:
    """Return a tool that takes anything and has to be waited for, unless `more` says otherwise."""
    return Tool(name=name, title=name, description=name, input_schema=ANYTHING, run=run, **more)


def broken(_arguments: Arguments) -> ToolOutcome:
    """Fail in a way that no tool should, with a secret in the text of the error."""
    raise LookupError("hunter2")


def unreadable() -> str:
    """Fail while a resource is read."""
    raise OSError("hunter2")


EXTRA_TOOLS = (
    make_tool("wait", lambda arguments: Done({"waited": arguments.get("for", 0)})),
    make_tool("fail", lambda _arguments: Failed("It is down.")),
    make_tool("broken", broken),
    make_tool("nan", lambda _arguments: Done({"value": float("nan")}), at_once=lambda _: Done({"value": float("nan")})),
)

EXTRA_RESOURCES = (
    Resource(uri="test://broken", name="broken", title="b", description="b", mime_type="text/plain", read=unreadable),
)


@pytest.fixture
def lines() -> Lines:
    """The log lines of the server."""
    return []


@pytest.fixture
def server_with(lines: Lines) -> Callable[..., Server]:
    """Returns a server with the gate and with tools of the test's own."""

    def log(level: Level, message: str, threshold: Level | None = None, /) -> None:
        lines.append((level, message, threshold))

    def server_with(*tools: Tool) -> Server:
        return build_server(
            Settings(), gate_on(), version="1.2.3", extra_tools=tools, extra_resources=EXTRA_RESOURCES, log=log
        )

    return server_with


@pytest.fixture
def tool_called() -> Callable[..., Tool]:
    """Returns a tool that takes anything and has to be waited for, unless the test says otherwise."""
    return make_tool


@pytest.fixture
def server(server_with: Callable[..., Server]) -> Server:
    """A server with the gate, tools that misbehave, and a resource that cannot be read."""
    return server_with(*EXTRA_TOOLS)


@pytest.fixture
def conversation(server: Server) -> Conversation:
    """A connection, before any handshake."""
    return server.open()


@pytest.fixture
def send(conversation: Conversation) -> Callable[[object], tuple[list[Any], tuple[Call, ...]]]:
    """Returns the replies to a message, and the calls that are left to run."""

    def send(message: object) -> tuple[list[Any], tuple[Call, ...]]:
        frame = message if isinstance(message, bytes) else json.dumps(message).encode()
        step = conversation.receive(frame)
        return [json.loads(reply) for reply in step.replies], step.calls

    return send


@pytest.fixture
def ask(send: Callable[[object], tuple[list[Any], tuple[Call, ...]]]) -> Callable[..., Json]:
    """Returns the one reply to a legacy request, running whatever call it leads to."""

    def ask(method: str, params: Json | None = None, ident: Any = 1) -> Json:
        message: Json = {"jsonrpc": "2.0", "id": ident, "method": method}
        if params is not None:
            message["params"] = params
        replies, calls = send(message)
        replies += [json.loads(frame) for call in calls if (frame := call.run()) is not None]
        (reply,) = replies
        assert isinstance(reply, dict)
        return reply

    return ask


@pytest.fixture
def modern(ask: Callable[..., Json]) -> Callable[..., Json]:
    """Returns the one reply to a modern request; `meta` changes its ``_meta``, where None takes a key out."""

    def modern(method: str, params: Json | None = None, meta: Json | None = None) -> Json:
        envelope = {key: value for key, value in (META | (meta or {})).items() if value is not None}
        return ask(method, {**(params or {}), "_meta": envelope})

    return modern


@pytest.fixture
def shake_hands(ask: Callable[..., Json]) -> Callable[[str], Json]:
    """Returns the reply to a handshake that asks for a version."""

    def shake_hands(version: str) -> Json:
        return ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {}})

    return shake_hands


@pytest.fixture
def paged(server_with: Callable[..., Server]) -> Callable[[str, Json], Json]:
    """Returns the result of a request to one connection with a server of 64 tools."""
    tools = [make_tool(f"tool_{number}", lambda _arguments: Done({})) for number in range(60)]
    connection = server_with(*tools).open()

    def paged(method: str, params: Json) -> Json:
        frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        (reply,) = connection.receive(frame).replies
        result = json.loads(reply)["result"]
        assert isinstance(result, dict)
        return result

    return paged
