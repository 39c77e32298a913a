"""What a decision service can be asked about any text: which label, which tool, how much; and what it answered.

The published service drops the texts of questions and knows the options of a choice only,
so what is to be done stands inside the state, in front of the text, which is JSON there and
so cannot pass for a part of the task.  It is the text of the question as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from ..errors import BadAnswer, InvalidRequest
from .questions import (
    RISK_HIGH,
    RISK_LOW,
    Answers,
    Choice,
    ChoiceAnswer,
    Question,
    Score,
    ScoreAnswer,
    Usage,
    named,
    usable_confidence,
)
from .state import in_json

CLASSIFY = "Choose the label for this text"
ROUTE = "Choose the tool for this request"
SCORE = f"Rate this text from {RISK_LOW} (lowest) to {RISK_HIGH} (highest) by these criteria"

STATE_LIMIT = 20_000
"""The longest text that is asked about, in code points."""

ITEM_LIMIT = 2_000
"""The longest label, tool or criterion, in code points."""

MOST_ITEMS = 100
"""The most labels, tools or criteria of one question."""

OPTION_BYTES, OPTIONS_BYTES = 48, 192
"""How many bytes of one option, and of all of them, the served model is sure to read."""


@frozen
class Task:
    """One question, and the `state` that it is about."""

    question: Question
    state: str

    def truncated(self, window: int) -> bool:
        """Tell whether the model may have read a part only, if it is sure to read `window` bytes of a state."""
        sizes = [len(option.encode()) for option in self.question.options] if isinstance(self.question, Choice) else []
        return (
            len(self.state.encode()) > window
            or any(size > OPTION_BYTES for size in sizes)
            or sum(sizes) > OPTIONS_BYTES
        )


def classifying(state: str, labels: Sequence[str]) -> Task:
    """Return the task of choosing the label for a text.

    Raises:
        InvalidRequest: `state` or `labels` cannot be asked about.
    """
    return Task(Choice("label", _distinct(labels, "label"), text=CLASSIFY), f"{CLASSIFY}:\n{_text(state)}")


def routing(state: str, tools: Sequence[str]) -> Task:
    """Return the task of choosing the tool for a request.

    Raises:
        InvalidRequest: `state` or `tools` cannot be asked about.
    """
    return Task(Choice("tool", _distinct(tools, "tool"), text=ROUTE), f"{ROUTE}:\n{_text(state)}")


def scoring(state: str, criteria: Sequence[str]) -> Task:
    """Return the task of rating a text by criteria.

    Raises:
        InvalidRequest: `state` or `criteria` cannot be asked about.
    """
    wanted = in_json(list(_items(criteria, "criterion", "criteria")))
    return Task(Score("score", text=SCORE), f"{SCORE}: {wanted}\n{_text(state)}")


@frozen(kw_only=True)
class Inference:
    """What all answers have in common.

    `confidence` is the service's own figure (0 to 1) or None, `usage` None where it was not
    said.  `truncated` tells that the model may have read a part of the text only.
    `engine` is what answered: ``http``, or ``mock`` where no model did.
    """

    model: str
    engine: str
    truncated: bool = False
    confidence: float | None = None
    usage: Usage | None = None

    def _wire(self, own: dict[str, Any]) -> dict[str, Any]:
        wire = dict(own)
        if self.confidence is not None:
            wire["confidence"] = self.confidence
        wire |= {"model": self.model, "engine": self.engine, "truncated": self.truncated}
        if self.usage is not None:
            wire["usage"] = {
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
            }
        return wire


@frozen(kw_only=True)
class Classification(Inference):
    """The chosen `label`, and its place `choice` in the list, counted from 0."""

    choice: int
    label: str

    def to_wire(self) -> dict[str, Any]:
        """Return it as the JSON object that every face shows."""
        return self._wire({"choice": self.choice, "label": self.label})


@frozen(kw_only=True)
class Routing(Inference):
    """The chosen `tool`, and its place `choice` in the list, counted from 0."""

    choice: int
    tool: str

    def to_wire(self) -> dict[str, Any]:
        """Return it as the JSON object that every face shows."""
        return self._wire({"choice": self.choice, "tool": self.tool})


@frozen(kw_only=True)
class Scoring(Inference):
    """The `score`, a whole number within `range`, both ends included."""

    score: int
    range: tuple[int, int] = field(default=(RISK_LOW, RISK_HIGH), init=False)

    def to_wire(self) -> dict[str, Any]:
        """Return it as the JSON object that every face shows."""
        return self._wire({"score": self.score, "range": list(self.range)})


def classified(task: Task, answers: Answers, *, engine: str, window: int) -> Classification:
    """Return what `answers` say to a task of `classifying`, of whose state a model reads `window` bytes.

    Raises:
        BadAnswer: the answer is missing, or is none to this question.
    """
    place, label = _chosen(task, answers)
    return Classification(choice=place, label=label, **_common(task, answers, engine, window))


def routed(task: Task, answers: Answers, *, engine: str, window: int) -> Routing:
    """Return what `answers` say to a task of `routing`, of whose state a model reads `window` bytes.

    Raises:
        BadAnswer: the answer is missing, or is none to this question.
    """
    place, tool = _chosen(task, answers)
    return Routing(choice=place, tool=tool, **_common(task, answers, engine, window))


def scored(task: Task, answers: Answers, *, engine: str, window: int) -> Scoring:
    """Return what `answers` say to a task of `scoring`, of whose state a model reads `window` bytes.

    Raises:
        BadAnswer: the answer is missing, or is no score.
    """
    answer = answers.by_id.get(task.question.id)
    if not isinstance(answer, ScoreAnswer):
        raise BadAnswer("the answer holds no score; look whether the decision service has the right model")
    return Scoring(score=answer.value, **_common(task, answers, engine, window))


def _chosen(task: Task, answers: Answers) -> tuple[int, str]:
    answer = answers.by_id.get(task.question.id)
    options = task.question.options if isinstance(task.question, Choice) else ()
    if not isinstance(answer, ChoiceAnswer) or answer.index >= len(options):
        raise BadAnswer("the answer is none of the options; look whether the decision service has the right model")
    return answer.index, options[answer.index]


def _common(task: Task, answers: Answers, engine: str, window: int) -> dict[str, Any]:
    return {
        "model": answers.model if named(answers.model) else "",
        "engine": engine,
        "truncated": task.truncated(window),
        "confidence": usable_confidence(answers).get(task.question.id),
        "usage": answers.usage,
    }


def _text(state: object) -> str:
    if type(state) is not str:
        raise InvalidRequest(f"what the question is about must be a text (a string), and is {_kind(state)}")
    if not _is_text(state):
        raise InvalidRequest("what the question is about is not UTF-8 text")
    if not state.strip():
        raise InvalidRequest("the text is empty; give the text that the question is about")
    if len(state) > STATE_LIMIT:
        raise InvalidRequest(f"the text has {len(state)} characters; at most {STATE_LIMIT} can be asked about")
    return in_json(state)


def _items(given: object, one: str, many: str) -> tuple[str, ...]:
    if isinstance(given, str | bytes) or not isinstance(given, Sequence) or not 1 <= len(given) <= MOST_ITEMS:
        raise InvalidRequest(f"give a list of 1 to {MOST_ITEMS} {many}")
    for item in given:
        if type(item) is not str:
            raise InvalidRequest(f"a {one} must be a text (a string), and one is {_kind(item)}")
        if not _is_text(item):
            raise InvalidRequest(f"a {one} is not UTF-8 text")
        if not item.strip():
            raise InvalidRequest(f"a {one} is empty")
        if len(item) > ITEM_LIMIT:
            raise InvalidRequest(f"a {one} has {len(item)} characters; at most {ITEM_LIMIT} can be given")
    return tuple(given)


def _kind(value: object) -> str:
    """Return what a value is that is no text, in the words of JSON where it has one for it."""
    if value is None:
        return "null"
    kinds = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), f"of the type {type(value).__name__}")


def _distinct(given: object, one: str) -> tuple[str, ...]:
    items = _items(given, one, f"{one}s")
    if len(set(items)) < len(items):
        raise InvalidRequest(f"a {one} is there twice; an answer could not tell which one is meant")
    return items


def _is_text(text: str) -> bool:
    """Tell whether a text has a form in UTF-8; half surrogates have none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
