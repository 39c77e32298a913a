"""HTTP servers of the tests on this machine, and a client that sends exactly the bytes that it is told to."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any

from attrs import frozen

from phocinae.adapters.transports.http_app import HttpApp
from phocinae.adapters.transports.http_connection import Patience
from phocinae.adapters.transports.http_server import Application, HttpServer, listen
from phocinae.domain.levels import Level

Json = dict[str, Any]

MODERN = "2026-07-28"
META: Json = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


@frozen
class Response:
    """One response: its status, its fields in lower case, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as the JSON that it is, or that its one event holds."""
        text = self.body.decode()
        if self.headers["content-type"] == "text/event-stream":
            match = re.fullmatch(r"event: message\ndata: (.*)\n\n", text)
            assert match, text
            text = match[1]
        return json.loads(text)


class Connection:
    """One connection to a port of this machine."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection((host, port), 20)
        self._buffer = b""

    def __del__(self) -> None:
        """Leave nothing open where a test failed halfway."""
        with suppress(AttributeError):
            self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def response(self, *, head: bool = False) -> Response | None:
        """Return the next response, or None when the connection is closed; to a `head` request there is no body."""
        while b"\r\n\r\n" not in self._buffer:
            if not self._more():
                return None
        raw, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if headers.get("transfer-encoding") == "chunked" and not head:
            return Response(int(first.split()[1]), headers, self._chunks())
        length = 0 if head else int(headers.get("content-length", "0"))
        while len(self._buffer) < length and self._more():
            pass
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return Response(int(first.split()[1]), headers, body)

    def rest(self) -> bytes:
        """Return all that comes before the server closes the connection."""
        while self._more():
            pass
        rest, self._buffer = self._buffer, b""
        return rest

    def is_closed(self) -> bool:
        """Wait until the server closes the connection, and tell whether it did so without saying any more."""
        return not self._more() and not self._buffer

    def close(self) -> None:
        self.socket.close()

    def _chunks(self) -> bytes:
        whole = b""
        while True:
            while b"\r\n" not in self._buffer:
                assert self._more()
            size, _, self._buffer = self._buffer.partition(b"\r\n")
            length = int(size, 16) + 2
            while len(self._buffer) < length:
                assert self._more()
            piece, self._buffer = self._buffer[: length - 2], self._buffer[length:]
            if not piece:
                return whole
            whole += piece

    def _more(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            return False
        self._buffer += data
        return bool(data)


def named(message: object) -> dict[str, str]:
    """Return the fields that a modern request needs, with the right values."""
    if not isinstance(message, dict) or not isinstance(params := message.get("params"), dict) or "_meta" not in params:
        return {}
    fields = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
    name = params.get("uri") if message["method"] == "resources/read" else params.get("name")
    return fields | ({"Mcp-Name": name} if isinstance(name, str) else {})


def request(
    message: object, *, method: str = "POST", path: str = "/mcp", host: str = "127.0.0.1", **fields: str | None
) -> bytes:
    """Return the bytes of one request; `fields` change its fields, where None takes one out."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    lowered = {name.lower() for name in given}
    usual = {"Host": host, "Content-Type": "application/json", "Content-Length": str(len(body)), **named(message)}
    kept = {name: value for name, value in usual.items() if name.lower() not in lowered} | given
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in kept.items() if value is not None)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def modern(method: str, params: Json | None = None, ident: object = 1) -> Json:
    """Return a modern request."""
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": {**(params or {}), "_meta": META}}


def call(name: str, arguments: Json, ident: object = 1) -> Json:
    """Return a modern call of a tool."""
    return modern("tools/call", {"name": name, "arguments": arguments}, ident)


def ask(port: int, message: object, *, address: str = "127.0.0.1", **options: Any) -> Response:
    """Return the response to one request on a connection of its own."""
    connection = Connection(port, address)
    try:
        connection.send(request(message, **options))
        response = connection.response(head=options.get("method") == "HEAD")
        assert response is not None
        return response
    finally:
        connection.close()


@contextmanager
def running(app: Application, patience: Patience | None = None, lines: list[str] | None = None) -> Iterator[int]:
    """Serve `app` on a thread meanwhile; the port is a free one.  Log lines are appended to `lines`."""

    def log(_level: Level, message: str, _threshold: Level | None = None, /) -> None:
        if lines is not None:
            lines.append(message)

    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    server = HttpServer(app, sockets, log, patience)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield port
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()
        with suppress(OSError):
            sockets[0].close()


async def posted(app: HttpApp, message: Json, accept: bytes = b"application/json, text/event-stream") -> bytes:
    """Return the body of the response of an application to `message`, on the event loop of the caller."""
    body, sent, asked = json.dumps(message).encode(), b"", asyncio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if asked.is_set():
            await asyncio.Event().wait()
        asked.set()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: MutableMapping[str, Any]) -> None:
        nonlocal sent
        sent += event.get("body", b"")

    headers = [
        (b"host", b"127.0.0.1"),
        (b"content-type", b"application/json"),
        (b"accept", accept),
        (b"content-length", str(len(body)).encode()),
    ]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "http_version": "1.1", "headers": headers}
    await app(scope, receive, send)
    return sent
