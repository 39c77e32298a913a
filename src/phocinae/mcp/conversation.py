"""One connection: choose the face of each request, decode, run, encode.

Bytes in, bytes out: a transport hands over each frame and sends what comes back.  Work
that may have to wait comes back as a `Call`, which the transport runs where waiting
hurts nobody.  A call that has to ask its client gives its place up meanwhile, and comes
back with the replies.  Whatever happens to a call, it is answered once, or not at all when
the client cancelled it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import field, frozen

from ..catalog.changes import Change, ChangeKind, Changes
from ..catalog.context import CallContext, Start
from ..catalog.listeners import Listeners
from ..catalog.registration import Catalog, Registering
from .asking import OPEN_LIMIT, Channel, Questions
from .batches import Gathering, fit_for_batch
from .calls import Asking, Pending
from .contexts import agreed_client, context_of, modern_client
from .handlers import LOCAL, Handlers
from .jsonrpc import (
    BadFrame,
    Batch,
    ErrorCode,
    Message,
    Notification,
    Refusal,
    Reply,
    Request,
    Response,
    decode,
    encode,
    encode_notification,
)
from .listening import Listening, honored
from .open_calls import Body, Call, Deliver, OpenCalls
from .operations import Empty, Face, Initialize, Level, Listen, Log, Operation, SetLevel, Watch
from .revisions import LEGACY, is_modern
from .telling import handshake_line, log_line, record
from .wire import shown

_Result = TypeVar("_Result")

PARKED_LIMIT = 256
"""How many calls of a connection may be open for another one to run on an event loop without holding a thread."""


@frozen(kw_only=True, eq=False)
class Server(Registering):
    """What all connections share; `legacy` has a face for the date of each handshake revision.

    A person who is asked in the middle of a call has `human_timeout` seconds.  A `changing`
    server tells its clients when something is registered while it runs.  What users
    offer beside the built-in parts is registered on it (`catalog.registration`).
    """

    handlers: Handlers
    modern: Face
    legacy: dict[str, Face]
    log: Log
    human_timeout: float = 120.0
    listeners: Listeners = field(factory=Listeners)
    changes: Changes = field(factory=Changes)
    changing: bool = False

    @property
    def catalog(self) -> Catalog:
        """What the server offers, and who is told of its calls."""
        offered = self.handlers
        return Catalog(
            toolbox=offered.toolbox,
            shelf=offered.shelf,
            prompts=offered.prompts,
            completions=offered.completions,
            listeners=self.listeners,
            changes=self.changes,
        )

    def open(
        self, channel: Channel | None = None, principal: str = LOCAL, *, start: Start | None = None
    ) -> Conversation:
        """Return a new conversation, before any handshake, with the client that a transport knows as `principal`.

        Without a `channel` it only ever replies.  `start` runs async handlers on the
        transport's event loop.
        """
        return Conversation(self, channel, principal, start)


@frozen
class Step:
    """What one frame leads to: frames to send now, and calls to run."""

    replies: tuple[bytes, ...] = ()
    calls: tuple[Call, ...] = ()


class Conversation:
    """One connection.  `receive` is called by one thread at a time; calls may run on others meanwhile."""

    def __init__(
        self,
        server: Server,
        channel: Channel | None = None,
        principal: str = LOCAL,
        start: Start | None = None,
    ) -> None:
        """Take part in `server`; `channel` carries what is no reply, and `start` runs async handlers."""
        self._server = server
        self._principal = principal
        self._start = start
        self._channel = channel
        self._questions: Questions[Call] | None = None if channel is None else Questions(channel, server.human_timeout)
        self.agreed: Initialize | None = None
        self._initialized = False
        self.level: Level | None = None
        self._watched: frozenset[str] = frozenset()
        self.open = OpenCalls()

    def receive(self, frame: bytes) -> Step:
        """Return what `frame` leads to; never raise, whatever it holds."""
        return self.take(decode(frame))

    def take(self, message: Message | Batch, deliver: Deliver | None = None) -> Step:
        """Return what a decoded message leads to; never raise.

        `deliver` may look at the reply on its way; the replies to a batch pass it by.
        """
        if isinstance(message, Batch):
            return self._batch(message, deliver or alone)
        return self._message(message, deliver or alone)

    def agree(self, agreed: Initialize, level: Level | None = None) -> None:
        """Go on as after the handshake `agreed`, and the `level` set since, where a transport knows of them."""
        self.agreed, self._initialized, self.level = agreed, True, level

    def refuse(self, refusal: Refusal) -> Step:
        """Return what to send for a frame that a transport could not even hand over."""
        return self._message(BadFrame(refusal), alone)

    def hang_up(self) -> tuple[bytes, ...]:
        """Return what to send once no more frames come: the ends of calls that wait for the client's reply.

        Calls that are run later are answered without asking anybody.
        """
        waiting = (*(() if self._questions is None else self._questions.end()), *self.open.subscriptions)
        return tuple(frame for call in waiting if (frame := call.give_up()) is not None)

    def send(self, frame: bytes) -> None:
        """Send the reply to a call that was on an event loop."""
        assert self._channel is not None
        self._channel.send(frame)

    def asks(self, call: Call, asking: Asking) -> bool:
        """Ask the client what `call` needs, and say whether that was done.

        It is not where it may not be: before the client said that it is ready (lifecycle,
        initialization), in an era without such questions, where it did not declare that it
        can be asked all of this, for a call that it cancelled, or when too much is asked already.
        """
        agreed, questions = self.agreed, self._questions
        if questions is None or agreed is None or not self._initialized or call.face is self._server.modern:
            return False
        requests = asking.needs.requests
        if not all(request.kind in agreed.inputs for request in requests) or not call.is_open:
            return False
        done = self.guarded(
            call.request, lambda: questions.ask(call, requests, agreed.revision, lambda: self._expire(call))
        )
        if not call.is_open:  # it was cancelled just before there was a question to be dropped
            questions.drop(call)
        return done is True

    def guarded(self, request: Request, work: Callable[[], _Result]) -> _Result | Refusal:
        """Return what `work` gives; THE marked place: whatever it raises becomes an internal error."""
        try:
            return work()
        except Exception as error:
            log = self._log_of(request, self._face(request))
            log(Level.ERROR, f"{shown(request.method)}: internal error ({type(error).__name__})")
            return Refusal(ErrorCode.INTERNAL_ERROR, "Internal error")

    def note(self, request: Request, face: Face, body: Body) -> None:
        """Log how a request ended, and tell those who listen."""
        log = self._log_of(request, face)
        if isinstance(body, Refusal):
            log(Level.INFO, f"{shown(request.method)}: refused ({int(body.code)})")
        else:
            log(Level.DEBUG, f"{shown(request.method)}: answered")
        if self._server.listeners and request.method == "tools/call":
            self._server.listeners.tell(
                record(request, body), lambda name: log(Level.ERROR, f"a listener of calls failed: {name}")
            )

    def _context(self, request: Request, face: Face, arguments: dict[str, Any]) -> CallContext:
        """Return what a handler is given for `request`."""
        modern = face is self._server.modern
        client = modern_client(request) if modern else agreed_client(self.agreed)

        def tell(level: Level, message: str, logger: str) -> None:
            self._server.log(level, f"{shown(logger)}: {message}", face.threshold(request))
            # a client that has set no level is sent what is worth a person's attention
            wanted = Level.INFO if self.level is None else self.level
            if self._channel is not None and not modern and level >= wanted:
                self._channel.send(log_line(level, message, logger))

        return context_of(
            request,
            arguments,
            client,
            self._channel,
            self._start,
            tell,
            parks=self._channel is not None and len(self.open.all()) <= PARKED_LIMIT,
        )

    def tell(self, level: Level, message: str, threshold: Level | None = None, *, modern: bool = False) -> None:
        """Log a line, and send it to a client of a handshake revision that wanted such lines."""
        self._server.log(level, message, threshold)
        if self._channel is None or self.level is None or level < self.level or modern:
            return
        self._channel.send(log_line(level, message, "phocinae"))

    def _log_of(self, request: Request, face: Face) -> Log:
        """Return the log for what happens to a request, under the level that it may have set for itself."""

        def log(level: Level, message: str, threshold: Level | None = None, /) -> None:
            own = face.threshold(request) if threshold is None else threshold
            self.tell(level, message, own, modern=face is self._server.modern)

        return log

    def _message(self, message: Message, deliver: Deliver) -> Step:
        if isinstance(message, Request):
            return self._request(message, deliver)
        if isinstance(message, Notification):
            return Step(self._notified(message))
        if isinstance(message, BadFrame):
            self.tell(Level.DEBUG, f"a message was refused: {message.refusal.message}")
            return _sent(deliver(Reply(message.id, message.refusal)))
        return self._replied(message)

    def _replied(self, response: Response) -> Step:
        """Go on with the call that `response` was waited for by, if any was."""
        settled = None if self._questions is None else self._questions.reply(response)
        if settled is None:
            return Step()
        if settled.replies is None:
            return _sent(settled.owner.answer_unasked())
        settled.owner.resume(settled.replies)
        return Step(calls=(settled.owner,))

    def _expire(self, call: Call) -> None:
        """Answer `call` in the place of a client that did not reply in time."""
        if self._questions is None or self._channel is None or not self._questions.expire(call):
            return
        with self.open.leaving():
            frame = call.answer_unasked()
            if frame is not None:
                self._channel.send(frame)

    def _batch(self, batch: Batch, deliver: Deliver) -> Step:
        """Answer the messages of a batch with one array, once all of them are done (2025-03-26, batching)."""
        if self.agreed is None or not self.agreed.revision.batches:
            refusal = Refusal(ErrorCode.INVALID_REQUEST, "Invalid request: this revision has no batches")
            return self._message(BadFrame(refusal), deliver)
        gathering = Gathering(sum(isinstance(message, (Request, BadFrame)) for message in batch.messages))
        steps = [self._message(fit_for_batch(message), gathering.deliver) for message in batch.messages]
        return Step(
            tuple(reply for step in steps for reply in step.replies),
            tuple(call for step in steps for call in step.calls),
        )

    def _request(self, request: Request, deliver: Deliver) -> Step:
        begun = self.guarded(request, lambda: self._begun(request, deliver))
        if not isinstance(begun, Call):
            return _sent(deliver(Reply(request.id, begun)))
        self.open.add(begun)
        return Step(calls=(begun,)) if begun.has_to_wait else _sent(begun.run())

    def _begun(self, request: Request, deliver: Deliver) -> Body | Call:
        """Return what is answered to `request`, or the call that will answer it."""
        face = self._face(request)
        operation = face.read(request)
        if isinstance(operation, Refusal):
            self.note(request, face, operation)
            return operation
        face = self._agreed_on(operation) or face
        if isinstance(operation, Initialize):
            self._server.log(Level.INFO, handshake_line(request, operation))
        if isinstance(operation, Listen):
            return self._listening(operation, request, face, deliver)
        outcome = self._server.handlers.begin(
            operation,
            self._log_of(request, face),
            self._principal,
            lambda arguments: self._context(request, face, arguments),
        )
        if isinstance(operation, Watch) and outcome is Empty.EMPTY:
            self._watch(operation)
        if isinstance(outcome, (Pending, Asking)):
            return Call(self, request, face, operation, outcome, deliver)
        body = face.write(operation, outcome)
        self.note(request, face, body)
        return body

    def changed(self, change: Change) -> None:
        """Tell a client of a handshake revision what it subscribed to, and of lists that change."""
        if self._channel is None or not self._initialized:
            return
        if change.kind is not ChangeKind.RESOURCE:
            self._channel.send(encode_notification(change.kind.value, {}))
        elif change.uri in self._watched:
            self._channel.send(encode_notification(change.kind.value, {"uri": change.uri}))

    def _listening(self, wish: Listen, request: Request, face: Face, deliver: Deliver) -> Body | Call:
        """Return the subscription that `request` opens, if there is a stream for it."""
        if self._channel is None:
            return Refusal(ErrorCode.INVALID_REQUEST, "Invalid request: Accept must take text/event-stream")
        if len(self.open.subscriptions) >= OPEN_LIMIT:
            return Refusal(ErrorCode.INVALID_REQUEST, f"Invalid request: {OPEN_LIMIT} subscriptions are open already")
        told = honored(wish, self._server.catalog, changing=self._server.changing)
        listening = Listening(ident=request.id, honored=told, send=self._channel.send)
        self._server.changes.join(listening)
        return Call(self, request, face, wish, listening, deliver)

    def _watch(self, wish: Watch) -> None:
        one = frozenset((wish.uri,))
        self._watched = self._watched | one if wish.wanted else self._watched - one
        self._server.changes.join(self)

    def _agreed_on(self, operation: Operation) -> Face | None:
        """Keep what an operation agrees on for the connection; return the face of a new handshake, or None."""
        if isinstance(operation, SetLevel):
            self.level = operation.level
        if not isinstance(operation, Initialize):
            return None
        self.agreed, self._initialized, self.level = operation, False, None
        return self._server.legacy[operation.revision.date]

    def _face(self, request: Request) -> Face:
        """Return the face of one request.  A handshake never changes how a modern request is read.

        Resources before any handshake are modern, because clients of the first revision
        know servers that offer them there only; all else without modern keys is legacy.
        """
        if is_modern(request.method, request.params):
            return self._server.modern
        if self.agreed is not None:
            return self._server.legacy[self.agreed.revision.date]
        if request.method.startswith("resources/"):
            return self._server.modern
        return self._server.legacy[LEGACY[0].date]

    def _notified(self, notification: Notification) -> tuple[bytes, ...]:
        """Return the frames that a notification leads to: a cancelled call can complete the batch around it."""
        if notification.method == "notifications/initialized":
            self._initialized = self.agreed is not None
            if self._server.changing:
                self._server.changes.join(self)
        target = notification.params.get("requestId")
        if notification.method != "notifications/cancelled" or not (isinstance(target, str) or type(target) is int):
            return ()
        frames = []
        for call in self.open.of(target):
            frames.append(call.cancel())
            if self._questions is not None:
                self._questions.drop(call)
        return tuple(frame for frame in frames if frame is not None)


def alone(reply: Reply | None) -> bytes | None:
    """Return the frame of a reply that waits for no other one."""
    return None if reply is None else encode(reply)


def _sent(frame: bytes | None) -> Step:
    return Step() if frame is None else Step((frame,))
