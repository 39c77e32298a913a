"""What becomes of the message of one HTTP request: how it is read, its calls, what they say meanwhile, and the end.

Whoever asks is known by nothing but the request itself, so each request has a
conversation of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from attrs import frozen

from ...mcp import http_rules as rules
from ...mcp.asking import Channel
from ...mcp.conversation import Conversation, Server, Step
from ...mcp.http_routing import Legacy, Modern, route
from ...mcp.http_rules import Fields, Form, Header
from ...mcp.jsonrpc import BadFrame, Batch, ErrorCode, Message, Refusal, Reply, Request, decode, encode
from ...mcp.open_calls import Call
from .pool import Job

BACKLOG = 1_000
"""How many frames may wait for a client to take them; what a call says beyond that is left out."""

_NOT_ACCEPTABLE = Refusal(
    ErrorCode.INVALID_REQUEST, "Not acceptable: Accept must take application/json or text/event-stream"
)


@frozen
class Last:
    """The end of a request: the frame that answers it, or None for none."""

    frame: bytes | None


News: TypeAlias = bytes | Last
"""What goes to the client: a frame that is no reply, or the end."""


class Answer:
    """The answer to one request on its way; made and read on the event loop, which calls need not be on."""

    def __init__(self, server: Server, fields: Fields) -> None:
        """Belong to a request with `fields`."""
        self.modern = False
        self.status = 200
        self.headers: tuple[Header, ...] = ()
        self.forms = rules.forms(fields)
        self._server = server
        self._fields = fields
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._message: Message | Batch | None = None
        self._calls: tuple[Call, ...] = ()
        self._jobs: list[Job] = []
        self._left = 0

    def begin(self, body: bytes) -> Step:
        """Return what the message leads to; never raise."""
        message = decode(body)
        self._message = message
        way = route(message, self._fields, self._server.handlers.toolbox)
        self.modern = isinstance(way, Modern)
        conversation = self._open(message)
        if not self.forms and isinstance(message, Request | Batch):
            step = conversation.take(BadFrame(_NOT_ACCEPTABLE, _id(message)), self._deliver)
            self.status = 406
            return step
        if way.refusal is not None:
            return conversation.take(BadFrame(way.refusal, _id(message)), self._deliver)
        if isinstance(way, Legacy) and way.revision is not None:
            conversation.agree(way.revision)
        return conversation.take(message, self._deliver)

    def jobs(self, step: Step) -> list[Job]:
        """Return what is to be done for the calls of `step`."""
        self._calls = step.calls
        self._left = len(step.calls)
        self._jobs = [Job(partial(self._run, call)) for call in step.calls]
        return self._jobs

    def busy(self, step: Step) -> bytes:
        """Close the calls of `step`, and return what is answered where too much is asked already."""
        for call in step.calls:
            call.cancel()
        self.status, self.headers = rules.TOO_BUSY.status, rules.TOO_BUSY.headers
        refusal = Refusal(ErrorCode.INTERNAL_ERROR, rules.TOO_BUSY.message)
        return encode(Reply(_id(self._message), refusal))

    async def news(self) -> News | None:
        """Return what is to be sent next, once there is something, or None when the client has hung up."""
        return await self._news.get()

    def hung_up(self) -> None:
        """Have `news` tell that nobody is there any more."""
        self._news.put_nowait(None)

    def give_up(self) -> None:
        """Answer in the place of the calls that are still open."""
        for call in self._calls:
            frame = call.give_up()
            if frame is not None:
                self._news.put_nowait(Last(frame))

    def cancel(self) -> None:
        """Answer nothing any more."""
        for call, job in zip(self._calls, self._jobs, strict=True):
            call.cancel()
            job.is_lost = True

    def _open(self, message: Message | Batch) -> Conversation:
        """Return a conversation, which may say more than its reply to a client that takes events.

        A batch has one reply in the end, and what its calls say meanwhile could not be told apart.
        """
        if Form.EVENTS not in self.forms or not isinstance(message, Request):
            return self._server.open()
        return self._server.open(Channel(send=self._send, later=self._later, start=self._start))

    def _run(self, call: Call) -> None:
        frame = call.run()
        if frame is not None or not call.is_open:  # a subscription stays open
            self._soon(partial(self._over, frame))

    def _over(self, frame: bytes | None) -> None:
        self._left -= 1
        if frame is not None or not self._left:
            self._news.put_nowait(Last(frame))

    def _deliver(self, reply: Reply | None) -> bytes | None:
        if reply is None:
            return None
        self.status = rules.status_of(reply, modern=self.modern)
        return encode(reply)

    def _send(self, frame: bytes) -> None:
        self._soon(partial(self._tell, frame))

    def _tell(self, frame: bytes) -> None:
        if self._news.qsize() < BACKLOG:
            self._news.put_nowait(frame)

    def _later(self, seconds: float, work: Callable[[], None]) -> Callable[[], None]:
        timers: list[asyncio.TimerHandle] = []

        def stop() -> None:
            for timer in timers:
                timer.cancel()

        self._soon(lambda: timers.append(self._loop.call_later(seconds, work)))
        return lambda: self._soon(stop)

    def _start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _soon(self, work: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile, and nobody waits any longer
            self._loop.call_soon_threadsafe(work)


def _id(message: Message | Batch | None) -> str | int | None:
    return message.id if isinstance(message, Request | BadFrame) else None
