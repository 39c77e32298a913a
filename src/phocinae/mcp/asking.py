"""Questions that the server puts to a client of a handshake revision while a call waits for the replies.

A reply belongs to a question by its id.  It comes late, twice, or from nowhere as the
client likes, and then nothing comes of it.  What a well-formed reply means is for the tool
to say.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from ..catalog.tools import InputKind, InputRequest, Replies
from .jsonrpc import RequestId, Response, encode_notification, encode_request
from .revisions import Revision

OPEN_LIMIT = 32
"""The most questions that are open on one connection: a person cannot look at more, and each holds memory."""

Owner = TypeVar("Owner")

_ACTIONS = ("accept", "decline", "cancel")


@frozen(kw_only=True)
class Channel:
    """What a transport does for a conversation besides carrying replies.

    `send` carries a frame that is no reply, from any thread.  `later` does some work, on
    any thread, once so many seconds have passed, unless what it returned is called before.
    The ids of questions begin with `name`.
    """

    send: Callable[[bytes], None]
    later: Callable[[float, Callable[[], None]], Callable[[], None]]
    name: str = "phocinae"


@frozen
class Replied(Generic[Owner]):
    """All of an owner's questions are settled: its replies, or None where the client could not be asked after all."""

    owner: Owner
    replies: Replies | None


@define(eq=False)
class _Round(Generic[Owner]):
    """The questions that one owner asked together, by id, and the replies so far."""

    owner: Owner
    questions: dict[RequestId, InputRequest]
    open: set[RequestId]
    replies: Replies = field(factory=dict)
    stop_clock: Callable[[], None] | None = None


class Questions(Generic[Owner]):
    """The open questions of one connection; safe to share between threads."""

    def __init__(self, channel: Channel, patience: float) -> None:
        """Ask over `channel`, and wait at most `patience` seconds for the replies to one round."""
        self._channel = channel
        self._patience = patience
        self._lock = Lock()
        self._rounds: list[_Round[Owner]] = []
        self._asked = 0
        self._over = False

    def ask(
        self, owner: Owner, requests: tuple[InputRequest, ...], revision: Revision, late: Callable[[], None]
    ) -> bool:
        """Send `requests` to the client, and say whether that was done; `late` is called when they were not settled.

        Raises:
            TypeError, ValueError, RecursionError: a request is no JSON.
            Exception: the channel failed, and nothing is waited for.
        """
        with self._lock:
            first, self._asked = self._asked + 1, self._asked + len(requests)
        asked: dict[RequestId, InputRequest] = {
            f"{self._channel.name}-{first + place}": request for place, request in enumerate(requests)
        }
        frames = [encode_request(ident, one.kind.value, _params(one, revision)) for ident, one in asked.items()]
        round_ = _Round(owner, asked, set(asked))
        with self._lock:
            if self._over or not asked or sum(len(one.questions) for one in self._rounds) + len(asked) > OPEN_LIMIT:
                return False
            self._rounds.append(round_)
        try:
            for frame in frames:
                self._channel.send(frame)
            self._start_clock(round_, late)
        except Exception:  # a system may be out of threads for clocks
            if self.drop(owner):
                raise
        return True

    def reply(self, response: Response) -> Replied[Owner] | None:
        """Return whose questions `response` settled, or None if it settled none."""
        with self._lock:
            found = next((one for one in self._rounds if response.id in one.open), None)
            if found is None or response.id is None:
                return None
            request = found.questions[response.id]
            usable = not response.failed and _is_usable(request.kind, response.result)
            if usable:
                found.replies[request.key] = response.result
                found.open.discard(response.id)
                if found.open:
                    return None
            self._rounds.remove(found)
        _stop(found)
        return Replied(found.owner, found.replies if usable else None)

    def drop(self, owner: Owner) -> bool:
        """Forget what `owner` asked, and say whether anything of it was open."""
        return self._taken(owner) is not None

    def expire(self, owner: Owner) -> bool:
        """Forget what `owner` asked, tell the client so, and say whether anything of it was open.

        The notification is due to a client that is asked and not waited for any longer
        (basic/utilities/cancellation).
        """
        found = self._taken(owner)
        if found is None:
            return False
        for ident in sorted(found.open, key=str):
            params = {"requestId": ident, "reason": "Nobody answered in time."}
            self._channel.send(encode_notification("notifications/cancelled", params))
        return True

    def end(self) -> tuple[Owner, ...]:
        """Ask nothing any more, and return who was waiting for a reply."""
        with self._lock:
            self._over = True
            rounds, self._rounds = self._rounds, []
        for one in rounds:
            _stop(one)
        return tuple(one.owner for one in rounds)

    def _taken(self, owner: Owner) -> _Round[Owner] | None:
        with self._lock:
            found = next((one for one in self._rounds if one.owner is owner), None)
            if found is not None:
                self._rounds.remove(found)
        if found is not None:
            _stop(found)
        return found

    def _start_clock(self, round_: _Round[Owner], late: Callable[[], None]) -> None:
        """Start to wait only now: the client may have taken its time to read the questions."""
        stop = self._channel.later(self._patience, late)
        with self._lock:
            round_.stop_clock = stop
            settled = round_ not in self._rounds
        if settled:
            stop()


def _stop(round_: _Round[Owner]) -> None:
    if round_.stop_clock is not None:
        round_.stop_clock()


def _params(request: InputRequest, revision: Revision) -> dict[str, Any]:
    """Return the parameters of a request; only 2025-11-25 has more modes of elicitation than one, and a name for it."""
    if request.kind is InputKind.FORM and revision.modes:
        return {"mode": "form", **request.params}
    return request.params


def _is_usable(kind: InputKind, result: object) -> bool:
    """Whether a result has the least that the protocol asks of it; a client without it would be asked for ever."""
    return isinstance(result, dict) and (kind is not InputKind.FORM or result.get("action") in _ACTIONS)
