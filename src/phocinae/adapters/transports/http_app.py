"""The MCP endpoint as an ASGI application: each request gets one response, in JSON or as one event.

Requests are decided one by one, and nothing is remembered between them.  What needs no
waiting is answered on the event loop; what may wait for others goes to a few threads, and
so does what takes long to read.  A modern client that hangs up cancels its call; one of a
handshake revision may only have lost its connection, so its call goes on (transports,
cancellation).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar

from attrs import frozen
from starlette.routing import Route, Router

from ...mcp import http_rules as rules
from ...mcp.conversation import Server, Step
from ...mcp.http_routing import Modern, route
from ...mcp.http_rules import Admission, Fields, Form, Header, HttpRefusal
from ...mcp.jsonrpc import FRAME_LIMIT, BadFrame, Batch, ErrorCode, Message, Refusal, Reply, Request, decode, encode
from ...mcp.open_calls import Call
from ...mcp.operations import Level
from .pool import Job, Pool

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

Handle: TypeAlias = "Callable[[_Exchange], Awaitable[None]]"

_Result = TypeVar("_Result")

WORKERS = 16
"""How many calls run at once; they wait for others and do little themselves."""

QUICK = 8 * 1024
"""The longest message, in bytes, that is read on the event loop: a longer one would hold the others up."""

LINGER = 0.5
"""How many seconds a refused client may go on sending, so that it gets to read why."""

_NOT_ACCEPTABLE = Refusal(
    ErrorCode.INVALID_REQUEST, "Not acceptable: Accept must take application/json or text/event-stream"
)
_BROKEN = HttpRefusal(500, "Internal error")


@frozen(kw_only=True)
class Limits:
    """How much a client may ask for.

    A `body` is in bytes, and so is all that is `held` of bodies at one time; `seconds` is
    how long one may take to arrive.  `calls` may be open at once, run or waiting.
    """

    body: int = FRAME_LIMIT
    held: int = 64 * 1024 * 1024
    seconds: float = 15.0
    calls: int = 256


class _HungUp(Exception):
    """The client closed the connection."""


class HttpApp:
    """An ASGI application with the MCP endpoint at `path`, with and without a slash behind it."""

    def __init__(self, server: Server, *, path: str, admission: Admission, limits: Limits) -> None:
        """Serve `server` to those whom `admission` lets in."""
        self._server = server
        self._admission = admission
        self._limits = limits
        self._calls = Pool(WORKERS)
        self._readers = Pool(2)
        self._held = 0
        self._waiting: set[_Waiting] = set()
        routes = [Route(spelling, _Door(self, self._endpoint)) for spelling in (path, path + "/")]
        self._router = Router(routes, redirect_slashes=False, default=_Door(self, self._elsewhere))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        await self._router(scope, receive, send)

    def give_up(self) -> None:
        """Answer all calls that are still open in the place of those who do not answer."""
        for waiting in tuple(self._waiting):
            waiting.give_up()

    async def admit(self, exchange: _Exchange, handle: Handle) -> None:
        """Let the request come to `handle`, or refuse it; whatever happens, it is answered once."""
        try:
            refusal = self._admission.refusal(exchange.fields)
            await (handle(exchange) if refusal is None else exchange.refuse(refusal))
        except _HungUp:
            return
        except asyncio.CancelledError:
            if not exchange.answered:
                await exchange.refuse(rules.STOPPING)
            raise
        except Exception as error:  # the last resort: no text of an unforeseen error leaves the server
            self._server.log(Level.ERROR, f"a request failed: internal error ({type(error).__name__})")
            if exchange.answered:
                raise
            await exchange.refuse(_BROKEN)

    def shared_with(self, fields: Fields) -> tuple[Header, ...]:
        """Return the fields that every response has to a request with `fields`."""
        return self._admission.shared_with(fields)

    async def _endpoint(self, exchange: _Exchange) -> None:
        fields = exchange.fields
        if exchange.method == "OPTIONS" and (allowed := self._admission.preflight(fields)) is not None:
            await exchange.respond(204, b"", allowed)
            return
        refusal = (
            self._admission.unauthorized(fields)
            or rules.wrong_method(exchange.method, self._admission)
            or rules.misframed(fields, exchange.version, self._limits.body)
            or rules.not_json(fields)
        )
        if refusal is not None:
            await exchange.refuse(refusal)
            return
        await self._message(exchange)

    async def _elsewhere(self, exchange: _Exchange) -> None:
        await exchange.refuse(rules.NO_ENDPOINT)

    async def _message(self, exchange: _Exchange) -> None:
        """Read the message and answer it."""
        body = await self._body(exchange)
        if isinstance(body, HttpRefusal):
            await exchange.refuse(body)
            return
        answer = _Answer(self._server, exchange.fields)
        if len(body) <= QUICK and body.lstrip()[:1] != b"[":
            step = answer.begin(body)
        else:
            step = await self._on_thread(partial(answer.begin, body))
        frame = await self._finished(exchange, answer, step)
        if frame is None:
            await exchange.respond(202)
        elif answer.status == 200 and Form.JSON not in answer.forms:
            await exchange.respond(200, rules.event(frame), _EVENTS)
        else:
            await exchange.respond(answer.status, frame, (*_JSON, *answer.headers))

    async def _body(self, exchange: _Exchange) -> bytes | HttpRefusal:
        """Return the body, or why it is not read to its end."""
        pieces: list[bytes] = []
        size, limits = 0, self._limits
        try:
            async with asyncio.timeout(limits.seconds):
                while not exchange.read:
                    piece = await exchange.piece()
                    size += len(piece)
                    self._held += len(piece)
                    pieces.append(piece)
                    if size > limits.body:
                        return rules.too_large(limits.body)
                    if self._held > limits.held:
                        return rules.TOO_BUSY
        except TimeoutError:
            return rules.BODY_TOO_SLOW
        finally:
            self._held -= size
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def _on_thread(self, work: Callable[[], _Result]) -> _Result:
        """Return what `work` returns on a thread; it must not raise."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[_Result] = loop.create_future()
        self._readers.submit(Job(lambda: _soon(loop, partial(_settle, result, work()))))
        return await result

    async def _finished(self, exchange: _Exchange, answer: _Answer, step: Step) -> bytes | None:
        """Return the frame to send, once it is there, or None for none."""
        if not step.calls:
            return step.replies[0] if step.replies else None
        if self._calls.open + len(step.calls) > self._limits.calls:
            return answer.busy(step)
        waiting = _Waiting(step)
        self._waiting.add(waiting)
        waiting.frame.add_done_callback(lambda _frame: self._waiting.discard(waiting))
        for job in waiting.jobs:
            self._calls.submit(job)
        try:
            return await exchange.unless_hung_up(waiting.frame)
        except (_HungUp, asyncio.CancelledError):
            if answer.modern:
                waiting.cancel()
                self._calls.relieve()
            raise


class _Door:
    """Where the router hands requests over: an ASGI application again, since the router takes no plain method."""

    def __init__(self, app: HttpApp, handle: Handle) -> None:
        self._app = app
        self._handle = handle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        fields = Fields(scope["headers"])
        exchange = _Exchange(scope, receive, send, fields, self._app.shared_with(fields))
        await self._app.admit(exchange, self._handle)


class _Answer:
    """What becomes of the message of one request: how it is read, and the status of the response.

    Whoever asks is known by nothing but the request itself, so each gets a conversation of
    its own.
    """

    def __init__(self, server: Server, fields: Fields) -> None:
        self._server = server
        self._fields = fields
        self.modern = False
        self.status = 200
        self.headers: tuple[Header, ...] = ()
        self.forms = rules.forms(fields)
        self._message: Message | Batch | None = None

    def begin(self, body: bytes) -> Step:
        """Return what the message leads to; never raise."""
        message = decode(body)
        self._message = message
        way = route(message, self._fields, self._server.handlers.toolbox)
        self.modern = isinstance(way, Modern)
        conversation = self._server.open()
        if not self.forms and isinstance(message, Request | Batch):
            step = conversation.take(BadFrame(_NOT_ACCEPTABLE, _id(message)), self._deliver)
            self.status = 406
            return step
        if way.refusal is not None:
            return conversation.take(BadFrame(way.refusal, _id(message)), self._deliver)
        if not isinstance(way, Modern) and way.revision is not None:
            conversation.agree(way.revision)
        return conversation.take(message, self._deliver)

    def busy(self, step: Step) -> bytes:
        """Close the calls of `step`, and return what is answered where too much is asked already."""
        for call in step.calls:
            call.cancel()
        self.status, self.headers = rules.TOO_BUSY.status, rules.TOO_BUSY.headers
        refusal = Refusal(ErrorCode.INTERNAL_ERROR, rules.TOO_BUSY.message)
        return encode(Reply(_id(self._message), refusal))

    def _deliver(self, reply: Reply | None) -> bytes | None:
        if reply is None:
            return None
        self.status = rules.status_of(reply, modern=self.modern)
        return encode(reply)


class _Waiting:
    """The calls of one request that are on their way, and the frame that goes back in the end."""

    def __init__(self, step: Step) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls = step.calls
        self._left = len(step.calls)
        self.jobs = [Job(partial(self._run, call)) for call in step.calls]
        self.frame: asyncio.Future[bytes | None] = self._loop.create_future()

    def give_up(self) -> None:
        """Answer in the place of the calls that are still open."""
        for call in self._calls:
            frame = call.give_up()
            if frame is not None:
                _settle(self.frame, frame)

    def cancel(self) -> None:
        """Answer nothing any more."""
        for call, job in zip(self._calls, self.jobs, strict=True):
            call.cancel()
            job.is_lost = True
        _settle(self.frame, None)

    def _run(self, call: Call) -> None:
        frame = call.run()
        _soon(self._loop, partial(self._over, frame))

    def _over(self, frame: bytes | None) -> None:
        self._left -= 1
        if frame is not None or not self._left:
            _settle(self.frame, frame)


class _Exchange:
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
        event = await self._receive()
        if event["type"] != "http.request":
            raise _HungUp
        self.read = not event.get("more_body", False)
        piece: bytes = event.get("body", b"")
        return piece

    async def unless_hung_up(self, frame: asyncio.Future[bytes | None]) -> bytes | None:
        """Return what is in `frame`, once it is there; raise `_HungUp` when the client is gone before."""
        gone = asyncio.ensure_future(self._hung_up())
        try:
            await asyncio.wait((frame, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if frame.done():
            return frame.result()
        raise _HungUp

    async def _hung_up(self) -> None:
        while (await self._receive())["type"] == "http.request":
            pass

    async def respond(
        self, status: int, body: bytes = b"", headers: tuple[Header, ...] = (), *, close: bool = False
    ) -> None:
        """Send the one response."""
        self.answered = True
        # the ends of chunks are where readers disagree most, so nothing may follow them
        close = close or bool(self.fields.all("transfer-encoding"))
        fields = [*headers, *self._shared, ("cache-control", "no-store")]
        if status != 204:
            fields.append(("content-length", str(len(body))))
        if close:
            fields.append(("connection", "close"))
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})
        linger = close and not self.read
        await self._send({"type": "http.response.body", "body": body, "more_body": linger})
        if linger:
            await self._linger()
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def refuse(self, refusal: HttpRefusal) -> None:
        """Turn the request away, and the rest of the connection with it where a body is not read."""
        unread = not self.read and (rules.has_body(self.fields) or refusal.status == 400)
        await self.respond(refusal.status, refusal.body(), (*_JSON, *refusal.headers), close=unread)

    async def _linger(self) -> None:
        """Throw the rest of the body away for a moment: closing at once would take the response away as well."""
        with suppress(TimeoutError, _HungUp):
            async with asyncio.timeout(LINGER):
                while not self.read:
                    await self.piece()


_JSON: tuple[Header, ...] = (("content-type", "application/json"),)
_EVENTS: tuple[Header, ...] = (("content-type", "text/event-stream"), ("x-accel-buffering", "no"))


def _id(message: Message | Batch | None) -> str | int | None:
    return message.id if isinstance(message, Request | BadFrame) else None


def _settle(future: asyncio.Future[_Result], result: _Result) -> None:
    if not future.done():
        future.set_result(result)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop was closed meanwhile, and nobody waits any longer
        loop.call_soon_threadsafe(work)
