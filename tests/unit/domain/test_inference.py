from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.inference import (
    CLASSIFY,
    ITEM_LIMIT,
    MOST_ITEMS,
    OPTION_BYTES,
    ROUTE,
    SCORE,
    STATE_LIMIT,
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
from phocinae.domain.questions import Answer, Answers, Choice, ChoiceAnswer, Score, ScoreAnswer, Usage, YesNoAnswer
from phocinae.errors import BadAnswer, InvalidRequest

MAKERS: list[Callable[[Any, Any], Task]] = [classifying, routing, scoring]
ABOUT: dict[str, Any] = {"engine": "http", "window": 320}


@pytest.mark.parametrize(
    ("task", "question", "state"),
    [
        (classifying("it crashes", ["bug", "wish"]), Choice("label", ("bug", "wish"), text=CLASSIFY),
         'Choose the label for this text:\n"it crashes"'),
        (routing("find x", ("grep", "ls")), Choice("tool", ("grep", "ls"), text=ROUTE),
         'Choose the tool for this request:\n"find x"'),
        (scoring("a\nb", ["clear", "\"short\""]), Score("score", text=SCORE),
         'Rate this text from 2 (lowest) to 10 (highest) by these criteria: ["clear", "\\"short\\""]\n"a\\nb"'),
    ],
)  # fmt: skip
def test_what_is_to_be_done_stands_in_front_of_the_text(task: Task, question: object, state: str) -> None:
    assert (task.question, task.state) == (question, state)
    assert task.state.startswith(f"{task.question.text}:")


@given(st.sampled_from(MAKERS), st.text(st.characters(exclude_categories=["Cs"])).filter(str.strip))
def test_no_text_forges_a_line(make: Callable[[Any, Any], Task], text: str) -> None:
    first, second = make(text, ["one"]).state.split("\n")
    assert json.loads(second) == text
    assert first == make("x", ["one"]).state.split("\n")[0]


def test_what_the_model_may_not_have_read_is_called_truncated() -> None:
    task = classifying("x", ["a"])
    size = len(task.state)
    assert [task.truncated(size), task.truncated(size - 1)] == [False, True]
    assert classifying("ü", ["a"]).truncated(size)
    assert not classifying("x", ["a" * OPTION_BYTES]).truncated(320)
    assert classifying("x", ["a" * OPTION_BYTES + "b"]).truncated(320)
    assert classifying("x", [f"{number:040}" for number in range(5)]).truncated(320)
    assert scoring("x", ["long" * 100]).truncated(320)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        *[("", "the text is empty"), (" \n", "the text is empty"), ("\udc80", "not UTF-8 text")],
        ("x" * (STATE_LIMIT + 1), "has 20001 characters; at most 20000"),
        *[(None, "is null"), (7, "is a number"), (0.5, "is a number"), (False, "is true or false")],
        *[([], "is a list"), ({}, "is an object"), (b"x", "is of the type bytes")],
    ],
)
def test_a_text_that_cannot_be_asked_about_is_refused(make: Callable[[Any, Any], Task], text: Any, why: str) -> None:
    with pytest.raises(InvalidRequest, match=why) as caught:
        make(text, ["a"])
    assert ("must be a text" in str(caught.value)) is (type(text) is not str)
    assert make("x" * STATE_LIMIT, ["a" * ITEM_LIMIT]).truncated(STATE_LIMIT)


WRONG: list[Any] = [
    [], None, "ab", b"ab", 7, {"a": 1}, {"a"}, [""], [" "], [None], ["a", 7], ["\udc80"], ["x" * (ITEM_LIMIT + 1)],
    ["a"] * (MOST_ITEMS + 1),
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("items", WRONG)
def test_a_list_that_cannot_be_used_is_refused(make: Callable[[Any, Any], Task], items: Any) -> None:
    with pytest.raises(InvalidRequest, match=r"\A(give a list of 1 to 100|a (label|tool|criterion) (is|has|must be)) "):
        make("x", items)
    assert make("x", [str(number) for number in range(MOST_ITEMS)]).state.endswith('\n"x"')


@pytest.mark.parametrize("make", [classifying, routing])
def test_options_are_distinct(make: Callable[[Any, Any], Task]) -> None:
    with pytest.raises(InvalidRequest, match="twice"):
        make("x", ["a", "b", "a"])
    assert '["a", "a"]' in scoring("x", ["a", "a"]).state


def answers(by_id: dict[str, Answer], **more: Any) -> Answers:
    return Answers(by_id, **{"model": "m", **more})


def test_results_carry_what_the_service_said() -> None:
    usage = Usage(42, 0)
    choice = answers({"label": ChoiceAnswer(1)}, confidence={"label": 0.7}, usage=usage)
    label = classified(classifying("x", ["a", "b"]), choice, **ABOUT)
    assert label == Classification(choice=1, label="b", confidence=0.7, model="m", usage=usage, engine="http")
    assert label.to_wire() == {
        "choice": 1, "label": "b", "confidence": 0.7, "model": "m", "engine": "http", "truncated": False,
        "usage": {"input_tokens": 42, "output_tokens": 0},
    }  # fmt: skip
    tool = routed(routing("x", ["a", "b"]), answers({"tool": ChoiceAnswer(0)}), **ABOUT)
    assert tool == Routing(choice=0, tool="a", model="m", engine="http")
    assert tool.to_wire() == {"choice": 0, "tool": "a", "model": "m", "engine": "http", "truncated": False}
    score = scored(scoring("x" * 400, ["a"]), answers({"score": ScoreAnswer(7)}), **ABOUT)
    assert score == Scoring(score=7, model="m", engine="http", truncated=True)
    assert score.to_wire() == {"score": 7, "range": [2, 10], "model": "m", "engine": "http", "truncated": True}


@pytest.mark.parametrize("by_id", [
    {}, {"label": ChoiceAnswer(2)}, {"label": ScoreAnswer(2)}, {"label": YesNoAnswer(1.0)}, {"label": 1},
    {"tool": ChoiceAnswer(0)},
])  # fmt: skip
def test_an_answer_that_is_none_of_the_options_is_bad(by_id: dict[str, Answer]) -> None:
    with pytest.raises(BadAnswer, match="none of the options"):
        classified(classifying("x", ["a", "b"]), answers(by_id), **ABOUT)
    with pytest.raises(BadAnswer, match="no score"):
        scored(scoring("x", ["a"]), answers(by_id), **ABOUT)


@pytest.mark.parametrize("model", ["", "a\nb", "\u202e", "x" * 300])
def test_a_name_that_is_none_is_left_out(model: str) -> None:
    found = classified(classifying("x", ["a"]), answers({"label": ChoiceAnswer(0)}, model=model), **ABOUT)
    assert found.model == ""


@pytest.mark.parametrize("figure", [float("nan"), 2.0, -0.1, True, "0.5", None, 10**400])
def test_confidence_that_is_none_is_left_out(figure: Any) -> None:
    found = classified(
        classifying("x", ["a"]), answers({"label": ChoiceAnswer(0)}, confidence={"label": figure}), **ABOUT
    )
    assert found.confidence is None
