from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.l1 import (
    QUESTIONS,
    SEEN_BYTES,
    STATEMENT,
    Opinion,
    Thresholds,
    decide,
    read_opinion,
    seen_whole,
    state_of,
    verdict_of,
)
from phocinae.domain.questions import Answer, Answers, ChoiceAnswer, Score, ScoreAnswer, YesNo, YesNoAnswer
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.errors import BadAnswer

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
DEFAULT = Thresholds()
REQUEST = GateRequest("npm install left-pad", "/srv/app")


def answers(probability: float = 0.9, risk: int = 2, model: str = "m") -> Answers:
    return Answers({"safe_to_run": YesNoAnswer(probability), "risk": ScoreAnswer(risk)}, model)


def test_what_is_asked() -> None:
    assert (YesNo("safe_to_run"), Score("risk")) == QUESTIONS


def test_the_statement_in_the_state_says_that_the_command_is_fine() -> None:
    assert state_of(REQUEST) == (
        "This shell command is safe to run without asking a person:\nnpm install left-pad\nWorking directory: /srv/app"
    )
    assert state_of(GateRequest("ls")) == f"{STATEMENT}\nls"


@pytest.mark.parametrize(
    ("probability", "risk", "decision"),
    [
        (1.0, 2, ALLOW),
        (0.65, 3, ALLOW),
        (0.64, 3, ASK),
        (0.36, 3, ASK),
        (0.35, 3, DENY),
        (0.0, 2, DENY),
        (0.9, 4, ASK),
        (0.9, 6, ASK),
        (0.9, 7, DENY),
        (0.5, 7, DENY),
        (0.1, 5, DENY),
        (1.0, 10, DENY),
    ],
)
def test_the_stricter_figure_decides(probability: float, risk: int, decision: Decision) -> None:
    assert decide(Opinion(probability, risk), DEFAULT) is decision


PROBABILITY = st.floats(0, 1)
RISK = st.integers(2, 10)


@st.composite
def thresholds(draw: st.DrawFn) -> Thresholds:
    ask, deny = sorted((draw(RISK), draw(RISK)))
    low, high = sorted((draw(PROBABILITY), draw(PROBABILITY)))
    return Thresholds(score_deny=deny, score_ask=ask, noul_deny=low, noul_allow=high)


@given(PROBABILITY, PROBABILITY, RISK, RISK, thresholds())
def test_more_risk_or_less_probability_is_never_milder(p: float, q: float, r: int, s: int, limits: Thresholds) -> None:
    milder = Opinion(max(p, q), min(r, s))
    stricter = Opinion(min(p, q), max(r, s))
    assert decide(stricter, limits) >= decide(milder, limits)


@given(PROBABILITY, RISK, thresholds(), thresholds())
def test_stricter_thresholds_are_never_milder(p: float, r: int, one: Thresholds, other: Thresholds) -> None:
    both = Thresholds(
        score_deny=min(one.score_deny, other.score_deny),
        score_ask=min(one.score_ask, other.score_ask),
        noul_deny=max(one.noul_deny, other.noul_deny),
        noul_allow=max(one.noul_allow, other.noul_allow),
    )
    assert decide(Opinion(p, r), both) >= decide(Opinion(p, r), one)


def test_a_table_over_both_figures_is_monotone() -> None:
    figures = [0.0, 0.1, 0.34, 0.35, 0.5, 0.65, 0.66, 0.9, 1.0]
    table = [[decide(Opinion(p, risk), DEFAULT) for p in figures] for risk in range(2, 11)]
    assert {decision for row in table for decision in row} == set(Decision)
    for row in table:
        assert row == sorted(row, reverse=True)
    for column in zip(*table, strict=True):
        assert list(column) == sorted(column)


@pytest.mark.parametrize(
    ("by_id", "named"),
    [
        ({}, "safe_to_run"),
        ({"safe_to_run": YesNoAnswer(1.0)}, "risk"),
        ({"risk": ScoreAnswer(2)}, "safe_to_run"),
        ({"safe_to_run": ScoreAnswer(2), "risk": ScoreAnswer(2)}, "safe_to_run"),
        ({"safe_to_run": YesNoAnswer(1.0), "risk": ChoiceAnswer(2)}, "risk"),
        ({"safe_to_run": True, "risk": ScoreAnswer(2)}, "safe_to_run"),
        ({"safe_to_run": YesNoAnswer(1.0), "risk": 2}, "risk"),
        ({"safe": YesNoAnswer(1.0), "risk": ScoreAnswer(2)}, "safe_to_run"),
    ],
)
def test_an_answer_that_is_missing_or_of_another_kind_is_bad(by_id: dict[str, Answer], named: str) -> None:
    with pytest.raises(BadAnswer, match=named):
        read_opinion(Answers(by_id))


def test_the_verdict_carries_both_figures() -> None:
    found = verdict_of(REQUEST, evolve(answers(0.5, 3), confidence={"risk": 0.8}), DEFAULT, engine="mock", policy="abc")
    assert found == Verdict(
        decision=ASK,
        layer=Layer.L1,
        reason="The model m gives the command a risk of 3 (2 to 10) and a probability of 0.50 "
        "that it is safe to run without a person.",
        policy="abc",
        engine="mock",
        noul=0.5,
        score=3,
        confidence={"risk": 0.8},
    )


def test_a_command_that_the_model_may_have_seen_a_part_of_is_never_allowed() -> None:
    longest = "x" * (SEEN_BYTES - len(STATEMENT) - 1)
    assert seen_whole(longest)
    assert not seen_whole(longest + "x")
    assert not seen_whole("ü" * (len(longest) // 2 + 1))
    assert verdict_of(GateRequest(longest), answers(), DEFAULT, engine="mock").decision is ALLOW
    cut = verdict_of(GateRequest(longest + "; rm -rf ~"), answers(), DEFAULT, engine="mock")
    assert cut.decision is ASK
    assert "too long" in cut.reason
    assert verdict_of(GateRequest(longest + "x"), answers(0.1), DEFAULT, engine="mock").decision is DENY


def test_a_lone_surrogate_does_not_break_the_measure() -> None:
    assert seen_whole("\udc80")
