"""Gemini CLI: its payloads in every shape, and the exact bytes of each answer."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.agents import agent, terminal
from phocinae.adapters.agents.shape import Reply, UnknownPayload
from phocinae.domain.shell import Dialect
from phocinae.domain.tool_calls import Answer, Asking, ToolCall, ToolKind

GEMINI = agent("gemini-cli")

SHELL: dict[str, Any] = {
    "session_id": "00000000-0000-4000-8000-000000000001",
    "transcript_path": "/home/user/.gemini/tmp/project/chats/session.json",
    "cwd": "/home/user/project",
    "hook_event_name": "BeforeTool",
    "timestamp": "2026-12-01T00:00:00.000Z",
    "tool_name": "run_shell_command",
    "tool_input": {"command": "git status", "description": "Look", "is_background": False},
}
CALL = ToolCall(
    tool="run_shell_command",
    kind=ToolKind.SHELL,
    command="git status",
    dialect=Dialect.POSIX,
    cwd="/home/user/project",
    asking=Asking.ANSWER,
)
NO_TEXT: list[Any] = ["", "  ", "\n", None, 7, 1.5, True, [], ["git", "status"], {}, {"command": "git status"}]


@pytest.fixture(autouse=True)
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "present", lambda: True)


def payload(**changes: Any) -> dict[str, Any]:
    return {**SHELL, **changes}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SHELL.items() if name != key}


def test_a_shell_call_is_read_word_for_word() -> None:
    assert GEMINI.read(SHELL) == CALL
    odd = "  printf '%s\\n' \u4f60\u597d \u202e;\n\techo \"$x\"  "
    assert GEMINI.read(payload(tool_input={"command": odd})) == evolve(CALL, command=odd)


@pytest.mark.parametrize(("named", "folder"), [("sub/x", "/home/user/project/sub/x"), ("/srv", "/srv"), ("", CALL.cwd)])
def test_a_folder_of_the_call_is_where_it_runs(named: str, folder: str) -> None:
    assert GEMINI.read(payload(tool_input={"command": "git status", "dir_path": named})) == evolve(CALL, cwd=folder)


@pytest.mark.parametrize("named", [7, [], {}, True])
def test_a_folder_that_is_no_text_is_an_unknown_payload(named: Any) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(payload(tool_input={"command": "git status", "dir_path": named}))


@pytest.mark.parametrize("tool", ["write_file", "replace"])
def test_a_tool_that_writes_names_its_file(tool: str) -> None:
    call = GEMINI.read(payload(tool_name=tool, tool_input={"file_path": "src/a b.py", "old_string": ""}))
    assert call == evolve(CALL, tool=tool, kind=ToolKind.FILES, command="", dialect=None, files=("src/a b.py",))


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("a\0b", ("ab",)),
        ("@.envrc", ("@.envrc", ".envrc")),
        ("@/.git/config", ("@/.git/config", ".git/config")),
        ("@//x", ("@//x", "x")),
        ("%2egit%2Fconfig", ("%2egit%2Fconfig", "/home/user/project/.git/config")),
        ("/home/user/%2ebashrc", ("/home/user/%2ebashrc", "/home/user/.bashrc")),
        ("@%2eenv\0rc", ("@%2eenvrc", "%2eenvrc", "/home/user/project/@.envrc", "/home/user/project/.envrc")),
        ("100%", ("100%", "/home/user/project/100%")),
    ],
)
def test_a_path_is_also_read_as_gemini_reads_it(path: str, files: tuple[str, ...]) -> None:
    call = GEMINI.read(payload(tool_name="write_file", tool_input={"file_path": path, "content": "x"}))
    assert call is not None
    assert call.files == files


def test_a_folder_with_an_encoded_name_moves_the_file() -> None:
    call = GEMINI.read(payload(cwd="/srv/%2e%2e/x", tool_name="write_file", tool_input={"file_path": "a"}))
    assert call is not None
    assert call.files == ("a", "/srv/../x/a")


@pytest.mark.parametrize("path", ["\0", "@", "@/", "@\\", "@\0"])
def test_a_path_of_which_nothing_is_left_is_an_unknown_payload(path: str) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(payload(tool_name="write_file", tool_input={"file_path": path}))


def test_a_change_of_a_file_that_is_not_there_is_refused_because_another_one_would_be_changed(tmp_path: Path) -> None:
    def read(path: str, **more: str) -> ToolCall | None:
        given = {"file_path": path, "old_string": "a", "new_string": "b", **more}
        return GEMINI.read(payload(cwd=str(tmp_path), tool_name="replace", tool_input=given))

    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "tasks.json").touch()
    for path in ("tasks.json", "@tasks.json", "elsewhere/tasks.json"):
        with pytest.raises(UnknownPayload):
            read(path)
    for path in (".vscode/tasks.json", "@.vscode/tasks.json", str(tmp_path / "tasks.json")):
        assert read(path) is not None
    assert read("new.txt", old_string="") is not None


@pytest.mark.parametrize("tool", ["write_file", "replace"])
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_a_path_that_cannot_be_used_is_an_unknown_payload(tool: str, wrong: Any) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(payload(tool_name=tool, tool_input={"file_path": wrong}))


@pytest.mark.parametrize("tool", ["read_file", "mcp_phocinae_gate", "web_fetch", "glob", "Bash", "run_shell_command "])
def test_on_another_tool_there_is_nothing_to_say(tool: str) -> None:
    assert GEMINI.read(payload(tool_name=tool, tool_input=7)) is None


@pytest.mark.parametrize("event", ["AfterTool", "BeforeModel", "SessionStart", "Notification", "BeforeToolSelection"])
def test_on_another_event_there_is_nothing_to_say(event: str) -> None:
    assert GEMINI.read({"hook_event_name": event}) is None


@pytest.mark.parametrize("event", [*NO_TEXT, "beforetool", "PreToolUse", "BeforeTool ", "before_tool"])
def test_an_unknown_event_is_an_unknown_payload(event: Any) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(payload(hook_event_name=event))


@pytest.mark.parametrize("key", ["hook_event_name", "tool_name", "tool_input", "cwd"])
def test_what_is_missing_is_an_unknown_payload(key: str) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(without(key))


@pytest.mark.parametrize("key", ["tool_name", "cwd"])
@pytest.mark.parametrize("wrong", NO_TEXT)
def test_what_is_no_text_is_an_unknown_payload(key: str, wrong: Any) -> None:
    with pytest.raises(UnknownPayload):
        GEMINI.read(payload(**{key: wrong}))


@pytest.mark.parametrize("wrong", NO_TEXT)
def test_a_command_that_cannot_be_used_is_an_unknown_payload(wrong: Any) -> None:
    for given_input in ({"command": wrong}, {"cmd": "git status"}, json.dumps({"command": "git status"}), [wrong]):
        with pytest.raises(UnknownPayload):
            GEMINI.read(payload(tool_input=given_input))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*SHELL, "toolName", "arguments"]), JSON))
def test_no_payload_ends_in_another_error_or_in_a_call_without_content(changes: dict[str, Any]) -> None:
    call = None
    with contextlib.suppress(UnknownPayload):
        call = GEMINI.read(payload(**changes))
    assert call is None or call.command.strip() or call.files


@pytest.mark.parametrize("answer", [Answer.NO_OPINION, Answer.ALLOW])
def test_what_may_go_on_prints_nothing(answer: Answer) -> None:
    assert GEMINI.write(answer, "a reason") == Reply()


def test_a_question_shows_its_reason_to_the_person() -> None:
    assert GEMINI.write(Answer.ASK, 'no "push" \u4f60') == Reply(
        stdout='{"decision":"ask","reason":"no \\"push\\" \u4f60","systemMessage":"no \\"push\\" \u4f60"}\n'
    )


def test_a_denial_has_its_reason_on_both_channels() -> None:
    assert GEMINI.write(Answer.DENY, 'no "push" \u4f60') == Reply(
        stdout='{"decision":"deny","reason":"no \\"push\\" \u4f60"}\n', stderr='no "push" \u4f60\n', status=2
    )


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_denial_is_never_without_a_reason(reason: str) -> None:
    reply = GEMINI.write(Answer.DENY, reason)
    assert json.loads(reply.stdout)["reason"].strip()
    assert reply.stderr.strip()


def test_the_hook_is_called_for_each_tool_that_is_judged_and_waited_for_in_milliseconds() -> None:
    group = GEMINI.hook.value(["/python", "x"])
    assert group["matcher"] == "^(run_shell_command|write_file|replace)$"
    assert group["hooks"][0]["timeout"] == 15_000


@pytest.mark.parametrize("tool", GEMINI.tools)
def test_a_sample_is_read_as_what_it_was_made_of(tool: str) -> None:
    call = GEMINI.read(GEMINI.sample(tool, "a b", "/srv"))
    assert call is not None
    assert (call.tool, call.command or call.files[0], call.cwd) == (tool, "a b", "/srv")


@pytest.mark.parametrize("tool", GEMINI.tools)
def test_without_a_terminal_nobody_is_asked(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "present", lambda: False)
    call = GEMINI.read(GEMINI.sample(tool, "x", "/srv"))
    assert call is not None
    assert call.asking is Asking.NEVER
