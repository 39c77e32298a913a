"""Codex: its payloads in every shape, and the exact bytes of each answer."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.agents import agent
from phocinae.adapters.agents.shape import Reply, UnknownPayload
from phocinae.domain.tool_calls import Answer, Asking, ToolCall, ToolKind

CODEX = agent("codex")

SHELL: dict[str, Any] = {
    "session_id": "00000000-0000-7000-8000-000000000001",
    "turn_id": "00000000-0000-7000-8000-000000000002",
    "transcript_path": None,
    "cwd": "/home/user/project",
    "hook_event_name": "PreToolUse",
    "model": "a-model",
    "permission_mode": "default",
    "tool_name": "Bash",
    "tool_input": {"command": "git status"},
    "tool_use_id": "call-1",
}
PATCH = """*** Begin Patch
*** Add File: notes/new.txt
+*** Update File: a line of the text
*** Update File: src/old.py
*** Move to: src/new name.py
@@ def f():
-a
+b
*** Delete File: /tmp/gone.txt
*** End Patch
"""
PATCHED = ("notes/new.txt", "src/old.py", "src/new name.py", "/tmp/gone.txt")

CALL = ToolCall(
    tool="Bash",
    kind=ToolKind.SHELL,
    command="git status",
    cwd="/home/user/project",
    mode="default",
    asking=Asking.NEVER,
)
NO_TEXT: list[Any] = ["", "  ", "\n", None, 7, 1.5, True, [], ["git", "status"], {}, {"command": "git status"}]


def payload(**changes: Any) -> dict[str, Any]:
    return {**SHELL, **changes}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SHELL.items() if name != key}


def patch(text: str) -> dict[str, Any]:
    return payload(tool_name="apply_patch", tool_input={"command": text})


def test_a_shell_call_is_read_word_for_word() -> None:
    assert CODEX.read(SHELL) == CALL
    odd = "  printf '%s\\n' \u4f60\u597d \u202e;\n\techo \"$x\"  "
    assert CODEX.read(payload(tool_input={"command": odd})) == evolve(CALL, command=odd)


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "a new one"])
def test_no_mode_counts_as_attended(mode: str) -> None:
    assert CODEX.read(payload(permission_mode=mode)) == evolve(CALL, mode=mode)


def test_a_patch_names_its_files() -> None:
    expected = evolve(CALL, tool="apply_patch", kind=ToolKind.FILES, command="", files=PATCHED)
    assert CODEX.read(patch(PATCH)) == expected
    assert CODEX.read(patch(PATCH.replace("\n", "\r\n"))) == expected


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("\t*** Add File: a", "a"),
        ("\u00a0*** Delete File: a", "a"),
        ("\u3000 *** Update File: a\u00a0\r", "a"),
        ("*** Add File:   a b \t", "  a b"),
        ("*** Move to: ~/a%20$b", "~/a%20$b"),
        ("*** Add File: x\r+y\r*** Add File: z", "x\r+y\r*** Add File: z"),
    ],
)
def test_a_header_is_read_as_codex_reads_it(header: str, path: str) -> None:
    call = CODEX.read(patch(f"*** Begin Patch\n{header}\n+x\n*** End Patch"))
    assert call is not None
    assert call.files == (path,)


@pytest.mark.parametrize("text", ["*** Begin Patch\n*** End Patch", "+*** Add File: x", "*** Add File: \n", "x"])
def test_a_patch_that_names_no_file_is_unknown(text: str) -> None:
    with pytest.raises(UnknownPayload):
        CODEX.read(patch(text))


@pytest.mark.parametrize("tool", ["update_plan", "mcp__phocinae__gate", "view_image", "Edit", "bash", "Bash "])
def test_on_another_tool_there_is_nothing_to_say(tool: str) -> None:
    assert CODEX.read(payload(tool_name=tool, tool_input=7)) is None


@pytest.mark.parametrize("event", ["PostToolUse", "PermissionRequest", "SessionStart", "Stop", "UserPromptSubmit"])
def test_on_another_event_there_is_nothing_to_say(event: str) -> None:
    assert CODEX.read({"hook_event_name": event}) is None


@pytest.mark.parametrize("event", [*NO_TEXT, "pretooluse", "BeforeTool", "PreToolUse ", "pre_tool_use"])
def test_an_unknown_event_is_an_unknown_payload(event: Any) -> None:
    with pytest.raises(UnknownPayload):
        CODEX.read(payload(hook_event_name=event))


@pytest.mark.parametrize("key", ["hook_event_name", "tool_name", "tool_input", "cwd", "permission_mode"])
def test_what_is_missing_is_an_unknown_payload(key: str) -> None:
    with pytest.raises(UnknownPayload):
        CODEX.read(without(key))


@pytest.mark.parametrize("key", ["tool_name", "cwd", "permission_mode"])
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_what_is_no_text_is_an_unknown_payload(key: str, wrong: Any) -> None:
    with pytest.raises(UnknownPayload):
        CODEX.read(payload(**{key: wrong}))


@pytest.mark.parametrize("tool", ["Bash", "apply_patch"])
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_a_command_that_cannot_be_used_is_an_unknown_payload(tool: str, wrong: Any) -> None:
    for given_input in ({"command": wrong}, {"cmd": "git status"}, json.dumps({"command": "git status"}), [wrong]):
        with pytest.raises(UnknownPayload):
            CODEX.read(payload(tool_name=tool, tool_input=given_input))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*SHELL, "toolName", "arguments"]), JSON))
def test_no_payload_ends_in_another_error_or_in_a_call_without_content(changes: dict[str, Any]) -> None:
    call = None
    with contextlib.suppress(UnknownPayload):
        call = CODEX.read(payload(**changes))
    assert call is None or call.command.strip() or call.files


@pytest.mark.parametrize("answer", [Answer.NO_OPINION, Answer.ALLOW])
def test_what_may_go_on_prints_nothing(answer: Answer) -> None:
    assert CODEX.write(answer, "a reason") == Reply()


@pytest.mark.parametrize("answer", [Answer.DENY, Answer.ASK])
def test_everything_else_is_a_denial_with_a_reason_on_both_channels(answer: Answer) -> None:
    assert CODEX.write(answer, 'no "push" \u4f60') == Reply(
        stdout='{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",'
        '"permissionDecisionReason":"no \\"push\\" \u4f60"}}\n',
        stderr='no "push" \u4f60\n',
        status=2,
    )


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_denial_is_never_without_a_reason(reason: str) -> None:
    reply = CODEX.write(Answer.DENY, reason)
    assert json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecisionReason"].strip()
    assert reply.stderr.strip()


def test_the_hook_is_called_for_each_tool_that_is_judged() -> None:
    assert CODEX.tools == ("Bash", "apply_patch")
    assert CODEX.hook.value(["/python", "x"])["matcher"] == "^(Bash|apply_patch)$"


@pytest.mark.parametrize("tool", CODEX.tools)
def test_a_sample_is_read_as_what_it_was_made_of(tool: str) -> None:
    call = CODEX.read(CODEX.sample(tool, "a b", "/srv"))
    assert call is not None
    assert (call.tool, call.command or call.files[0], call.cwd) == (tool, "a b", "/srv")


GROUP = {
    "matcher": "^(Bash|apply_patch)$",
    "hooks": [
        {
            "type": "command",
            "command": "/opt/phocinae/bin/python3 -I -m phocinae hook codex "
            "--config /home/ada/.config/phocinae/config.toml --fail-closed ask || /bin/sh -c 'echo \"phocinae: "
            "blocked; if no reason stands above, the gate could not run, and phocinae doctor says why\" >&2; exit 2'",
            "timeout": 15,
        }
    ],
}
TRUSTED = {"trusted_hash": "sha256:d3891c625369f647c5c649343e18f58a510696074f3a9ef5660e46854dc6850d"}
"""What Codex 0.171.0 wrote into its ``config.toml`` when this group was trusted in its own dialogue."""


def test_a_hook_is_trusted_by_the_fingerprint_that_the_agent_wrote_for_it() -> None:
    trust = CODEX.trust
    assert trust is not None
    assert trust.name("/home/user/.codex/hooks.json", 1) == "/home/user/.codex/hooks.json:pre_tool_use:1:0"
    assert trust.given(TRUSTED, GROUP)
    assert trust.given({**TRUSTED, "enabled": True}, GROUP)
    for other in ({**TRUSTED, "enabled": False}, {"trusted_hash": "sha256:0"}, {}, None, 7, "x", object()):
        assert not trust.given(other, GROUP)
    assert not trust.given(TRUSTED, {**GROUP, "matcher": "Bash"})
