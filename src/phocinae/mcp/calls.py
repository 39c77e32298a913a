"""One call on its way, of a tool, a prompt or a resource: run, interrupted to ask the client, gone on with."""

from __future__ import annotations

from collections.abc import Callable
from threading import current_thread, main_thread
from typing import Any, TypeVar

from attrs import evolve, frozen

from ..catalog.context import Parked
from ..catalog.tools import Arguments, Failed, InputKind, NeedsInput, OnBadState, Rejected, Replies, ToolAnswer
from ..catalog.work import Answer, Outcome, Work
from ..domain import strict_json
from ..domain.sealing import RoundCall
from ..errors import StateRejected
from ..service.rounds import RoundTrips
from .jsonrpc import ErrorCode, Refusal
from .operations import CallOutcome, InputRequired, Level, Log, Rounds, required
from .wire import invalid_params, shown

_Answer = TypeVar("_Answer")

_BAD_STATE = "the requestState is not one that this call can go on with; call again without it"


@frozen(kw_only=True, eq=False)
class Pending:
    """A call whose answer may have to be waited for; end it with one of the two methods."""

    call: WorkCall
    finish: Callable[[], CallOutcome | Asking | Parked]
    """Return what comes of the call, however long it takes; never raise."""

    def give_up(self) -> CallOutcome:
        """Return what is answered in the place of the work; never raise."""
        return self.call.give_up()

    def close(self) -> None:
        """Let the work say nothing more."""
        self.call.close()


@frozen(kw_only=True, eq=False)
class Asking:
    """A call that needs the client while it waits, in an era that knows no interrupted calls; end it in one way."""

    call: WorkCall
    needs: NeedsInput

    def resume(self, replies: Replies) -> CallOutcome | Asking | Parked:
        """Return what comes of `replies`, however long it takes; never raise."""
        resume = self.call.work.resume
        if resume is None:
            return self.unasked()
        return self.call.come_of(self.call.guarded(lambda: resume(replies, self.needs.state)))

    def unasked(self) -> CallOutcome:
        """Return what is answered to a client that cannot be asked, or did not reply."""
        return self.call.fitting(self.call.unasked(self.needs) or Failed(_undeclared(self.call.work)))

    def give_up(self) -> CallOutcome:
        """Return what is answered in the place of the work; never raise."""
        return self.call.give_up()

    def close(self) -> None:
        """Let the work say nothing more."""
        self.call.close()


@frozen(kw_only=True, eq=False, slots=False)  # frozen slots are filled by a call for each
class WorkCall:
    """One call of `target` by `method`, which `work` answers.

    `asking` is None in an era that knows no interrupted calls; `log` never learns a value.
    """

    work: Work
    method: str
    target: str
    arguments: Arguments
    asking: Rounds | None
    principal: str
    rounds: RoundTrips
    log: Log

    def begin(self) -> CallOutcome | Pending | Asking:
        """Return what came of the call, or the rest of it when that may take a while."""
        asking = self.asking
        if asking is not None and asking.token is not None:
            return Pending(call=self, finish=lambda: self._go_on(asking))
        resume = self.work.resume
        if asking is not None and self.work.unsealed and resume is not None and isinstance(asking.replies, dict):
            replies = asking.replies
            return Pending(call=self, finish=lambda: self.come_of(self.guarded(lambda: resume(replies, {}))))
        outcome = self.guarded(self.work.at_once)
        return Pending(call=self, finish=self._run) if outcome is None else self._come_of(outcome)

    def give_up(self) -> CallOutcome:
        """Return what is answered in the place of the work; never raise."""
        return self.fitting(self.guarded(self.work.gave_up))

    def unasked(self, needs: NeedsInput) -> ToolAnswer | None:
        """Return what the work answers without the client, as it is at this moment; None where it has nothing."""
        answer = needs.unasked
        return answer if answer is None or isinstance(answer, ToolAnswer) else self.guarded(answer)

    def close(self) -> None:
        """Let the work say nothing more: it was answered, or nobody waits for it."""
        if self.work.link is not None:
            self.work.link.close()

    def fitting(self, answer: Answer) -> CallOutcome:
        """Return `answer`, or a refusal where only tools can fail with a result."""
        if self.method == "tools/call" or not isinstance(answer, (Failed, Rejected)):
            return answer
        if isinstance(answer, Rejected):
            return invalid_params(answer.message)
        return Refusal(ErrorCode.INTERNAL_ERROR, answer.message)

    def _run(self) -> CallOutcome | Asking | Parked:
        return self.come_of(self.guarded(self.work.run))

    def _go_on(self, asking: Rounds) -> CallOutcome | Asking | Parked:
        """Go on where a round before was interrupted, or do what is wanted about a bad token."""
        resume = self.work.resume
        try:
            if resume is None:
                raise StateRejected("the call is never interrupted")
            kept = self._opened(asking)
        except StateRejected as error:
            self.log(Level.WARNING, f"{shown(self.target)}: the requestState is refused: {error}")
            return invalid_params(_BAD_STATE) if self.work.on_bad_state is OnBadState.REFUSE else self._run()
        replies = _asked_for(asking, kept.asked)
        return self.come_of(self.guarded(lambda: resume(replies, kept.state)))

    def come_of(self, outcome: Outcome | Parked) -> CallOutcome | Asking | Parked:
        """Return what comes of `outcome`, which may be still to come itself."""
        if isinstance(outcome, Parked):
            finish = outcome.finish
            return evolve(outcome, finish=lambda: self.come_of(self.guarded(finish)))
        return self._come_of(outcome)

    def _come_of(self, outcome: Outcome) -> CallOutcome | Asking:
        """Return `outcome`, or what it takes to ask the client where the call needs input."""
        if not isinstance(outcome, NeedsInput):
            return self.fitting(outcome)
        asking = self.asking
        if asking is None:
            return Asking(call=self, needs=outcome)
        if all(asking.may_ask(request.kind) for request in outcome.requests):
            interrupted = self.guarded(lambda: self._interrupted(asking, outcome))
            return interrupted if isinstance(interrupted, InputRequired) else self.fitting(interrupted)
        unasked = self.unasked(outcome)
        if unasked is not None:
            return self.fitting(unasked)
        return Refusal(
            ErrorCode.MISSING_CAPABILITY, _undeclared(self.work), {"requiredCapabilities": required(outcome.requests)}
        )

    def _interrupted(self, asking: Rounds, outcome: NeedsInput) -> InputRequired:
        if self.work.resume is None:
            raise TypeError("work that needs input must have a resume")
        if self.work.unsealed and not outcome.state:
            return InputRequired(outcome.requests, "")
        kept = _Kept({request.key: request.kind for request in outcome.requests}, outcome.state)
        return InputRequired(outcome.requests, self.rounds.pause(self._bound(asking), kept.to_bytes()))

    def _opened(self, asking: Rounds) -> _Kept:
        """Return what `_interrupted` kept, and spend the token; raise StateRejected."""
        if not isinstance(asking.token, str):
            raise StateRejected("it is no text")
        return _Kept.from_bytes(self.rounds.resume(self._bound(asking), asking.token))

    def _bound(self, asking: Rounds) -> RoundCall:
        return RoundCall(
            version=asking.version,
            method=self.method,
            target=self.target,
            arguments=self.arguments,
            principal=self.principal,
        )

    def guarded(self, function: Callable[[], _Answer]) -> _Answer | Failed:
        """Return what `function` answers; what raises has failed, and says no more than its error's name.

        Nothing is let through but an interruption by a person, which comes to the main thread alone: it would
        end a worker, whose call would never be answered.
        """
        try:
            return function()
        except KeyboardInterrupt:
            if current_thread() is main_thread():
                raise
            return self._failed("KeyboardInterrupt")
        except BaseException as error:  # a tool of a user may raise anything, such as asyncio.CancelledError
            return self._failed(type(error).__name__)

    def _failed(self, name: str) -> Failed:
        self.log(Level.ERROR, f"the {self.work.what} failed: {name}")
        return Failed(f"The {self.work.what} failed ({name}).")


def _undeclared(work: Work) -> str:
    return f"The {work.what} has to ask for something that the client did not declare."


@frozen
class _Kept:
    """What travels in a token: what was asked for, by key, and the state of the tool."""

    asked: dict[str, InputKind]
    state: dict[str, Any]

    def to_bytes(self) -> bytes:
        """Return it as JSON; raise TypeError or ValueError for a state that would not come back as it is."""
        asked = {key: kind.value for key, kind in self.asked.items()}
        content = strict_json.write({"asked": asked, "state": self.state}).encode()
        strict_json.read(content)  # which allows less: a state that is nested too deeply could not be read again
        return content

    @classmethod
    def from_bytes(cls, content: bytes) -> _Kept:
        """Return what `content` keeps; raise StateRejected where another version of the server wrote it."""
        try:
            match strict_json.read(content):
                case {"asked": dict(asked), "state": dict(state)}:
                    return cls({key: InputKind(kind) for key, kind in asked.items()}, state)
        except ValueError:
            pass
        raise StateRejected("it keeps what this version does not know")


def _asked_for(asking: Rounds, asked: dict[str, InputKind]) -> Replies:
    """Return the replies to what was asked, of kinds that the client declares in this request too."""
    replies = asking.replies if isinstance(asking.replies, dict) else {}
    return {key: replies[key] for key, kind in asked.items() if key in replies and asking.may_ask(kind)}
