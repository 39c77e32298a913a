"""Classify, route and score as use cases: one question about one text, and one answer or one error."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ..domain.inference import (
    Classification,
    Routing,
    Scoring,
    Task,
    classified,
    classifying,
    routed,
    routing,
    scored,
    scoring,
)
from ..domain.questions import Answers
from ..errors import BadAnswer
from ..ports import DecisionBackend
from ..settings import WINDOW


@frozen(kw_only=True)
class InferenceService:
    """Asks a decision service about texts; build one with `phocinae.build_inference`.

    `timeout` is the number of seconds that a question may take, `window` the number of
    bytes of a state that the model is sure to read.  Threads may share it; an asynchronous
    program calls it by `asyncio.to_thread`, because every call waits for the service.
    """

    backend: DecisionBackend
    timeout: float
    window: int = WINDOW

    def classify(self, state: str, labels: Sequence[str]) -> Classification:
        """Return which of `labels` fits the text `state`.

        Raises:
            InvalidRequest: the text or the labels cannot be asked about.
            BackendError: the service gave no usable answer.
        """
        task = classifying(state, labels)
        return classified(task, self._ask(task), engine=self.backend.engine, window=self.window)

    def route(self, state: str, tools: Sequence[str]) -> Routing:
        """Return which of `tools` the request `state` is for; their order does not count, if the service can help it.

        Raises:
            InvalidRequest: the text or the tools cannot be asked about.
            BackendError: the service gave no usable answer.
        """
        task = routing(state, tools)
        answers = self._ask(task, average_orders=True)
        return routed(task, answers, engine=self.backend.engine, window=self.window)

    def score(self, state: str, criteria: Sequence[str]) -> Scoring:
        """Return a score from 2 to 10 for the text `state` by `criteria`.

        Raises:
            InvalidRequest: the text or the criteria cannot be asked about.
            BackendError: the service gave no usable answer.
        """
        task = scoring(state, criteria)
        return scored(task, self._ask(task), engine=self.backend.engine, window=self.window)

    def _ask(self, task: Task, *, average_orders: bool = False) -> Answers:
        answers = self.backend.answer((task.question,), task.state, self.timeout, average_orders=average_orders)
        if not isinstance(answers, Answers):
            raise BadAnswer("the backend returned something else than answers")
        return answers
