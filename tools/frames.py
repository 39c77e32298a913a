"""Throws random and mutated frames at the MCP server, and reports what must not be.

usage: python tools/frames.py [--frames N] [--seed S]

A real server process gets all of them in one session, past whatever it thinks of them.  A parser of this file's own
says which frames hold requests that can be answered under their ids.  A fault is a request that is not answered exactly
once, a line on standard output that is no message, and a process that ends early or not with status 0.  The exit
status is 1 if there is a fault.  The commands in the frames are judged and never run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import IO, Any, NoReturn, Protocol

from attrs import define, field
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from phocinae.mcp.asking import Channel
from phocinae.mcp.conversation import Step

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
PREFIX = "io.modelcontextprotocol/"
ENVELOPE = {PREFIX + name for name in ("protocolVersion", "clientCapabilities", "clientInfo", "logLevel")}
META = {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": {}}
BLANK = b" \t\r\n"
PATIENCE = 60
"""Seconds until what is not answered will not be."""
SERVER = (str(Path(sys.executable).with_name("phocinae")), "serve", "--backend", "mock")

Json = dict[str, Any]
Key = tuple[str, str]
"""A kind and a text that two ids share only if they are the same: 1, "1" and true are three."""


def key(ident: object) -> Key:
    """Return what `ident` is told apart by."""
    return type(ident).__name__, str(ident)


# What must be answered


class Pairs(list[tuple[str, Any]]):
    """An object with all its members."""


class Unusable:
    """What stands for a number that no id may be."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _whole(digits: str) -> object:
    return int(digits) if len(digits) <= 4300 else Unusable()


@define
class Reference:
    """A second opinion on lines, in their order; it knows of a session no more than which revision it speaks."""

    revision: str = ""

    def expected(self, line: bytes) -> tuple[Key, ...]:
        """Return the ids under which `line` has to be answered, one reply for each."""
        try:
            value = json.loads(line.decode(), object_pairs_hook=Pairs, parse_int=_whole, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return ()
        if isinstance(value, Pairs):
            self._shake_hands(value, line)
            return self._ids([value])
        if isinstance(value, list) and self.revision == "2025-03-26" and len(value) <= 100:
            return self._ids(value)
        return ()

    @staticmethod
    def _ids(messages: list[Any]) -> tuple[Key, ...]:
        found = []
        for message in messages:
            members = message if isinstance(message, Pairs) else Pairs()
            names = [name for name, _ in members]
            if "method" not in names and ("result" in names or "error" in names):
                continue
            idents = [value for name, value in members if name == "id"]
            if len(idents) == 1 and _is_usable(idents[0]):
                found.append(key(idents[0]))
        return tuple(found)

    def _shake_hands(self, message: Pairs, line: bytes) -> None:
        """Follow a handshake that the server must accept."""
        plain = dict(message)
        params = dict(plain["params"]) if isinstance(plain.get("params"), Pairs) else {}
        meta = dict(params["_meta"]) if isinstance(params.get("_meta"), Pairs) else {}
        wanted = params.get("protocolVersion")
        if plain.get("jsonrpc") != "2.0" or plain.get("method") != "initialize" or ENVELOPE & meta.keys():
            return
        if self._ids([message]) and isinstance(wanted, str) and _is_strict(message, line):
            self.revision = wanted if wanted in LEGACY else LEGACY[-1]


def _is_usable(ident: object) -> bool:
    if isinstance(ident, str):
        return not any("\ud800" <= sign <= "\udfff" for sign in ident)
    return type(ident) is int


def _is_strict(value: object, line: bytes) -> bool:
    """Whether nothing in a message is refused for its form alone."""
    depth, most, inside = 0, 0, False
    text = line.decode().replace("\\\\", "").replace('\\"', "")
    for sign in text:
        inside ^= sign == '"'
        depth += 0 if inside else (sign in "[{") - (sign in "]}")
        most = max(most, depth)
    return most <= 64 and _holds_no_oddity(value)


def _holds_no_oddity(value: object) -> bool:
    if isinstance(value, Pairs):
        names = [name for name, _ in value]
        return len(set(names)) == len(names) and all(map(_holds_no_oddity, names + [one for _, one in value]))
    if isinstance(value, list):
        return all(map(_holds_no_oddity, value))
    if isinstance(value, float):
        return abs(value) != float("inf")
    return not isinstance(value, Unusable) and (not isinstance(value, str) or _is_usable(value))


# What came back


@define
class Tally:
    """Counts lines against replies, and keeps what must not be."""

    reference: Reference = field(factory=Reference)
    faults: list[str] = field(factory=list)
    lines: int = 0
    owed: Counter[Key] = field(factory=Counter)
    nameless: int = 0
    requests: int = 0
    replies: Counter[str] = field(factory=Counter)

    def sent(self, line: bytes) -> None:
        """Count a line that goes to the server."""
        frame = line.strip(b" \t\r\n")
        if not frame:
            return
        self.lines += 1
        expected = self.reference.expected(frame)
        self.owed.update(expected)
        self.requests += len(expected)
        self.nameless += 1 + 100 * frame.startswith(b"[")

    def came(self, line: bytes) -> Iterator[Json]:
        """Count a line that came from the server; yield the requests in it, which the client has to answer."""
        try:
            value = json.loads(line.decode(), parse_constant=_no_constant)
        except ValueError:
            self.faults.append(f"no JSON: {line[:200]!r}")
            return
        messages = value if isinstance(value, list) else [value]
        if not messages or not all(self._is_message(message) for message in messages):
            self.faults.append(f"no message: {line[:200]!r}")
            return
        for message in messages:
            if "method" not in message:
                self._reply(message)
            elif "id" in message:
                yield message

    def end(self) -> None:
        """Count what was owed and never came."""
        self.faults += [f"not answered: {kind} {text[:100]}" for kind, text in self.owed.elements()]
        self.owed.clear()

    def _is_message(self, message: object) -> bool:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        kinds = message.keys() & {"method", "result", "error"}
        if len(kinds) != 1 or ("id" in message and not _is_usable(message["id"])):
            return False
        if kinds == {"error"}:
            return type(message["error"].get("code")) is int and isinstance(message["error"].get("message"), str)
        return isinstance(message.get("result", {}), dict) and ("id" in message or kinds == {"method"})

    def _reply(self, message: Json) -> None:
        self.replies["error" if "error" in message else "result"] += 1
        if "id" not in message:
            self.nameless -= 1
            if self.nameless < 0:
                self.faults.append("more replies without an id than lines")
        elif self.owed[key(message["id"])] > 0:
            self.owed[key(message["id"])] -= 1
        else:
            self.faults.append(f"a reply that nobody waits for: {str(message)[:200]}")


# What is sent

TEXTS = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
IDS = (
    st.integers()
    | TEXTS
    | st.sampled_from([0, -1, 2**53 + 1, 10**30, "", "1", "007", "名", "😀", 1.0, None, True, [1]])
)


def _call(name: str, **arguments: object) -> tuple[str, Json]:
    return "tools/call", {"name": name, "arguments": arguments}


REQUESTS: tuple[tuple[str, Json], ...] = (
    *(
        ("initialize", {"protocolVersion": version, "capabilities": {"elicitation": {}}})
        for version in (*LEGACY, "2031-01-01")
    ),
    *(("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}}),) * 3,
    ("ping", {}),
    ("tools/list", {}),
    ("tools/list", {"cursor": "x"}),
    _call("gate", command="git status", cwd="/tmp"),
    _call("gate", command="cat .env"),
    _call("gate", command=""),
    _call("gate", command="ls", server="http://127.0.0.1:9"),
    _call("classify", state="x", labels=["a", "b"]),
    _call("score", state="x", criterion="how long it is"),
    _call("no_such_tool"),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "phocinae://policy/gate-approval"}),
    ("resources/read", {"uri": "phocinae://none"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "x"}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}),
    ("logging/setLevel", {"level": "debug"}),
    ("logging/setLevel", {"level": "emergency"}),
    ("server/discover", {}),
    ("shutdown", {}),
    ("no/such", {}),
    ("notifications/initialized", {}),
    ("notifications/cancelled", {"requestId": "nobody's", "reason": "r"}),
)


@st.composite
def messages(draw: st.DrawFn) -> Json:
    """Draw a message that is right, or wrong in some of its members."""
    method, parameters = draw(st.sampled_from(REQUESTS))
    message: Json = {"jsonrpc": "2.0", "method": method, "params": dict(parameters)}
    if not method.startswith("notifications/"):
        message["id"] = draw(IDS)
    if draw(st.booleans()):
        level: Json = draw(st.sampled_from([{}, {}, {PREFIX + "logLevel": "debug"}, {PREFIX + "logLevel": 1}]))
        message["params"]["_meta"] = META | level
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        params = message.get("params")
        place = params if isinstance(params, dict) and draw(st.booleans()) else message
        name = draw(st.sampled_from([*place, "result", "error", "extra"]))
        if draw(st.booleans()):
            place.pop(name, None)
        else:
            place[name] = draw(VALUES)
    return message


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw the text of a message with a few of its bytes changed."""
    frame = written(draw(messages()), draw(st.booleans()))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(frame)))
        end = min(len(frame), start + draw(st.integers(0, 6)))
        frame = frame[:start] + draw(st.binary(max_size=4) | st.sampled_from(SCRAPS)) + frame[end:]
    return frame


SCRAPS = (
    b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"\r", b" ", b"\\ud800", b"\xff", b"\xef\xbb\xbf", b"NaN",
    b"-Infinity", b"1e999", b"9" * 5000, b'"id":1,', b'"id":"a",', b'"method":"ping",', b'"x":{"a":1,"a":2},',
    b"[" * 100 + b"]" * 100, b"null",
)  # fmt: skip

ODD = (
    b"", b"   ", b"\r", b"[]", b"null", b"5", b'"x"', b"{}", b"[[]]", b"[1,2,3]", b"[" * 100_000, b'{"a":' * 50_000,
    b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":' + b"[" * 100 + b"]" * 100 + b"}}",
    b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}',
    b'{"jsonrpc":"2.0","id":' + b"9" * 4300 + b',"method":"ping"}',
    b'{"jsonrpc":"2.0","id":7,"method":"ping"}\r',
    b'{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}',
    b'\xef\xbb\xbf{"jsonrpc":"2.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","id":7,"method":"ping"}'.encode("utf-16"),
    b"[" + b",".join([b'{"jsonrpc":"2.0","id":7,"method":"ping"}'] * 100) + b"]",
    b"[" + b",".join([b'{"jsonrpc":"2.0","id":7,"method":"ping"}'] * 101) + b"]",
)  # fmt: skip


def written(value: object, escaped: bool) -> bytes:
    """Return JSON as Python's own writer has it, which also writes what is none."""
    return json.dumps(value, ensure_ascii=escaped).encode("utf-8", "surrogatepass")


FRAMES: st.SearchStrategy[bytes] = st.one_of(
    *[st.builds(written, messages(), st.booleans())] * 4,
    st.builds(written, st.lists(messages(), max_size=5), st.booleans()),
    mutated(),
    mutated(),
    st.builds(written, VALUES, st.booleans()),
    st.sampled_from(ODD),
    st.binary(max_size=40),
)
"""Any frame; one with a line end inside is several lines."""


def frames(count: int, seed: int) -> list[bytes]:
    """Return `count` frames, the same for the same seed."""
    drawn: list[bytes] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(FRAMES)
    def draw(frame: bytes) -> None:
        drawn.append(frame)

    draw()
    return drawn[:count]


# Where it is sent


def answer(question: Json) -> bytes:
    """Return what this client replies to a question of the server: no."""
    return written({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}}, True)


class Receiving(Protocol):
    """One connection, which takes frames."""

    def receive(self, frame: bytes, /) -> Step:
        """Return what a frame leads to."""


class Opening(Protocol):
    """What opens connections: a server, or a test that looks on."""

    def open(self, channel: Channel, /) -> Receiving:
        """Return a new connection."""


def over_conversation(sent: Iterable[bytes], server: Opening) -> Tally:
    """Send frames to one conversation of `server`, run each call when it comes up, and return the tally."""
    tally = Tally()
    questions: list[Json] = []

    def came(frame: bytes) -> None:
        questions.extend(tally.came(frame))

    def receive(line: bytes) -> None:
        step = connection.receive(line)
        for reply in step.replies:
            came(reply)
        for call in step.calls:
            frame = call.run()
            if frame is not None:
                came(frame)

    connection = server.open(Channel(send=came, later=lambda _seconds, _work: lambda: None))
    for frame in sent:
        for line in frame.split(b"\n"):
            tally.sent(line)
            if line.strip(BLANK):
                receive(line.strip(BLANK))
            while questions:
                receive(answer(questions.pop()))
    tally.end()
    return tally


def over_process(sent: Iterable[bytes], command: Sequence[str] = SERVER) -> Tally:
    """Send frames to a server process of its own, and return the tally."""
    tally = Tally()
    environment = os.environ | {"PHOCINAE_AUDIT": "false"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        lock, answers = threading.Lock(), SimpleQueue[bytes]()
        reader = threading.Thread(target=_read, args=(server.stdout, tally, lock, answers))
        reader.start()
        try:
            for frame in sent:
                for line in frame.split(b"\n"):
                    with lock:
                        tally.sent(line)
                    server.stdin.write(line + b"\n")
                _write_answers(server.stdin, answers)
            _wait(server.stdin, tally, answers)
            server.stdin.close()
        except OSError:
            tally.faults.append("the process ended early")
        reader.join(60)
        status = server.wait(10)
    if status:
        tally.faults.append(f"the process ended with status {status}")
    tally.end()
    return tally


def _read(lines: IO[bytes], tally: Tally, lock: threading.Lock, answers: SimpleQueue[bytes]) -> None:
    for line in lines:
        with lock:
            questions = list(tally.came(line))
        for question in questions:
            answers.put(answer(question))


def _write_answers(writing: IO[bytes], answers: SimpleQueue[bytes]) -> None:
    with suppress(Empty):
        while True:
            writing.write(answers.get_nowait() + b"\n")


def _wait(writing: IO[bytes], tally: Tally, answers: SimpleQueue[bytes]) -> None:
    """Wait until everything is answered, or it is clear that it will not be."""
    deadline = monotonic() + PATIENCE
    while +tally.owed and monotonic() < deadline:
        _write_answers(writing, answers)
        writing.flush()
        sleep(0.01)


def main() -> int:
    """Run the command line, and return the exit status."""
    parser = argparse.ArgumentParser(description="Throw frames at the MCP server.")
    parser.add_argument("--frames", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    options = parser.parse_args()
    tally = over_process(frames(options.frames, options.seed))
    print(f"{tally.lines} lines, {tally.requests} requests to be answered; replies: {dict(tally.replies)}")
    for fault in tally.faults[:20]:
        print(f"  {fault}")
    print(f"{len(tally.faults)} faults")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
