"""What becomes of the message of one HTTP request: how it is read, its calls, what they say meanwhile, and the end.

Each request has a conversation of its own, which goes on from where the session of the
request stands, if it has one.
"""

from __future__ import annotations

import asyncio
import secrets
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
from ...mcp.http_rules import Fields, Form, Header, HttpRefusal
from ...mcp.http_sessions import HEADER, Session, Sessions
from ...mcp.jsonrpc import BadFrame, Batch, ErrorCode, Message, Refusal, Reply, Request, Response, decode, encode
from ...mcp.open_calls import Call
from ...mcp.operations import Initialize
from ...mcp.revisions import Revision
from .pool import Job

PRINCIPAL = "http"
"""Who asks, as far as it can be known here: so a question asked over HTTP is not answered over another transport."""

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
    """The answer to one request on its way; made and read on the event loop, which calls need not be on.

    `name` is what the ids of its questions to the client begin with, and nobody can guess.
    `ended` is called when it `is_over`.
    """

    def __init__(self, server: Server, fields: Fields, sessions: Sessions | None = None) -> None:
        """Belong to a request with `fields`."""
        self.modern = False
        self.status = 200
        self.headers: tuple[Header, ...] = ()
        self.forms = rules.forms(fields)
        self.message: Message | Batch | None = None
        self.session: Session | None = None
        self.name = ""
        self.is_over = False
        self.ended: Callable[[], None] = _nothing
        self._server = server
        self._fields = fields
        self._sessions = sessions
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._conversation: Conversation | None = None
        self._reply: bytes | None = None
        self._calls: tuple[Call, ...] = ()
        self._jobs: list[Job] = []
        self._left = 0

    def begin(self, body: bytes) -> Step:
        """Return what the message leads to; never raise."""
        self.message = message = decode(body)
        way = route(message, self._fields, self._server.handlers.toolbox)
        self.modern = isinstance(way, Modern)
        if not self.forms and isinstance(message, Request | Batch):
            return self._refused(_NOT_ACCEPTABLE, 406)
        if way.refusal is not None:
            return self._refused(way.refusal)
        if isinstance(way, Legacy) and way.revision is not None:
            return self._go_on(message, way.revision)
        conversation = self._open()
        step = conversation.take(message, self._deliver)
        if self._sessions is not None and isinstance(way, Legacy) and conversation.agreed is not None:
            ident = self._sessions.begin(conversation.agreed)
            self.headers = () if ident is None else ((HEADER, ident),)
        return step

    def _go_on(self, message: Message | Batch, revision: Revision) -> Step:
        """Take a message of a handshake revision, in its session if it names one."""
        found = None if self._sessions is None else self._sessions.find(self._fields)
        if isinstance(found, HttpRefusal):
            return self._refused(Refusal(ErrorCode.INVALID_REQUEST, found.message), found.status)
        if found is None or self._sessions is None:
            conversation = self._open()
            conversation.agree(Initialize(revision))
            return conversation.take(message, self._deliver)
        # the session's revision holds: a client whose fields name another served one means no other session
        self.session = found
        conversation, level = self._open(), self._sessions.level(found)
        conversation.agree(found.agreed, level)
        step = conversation.take(message, self._deliver)
        if conversation.level is not None and conversation.level is not level:
            self._sessions.keep_level(found, conversation.level)
        return step

    def _refused(self, refusal: Refusal, status: int | None = None) -> Step:
        step = self._server.open().take(BadFrame(refusal, _id(self.message)), self._deliver)
        self.status = status or self.status
        return step

    def reply(self, response: Response) -> Step:
        """Return what comes of the client's reply to a question that this request has asked."""
        step = self._conversation.take(response) if self._conversation is not None else Step()
        for frame in step.replies:
            self._end(frame)
        return step

    def waits(self, step: Step) -> bool:
        """Whether the reply is still to come, from a thread or from the client that is asked something."""
        asking = () if self._conversation is None else self._conversation.open.all()
        self._calls = tuple({*step.calls, *asking})
        self._left = len(self._calls)
        return not step.replies and bool(self._calls)

    def jobs(self, step: Step) -> list[Job]:
        """Return what is to be done for the calls of `step`."""
        self._jobs = [self.job(call) for call in step.calls]
        return self._jobs

    def job(self, call: Call) -> Job:
        """Return what is to be done for a call that goes on."""
        return Job(partial(self._run, call))

    def busy(self, step: Step) -> bytes:
        """Close the calls of `step`, and return what is answered where too much is asked already."""
        for call in step.calls:
            call.cancel()
        self.status, self.headers = rules.TOO_BUSY.status, rules.TOO_BUSY.headers
        refusal = Refusal(ErrorCode.INTERNAL_ERROR, rules.TOO_BUSY.message)
        return encode(Reply(_id(self.message), refusal))

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
                self._end(frame)

    def hang_up(self) -> None:
        """End what waits for the client, which will not be heard any more: questions, and subscriptions."""
        for frame in () if self._conversation is None else self._conversation.hang_up():
            self._end(frame)

    def cancel(self) -> None:
        """Answer nothing any more."""
        for call in self._calls:
            call.cancel()
        for job in self._jobs:
            job.is_lost = True

    def _open(self) -> Conversation:
        """Return a conversation, which may say more than its reply to a client that takes events.

        A batch has one reply in the end, and what its calls say meanwhile could not be told apart.
        """
        channel = None
        if Form.EVENTS in self.forms and isinstance(self.message, Request):
            self.name = "" if self.session is None else secrets.token_hex(16)
            channel = Channel(send=self._send, later=self._later, name=self.name)
        self._conversation = self._server.open(channel, PRINCIPAL, start=self._start)
        return self._conversation

    def _run(self, call: Call) -> None:
        frame = call.run()
        if frame is not None or call.is_cancelled:  # else its client is asked, or somebody else has the last word
            self._soon(partial(self._over, frame))

    def _over(self, frame: bytes | None) -> None:
        self._left -= 1
        if frame is not None or not self._left:
            self._end(frame)

    def _end(self, frame: bytes | None) -> None:
        self.is_over = True
        self._news.put_nowait(Last(frame))
        self.ended()

    def _deliver(self, reply: Reply | None) -> bytes | None:
        if reply is None:
            return None
        self.status = rules.status_of(reply, modern=self.modern)
        self._reply = encode(reply)
        return self._reply

    def _send(self, frame: bytes) -> None:
        # where nobody answered a question in time, the reply to the call itself comes this way
        self._soon(partial(self._over if frame is self._reply else self._tell, frame))

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


def _nothing() -> None:
    pass


def _id(message: Message | Batch | None) -> str | int | None:
    return message.id if isinstance(message, Request | BadFrame) else None
