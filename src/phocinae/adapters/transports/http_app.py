"""The MCP endpoint as an ASGI application: one response to each request, in JSON or as events.

Requests are decided one by one.  What needs no
waiting is answered on the event loop; what may wait for others goes to a few threads, and
so does what takes long to read.  A modern client that hangs up cancels its call; one of a
handshake revision may only have lost its connection, so its call goes on (transports,
cancellation).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from attrs import frozen
from starlette.routing import Route, Router

from ...mcp import http_rules as rules
from ...mcp.conversation import Server, Step
from ...mcp.http_routing import may_have_session
from ...mcp.http_rules import Admission, Fields, Form, Header, HttpRefusal
from ...mcp.http_sessions import MISSING, Session, Sessions
from ...mcp.jsonrpc import FRAME_LIMIT, Response
from ...mcp.operations import Level
from .http_answer import Answer, Last
from .http_exchange import EVENTS, JSON, Exchange, HungUp, Receive, Scope, Send
from .pool import Job, Pool

Handle: TypeAlias = Callable[[Exchange], Awaitable[None]]

WORKERS = 16
"""How many calls run at once; they wait for others and do little themselves."""

QUICK = 8 * 1024
"""The longest message, in bytes, that is read on the event loop: a longer one would hold the others up."""

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


class HttpApp:
    """An ASGI application with the MCP endpoint at `path`, with and without a slash behind it."""

    def __init__(
        self, server: Server, *, path: str, admission: Admission, limits: Limits, sessions: Sessions | None = None
    ) -> None:
        """Serve `server` to those whom `admission` lets in; without `sessions` there are none."""
        self._sessions = sessions
        self._server = server
        self._admission = admission
        self._limits = limits
        self._calls = Pool(WORKERS)
        self._readers = Pool(2)
        self._held = 0
        self._open: set[Answer] = set()
        routes = [Route(spelling, _Door(self, self._endpoint)) for spelling in (path, path + "/")]
        self._router = Router(routes, redirect_slashes=False, default=_Door(self, self._elsewhere))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        await self._router(scope, receive, send)

    def hang_up(self) -> None:
        """End what waits for clients; what is open besides may come to its end."""
        for answer in tuple(self._open):
            answer.hang_up()

    def give_up(self) -> None:
        """Answer all calls that are still open in the place of those who do not answer."""
        for answer in tuple(self._open):
            answer.give_up()

    async def admit(self, exchange: Exchange, handle: Handle) -> None:
        """Let the request come to `handle`, or refuse it; whatever happens, it is answered once."""
        try:
            refusal = self._admission.refusal(exchange.fields)
            await (handle(exchange) if refusal is None else exchange.refuse(refusal))
        except HungUp:
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

    async def _endpoint(self, exchange: Exchange) -> None:
        fields = exchange.fields
        if exchange.method == "OPTIONS" and (allowed := self._admission.preflight(fields)) is not None:
            await exchange.respond(204, b"", allowed)
            return
        sessions = self._sessions if may_have_session(fields) else None
        refusal = self._admission.unauthorized(fields)
        if refusal is None and exchange.method == "DELETE" and sessions is not None:
            await self._end_session(exchange, sessions)
            return
        refusal = (
            refusal
            or rules.wrong_method(exchange.method, self._admission, sessions=sessions is not None)
            or rules.misframed(fields, exchange.version, self._limits.body)
            or rules.not_json(fields)
        )
        if refusal is not None:
            await exchange.refuse(refusal)
            return
        await self._message(exchange)

    async def _end_session(self, exchange: Exchange, sessions: Sessions) -> None:
        found = sessions.find(exchange.fields) or MISSING
        if isinstance(found, HttpRefusal):
            await exchange.refuse(found)
            return
        sessions.end(found)
        await exchange.respond(204, close=rules.has_body(exchange.fields))

    async def _elsewhere(self, exchange: Exchange) -> None:
        await exchange.refuse(rules.NO_ENDPOINT)

    async def _message(self, exchange: Exchange) -> None:
        """Read the message and answer it."""
        body = await self._body(exchange)
        if isinstance(body, HttpRefusal):
            await exchange.refuse(body)
            return
        answer = Answer(self._server, exchange.fields, self._sessions)
        step = await self._begin(answer, body)
        if answer.session is not None and isinstance(answer.message, Response):
            self._reply(answer.message, answer.session)
        frame = await self._end(exchange, answer, step)
        if exchange.answered:
            await exchange.end_stream(frame)
        elif frame is None:
            await exchange.respond(202)
        elif answer.status == 200 and Form.JSON not in answer.forms:
            await exchange.respond(200, rules.event(frame), (*EVENTS, *answer.headers))
        else:
            await exchange.respond(answer.status, frame, (*JSON, *answer.headers))

    def _reply(self, response: Response, session: Session) -> None:
        """Hand a reply to the request that asked for it, if that is of the same session."""
        name = str(response.id).rpartition("-")[0]
        for asking in tuple(self._open):
            if name and asking.name == name and asking.session is not None and asking.session.mark == session.mark:
                for call in asking.reply(response).calls:
                    self._calls.submit(asking.job(call))

    async def _body(self, exchange: Exchange) -> bytes | HttpRefusal:
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

    async def _begin(self, answer: Answer, body: bytes) -> Step:
        """Return what the message leads to; one that takes long to read is read on a thread."""
        if len(body) <= QUICK and body.lstrip()[:1] != b"[":
            return answer.begin(body)
        loop = asyncio.get_running_loop()
        step: asyncio.Future[Step] = loop.create_future()

        def hand_over(begun: Step) -> None:
            if not step.done():
                step.set_result(begun)

        def work() -> None:
            begun = answer.begin(body)
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(hand_over, begun)

        self._readers.submit(Job(work))
        return await step

    async def _end(self, exchange: Exchange, answer: Answer, step: Step) -> bytes | None:
        """Return the frame that answers the request, once it is there, or None for none; send the others meanwhile."""
        if not answer.waits(step):
            return step.replies[0] if step.replies else None
        if self._calls.open + len(step.calls) > self._limits.calls:
            return answer.busy(step)
        self._open.add(answer)
        answer.ended = partial(self._open.discard, answer)
        for job in answer.jobs(step):
            self._calls.submit(job)
        try:
            return await self._follow(exchange, answer)
        except (HungUp, asyncio.CancelledError):
            answer.hang_up()
            if answer.modern:
                answer.cancel()
                self._calls.relieve()
                answer.ended()
            raise

    async def _follow(self, exchange: Exchange, answer: Answer) -> bytes | None:
        gone = asyncio.ensure_future(exchange.hung_up())
        gone.add_done_callback(lambda _: answer.hung_up())
        try:
            while not isinstance(news := await answer.news(), Last):
                if news is None:
                    raise HungUp
                await exchange.stream(news)
        finally:
            gone.cancel()
        return news.frame


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
        exchange = Exchange(scope, receive, send, fields, self._app.shared_with(fields))
        await self._app.admit(exchange, self._handle)
