from __future__ import annotations

from typing import Any

import pytest
from attrs import field, frozen

from phocinae.domain.inference import CLASSIFY, ROUTE, SCORE
from phocinae.domain.questions import Answers, Choice, ChoiceAnswer, Question, Score, ScoreAnswer
from phocinae.errors import BadAnswer, InvalidRequest, TimedOut
from phocinae.service.inference import InferenceService

Asked = tuple[tuple[Question, ...], str, float, bool]


@frozen
class Backend:
    """Answers what it was given, or raises it, and remembers what it was asked."""

    reply: object
    engine: str = "mine"
    asked: list[Asked] = field(factory=list)

    def answer(
        self, questions: tuple[Question, ...], state: str, deadline: float, *, average_orders: bool = False
    ) -> Any:
        self.asked.append((questions, state, deadline, average_orders))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


ALL = Answers({"label": ChoiceAnswer(1), "tool": ChoiceAnswer(0), "score": ScoreAnswer(9)}, "m")


def test_each_asks_one_question_in_time() -> None:
    backend = Backend(ALL)
    service = InferenceService(backend=backend, timeout=1.5)
    label, tool, score = service.classify("t", ["a", "b"]), service.route("t", ("x", "y")), service.score("t", ["c"])
    assert (label.label, tool.tool, score.score, score.range) == ("b", "x", 9, (2, 10))
    assert {label.engine, tool.engine, score.engine} == {"mine"}
    assert [(asked[0], asked[2]) for asked in backend.asked] == [
        ((Choice("label", ("a", "b"), text=CLASSIFY),), 1.5),
        ((Choice("tool", ("x", "y"), text=ROUTE),), 1.5),
        ((Score("score", text=SCORE),), 1.5),
    ]  # fmt: skip


def test_only_a_route_is_averaged_over_orders() -> None:
    backend = Backend(ALL)
    service = InferenceService(backend=backend, timeout=1.0)
    service.classify("t", ["a", "b"])
    service.route("t", ["a", "b"])
    service.score("t", ["a"])
    assert [asked[3] for asked in backend.asked] == [False, True, False]


def test_the_window_is_that_of_the_service() -> None:
    assert not InferenceService(backend=Backend(ALL), timeout=1.0).score("t", ["c"]).truncated
    assert InferenceService(backend=Backend(ALL), timeout=1.0, window=64).score("t", ["c"]).truncated


@pytest.mark.parametrize(
    ("reply", "error"),
    [(TimedOut("after 1 s"), TimedOut), (None, BadAnswer), ({}, BadAnswer), (Answers({}), BadAnswer)],
)
def test_a_failure_is_an_error_of_the_backend(reply: object, error: type[Exception]) -> None:
    service = InferenceService(backend=Backend(reply), timeout=1.0)
    with pytest.raises(error):
        service.classify("t", ["a"])
    with pytest.raises(error):
        service.route("t", ["a"])
    with pytest.raises(error):
        service.score("t", ["a"])


def test_what_cannot_be_asked_is_not_asked() -> None:
    backend = Backend(ALL)
    service = InferenceService(backend=backend, timeout=1.0)
    with pytest.raises(InvalidRequest):
        service.classify("", ["a"])
    with pytest.raises(InvalidRequest):
        service.route("t", [])
    with pytest.raises(InvalidRequest):
        service.score("t", [""])
    assert backend.asked == []
