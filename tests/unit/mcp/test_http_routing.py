"""Which era an HTTP request belongs to, and every way in which its header can say something else than its body."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.catalog.tools import Done, Tool, ToolBox
from phocinae.mcp.http_routing import Legacy, Modern, parameters, route, unwrapped
from phocinae.mcp.http_rules import Fields
from phocinae.mcp.jsonrpc import ErrorCode, decode
from phocinae.mcp.revisions import LEGACY

Json = dict[str, Any]

NOW = "2026-07-28"
META: Json = {
    "io.modelcontextprotocol/protocolVersion": NOW,
    "io.modelcontextprotocol/clientCapabilities": {},
}
SCHEMA: Json = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
        "inner": {"type": "object", "properties": {"tenant": {"type": "string", "x-mcp-header": "Tenant"}}},
        "list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Never"}},
    },
}
TOOLS = ToolBox([Tool(name="fetch", title="f", description="f", input_schema=SCHEMA, run=lambda _arguments: Done({}))])


def fields(**headers: str | list[str] | None) -> Fields:
    pairs = [
        (name.replace("_", "-"), value)
        for name, values in headers.items()
        if values is not None
        for value in ([values] if isinstance(values, str) else values)
    ]
    return Fields((name.encode(), value.encode("latin-1")) for name, value in pairs)


def modern(method: str = "tools/list", params: Any = None, **meta: Any) -> Json:
    envelope = {name: value for name, value in (META | meta).items() if value is not None}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": envelope, **(params or {})}}


def routed(message: object, **headers: str | list[str] | None) -> Modern | Legacy:
    return route(decode(json.dumps(message).encode()), fields(**headers), TOOLS)


def code(way: Modern | Legacy) -> int | None:
    return None if way.refusal is None else int(way.refusal.code)


def headers(method: str = "tools/list", **more: str | list[str] | None) -> dict[str, str | list[str] | None]:
    return {"mcp_protocol_version": NOW, "mcp_method": method, **more}


# --- which era

PLAIN = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HANDSHAKE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
RESPONSE = {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("revision", LEGACY, ids=lambda revision: revision.date)
def test_a_header_that_names_a_handshake_revision_is_followed(revision: Any) -> None:
    for message in (PLAIN, NOTIFICATION, RESPONSE, [PLAIN], "x"):
        assert routed(message, mcp_protocol_version=revision.date) == Legacy(revision)


@pytest.mark.parametrize("message", [PLAIN, NOTIFICATION, RESPONSE, [PLAIN, NOTIFICATION], None])
def test_without_a_header_it_is_2025_03_26(message: object) -> None:
    assert routed(message) == Legacy(LEGACY[1])


@pytest.mark.parametrize("version", [None, NOW, "2025-03-26", "2031-01-01", "junk"])
def test_a_handshake_is_served_whatever_the_header_says(version: str | None) -> None:
    assert routed(HANDSHAKE, mcp_protocol_version=version, mcp_method="x") == Legacy(None)


def test_meta_of_other_kinds_makes_nothing_modern() -> None:
    for meta in ({"progressToken": 1}, {"io.modelcontextprotocol/related-task": {"taskId": "t"}}):
        assert isinstance(routed({**PLAIN, "params": {"_meta": meta}}), Legacy)


@pytest.mark.parametrize("version", ["2025-11-25", None])
def test_a_modern_request_is_modern_whatever_the_header_says(version: str | None) -> None:
    for message in (modern(), modern("initialize"), modern("server/discover")):
        way = routed(message, mcp_protocol_version=version, mcp_method=message["method"])
        assert isinstance(way, Modern)
        assert code(way) == ErrorCode.HEADER_MISMATCH
    assert code(routed({**PLAIN, "method": "server/discover"})) == ErrorCode.HEADER_MISMATCH


@pytest.mark.parametrize("version", [NOW, "2031-01-01", "junk", ""])
def test_any_other_header_means_a_modern_request(version: str) -> None:
    assert code(routed(PLAIN, mcp_protocol_version=version)) == ErrorCode.INVALID_PARAMS
    assert code(routed(RESPONSE, mcp_protocol_version=version)) == ErrorCode.INVALID_REQUEST
    assert code(routed([PLAIN], mcp_protocol_version=version)) == ErrorCode.INVALID_REQUEST
    assert code(routed("x", mcp_protocol_version=version)) == ErrorCode.INVALID_REQUEST


def test_a_notification_needs_no_method_but_a_version_that_is_served() -> None:
    assert routed(NOTIFICATION, mcp_protocol_version=NOW) == Modern()
    way = routed(NOTIFICATION, mcp_protocol_version="junk")
    assert way.refusal is not None
    assert way.refusal.data == {"supported": [NOW], "requested": "junk"}


# --- the ladder of a modern request


def test_what_fits_is_served() -> None:
    assert routed(modern(), **headers()) == Modern()
    assert routed(modern("no/such"), **headers("no/such")) == Modern()
    call = modern("tools/call", {"name": "gate", "arguments": {}})
    assert routed(call, **headers("tools/call", mcp_name="gate")) == Modern()
    reading = modern("resources/read", {"uri": "a:b"})
    assert routed(reading, **headers("resources/read", mcp_name="a:b")) == Modern()


@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
def test_what_is_missing_in_the_body_comes_before_what_differs(missing: str) -> None:
    absent: Json = {f"io.modelcontextprotocol/{missing}": None}
    half = modern(**absent)
    assert code(routed(half, **headers(mcp_method="x"))) == ErrorCode.INVALID_PARAMS


@pytest.mark.parametrize(("header", "body"), [(NOW, "2031-01-01"), ("2031-01-01", NOW), ("2025-11-25", NOW)])
def test_two_versions_that_differ_come_before_one_that_is_unknown(header: str, body: str) -> None:
    message = modern(**{"io.modelcontextprotocol/protocolVersion": body})
    assert code(routed(message, **headers(mcp_protocol_version=header))) == ErrorCode.HEADER_MISMATCH


def test_an_unknown_version_is_left_to_the_face() -> None:
    message = modern(**{"io.modelcontextprotocol/protocolVersion": "2031-01-01"})
    assert routed(message, mcp_protocol_version="2031-01-01", mcp_method="x") == Modern()


@pytest.mark.parametrize("method", [None, "tools/call", "TOOLS/LIST", "", "=?base64?dG9vbHMvbGlzdA==?="])
def test_the_method_is_that_of_the_body(method: str | None) -> None:
    assert code(routed(modern(), **headers(mcp_method=method))) == ErrorCode.HEADER_MISMATCH


@pytest.mark.parametrize("name", [None, "score", "GATE", "", "gate,gate", "=?base64?c2NvcmU=?="])
@pytest.mark.parametrize(
    ("method", "member"), [("tools/call", "name"), ("resources/read", "uri"), ("prompts/get", "name")]
)
def test_the_name_is_that_of_the_body(name: str | None, method: str, member: str) -> None:
    message = modern(method, {member: "gate"})
    assert code(routed(message, **headers(method, mcp_name=name))) == ErrorCode.HEADER_MISMATCH
    assert code(routed(message, **headers(method, mcp_name="gate"))) is None


@pytest.mark.parametrize("value", [7, None, ["gate"]])
def test_a_name_that_is_no_text_is_left_to_the_face(value: object) -> None:
    assert routed(modern("tools/call", {"name": value}), **headers("tools/call", mcp_name="7")) == Modern()


@pytest.mark.parametrize("name", ["mcp_protocol_version", "mcp_method", "mcp_name", "mcp_param_region"])
@pytest.mark.parametrize("message", [modern(), PLAIN, HANDSHAKE, NOTIFICATION, [PLAIN]])
def test_what_a_proxy_routes_by_stands_there_once(name: str, message: object) -> None:
    way = routed(message, **{**headers(), name: [NOW, NOW]})
    assert code(way) == ErrorCode.HEADER_MISMATCH


# --- the wrapper


def wrap(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@given(st.text())
def test_the_wrapper_holds_any_text(text: str) -> None:
    assert unwrapped(wrap(text)) == text


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)).filter(lambda text: not text.startswith("=?")))
def test_plain_text_is_literal(text: str) -> None:
    assert unwrapped(text) == text


@pytest.mark.parametrize(
    "value",
    [
        "=?base64?!!!?=",
        "=?base64?Z2F0ZQ?=",
        "=?base64?Z2F0ZR==?=",
        "=?base64?/w==?=",
        "=?base64?Z2F0 ZQ==?=",
        "g\xe4te",
        "\x01",
    ],
)
def test_what_is_no_value_stands_for_nothing(value: str) -> None:
    assert unwrapped(value) is None


@pytest.mark.parametrize("value", ["=?BASE64?Z2F0ZQ==?=", "=?base64?Z2F0ZQ==?x", "=?base64?Z2F0ZQ==", "a\tb"])
def test_what_only_looks_wrapped_is_literal(value: str) -> None:
    assert unwrapped(value) == value


# --- arguments


def test_the_arguments_with_a_header_are_those_that_properties_lead_to() -> None:
    assert list(parameters(SCHEMA)) == [
        ("Region", ("region",)),
        ("Count", ("count",)),
        ("Dry-Run", ("dry",)),
        ("Tenant", ("inner", "tenant")),
    ]


def called(arguments: object, **params: str | list[str]) -> int | None:
    message = modern("tools/call", {"name": "fetch", "arguments": arguments})
    return code(routed(message, **headers("tools/call", mcp_name="fetch", **params)))


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ({}, {}),
        ({"region": "eu"}, {"mcp_param_region": "eu"}),
        ({"region": "日本"}, {"mcp_param_region": wrap("日本")}),
        ({"region": None}, {}),
        ({"count": 42}, {"mcp_param_count": "042"}),
        ({"count": -1.0}, {"mcp_param_count": "-1"}),
        ({"dry": True}, {"mcp_param_dry_run": "true"}),
        ({"dry": False}, {"mcp_param_dry_run": "false"}),
        ({"inner": {"tenant": "t"}}, {"mcp_param_tenant": "t"}),
        ({"inner": "t"}, {}),
        ({}, {"mcp_param_other": "x"}),
        ([], {"mcp_param_region": "x"}),
    ],
)
def test_arguments_that_fit_their_headers(arguments: object, params: dict[str, str]) -> None:
    assert called(arguments, **params) is None


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ({"region": "eu"}, {}),
        ({"region": "eu"}, {"mcp_param_region": "EU"}),
        ({"region": "ä"}, {"mcp_param_region": "ä"}),
        ({}, {"mcp_param_region": ""}),
        ({"region": None}, {"mcp_param_region": "null"}),
        ({"count": 42}, {"mcp_param_count": "42.0"}),
        ({"count": 42}, {"mcp_param_count": "4_2"}),
        ({"count": 42}, {"mcp_param_count": "+42"}),
        ({"count": 1.5}, {"mcp_param_count": "1"}),
        ({"dry": True}, {"mcp_param_dry_run": "True"}),
        ({"dry": True}, {"mcp_param_dry_run": "1"}),
        ({"count": 1}, {"mcp_param_count": "true"}),
        ({"inner": {"tenant": "t"}}, {}),
        ({"region": ["eu"]}, {"mcp_param_region": "eu"}),
    ],
)
def test_arguments_that_do_not(arguments: Json, params: dict[str, str]) -> None:
    assert called(arguments, **params) == ErrorCode.HEADER_MISMATCH


def test_a_tool_that_does_not_exist_is_left_to_the_handlers() -> None:
    call = modern("tools/call", {"name": "none", "arguments": {"region": "eu"}})
    assert routed(call, **headers("tools/call", mcp_name="none")) == Modern()
