"""Verdicts, their order and their wire form."""

from __future__ import annotations

import pytest
from attrs.exceptions import FrozenInstanceError

from phocinae.domain.verdict import (
    Decision,
    Hit,
    HumanAction,
    Layer,
    ReadingStatus,
    Undecided,
    Verdict,
    Weight,
)


def test_decisions_are_ordered_from_the_mildest_to_the_strictest() -> None:
    assert Decision.ALLOW < Decision.ASK < Decision.DENY
    assert Weight.NOTE < Weight.UNSURE < Weight.PERSON < Weight.DENY


@pytest.mark.parametrize("decision", Decision)
def test_a_decision_comes_back_from_the_wire(decision: Decision) -> None:
    assert Decision.of(decision.wire) is decision


@pytest.mark.parametrize("word", ["", "Allow", "ALLOW", "yes", "undecided", "allow "])
def test_other_words_are_no_decision(word: str) -> None:
    with pytest.raises(ValueError, match="not a decision"):
        Decision.of(word)


HIT = Hit(rule="delete-root", weight=Weight.DENY, reason="It deletes /.", start=7, end=8, remedy="do not")
NOTE = Hit(rule="runs-project-code", weight=Weight.NOTE, reason="It runs code.")


def test_a_hit_on_the_wire_has_a_remedy_only_where_it_has_one() -> None:
    assert HIT.to_wire() == {
        "rule": "delete-root",
        "start": 7,
        "end": 8,
        "reason": "It deletes /.",
        "remedy": "do not",
    }
    assert NOTE.to_wire() == {"rule": "runs-project-code", "start": 0, "end": 0, "reason": "It runs code."}


def test_a_plain_verdict_on_the_wire_leaves_out_what_does_not_apply() -> None:
    verdict = Verdict(
        decision=Decision.DENY,
        layer=Layer.L0,
        reason="It deletes /.",
        hits=(HIT,),
        ceiling=Decision.DENY,
        reading=ReadingStatus.COMPLETE,
        policy="p1",
    )
    assert verdict.to_wire() == {
        "decision": "deny",
        "layer": "L0",
        "reason": "It deletes /.",
        "hits": [HIT.to_wire()],
        "ceiling": "deny",
        "reading": "complete",
        "policy": "p1",
        "engine": "l0",
    }


def test_a_full_verdict_on_the_wire_says_everything() -> None:
    verdict = Verdict(
        decision=Decision.ALLOW,
        layer=Layer.HUMAN,
        reason="A person approved.",
        engine="http",
        noul=0.0,
        score=2,
        confidence={"safe_to_run": 0.5},
        human_action=HumanAction.APPROVE,
        error="not recorded",
    )
    wire = verdict.to_wire()
    assert {
        name: wire[name] for name in ("noul", "score", "confidence", "human_action", "error", "engine", "layer")
    } == {
        "noul": 0.0,
        "score": 2,
        "confidence": {"safe_to_run": 0.5},
        "human_action": "approve",
        "error": "not recorded",
        "engine": "http",
        "layer": "human_approval",
    }


def test_undecided_has_a_word_of_its_own() -> None:
    found = Undecided(reason="Unknown.", ceiling=Decision.ASK, hits=(NOTE,), reading=ReadingStatus.UNKNOWN, policy="p")
    assert found.to_wire() == {
        "decision": "undecided",
        "layer": "L0",
        "reason": "Unknown.",
        "hits": [NOTE.to_wire()],
        "ceiling": "ask",
        "reading": "unknown",
        "policy": "p",
        "engine": "l0",
    }


def test_verdicts_are_values() -> None:
    verdict = Verdict(decision=Decision.ASK, layer=Layer.L1, reason="r", confidence={"a": 1.0})
    assert hash(verdict) == hash(Verdict(decision=Decision.ASK, layer=Layer.L1, reason="r", confidence={"a": 1.0}))
    with pytest.raises(FrozenInstanceError):
        verdict.decision = Decision.ALLOW  # type: ignore[misc]  # that it fails is the point
