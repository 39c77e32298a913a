"""One HTTP request as it comes in through ASGI, and its one response: JSON at once, or events as they happen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, TypeAlias

from ...mcp.http_rules import Fields, Header, HttpRefusal, event, has_body

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LINGER = 0.5
"""How many seconds a refused client may go on sending, so that it gets to read why."""

JSON: tuple[Header, ...] = (("content-type", "application/json"),)
EVENTS: tuple[Header, ...] = (("content-type", "text/event-stream"), ("x-accel-buffering", "no"))
_NOT_KEPT: tuple[Header, ...] = (("cache-control", "no-store"),)
_CLOSE: tuple[Header, ...] = (("connection", "close"),)


class HungUp(Exception):
    """The client closed the connection."""


class Exchange:
    """One request as it comes in, and its one response."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, fields: Fields, shared: tuple[Header, ...]) -> None:
        self.fields = fields
        self.method: str = scope["method"]
        self.version: str = scope["http_version"]
        self.read = False
        self.answered = False
        self._receive = receive
        self._send = send
        self._shared = shared

    async def piece(self) -> bytes:
        """Return the next bytes of the body, after the last of which it is `read`."""
        received = await self._receive()
        if received["type"] != "http.request":
            raise HungUp
        self.read = not received.get("more_body", False)
        piece: bytes = received.get("body", b"")
        return piece

    async def hung_up(self) -> None:
        """Wait until the client closes the connection."""
        while (await self._receive())["type"] == "http.request":
            pass

    async def respond(
        self, status: int, body: bytes = b"", headers: tuple[Header, ...] = (), *, close: bool = False
    ) -> None:
        """Send the one response."""
        close = close or self._in_chunks
        fields = headers if status == 204 else (*headers, ("content-length", str(len(body))))
        await self._start(status, (*fields, *_CLOSE) if close else fields)
        linger = close and not self.read
        await self._send({"type": "http.response.body", "body": body, "more_body": linger})
        if linger:
            await self._linger()
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def stream(self, frame: bytes) -> None:
        """Send `frame` as one event, of which there may be more."""
        if not self.answered:
            await self._start(200, (*EVENTS, *_CLOSE) if self._in_chunks else EVENTS)
        await self._send({"type": "http.response.body", "body": event(frame), "more_body": True})

    async def end_stream(self, frame: bytes | None) -> None:
        """Send the last event of a stream, or none, and end it."""
        body = b"" if frame is None else event(frame)
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def refuse(self, refusal: HttpRefusal) -> None:
        """Turn the request away, and the rest of the connection with it where a body is not read."""
        unread = not self.read and (has_body(self.fields) or refusal.status == 400)
        await self.respond(refusal.status, refusal.body(), (*JSON, *_NOT_KEPT, *refusal.headers), close=unread)

    @property
    def _in_chunks(self) -> bool:
        """Whether nothing may follow on the connection: the ends of chunks are where readers disagree most."""
        return bool(self.fields.all("transfer-encoding"))

    async def _linger(self) -> None:
        """Throw the rest of the body away for a moment: closing at once would take the response away as well."""
        with suppress(TimeoutError, HungUp):
            async with asyncio.timeout(LINGER):
                while not self.read:
                    await self.piece()

    async def _start(self, status: int, headers: tuple[Header, ...]) -> None:
        self.answered = True
        fields = (*headers, *self._shared)
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})
