"""The faces with a handshake: each revision shows what it knows, and nothing of the modern era."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import validate_server_result

from phocinae.mcp.revisions import LEGACY

Ask = Callable[..., dict[str, Any]]
POLICY = "phocinae://policy/gate-approval"
VERSIONS = [revision.date for revision in LEGACY]
MODERN_ONLY = {"resultType", "ttlMs", "cacheScope", "inputRequests", "requestState", "_meta"}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_handshake_answers_in_the_revision_that_was_asked_for(shake_hands: Ask, version: str) -> None:
    result = shake_hands(version)["result"]
    validate_server_result("initialize", version, result)
    assert result["protocolVersion"] == version
    assert "gate" in result["instructions"]
    assert result["capabilities"].keys() == {"tools", "resources", "prompts", "logging"} | (
        set() if version == "2024-11-05" else {"completions"}
    )
    info = {"name", "version"}
    info |= {"title"} if version >= "2025-06-18" else set()
    info |= {"description"} if version >= "2025-11-25" else set()
    assert result["serverInfo"].keys() == info


@pytest.mark.parametrize("version", ["1999-01-01", "2099-01-01", "2026-07-28", ""])
def test_for_an_unknown_version_the_newest_one_is_offered(shake_hands: Ask, version: str) -> None:
    assert shake_hands(version)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("params", [{}, {"protocolVersion": 5}, {"protocolVersion": None}, {"capabilities": {}}])
def test_a_handshake_without_a_version_is_refused_and_changes_nothing(ask: Ask, params: dict[str, Any]) -> None:
    assert ask("initialize", params)["error"]["code"] == -32602
    assert "structuredContent" not in ask("tools/call", {"name": "wait"})["result"]


def test_a_handshake_needs_the_version_and_nothing_else(ask: Ask) -> None:
    assert ask("initialize", {"protocolVersion": "2025-06-18"})["result"]["protocolVersion"] == "2025-06-18"


def test_a_second_handshake_is_a_new_agreement(shake_hands: Ask, ask: Ask) -> None:
    shake_hands("2025-11-25")
    shake_hands("2024-11-05")
    assert "title" not in ask("tools/list")["result"]["tools"][0]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_tool_shows_what_the_revision_knows_of_it(shake_hands: Ask, ask: Ask, version: str) -> None:
    shake_hands(version)
    result = ask("tools/list", {})["result"]
    validate_server_result("tools/list", version, result)
    members = {"name", "description", "inputSchema"}
    members |= {"annotations"} if version >= "2025-03-26" else set()
    members |= {"title", "outputSchema"} if version >= "2025-06-18" else set()
    gate = result["tools"][0]
    assert gate["name"] == "gate"
    assert gate.keys() == members


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "extra", [{}, {"requestState": "a.b"}, {"task": {"ttl": 1000}}, {"_meta": {"progressToken": 1}}]
)
def test_a_call_gives_a_structured_value_where_there_are_any(
    shake_hands: Ask, ask: Ask, version: str, extra: dict[str, Any]
) -> None:
    shake_hands(version)
    result = ask("tools/call", {"name": "gate", "arguments": {"command": "ls"}} | extra)["result"]
    validate_server_result("tools/call", version, result)
    assert json.loads(result["content"][0]["text"])["decision"] == "allow"
    assert result.keys() == {"content", "isError"} | ({"structuredContent"} if version >= "2025-06-18" else set())


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("initialize", {"protocolVersion": "2025-06-18"}),
        ("tools/list", {}),
        ("tools/call", {"name": "gate", "arguments": {"command": "npm install x"}}),
        ("resources/list", {}),
        ("resources/read", {"uri": POLICY}),
        ("resources/templates/list", {}),
        ("prompts/list", {}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}),
        ("ping", {}),
    ],
)
def test_what_is_declared_is_served_and_nothing_modern_shows(
    shake_hands: Ask, ask: Ask, version: str, method: str, params: dict[str, Any]
) -> None:
    shake_hands(version)
    result = ask(method, params)["result"]
    validate_server_result(method, version, result)
    assert MODERN_ONLY.isdisjoint(result)


def test_a_ping_and_a_shutdown_are_answered_with_nothing(ask: Ask) -> None:
    assert ask("ping")["result"] == {}
    assert ask("shutdown", {})["result"] == {}


def test_there_are_no_prompts_and_no_completions(shake_hands: Ask, ask: Ask) -> None:
    shake_hands("2025-11-25")
    assert ask("prompts/list")["result"] == {"prompts": []}
    assert ask("prompts/get", {"name": "x"})["error"]["code"] == -32602
    wish = {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}
    assert ask("completion/complete", wish)["result"] == {"completion": {"values": [], "total": 0, "hasMore": False}}


@pytest.mark.parametrize(
    "method", ["no/such", "resources/unsubscribe", "resources/subscribe", "tasks/list", "tasks/get"]
)
def test_a_method_that_does_not_exist_is_refused_with_the_versions(shake_hands: Ask, ask: Ask, method: str) -> None:
    shake_hands("2025-11-25")
    error = ask(method, {})["error"]
    assert (error["code"], error["data"]) == (-32601, {"supported": VERSIONS, "supportedVersions": VERSIONS})


@pytest.mark.parametrize("version", VERSIONS)
def test_a_resource_that_is_not_there_has_a_code_of_its_own(shake_hands: Ask, ask: Ask, version: str) -> None:
    shake_hands(version)
    error = ask("resources/read", {"uri": "phocinae://none"})["error"]
    assert (error["code"], error["data"]) == (-32002, {"uri": "phocinae://none"})


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "zz", "arguments": {}}),
        ("tools/call", {"name": "gate", "arguments": {"command": ""}}),
        ("tools/list", {"cursor": "x"}),
        ("resources/list", {"cursor": "x"}),
        ("prompts/list", {"cursor": "x"}),
        ("resources/read", {}),
    ],
)
def test_parameters_that_cannot_be_used_are_refused(
    shake_hands: Ask, ask: Ask, method: str, params: dict[str, Any]
) -> None:
    shake_hands("2025-06-18")
    assert ask(method, params)["error"]["code"] == -32602


@pytest.mark.parametrize("version", VERSIONS)
def test_a_long_list_comes_in_pages(paged: Callable[..., dict[str, Any]], version: str) -> None:
    paged("initialize", {"protocolVersion": version})
    first = paged("tools/list", {})
    last = paged("tools/list", {"cursor": first["nextCursor"]})
    for page in (first, last):
        validate_server_result("tools/list", version, page)
        assert MODERN_ONLY.isdisjoint(page)
    names = [tool["name"] for tool in first["tools"] + last["tools"]]
    assert (len(first["tools"]), len(names), len(set(names))) == (50, 64, 64)
    assert "nextCursor" not in last
    assert paged("resources/list", {}).keys() == {"resources"}
