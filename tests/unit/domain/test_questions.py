"""Answers of a decision service are values in range, or no values at all."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.questions import RISK_HIGH, RISK_LOW, Answers, ChoiceAnswer, ScoreAnswer, Usage, YesNoAnswer

NO_PROBABILITIES: list[Any] = [-0.1, 1.1, math.nan, math.inf, -math.inf, True, 0, 1, "0.5", None, [0.5]]
NO_RISKS: list[Any] = [1, 11, 0, -2, 2.0, True, "5", None, math.nan]
NO_COUNTS: list[Any] = [-1, 0.0, True, "0", None]


@pytest.mark.parametrize("value", NO_PROBABILITIES)
def test_what_is_no_probability_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="probability"):
        YesNoAnswer(value)


@pytest.mark.parametrize("value", NO_RISKS)
def test_what_is_no_risk_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="value"):
        ScoreAnswer(value)


@pytest.mark.parametrize("value", NO_COUNTS)
def test_what_is_no_count_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="index"):
        ChoiceAnswer(value)
    with pytest.raises(ValueError, match="input_tokens"):
        Usage(value, 0)
    with pytest.raises(ValueError, match="output_tokens"):
        Usage(0, value)


@given(st.floats(0, 1))
def test_probabilities_are_kept(value: float) -> None:
    assert YesNoAnswer(value).probability == value


@pytest.mark.parametrize("value", range(RISK_LOW, RISK_HIGH + 1))
def test_risks_are_kept(value: int) -> None:
    assert ScoreAnswer(value).value == value


def test_answers_are_named_by_question() -> None:
    answers = Answers({"a": YesNoAnswer(0.5), "b": ChoiceAnswer(3)}, model="m")
    assert answers.by_id["b"] == ChoiceAnswer(3)
    assert (answers.model, answers.confidence, answers.usage) == ("m", {}, None)
