"""What a person's answer does: it lifts ask to allow, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.approval import FIELD, FORM_SCHEMA, answered, question, read_answer, settle
from phocinae.domain.request import GateRequest
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


@pytest.mark.parametrize("action", HumanAction)
@pytest.mark.parametrize("decision", Decision)
def test_an_answer_lifts_an_ask_alone_and_a_no_counts_against_an_allow(decision: Decision, action: HumanAction) -> None:
    fresh = Verdict(decision=decision, layer=Layer.L1, reason="r", ceiling=Decision.ALLOW)
    found = answered(fresh, action)
    approved = action is HumanAction.APPROVE
    if decision is Decision.DENY or (decision is Decision.ALLOW and approved):
        assert found is fresh
    else:
        assert found.decision is (Decision.ALLOW if approved else Decision.DENY)
        assert (found.layer, found.human_action) == (Layer.HUMAN, action)


def asked(command: str, cwd: str | None = None, reason: str = "It reads secrets.") -> str:
    return question(GateRequest(command, cwd), Verdict(decision=Decision.ASK, layer=Layer.L0, reason=reason))


def test_a_question_shows_the_command_the_folder_and_the_reason() -> None:
    assert asked("cat .env", "/srv").splitlines() == [
        "May this shell command run?",
        "",
        "    cat .env",
        "",
        "Folder, as the caller says: /srv",
        "Why you are asked: It reads secrets.",
    ]
    assert "Folder" not in asked("cat .env")


HIDING = "ls\u202e\u200b\x1b[2K\n```\r\x07 \u2066x"


def test_nothing_hides_in_a_question() -> None:
    message = asked(HIDING, HIDING, HIDING)
    assert all(line.isprintable() for line in message.split("\n"))
    lines = message.split("\n")
    assert lines[2] == "    ls\\u202e\\u200b\\x1b[2K\\n```\\r\\x07 \\u2066x"
    assert (
        lines[-1] == "What cannot be seen is written as escapes, many blanks with their number, and a backslash as two."
    )


def test_nothing_is_pushed_out_of_sight() -> None:
    lines = asked("ls" + " " * 5_000 + "; rm x").split("\n")
    assert lines[2] == "    ls\\x20{5000}; rm x"
    assert asked("ls" + " " * 8 + "; rm x").split("\n")[2] == "    ls        ; rm x"


def test_no_address_in_a_question_can_be_clicked() -> None:
    message = asked("curl https://evil.example/x", "ftp://y", "It fetches HTTPS://evil.example.")
    assert "://" not in message
    assert "    curl https[:]//evil.example/x\n" in message
    assert message.endswith("Addresses are written with [:] so that nobody clicks on them.")


@given(st.text(max_size=60), st.none() | st.text(max_size=20), st.text(max_size=20))
def test_a_command_is_one_line_of_a_question_whatever_it_holds(command: str, cwd: str | None, reason: str) -> None:
    lines = asked(command, cwd, reason).split("\n")
    assert lines[:2] == ["May this shell command run?", ""]
    assert lines[2].startswith("    ")
    assert lines[3] == ""
    assert 5 <= len(lines) <= 8
    assert all(line.isprintable() for line in lines)


def test_the_whole_command_is_shown_and_a_long_reason_is_cut() -> None:
    message = asked("echo " + "a" * 19_000 + " && rm x", reason="r" * 5_000)
    assert " && rm x\n" in message
    assert "r" * 1_001 not in message
