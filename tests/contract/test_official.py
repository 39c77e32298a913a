"""The check that every frame goes through: what it lets pass, and what it does not."""

from __future__ import annotations

import json
from typing import Any

import official
import pytest

Json = dict[str, Any]

META: Json = {
    "io.modelcontextprotocol/protocolVersion": official.MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def reply(result: object, ident: object = 1) -> bytes:
    return line({"jsonrpc": "2.0", "id": ident, "result": result})


@pytest.fixture
def watch() -> official.Watch:
    """A connection after a handshake, on which a legacy and a modern request are open."""
    found = official.Watch()
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    for message in (
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
        {"jsonrpc": "2.0", "id": "m", "method": "tools/list", "params": {"_meta": META}},
        {"jsonrpc": "2.0", "method": "ping"},
    ):
        found.sent(line(message))
        if message.get("id") == 0:
            info = {"name": "s", "version": "1"}
            found.came(reply({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}, 0))
    return found


MODERN_LIST: Json = {"tools": [], "resultType": "complete", "ttlMs": 1, "cacheScope": "public"}
RIGHT = (
    reply({"tools": []}),
    reply(MODERN_LIST, "m"),
    line({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "m"}}),
    line({"jsonrpc": "2.0", "error": {"code": -32700, "message": "m"}}),
    line({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}),
    line({"jsonrpc": "2.0", "id": "q", "method": "roots/list"}),
)
WRONG = (
    reply({"tools": []}).rstrip(),
    b"hello\n",
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":NaN}}\n',
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"\xff"}]}}\n',
    reply({"tools": []}, "1"),
    reply({"tools": []}, 2),
    reply({}),
    reply({"tools": [{"name": "x"}]}),
    reply({"tools": []}, "m"),
    reply(MODERN_LIST | {"ttlMs": -1}, "m"),
    reply(None),
    line({"id": 1, "result": {"tools": []}}),
    line({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "m"}}),
    line([{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}]),
    line({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "loud", "data": "x"}}),
    line({"jsonrpc": "2.0", "method": "notifications/unheard", "params": {}}),
    line({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "m"}}),
)


@pytest.mark.parametrize("came", RIGHT)
def test_what_the_models_allow_passes(watch: official.Watch, came: bytes) -> None:
    assert watch.came(came) == json.loads(came)


@pytest.mark.parametrize("came", WRONG)
def test_what_they_do_not_allow_is_noticed(watch: official.Watch, came: bytes) -> None:
    with pytest.raises((*official.FAULTS, ValueError)):
        watch.came(came)


def test_a_second_reply_is_noticed(watch: official.Watch) -> None:
    watch.came(RIGHT[0])
    with pytest.raises(AssertionError, match="nobody asked"):
        watch.came(RIGHT[0])


def test_the_official_schemas_are_at_hand() -> None:
    if not official.FOLDER:
        pytest.skip("PHOCINAE_TEST_SCHEMAS names no folder; frames are held to the SDK's models only")
    for revision in (*official.LEGACY, official.MODERN):
        for name in ("Tool", "InitializeResult" if revision != official.MODERN else "DiscoverResult"):
            assert official.validator(revision, name) is not None
