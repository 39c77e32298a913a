"""The questions that a decision service can be asked, and its answers as range-checked values."""

from __future__ import annotations

import math
from typing import Any

from attrs import Attribute, field, frozen

RISK_LOW, RISK_HIGH = 2, 10
"""The range of a score answer, both ends included."""

LONGEST_NAME = 200
"""The longest name of a model that is shown, in characters."""


def _probability(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a finite float from 0 to 1; a bool is no number here."""
    if not isinstance(value, float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise ValueError(f"{attribute.name} is no probability from 0 to 1")


@frozen
class YesNo:
    """A question with a probability as its answer (wire type ``noul``).

    A service that says yes or no instead says yes from a probability of `threshold` on.
    `text` is what is asked, for a service that reads it; no answer may depend on it.
    """

    id: str
    threshold: float = field(default=0.5, validator=_probability)
    text: str = field(default="", kw_only=True)


@frozen
class Choice:
    """A question whose answer is one of `options`, by index (wire type ``choice``); `text` as of `YesNo`."""

    id: str
    options: tuple[str, ...]
    text: str = field(default="", kw_only=True)


@frozen
class Score:
    """A question whose answer is a whole number from 2 to 10 (wire type ``score``); `text` as of `YesNo`."""

    id: str
    text: str = field(default="", kw_only=True)


Question = YesNo | Choice | Score


def _integer(low: int, high: int | None, value: object, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        raise ValueError(f"{name} is no whole number in range")


def _risk(_instance: object, attribute: Attribute[Any], value: object) -> None:
    _integer(RISK_LOW, RISK_HIGH, value, attribute.name)


def _count(_instance: object, attribute: Attribute[Any], value: object) -> None:
    _integer(0, None, value, attribute.name)


@frozen
class YesNoAnswer:
    """`probability` (0 to 1) that the statement asked about holds.

    `stated` tells that a service without probabilities said yes (1) or no (0).
    """

    probability: float = field(validator=_probability)
    stated: bool = False


@frozen
class ChoiceAnswer:
    """`index` of the chosen option, counted from 0."""

    index: int = field(validator=_count)


@frozen
class ScoreAnswer:
    """`value`, a whole number from 2 to 10."""

    value: int = field(validator=_risk)


Answer = YesNoAnswer | ChoiceAnswer | ScoreAnswer


@frozen
class Usage:
    """What a call has cost, in tokens of the model."""

    input_tokens: int = field(validator=_count)
    output_tokens: int = field(validator=_count)


@frozen
class Answers:
    """One answer per question id, the model that gave them, and its confidence (0 to 1) where it said one.

    `usage` is None where the service does not say what the call has cost.
    """

    by_id: dict[str, Answer]
    model: str = ""
    confidence: dict[str, float] = field(factory=dict)
    usage: Usage | None = None


def usable_confidence(answers: Answers) -> dict[str, float]:
    """Return the confidence figures that are figures; one that nobody needs must not spoil an answer."""
    return {
        name: float(value)
        for name, value in answers.confidence.items()
        if name in answers.by_id and type(value) in (float, int) and 0 <= value <= 1
    }


def named(model: str) -> bool:
    """Tell whether a model's name, as a service gave it, can stand in a sentence."""
    return type(model) is str and 0 < len(model) <= LONGEST_NAME and model.isprintable()
