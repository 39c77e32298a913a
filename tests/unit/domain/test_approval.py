"""What a person's answer does: it lifts ask to allow, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.approval import FIELD, FORM_SCHEMA, read_answer, settle
from phocinae.domain.verdict import Decision, HumanAction, Layer, Verdict


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ({"action": "accept", "content": {"decision": "approve"}}, HumanAction.APPROVE),
        ({"action": "accept", "content": {"decision": "approve", "note": "x"}}, HumanAction.APPROVE),
        ({"action": "accept", "content": {"decision": "reject"}}, HumanAction.REJECT),
        ({"action": "accept", "content": {"decision": "APPROVE"}}, HumanAction.REJECT),
        ({"action": "accept", "content": {"decision": ["approve"]}}, HumanAction.REJECT),
        ({"action": "accept", "content": {"decision": True}}, HumanAction.REJECT),
        ({"action": "accept", "content": {}}, HumanAction.REJECT),
        ({"action": "accept", "content": None}, HumanAction.REJECT),
        ({"action": "accept", "content": "approve"}, HumanAction.REJECT),
        ({"action": "accept"}, HumanAction.REJECT),
        ({"action": "decline"}, HumanAction.DECLINE),
        ({"action": "decline", "content": {"decision": "approve"}}, HumanAction.DECLINE),
        ({"action": "cancel"}, HumanAction.CANCEL),
        ({"action": "Accept", "content": {"decision": "approve"}}, None),
        ({"action": ["accept"]}, None),
        ({"content": {"decision": "approve"}}, None),
        ({}, None),
        ([], None),
        ("accept", None),
        (None, None),
    ],
)
def test_only_accept_with_approve_approves(answer: object, action: HumanAction | None) -> None:
    assert read_answer(answer) is action


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["accept", "approve", "action"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["action", "content", FIELD]), inner),
    max_leaves=6,
)


@given(json_values)
def test_no_other_answer_approves(answer: object) -> None:
    approves = (
        isinstance(answer, dict)
        and answer.get("action") == "accept"
        and isinstance(answer.get("content"), dict)
        and answer["content"].get(FIELD) == "approve"
    )
    assert (read_answer(answer) is HumanAction.APPROVE) is approves


def test_the_form_has_no_default_and_one_flat_field() -> None:
    assert FORM_SCHEMA["required"] == [FIELD]
    assert FORM_SCHEMA["properties"][FIELD]["enum"] == ["approve", "reject"]
    assert "default" not in FORM_SCHEMA["properties"][FIELD]


@pytest.mark.parametrize("action", HumanAction)
@pytest.mark.parametrize("decision", [Decision.ALLOW, Decision.DENY])
def test_only_an_ask_is_settled(decision: Decision, action: HumanAction) -> None:
    verdict = Verdict(decision=decision, layer=Layer.L0, reason="r")
    assert settle(verdict, action) is verdict


@pytest.mark.parametrize("action", HumanAction)
def test_an_ask_is_allowed_by_approval_and_denied_by_anything_else(action: HumanAction) -> None:
    settled = settle(Verdict(decision=Decision.ASK, layer=Layer.L1, reason="r", score=5), action)
    assert settled.decision is (Decision.ALLOW if action is HumanAction.APPROVE else Decision.DENY)
    assert (settled.layer, settled.human_action, settled.score) == (Layer.HUMAN, action, 5)


def test_every_action_has_a_reason_of_its_own() -> None:
    ask = Verdict(decision=Decision.ASK, layer=Layer.L1, reason="r")
    assert len({settle(ask, action).reason for action in HumanAction}) == len(HumanAction)
