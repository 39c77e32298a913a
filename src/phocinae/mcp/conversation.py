"""One connection: choose the face of each request, decode, run, encode.

Bytes in, bytes out: a transport hands over each frame and sends what comes back.  Work
that may have to wait comes back as a `Call`, which the transport runs where waiting
hurts nobody.  Whatever happens to a call, it is answered once, or not at all when the
client cancelled it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from .calls import Pending
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
    RequestId,
    decode,
    encode,
    encode_batch,
)
from .operations import Face, Initialize, Level, Log, Operation, Outcome
from .revisions import LEGACY, Revision, is_modern
from .wire import shown

Body: TypeAlias = dict[str, Any] | Refusal
"""A result object, or a refusal."""

_Result = TypeVar("_Result")

Deliver: TypeAlias = "Callable[[Reply | None], bytes | None]"
"""Takes the reply to one request, or None for no reply; returns the frame to send, if there is one now."""


@frozen(kw_only=True, eq=False)
class Server:
    """What all connections share; `legacy` has a face for the date of each handshake revision."""

    handlers: Handlers
    modern: Face
    legacy: dict[str, Face]
    log: Log

    def open(self, principal: str = LOCAL) -> Conversation:
        """Return a new conversation, before any handshake, with the client that a transport knows as `principal`."""
        return Conversation(self, principal)


@frozen
class Step:
    """What one frame leads to: frames to send now, and calls to run."""

    replies: tuple[bytes, ...] = ()
    calls: tuple[Call, ...] = ()


class Call:
    """One call that may have to wait; safe to share between threads.

    Exactly one of `run`, `give_up` and `cancel` has the last word; the others give None.
    """

    __slots__ = ("_conversation", "_deliver", "_face", "_operation", "_pending", "request")

    def __init__(
        self,
        conversation: Conversation,
        request: Request,
        face: Face,
        operation: Operation,
        pending: Pending,
        deliver: Deliver,
    ) -> None:
        """Belong to `conversation`, which knows whether the call is still open."""
        self.request = request
        self._conversation = conversation
        self._face = face
        self._operation = operation
        self._pending = pending
        self._deliver = deliver

    @property
    def is_open(self) -> bool:
        """Whether the call is still to be answered."""
        return self._conversation.holds(self)

    def run(self) -> bytes | None:
        """Do the work, however long it takes, and return the frame to send, or None for none."""
        return self._end(self._pending.finish)

    def give_up(self) -> bytes | None:
        """Return the frame to send in the place of an answer, or None for none."""
        return self._end(self._pending.give_up)

    def cancel(self) -> bytes | None:
        """Close the call without a reply; return the frame of the batch that waited for it alone, or None."""
        return self._deliver(None) if self._conversation.close(self) else None

    def _end(self, produce: Callable[[], Outcome]) -> bytes | None:
        if not self._conversation.holds(self):
            return None
        body = self._conversation.guarded(self.request, lambda: self._face.write(self._operation, produce()))
        if not self._conversation.close(self):
            return None
        self._conversation.note(self.request, self._face, body)
        return self._deliver(Reply(self.request.id, body))


class Conversation:
    """One connection.  `receive` is called by one thread at a time; calls may run on others meanwhile."""

    def __init__(self, server: Server, principal: str = LOCAL) -> None:
        """Take part in `server`."""
        self._server = server
        self._principal = principal
        self._negotiated: Revision | None = None
        self._lock = Lock()
        self._open: dict[RequestId, list[Call]] = {}

    def receive(self, frame: bytes) -> Step:
        """Return what `frame` leads to; never raise, whatever it holds."""
        message = decode(frame)
        if isinstance(message, Batch):
            return self._batch(message)
        return self._message(message, _alone)

    def refuse(self, refusal: Refusal) -> Step:
        """Return what to send for a frame that a transport could not even hand over."""
        return self._message(BadFrame(refusal), _alone)

    def holds(self, call: Call) -> bool:
        """Whether `call` is still to be answered."""
        with self._lock:
            return call in self._open.get(call.request.id, ())

    def close(self, call: Call) -> bool:
        """Take `call` out of the open ones, and say whether it was one."""
        with self._lock:
            calls = self._open.get(call.request.id, [])
            if call not in calls:
                return False
            calls.remove(call)
            if not calls:
                del self._open[call.request.id]
            return True

    def guarded(self, request: Request, work: Callable[[], _Result]) -> _Result | Refusal:
        """Return what `work` gives; THE marked place: whatever it raises becomes an internal error."""
        try:
            return work()
        except Exception as error:
            self._server.log(Level.ERROR, f"{shown(request.method)}: internal error ({type(error).__name__})")
            return Refusal(ErrorCode.INTERNAL_ERROR, "Internal error")

    def note(self, request: Request, face: Face, body: Body) -> None:
        """Log how a request ended, under the level that it may have set for itself."""
        if isinstance(body, Refusal):
            self._server.log(Level.DEBUG, f"{shown(request.method)}: refused ({int(body.code)})")
        else:
            self._server.log(Level.DEBUG, f"{shown(request.method)}: answered", face.threshold(request))

    def _message(self, message: Message, deliver: Deliver) -> Step:
        if isinstance(message, Request):
            return self._request(message, deliver)
        if isinstance(message, Notification):
            return Step(self._notified(message))
        if isinstance(message, BadFrame):
            self._server.log(Level.DEBUG, f"a message was refused: {message.refusal.message}")
            return _sent(deliver(Reply(message.id, message.refusal)))
        return Step()  # a response: this server has asked nothing

    def _batch(self, batch: Batch) -> Step:
        """Answer the messages of a batch with one array, once all of them are done (2025-03-26, batching)."""
        if self._negotiated is None or not self._negotiated.batches:
            return self.refuse(Refusal(ErrorCode.INVALID_REQUEST, "Invalid request: this revision has no batches"))
        gathering = _Gathering(sum(isinstance(message, (Request, BadFrame)) for message in batch.messages))
        steps = [self._message(_fit_for_batch(message), gathering.deliver) for message in batch.messages]
        return Step(
            tuple(reply for step in steps for reply in step.replies),
            tuple(call for step in steps for call in step.calls),
        )

    def _request(self, request: Request, deliver: Deliver) -> Step:
        begun = self.guarded(request, lambda: self._begun(request, deliver))
        if isinstance(begun, Call):
            with self._lock:
                self._open.setdefault(request.id, []).append(begun)
            return Step(calls=(begun,))
        return _sent(deliver(Reply(request.id, begun)))

    def _begun(self, request: Request, deliver: Deliver) -> Body | Call:
        """Return what is answered to `request`, or the call that will answer it."""
        face = self._face(request)
        operation = face.read(request)
        if isinstance(operation, Refusal):
            self.note(request, face, operation)
            return operation
        if isinstance(operation, Initialize):
            self._negotiated = operation.revision
            face = self._server.legacy[operation.revision.date]
        outcome = self._server.handlers.begin(operation, self._principal)
        if isinstance(outcome, Pending):
            return Call(self, request, face, operation, outcome, deliver)
        body = face.write(operation, outcome)
        self.note(request, face, body)
        return body

    def _face(self, request: Request) -> Face:
        """Return the face of one request.  A handshake never changes how a modern request is read.

        Resources before any handshake are modern, because clients of the first revision
        know servers that offer them there only; all else without modern keys is legacy.
        """
        if is_modern(request.method, request.params):
            return self._server.modern
        if self._negotiated is not None:
            return self._server.legacy[self._negotiated.date]
        if request.method.startswith("resources/"):
            return self._server.modern
        return self._server.legacy[LEGACY[0].date]

    def _notified(self, notification: Notification) -> tuple[bytes, ...]:
        """Return the frames that a notification leads to: a cancelled call can complete the batch around it."""
        target = notification.params.get("requestId")
        if notification.method != "notifications/cancelled" or not (isinstance(target, str) or type(target) is int):
            return ()
        with self._lock:
            calls = tuple(self._open.get(target, ()))
        return tuple(frame for call in calls if (frame := call.cancel()) is not None)


class _Gathering:
    """The replies to one batch, which leave together once the last of `expected` ones is there."""

    def __init__(self, expected: int) -> None:
        self._lock = Lock()
        self._expected = expected
        self._replies: list[Reply] = []

    def deliver(self, reply: Reply | None) -> bytes | None:
        with self._lock:
            self._expected -= 1
            if reply is not None:
                self._replies.append(reply)
            if self._expected or not self._replies:
                return None
            return encode_batch(self._replies)


def _fit_for_batch(message: Message) -> Message:
    """Return `message`, or its refusal when it must stand alone: a handshake, or a modern request."""
    if isinstance(message, Request) and (message.method == "initialize" or is_modern(message.method, message.params)):
        why = f"Invalid request: {shown(message.method)} cannot be part of a batch"
        return BadFrame(Refusal(ErrorCode.INVALID_REQUEST, why), message.id)
    return message


def _alone(reply: Reply | None) -> bytes | None:
    return None if reply is None else encode(reply)


def _sent(frame: bytes | None) -> Step:
    return Step() if frame is None else Step((frame,))
