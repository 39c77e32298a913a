"""The handshake revisions over every arm, and how requests of both eras are told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from official import LEGACY
from servers import META, Client

Json = dict[str, Any]
Connect = Callable[[], Client]

PREFIX = "io.modelcontextprotocol/"
POLICY = "phocinae://policy/gate-approval"
MODERN_MEMBERS = {"resultType", "ttlMs", "cacheScope", "inputRequests", "requestState"}
CALL: Json = {"name": "gate", "arguments": {"command": "git status"}}
ASK: Json = {"name": "gate", "arguments": {"command": "npm install x"}}


@pytest.mark.requirement("L-001", "L-002")
@pytest.mark.parametrize("version", LEGACY)
def test_a_handshake_tells_the_version_the_capabilities_and_the_server(connect: Connect, version: str) -> None:
    told = connect().shake_hands(version)["result"]
    assert told["protocolVersion"] == version
    assert told["capabilities"].keys() >= {"tools", "resources", "prompts", "logging"}
    assert told["serverInfo"].keys() >= {"name", "version"}
    assert told["instructions"]


@pytest.mark.requirement("L-003")
@pytest.mark.parametrize("version", ["2031-01-01", "2026-07-28", "2024-10-07", "", "1.0", "2025-11-25 "])
def test_for_any_other_version_the_newest_one_is_offered(connect: Connect, version: str) -> None:
    assert connect().shake_hands(version)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.requirement("L-034")
@pytest.mark.parametrize("params", [{}, {"protocolVersion": None}, {"protocolVersion": 20251125}])
def test_a_handshake_without_a_version_is_refused(connect: Connect, params: Json) -> None:
    client = connect()
    assert client.ask("initialize", params | {"capabilities": {}})["error"]["code"] == -32602
    assert client.ask("tools/list")["result"]["tools"]


@pytest.mark.requirement("L-006", "L-038", "D-004")
def test_before_any_handshake_the_first_revision_is_spoken(connect: Connect, arm: str) -> None:
    if arm == "http":
        pytest.skip("over HTTP it is 2025-03-26, as the pages on its header say")
    client = connect()
    assert client.ask("ping")["result"] == {}
    assert client.ask("shutdown")["result"] == {}
    (tool, *_) = client.ask("tools/list")["result"]["tools"]
    assert tool.keys() == {"name", "description", "inputSchema"}
    assert client.ask("tools/call", CALL)["result"].keys() == {"content", "isError"}
    assert client.ask("resources/list")["error"]["code"] == -32602  # read as modern, which says its version


@pytest.mark.requirement("L-006", "L-038")
def test_a_ping_and_a_shutdown_get_nothing(legacy: Client) -> None:
    assert legacy.ask("ping")["result"] == {}
    assert legacy.ask("shutdown")["result"] == {}


@pytest.mark.requirement("L-004", "L-005", "L-010")
def test_what_is_declared_is_served_without_modern_members(legacy: Client) -> None:
    asked: tuple[tuple[str, Json], ...] = (
        ("tools/list", {}), ("tools/call", CALL), ("tools/call", ASK), ("resources/list", {}),
        ("resources/templates/list", {}), ("resources/read", {"uri": POLICY}), ("prompts/list", {}),
    )  # fmt: skip
    for method, params in asked:
        assert not MODERN_MEMBERS & legacy.ask(method, params)["result"].keys()


@pytest.mark.requirement("L-005")
def test_a_state_and_answers_in_a_call_are_ignored(legacy: Client) -> None:
    approval = {"gate_confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    more = {"requestState": "x", "inputResponses": approval}
    assert legacy.ask("tools/call", ASK | more) == legacy.ask("tools/call", ASK)


@pytest.mark.requirement("L-017", "L-004", "L-015", "L-016", "M-053")
def test_a_tool_and_its_value_show_what_the_revision_knows(legacy: Client) -> None:
    at = LEGACY.index(str(legacy.watch.agreed))
    since = {"annotations": 1, "title": 2, "outputSchema": 2}
    known = {"name", "description", "inputSchema"} | {name for name, first in since.items() if at >= first}
    (tool, *_) = legacy.ask("tools/list")["result"]["tools"]
    assert tool.keys() == known
    result = legacy.ask("tools/call", CALL)["result"]
    assert ("structuredContent" in result) == (at >= 2)
    if at >= 2:
        assert tool["outputSchema"]["type"] == "object"
        Draft202012Validator(tool["outputSchema"]).validate(result["structuredContent"])
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.requirement("L-008", "L-009", "L-040", "L-023")
def test_what_is_unknown_has_the_codes_of_its_revision(legacy: Client) -> None:
    wrong = [{"name": "nope", "arguments": {}}, {"name": "gate", "arguments": {}}, {"name": "gate", "arguments": []}]
    assert {legacy.ask("tools/call", params)["error"]["code"] for params in wrong} == {-32602}
    for method in ("no/such", "server/x", "tasks/get", "tasks/list", "tasks/cancel", "subscriptions/listen"):
        assert legacy.ask(method)["error"]["code"] == -32601
    error = legacy.ask("resources/read", {"uri": "phocinae://none"})["error"]
    assert (error["code"], error["data"]) == (-32002, {"uri": "phocinae://none"})


@pytest.mark.requirement("L-023")
def test_a_task_that_is_asked_for_is_ignored(legacy: Client) -> None:
    assert legacy.ask("tools/call", CALL | {"task": {"ttl": 60_000}}) == legacy.ask("tools/call", CALL)


@pytest.mark.requirement("L-019")
def test_a_level_is_one_of_eight(legacy: Client) -> None:
    assert legacy.ask("logging/setLevel", {"level": "emergency"})["result"] == {}
    for level in ("loud", "", None, 3):
        assert legacy.ask("logging/setLevel", {"level": level})["error"]["code"] == -32602


@pytest.mark.requirement("L-012", "L-013")
def test_an_array_is_answered_with_one(connect: Connect) -> None:
    client = connect()
    client.shake_hands("2025-03-26")
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    ping: Json = {"jsonrpc": "2.0", "method": "ping"}
    client.write(
        [ping | {"id": 1}, ping, ping | {"id": "b"}, ping | {"id": 2, "method": "initialize", "params": hello}]
    )
    found = {reply["id"]: reply for reply in client.read()}
    assert found[1]["result"] == found["b"]["result"] == {}
    assert found[2]["error"]["code"] == -32600
    client.write([ping, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}])
    assert client.is_silent()


@pytest.mark.requirement("L-021", "M-094", "M-095", "M-096")
@pytest.mark.parametrize("version", LEGACY[2:])
def test_a_client_with_forms_is_asked_during_the_call(connect: Connect, version: str) -> None:
    client = connect()
    client.shake_hands(version, {"elicitation": {}})
    results: tuple[tuple[Json, str, str | None], ...] = (
        ({"action": "accept", "content": {"decision": "approve"}}, "allow", "approve"),
        ({"action": "accept", "content": {"decision": "reject"}}, "deny", "reject"),
        ({"action": "accept", "content": {}}, "deny", "reject"),
        ({"action": "accept"}, "deny", "reject"),
        ({"action": "decline"}, "deny", "decline"),
        ({"action": "cancel"}, "deny", "cancel"),
        ({"action": "Accept", "content": {"decision": "approve"}}, "ask", None),
    )
    for result, decision, action in results:
        client.write({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": ASK})
        question = client.read()
        assert question["method"] == "elicitation/create"
        client.write({"jsonrpc": "2.0", "id": question["id"], "result": result})
        value = client.read()["result"]["structuredContent"]
        assert (value["decision"], value.get("human_action")) == (decision, action)


UNABLE: tuple[Json, ...] = ({}, {"elicitation": None}, {"sampling": {}})
UNASKED: list[tuple[str, Json]] = [
    *((version, {"elicitation": {}}) for version in LEGACY[:2]),  # which know no elicitation
    *((version, capabilities) for version in LEGACY[2:] for capabilities in UNABLE),
    ("2025-11-25", {"elicitation": {"url": {}}}),  # before, there was the form only
]


@pytest.mark.requirement("L-021", "L-039")
@pytest.mark.parametrize(("version", "capabilities"), UNASKED, ids=str)
def test_nobody_else_is_asked(connect: Connect, version: str, capabilities: Json) -> None:
    client = connect()
    client.shake_hands(version, capabilities)
    value = json.loads(client.ask("tools/call", ASK)["result"]["content"][0]["text"])
    assert value["decision"] == "ask"


@pytest.mark.requirement("L-022", "S-011")
def test_a_question_is_over_when_its_call_is_cancelled(connect: Connect, arm: str) -> None:
    if arm == "http":
        pytest.skip("a posted cancellation could be anybody's, so nothing comes of it")
    client = connect()
    client.shake_hands("2025-11-25", {"elicitation": {}})
    client.write({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": ASK})
    question = client.read()
    client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
    approval = {"action": "accept", "content": {"decision": "approve"}}
    client.write({"jsonrpc": "2.0", "id": question["id"], "result": approval})
    client.write({"jsonrpc": "2.0", "id": 6, "method": "ping"})
    seen = client.read()
    while seen.get("method") == "notifications/cancelled":
        seen = client.read()
    assert seen == {"jsonrpc": "2.0", "id": 6, "result": {}}


@pytest.mark.requirement("D-001", "L-004")
@pytest.mark.parametrize("version", LEGACY)
def test_a_handshake_changes_no_modern_request(connect: Connect, version: str) -> None:
    client = connect()
    methods = ("server/discover", "tools/list", "resources/list", "ping")
    before = [client.modern(method) for method in methods]
    client.shake_hands(version)
    assert [client.modern(method) for method in methods] == before
    assert client.ask("ping")["result"] == {}
    assert client.modern("initialize", {"protocolVersion": "2025-06-18"})["error"]["code"] == -32601
    assert ("title" in client.ask("tools/list")["result"]["tools"][0]) == (version >= "2025-06-18")


@pytest.mark.requirement("D-002", "D-003")
@pytest.mark.parametrize(
    "meta",
    [{}, {"progressToken": 1}, {PREFIX + "related-task": {"taskId": "t"}}, {PREFIX + "serverInfo": {}},
     {PREFIX + "ProtocolVersion": "2026-07-28"}, {"protocolVersion": "2026-07-28"}],
    ids=str,
)  # fmt: skip
def test_other_members_of_meta_make_no_request_modern(legacy: Client, meta: Json) -> None:
    assert legacy.ask("ping", {"_meta": meta})["result"] == {}
    assert not MODERN_MEMBERS & legacy.ask("tools/list", {"_meta": meta})["result"].keys()


@pytest.mark.requirement("D-003")
@pytest.mark.parametrize("key", ["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"])
def test_one_of_four_keys_makes_a_request_modern(legacy: Client, key: str) -> None:
    error = legacy.ask("ping", {"_meta": {PREFIX + key: META.get(PREFIX + key, "debug")}})["error"]
    assert error["code"] == -32602


@pytest.mark.requirement("D-004", "L-009", "L-010")
def test_resources_are_of_the_handshake_once_there_was_one(connect: Connect) -> None:
    client = connect()
    assert client.modern("resources/read", {"uri": "phocinae://none"})["error"]["code"] == -32602
    client.shake_hands("2024-11-05")
    assert client.ask("resources/read", {"uri": "phocinae://none"})["error"]["code"] == -32002
    assert client.modern("resources/read", {"uri": "phocinae://none"})["error"]["code"] == -32602
