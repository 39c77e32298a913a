"""The server that is put together offers the gate, the policy, and what it is given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from phocinae.catalog.resources import Resource
from phocinae.catalog.tools import Done, Tool
from phocinae.composition.server import build_server
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.service.gate import GateService
from phocinae.settings import VERSION, Settings


def judge(request: GateRequest) -> Verdict:
    return Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason=request.command)


OWN = ["phocinae://policy/gate-approval", "phocinae://policy/effective", "phocinae://manifest"]

GATE = GateService(offline=judge, policy="p7", clock=lambda: 0.0)


def tool(name: str) -> Tool:
    return Tool(
        name=name, title="t", description="d", input_schema={"type": "object"}, run=lambda arguments: Done(arguments)
    )


def resource(uri: str) -> Resource:
    return Resource(uri=uri, name="n", title="t", description="d", mime_type="text/plain", read=lambda: "text")


def ask(method: str, params: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": (params or {}) | {"_meta": envelope}}
    settings = options.pop("settings", Settings())
    (frame,) = build_server(settings, GATE, **options).open().receive(json.dumps(message).encode()).replies
    result = json.loads(frame)["result"]
    assert isinstance(result, dict)
    return result


def test_it_is_called_phocinae_unless_it_is_given_a_name() -> None:
    info = ask("server/discover")["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert (info["name"], info["version"]) == ("phocinae", VERSION)
    mine = ask("server/discover", name="mine", title="Mine", version="7", instructions="Do.")
    info = mine["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert (info["name"], info["title"], info["version"], mine["instructions"]) == ("mine", "Mine", "7", "Do.")


def test_what_is_extra_comes_after_what_is_built_in() -> None:
    tools = ask("tools/list", extra_tools=(tool("b"), tool("a")))["tools"]
    assert [entry["name"] for entry in tools] == ["gate", "classify", "route", "score", "b", "a"]
    resources = ask("resources/list", extra_resources=(resource("x:1"),))["resources"]
    assert [entry["uri"] for entry in resources] == [*OWN, "x:1"]


def test_the_policy_is_that_of_the_settings_and_the_gate() -> None:
    settings = Settings(fail_closed=Decision.ASK)
    page = ask("resources/read", {"uri": "phocinae://policy/gate-approval"}, settings=settings)["contents"][0]["text"]
    assert "`p7`" in page
    assert "Nobody decided: ask" in page


def test_the_configured_service_may_be_named_and_no_other() -> None:
    settings = Settings(server="http://127.0.0.1:7777")
    arguments = {"command": "ls", "server": "http://127.0.0.1:7777"}
    assert ask("tools/call", {"name": "gate", "arguments": arguments}, settings=settings)["isError"] is False
    with pytest.raises(KeyError, match="result"):
        ask("tools/call", {"name": "gate", "arguments": arguments})


@pytest.mark.parametrize(
    "extra", [{"extra_tools": (tool("gate"),)}, {"extra_resources": (resource("phocinae://policy/gate-approval"),)}]
)
def test_a_name_that_is_taken_is_refused(extra: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"two .* have the same"):
        build_server(Settings(), GATE, **extra)


def test_a_server_without_instructions_sends_none() -> None:
    assert "instructions" not in ask("server/discover", instructions="")
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    conversation = build_server(Settings(), GATE, instructions="").open()
    (frame,) = conversation.receive(json.dumps(greeting).encode()).replies
    assert "instructions" not in json.loads(frame)["result"]


def test_the_manifest_is_that_of_the_server() -> None:
    contents = ask("resources/read", {"uri": "phocinae://manifest"}, name="mine", extra_tools=(tool("a"),))["contents"]
    manifest = json.loads(contents[0]["text"])
    assert (manifest["name"], manifest["version"]) == ("mine", VERSION)
    assert manifest["revisions"] == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    assert [entry["name"] for entry in manifest["tools"]] == ["gate", "classify", "route", "score", "a"]
    assert [entry["uri"] for entry in manifest["resources"]] == OWN


@pytest.mark.parametrize(
    ("uri", "milliseconds", "scope"),
    [(uri, 60_000, "private") for uri in OWN],
)
def test_what_is_written_from_settings_is_for_one_user_and_a_minute(uri: str, milliseconds: int, scope: str) -> None:
    result = ask("resources/read", {"uri": uri})
    assert (result["ttlMs"], result["cacheScope"]) == (milliseconds, scope)
