"""The second judge: asks a decision service about a command that the offline layer left undecided."""

from __future__ import annotations

import math

from attrs import evolve, frozen

from ..domain.l1 import QUESTIONS, Thresholds, state_of, verdict_of
from ..domain.questions import Answers
from ..domain.request import GateRequest
from ..domain.verdict import Verdict
from ..errors import BadAnswer
from ..ports import DecisionBackend


@frozen(kw_only=True)
class L1Judge:
    """A judge over a decision service.

    `timeout` is the number of seconds that one question round may take.
    """

    backend: DecisionBackend
    thresholds: Thresholds
    timeout: float
    policy: str = ""

    def __call__(self, request: GateRequest, /) -> Verdict:
        """Return the verdict of the service on `request`.

        Raises:
            BackendError: it could not be asked, or its answer cannot be used.
        """
        answers = self.backend.answer(QUESTIONS, state_of(request), self.timeout)
        if not isinstance(answers, Answers):
            raise BadAnswer("the backend returned something else than answers")
        kept = evolve(answers, confidence=_usable(answers))
        return verdict_of(request, kept, self.thresholds, engine=self.backend.engine, policy=self.policy)


def _usable(answers: Answers) -> dict[str, float]:
    """Return the confidence figures that are figures; one that a verdict does not need never spoils it."""
    return {
        name: float(value)
        for name, value in answers.confidence.items()
        if name in answers.by_id and isinstance(value, float | int) and math.isfinite(value) and 0 <= value <= 1
    }
