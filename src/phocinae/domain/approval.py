"""What a person's answer does to a verdict: it lifts ask to allow, and nothing else.

Approval needs both the protocol's ``accept`` and a form that says ``approve``.  An
accept with a form that says anything else, or with no form at all, is a rejection;
decline and cancel are denials that stay told apart.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from .verdict import Decision, HumanAction, Layer, Verdict

FIELD = "decision"
"""The field of the form that carries the person's answer."""

FORM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        FIELD: {
            "type": "string",
            "title": "Decision",
            "description": "approve runs the command, reject does not",
            "enum": ["approve", "reject"],
        }
    },
    "required": [FIELD],
}
"""The form that a person fills in (MCP elicitation, flat object of primitives)."""

_REASONS = {
    HumanAction.APPROVE: "A person approved the command.",
    HumanAction.REJECT: "A person rejected the command.",
    HumanAction.DECLINE: "The person declined to decide, so the command may not run.",
    HumanAction.CANCEL: "The question was cancelled without an answer; the command may be asked about again.",
}


def read_answer(answer: object) -> HumanAction | None:
    """Return what an elicitation result says, or None when it is no usable answer at all.

    `answer` is the raw JSON value that came back from a client, and is hostile.
    """
    if not isinstance(answer, dict):
        return None
    action = answer.get("action")
    if action == "decline":
        return HumanAction.DECLINE
    if action == "cancel":
        return HumanAction.CANCEL
    if action != "accept":
        return None
    content = answer.get("content")
    if isinstance(content, dict) and content.get(FIELD) == "approve":
        return HumanAction.APPROVE
    return HumanAction.REJECT


def settle(verdict: Verdict, action: HumanAction) -> Verdict:
    """Return `verdict` after a person did `action`.

    Only an ASK changes: APPROVE makes it ALLOW, anything else DENY.  ALLOW and DENY
    stay as they are, because the person was not asked about them.
    """
    if verdict.decision is not Decision.ASK:
        return verdict
    return evolve(
        verdict,
        decision=Decision.ALLOW if action is HumanAction.APPROVE else Decision.DENY,
        layer=Layer.HUMAN,
        reason=_REASONS[action],
        human_action=action,
    )
