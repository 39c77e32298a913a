"""What a person's answer does to a verdict: it lifts ask to allow, and nothing else.

Approval needs both the protocol's ``accept`` and a form that says ``approve``.  An
accept with a form that says anything else, or with no form at all, is a rejection;
decline and cancel are denials that stay told apart.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from .request import GateRequest
from .verdict import Decision, HumanAction, Layer, Verdict

KEY = "gate_confirmation"
"""The name of the question among the input requests of a call."""

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


_LONGEST_REASON = 1_000
"""How much of a reason a person is shown, in characters: a decision service may have written it."""


def question(request: GateRequest, verdict: Verdict) -> str:
    """Return what a person is asked about a command that `verdict` leaves to them.

    The command stands alone on its line, whole, as nothing can hide in it: what cannot be
    seen is an escape, and an address cannot be clicked (client/elicitation, safe URLs).
    The indentation makes it code for a client that renders Markdown.
    """
    from .visible import hides, spelled  # only where a person is asked

    command, cwd, reason = request.command, request.cwd or "", verdict.reason[:_LONGEST_REASON]
    whole = command + cwd + reason
    plain = not hides(whole)
    shown = [(text if plain else spelled(text)).replace("://", "[:]//") for text in (command, cwd, reason)]
    lines = ["May this shell command run?", "", f"    {shown[0]}", ""]
    if cwd:
        lines.append(f"Folder, as the caller says: {shown[1]}")
    lines.append(f"Why you are asked: {shown[2]}")
    if not plain:
        lines.append(
            "What cannot be seen is written as escapes, many blanks with their number, and a backslash as two."
        )
    if "://" in whole:
        lines.append("Addresses are written with [:] so that nobody clicks on them.")
    return "\n".join(lines)


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


def answered(verdict: Verdict, action: HumanAction) -> Verdict:
    """Return what becomes of a fresh `verdict` on a command that a person was asked about before.

    A yes lifts an ask, as in `settle`.  Anything else counts against an allow as well: the
    person was asked about this very command, and did not want it.
    """
    if action is not HumanAction.APPROVE and verdict.decision is Decision.ALLOW:
        verdict = evolve(verdict, decision=Decision.ASK)
    return settle(verdict, action)
