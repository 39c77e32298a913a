"""A modern client is asked over several requests, over every arm: what is asked, and which answers count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from servers import Client

Json = dict[str, Any]
Connect = Callable[[], Client]

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
KEY = "gate_confirmation"
FORMS: Json = {"elicitation": {}}
APPROVE: Json = {"action": "accept", "content": {"decision": "approve"}}
COMMAND: Json = {"command": "npm install x", "cwd": "/srv"}


def call(client: Client, arguments: Json = COMMAND, *, capabilities: Json = FORMS, **more: Any) -> Json:
    """Return the result of one call of the gate by a client with forms."""
    params = {"name": "gate", "arguments": arguments} | more
    result = client.modern("tools/call", params, {CAPABILITIES: capabilities})["result"]
    assert isinstance(result, dict)
    return result


def answer(client: Client, state: object, reply: object, arguments: Json = COMMAND, **more: Any) -> Json:
    return call(client, arguments, requestState=state, inputResponses={KEY: reply}, **more)


def asks(result: Json) -> bool:
    return bool(result["resultType"] == "input_required")


@pytest.mark.requirement("M-080", "M-081", "M-083", "M-073", "M-005", "M-025")
def test_what_needs_a_person_comes_as_one_request_for_input(modern: Client) -> None:
    result = call(modern)
    assert result.keys() == {"resultType", "inputRequests", "requestState", "_meta"}
    assert isinstance(result["requestState"], str)
    (question,) = result["inputRequests"].items()
    assert question[0] == KEY
    assert question[1].keys() == {"method", "params"}
    assert question[1]["method"] == "elicitation/create"


@pytest.mark.requirement("M-092", "M-093")
def test_the_form_is_flat_and_asks_for_no_secret_and_shows_no_link(modern: Client) -> None:
    form = call(modern)["inputRequests"][KEY]["params"]
    assert form.get("mode", "form") == "form"
    schema = form["requestedSchema"]
    Draft202012Validator.check_schema(schema)
    assert schema.keys() <= {"$schema", "type", "properties", "required"}
    assert schema["properties"].keys() == {"decision"}
    assert schema["properties"]["decision"]["type"] == "string"
    assert schema["properties"]["decision"]["enum"] == ["approve", "reject"]
    assert COMMAND["command"] in form["message"]
    assert "http" not in form["message"]


@pytest.mark.requirement("M-082", "M-024", "M-080", "M-012")
@pytest.mark.parametrize(
    "capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": None}, {"elicitation": []}, {"sampling": {}}]
)
def test_nothing_is_asked_that_this_request_does_not_declare(modern: Client, capabilities: Json) -> None:
    asked = call(modern)
    for result in (
        call(modern, capabilities=capabilities),
        answer(modern, asked["requestState"], APPROVE, capabilities=capabilities),
    ):
        assert result["resultType"] == "complete"
        assert result["structuredContent"]["decision"] == "ask"


@pytest.mark.requirement("M-082")
@pytest.mark.parametrize("capabilities", [{"elicitation": {"form": {}}}, {"elicitation": {"form": {}, "url": {}}}])
def test_whoever_declares_forms_is_asked(modern: Client, capabilities: Json) -> None:
    assert asks(call(modern, capabilities=capabilities))


@pytest.mark.requirement("M-095", "M-094", "M-096", "M-091", "R-001")
@pytest.mark.parametrize(
    ("reply", "decision", "action"),
    [
        (APPROVE, "allow", "approve"),
        ({"action": "accept", "content": {"decision": "reject"}}, "deny", "reject"),
        ({"action": "decline"}, "deny", "decline"),
        ({"action": "cancel"}, "deny", "cancel"),
    ],
)
def test_an_answer_counts_for_what_it_says(modern: Client, reply: Json, decision: str, action: str) -> None:
    result = answer(modern, call(modern)["requestState"], reply)
    assert result["resultType"] == "complete"
    value = result["structuredContent"]
    assert (value["decision"], value["layer"], value["human_action"]) == (decision, "human_approval", action)
    assert asks(call(modern))  # about the next one, the person is asked again


@pytest.mark.requirement("M-094", "M-088", "M-087")
@pytest.mark.parametrize(
    "reply",
    [
        {"action": "accept"}, {"action": "accept", "content": {}}, {"action": "accept", "content": None},
        {"action": "accept", "content": {"decision": "Approve"}}, {"action": "accept", "content": ["approve"]},
        {"action": "accept", "content": {"decision": True}}, {"action": "ok", "content": {"decision": "approve"}},
        {"content": {"decision": "approve"}}, {}, None, "accept", [APPROVE], 1,
    ],
    ids=str,
)  # fmt: skip
def test_an_answer_that_does_not_approve_is_no_approval(modern: Client, reply: object) -> None:
    result = answer(modern, call(modern)["requestState"], reply)
    assert asks(result) or result["structuredContent"]["decision"] != "allow"


@pytest.mark.requirement("M-088", "M-087")
@pytest.mark.parametrize("replies", ["left out", None, [], "approve", 5, {}, {"other": APPROVE}], ids=str)
def test_answers_that_are_none_are_asked_for_again(modern: Client, replies: object) -> None:
    more = {} if replies == "left out" else {"inputResponses": replies}
    state = call(modern)["requestState"]
    params = {"name": "gate", "arguments": COMMAND, "requestState": state} | more
    reply = modern.modern("tools/call", params, {CAPABILITIES: FORMS})
    assert "error" in reply or asks(reply["result"])


@pytest.mark.requirement("M-089")
def test_an_answer_to_what_was_not_asked_is_ignored(modern: Client) -> None:
    replies = {"other": {"action": "decline"}, KEY: APPROVE}
    result = call(modern, requestState=call(modern)["requestState"], inputResponses=replies)
    assert result["structuredContent"]["decision"] == "allow"


@pytest.mark.requirement("M-084", "M-085", "M-086", "M-012", "R-002")
def test_a_state_that_does_not_belong_to_the_call_is_asked_about_again(modern: Client) -> None:
    state = call(modern)["requestState"]
    changed = [
        state[:-1],
        state + "A",
        state[:9] + ("B" if state[9] == "A" else "A") + state[10:],
        "",
        "x",
        state.upper(),
    ]
    assert all(asks(answer(modern, wrong, APPROVE)) for wrong in [*changed, None, 5, [state]])
    others: list[Json] = [
        {"command": "npm install y", "cwd": "/srv"},
        {"command": "npm install x"},
        COMMAND | {"cwd": "/"},
        COMMAND | {"server": "http://127.0.0.1:8155"},
    ]
    assert all(asks(answer(modern, state, APPROVE, arguments)) for arguments in others)
    assert answer(modern, state, APPROVE)["structuredContent"]["decision"] == "allow"
    assert asks(answer(modern, state, APPROVE))  # a second time


@pytest.mark.requirement("M-084", "M-097")
def test_a_state_of_another_server_is_asked_about_again(connect: Connect, modern: Client) -> None:
    assert asks(answer(connect(), call(modern)["requestState"], APPROVE))


@pytest.mark.requirement("M-084")
def test_no_answer_lifts_a_deny(modern: Client) -> None:
    state = call(modern)["requestState"]
    result = answer(modern, state, APPROVE, {"command": "rm -rf /"})
    assert result["structuredContent"]["decision"] == "deny"


@pytest.mark.requirement("M-090", "M-091")
def test_nothing_waits_for_an_answer(connect: Connect) -> None:
    client = connect()
    states = {call(client)["requestState"] for _ in range(40)}
    assert len(states) == 40
    assert client.is_silent()
    assert answer(client, states.pop(), APPROVE)["structuredContent"]["decision"] == "allow"
