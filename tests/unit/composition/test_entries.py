"""What is installed in an agent's configuration is found, and so is what is wrong with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters import agents
from phocinae.adapters.agents.shape import Agent
from phocinae.composition.entries import installed_hooks, mixed_hooks, problems, user_scope
from phocinae.domain.findings import State
from phocinae.domain.installed import hook_words

CODEX = agents.agent("codex")
OTHER = {"matcher": "x", "hooks": [{"type": "command", "command": "other"}]}


def hook(tmp_path: Path, interpreter: str = sys.executable, agent: Agent = CODEX) -> dict[str, Any]:
    """Return a hook as install writes it, with a settings file that is there."""
    (tmp_path / "config.toml").touch()
    words = hook_words(interpreter, agent.name, ("--config", str(tmp_path / "config.toml")))
    return json.loads(json.dumps(agent.hook.value(words)))  # type: ignore[no-any-return]


def changed(value: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a group of hooks with other values in its only hook."""
    return {**value, "hooks": [{**value["hooks"][0], **more}]}


def write(home: Path, *groups: Mapping[str, Any]) -> None:
    (home / ".codex").mkdir(mode=0o700, exist_ok=True)
    (home / ".codex" / "hooks.json").write_text(json.dumps({"hooks": {"PreToolUse": groups}}, indent=2))
    (home / ".codex" / "config.toml").write_text(trust(home, *groups))


def trust(home: Path, *groups: Mapping[str, Any]) -> str:
    """Return what Codex writes when a person trusts hooks."""
    written = ["[hooks.state]"]
    for number, group in enumerate(groups):
        handlers = [{"async": False, **handler} for handler in group["hooks"]]
        identity = {"event_name": "pre_tool_use", **group, "hooks": handlers}
        digest = sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        written.append(f'\n[hooks.state."{home}/.codex/hooks.json:pre_tool_use:{number}:0"]')
        written.append(f'trusted_hash = "sha256:{digest}"')
    return "\n".join(written) + "\n"


def found(home: Path) -> list[tuple[State, str]]:
    return [(one.state, one.text) for one in problems(CODEX, user_scope(str(home))) if one.about != "other hooks"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with nothing in it."""
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    return path


def test_a_hook_as_it_is_installed_is_right(home: Path, tmp_path: Path) -> None:
    write(home, OTHER, hook(tmp_path))
    (one,) = installed_hooks(CODEX, user_scope(str(home)))
    assert one.words[:2] == ("sh", "-c")
    assert one.path == str(home / ".codex" / "hooks.json")
    assert one.line == 13
    assert [state for state, _ in found(home)] == [State.RIGHT]


def test_a_home_without_a_hook_is_wrong(home: Path) -> None:
    ((state, text),) = found(home)
    assert state is State.WRONG
    assert "none is installed" in text


def test_a_hook_twice_is_said(home: Path, tmp_path: Path) -> None:
    write(home, hook(tmp_path), hook(tmp_path))
    assert [state for state, _ in found(home)] == [State.WARNING, State.RIGHT, State.RIGHT]


def test_a_hook_among_others_in_one_entry_is_found(home: Path, tmp_path: Path) -> None:
    ours = hook(tmp_path)
    write(home, {**ours, "hooks": [*OTHER["hooks"], *ours["hooks"]]})
    assert mixed_hooks(CODEX, user_scope(str(home))) == [f"{home}/.codex/hooks.json, line 4"]
    assert [state for state, _ in found(home)] == [State.WRONG]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"timeout": 2}, "too short"),
        ({"timeout": 14}, "too short"),
        ({"async": True}, "async is True"),
        ({"if": "Bash(git *)"}, "hooks.if is"),
    ],
)
def test_what_weakens_a_hook_is_wrong(more: dict[str, Any], why: str, home: Path, tmp_path: Path) -> None:
    write(home, changed(hook(tmp_path), **more))
    ((state, text),) = found(home)
    assert state is State.WRONG
    assert why in text


def test_a_narrowed_matcher_is_wrong_and_a_wider_one_is_not(home: Path, tmp_path: Path) -> None:
    write(home, {**hook(tmp_path), "matcher": "apply_patch"})
    ((state, text),) = found(home)
    assert state is State.WRONG
    assert "matcher is 'apply_patch'" in text
    write(home, {**hook(tmp_path), "matcher": "*"})
    assert [state for state, _ in found(home)] == [State.RIGHT]


def test_an_interpreter_that_is_gone_is_wrong_and_another_one_is_said(home: Path, tmp_path: Path) -> None:
    write(home, hook(tmp_path, "/nonexistent/python"))
    assert [state for state, _ in found(home)] == [State.WRONG]
    write(home, hook(tmp_path, "/bin/sh"))
    assert [state for state, _ in found(home)] == [State.WARNING]


def test_a_missing_fail_closed_switch_and_a_missing_settings_file_are_wrong(home: Path, tmp_path: Path) -> None:
    ours = hook(tmp_path)
    bare = ours["hooks"][0]["command"].partition(" || ")[0]
    write(home, changed(ours, command=bare))
    ((state, text),) = found(home)
    assert (state, "hooks.command is" in text) == (State.WRONG, True)
    write(home, ours)
    (tmp_path / "config.toml").unlink()
    ((state, text),) = found(home)
    assert (state, "is missing" in text) == (State.WRONG, True)


def test_an_agent_that_is_told_to_run_no_hooks_is_wrong(home: Path, tmp_path: Path) -> None:
    write(home, hook(tmp_path))
    trusted = (home / ".codex" / "config.toml").read_text()
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = false\n" + trusted)
    assert [state for state, _ in found(home)] == [State.RIGHT, State.WRONG]
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = true\n" + trusted)
    assert [state for state, _ in found(home)] == [State.RIGHT]


def test_a_file_that_cannot_be_read_is_wrong(home: Path) -> None:
    write(home)
    (home / ".codex" / "hooks.json").write_text("{,}")
    ((state, text),) = found(home)
    assert state is State.WRONG
    assert "hooks.json, line 1: it is not JSON" in text


def test_a_hook_that_nobody_trusts_as_it_is_now_is_wrong(home: Path, tmp_path: Path) -> None:
    ours, settings = hook(tmp_path), home / ".codex" / "config.toml"
    write(home, OTHER, ours)
    trusted = settings.read_text()
    before = trust(home, OTHER, changed(ours, timeout=600))
    for text in ("", "[hooks.state]\n", trust(home, ours), before, f"{trusted}enabled = false\n"):
        settings.write_text(text)
        ((state, _), (untrusted, why)) = found(home)
        assert (state, untrusted) == (State.RIGHT, State.WRONG)
        assert "not trusted in Codex CLI" in why
    settings.write_text(trusted)
    assert [state for state, _ in found(home)] == [State.RIGHT]


def test_what_cannot_be_read_of_trust_is_said(home: Path, tmp_path: Path) -> None:
    write(home, hook(tmp_path))
    (home / ".codex" / "config.toml").write_text("[hooks")
    assert State.WARNING in [state for state, _ in found(home)]
