"""A response becomes answers in range, or a reason why it cannot; there is nothing in between."""

from __future__ import annotations

import json
import math
import traceback
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.backends.answers import printable, read_answers
from phocinae.domain.l1 import Thresholds, decide, questions_for, read_opinion
from phocinae.domain.questions import (
    LONGEST_NAME,
    Answer,
    Answers,
    Choice,
    ChoiceAnswer,
    Question,
    Score,
    ScoreAnswer,
    Usage,
    YesNo,
    YesNoAnswer,
)
from phocinae.domain.verdict import Decision
from phocinae.errors import BadAnswer

QUESTIONS: tuple[Question, ...] = (YesNo("y"), Score("s"), Choice("c", ("a", "b", "c")))
GOOD: dict[str, Any] = {"answers": {"y": True, "s": 3, "c": 2}}
MILD: dict[str, Answer] = {"y": YesNoAnswer(1.0, stated=True), "s": ScoreAnswer(3), "c": ChoiceAnswer(2)}


def read(body: object, questions: tuple[Question, ...] = QUESTIONS) -> Answers:
    return read_answers(json.dumps(body).encode(), questions)


def answering(**answers: Any) -> dict[str, Any]:
    return {"answers": {**GOOD["answers"], **answers}}


def test_without_extensions_the_bool_is_all_there_is() -> None:
    assert read(GOOD) == Answers(MILD)
    assert read(answering(y=False)).by_id["y"] == YesNoAnswer(0.0, stated=True)


def test_with_extensions_everything_is_read() -> None:
    body = GOOD | {
        "model": "m",
        "option_scores": {"y": [0.1234, 0.8766], "s": [0.1] * 9, "c": [0.3, 0.3, 0.4]},
        "answer_confidence": {"y": 0.8766, "s": 1, "other": 0.5},
        "action": {"y": {"act_probability": 0.5}},
        "usage": {"input_tokens": 5, "output_tokens": 0, "more": None},
        "routing": {"perm": "none"},
    }
    assert read(body) == Answers(
        {**MILD, "y": YesNoAnswer(0.8766)}, "m", {"y": 0.8766, "s": 1.0}, Usage(input_tokens=5, output_tokens=0)
    )


@pytest.mark.parametrize(
    ("probability", "threshold", "yes"),
    [(0.5, 0.5, True), (0.4999, 0.5, False), (0.66, 0.65, True), (0.6, 0.65, False)],
)
def test_the_probability_is_that_of_yes_whatever_the_threshold(probability: float, threshold: float, yes: bool) -> None:
    body = {"answers": {"y": yes}, "option_scores": {"y": [round(1 - probability, 4), probability]}}
    assert read(body, (YesNo("y", threshold),)).by_id == {"y": YesNoAnswer(probability)}


@pytest.mark.parametrize("probability", [0.5, 0.6, 0.65])
def test_a_service_that_does_not_heed_the_threshold_may_say_yes_from_the_middle_on(probability: float) -> None:
    for yes in (True, False):
        body = {"answers": {"y": yes}, "option_scores": {"y": [1 - probability, probability]}}
        counted = probability if yes else min(probability, math.nextafter(0.65, 0))
        assert read(body, (YesNo("y", 0.65),)).by_id == {"y": YesNoAnswer(counted)}
    for yes, other in ((True, 0.4999), (True, 0.49), (False, 0.6501), (False, 0.66)):
        body = {"answers": {"y": yes}, "option_scores": {"y": [1 - other, other]}}
        with pytest.raises(BadAnswer, match="contradicts"):
            read(body, (YesNo("y", 0.65),))


@given(st.floats(0, 1), st.floats(0, 1) | st.floats(-0.0002, 0.0002))
def test_what_was_said_no_to_is_below_the_threshold_or_no_answer(threshold: float, figure: float) -> None:
    for probability in {min(1.0, max(0.0, one)) for one in (figure, threshold + figure, round(threshold, 4))}:
        body = {"answers": {"y": False}, "option_scores": {"y": [1 - probability, probability]}}
        try:
            (found,) = read(body, (YesNo("y", threshold),)).by_id.values()
        except BadAnswer:
            assert probability > threshold
            continue
        assert isinstance(found, YesNoAnswer)
        assert found.probability < threshold or found.probability == 0 == threshold
        assert found.probability <= probability
        assert not found.stated


@pytest.mark.parametrize("figures", [[0.3495, 0.6505], [0.35, 0.65], [0.3501, 0.6499]])
@pytest.mark.parametrize("yes", [True, False])
def test_a_no_never_allows(figures: list[float], yes: bool) -> None:
    body = {"answers": {"safe_to_run": yes, "risk": 2}, "option_scores": {"safe_to_run": figures}}
    try:
        decision = decide(read_opinion(read(body, questions_for(Thresholds()))), Thresholds())
    except BadAnswer:
        decision = Decision.DENY
    assert (decision is Decision.ALLOW) is (yes and figures[1] >= 0.65)


def test_probabilities_may_be_rounded_and_whole_numbers() -> None:
    for yes, figures in (
        (True, [0, 1]),
        (False, [1, 0]),
        (True, [0.33, 0.66]),
        (True, [0.5, 0.5]),
        (False, [0.51, 0.49]),
    ):
        assert read(answering(y=yes) | {"option_scores": {"y": figures}}).by_id["y"] == YesNoAnswer(float(figures[1]))


@pytest.mark.parametrize(
    "figures",
    [
        [0.9],
        [0.05, 0.9, 0.05],
        [],
        {},
        {"0": 0.1, "1": 0.9},
        "01",
        0.9,
        True,
        [False, True],
        ["0.1", "0.9"],
        [None, 0.9],
        [[0.1], [0.9]],
        [0.9, 0.9],
        [0.1, 0.1],
        [-0.5, 1.5],
        [-3.2, 4.1],
        [0.5, 10**400],
        [0.95, 0.05],
        None,
    ],
)
def test_figures_that_the_answer_rests_on_are_right_or_there_is_no_answer(figures: object) -> None:
    with pytest.raises(BadAnswer, match="option_scores"):
        read(GOOD | {"option_scores": {"y": figures}})


@pytest.mark.parametrize("scores", [[0.1, 0.9], "x", 1, True, []])
def test_option_scores_of_another_form_are_no_answer_where_one_rests_on_them(scores: object) -> None:
    with pytest.raises(BadAnswer, match="option_scores"):
        read(GOOD | {"option_scores": scores})
    assert read(GOOD | {"option_scores": scores}, QUESTIONS[1:]).by_id["s"] == ScoreAnswer(3)


@pytest.mark.parametrize("scores", [None, {}, {"s": "x", "c": [5], "other": 1}])
def test_figures_that_were_not_sent_are_not_missed(scores: object) -> None:
    assert read(GOOD | {"option_scores": scores}).by_id == MILD


@pytest.mark.parametrize("name", ["y", "s", "c"])
@pytest.mark.parametrize("value", [None, "true", "3", 3.0, 0.9, [], [2], {}, {"value": 2}, {"type": "noul"}, -1, 99])
def test_an_answer_of_another_type_or_out_of_range_is_none(name: str, value: object) -> None:
    with pytest.raises(BadAnswer, match=f"answer to '{name}'"):
        read(answering(**{name: value}))


@pytest.mark.parametrize(
    ("name", "value"), [("y", 1), ("y", 0), ("s", True), ("c", False), ("s", 1), ("s", 11), ("c", 3)]
)
def test_a_bool_is_no_number_and_the_other_way_round(name: str, value: object) -> None:
    with pytest.raises(BadAnswer, match=f"answer to '{name}'"):
        read(answering(**{name: value}))


@pytest.mark.parametrize("name", ["y", "s", "c"])
def test_a_missing_answer_is_named(name: str) -> None:
    body = answering()
    del body["answers"][name]
    with pytest.raises(BadAnswer, match=f"answer to '{name}' is missing"):
        read(body)


@pytest.mark.parametrize("answers", [None, [], [True, 3, 2], "x", 5, True])
def test_answers_stand_in_an_object(answers: object) -> None:
    with pytest.raises(BadAnswer, match="answers"):
        read({"answers": answers})
    with pytest.raises(BadAnswer, match="object"):
        read(answers)


def test_the_older_form_wraps_each_answer() -> None:
    wrapped = {
        "y": {"type": "noul", "noul": False, "confidence": "high"},
        "s": {"type": "score", "score": 3},
        "c": {"choice": 2},
    }
    assert read({"answers": wrapped}).by_id == {**MILD, "y": YesNoAnswer(0.0, stated=True)}
    for figure in (0.25, 1):
        assert read(answering(y={"type": "noul", "noul": figure})).by_id["y"] == YesNoAnswer(float(figure))
    with pytest.raises(BadAnswer, match="beside it"):
        read(answering(y={"noul": 0.99}) | {"option_scores": {"y": [0.99, 0.01]}})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("y", {"type": "score", "noul": True}),
        ("y", {"noul": "true"}),
        ("y", {"noul": 1.5}),
        ("y", {"noul": {"noul": True}}),
        ("s", {"type": "score", "noul": 3}),
        ("s", {"type": "score", "score": True}),
        ("s", {"type": "score", "score": 3.0}),
        ("c", {"type": "choice", "choice": 3}),
        ("c", {"type": "choice", "choice": None}),
    ],
)
def test_a_wrapped_answer_of_another_type_is_none(name: str, value: object) -> None:
    with pytest.raises(BadAnswer, match=f"answer to '{name}'"):
        read(answering(**{name: value}))


@pytest.mark.parametrize(
    "extra", [None, 1, "x", [], [1], {}, {"y": "x", "s": -1, "c": 7, "z": 0.5}, {"input_tokens": True}]
)
@pytest.mark.parametrize("name", ["answer_confidence", "usage", "routing", "action", "new", "model"])
def test_an_extra_never_spoils_an_answer(name: str, extra: object) -> None:
    found = read(GOOD | {name: extra})
    assert (found.by_id, found.confidence, found.usage) == (MILD, {}, None)


def test_of_the_confidence_what_is_usable_is_kept() -> None:
    assert read(GOOD | {"answer_confidence": {"y": 0.7, "s": True, "c": 1.1}}).confidence == {"y": 0.7}
    assert read(GOOD | {"answer_confidence": {"y": 10**400}}).confidence == {}


def test_the_model_is_told_as_it_calls_itself_on_one_line() -> None:
    assert read(GOOD | {"model": "other-2"}).model == "other-2"
    assert read(GOOD | {"model": "a\n\x1b[31m\u202eb"}).model == "a\\u000a\\u001b[31m\\u202eb"
    assert read(GOOD | {"model": "x" * 5000}).model == "x" * (LONGEST_NAME - 3) + "..."
    assert printable("\U0001f600\U000e0001", 9) == "\U0001f600\\ue0001"
    assert [len(printable("\n" * length, 20)) for length in (3, 4, 99)] == [18, 20, 20]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"<html>", "not JSON"),
        (b'{"answers":{"y":true,"y":false,"s":3,"c":2}}', "twice"),
        (b'{"answers":{"y":true,"s":3,"c":2},"answers":{}}', "twice"),
        (b'{"answers":{"y":true,"s":NaN,"c":2}}', "NaN"),
        (b'{"answers":{"y":true,"s":3,"c":2},"option_scores":{"y":[0.0,1e400]}}', "out of range"),
        (b'{"answers":{"y":true,"s":3,"c":2},"x":"\xff"}', "UTF-8"),
        (b'{"answers":{"y":true,"s":3,"c":2},"x":"\\ud800"}', "surrogate"),
        (b"[" * 100_000, "nested"),
        (b'{"answers":{"y":true,"s":' + b"3" * 5000 + b',"c":2}}', "too long"),
    ],
)
def test_what_can_be_read_in_two_ways_holds_no_answers(data: bytes, why: str) -> None:
    with pytest.raises(BadAnswer, match=why):
        read_answers(data, QUESTIONS)


def test_no_reason_repeats_what_was_sent() -> None:
    secret = "s3cret-of-the-service"
    for body in (
        answering(y=secret),
        answering(s={secret: 1}),
        {"answers": secret},
        secret,
        GOOD | {"option_scores": {"y": [secret, secret]}},
    ):
        with pytest.raises(BadAnswer) as caught:
            read(body)
        assert secret not in "".join(traceback.format_exception(caught.value, limit=0))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.floats(-1, 2)
    | st.sampled_from(["noul", "score", "true", "3"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["y", "s", "c", "type", "noul", "score", "choice", "answers"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
PLACES: list[tuple[Any, ...]] = [("answers",), ("answers", "y"), ("answers", "s"), ("answers", "c"), ("option_scores",)]
PLACES += [("option_scores", "y"), ("option_scores", "y", 1), ("answer_confidence",), ("usage",), ("model",), ("new",)]


@st.composite
def spoiled(draw: st.DrawFn) -> object:
    """Draw a good body of which at most two places hold something else."""
    probability = draw(st.floats(0, 1))
    body: Any = {
        "answers": {"y": probability >= 0.5, "s": draw(st.integers(2, 10)), "c": draw(st.integers(0, 2))},
        "option_scores": {"y": [1 - probability, probability]},
        "answer_confidence": {"y": draw(st.floats(0, 1))},
        "usage": {"input_tokens": 1, "output_tokens": 0},
    }
    for *path, last in draw(st.lists(st.sampled_from(PLACES), max_size=2)):
        holder: Any = body
        for step in path:
            holder = holder[step] if isinstance(holder, dict) and step in holder else {}
        if isinstance(holder, dict) or (isinstance(holder, list) and len(holder) > 1 and last == 1):
            holder[last] = draw(JSON)
    return body


@given(spoiled() | JSON)
def test_any_json_gives_answers_to_all_questions_or_a_reason(body: object) -> None:
    try:
        found = read(body)
    except BadAnswer:
        return
    assert list(found.by_id) == ["y", "s", "c"]
    yes, risk, chosen = found.by_id.values()
    assert isinstance(yes, YesNoAnswer)
    assert isinstance(risk, ScoreAnswer)
    assert isinstance(chosen, ChoiceAnswer)
    assert 0 <= yes.probability <= 1
    assert 2 <= risk.value <= 10
    assert 0 <= chosen.index < 3
    assert found.model.isprintable()
    assert found.confidence.keys() <= found.by_id.keys()


@given(st.binary(max_size=200))
def test_any_bytes_are_no_answers_or_a_reason(data: bytes) -> None:
    with pytest.raises(BadAnswer):
        read_answers(data, QUESTIONS)
