"""One call and all that can end it: whatever comes first has the last word, also when they come at the same time."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from phocinae.catalog.tools import Done, InputRequest, NeedsInput, Tool
from phocinae.composition.gate import build_gate
from phocinae.composition.server import build_server
from phocinae.mcp.asking import Channel
from phocinae.mcp.conversation import Conversation, Server
from phocinae.mcp.open_calls import Call
from phocinae.settings import Settings

Frames = list[bytes]


def question(_arguments: dict[str, Any]) -> NeedsInput:
    return NeedsInput(requests=(InputRequest.form("f", "May it?", {"type": "object", "properties": {}}),))


TOOLS = tuple(
    Tool(name=name, title=name, description=name, input_schema={"type": "object"}, run=run, resume=resume)
    for name, run, resume in (
        ("wait", lambda _arguments: Done({}), None),
        ("ask", question, lambda _arguments, _replies, _state: Done({"resumed": True})),
    )
)


@pytest.fixture(scope="module")
def server() -> Server:
    settings = Settings(audit=False)
    return build_server(settings, build_gate(settings), extra_tools=TOOLS)


def at_once(*works: Callable[[], object]) -> None:
    """Do all of `works` at the same time, and wait for them."""
    barrier = threading.Barrier(len(works))

    def work(one: Callable[[], object]) -> None:
        barrier.wait(10)
        one()

    threads = [threading.Thread(target=work, args=(one,)) for one in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)


def receive(connection: Conversation, message: dict[str, Any]) -> tuple[Frames, tuple[Call, ...]]:
    step = connection.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
    return list(step.replies), step.calls


def called(connection: Conversation, name: str, ident: object = 1) -> Call:
    _replies, (call,) = receive(connection, {"id": ident, "method": "tools/call", "params": {"name": name}})
    return call


def test_calls_with_one_id_are_told_apart(server: Server) -> None:
    connection = server.open()
    first, second, other = (called(connection, "wait", ident) for ident in (1, 1, "1"))
    assert connection.open.of(1) == (first, second)
    assert connection.open.all() == (first, second, other)
    assert first.run() is not None
    assert (first.is_open, second.is_open, connection.open.of(1)) == (False, True, (second,))
    assert not connection.open.close(first)
    assert second.cancel() is None
    assert (first.is_cancelled, second.is_cancelled) == (False, True)
    assert connection.open.all() == (other,)


def test_of_all_that_end_a_call_at_once_one_has_the_last_word(server: Server) -> None:
    for _ in range(100):
        race_for_a_call(server)


def race_for_a_call(server: Server) -> None:
    connection, frames = server.open(), Frames()
    call = called(connection, "wait")
    at_once(*(lambda end=end: frames.append(end() or b"") for end in (call.run, call.give_up, call.cancel)))
    assert len(list(filter(None, frames))) == (0 if call.is_cancelled else 1)
    assert connection.open.all() == ()


def test_of_all_that_end_a_question_at_once_one_has_the_last_word(server: Server) -> None:
    for _ in range(100):
        race_for_a_question(server)


def race_for_a_question(server: Server) -> None:
    sent, clocks = Frames(), list[Callable[[], None]]()

    def later(_seconds: float, work: Callable[[], None]) -> Callable[[], None]:
        clocks.append(work)
        return lambda: None

    connection = server.open(Channel(send=sent.append, later=later))
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}
    receive(connection, {"id": 0, "method": "initialize", "params": hello})
    receive(connection, {"method": "notifications/initialized"})
    call = called(connection, "ask")
    assert call.run() is None
    reply = {"id": json.loads(sent[0])["id"], "result": {"action": "accept"}}

    def answer() -> None:
        for resumed in receive(connection, reply)[1]:
            sent.append(resumed.run() or b"")

    at_once(
        answer,
        lambda: sent.extend(connection.hang_up()),
        lambda: sent.append(call.cancel() or b""),
        clocks[0],
    )
    replies = [frame for frame in sent if b'"result"' in frame]
    assert len(replies) == (0 if call.is_cancelled else 1)
    assert connection.open.all() == ()
