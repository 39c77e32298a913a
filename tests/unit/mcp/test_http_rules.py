"""The rules of HTTP before any message: tables of who comes in, with what, and in which form an answer goes back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.mcp import http_rules as rules
from phocinae.mcp.http_rules import Admission, Fields, Form
from phocinae.mcp.jsonrpc import ErrorCode, Refusal, Reply


def fields(*pairs: tuple[str, str]) -> Fields:
    return Fields((name.encode(), value.encode("latin-1")) for name, value in pairs)


OPEN = Admission()
BEHIND_A_PROXY = Admission(hosts=frozenset({"gate.example"}))
LISTED = "https://tools.example:8443"
SHARED = Admission(origins=frozenset({LISTED}))
KEPT = Admission(token="s3cret")


def test_fields_are_found_in_any_case_and_without_blanks_around_them() -> None:
    found = fields(("Mcp-Name", " \tgate \t"), ("MCP-NAME", "x"), ("other", ""))
    assert found.all("mcp-name") == ["gate", "x"]
    assert found.first("mcp-name") == "gate"
    assert found.repeated("mcp-name")
    assert not found.repeated("other")
    assert (found.first("none"), found.all("none")) == (None, [])
    assert found.names("mcp-") == ["mcp-name"]


OURS = ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:8255", "LOCALHOST:1", "[::1]:65535"]
FOREIGN = [
    "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:8255", "localhost.", "127.0.0.1:",
    "127.0.0.2", "127.1", "0.0.0.0", "2130706433", "0x7f.0.0.1", "::1", "[::1", "[::2]", "[::ffff:127.0.0.1]", "",
    "localhost:80:80", "localhost:x", "localhost/", "user@localhost", "localhost, evil.example", "gate.example",
    "localhost\x00", "xlocalhost", "localhost:123456",
]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_names_of_this_machine_come_in(host: str) -> None:
    assert OPEN.refusal(fields(("host", host))) is None
    assert OPEN.refusal(fields(("host", "localhost"), ("origin", f"http://{host}"))) is None
    assert OPEN.refusal(fields(("host", "localhost"), ("origin", f"https://{host}"))) is None


@pytest.mark.parametrize("host", FOREIGN)
def test_any_other_name_stays_outside(host: str) -> None:
    refusal = OPEN.refusal(fields(("host", host)))
    assert refusal is not None
    assert refusal.status == 403
    refusal = OPEN.refusal(fields(("host", "localhost"), ("origin", f"http://{host}")))
    assert refusal is not None
    assert refusal.status == 403


@pytest.mark.parametrize(
    "origin", ["null", "", "file://", "localhost", "ftp://localhost", "http://localhost/x", "http://localhost http://a"]
)
def test_what_is_no_origin_of_this_machine_stays_outside(origin: str) -> None:
    assert OPEN.refusal(fields(("host", "localhost"), ("origin", origin))) is not None


def test_host_and_origin_stand_there_once() -> None:
    twice = ("host", "localhost")
    assert OPEN.refusal(fields()) is not None
    assert OPEN.refusal(fields(twice, twice)) is not None
    origin = ("origin", "http://localhost")
    assert OPEN.refusal(fields(twice, origin)) is None
    assert OPEN.refusal(fields(twice, origin, origin)) is not None


def test_a_proxy_has_its_own_name() -> None:
    for host in ("gate.example", "Gate.Example:443"):
        assert BEHIND_A_PROXY.refusal(fields(("host", host), ("origin", f"https://{host}"))) is None
        assert OPEN.refusal(fields(("host", host))) is not None
    assert BEHIND_A_PROXY.refusal(fields(("host", "x.gate.example"))) is not None
    assert BEHIND_A_PROXY.refusal(fields(("host", "localhost"))) is None


@given(st.text(max_size=30))
def test_no_text_but_ours_is_a_name_of_this_machine(host: str) -> None:
    name = host.lower().rpartition(":")[0] or host.lower()
    if OPEN.refusal(Fields([(b"host", host.encode("latin-1", "replace"))])) is None:
        assert name.strip(" \t") in rules.LOOPBACK_NAMES or host.lower().strip(" \t") in rules.LOOPBACK_NAMES


# --- the token


@pytest.mark.parametrize("given", ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret"])
def test_the_token_opens(given: str) -> None:
    assert KEPT.unauthorized(fields(("authorization", given))) is None


@pytest.mark.parametrize(
    "given", ["Bearer", "Bearer ", "s3cret", "Basic s3cret", "Bearer s3cre", "Bearer s3crett", "Bearer S3CRET", "\xe9"]
)
def test_another_token_does_not(given: str) -> None:
    refusal = KEPT.unauthorized(fields(("authorization", given)))
    assert refusal is not None
    assert refusal.status == 401
    assert refusal.headers == (("www-authenticate", 'Bearer realm="phocinae", error="invalid_token"'),)


def test_no_token_at_all_is_asked_for_one() -> None:
    refusal = KEPT.unauthorized(fields())
    assert refusal is not None
    assert refusal.headers == (("www-authenticate", 'Bearer realm="phocinae"'),)
    twice = ("authorization", "Bearer s3cret")
    assert KEPT.unauthorized(fields(twice, twice)) is not None
    assert OPEN.unauthorized(fields()) is None


def test_the_token_is_in_no_repr() -> None:
    assert "s3cret" not in repr(KEPT)


# --- pages of other origins


def test_a_listed_origin_comes_in_and_may_read() -> None:
    asked = fields(("host", "localhost"), ("origin", LISTED))
    assert SHARED.refusal(asked) is None
    assert OPEN.refusal(asked) is not None
    assert dict(SHARED.shared_with(asked))["access-control-allow-origin"] == LISTED
    assert dict(SHARED.shared_with(asked))["vary"] == "Origin"


@pytest.mark.parametrize("origin", ["https://tools.example", "https://tools.example:8444", LISTED.upper()])
def test_an_origin_is_compared_as_it_is(origin: str) -> None:
    asked = fields(("host", "localhost"), ("origin", origin))
    assert SHARED.refusal(asked) is not None
    assert SHARED.shared_with(asked) == (("vary", "Origin"),)


def test_without_origins_nothing_is_shared() -> None:
    asked = fields(("host", "localhost"), ("origin", "http://localhost:3000"))
    assert OPEN.shared_with(asked) == ()
    assert OPEN.preflight(asked) is None


def test_a_preflight_is_told_what_it_may_send() -> None:
    wanted = "Content-Type, mcp-method, Mcp-Param-Region, X-Evil, mcp-param-\xe9"
    asked = fields(
        ("origin", LISTED), ("access-control-request-method", "POST"), ("access-control-request-headers", wanted)
    )
    allowed = dict(SHARED.preflight(asked) or ())
    assert allowed["access-control-allow-origin"] == LISTED
    assert allowed["access-control-allow-methods"] == "POST, DELETE"
    assert allowed["access-control-allow-headers"] == "content-type, mcp-method, mcp-param-region"
    assert SHARED.preflight(fields(("origin", LISTED))) is None
    assert SHARED.preflight(fields(("origin", "https://x"), ("access-control-request-method", "POST"))) is None


# --- methods, lengths, types


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "post"])
def test_messages_come_by_post(method: str) -> None:
    refusal = rules.wrong_method(method, OPEN)
    assert refusal is not None
    assert (refusal.status, refusal.headers) == (405, (("allow", "POST"),))
    assert rules.wrong_method("POST", OPEN) is None
    assert dict((rules.wrong_method(method, SHARED) or refusal).headers)["allow"] == "POST, OPTIONS"
    assert dict((rules.wrong_method(method, OPEN, sessions=True) or refusal).headers)["allow"] == "POST, DELETE"


@pytest.mark.parametrize(
    ("pairs", "version", "status"),
    [
        ([], "1.1", None),
        ([("content-length", "0")], "1.1", None),
        ([("content-length", "100")], "1.0", None),
        ([("content-length", "101")], "1.1", 413),
        ([("content-length", "9" * 18)], "1.1", 413),
        ([("content-length", "9" * 40)], "1.1", 400),
        ([("content-length", "+7")], "1.1", 400),
        ([("content-length", "-1")], "1.1", 400),
        ([("content-length", "7, 7")], "1.1", 400),
        ([("content-length", "7"), ("content-length", "7")], "1.1", 400),
        ([("content-length", "\xb2")], "1.1", 400),
        ([("transfer-encoding", "chunked")], "1.1", None),
        ([("transfer-encoding", "chunked")], "1.0", 400),
        ([("transfer-encoding", "chunked"), ("content-length", "7")], "1.1", 400),
        ([("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")], "1.1", 400),
    ],
)
def test_a_length_is_certain_and_within_the_limit(pairs: list[tuple[str, str]], version: str, status: int) -> None:
    refusal = rules.misframed(fields(*pairs), version, 100)
    assert (refusal and refusal.status) == status


@pytest.mark.parametrize(
    ("pairs", "body"),
    [
        ([], False),
        ([("content-length", "0")], False),
        ([("content-length", "2")], True),
        ([("transfer-encoding", "chunked")], True),
    ],
)
def test_a_body_announces_itself(pairs: list[tuple[str, str]], body: bool) -> None:
    assert rules.has_body(fields(*pairs)) is body


JSON_TYPES = [
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
]
OTHER_TYPES = [
    "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json-rpc",
    "application/json, text/plain", "text/plain; application/json", "application/json; charset=latin-1", "*/*",
]  # fmt: skip


@pytest.mark.parametrize("kind", JSON_TYPES)
def test_json_is_taken(kind: str) -> None:
    assert rules.not_json(fields(("content-type", kind))) is None
    assert rules.not_json(fields(("content-type", kind), ("content-encoding", "identity"))) is None


@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_what_a_page_may_send_unasked_is_not(kind: str) -> None:
    refusal = rules.not_json(fields(("content-type", kind)))
    assert refusal is not None
    assert refusal.status == 415


def test_the_type_stands_there_once_and_is_not_compressed() -> None:
    kind = ("content-type", "application/json")
    assert rules.not_json(fields()) is not None
    assert rules.not_json(fields(kind, kind)) is not None
    assert rules.not_json(fields(kind, ("content-encoding", "gzip"))) is not None


# --- the form of an answer

BOTH = frozenset(Form)
NEITHER: frozenset[Form] = frozenset()
JSON, EVENTS = frozenset({Form.JSON}), frozenset({Form.EVENTS})


@pytest.mark.parametrize(
    ("accepts", "forms"),
    [
        ([], BOTH),
        ([""], BOTH),
        (["application/json, text/event-stream"], BOTH),
        (["text/event-stream,application/json"], BOTH),
        (["application/json", "text/event-stream"], BOTH),
        (["*/*"], BOTH),
        (["APPLICATION/JSON"], JSON),
        (["application/*"], JSON),
        (["text/event-stream"], EVENTS),
        (["text/*"], EVENTS),
        (["text/html"], NEITHER),
        (["text/html, */*;q=0.1"], BOTH),
        (["application/json;q=0, */*"], EVENTS),
        (["application/json;q=0.0"], NEITHER),
        (["*/*;q=0, text/event-stream"], EVENTS),
        (["application/*;q=0, application/json;q=0.3"], JSON),
        (["application/json; q=1.000; x=y , text/html"], JSON),
        (["application/json;q=nonsense"], NEITHER),
        (["application/json;q=2"], NEITHER),
        (["application/jsonx, text"], NEITHER),
    ],
)
def test_the_answer_comes_in_a_form_that_the_client_takes(accepts: list[str], forms: frozenset[Form]) -> None:
    assert rules.forms(fields(*(("accept", text) for text in accepts))) == forms


@pytest.mark.parametrize(
    ("code", "modern", "legacy"),
    [
        (ErrorCode.PARSE_ERROR, 400, 400),
        (ErrorCode.INVALID_REQUEST, 400, 400),
        (ErrorCode.METHOD_NOT_FOUND, 404, 200),
        (ErrorCode.INVALID_PARAMS, 400, 200),
        (ErrorCode.INTERNAL_ERROR, 500, 200),
        (ErrorCode.HEADER_MISMATCH, 400, 400),
        (ErrorCode.MISSING_CAPABILITY, 400, 200),
        (ErrorCode.UNSUPPORTED_VERSION, 400, 200),
        (ErrorCode.RESOURCE_NOT_FOUND, 400, 200),
    ],
)
def test_the_status_tells_the_kind_of_an_error(code: ErrorCode, modern: int, legacy: int) -> None:
    reply = Reply(1, Refusal(code, "x"))
    assert (rules.status_of(reply, modern=True), rules.status_of(reply, modern=False)) == (modern, legacy)
    assert rules.status_of(Reply(1, {}), modern=True) == rules.status_of(Reply(1, {}), modern=False) == 200


def test_a_refusal_is_a_json_rpc_error_without_an_id() -> None:
    body = json.loads(rules.too_large(100).body())
    assert body == {"jsonrpc": "2.0", "error": {"code": -32600, "message": rules.too_large(100).message}}


def test_an_event_holds_one_frame() -> None:
    assert rules.event(b'{"id":1}') == b'event: message\ndata: {"id":1}\n\n'
