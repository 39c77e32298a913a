"""One call that may have to wait, and the calls of a connection that are still to be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Protocol, TypeAlias, TypeVar

from ..catalog.context import Parked
from ..catalog.tools import Replies
from .calls import Asking, Pending
from .jsonrpc import Refusal, Reply, Request, RequestId
from .listening import Listening
from .operations import Face, Operation, Outcome

Body: TypeAlias = dict[str, Any] | Refusal
"""A result object, or a refusal."""

Deliver: TypeAlias = "Callable[[Reply | None], bytes | None]"
"""Takes the reply to one request, or None for no reply; returns the frame to send, if there is one now."""

_Result = TypeVar("_Result")


class Host(Protocol):
    """What a call needs of its connection."""

    open: OpenCalls

    def asks(self, call: Call, asking: Asking, /) -> bool:
        """Ask the client what `call` needs, and say whether that was done."""

    def guarded(self, request: Request, work: Callable[[], _Result], /) -> _Result | Refusal:
        """Return what `work` gives, or an internal error."""

    def send(self, frame: bytes, /) -> None:
        """Send a frame whose call was on an event loop."""

    def note(self, request: Request, face: Face, body: Body, /) -> None:
        """Log how a request ended."""


class OpenCalls:
    """The calls of one connection that are still to be answered; safe to share between threads."""

    def __init__(self) -> None:
        """Start without any."""
        self._lock = Lock()
        self._calls: dict[RequestId, list[Call]] = {}
        self._leaving = 0

    def add(self, call: Call) -> None:
        """Take `call` in; another one may have the same id."""
        with self._lock:
            self._calls.setdefault(call.request.id, []).append(call)

    def of(self, ident: RequestId) -> tuple[Call, ...]:
        """Return those for requests with the id `ident`."""
        with self._lock:
            return tuple(self._calls.get(ident, ()))

    @property
    def subscriptions(self) -> tuple[Call, ...]:
        """Those that are open for as long as their client likes."""
        return tuple(call for call in self.all() if call.is_subscription)

    def all(self) -> tuple[Call, ...]:
        """Return all of them."""
        with self._lock:
            return tuple(call for calls in self._calls.values() for call in calls)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is to be waited for: no call is open, and no frame is about to leave."""
        with self._lock:
            return not self._calls and not self._leaving

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Have it known that a call may be closed meanwhile whose frame is not sent yet."""
        with self._lock:
            self._leaving += 1
        try:
            yield
        finally:
            with self._lock:
                self._leaving -= 1

    def holds(self, call: Call) -> bool:
        """Whether `call` is one of them."""
        with self._lock:
            return call in self._calls.get(call.request.id, ())

    def close(self, call: Call) -> bool:
        """Take `call` out, and say whether it was one of them."""
        with self._lock:
            calls = self._calls.get(call.request.id, [])
            if call not in calls:
                return False
            calls.remove(call)
            if not calls:
                del self._calls[call.request.id]
            return True


class Call:
    """One call that may have to wait; safe to share between threads.

    Exactly one of its methods has the last word; the others give None.
    """

    __slots__ = (
        "_deliver",
        "_host",
        "_pending",
        "_work",
        "face",
        "has_to_wait",
        "is_cancelled",
        "operation",
        "request",
    )

    def __init__(
        self,
        host: Host,
        request: Request,
        face: Face,
        operation: Operation,
        pending: Pending | Asking | Listening,
        deliver: Deliver,
    ) -> None:
        """Belong to `host`; `has_to_wait` tells of the next `run`, and `is_cancelled` how the call ended."""
        self.request = request
        self.face = face
        self.operation = operation
        self.has_to_wait = not isinstance(pending, Asking)
        self.is_cancelled = False
        self._host = host
        self._pending = pending
        self._work: Callable[[], Outcome | Asking | Listening | Parked] = (
            (lambda: pending) if isinstance(pending, Asking) else pending.finish
        )
        self._deliver = deliver

    @property
    def is_open(self) -> bool:
        """Whether the call is still to be answered."""
        return self._host.open.holds(self)

    def run(self) -> bytes | None:
        """Do the work, however long it takes, and return the frame to send.

        None means that there is none: the call is closed, or a subscription; or it runs on an
        event loop, and its frame is sent from there; or its client is asked, and the call comes
        back from `conversation.Conversation.receive` with the reply.
        """
        return self._go_on(self._work) if self.is_open else None

    def _go_on(self, work: Callable[[], Outcome | Asking | Listening | Parked]) -> bytes | None:
        outcome = self._host.guarded(self.request, work)
        if isinstance(outcome, Parked):
            finish = outcome.finish
            outcome.future.add_done_callback(lambda _future: self._send_end(finish))
            return None
        if isinstance(outcome, Listening):
            outcome.begin()
            return None
        if isinstance(outcome, Asking):
            self._pending = outcome
            if self._host.asks(self, outcome):
                return None
            outcome = outcome.unasked()
        return self._end(outcome)

    def _send_end(self, finish: Callable[[], Outcome | Asking | Listening | Parked]) -> None:
        with self._host.open.leaving():
            frame = self._go_on(finish)
            if frame is not None:
                self._host.send(frame)

    @property
    def is_subscription(self) -> bool:
        """Whether the call is open for as long as its client likes."""
        return isinstance(self._pending, Listening)

    def resume(self, replies: Replies) -> None:
        """Have the next `run` go on with `replies`."""
        asking = self._pending
        if isinstance(asking, Asking):
            self._work = lambda: asking.resume(replies)
            self.has_to_wait = True

    def answer_unasked(self) -> bytes | None:
        """Return the frame to send where the client was asked in vain, or None for none."""
        return self._end(self._pending.unasked()) if isinstance(self._pending, Asking) else None

    def give_up(self) -> bytes | None:
        """Return the frame to send in the place of an answer, or None for none."""
        return self._end(self._pending.give_up()) if self.is_open else None

    def cancel(self) -> bytes | None:
        """Close the call without a reply; return the frame of the batch that waited for it alone, or None."""
        if not self._host.open.close(self):
            return None
        self.is_cancelled = True
        self._pending.close()
        return self._deliver(None)

    def _end(self, outcome: Outcome) -> bytes | None:
        body = self._host.guarded(self.request, lambda: self.face.write(self.operation, outcome))
        if not self._host.open.close(self):
            return None
        self._pending.close()
        self._host.note(self.request, self.face, body)
        return self._deliver(Reply(self.request.id, body))
