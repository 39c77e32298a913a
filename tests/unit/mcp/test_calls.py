"""Interrupted calls of the modern era: what is asked for, what comes back to the tool, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import validate_server_result

from phocinae.catalog.tools import (
    Arguments,
    Done,
    Failed,
    InputKind,
    InputRequest,
    NeedsInput,
    OnBadState,
    Replies,
    Tool,
    ToolOutcome,
)
from phocinae.domain.sealing import RoundCall
from phocinae.mcp.conversation import Server
from phocinae.mcp.handlers import LOCAL
from phocinae.mcp.operations import Level

Json = dict[str, Any]
Answer = Callable[..., Json]

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
EVERYTHING: Json = {"elicitation": {}, "sampling": {}, "roots": {}}
SCHEMA: Json = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
SAMPLE: Json = {"messages": [{"role": "user", "content": {"type": "text", "text": "?"}}], "maxTokens": 5}
NAME = InputRequest.form("name", "Your name?", SCHEMA)
REQUESTS = (NAME, InputRequest("model", InputKind.SAMPLING, SAMPLE), InputRequest("roots", InputKind.ROOTS))


def ask_all(_arguments: Arguments) -> ToolOutcome:
    return NeedsInput(requests=REQUESTS, state={"asked": "all", "deep": [1, {"ü": None}]})


def tell(arguments: Arguments, replies: Replies, state: Json) -> ToolOutcome:
    return Done({"arguments": arguments, "replies": replies, "state": state})


def count(arguments: Arguments, _replies: Replies, state: Json) -> ToolOutcome:
    """Ask as often as the arguments say."""
    if state["round"] >= arguments["rounds"]:
        return Done({"rounds": state["round"]})
    return NeedsInput(requests=(NAME,), state={"round": state["round"] + 1})


def broken(_arguments: Arguments, _replies: Replies, _state: Json) -> ToolOutcome:
    raise LookupError("hunter2")


def nested(levels: int) -> Json:
    """Return an object with as many others in each other."""
    state: Json = {}
    for _ in range(levels):
        state = {"in": state}
    return state


TOOLS: dict[str, Json] = {
    "all": {"run": ask_all, "resume": tell},
    "gentle": {"run": ask_all, "resume": tell, "on_bad_state": OnBadState.ASK_AGAIN},
    "count": {"run": lambda arguments: count(arguments, {}, {"round": 0}), "resume": count},
    "quick": {"run": tell, "at_once": ask_all, "resume": tell},
    "form": {"run": lambda _: NeedsInput(requests=(NAME,), unasked=Done({"asked": False})), "resume": tell},
    "lost": {"run": ask_all},
    "broken": {"run": ask_all, "resume": broken},
    "huge": {"run": lambda _: NeedsInput(requests=(NAME,), state={"x": "y" * 60_000}), "resume": tell},
    "deep": {"run": lambda _: NeedsInput(requests=(NAME,), state=nested(70)), "resume": tell},
    "half": {"run": lambda _: NeedsInput(requests=(NAME,), state={"x": "\ud800"}), "resume": tell},
    "foreign": {"run": lambda _: NeedsInput(requests=(NAME,), state={"x": object()}), "resume": tell},
}


@pytest.fixture
def server(server_with: Callable[..., Server], tool_called: Callable[..., Tool]) -> Server:
    return server_with(*(tool_called(name, **parts) for name, parts in TOOLS.items()))


@pytest.fixture
def call(modern: Callable[..., Json]) -> Answer:
    """Returns the reply to one call; what is a result has the shape that the protocol gives it."""

    def call(name: str, capabilities: Json = EVERYTHING, arguments: Json | None = None, **more: Any) -> Json:
        reply = modern("tools/call", {"name": name, "arguments": arguments or {}, **more}, {CAPABILITIES: capabilities})
        if "result" in reply:
            validate_server_result("tools/call", "2026-07-28", reply["result"])
        return reply

    return call


def told(reply: Json) -> Json:
    """Return the value that a tool answered with."""
    assert reply["result"]["resultType"] == "complete", reply
    value = reply["result"]["structuredContent"]
    assert isinstance(value, dict)
    return value


def asked(reply: Json) -> tuple[Json, str]:
    """Return what a call was interrupted for, and the token to go on with."""
    result = reply["result"]
    assert set(result) == {"resultType", "inputRequests", "requestState", "_meta"}
    assert result["resultType"] == "input_required"
    return result["inputRequests"], result["requestState"]


REPLIES: Json = {"name": {"action": "accept", "content": {"name": "x"}}, "model": {"role": "assistant"}, "roots": {}}


@pytest.mark.parametrize("name", ["all", "quick"])
def test_a_tool_asks_for_several_things_and_goes_on_with_the_replies(call: Answer, name: str) -> None:
    requests, token = asked(call(name, arguments={"a": 1}))
    assert requests == {
        "name": {"method": "elicitation/create", "params": {"message": "Your name?", "requestedSchema": SCHEMA}},
        "model": {"method": "sampling/createMessage", "params": SAMPLE},
        "roots": {"method": "roots/list", "params": {}},
    }
    value = told(call(name, arguments={"a": 1}, requestState=token, inputResponses=REPLIES))
    state = {"asked": "all", "deep": [1, {"ü": None}]}
    assert value == {"arguments": {"a": 1}, "replies": REPLIES, "state": state}


def test_what_was_not_asked_for_does_not_reach_the_tool(call: Answer) -> None:
    _, token = asked(call("all"))
    replies = {"other": 1, "Name": 2, "": 3, "name": "anything at all"}
    assert told(call("all", requestState=token, inputResponses=replies))["replies"] == {"name": "anything at all"}


@pytest.mark.parametrize("replies", [None, [], "name", 5, True, {}, [["name", 1]]])
def test_replies_that_are_none_are_no_replies(call: Answer, replies: object) -> None:
    _, token = asked(call("all"))
    assert told(call("all", requestState=token, inputResponses=replies))["replies"] == {}


@pytest.mark.parametrize(
    ("capabilities", "left"),
    [
        ({}, set()),
        ({"elicitation": {}}, {"name"}),
        ({"elicitation": {"url": {}}, "roots": {}}, {"roots"}),
        ({"elicitation": {"url": {}, "form": {}}}, {"name"}),
        ({"elicitation": {"form": None}, "sampling": True, "roots": []}, set()),
    ],
)
def test_replies_count_only_for_what_the_request_that_brings_them_declares(
    call: Answer, capabilities: Json, left: set[str]
) -> None:
    _, token = asked(call("all"))
    value = told(call("all", capabilities, requestState=token, inputResponses=REPLIES))
    assert set(value["replies"]) == left


def test_a_client_is_asked_for_nothing_that_it_did_not_declare(call: Answer) -> None:
    some: list[Json] = [{}, {"elicitation": {}}, {"elicitation": {}, "sampling": {}}, {"elicitation": {"url": {}}}]
    for capabilities in some:
        error = call("all", capabilities)["error"]
        assert error["code"] == -32021
        needed: Json = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}
        assert error["data"] == {"requiredCapabilities": needed}
    assert told(call("form", {"sampling": {}})) == {"asked": False}


def test_a_tool_may_ask_in_several_rounds_each_with_a_token_of_its_own(call: Answer) -> None:
    reply, tokens = call("count", arguments={"rounds": 3}), []
    while reply["result"]["resultType"] == "input_required":
        tokens.append(asked(reply)[1])
        reply = call("count", arguments={"rounds": 3}, requestState=tokens[-1], inputResponses={})
    assert told(reply) == {"rounds": 3}
    assert len(set(tokens)) == 3
    for token in tokens:
        assert call("count", arguments={"rounds": 3}, requestState=token)["error"]["code"] == -32602


@pytest.mark.parametrize("token", ["", "x", 5, True, [], {}])
def test_a_bad_token_is_refused_or_asked_about_again_as_the_tool_says(
    call: Answer, lines: list[tuple[Level, str, object]], token: object
) -> None:
    error = call("all", requestState=token, inputResponses=REPLIES)["error"]
    assert error["code"] == -32602
    assert "requestState" in error["message"]
    asked(call("gentle", requestState=token, inputResponses=REPLIES))
    reasons = [(level, line) for level, line, _ in lines if level is Level.WARNING]
    assert [line.partition(":")[0] for _, line in reasons] == ["all", "gentle"]
    assert all("requestState is refused: it is no t" in line for _, line in reasons)


def test_a_null_is_no_token_and_replies_without_a_token_are_not_looked_at(call: Answer) -> None:
    for more in ({}, {"requestState": None}):
        asked(call("all", inputResponses=REPLIES, **more))


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"[]",
        b"{}",
        b'{"asked":{},"state":[]}',
        b'{"asked":{"a":"ping"},"state":{}}',
        b'{"asked":{"a":{}},"state":{}}',
        b'{"asked":[],"state":{}}',
    ],
)
def test_what_another_version_has_kept_is_a_bad_token(server: Server, call: Answer, kept: bytes) -> None:
    bound = RoundCall(version="2026-07-28", method="tools/call", target="all", arguments={}, principal=LOCAL)
    token = server.handlers.rounds.pause(bound, kept)
    assert call("all", requestState=token)["error"]["code"] == -32602


def test_a_token_for_a_tool_that_asks_for_nothing_is_refused(call: Answer) -> None:
    _, token = asked(call("all"))
    assert call("lost", requestState=token)["error"]["code"] == -32602


@pytest.mark.parametrize("name", ["lost", "huge", "deep", "half", "foreign"])
def test_a_tool_that_asks_in_a_way_that_cannot_work_has_failed(call: Answer, name: str) -> None:
    result = call(name)["result"]
    assert result["isError"] is True
    assert "yyyy" not in json.dumps(result)


def test_a_tool_that_fails_with_the_replies_has_failed(call: Answer) -> None:
    _, token = asked(call("broken"))
    result = call("broken", requestState=token, inputResponses=REPLIES)["result"]
    assert result["isError"] is True
    assert "hunter2" not in json.dumps(result)


def test_a_handshake_revision_ignores_tokens_and_replies(ask: Answer, call: Answer) -> None:
    _, token = asked(call("form"))
    result = ask("tools/call", {"name": "form", "requestState": token, "inputResponses": REPLIES})["result"]
    assert json.loads(result["content"][0]["text"]) == {"asked": False}


def test_a_call_that_goes_on_can_be_given_up(server: Server) -> None:
    params = {
        "name": "all",
        "requestState": "x",
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", CAPABILITIES: {}},
    }
    frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    (call,) = server.open().receive(frame).calls
    reply = call.give_up()
    assert reply is not None
    assert json.loads(reply)["result"]["isError"] is True


def test_requests_are_at_least_one_and_have_keys_of_their_own() -> None:
    for requests in ((), (NAME, InputRequest("name", InputKind.ROOTS))):
        with pytest.raises(ValueError, match="its own key"):
            NeedsInput(requests=requests)
    assert NeedsInput(requests=(NAME,), unasked=Failed("no")).state == {}
