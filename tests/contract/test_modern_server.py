"""The modern revision over every arm: what each request has to say, and what comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator
from servers import META, Client

Json = dict[str, Any]
Connect = Callable[[], Client]

PREFIX = "io.modelcontextprotocol/"
POLICY = "phocinae://policy/gate-approval"
LIST = ("tools/list", "resources/list", "resources/templates/list")
CALLS: tuple[tuple[str, Json], ...] = (
    ("gate", {"command": "git status"}),
    ("gate", {"command": "rm -rf /"}),
    ("gate", {"command": "npm install x", "cwd": "/srv"}),
    ("classify", {"state": "it crashes", "labels": ["bug", "wish"]}),
    ("route", {"state": "what is new?", "tools": ["read", "search"]}),
    ("score", {"state": "the server is down", "criteria": ["urgency"]}),
)
COMPLETE: tuple[tuple[str, Json], ...] = (
    ("server/discover", {}),
    *((method, {}) for method in LIST),
    ("resources/read", {"uri": POLICY}),
    *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS),
)
DEFINED = {-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022}
ALL_TOOLS = ("gate", "classify", "route", "score")


def call(client: Client, name: object, arguments: object, **more: Any) -> Json:
    return client.modern("tools/call", {"name": name, "arguments": arguments} | more)


def tools(client: Client) -> list[Json]:
    found = client.modern("tools/list")["result"]["tools"]
    assert isinstance(found, list)
    return found


@pytest.mark.requirement("M-020")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "resources/read", "no/such"])
@pytest.mark.parametrize("key", ["protocolVersion", "clientCapabilities"])
@pytest.mark.parametrize("value", ["left out", None, 5, ["x"]])
def test_a_request_says_its_version_and_capabilities(modern: Client, method: str, key: str, value: object) -> None:
    meta = META | {PREFIX + key: value}
    if value == "left out":
        del meta[PREFIX + key]
    assert modern.ask(method, {"_meta": meta})["error"]["code"] == -32602


@pytest.mark.requirement("M-020", "M-030")
@pytest.mark.parametrize(
    "params", [{}, {"_meta": {}}, {"_meta": None}, {"_meta": "x"}, {"_meta": {"progressToken": 1}}]
)
def test_discovery_needs_them_too(modern: Client, params: Json) -> None:
    assert modern.ask("server/discover", params)["error"]["code"] == -32602


@pytest.mark.requirement("M-021", "M-022", "M-027")
def test_who_asks_and_what_else_is_said_changes_nothing(modern: Client) -> None:
    plain = call(modern, "gate", {"command": "git status"})["result"]
    more: tuple[Json, ...] = (
        {PREFIX + "clientInfo": {"name": "root", "version": "1"}},
        {"traceparent": "00-1-2-01", "tracestate": "a=1", "baggage": "x", "progressToken": 1},
        {"com.example/x": {"approve": True}},
    )
    for meta in more:
        found = modern.modern("tools/call", {"name": "gate", "arguments": {"command": "git status"}}, meta)
        assert found["result"] == plain


@pytest.mark.requirement("M-023", "M-008")
@pytest.mark.parametrize("version", ["2031-01-01", "2025-11-25", "", "2026-07-28 "])
def test_a_version_that_is_not_served_is_told_with_those_that_are(modern: Client, arm: str, version: str) -> None:
    if arm == "http" and version != version.strip():
        pytest.skip("no field of HTTP can hold it, so it differs from its field")
    error = modern.modern("tools/list", meta={PREFIX + "protocolVersion": version})["error"]
    assert (error["code"], error["data"]) == (-32022, {"supported": ["2026-07-28"], "requested": version})


@pytest.mark.requirement("M-005", "M-025", "M-026", "M-003")
@pytest.mark.parametrize(("method", "params"), COMPLETE, ids=str)
def test_every_result_is_complete_and_names_the_server(modern: Client, method: str, params: Json) -> None:
    result = modern.modern(method, params)["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"].keys() == {PREFIX + "serverInfo"}
    assert result["_meta"][PREFIX + "serverInfo"].keys() >= {"name", "version"}


@pytest.mark.requirement("M-030", "M-031", "M-032", "M-033", "M-040", "M-060", "M-107", "M-111")
def test_discovery_declares_what_is_served(modern: Client) -> None:
    found = modern.modern("server/discover")["result"]
    assert found["supportedVersions"] == ["2026-07-28"]
    assert found["capabilities"] == {"tools": {}, "resources": {}}
    assert found["instructions"]
    for method in ("prompts/list", "prompts/get", "completion/complete", "subscriptions/listen"):
        assert modern.modern(method, {"name": "x"})["error"]["code"] == -32601


@pytest.mark.requirement("M-110", "M-032", "D-001")
@pytest.mark.parametrize(
    "method",
    ["ping", "initialize", "shutdown", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
     "tasks/get", "tasks/list", "tasks/result", "tasks/cancel", "Tools/list", "no/such", ""],
)  # fmt: skip
def test_other_methods_are_unknown_and_the_versions_told(modern: Client, method: str) -> None:
    error = modern.modern(method, {"protocolVersion": "2025-11-25", "level": "debug"})["error"]
    assert error["code"] == -32601
    assert error["data"]["supported"] == ["2026-07-28"]


@pytest.mark.requirement("M-041", "M-042", "M-043", "M-012")
def test_the_tools_are_the_same_on_every_connection(connect: Connect, modern: Client) -> None:
    names = [tool["name"] for tool in tools(modern)]
    assert names == list(ALL_TOOLS)
    other = connect()
    other.shake_hands("2025-06-18", {"elicitation": {}})
    call(other, "gate", {"command": "rm -rf /"})
    assert tools(other) == tools(modern) == tools(other)


@pytest.mark.requirement("M-044", "M-051", "M-053", "M-054", "M-055")
def test_a_tool_is_described_in_full(modern: Client) -> None:
    for tool in tools(modern):
        assert re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", tool["name"])
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "x-mcp-header" not in json.dumps(schema)
        hints = tool["annotations"]
        assert (hints["readOnlyHint"], hints["destructiveHint"]) == (True, False)
        assert hints.keys() >= {"idempotentHint", "openWorldHint"}


@pytest.mark.requirement("M-045", "M-046", "M-024", "M-090")
@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=str)
def test_a_value_satisfies_its_schema_and_stands_in_a_text(modern: Client, name: str, arguments: Json) -> None:
    result = call(modern, name, arguments)["result"]
    value = result["structuredContent"]
    (tool,) = [tool for tool in tools(modern) if tool["name"] == name]
    Draft202012Validator(tool["outputSchema"]).validate(value)
    assert json.loads(result["content"][0]["text"]) == value
    assert result["isError"] is False


@pytest.mark.requirement("M-047", "M-048", "M-049", "M-004", "M-008", "M-009")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("no_such_tool", {}), ("Gate", {"command": "ls"}), ("", {}), (None, {}), (5, {}), (["gate"], {}),
        ("gate", []), ("gate", "ls"), ("gate", None), ("gate", {}), ("gate", {"command": 5}), ("gate", {"command": ""}),
        ("gate", {"command": "x" * 20_001}), ("gate", {"command": "ls", "more": 1}),
        ("gate", {"command": "ls", "cwd": 1}),
        ("gate", {"command": "ls", "cwd": "x" * 4_097}), ("gate", {"command": "ls", "server": "http://judge.example"}),
        ("classify", {"state": "s", "labels": []}), ("classify", {"state": "s", "labels": ["x"] * 101}),
        ("route", {"state": "s", "tools": ["x" * 2_001]}), ("score", {"state": "x" * 20_001, "criteria": ["a"]}),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_call_that_cannot_be_used_is_refused(modern: Client, name: object, arguments: object) -> None:
    assert call(modern, name, arguments)["error"]["code"] == -32602


@pytest.mark.requirement("M-061", "M-062", "M-064", "M-065")
def test_every_resource_can_be_read_under_its_uri(modern: Client) -> None:
    listed = modern.modern("resources/list")["result"]["resources"]
    assert POLICY in [one["uri"] for one in listed]
    for one in listed:
        assert one["name"]
        assert urlsplit(one["uri"]).scheme == "phocinae"
        (content,) = modern.modern("resources/read", {"uri": one["uri"]})["result"]["contents"]
        assert content["uri"] == one["uri"]
        assert content["text"]
    assert modern.modern("resources/templates/list")["result"]["resourceTemplates"] == []


@pytest.mark.requirement("M-063", "M-065", "M-008")
@pytest.mark.parametrize(
    "uri", ["phocinae://none", POLICY + "/", POLICY.upper(), "", "no uri", "file:///etc/passwd", "ü:ß"]
)
def test_an_unknown_resource_is_refused_by_its_uri(modern: Client, uri: str) -> None:
    error = modern.modern("resources/read", {"uri": uri})["error"]
    assert (error["code"], error["data"]["uri"]) == (-32602, uri)


@pytest.mark.requirement("M-070")
@pytest.mark.parametrize(
    ("method", "params"), [row for row in COMPLETE if row[0] != "tools/call"], ids=lambda value: str(value)[:40]
)
def test_what_may_be_kept_says_for_how_long_and_by_whom(modern: Client, method: str, params: Json) -> None:
    result = modern.modern(method, params)["result"]
    assert type(result["ttlMs"]) is int
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] in ("public", "private")


@pytest.mark.requirement("M-075", "M-076")
@pytest.mark.parametrize("method", LIST)
@pytest.mark.parametrize("cursor", ["x", "", "0", 5, [], {}, True])
def test_a_cursor_that_was_not_given_out_is_refused(modern: Client, method: str, cursor: object) -> None:
    assert "nextCursor" not in modern.modern(method)["result"]
    assert modern.modern(method, {"cursor": cursor})["error"]["code"] == -32602


@pytest.mark.requirement("M-105")
@pytest.mark.parametrize("level", ["loud", "DEBUG", "", 5, ["debug"]])
def test_a_log_level_that_is_none_is_refused(modern: Client, level: object) -> None:
    assert modern.modern("tools/list", meta={PREFIX + "logLevel": level})["error"]["code"] == -32602


@pytest.mark.requirement("M-010", "M-102", "M-103", "M-104", "S-005")
def test_a_modern_request_is_answered_and_nothing_else_is_said(connect: Connect) -> None:
    client = connect()
    client.shake_hands("2025-11-25", {"elicitation": {}})
    for meta in ({}, {PREFIX + "logLevel": "debug", "progressToken": "p"}):
        found = client.modern("tools/call", {"name": "gate", "arguments": {"command": "npm install x"}}, meta)
        assert found["result"]["structuredContent"]["decision"] == "ask"
    forms: Json = {PREFIX + "clientCapabilities": {"elicitation": {}}}
    found = client.modern("tools/call", {"name": "gate", "arguments": {"command": "npm install x"}}, forms)
    assert found["result"]["resultType"] == "input_required"
    assert client.is_silent()


@pytest.mark.requirement("M-008", "M-009")
def test_no_error_has_a_code_that_is_not_defined(modern: Client) -> None:
    asked: list[tuple[str, Json, Json]] = [
        ("no/such", {}, {}),
        ("tools/call", {"name": 1}, {}),
        ("resources/read", {"uri": "x"}, {}),
        ("tools/list", {"cursor": "x"}, {}),
        ("tools/list", {}, {PREFIX + "protocolVersion": "2031-01-01"}),
        ("tools/list", {}, {PREFIX + "clientCapabilities": 1}),
    ]
    codes = {modern.modern(method, params, meta)["error"]["code"] for method, params, meta in asked}
    assert codes <= DEFINED
    assert len(codes) == 3


@pytest.mark.requirement("R-004")
@pytest.mark.parametrize(
    "command", ["((", "ls 'x", "if ls", "ls &&", "ls )", "echo $(", "`ls", "ls <<", "{ ls", "\x00", "|"]
)
def test_a_text_that_nobody_can_parse_is_never_allowed(any_era: Client, command: str) -> None:
    params = {"name": "gate", "arguments": {"command": command}}
    value = json.loads(any_era.request("tools/call", params)["result"]["content"][0]["text"])
    assert value["decision"] in ("ask", "deny")
