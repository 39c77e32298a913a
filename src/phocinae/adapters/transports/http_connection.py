"""One connection of the HTTP server, with the deadlines and the strictness that uvicorn leaves to others.

h11 reads the bytes.  What it takes kindly, and another reader of the same bytes may take
otherwise, is refused here: bare line feeds and folded lines in the head, a length that is
there twice, and a second request before the first one is answered (RFC 9112, sections 2.2, 5.2 and 9.3.2).
"""

from __future__ import annotations

import asyncio
import re
from asyncio import TimerHandle
from typing import Any, cast

import h11
from attrs import frozen
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...mcp.http_rules import FULL, HttpRefusal

HEAD_BYTES = 16 * 1024
"""The longest head of a request, in bytes."""

_AMBIGUOUS = re.compile(rb"(?<!\r)\n|\r[^\n]|\n[ \t]")
_LENGTHS = re.compile(rb"\ncontent-length:([^\r\n]*)", re.IGNORECASE)
_CLOSE = (b"connection", b"close")


@frozen(kw_only=True)
class Patience:
    """How many seconds a client has: for the `head` of a request, `idle` until the next one, `taking` an answer.

    `connections` may be open at once.
    """

    head: float = 10.0
    idle: int = 60
    taking: float = 10.0
    connections: int = 512


class Connection(H11Protocol):
    """A connection whose client has `patience`."""

    patience = Patience()

    _timer: TimerHandle | None = None
    _taking: TimerHandle | None = None
    _turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a request, or turn the client away where too many are here."""
        super().connection_made(cast(asyncio.Transport, Together(transport)))
        if len(self.connections) > self.patience.connections:
            self._turn_away(FULL, "Service Unavailable")
            return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadlines."""
        self._stop_waiting()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request, as far as they can be read in one way only."""
        if self._turned_away or self.transport.is_closing():
            return
        if self._between_requests():
            if self._timer is None:
                self._wait_for_head()
            fault = _fault(self.conn.trailing_data[0] + data)
            if fault is not None:
                self.send_400_response(fault)
                return
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # it sends rubbish while it is already answered
            self.transport.abort()
            return
        if not self._between_requests():
            self._stop_waiting()
            if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
                self._answer_and_close()

    def on_response_complete(self) -> None:
        """Give the client time for the next request, and only so much to take this answer."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self._close_soon()

    def pause_writing(self) -> None:
        """Wait for the client to take what was sent, but not for ever."""
        super().pause_writing()
        self._close_soon()

    def resume_writing(self) -> None:
        """Go on sending."""
        super().resume_writing()
        if self._taking is not None and not self.transport.is_closing():
            self._taking.cancel()
            self._taking = None

    def send_400_response(self, msg: str) -> None:
        """Turn away who sends what is no HTTP, or not surely; with nothing where an answer is on its way."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()
            return
        if self.cycle is not None:
            self.cycle.disconnected = True  # whoever reads the body learns that there is no more
            self.cycle.message_event.set()
        self._turn_away(HttpRefusal(400, f"Bad request: {msg}"), "Bad Request")

    def shutdown(self) -> None:
        """Close the connection as soon as nothing is to be answered on it."""
        try:
            super().shutdown()
        except h11.LocalProtocolError:
            self.transport.abort()

    def _between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_head(self) -> None:
        self._timer = self.loop.call_later(self.patience.head, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        if self.conn.trailing_data[0]:
            self._turn_away(HttpRefusal(408, "Request timeout: the head did not come in time"), "Request Timeout")
        else:
            self.transport.close()

    def _turn_away(self, refusal: HttpRefusal, reason: str) -> None:
        """Send a response that stands for no request, and close."""
        self._turned_away = True
        body = refusal.body()
        lines = [
            f"HTTP/1.1 {refusal.status} {reason}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        lines += [f"{name}: {value}" for name, value in refusal.headers]
        lines += ["Connection: close", "", ""]
        self.transport.write("\r\n".join(lines).encode("ascii") + body)
        self.transport.close()
        self._close_soon()

    def _answer_and_close(self) -> None:
        """Answer what is asked, and nothing that was sent along before the answer was there."""
        self.cycle.keep_alive = False
        self.headers.append(_CLOSE)  # the list that uvicorn looks into for whether to say so in the response

    def _close_soon(self) -> None:
        """Cut the connection when what was sent has not been taken in time."""
        if self._taking is None:
            self._taking = self.loop.call_later(self.patience.taking, self.transport.abort)


class Together:
    """A transport that sends the head of a response together with what follows, as one segment and with one call."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._head = b""

    def __getattr__(self, name: str) -> Any:
        """Return what the transport has under `name`."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send `data`, or keep it until the next call if it is the head of a final response."""
        if not self._head and data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 1"):
            self._head = data
            return
        head, self._head = self._head, b""
        self._transport.write(head + data)

    def close(self) -> None:
        """Send what was written, and close."""
        if self._head:
            self.write(b"")
        self._transport.close()


def _fault(head: bytes) -> str | None:
    """Return what readers take differently in the head of a request, so far as it is there, or None."""
    end = head.find(b"\r\n\r\n")
    head = head if end < 0 else head[:end]
    if len(head) > HEAD_BYTES:  # h11 counts only while a head has no end
        return "the head of a request is too long"
    if _AMBIGUOUS.search(head) is not None:
        return "a bare or folded line end in the head of a request"
    if b"," in b",".join(_LENGTHS.findall(head)):  # h11 makes one of those that are equal
        return "more than one Content-Length"
    return None
