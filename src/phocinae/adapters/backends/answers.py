"""What a decision service sent, as range-checked answers to the questions that it was asked.

A part that is needed and missing, mistyped or out of range makes the whole response
unusable; nothing is coerced, and nothing is made up.  A part that no answer needs, such
as confidence and usage, is left out when it is malformed, and never spoils an answer.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

from cattrs import Converter

from ...domain import strict_json
from ...domain.questions import (
    LONGEST_NAME,
    RISK_HIGH,
    RISK_LOW,
    Answer,
    Answers,
    Choice,
    ChoiceAnswer,
    Question,
    ScoreAnswer,
    Usage,
    YesNo,
    YesNoAnswer,
)
from ...errors import BadAnswer

SUM_SLACK = 0.02
"""How far two probabilities may be from 1 together: one that rounds to two decimals is 0.01 off."""

USUAL_THRESHOLD = 0.5
"""From where on a service says yes that does not heed the threshold of a question."""

ROUNDING = 0.000_05
"""How far a probability may be on the other side of the threshold: the service rounds to four decimals, and says yes
or no before it does."""

T = TypeVar("T")


def read_answers(data: bytes, questions: tuple[Question, ...]) -> Answers:
    """Return the answers to `questions` in the body of a response.

    The probability of a yes-or-no question is what `option_scores` says of yes.  Where
    that was not sent, the bool counts as 1 or 0.  What was sent and is no distribution,
    or contradicts the bool, is not replaced by the bool, which would turn a doubt into a
    certainty: two statements of which one is wrong are no answer.  Where both agree, the
    stricter one counts: a probability beside a no is below the threshold of the question.

    Raises:
        BadAnswer: an answer is missing or cannot be used; the text says which and why.
    """
    body = _parsed(data)
    answers = body.get("answers")
    if not isinstance(answers, dict):
        raise BadAnswer('it has no object "answers" with an answer per question')
    scores = body.get("option_scores")
    by_id: dict[str, Answer] = {}
    for question in questions:
        if question.id not in answers:
            raise BadAnswer(f"the answer to {question.id!r} is missing")
        by_id[question.id] = _answer(question, answers[question.id], _sent(question, scores))
    return Answers(by_id, _model(body.get("model")), _confidence(body.get("answer_confidence"), by_id), _usage(body))


def printable(text: str, limit: int) -> str:
    """Return a foreign text in at most `limit` characters, on one line and with nothing that acts on a terminal."""
    shown = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        body = strict_json.read(data)
    except strict_json.Unreadable as error:
        why = f"which is not read as JSON: {error}" if data else "which is empty, and no JSON"
        raise BadAnswer(f"it has a body {why}") from None
    if not isinstance(body, dict):
        raise BadAnswer("its body is no JSON object, so it holds no answers")
    return body


def _sent(question: Question, scores: object) -> object:
    """Return what `option_scores` holds for a question, None where it was not sent."""
    if scores is None or not isinstance(question, YesNo):  # nobody needs those of other types
        return None
    if not isinstance(scores, dict):
        raise BadAnswer(f"option_scores, which the answer to {question.id!r} rests on, is no object")
    sent = scores.get(question.id)
    if sent is None and question.id in scores:
        raise BadAnswer(f"option_scores for {question.id!r}, which the answer rests on, is null")
    return sent


def _answer(question: Question, sent: object, scores: object) -> Answer:
    what = f"the answer to {question.id!r}"
    if isinstance(question, YesNo):
        return _yes_or_no(question, sent, scores, what)
    if isinstance(question, Choice):
        last = len(question.options) - 1
        chosen = _structured({"index": _unnested(sent, "choice", what)}, ChoiceAnswer, f"{what} is no index")
        if chosen.index > last:
            raise BadAnswer(f"{what} is no index from 0 to {last}")
        return chosen
    why = f"{what} is no whole number from {RISK_LOW} to {RISK_HIGH}"
    return _structured({"value": _unnested(sent, "score", what)}, ScoreAnswer, why)


def _yes_or_no(question: YesNo, sent: object, scores: object, what: str) -> YesNoAnswer:
    value = _unnested(sent, "noul", what)
    if isinstance(sent, dict) and type(value) is not bool:
        if scores is not None:  # it would be said twice, and nobody who writes the one form writes the other
            raise BadAnswer(f"{what} is a probability, and so is option_scores beside it")
        return _structured({"probability": value}, YesNoAnswer, f"{what} is neither a bool nor a probability")
    yes = _structured(value, bool, f"{what} is neither true nor false")
    if scores is None:
        return YesNoAnswer(1.0 if yes else 0.0, stated=True)
    what = f"option_scores for {question.id!r}, which the answer rests on,"
    no_probability, probability = _structured(scores, tuple[float, float], f"{what} is no list of two numbers")
    if abs(no_probability + probability - 1) > SUM_SLACK:
        raise BadAnswer(f"{what} does not add up to 1")
    answer = _structured({"probability": probability}, YesNoAnswer, f"{what} holds no probability from 0 to 1")
    low, high = sorted((question.threshold, USUAL_THRESHOLD))
    if probability < low - ROUNDING if yes else probability > high + ROUNDING:
        raise BadAnswer(f"{what} contradicts it")
    if not yes and probability >= question.threshold:  # rounded, or a service that does not heed the threshold
        return YesNoAnswer(max(0.0, math.nextafter(question.threshold, -1)))
    return answer


def _unnested(sent: object, kind: str, what: str) -> object:
    """Return the value of an answer; older services wrap it, as in ``{"type": "score", "score": 3}``."""
    if not isinstance(sent, dict):
        return sent
    if kind not in sent or sent.get("type", kind) != kind:
        raise BadAnswer(f"{what} is an object without a {kind}")
    return sent[kind]


def _model(sent: object) -> str:
    """Return the name that the service gave itself, whatever was asked for: it refuses names that it does not serve."""
    return printable(sent, LONGEST_NAME) if isinstance(sent, str) else ""


def _confidence(sent: object, by_id: dict[str, Answer]) -> dict[str, float]:
    if not isinstance(sent, dict):
        return {}
    figures = {name: sent[name] for name in by_id if type(sent.get(name)) in (int, float)}
    return {name: float(figure) for name, figure in figures.items() if 0 <= figure <= 1}


def _usage(body: dict[str, Any]) -> Usage | None:
    try:
        return _structured(body.get("usage"), Usage, "usage")
    except BadAnswer:
        return None


def _structured(sent: object, shape: type[T], why: str) -> T:
    """Return `sent` as a `shape`.

    Raises:
        BadAnswer: with the text `why`, because that of the converter may hold what was sent.
    """
    try:
        return _STRICT.structure(sent, shape)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise BadAnswer(why) from None


def _exactly(wanted: type[T]) -> Any:
    def hook(value: object, _shape: object) -> T:
        if type(value) is not wanted:
            raise TypeError
        return value

    return hook


def _finite(value: object, _shape: object) -> float:
    """Accept a number: JSON writes 1.0 as 1, but a bool is none."""
    if type(value) not in (int, float):
        raise TypeError
    number = float(value)  # type: ignore[arg-type]  # it is one of the two
    if not math.isfinite(number):
        raise ValueError
    return number


def _pair(value: object, _shape: object) -> tuple[float, float]:
    """Accept a list of exactly two numbers; a text and an object could be gone through as well."""
    if type(value) is not list or len(value) != 2:
        raise TypeError
    return _finite(value[0], float), _finite(value[1], float)


def _converter() -> Converter:
    """Return a converter that takes exact types only; by itself it would make '5' of 5, and 1.0 of true."""
    converter = Converter(detailed_validation=False)
    for wanted in (bool, int, str):
        converter.register_structure_hook(wanted, _exactly(wanted))
    converter.register_structure_hook(float, _finite)
    converter.register_structure_hook_func(lambda shape: shape == tuple[float, float], _pair)
    return converter


_STRICT = _converter()
