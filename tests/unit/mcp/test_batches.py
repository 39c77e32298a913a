"""What may be part of a batch, and the one answer to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from phocinae.mcp.batches import Gathering, fit_for_batch
from phocinae.mcp.jsonrpc import BadFrame, ErrorCode, Message, Notification, Reply, Request, Response

ENVELOPE = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}


@pytest.mark.parametrize(
    "message",
    [
        Request(id=1, method="ping", params={}),
        Request(id=1, method="tools/call", params={"_meta": {"progressToken": 1}}),
        Notification("initialize", {}),
        Notification("notifications/x", ENVELOPE),
        Response(1),
    ],
)
def test_most_messages_can_be_part_of_a_batch(message: Message) -> None:
    assert fit_for_batch(message) is message


@pytest.mark.parametrize(
    ("method", "params"), [("initialize", {}), ("server/discover", {}), ("tools/list", ENVELOPE), ("ping", ENVELOPE)]
)
def test_what_must_stand_alone_is_refused_under_its_id(method: str, params: dict[str, Any]) -> None:
    found = fit_for_batch(Request(id="a", method=method, params=params))
    assert isinstance(found, BadFrame)
    assert (found.id, found.refusal.code) == ("a", ErrorCode.INVALID_REQUEST)


def test_replies_leave_together_with_the_last_one() -> None:
    gathering = Gathering(3)
    assert gathering.deliver(Reply(1, {})) is None
    assert gathering.deliver(None) is None
    frame = gathering.deliver(Reply("b", {}))
    assert frame is not None
    assert [reply["id"] for reply in json.loads(frame)] == [1, "b"]


def test_without_any_reply_nothing_leaves() -> None:
    gathering = Gathering(2)
    assert [gathering.deliver(None), gathering.deliver(None)] == [None, None]
