"""The modern face: the ladder of refusals, and what every result carries."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import validate_server_result

from phocinae.mcp.operations import Level

Ask = Callable[..., dict[str, Any]]
PREFIX = "io.modelcontextprotocol/"
POLICY = "phocinae://policy/gate-approval"
ENVELOPE = {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {}}


def code(reply: dict[str, Any]) -> Any:
    assert ("error" in reply) != ("result" in reply)
    return reply.get("error", {}).get("code")


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"_meta": 5},
        {"_meta": {}},
        {"_meta": {PREFIX + "protocolVersion": "2026-07-28"}},
        {"_meta": {PREFIX + "clientCapabilities": {}}},
        {"_meta": {PREFIX + "protocolVersion": 20260728, PREFIX + "clientCapabilities": {}}},
        {"_meta": {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": []}},
        {"_meta": {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": None}},
    ],
)
def test_a_half_filled_envelope_is_refused(ask: Ask, params: dict[str, Any]) -> None:
    assert code(ask("server/discover", params)) == -32602


def test_who_the_client_is_may_be_left_out_and_changes_nothing(modern: Ask) -> None:
    lists = [modern("tools/list", meta={PREFIX + "clientInfo": info}) for info in (None, 7, {"name": "x"})]
    assert "result" in lists[0]
    assert lists[0] == lists[1] == lists[2]


@pytest.mark.parametrize("version", ["1900-01-01", "2025-11-25", "2024-11-05", ""])
def test_a_version_that_is_not_served_is_named_with_those_that_are(modern: Ask, version: str) -> None:
    reply = modern("tools/list", meta={PREFIX + "protocolVersion": version})
    assert reply["error"] == {
        "code": -32022,
        "message": "Unsupported protocol version",
        "data": {"supported": ["2026-07-28"], "requested": version},
    }
    assert reply["id"] == 1


@pytest.mark.parametrize("level", ["loud", "DEBUG", 5, ["debug"], {}])
def test_an_unknown_log_level_is_refused(modern: Ask, level: object) -> None:
    assert code(modern("tools/list", meta={PREFIX + "logLevel": level})) == -32602


def test_a_log_level_counts_for_its_own_request(modern: Ask, lines: list[tuple[Level, str, Level | None]]) -> None:
    modern("tools/list", meta={PREFIX + "logLevel": "debug"})
    modern("tools/list")
    assert lines == [
        (Level.DEBUG, "tools/list: answered", Level.DEBUG),
        (Level.DEBUG, "tools/list: answered", None),
    ]


@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        ("no/such", {}, [(Level.INFO, "no/such: refused (-32601)")]),
        ("tools/call", {"name": "zz"}, [(Level.INFO, "tools/call: refused (-32602)")]),
        (
            "tools/call",
            {"name": "broken"},
            [(Level.ERROR, "the tool broken failed: LookupError"), (Level.DEBUG, "tools/call: answered")],
        ),
        (
            "resources/read",
            {"uri": "test://broken"},
            [(Level.ERROR, "resources/read: internal error (OSError)")],
        ),
    ],
)
def test_a_log_level_counts_for_all_that_happens_to_its_request(
    modern: Ask,
    lines: list[tuple[Level, str, Level | None]],
    method: str,
    params: dict[str, Any],
    told: list[tuple[Level, str]],
) -> None:
    modern(method, params, meta={PREFIX + "logLevel": "notice"})
    assert lines == [(level, message, Level.NOTICE) for level, message in told]


def test_foreign_members_of_the_envelope_are_ignored(modern: Ask) -> None:
    meta = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "com.example/x": {"y": 1}}
    assert "result" in modern("tools/list", meta=meta | {"progressToken": "t1"})


@pytest.mark.parametrize(
    "method",
    [
        "ping",
        "initialize",
        "shutdown",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "tasks/get",
        "Tools/List",
        "no/such",
        "",
    ],
)
def test_a_method_that_does_not_exist_is_refused_with_the_versions(modern: Ask, method: str) -> None:
    error = modern(method)["error"]
    assert error["code"] == -32601
    assert error["data"] == {"supported": ["2026-07-28"], "supportedVersions": ["2026-07-28"]}


def test_a_method_is_repeated_in_printable_letters_and_cut(modern: Ask) -> None:
    message = modern("\x1b[31m\u202e" + "x" * 1000)["error"]["message"]
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 120


CACHED = {
    "server/discover": {},
    "tools/list": {},
    "resources/list": {},
    "resources/templates/list": {},
    "resources/read": {"uri": POLICY},
}


@pytest.mark.parametrize(("method", "params"), CACHED.items())
def test_what_may_be_kept_says_for_how_long(modern: Ask, method: str, params: dict[str, Any]) -> None:
    result = modern(method, params)["result"]
    validate_server_result(method, "2026-07-28", result)
    private = method == "resources/read"
    assert (result["ttlMs"], result["cacheScope"]) == ((60_000, "private") if private else (3_600_000, "public"))


@pytest.mark.parametrize(("method", "params"), [*CACHED.items(), ("tools/call", {"name": "wait"})])
def test_every_result_is_complete_and_names_the_server(modern: Ask, method: str, params: dict[str, Any]) -> None:
    result = modern(method, params)["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"][PREFIX + "serverInfo"] == {
        "name": "phocinae",
        "version": "1.2.3",
        "title": "phocinae command gate",
        "description": "Decides whether a shell command may run: allow, ask or deny, with the reason.",
    }


def test_discovery_declares_what_is_served(modern: Ask) -> None:
    result = modern("server/discover")["result"]
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["capabilities"] == {"tools": {}, "resources": {}}
    assert "gate" in result["instructions"]


def test_a_call_is_not_kept_and_repeats_its_value_as_text(modern: Ask) -> None:
    result = modern("tools/call", {"name": "gate", "arguments": {"command": "ls"}})["result"]
    validate_server_result("tools/call", "2026-07-28", result)
    assert result.keys() == {"content", "structuredContent", "isError", "resultType", "_meta"}
    assert [json.loads(block["text"]) for block in result["content"]] == [result["structuredContent"]]
    assert result["structuredContent"]["decision"] == "allow"


def test_a_failed_call_is_a_result_without_a_structured_value(modern: Ask) -> None:
    result = modern("tools/call", {"name": "fail"})["result"]
    assert (result["isError"], result["content"]) == (True, [{"type": "text", "text": "It is down."}])
    assert "structuredContent" not in result


@pytest.mark.parametrize(
    "params",
    [
        {"name": "no_such_tool"},
        {"name": "Gate"},
        {"arguments": {}},
        {"name": 7},
        {"name": None},
        {"name": "gate", "arguments": ["ls"]},
        {"name": "gate", "arguments": "ls"},
        {"name": "gate", "arguments": None},
        {"name": "gate"},
        {"name": "gate", "arguments": {"command": 5}},
        {"name": "gate", "arguments": {"command": "ls", "unknown": 1}},
        {"name": "gate", "arguments": {"command": "ls", "server": "http://127.0.0.1:9"}},
    ],
)
def test_a_call_that_cannot_be_used_is_refused(modern: Ask, params: dict[str, Any]) -> None:
    assert code(modern("tools/call", params)) == -32602


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "resources/templates/list"])
@pytest.mark.parametrize("cursor", ["no-such-cursor", "", 5, None])
def test_a_cursor_that_was_not_given_out_is_refused(modern: Ask, method: str, cursor: object) -> None:
    assert code(modern(method, {"cursor": cursor})) == -32602


@pytest.mark.requirement("M-071")
def test_a_long_list_comes_in_pages_of_one_scope(paged: Callable[..., dict[str, Any]]) -> None:
    first = paged("tools/list", {"_meta": ENVELOPE})
    assert (len(first["tools"]), first["ttlMs"], first["cacheScope"]) == (50, 3_600_000, "public")
    last = paged("tools/list", {"_meta": ENVELOPE, "cursor": first["nextCursor"]})
    assert (len(last["tools"]), last["ttlMs"], last["cacheScope"]) == (14, 3_600_000, "public")
    for page in (first, last):
        validate_server_result("tools/list", "2026-07-28", page)
    assert "nextCursor" not in last


def test_a_resource_that_is_not_there_is_refused_by_its_uri(modern: Ask) -> None:
    error = modern("resources/read", {"uri": "phocinae://policy/none"})["error"]
    assert (error["code"], error["data"]) == (-32602, {"uri": "phocinae://policy/none"})


@pytest.mark.parametrize("params", [{}, {"uri": 5}, {"uri": None}])
def test_a_resource_is_named_by_a_text(modern: Ask, params: dict[str, Any]) -> None:
    assert code(modern("resources/read", params)) == -32602
