"""Messages of any form, over every arm: what is answered, with which id and code, and what is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from servers import Client

Json = dict[str, Any]
Connect = Callable[[], Client]

IDS = (0, -1, 7, 2**53 + 1, 10**30, "", "1", "007", "名 😀 \u200f", "a\nb")
NO_IDS = ("null", "true", "1.0", "1.5", "[1]", '{"a":1}')


def refused(client: Client, line: bytes) -> tuple[int, object]:
    """Return the code of the error that a line gets, and its id, where ``no id`` stands for none."""
    client.write(line + b"\n")
    reply = client.read()
    assert "result" not in reply
    assert isinstance(reply["error"]["message"], str)
    return reply["error"]["code"], reply.get("id", "no id")


@pytest.mark.requirement("J-001", "J-002", "J-003", "J-004", "J-005", "M-007")
@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"',
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":-Infinity,"method":"ping"}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
    ],
    ids=lambda line: line[:40].decode("latin-1"),
)
def test_what_is_no_json_is_a_parse_error_without_an_id(any_era: Client, line: bytes) -> None:
    assert refused(any_era, line) == (-32700, "no id")
    assert any_era.is_silent()


@pytest.mark.requirement("J-010", "M-007")
@pytest.mark.parametrize("line", [b"null", b"5", b"-0.5", b'"ping"', b"true", b"{}"])
def test_json_that_is_no_message_is_an_invalid_request(any_era: Client, line: bytes) -> None:
    assert refused(any_era, line) == (-32600, "no id")


@pytest.mark.requirement("J-009", "J-010", "L-014")
@pytest.mark.parametrize("line", [b"[]", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b"[1]"])
def test_an_array_is_refused_outside_of_one_revision(any_era: Client, arm: str, line: bytes) -> None:
    if any_era.watch.agreed == "2025-03-26" or (arm == "http" and any_era.watch.agreed is None):
        line = b"[]"  # that revision has arrays, and over HTTP it is spoken where nothing is said
    code, _ = refused(any_era, line)
    assert code == -32600


@pytest.mark.requirement("J-006")
@pytest.mark.parametrize("part", [rb'"id":"\ud800"', rb'"id":1,"x":"\udc00"', rb'"id":1,"\ud83d":0'])
def test_half_of_a_pair_is_refused(any_era: Client, part: bytes) -> None:
    code, ident = refused(any_era, b'{"jsonrpc":"2.0","method":"ping",' + part + b"}")
    assert code == -32600
    assert ident in (1, "no id")


@pytest.mark.requirement("J-008", "M-007")
@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gate","arguments":{"command":"a","command":"b"}}}',
    ],
)
def test_a_key_that_stands_twice_is_refused(any_era: Client, line: bytes) -> None:
    assert refused(any_era, line) == (-32600, 1)


@pytest.mark.requirement("J-007", "M-003")
@pytest.mark.parametrize("ident", IDS, ids=repr)
def test_an_id_comes_back_as_it_is(any_era: Client, ident: object) -> None:
    for method in ("ping", "no/such"):
        reply = any_era.ask(method, ident=ident)
        assert (type(reply["id"]), reply["id"]) == (type(ident), ident)


@pytest.mark.requirement("J-007")
def test_a_number_that_nobody_can_read_is_answered(any_era: Client) -> None:
    assert refused(any_era, b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % (b"9" * 5000)) in (
        (-32700, "no id"),
        (-32600, "no id"),
    )


@pytest.mark.requirement("M-002", "J-007", "M-007")
@pytest.mark.parametrize("ident", NO_IDS)
def test_what_is_no_id_is_refused_and_not_repeated(any_era: Client, ident: str) -> None:
    line = b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % ident.encode()
    assert refused(any_era, line) == (-32600, "no id")


@pytest.mark.requirement("M-001", "M-013", "M-004")
@pytest.mark.parametrize(
    "message",
    [
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": 2.0, "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": None},
    ],
    ids=json.dumps,
)
def test_a_broken_envelope_is_refused_under_its_id(any_era: Client, message: Json) -> None:
    assert refused(any_era, json.dumps(message).encode()) == (-32600, 1)


@pytest.mark.requirement("M-014")
@pytest.mark.parametrize("params", [[], ["gate"], "gate", 1, True])
def test_parameters_are_an_object(any_era: Client, params: object) -> None:
    assert any_era.ask("tools/list", params)["error"]["code"] in (-32600, -32602)


@pytest.mark.requirement("M-006")
@pytest.mark.parametrize("method", ["tools/call", "tools/list", "ping", "server/discover", "initialize", "no/such"])
def test_a_message_without_an_id_is_never_answered(any_era: Client, method: str) -> None:
    any_era.write({"jsonrpc": "2.0", "method": method})
    any_era.write({"jsonrpc": "2.0", "method": method, "params": {"name": "gate", "arguments": {"command": "ls"}}})
    assert any_era.is_silent()


@pytest.mark.requirement("J-011", "M-011")
@pytest.mark.parametrize("part", [{"result": {}}, {"error": {"code": 1, "message": "m"}}, {"result": None}])
@pytest.mark.parametrize("ident", [1, "server:1", None])
def test_a_response_is_never_answered(any_era: Client, part: Json, ident: object) -> None:
    any_era.write({"jsonrpc": "2.0", "id": ident} | part)
    assert any_era.is_silent()


@pytest.mark.requirement("J-011")
def test_unknown_members_of_a_message_are_ignored(any_era: Client) -> None:
    any_era.write({"jsonrpc": "2.0", "id": 1, "method": "no/such", "x": [1], "é": None})
    assert any_era.read()["error"]["code"] == -32601


@pytest.mark.requirement("M-101")
@pytest.mark.parametrize("params", [{}, {"requestId": 99}, {"requestId": None}, {"requestId": []}, {"reason": "r"}])
def test_a_cancellation_of_nothing_is_ignored(any_era: Client, params: Json) -> None:
    any_era.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    assert any_era.is_silent()


@pytest.mark.requirement("L-011")
def test_an_id_that_comes_again_is_answered_again(any_era: Client) -> None:
    assert any_era.request("tools/list") == any_era.request("tools/list")
