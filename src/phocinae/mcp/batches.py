"""Several messages in one array, which 2025-03-26 alone knows: what may be part of one, and its one answer."""

from __future__ import annotations

from threading import Lock

from .jsonrpc import BadFrame, ErrorCode, Message, Refusal, Reply, Request, encode_batch
from .revisions import is_modern
from .wire import shown


class Gathering:
    """The replies to one batch, which leave together once the last of `expected` ones is there."""

    def __init__(self, expected: int) -> None:
        """Wait for so many."""
        self._lock = Lock()
        self._expected = expected
        self._replies: list[Reply] = []

    def deliver(self, reply: Reply | None) -> bytes | None:
        """Take one reply, or None in the place of one; return the array once it is complete and not empty."""
        with self._lock:
            self._expected -= 1
            if reply is not None:
                self._replies.append(reply)
            if self._expected or not self._replies:
                return None
            return encode_batch(self._replies)


def fit_for_batch(message: Message) -> Message:
    """Return `message`, or its refusal when it must stand alone: a handshake, or a modern request."""
    if isinstance(message, Request) and (message.method == "initialize" or is_modern(message.method, message.params)):
        why = f"Invalid request: {shown(message.method)} cannot be part of a batch"
        return BadFrame(Refusal(ErrorCode.INVALID_REQUEST, why), message.id)
    return message
