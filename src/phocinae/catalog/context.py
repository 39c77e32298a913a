"""What a handler is given: the arguments, who calls, what was replied so far, and ways to speak meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from ..domain.levels import Level
from .schemas import Schema, SchemaCheck
from .tools import Arguments, InputKind, Replies

if TYPE_CHECKING:
    from concurrent.futures import Future

Start: TypeAlias = "Callable[[Coroutine[Any, Any, Any]], Future[Any]]"
"""Starts a coroutine on the event loop of a transport, and returns at once."""


_Outcome = TypeVar("_Outcome")


@frozen(kw_only=True)
class Client:
    """Who calls, as far as it says so; nothing of it is proven.

    `revision` is the one that the call is read in.  `capabilities` is what the client
    declared, raw, and `inputs` what it can therefore be asked for in a `NeedsInput`.
    """

    name: str = ""
    version: str = ""
    revision: str = ""
    capabilities: dict[str, Any] = field(factory=dict, hash=False)
    inputs: frozenset[InputKind] = frozenset()


@frozen
class FormAnswer:
    """What a person did with a form: `action` is accept, decline or cancel; `content` is empty unless accepted."""

    action: str
    content: dict[str, Any] = field(factory=dict, hash=False)


@frozen(eq=False)
class Parked:
    """A call whose async handler runs on an event loop, while no thread is held; `finish` is for when it is done.

    What `finish` returns may be parked again.
    """

    future: Future[Any]
    finish: Callable[[], Any]


class Link:
    """What connects one call with its client while it runs; silent once the call is over."""

    def __init__(
        self,
        *,
        progress: Callable[[dict[str, Any]], None] | None = None,
        log: Callable[[Level, str, str], None] | None = None,
        start: Start | None = None,
        parks: bool = False,
    ) -> None:
        """Send `progress` and `log` lines through these; a coroutine is started by `start`, or waited for in place.

        With `parks` nobody waits for one that was started.
        """
        self._progress = progress
        self._log = log
        self._start = start
        self._parks = parks
        self._lock = Lock()
        self._last: float | None = None
        self._at_end: list[Callable[[], object]] = []
        self.is_over = False

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Tell the client how far the call is, unless that is no further than before."""
        with self._lock:
            if self._progress is None or self.is_over or (self._last is not None and done <= self._last):
                return
            self._last = done
        told: dict[str, Any] = {"progress": done}
        if total is not None:
            told["total"] = total
        if message:
            told["message"] = message
        self._progress(told)

    def log(self, level: Level, message: str, logger: str) -> None:
        """Tell whoever runs the server, and the client if it wants to know."""
        if self._log is not None and not self.is_over:
            self._log(level, message, logger)

    def run(self, work: Coroutine[Any, Any, Any], finish: Callable[[Callable[[], Any]], _Outcome]) -> _Outcome | Parked:
        """Return what `finish` makes of `work`, which it is given as a function that returns or raises its end.

        Where the transport has a loop, and can take a reply from it, that is still to come.
        `work` is cancelled when the call is over before.
        """
        if self._start is None:
            import asyncio

            return finish(lambda: asyncio.run(work))
        future = self._start(work)
        with self._lock:
            self._at_end.append(future.cancel)
            is_over = self.is_over
        if is_over:
            future.cancel()
        return Parked(future, lambda: finish(future.result)) if self._parks else finish(future.result)

    def close(self) -> None:
        """End the call: nothing is sent any more, and what runs on an event loop is cancelled."""
        with self._lock:
            self.is_over = True
            at_end, self._at_end = self._at_end, []
        for stop in at_end:
            stop()


@frozen(kw_only=True, eq=False)
class CallContext:
    """One call, as its handler sees it.

    `arguments` are those of the tool or the prompt, or the variables of a template.  Where
    one of them is to be completed, `partial` is what was written of it so far.  `uri` is the
    one of the resource to be read.
    `answers` is what the client replied to the `NeedsInput` before, by key, raw and
    hostile, and any may be missing; `state` is what that `NeedsInput` kept.  In the first
    round both are empty.
    """

    arguments: Arguments = field(factory=dict)
    uri: str = ""
    partial: str = ""
    client: Client = Client()
    answers: Replies = field(factory=dict)
    state: dict[str, Any] = field(factory=dict)
    link: Link = field(factory=Link, repr=False)

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the answer any more; an async handler is cancelled as well."""
        return self.link.is_over

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Tell the client how far the call is, if it asked to be told; steps that go no further are left out."""
        self.link.progress(done, total, message)

    def log(self, level: str, message: str, logger: str = "handler") -> None:
        """Write a line to the server's log, and to a client of a handshake revision that takes log lines.

        `level` is debug, info, notice, warning, error, critical, alert or emergency.
        Secrets have no place in `message`.

        Raises:
            ValueError: there is no such level.
        """
        try:
            grave = Level.of(level)
        except KeyError:
            raise ValueError(f"a level is one of {', '.join(one.wire for one in Level)}") from None
        self.link.log(grave, message, logger)

    def form(self, key: str, schema: Schema | None = None) -> FormAnswer | None:
        """Return what a person did with the form that was asked for under `key`.

        None stands for no usable answer, which is to be asked for again: nothing under
        that key, something malformed, or a content that does not fit `schema`.
        """
        answer = self.answers.get(key)
        if not isinstance(answer, dict) or answer.get("action") not in ("accept", "decline", "cancel"):
            return None
        if answer["action"] != "accept":
            return FormAnswer(answer["action"])
        content = answer.get("content", {})
        if not isinstance(content, dict) or (schema is not None and SchemaCheck(schema).misfit(content) is not None):
            return None
        return FormAnswer("accept", content)

    def gone_on(self, answers: Replies, state: dict[str, Any]) -> CallContext:
        """Return the context of the next round of the same call."""
        return evolve(self, answers=answers, state=state)
