"""The server of the stub: threads over plain sockets, in the process of the test."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import threading
from collections.abc import Callable
from functools import cached_property
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Self

from attrs import frozen

from .replies import End, Reply, Script, answering

WORD = re.compile(r"\bword[0-9a-f]{8,}\b")
"""What makes a command unique, where a test wants to find what was answered to it."""
LONGEST = 8 * 1024 * 1024
"""The longest request that is read, in bytes."""


@frozen(kw_only=True)
class Received:
    """One request as it came; names of header fields are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @cached_property
    def json(self) -> Any:
        """The body as JSON; an empty object where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def state(self) -> str:
        """The state that is asked about, or an empty text."""
        return str(self.json.get("state", ""))

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The questions that are asked."""
        return list(self.json.get("questions", ()))

    @cached_property
    def word(self) -> str:
        """The unique word of the command, or an empty text."""
        found = WORD.search(self.state)
        return found[0] if found else ""


@frozen(kw_only=True)
class Logged:
    """What was answered to a request; written before the first byte of the answer is sent."""

    at: float
    word: str
    state: str
    status: int
    answers: dict[str, Any] | None
    scores: dict[str, Any] | None


def _nothing(_entry: Logged) -> None:
    """Keep no further record."""


class DecisionStub:
    """A decision service; use it in a ``with`` statement, or `start` and `stop` it.

    `script` says how to answer and may be replaced at any time.  `received` are the
    requests in order, `log` what was answered to them, `connections` the number of
    those that were accepted, over all restarts.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        record: Callable[[Logged], None] = _nothing,
    ) -> None:
        self.script = script or answering()
        self.host, self.port = host, port
        self.received: list[Received] = []
        self.log: list[Logged] = []
        self.connections = 0
        self._record = record
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener: socket.socket | None = None

    @property
    def url(self) -> str:
        """The base address of the service."""
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Listen, on the port of before if there was one."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((self.host, self.port))
        listener.listen(128)
        self.port = listener.getsockname()[1]
        self._listener, self._ended = listener, threading.Event()
        self._run(self._accept, listener, self._ended)

    def stop(self) -> None:
        """Stop listening and end every connection, as the end of a process does; wait for all threads."""
        self._ended.set()
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept, which close does not
            self._listener.close()
            self._listener = None
        with self._lock:
            connections, threads, self._threads = list(self._open), self._threads, []
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads or writes
        for thread in threads:
            thread.join()

    def restart(self) -> None:
        """Stop, and listen again on the same port."""
        self.stop()
        self.start()

    def answered(self, word: str) -> list[Logged]:
        """Return what was answered about the command with this unique word."""
        with self._lock:
            return [entry for entry in self.log if entry.word == word]

    def _run(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
            thread.start()

    def _accept(self, listener: socket.socket, ended: threading.Event) -> None:
        while not ended.is_set():
            try:
                connection, _address = listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                number = self.connections
                self._open.add(connection)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._run(self._serve, connection, number, ended)

    def _serve(self, connection: socket.socket, number: int, ended: threading.Event) -> None:
        try:
            with connection.makefile("rb") as stream:
                while not ended.is_set() and (received := read_request(stream, number)) is not None:
                    if not self._answer(connection, received, ended):
                        return
        except (OSError, ValueError):
            return
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _answer(self, connection: socket.socket, received: Received, ended: threading.Event) -> bool:
        """Answer one request; return whether the connection is to be kept."""
        with self._lock:
            self.received.append(received)
            reply = self.script(received)
            entry = _entry(received, reply)
            self.log.append(entry)
            self._record(entry)
        for piece in reply.pieces:
            if isinstance(piece, bytes):
                connection.sendall(piece)
            elif ended.wait(piece):
                return False
        if reply.end is End.HANG:
            ended.wait()
        elif reply.end is End.RESET:
            _reset(connection)
        return reply.end is End.KEEP


def _entry(received: Received, reply: Reply) -> Logged:
    return Logged(
        at=monotonic(),
        word=received.word,
        state=received.state,
        status=reply.status,
        answers=reply.answers,
        scores=reply.scores,
    )


def _reset(connection: socket.socket) -> None:
    """Let a connection end with a reset instead of a proper end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def read_request(stream: BinaryIO, connection: int) -> Received | None:
    """Return the next request of a connection, or None at its end; raise ValueError for what is none."""
    line = stream.readline(65_536)
    if not line:
        return None
    method, path, _version = line.decode("latin-1").split()
    headers: dict[str, str] = {}
    while (line := stream.readline(65_536)) not in (b"\r\n", b"\n"):
        if not line:
            return None
        name, _colon, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    length = int(headers.get("content-length", "0"))
    if length > LONGEST:
        raise ValueError("the request is too long")
    body = stream.read(length)
    if len(body) < length:
        return None
    return Received(method=method, path=path, headers=headers, body=body, connection=connection)
