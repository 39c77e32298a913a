"""Lines in, lines out, on two pipes: framing, limits, slow calls, cancellation, and the end of input."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import phocinae
from phocinae.adapters.transports import stdio
from phocinae.adapters.transports.stdio import StdioTransport, Wires
from phocinae.catalog.tools import Arguments, Done, Tool, ToolOutcome
from phocinae.composition.server import build_server, silent
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.mcp.jsonrpc import FRAME_LIMIT
from phocinae.service.gate import GateService
from phocinae.settings import Settings

PING = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}


def judge(request: GateRequest) -> Verdict:
    decision = Decision.ASK if request.command.startswith("make") else Decision.ALLOW
    return Verdict(decision=decision, layer=Layer.L0, reason=request.command)


def cancelled(ident: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": ident}}


class Doors:
    """A tool that waits behind a door, one per name, until the test opens it."""

    def __init__(self) -> None:
        self._opened: dict[str, threading.Event] = {}
        self.entered = threading.Semaphore(0)

    def open(self, name: str) -> None:
        self._door(name).set()

    def enter(self, arguments: Arguments) -> ToolOutcome:
        self.entered.release()
        assert self._door(arguments["door"]).wait(30)
        return Done({"door": arguments["door"]})

    def _door(self, name: str) -> threading.Event:
        return self._opened.setdefault(name, threading.Event())


class Peer:
    """The client's side of the two pipes, and the thread that serves the other side."""

    def __init__(
        self, to_server: BinaryIO, from_server: BinaryIO, wires: Wires, thread: threading.Thread, doors: Doors
    ) -> None:
        self.to_server = to_server
        self.from_server = from_server
        self.wires = wires
        self.thread = thread
        self.doors = doors

    def write(self, *messages: object) -> None:
        for message in messages:
            frame = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            self.to_server.write(frame)
        self.to_server.flush()

    def read(self) -> Any:
        line = self.from_server.readline()
        assert line.endswith(b"\n"), line
        return json.loads(line)

    def call(self, ident: object, door: str) -> dict[str, Any]:
        return {
            "jsonrpc": "2.0",
            "id": ident,
            "method": "tools/call",
            "params": {"name": "door", "arguments": {"door": door}},
        }

    def shake_hands(self) -> None:
        params = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}
        self.write({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params})
        assert self.read()["result"]["protocolVersion"] == "2025-11-25"
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, ident: object) -> dict[str, Any]:
        """Call the gate about something that a person must decide, and return the question to the person."""
        params = {"name": "gate", "arguments": {"command": f"make {ident}"}}
        self.write({"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": params})
        question = self.read()
        assert question["method"] == "elicitation/create"
        assert f"make {ident}" in question["params"]["message"]
        assert isinstance(question, dict)
        return question

    def end(self, seconds: float = 10) -> list[Any]:
        """End the input; return the replies that were still to come, once the server is done."""
        self.to_server.close()
        self.thread.join(seconds)
        assert not self.thread.is_alive()
        os.close(self.wires.outgoing)  # what is written to it is over, once the server has left it
        return [json.loads(line) for line in self.from_server]


@pytest.fixture
def human_timeout() -> float:
    """How many seconds a person has."""
    return 60.0


@pytest.fixture
def peer(human_timeout: float) -> Iterator[Peer]:
    """A client on pipes, with a server in a thread of its own."""
    doors = Doors()
    door = Tool(name="door", title="d", description="d", input_schema={"type": "object"}, run=doors.enter)
    server = build_server(
        Settings(human_timeout=human_timeout), GateService(offline=judge, clock=lambda: 0.0), extra_tools=(door,)
    )
    to_server, from_server = os.pipe(), os.pipe()
    wires = Wires(to_server[0], from_server[1])
    thread = threading.Thread(target=StdioTransport(wires, silent).serve, args=(server.open,), daemon=True)
    thread.start()
    with open(to_server[1], "wb") as writing, open(from_server[0], "rb") as reading:
        yield Peer(writing, reading, wires, thread, doors)
    thread.join(10)
    os.close(to_server[0])


def test_what_is_done_afterwards_is_done_once_the_answer_has_left() -> None:
    to_server, from_server = os.pipe(), os.pipe()
    os.set_blocking(from_server[0], False)
    left: list[bytes] = []

    def afterwards() -> None:
        with suppress(BlockingIOError):  # nothing has left since the last time
            left.append(os.read(from_server[0], 1 << 16))

    door = Tool(name="door", title="d", description="d", input_schema={"type": "object"}, run=lambda given: Done(given))
    server = build_server(Settings(), GateService(offline=judge, clock=lambda: 0.0), extra_tools=(door,))
    transport = StdioTransport(Wires(to_server[0], from_server[1]), silent, afterwards)
    thread = threading.Thread(target=transport.serve, args=(server.open,), daemon=True)
    thread.start()
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "door"}}
    os.write(to_server[1], b"".join(json.dumps(message).encode() + b"\n" for message in (PING, call)))
    os.close(to_server[1])
    thread.join(30)
    assert not thread.is_alive()
    assert [json.loads(line)["id"] for line in b"".join(left).splitlines()] == ["ping", 2]
    for descriptor in (to_server[0], *from_server):
        os.close(descriptor)


def test_a_line_is_answered_with_a_line(peer: Peer) -> None:
    peer.write(PING)
    assert peer.read() == {"jsonrpc": "2.0", "id": "ping", "result": {}}
    assert peer.end() == []


@pytest.mark.parametrize("blank", [b"\n" * 5_000, b"\r\n", b"   \n", b" \t \r\n"])
def test_blank_lines_are_skipped(peer: Peer, blank: bytes) -> None:
    peer.write(blank, PING)
    assert peer.read()["id"] == "ping"
    assert peer.end() == []


def test_two_characters_can_end_a_line_and_nothing_need_end_the_last(peer: Peer) -> None:
    frame = json.dumps(PING).encode()
    peer.write(frame + b"\r\n", frame)
    assert [peer.read()["id"], *[reply["id"] for reply in peer.end()]] == ["ping", "ping"]


def test_a_line_in_pieces_is_one_line(peer: Peer) -> None:
    for byte in json.dumps(PING).encode() + b"\n":
        peer.write(bytes([byte]))
    assert peer.read()["id"] == "ping"


def test_texts_pass_as_utf8_whatever_form_they_come_in(peer: Peer) -> None:
    command = "echo '换行\n второй 😀 \u00a0\u2028'"
    for escaped in (True, False):
        params = {"name": "gate", "arguments": {"command": command}}
        call = {"jsonrpc": "2.0", "id": command, "method": "tools/call", "params": params}
        peer.write(json.dumps(call, ensure_ascii=escaped).encode() + b"\n")
        reply = peer.read()
        assert reply["id"] == command
        assert json.loads(reply["result"]["content"][0]["text"])["reason"] == command


@pytest.mark.parametrize("size", [65_536, 200 * 1024, 1 << 20, FRAME_LIMIT])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_long_lines_are_read_up_to_the_limit(peer: Peer, size: int, end: bytes) -> None:
    frame = json.dumps(PING | {"pad": ""}).encode()
    peer.write(frame[:-2] + b"x" * (size - len(frame)) + b'"}' + end, PING)
    assert [peer.read()["id"], peer.read()["id"]] == ["ping", "ping"]


@pytest.mark.parametrize("size", [FRAME_LIMIT + 1, FRAME_LIMIT + 2, FRAME_LIMIT + 3, 2 * FRAME_LIMIT + 5])
@pytest.mark.parametrize("filling", [b"x", b" "])
def test_a_line_past_the_limit_is_refused_and_the_next_one_served(peer: Peer, size: int, filling: bytes) -> None:
    peer.write(b"{" + filling * (size - 1) + b"\n", PING)
    refusal = peer.read()
    assert (refusal["error"]["code"], "id" in refusal) == (-32600, False)
    assert peer.read()["id"] == "ping"
    assert peer.end() == []


def test_a_line_past_the_limit_may_be_the_last(peer: Peer) -> None:
    peer.write(b"x" * (FRAME_LIMIT + 1))
    assert [reply["error"]["code"] for reply in peer.end()] == [-32600]


@pytest.mark.requirement("S-015")
def test_a_slow_call_holds_up_nobody(peer: Peer) -> None:
    peer.write(peer.call("slow", "a"), peer.call("slower", "b"), PING)
    assert peer.read()["id"] == "ping"
    peer.doors.open("b")
    assert peer.read()["id"] == "slower"
    peer.doors.open("a")
    assert peer.read()["id"] == "slow"


@pytest.mark.requirement("S-011")
def test_a_cancelled_call_is_not_answered_and_its_twin_of_another_type_is(peer: Peer) -> None:
    peer.write(peer.call(1, "a"), peer.call("1", "a"))
    for _ in range(2):
        assert peer.doors.entered.acquire(timeout=10)
    peer.write(cancelled(1), PING)
    assert peer.read()["id"] == "ping"
    peer.doors.open("a")
    assert [reply["id"] for reply in [peer.read(), *peer.end()]] == ["1"]


def test_every_pipelined_request_gets_one_reply(peer: Peer) -> None:
    peer.doors.open("a")
    threading.Thread(
        target=lambda: peer.write(
            *[PING | {"id": i} for i in range(200)], *[peer.call(i, "a") for i in range(200, 600)]
        )
    ).start()
    assert sorted(peer.read()["id"] for _ in range(600)) == list(range(600))
    assert peer.end() == []


def test_no_more_calls_run_at_once_than_there_are_workers(peer: Peer) -> None:
    peer.write(*[peer.call(i, "a") for i in range(stdio.WORKERS + 3)], PING)
    assert peer.read()["id"] == "ping"
    for _ in range(stdio.WORKERS):
        assert peer.doors.entered.acquire(timeout=10)
    assert not peer.doors.entered.acquire(timeout=0.1)
    peer.doors.open("a")
    assert sorted(peer.read()["id"] for _ in range(stdio.WORKERS + 3)) == list(range(stdio.WORKERS + 3))


@pytest.mark.requirement("M-052")
def test_past_the_backlog_nothing_more_is_read_until_there_is_room(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "BACKLOG", 2)
    peer.write(peer.call(1, "a"), peer.call(2, "b"), peer.call(3, "b"), PING)
    for _ in range(2):
        assert peer.doors.entered.acquire(timeout=10)
    peer.doors.open("a")
    first, second = peer.read()["id"], peer.read()["id"]
    assert (first, second) == (1, "ping")
    peer.doors.open("b")
    assert sorted([peer.read()["id"], peer.read()["id"]]) == [2, 3]


def test_a_queued_call_can_be_cancelled(peer: Peer) -> None:
    peer.write(*[peer.call(i, "a") for i in range(stdio.WORKERS)], peer.call("queued", "b"))
    for _ in range(stdio.WORKERS):
        assert peer.doors.entered.acquire(timeout=10)
    peer.write(cancelled("queued"), PING)
    assert peer.read()["id"] == "ping"
    peer.doors.open("b")
    peer.doors.open("a")
    assert sorted(peer.read()["id"] for _ in range(stdio.WORKERS)) == list(range(stdio.WORKERS))
    assert peer.end() == []


@pytest.mark.requirement("M-100")
def test_calls_that_are_cancelled_while_they_run_give_their_places_up(peer: Peer) -> None:
    peer.write(*[peer.call(i, "a") for i in range(stdio.WORKERS)], peer.call("queued", "b"))
    for _ in range(stdio.WORKERS):
        assert peer.doors.entered.acquire(timeout=10)
    peer.doors.open("b")
    peer.write(cancelled(0))
    assert peer.read()["id"] == "queued"
    peer.write(*[cancelled(i) for i in range(1, stdio.WORKERS)])
    peer.write(*[peer.call(f"more {i}", "b") for i in range(100)])
    assert {peer.read()["id"] for _ in range(100)} == {f"more {i}" for i in range(100)}
    peer.doors.open("a")
    assert peer.end() == []


def test_there_is_an_end_to_threads_that_nobody_waits_for(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "WORKERS", 1)
    monkeypatch.setattr(stdio, "THREADS", 2)
    for number in (1, 2):
        peer.write(peer.call(number, "a"))
        assert peer.doors.entered.acquire(timeout=10)
        peer.write(cancelled(number))
    peer.write(peer.call(3, "b"))
    assert not peer.doors.entered.acquire(timeout=0.1)
    peer.doors.open("b")
    peer.doors.open("a")
    assert peer.read()["id"] == 3
    assert peer.end() == []


def test_without_threads_calls_are_answered_one_after_the_other(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoThread:
        def __init__(self, **_options: object) -> None:
            pass

        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading, "Thread", NoThread)
    peer.doors.open("a")
    peer.write(peer.call(1, "a"), PING, peer.call(2, "a"))
    assert [peer.read()["id"] for _ in range(3)] == [1, "ping", 2]
    monkeypatch.undo()
    peer.write(peer.call(3, "a"))
    assert peer.read()["id"] == 3
    assert peer.end() == []


# A person who is asked


APPROVE = {"action": "accept", "content": {"decision": "approve"}}


def test_calls_that_wait_for_a_person_hold_up_nobody(peer: Peer) -> None:
    peer.shake_hands()
    questions = [peer.ask(i) for i in range(2 * stdio.WORKERS)]
    peer.doors.open("a")
    peer.write(PING, peer.call("door", "a"))
    assert {peer.read()["id"], peer.read()["id"]} == {"ping", "door"}
    for question in reversed(questions):
        peer.write({"jsonrpc": "2.0", "id": question["id"], "result": APPROVE})
    replies = [peer.read() for _ in questions]
    assert sorted(reply["id"] for reply in replies) == list(range(len(questions)))
    assert {reply["result"]["structuredContent"]["decision"] for reply in replies} == {"allow"}
    assert peer.end() == []


def test_calls_that_wait_for_a_person_are_denied_at_the_end_of_input(peer: Peer) -> None:
    peer.shake_hands()
    peer.ask(1)
    peer.ask(2)
    start = time.monotonic()
    replies = peer.end()
    assert time.monotonic() - start < stdio.GRACE
    assert [reply["id"] for reply in replies] == [1, 2]
    assert {reply["result"]["structuredContent"]["decision"] for reply in replies} == {"deny"}


@pytest.mark.parametrize("human_timeout", [0.2])
def test_a_person_who_does_not_answer_leaves_the_plain_ask(peer: Peer) -> None:
    peer.shake_hands()
    question = peer.ask(1)
    told, reply = peer.read(), peer.read()
    assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    assert (reply["id"], reply["result"]["structuredContent"]["decision"]) == (1, "ask")
    peer.write({"jsonrpc": "2.0", "id": question["id"], "result": APPROVE}, PING)
    assert peer.read()["id"] == "ping"
    assert peer.end() == []


@pytest.mark.parametrize("human_timeout", [0.2])
def test_nothing_is_left_running_by_a_person_who_answered(peer: Peer) -> None:
    peer.shake_hands()
    before = threading.active_count()
    for number in range(5):
        question = peer.ask(number)
        peer.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})
        assert peer.read()["result"]["structuredContent"]["human_action"] == "decline"
    time.sleep(0.5)
    assert threading.active_count() <= before + 1  # the one worker that went on with the calls
    assert peer.end() == []


# The end


def test_calls_that_run_at_the_end_of_input_are_still_answered(peer: Peer) -> None:
    peer.write(peer.call(1, "a"), peer.call(2, "b"))
    peer.doors.open("a")
    assert peer.read()["id"] == 1
    opener = threading.Timer(0.3, peer.doors.open, ("b",))
    opener.start()
    assert [reply["result"].get("isError") for reply in peer.end()] == [False]


def test_calls_that_outlast_the_grace_are_answered_in_their_place(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "GRACE", 0.1)
    peer.write(peer.call(1, "a"), peer.call(2, "a"))
    replies = peer.end()
    assert sorted(reply["id"] for reply in replies) == [1, 2]
    assert all(reply["result"]["isError"] for reply in replies)
    peer.doors.open("a")


def test_cancelled_calls_do_not_hold_up_the_end(peer: Peer) -> None:
    peer.write(peer.call(1, "a"))
    assert peer.doors.entered.acquire(timeout=10)
    peer.write(cancelled(1))
    start = time.monotonic()
    assert peer.end() == []
    assert time.monotonic() - start < stdio.GRACE
    peer.doors.open("a")


def test_a_client_that_does_not_listen_any_more_ends_it(peer: Peer) -> None:
    peer.from_server.close()
    peer.write(PING)
    peer.write(PING)
    peer.thread.join(10)
    assert not peer.thread.is_alive()


def test_pipes_that_another_process_makes_non_blocking_are_waited_for(peer: Peer) -> None:
    peer.write(PING)
    assert peer.read()["id"] == "ping"
    for descriptor in (peer.wires.incoming, peer.wires.outgoing):
        os.set_blocking(descriptor, False)
    peer.write(PING)
    assert peer.read()["id"] == "ping"
    time.sleep(0.05)  # so that the server has looked for more, and found nothing yet
    count = 3000  # whose answers a pipe cannot hold
    writer = threading.Thread(target=lambda: peer.write(*[PING] * count))
    writer.start()
    assert [peer.read()["id"] for _ in range(count)] == ["ping"] * count
    writer.join()
    assert peer.end() == []


def run(script: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=30, check=False, env=environment, **options
    )


def test_only_frames_reach_standard_output() -> None:
    script = """
import os, subprocess, sys
from sys import stdout
print("before, not yet written")
from phocinae.adapters.transports.stdio import take_standard_streams
wires = take_standard_streams()
print("print"); stdout.write("kept stdout"); stdout.flush(); os.write(1, b"descriptor one")
subprocess.run(["echo", "child"], check=True)
assert sys.stdin.read() == "", "standard input is at its end"
os.write(wires.outgoing, os.read(wires.incoming, 100))
"""
    done = run(script, input=b"frame\n")
    assert (done.returncode, done.stdout) == (0, b"frame\n"), done.stderr
    for text in (b"before", b"print", b"kept stdout", b"descriptor one", b"child"):
        assert text in done.stderr


@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_stream_cannot_be_taken(closed: int) -> None:
    script = """
import sys
from phocinae.adapters.transports.stdio import take_standard_streams
try:
    take_standard_streams()
except OSError as error:
    print("refused", file=sys.stderr)
"""
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {closed}<&-', sys.executable, script],
        stderr=subprocess.PIPE,
        timeout=30,
        check=True,
    )
    assert done.stderr == b"refused\n"


def test_without_standard_error_prints_go_nowhere() -> None:
    script = """
import os
from phocinae.adapters.transports.stdio import take_standard_streams
wires = take_standard_streams()
os.write(1, b"lost")
os.write(wires.outgoing, b"frame")
"""
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, script], stdout=subprocess.PIPE, timeout=30, check=True
    )
    assert done.stdout == b"frame"


SLOW_SERVER = """
import sys, time
from phocinae.adapters.logs.stderr_log import StderrLog
from phocinae.adapters.transports.stdio import StdioTransport, take_standard_streams
from phocinae.catalog.tools import Tool
from phocinae.composition.server import build_server
from phocinae.service.gate import GateService
from phocinae.service.log import Logs
from phocinae.settings import Settings

def sleep(arguments):
    print("a print of a tool")
    time.sleep(60)

def quick(arguments):
    print("a print of a quick tool")

tool = Tool(name="sleep", title="s", description="s", input_schema={"type": "object"}, run=sleep, at_once=quick)
gate = GateService(offline=lambda request: None, clock=time.time)
wires, log = take_standard_streams(), Logs(StderrLog())
StdioTransport(wires, log).serve(build_server(Settings(), gate, extra_tools=(tool,), log=log).open)
"""


LOUD_SERVER = """
import os, subprocess, sys, time
from phocinae.adapters.transports.stdio import StdioTransport, take_standard_streams
from phocinae.catalog.tools import Done, Tool
from phocinae.composition.server import build_server, silent
from phocinae.service.gate import GateService
from phocinae.settings import Settings

def loud(arguments):
    print("a print")
    sys.stdout.write("a write"); sys.stdout.flush()
    sys.__stdout__.write("the first stdout"); sys.__stdout__.flush()
    os.write(1, b"descriptor one")
    import prints_when_imported
    subprocess.run(["echo", "a child"], check=True)
    subprocess.run([sys.executable, "-c", "print('a Python child')"], check=True)
    os.system("echo a shell")
    return Done({})

tools = [Tool(name=name, title=name, description=name, input_schema={"type": "object"}, **ways) for name, ways in
         {"later": {"run": loud}, "at_once": {"run": loud, "at_once": loud}}.items()]
gate = GateService(offline=lambda request: None, clock=time.time)
StdioTransport(take_standard_streams(), silent).serve(build_server(Settings(), gate, extra_tools=tools).open)
"""


@pytest.mark.requirement("S-001")
def test_whatever_a_tool_prints_standard_output_carries_frames_only(tmp_path: Path) -> None:
    (tmp_path / "prints_when_imported.py").write_text("print('an import')", encoding="utf-8")
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name}}
        for number, name in enumerate(("later", "at_once", "later"))
    ]
    done = subprocess.run(
        [sys.executable, "-c", LOUD_SERVER],
        input="".join(json.dumps(call) + "\n" for call in calls).encode(),
        capture_output=True,
        timeout=60,
        check=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2]
    for text in ("a print", "a write", "the first stdout", "descriptor one", "an import", "child", "shell"):
        assert text.encode() in done.stderr


def test_a_signal_leaves_slow_calls_the_grace_and_then_answers_in_their_place() -> None:
    call = {"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "sleep"}}
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(json.dumps(call).encode() + b"\n" + json.dumps(PING).encode() + b"\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == "ping"
        began = time.monotonic()
        server.send_signal(signal.SIGTERM)
        (answer,) = [json.loads(line) for line in server.stdout]
        assert (answer["id"], answer["result"]["isError"]) == ("slow", True)
        assert stdio.GRACE - 0.1 < time.monotonic() - began < stdio.GRACE + 2
        assert server.wait(10) == 0
        assert server.stderr.read().decode().splitlines() == [
            "a print of a quick tool",
            "a print of a tool",
            "phocinae-mcp[notice]: stopped",
        ]


DEAF_CLIENTS_SERVER = """
import signal, sys
import phocinae
from phocinae.adapters.transports import stdio
from phocinae.composition.server import build_server, silent
from phocinae.settings import Settings

stdio._LAST_RESORT = 1.0
server = build_server(Settings(audit=False))
stdio.StdioTransport(stdio.take_standard_streams(), silent).serve(server.open)
print(signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM) is signal.SIG_DFL)
"""


def test_a_process_that_is_told_to_stop_again_and_again_ends_although_nobody_reads() -> None:
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, "-c", DEAF_CLIENTS_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(request)
        server.stdin.flush()
        assert server.stdout.readline()
        os.set_blocking(server.stdin.fileno(), False)
        with suppress(BlockingIOError):
            while True:
                os.write(server.stdin.fileno(), request)
        for _ in range(100):
            server.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.2)
                break
        ended = server.poll()
        server.kill()
    assert ended == 0


def test_a_program_that_served_is_left_to_go_on() -> None:
    done = run(DEAF_CLIENTS_SERVER, input=b"")
    assert (done.returncode, done.stderr.split()) == (0, [b"(0.0,", b"0.0)", b"True"])


def test_the_end_of_input_waits_for_a_frame_that_an_event_loop_is_about_to_send() -> None:
    class Slow(StdioTransport):
        def _send(self, frame: bytes) -> None:
            time.sleep(0.3)
            super()._send(frame)

    server = phocinae.build_server(builtin=False)

    @server.tool()
    async def later(_call: phocinae.CallContext) -> str:
        """Takes a moment."""
        await asyncio.sleep(0)
        return "done"

    to_server, from_server = os.pipe(), os.pipe()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "later"}}
    os.write(to_server[1], json.dumps(call).encode() + b"\n")
    os.close(to_server[1])
    Slow(Wires(to_server[0], from_server[1]), silent).serve(server.open)
    os.close(from_server[1])
    with open(from_server[0], "rb") as reading:
        assert [json.loads(line)["id"] for line in reading] == [1]
    os.close(to_server[0])
