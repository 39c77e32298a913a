"""Whatever comes down the line, each request is answered once and nothing but messages goes back."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from official import Watch

import frames
from phocinae.composition.gate import build_gate
from phocinae.composition.server import build_server
from phocinae.mcp.asking import Channel
from phocinae.mcp.conversation import Step
from phocinae.settings import Settings

SETTINGS = Settings(audit=False, backend="mock")
SERVER = build_server(SETTINGS, build_gate(SETTINGS))


class Watched:
    """A server whose every frame is held to the official models."""

    def open(self, channel: Channel) -> Watched:
        def send(frame: bytes) -> None:
            self._told.append(frame)
            channel.send(frame)

        self._watch, self._told = Watch(), list[bytes]()
        self._connection = SERVER.open(Channel(send=send, later=channel.later))
        return self

    def receive(self, line: bytes) -> Step:
        self._watch.sent(line)
        step = self._connection.receive(line)
        replies = (*step.replies, *(done for call in step.calls if (done := call.run()) is not None))
        for frame in (*self._told, *replies):
            self._watch.came(frame + b"\n")
        self._told.clear()
        return Step(replies)


@pytest.mark.requirement("S-018")
@settings(max_examples=120, derandomize=True, database=None, deadline=None)
@given(st.lists(frames.FRAMES, min_size=1, max_size=12))
def test_a_conversation_answers_every_request_once(sent: list[bytes]) -> None:
    assert frames.over_conversation(sent, Watched()).faults == []


@pytest.mark.requirement("S-001", "S-018")
def test_a_process_answers_every_request_once() -> None:
    """A quarter of what tools/frames.py sends: all of it takes 15 s of a processor."""
    tally = frames.over_process(frames.frames(2_500, 1))
    assert tally.faults == []
    assert tally.requests > 500
    assert tally.replies["result"] > 100
    assert tally.replies["error"] > 500


def test_frames_are_the_same_for_the_same_seed_and_hardly_ever_twice() -> None:
    first, second, other = frames.frames(200, 3), frames.frames(200, 3), frames.frames(200, 4)
    assert first == second != other
    assert len(set(first)) > 150


PING = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'


@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("", "not answered: int 7"),
        ("print('hello')", "no JSON"),
        ('print(\'{"jsonrpc":"2.0","id":NaN,"result":{}}\')', "no JSON"),
        ('print(\'{"jsonrpc":"2.0","id":null,"result":{}}\')', "no message"),
        ('print(\'{"jsonrpc":"2.0","id":7,"result":{},"error":{}}\')', "no message"),
        ('print(\'{"jsonrpc":"2.0","id":7,"result":null}\')', "no message"),
        ('print(\'{"jsonrpc":"2.0","id":"7","result":{}}\')', "a reply that nobody waits for"),
        ('print(\'{"jsonrpc":"2.0","id":7,"result":{}}\\n\' * 2)', "a reply that nobody waits for"),
        ('print(\'{"jsonrpc":"2.0","error":{"code":1,"message":""}}\\n\' * 2)', "more replies without an id"),
        ("sys.exit(3)", "the process ended with status 3"),
    ],
)
def test_what_must_not_be_is_noticed(program: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "PATIENCE", 0.1)
    script = f"import sys\nsys.stdin.readline()\n{program}\nsys.stdout.flush()\nsys.stdin.read()"
    tally = frames.over_process([PING], (sys.executable, "-c", script))
    assert any(one.startswith(fault) for one in tally.faults), tally.faults


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        (PING, [7]),
        (b'{"jsonrpc":"2.0","id":"7","method":"ping"}', ["7"]),
        (b'{"id":-1,"method":1}', [-1]),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}', [7]),
        (b'{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}', []),
        (b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}', []),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', []),
        (rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', []),
        (b'{"jsonrpc":"2.0","id":7,"result":{}}', []),
        (b'{"jsonrpc":"2.0","method":"ping"}', []),
        (b'{"jsonrpc":"2.0","id":7,"method":NaN}', []),
        (b"[" + PING + b"," + PING + b"]", []),
        (b"\xff", []),
    ],
)
def test_what_has_to_be_answered(line: bytes, ids: list[object]) -> None:
    assert list(frames.Reference().expected(line)) == [frames.key(ident) for ident in ids]


def test_batches_have_to_be_answered_after_the_handshake_that_knows_them() -> None:
    reference = frames.Reference()
    batch = b"[" + PING + b',7,{"jsonrpc":"2.0","method":"n"}]'
    for version, ids in (("2025-03-26", [7]), ("2025-06-18", []), ("2025-03-26", [7]), ("1999-01-01", [])):
        shaking = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s"}}'
        assert reference.expected(shaking % version.encode()) == (frames.key(0),)
        assert list(reference.expected(batch)) == [frames.key(ident) for ident in ids]
