"""The second judge: asks a decision service about a command that the offline layer left undecided."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from ..domain.l1 import CEILING, COMMENTS, State, Thresholds, questions_for, state_of, unseen, verdict_of
from ..domain.questions import Answers
from ..domain.request import GateRequest
from ..domain.shell import Dialect, Reading
from ..domain.verdict import Decision, Verdict
from ..errors import BackendError, BadAnswer
from ..ports import DecisionBackend


@frozen(kw_only=True)
class L1Judge:
    """A judge over a decision service.

    `read` returns how the offline layer reads a command, which is a part of what the
    service is shown.  `timeout` is the number of seconds that one question round may take,
    and `window` the number of bytes that the model is sure to read: a command that does
    not fit is left to a person.  `ceiling` is the mildest verdict that is given, ALLOW or
    ASK.  `dialect` is the language that commands are known to be in; None where nobody says.
    """

    backend: DecisionBackend
    read: Callable[[str], Reading]
    thresholds: Thresholds
    timeout: float
    window: int
    ceiling: Decision = Decision.ALLOW
    dialect: Dialect | None = None
    policy: str = ""

    def __call__(self, request: GateRequest, /) -> Verdict:
        """Return the verdict of the service on `request`.

        Raises:
            BackendError: it could not be asked, or its answer cannot be used.
        """
        state = state_of(request, self.read(request.command), dialect=self.dialect)
        if state.needed > self.window:
            return unseen(state, self.window, policy=self.policy)
        try:
            return self._judged(state)
        except BackendError as error:
            error.engine = self.backend.engine
            raise

    def _judged(self, state: State) -> Verdict:
        answers = self.backend.answer(questions_for(self.thresholds), state.text, self.timeout)
        if not isinstance(answers, Answers):
            raise BadAnswer("the backend returned something else than answers")
        held = CEILING if self.ceiling is Decision.ASK else COMMENTS if state.comments else ""
        return verdict_of(answers, self.thresholds, held=held, engine=self.backend.engine, policy=self.policy)
