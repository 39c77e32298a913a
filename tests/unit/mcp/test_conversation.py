"""One connection: the era of each request, calls that wait, cancellation, batches, and faults that stay inside."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from phocinae.catalog.tools import Arguments, Done, Tool, ToolOutcome
from phocinae.mcp.conversation import Conversation, Server
from phocinae.mcp.jsonrpc import ErrorCode, Refusal
from phocinae.mcp.open_calls import Call
from phocinae.mcp.operations import Level

Ask = Callable[..., dict[str, Any]]
Send = Callable[[object], tuple[list[Any], tuple[Call, ...]]]
Lines = list[tuple[Level, str, "Level | None"]]


def waiting(ident: Any, method: str = "tools/call", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": {"name": "wait", **params}}


def cancelled(ident: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": ident}}


def read(frame: bytes | None) -> Any:
    return None if frame is None else json.loads(frame)


# Eras


def test_a_handshake_never_changes_how_a_modern_request_is_read(shake_hands: Ask, ask: Ask, modern: Ask) -> None:
    before = modern("tools/list"), modern("resources/list")
    shake_hands("2024-11-05")
    assert (modern("tools/list"), modern("resources/list")) == before
    assert ask("tools/list")["result"].keys() == {"tools"}
    assert modern("server/discover")["result"]["resultType"] == "complete"
    assert modern("initialize", {"protocolVersion": "2025-06-18"})["error"]["code"] == -32601
    assert "structuredContent" not in ask("tools/call", {"name": "wait"})["result"]


@pytest.mark.parametrize("method", ["tools/list", "ping"])
def test_without_a_handshake_the_first_revision_is_spoken(ask: Ask, method: str) -> None:
    assert "result" in ask(method)


def test_resources_are_modern_until_a_handshake_declares_them(ask: Ask, shake_hands: Ask) -> None:
    assert ask("resources/list")["error"]["code"] == -32602
    shake_hands("2024-11-05")
    assert "resources" in ask("resources/list")["result"]


def test_discovery_without_an_envelope_is_refused_as_modern(shake_hands: Ask, ask: Ask) -> None:
    shake_hands("2024-11-05")
    assert ask("server/discover")["error"]["code"] == -32602


def test_connections_know_nothing_of_each_other(server: Server, shake_hands: Ask) -> None:
    shake_hands("2025-11-25")
    step = server.open().receive(json.dumps(waiting(1)).encode())
    assert "structuredContent" not in read(step.calls[0].run())["result"]


@pytest.mark.parametrize(
    "method", ["tools/list", "tools/call", "ping", "no/such", "initialize", "notifications/initialized"]
)
@pytest.mark.parametrize("params", [{}, {"name": "gate", "arguments": {"command": "ls"}}, [1], None, "x"])
def test_a_message_without_an_id_is_never_answered(send: Send, method: str, params: object) -> None:
    assert send({"jsonrpc": "2.0", "method": method, "params": params}) == ([], ())


def test_a_response_is_never_answered(send: Send) -> None:
    assert send({"jsonrpc": "2.0", "id": 1, "result": {}}) == ([], ())
    assert send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "m"}}) == ([], ())


def test_a_bad_frame_is_answered_and_the_next_one_is_served(send: Send, ask: Ask) -> None:
    ((error,), _calls) = send(b"{]")
    assert error == {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error: not JSON"}}
    assert ask("ping")["result"] == {}


def test_a_transport_can_refuse_what_it_did_not_hand_over(conversation: Conversation) -> None:
    step = conversation.refuse(Refusal(ErrorCode.INVALID_REQUEST, "too long"))
    assert list(map(read, step.replies)) == [{"jsonrpc": "2.0", "error": {"code": -32600, "message": "too long"}}]


# Calls


def test_a_quick_tool_answers_at_once_and_a_slow_one_later(send: Send) -> None:
    quick = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "gate", "arguments": {"command": "ls"}},
    }
    assert len(send(quick)[0]) == 1
    replies, (call,) = send(waiting("slow", arguments={"for": 3}))
    assert replies == []
    assert call.is_open
    answer = read(call.run())
    assert answer["id"] == "slow"
    assert json.loads(answer["result"]["content"][0]["text"]) == {"waited": 3}
    assert not call.is_open


@pytest.mark.parametrize("first", ["run", "give_up", "cancel"])
@pytest.mark.parametrize("second", ["run", "give_up", "cancel"])
def test_one_of_three_has_the_last_word(send: Send, first: str, second: str) -> None:
    _replies, (call,) = send(waiting(1))
    answered = getattr(call, first)() is not None
    assert answered == (first != "cancel")
    assert getattr(call, second)() is None


def test_a_call_that_is_given_up_is_answered_in_the_place_of_its_tool(send: Send) -> None:
    _replies, (call,) = send(waiting(1))
    result = read(call.give_up())["result"]
    assert result["isError"] is True
    assert "stopping" in result["content"][0]["text"]


def test_a_call_that_is_cancelled_while_it_runs_stays_silent(
    server_with: Callable[..., Server], tool_called: Callable[..., Tool]
) -> None:
    def cancels_itself(_arguments: Arguments) -> ToolOutcome:
        connection.receive(json.dumps(cancelled(1)).encode())
        return Done({})

    connection = server_with(tool_called("wait", cancels_itself)).open()
    (call,) = connection.receive(json.dumps(waiting(1)).encode()).calls
    assert call.run() is None
    assert not call.is_open


def test_a_cancelled_call_is_not_answered(send: Send, ask: Ask) -> None:
    _replies, (call,) = send(waiting(7))
    assert send(cancelled(7)) == ([], ())
    assert call.run() is None
    assert send(cancelled(7)) == ([], ())
    assert ask("ping")["result"] == {}


@pytest.mark.parametrize("target", ["7", 7.0, True, None, [7], {"a": 7}, 8])
def test_a_cancellation_never_matches_another_id_or_another_type(send: Send, target: object) -> None:
    _replies, (call, *_) = send(waiting(7))
    _replies, (other,) = send(waiting(1))
    send(cancelled(target))
    assert [read(one.run())["id"] for one in (call, other)] == [7, 1]


def test_a_cancellation_without_parameters_is_ignored(send: Send) -> None:
    assert send({"jsonrpc": "2.0", "method": "notifications/cancelled"}) == ([], ())


def test_requests_with_the_same_id_are_both_answered_and_both_cancelled(send: Send) -> None:
    calls = [send(waiting(1, arguments={"for": length}))[1][0] for length in (1, 2)]
    assert [read(call.run())["id"] for call in calls] == [1, 1]
    calls = [send(waiting(1))[1][0] for _ in range(2)]
    send(cancelled(1))
    assert [call.run() for call in calls] == [None, None]


# Faults


def test_a_tool_that_raises_has_failed_and_tells_nothing(ask: Ask, lines: Lines) -> None:
    reply = ask("tools/call", {"name": "broken"})
    assert reply["result"]["isError"] is True
    assert "hunter2" not in json.dumps(reply)
    assert (Level.ERROR, "the tool broken failed: LookupError", None) in lines
    assert not any("hunter2" in message for _level, message, _threshold in lines)


def test_a_fault_of_the_server_is_an_internal_error_and_tells_nothing(shake_hands: Ask, ask: Ask, lines: Lines) -> None:
    shake_hands("2024-11-05")
    reply = ask("resources/read", {"uri": "test://broken"})
    assert reply["error"] == {"code": -32603, "message": "Internal error"}
    assert (Level.ERROR, "resources/read: internal error (OSError)", None) in lines


def test_a_result_that_is_no_json_is_an_internal_error(ask: Ask) -> None:
    assert ask("tools/call", {"name": "nan"})["error"]["code"] == -32603


# Batches, which exist in 2025-03-26 alone


def test_a_batch_is_answered_with_one_array(shake_hands: Ask, send: Send) -> None:
    shake_hands("2025-03-26")
    ((answers,), calls) = send(
        [
            {"jsonrpc": "2.0", "id": 1, "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/x"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            {"jsonrpc": "2.0", "id": 3, "result": {}},
            7,
        ]
    )
    assert calls == ()
    assert [answer.get("id") for answer in answers] == [1, 2, None]
    assert answers[2]["error"]["code"] == -32600


def test_a_batch_without_requests_is_not_answered(shake_hands: Ask, send: Send) -> None:
    shake_hands("2025-03-26")
    assert send([{"jsonrpc": "2.0", "method": "notifications/x"}]) == ([], ())


def test_a_batch_waits_for_its_slowest_call(shake_hands: Ask, send: Send) -> None:
    shake_hands("2025-03-26")
    replies, (first, second) = send([waiting(1), {"jsonrpc": "2.0", "id": 2, "method": "ping"}, waiting(3)])
    assert replies == []
    assert second.run() is None
    assert [answer["id"] for answer in read(first.run())] == [2, 3, 1]


def test_a_cancelled_member_is_left_out_and_completes_the_batch(shake_hands: Ask, send: Send) -> None:
    shake_hands("2025-03-26")
    _replies, (call,) = send([waiting(1), {"jsonrpc": "2.0", "id": 2, "method": "ping"}])
    ((answers,), _calls) = send(cancelled(1))
    assert [answer["id"] for answer in answers] == [2]
    assert call.run() is None


def test_a_batch_of_nothing_but_cancelled_calls_is_not_answered(shake_hands: Ask, send: Send) -> None:
    shake_hands("2025-03-26")
    send([waiting(1), waiting(2)])
    assert send(cancelled(1)) == ([], ())
    assert send(cancelled(2)) == ([], ())


@pytest.mark.parametrize(
    "member",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2024-11-05"}},
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover"},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/list",
            "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}},
        },
    ],
)
def test_what_must_stand_alone_is_refused_in_a_batch(shake_hands: Ask, send: Send, member: dict[str, Any]) -> None:
    shake_hands("2025-03-26")
    (((answer,),), _calls) = send([member])
    assert (answer["id"], answer["error"]["code"]) == (1, -32600)
    assert len(send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])[0]) == 1


@pytest.mark.parametrize("version", [None, "2024-11-05", "2025-06-18", "2025-11-25"])
def test_other_revisions_refuse_a_batch_as_a_whole(shake_hands: Ask, send: Send, version: str | None) -> None:
    if version:
        shake_hands(version)
    ((answer,), calls) = send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
    assert calls == ()
    assert (answer["error"]["code"], "id" in answer) == (-32600, False)
