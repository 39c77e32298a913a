"""A mock of the decision service: answers, delays and failures that a script has made up beforehand.

It is for tests of programs that use the gate, and for demonstrations without a model.  Its
engine and its model are called ``mock``, so that every answer of it says what it is.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from threading import Lock

from attrs import evolve, frozen

from ...domain.l1 import MOCK
from ...domain.questions import Answer, Answers, Choice, ChoiceAnswer, Question, ScoreAnswer, YesNo, YesNoAnswer
from ...errors import BackendError, TimedOut

MIDDLING_PROBABILITY, MIDDLING_SCORE = 0.5, 6
"""What a mock without a script answers: the middle of every range, which by default is neither allow nor deny."""

REMEMBERED = 1_000
"""How many calls a mock remembers: a server with one may run for long."""

Reply = Answers | Exception | Callable[[tuple[Question, ...], str], Answers]
"""One step of a script: answers, a failure that is raised, or a function of the questions and the state."""


@frozen
class Delayed:
    """A step that takes `seconds` before its `reply`; a caller who will not wait as long gets `TimedOut`."""

    seconds: float
    reply: Reply


def middling(questions: tuple[Question, ...], _state: str) -> Answers:
    """Return the middle of every range, and of choices the first option."""
    return Answers({question.id: _middle(question) for question in questions})


def _middle(question: Question) -> Answer:
    if isinstance(question, YesNo):
        return YesNoAnswer(MIDDLING_PROBABILITY)
    return ChoiceAnswer(0) if isinstance(question, Choice) else ScoreAnswer(MIDDLING_SCORE)


class ScriptedBackend:
    """A `DecisionBackend` that follows a script; threads may share it.

    `script` is a single reply, given to every call, or one for each call in order.  `asked`
    holds what it was asked last, up to `REMEMBERED` calls.  `sleep` waits for a number of seconds.
    """

    engine = MOCK

    def __init__(
        self,
        script: Reply | Delayed | Sequence[Reply | Delayed] = middling,
        *,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._steps = iter(script) if isinstance(script, Sequence) else repeat(script)
        self._sleep = sleep
        self._lock = Lock()
        self.asked: deque[tuple[tuple[Question, ...], str]] = deque(maxlen=REMEMBERED)

    def answer(
        self,
        questions: tuple[Question, ...],
        state: str,
        deadline: float,
        *,
        average_orders: bool = False,  # noqa: ARG002  # a script has no orders
    ) -> Answers:
        """Return the next answers of the script, under the name of the mock.

        Raises:
            BackendError: the script says so, or it has come to its end.
            TimedOut: the step takes longer than `deadline` seconds.
        """
        step = self._next(questions, state)
        if isinstance(step, Delayed):
            self._sleep(max(0.0, min(step.seconds, deadline)))
            if step.seconds > deadline:
                raise TimedOut(f"the mock does not answer within {deadline:g} s")
            step = step.reply
        if isinstance(step, Exception):
            raise step
        answers = step if isinstance(step, Answers) else step(questions, state)
        return evolve(answers, model=MOCK)

    def _next(self, questions: tuple[Question, ...], state: str) -> Reply | Delayed:
        with self._lock:
            self.asked.append((questions, state))
            step = next(self._steps, None)
        if step is None:
            raise BackendError("the script of the mock has come to its end")
        return step
