"""What a judge can answer: a `Verdict`, or `Undecided` with the mildest verdict that may follow.

Hits carry the argument.  Each hit has a weight, and the heaviest hit decides;
that is the whole calculus of the offline layer, so that no rule has to know of
any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import Any

from attrs import field, frozen


class Decision(IntEnum):
    """The three answers, ordered from the mildest to the strictest: ALLOW < ASK < DENY."""

    ALLOW = 0
    ASK = 1
    DENY = 2

    @property
    def wire(self) -> str:
        """The word that stands for this decision in every output: ``allow``, ``ask`` or ``deny``."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Decision:
        """Return the decision that `word` names on the wire; raise ValueError for any other text."""
        for decision in cls:
            if decision.wire == word:
                return decision
        raise ValueError(f"not a decision: {word!r}; use allow, ask or deny")


def strictest(decisions: Iterable[Decision]) -> Decision:
    """Return the strictest of `decisions`, whatever their order.

    Without any decision the answer is DENY: nothing was judged, so nothing may run.
    """
    return max(decisions, default=Decision.DENY)


class Layer(Enum):
    """The part of the chain that gave the verdict; the values are the words on the wire."""

    L0 = "L0"
    L1 = "L1"
    FAIL_CLOSED = "fail_closed"
    HUMAN = "human_approval"


class ReadingStatus(Enum):
    """How much of a text the shell reader understood."""

    COMPLETE = "complete"
    UNKNOWN = "unknown"
    REFUSED = "refused"


class HumanAction(Enum):
    """What the person who was asked did with the question."""

    APPROVE = "approve"
    REJECT = "reject"
    DECLINE = "decline"
    CANCEL = "cancel"


class Weight(IntEnum):
    """What one hit does to a verdict, from nothing to the strictest.

    NOTE says something and hinders nothing.  UNSURE: the offline layer cannot vouch
    for the command, a later layer may.  PERSON: only a person may.  DENY: nobody may.
    """

    NOTE = 0
    UNSURE = 1
    PERSON = 2
    DENY = 3

    __hash__ = int.__hash__  # an Enum's own hash is a function in Python


@frozen(kw_only=True, slots=False)  # frozen slots are filled by a call for each
class Hit:
    """One thing that a judge noticed about a command.

    `start` and `end` are offsets into the judged text in code points, half open.
    `reason` is a sentence for people that is true of this very command; `remedy` is
    empty unless the hit denies, and then says what to run instead.
    """

    rule: str
    weight: Weight
    reason: str
    start: int = 0
    end: int = 0
    remedy: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Return the hit as the JSON object that every face shows."""
        wire: dict[str, Any] = {"rule": self.rule, "start": self.start, "end": self.end, "reason": self.reason}
        if self.remedy:
            wire["remedy"] = self.remedy
        return wire


@frozen(kw_only=True, slots=False)
class Verdict:
    """A final answer on one command.

    `noul` is the probability (0 to 1) that the command may run without a person and
    `score` its risk (2 to 10); both are set only where the decision service was asked.
    `confidence` maps a question's id to the service's own figure.  `error` names a
    failure that led to the verdict.  One that is `observed` is recorded and hinders nothing.
    """

    decision: Decision
    layer: Layer
    reason: str
    hits: tuple[Hit, ...] = ()
    ceiling: Decision = Decision.ALLOW
    reading: ReadingStatus = ReadingStatus.REFUSED
    policy: str = ""
    engine: str = "l0"
    noul: float | None = None
    score: int | None = None
    confidence: dict[str, float] | None = field(default=None, hash=False)
    human_action: HumanAction | None = None
    error: str = ""
    observed: bool = False

    def to_wire(self) -> dict[str, Any]:
        """Return the verdict as the JSON object that every face shows (see docs/verdict.md)."""
        wire = _wire(self.decision.wire, self.layer, self)
        wire["engine"] = self.engine
        for name in ("noul", "score", "confidence"):
            value = getattr(self, name)
            if value is not None:
                wire[name] = value
        if self.human_action is not None:
            wire["human_action"] = self.human_action.value
        if self.error:
            wire["error"] = self.error
        if self.observed and self.decision is not Decision.ALLOW:
            wire["outcome"] = f"would {self.decision.wire}"
        return wire


@frozen(kw_only=True, slots=False)
class Undecided:
    """Not an answer: the offline layer neither vouches for the command nor denies it.

    `ceiling` is the mildest decision that a later layer may give: ALLOW, or ASK where
    a person must look.
    """

    reason: str
    ceiling: Decision
    hits: tuple[Hit, ...] = ()
    reading: ReadingStatus = ReadingStatus.REFUSED
    policy: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Return it as JSON with the decision ``undecided``, which only ``--layer l0`` shows."""
        return _wire("undecided", Layer.L0, self) | {"engine": "l0"}


def _wire(decision: str, layer: Layer, answer: Verdict | Undecided) -> dict[str, Any]:
    return {
        "decision": decision,
        "layer": layer.value,
        "reason": answer.reason,
        "hits": [hit.to_wire() for hit in answer.hits],
        "ceiling": answer.ceiling.wire,
        "reading": answer.reading.value,
        "policy": answer.policy,
    }
