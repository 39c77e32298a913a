"""Claude Code: its payloads in every shape, and the exact bytes of each answer."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.agents import agent
from phocinae.adapters.agents.claude_code import OTHER_EVENTS
from phocinae.adapters.agents.shape import Reply, UnknownPayload
from phocinae.domain.shell import Dialect
from phocinae.domain.tool_calls import Answer, Asking, ToolCall, ToolKind

CLAUDE = agent("claude-code")

SHELL: dict[str, Any] = {
    "session_id": "00000000-0000-4000-8000-000000000001",
    "transcript_path": "/home/user/.claude/projects/project/00000000-0000-4000-8000-000000000001.jsonl",
    "cwd": "/home/user/project",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git status", "description": "Show the state"},
    "tool_use_id": "toolu_01",
}
CALL = ToolCall(
    tool="Bash",
    kind=ToolKind.SHELL,
    command="git status",
    dialect=Dialect.POSIX,
    cwd="/home/user/project",
    mode="default",
    asking=Asking.ANSWER,
)
NO_TEXT: list[Any] = ["", "  ", "\n", None, 7, 1.5, True, [], ["git", "status"], {}, {"command": "git status"}]
WRITERS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}


def payload(**changes: Any) -> dict[str, Any]:
    return {**SHELL, **changes}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SHELL.items() if name != key}


def test_a_shell_call_is_read_word_for_word() -> None:
    assert CLAUDE.read(SHELL) == CALL
    odd = "  printf '%s\\n' \u4f60\u597d \u202e;\n\techo \"$x\"  "
    assert CLAUDE.read(payload(tool_input={"command": odd})) == evolve(CALL, command=odd)


@pytest.mark.parametrize(("tool", "dialect"), [("PowerShell", Dialect.POWERSHELL), ("Monitor", None)])
def test_each_tool_that_runs_commands_is_judged_in_its_language(tool: str, dialect: Dialect | None) -> None:
    assert CLAUDE.read(payload(tool_name=tool)) == evolve(CALL, tool=tool, dialect=dialect)


@pytest.mark.parametrize(("tool", "key"), WRITERS.items())
def test_a_tool_that_writes_names_its_file(tool: str, key: str) -> None:
    expected = evolve(CALL, tool=tool, kind=ToolKind.FILES, command="", dialect=None, files=("/srv/a b",))
    assert CLAUDE.read(payload(tool_name=tool, tool_input={key: "/srv/a b", "content": "x"})) == expected


@pytest.mark.parametrize("tool", ["Read", "WebFetch", "Task", "mcp__phocinae__gate", "bash", "Bash ", "A new one"])
def test_on_another_tool_there_is_nothing_to_say(tool: str) -> None:
    assert CLAUDE.read(payload(tool_name=tool, tool_input=7)) is None


SKILL: dict[str, Any] = {
    **SHELL,
    "permission_mode": "bypassPermissions",
    "hook_event_name": "PreSkillShellCommand",
    "tool_input": {"command": "git status"},
    "tool_use_id": "toolu_00:preamble-0",
    "command_name": "demo",
    "command_source": "projectSettings",
    "invoked_by": "claude",
}


def test_a_command_of_a_skill_is_judged_and_asks_nobody() -> None:
    assert CLAUDE.read(SKILL) == evolve(CALL, mode="bypassPermissions", asking=Asking.NEVER)
    assert CLAUDE.read({**SKILL, "permission_mode": "default"}) == evolve(CALL, asking=Asking.NEVER)
    with pytest.raises(UnknownPayload):
        CLAUDE.read({**SKILL, "tool_input": {}})


@pytest.mark.parametrize(
    ("mode", "asking"),
    [
        ("acceptEdits", Asking.ANSWER),
        ("plan", Asking.ANSWER),
        ("auto", Asking.ANSWER),
        ("bypassPermissions", Asking.ANSWER),
        ("dontAsk", Asking.NEVER),
        ("a new one", Asking.NEVER),
    ],
)
def test_a_person_is_asked_where_the_mode_is_known_to_ask(mode: str, asking: Asking) -> None:
    assert CLAUDE.read(payload(permission_mode=mode)) == evolve(CALL, mode=mode, asking=asking)


def test_without_a_mode_nobody_is_asked() -> None:
    assert CLAUDE.read(without("permission_mode")) == evolve(CALL, mode="", asking=Asking.NEVER)


WORDS = ("/opt/a python/bin/python3", "-I", "-m", "phocinae", "hook", "claude-code", "--config", "/home/a b/c.toml")


def test_the_entries_name_every_tool_and_block_when_the_gate_fails() -> None:
    handler = {"type": "command", "command": WORDS[0], "args": [*WORDS[1:]], "timeout": 15, "onFailure": "block"}
    named = "Bash|PowerShell|Monitor|Write|Edit|MultiEdit|NotebookEdit"
    assert CLAUDE.tools == tuple(named.split("|"))
    assert CLAUDE.hook.value(WORDS) == {"matcher": named, "hooks": [handler]}
    (skills,) = CLAUDE.further
    assert skills.keys == ("hooks", "PreSkillShellCommand")
    assert skills.value(WORDS) == {"matcher": "Bash|PowerShell", "hooks": [handler]}
    assert CLAUDE.mcp.value(WORDS) == {"type": "stdio", "command": WORDS[0], "args": [*WORDS[1:]]}
    assert {entry.command(entry.value(WORDS)) for entry in (CLAUDE.hook, skills, CLAUDE.mcp)} == {WORDS}


@pytest.mark.parametrize("other", [{}, {"hooks": 7}, {"hooks": []}, {"hooks": ["x"]}, {"hooks": [{"command": "x"}]}])
def test_an_entry_of_another_kind_starts_nothing_that_is_known(other: dict[str, Any]) -> None:
    assert CLAUDE.hook.command(other) is None


def test_an_entry_without_arguments_is_a_text_for_a_shell() -> None:
    group = {"hooks": [{"type": "command", "command": "phocinae hook claude-code"}]}
    assert CLAUDE.hook.command(group) == ("sh", "-c", "phocinae hook claude-code")


def test_a_monitor_of_a_socket_runs_nothing() -> None:
    assert CLAUDE.read(payload(tool_name="Monitor", tool_input={"ws": {"url": "wss://a.invalid"}})) is None
    both = {"ws": {"url": "wss://a.invalid"}, "command": "git status"}
    assert CLAUDE.read(payload(tool_name="Monitor", tool_input=both)) == evolve(CALL, tool="Monitor", dialect=None)
    with pytest.raises(UnknownPayload):
        CLAUDE.read(payload(tool_name="Monitor", tool_input={"description": "x"}))


@pytest.mark.parametrize("event", sorted(OTHER_EVENTS))
def test_on_another_event_there_is_nothing_to_say(event: str) -> None:
    assert CLAUDE.read({"hook_event_name": event}) is None


@pytest.mark.parametrize("event", [*NO_TEXT, "pretooluse", "BeforeTool", "PreToolUse ", "pre_tool_use"])
def test_an_unknown_event_is_an_unknown_payload(event: Any) -> None:
    with pytest.raises(UnknownPayload):
        CLAUDE.read(payload(hook_event_name=event))


@pytest.mark.parametrize("key", ["hook_event_name", "tool_name", "tool_input", "cwd"])
def test_what_is_missing_is_an_unknown_payload(key: str) -> None:
    with pytest.raises(UnknownPayload):
        CLAUDE.read(without(key))


@pytest.mark.parametrize("key", ["tool_name", "cwd", "permission_mode"])
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_what_is_no_text_is_an_unknown_payload(key: str, wrong: Any) -> None:
    with pytest.raises(UnknownPayload):
        CLAUDE.read(payload(**{key: wrong}))


@pytest.mark.parametrize("tool", CLAUDE.tools)
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_a_content_that_cannot_be_used_is_an_unknown_payload(tool: str, wrong: Any) -> None:
    key = WRITERS.get(tool, "command")
    for given_input in ({key: wrong}, {"cmd": "git status"}, json.dumps({key: "git status"}), [wrong]):
        with pytest.raises(UnknownPayload):
            CLAUDE.read(payload(tool_name=tool, tool_input=given_input))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*SHELL, "toolName", "arguments"]), JSON))
def test_no_payload_ends_in_another_error_or_in_a_call_without_content(changes: dict[str, Any]) -> None:
    call = None
    with contextlib.suppress(UnknownPayload):
        call = CLAUDE.read(payload(**changes))
    assert call is None or call.command.strip() or call.files


def test_no_opinion_prints_nothing() -> None:
    assert CLAUDE.write(Answer.NO_OPINION, "a reason") == Reply()


@pytest.mark.parametrize(("answer", "status"), [(Answer.ALLOW, 0), (Answer.ASK, 0), (Answer.DENY, 2)])
def test_each_answer_is_these_bytes(answer: Answer, status: int) -> None:
    assert CLAUDE.write(answer, 'no "push" \u4f60') == Reply(
        stdout='{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"' + answer.value + '",'
        '"permissionDecisionReason":"no \\"push\\" \u4f60"}}\n',
        stderr='no "push" \u4f60\n' if status else "",
        status=status,
    )


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_denial_is_never_without_a_reason(reason: str) -> None:
    reply = CLAUDE.write(Answer.DENY, reason)
    assert json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecisionReason"].strip()
    assert reply.stderr.strip()


def test_no_reason_is_longer_than_what_is_shown() -> None:
    reply = CLAUDE.write(Answer.DENY, "x" * 20_000)
    assert max(len(reply.stderr), len(reply.stdout)) < 10_000


@pytest.mark.parametrize("tool", CLAUDE.tools)
def test_a_sample_is_read_as_what_it_was_made_of(tool: str) -> None:
    call = CLAUDE.read(CLAUDE.sample(tool, "a b", "/srv"))
    assert call is not None
    assert (call.tool, call.command or call.files[0], call.cwd) == (tool, "a b", "/srv")
