"""The arms of the contract of the MCP server: one client's side of a connection, over each way to reach a server.

A new arm is a subclass of `Client` with four methods, and an entry in `ARMS`.  Every frame
that comes through one is checked by `official.Watch`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import secrets
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from http.client import HTTPConnection
from queue import Queue
from typing import Any

from official import ENVELOPE, LEGACY, MODERN, Watch

import isolation
from phocinae import Decision, Settings
from phocinae.composition.gate import build_gate
from phocinae.composition.inference import build_inference
from phocinae.composition.server import build_server
from phocinae.mcp.asking import Channel
from phocinae.mcp.conversation import Step

SERVE = [isolation.PROGRAM, "serve"]
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}

Json = dict[str, Any]


class Client(ABC):
    """One connection to a server that asks a person about what nobody vouches for."""

    def __init__(self) -> None:
        self.watch = Watch()

    def write(self, *messages: object) -> None:
        """Send messages; bytes go as they are."""
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            self.watch.sent(line)
            self.put(line)
        self.flush()

    def read(self) -> Any:
        """Return the next message of the server."""
        return self.watch.came(self.take())

    def ask(self, method: str, params: object = None, ident: object = 1) -> Json:
        """Return the reply to a request of the revision that was agreed on."""
        self.write({"jsonrpc": "2.0", "id": ident, "method": method, "params": {} if params is None else params})
        reply = self.read()
        assert isinstance(reply, dict)
        return reply

    def modern(self, method: str, params: Json | None = None, meta: Json | None = None) -> Json:
        """Return the reply to a request of the modern revision."""
        return self.ask(method, (params or {}) | {"_meta": META | (meta or {})})

    def request(self, method: str, params: Json | None = None) -> Json:
        """Return the reply to a request of the connection's own revision, modern where there was no handshake."""
        return self.modern(method, params) if self.watch.agreed is None else self.ask(method, params)

    def shake_hands(self, version: str, capabilities: Json | None = None) -> Json:
        """Return the reply to a handshake, and say that the client is ready."""
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": {"name": "t"}}
        answer = self.ask("initialize", params)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def is_silent(self) -> bool:
        """Whether nothing comes for what was sent until now."""
        self.write({"jsonrpc": "2.0", "id": "is it silent?", "method": "ping"})
        return bool(self.read() == {"jsonrpc": "2.0", "id": "is it silent?", "result": {}})

    @abstractmethod
    def put(self, line: bytes) -> None:
        """Send one line, or a part of one."""

    @abstractmethod
    def flush(self) -> None:
        """Let what was put go."""

    @abstractmethod
    def take(self) -> bytes:
        """Return the next line of the server."""

    @abstractmethod
    def close(self) -> None:
        """End the connection, and leave nothing open."""


class InMemory(Client):
    """A conversation in this process; each call is run when it comes up."""

    def __init__(self) -> None:
        super().__init__()
        settings = Settings(audit=False, fail_closed=Decision.ASK, backend="mock")
        self._came: deque[bytes] = deque()
        channel = Channel(send=self._came.append, later=lambda _seconds, _work: lambda: None)
        self._connection = build_server(settings, build_gate(settings), inference=build_inference(settings)).open(
            channel
        )

    def put(self, line: bytes) -> None:
        frame = line.strip(b" \t\r\n")
        if frame:
            self._follow(self._connection.receive(frame))

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        assert self._came, "the server says nothing"
        return self._came.popleft() + b"\n"

    def close(self) -> None:
        self._came.extend(self._connection.hang_up())

    def _follow(self, step: Step) -> None:
        self._came.extend(step.replies)
        self._came.extend(frame for call in step.calls if (frame := call.run()) is not None)


class Child(Client):
    """A server process, and the client's side of its pipes."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if not name.startswith("PHOCINAE_")} | environment,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.errors = b""
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def put(self, line: bytes) -> None:
        self.input.write(line)

    def flush(self) -> None:
        self.input.flush()

    def take(self) -> bytes:
        return self.output.readline()

    def end(self) -> tuple[int, list[Json]]:
        """End the input; return the exit status and what was still to be read."""
        self.input.close()
        return self.ended()

    def ended(self) -> tuple[int, list[Json]]:
        """Wait for the end; return the exit status and what was still to be read."""
        rest = [self.watch.came(line) for line in self.output]
        status = self.process.wait(10)
        self._listener.join(10)
        return status, rest

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for pipe in (self.input, self.output):
            with contextlib.suppress(OSError):
                pipe.close()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            self.errors = lines.read()


class Posts(Client):
    """A server process over HTTP, with a session after each handshake; what it says comes as lines, as on a pipe."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__()
        descriptor, self._keys = tempfile.mkstemp(suffix=".keys")
        os.write(descriptor, secrets.token_hex(32).encode())
        os.close(descriptor)
        options = ["--transport", "http", "--port", "0", "--session-secret-file", self._keys]
        self.process = subprocess.Popen(
            [*SERVE, *options, "--fail-closed", "ask", "--backend", "mock"],
            stderr=subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if not name.startswith("PHOCINAE_")}
            | {"PHOCINAE_AUDIT": "false"}
            | environment,
        )
        assert self.process.stderr is not None
        found = re.search(rb"http://127\.0\.0\.1:(\d+)/mcp", self.process.stderr.readline())
        assert found is not None
        self._port = int(found[1])
        self._part = b""
        self._came: Queue[bytes] = Queue()
        self._session: dict[str, str] = {}
        self._threads: list[threading.Thread] = []

    def put(self, line: bytes) -> None:
        *frames, self._part = (self._part + line).split(b"\n")
        for frame in frames:
            if frame.strip(b" \t\r"):
                self._post(frame)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        return self._came.get(timeout=20) + b"\n"

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(20) == 0
        for thread in self._threads:
            thread.join(20)
        assert self.process.stderr is not None
        self.process.stderr.close()
        os.unlink(self._keys)

    def _post(self, frame: bytes) -> None:
        """Post `frame`, and wait until the server has said something to it, or seems to wait for somebody."""
        said = threading.Event()
        thread = threading.Thread(target=self._exchange, args=(frame, said))
        thread.start()
        self._threads.append(thread)
        said.wait(0.5)

    def _exchange(self, frame: bytes, said: threading.Event) -> None:
        fields = {**self._session, **_fields(frame), "Content-Type": "application/json"}
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", "/mcp", frame, fields)
            response = connection.getresponse()
            if ident := response.headers["Mcp-Session-Id"]:
                self._session = {"Mcp-Session-Id": ident}
            if response.headers["Content-Type"] == "text/event-stream":
                for line in response:
                    if line.startswith(b"data: "):
                        self._came.put(line.removeprefix(b"data: ").rstrip(b"\n"))
                        said.set()
            elif body := response.read():
                self._came.put(body)
        finally:
            connection.close()
            said.set()


def _fields(frame: bytes) -> dict[str, str]:
    """Return the fields that a modern request needs, with the right values."""
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        return {}
    method = message.get("method") if isinstance(message, dict) else None
    params = message.get("params") if isinstance(method, str) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    if method != "server/discover" and not (isinstance(meta, dict) and ENVELOPE & meta.keys()):
        return {}
    version = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
    fields = {"MCP-Protocol-Version": version if isinstance(version, str) else MODERN, "Mcp-Method": str(method)}
    name = (params or {}).get("uri" if method == "resources/read" else "name")
    return fields | ({"Mcp-Name": _wrapped(name)} if isinstance(name, str) else {})


def _wrapped(text: str) -> str:
    """Return a text as a field holds it (transports, request headers)."""
    if text.isascii() and text.isprintable() and text == text.strip():
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'replace')).decode()}?="


def over_stdio(environment: dict[str, str]) -> Client:
    """Return a connection to a process of its own."""
    return Child([*SERVE, "--fail-closed", "ask", "--backend", "mock"], {"PHOCINAE_AUDIT": "false"} | environment)


ARMS: dict[str, Callable[[dict[str, str]], Client]] = {
    "conversation": lambda _environment: InMemory(),
    "stdio": over_stdio,
    "http": Posts,
}
"""How to reach a server; each is given the environment of child processes."""

REVISIONS = (*LEGACY, MODERN)
