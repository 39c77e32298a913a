"""A hook put together: how much time others get, in which language it reads, and what is left of one that is off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from phocinae.adapters import agents
from phocinae.cli import deadline
from phocinae.composition.hook import build_hook, capped, record_off
from phocinae.domain.shell import Dialect
from phocinae.domain.tool_calls import Answer, Asking, ToolCall, ToolKind
from phocinae.errors import InvalidSettings
from phocinae.settings import Given, Settings, Source, merge

SETTINGS = Settings(audit=False)


@pytest.mark.parametrize("seconds", [0.5, 6.0, 12.0])
@pytest.mark.parametrize(("l1", "guard"), [(False, ""), (True, ""), (False, "/g.py"), (True, "/g.py")])
def test_what_others_are_waited_for_is_less_than_the_deadline(seconds: float, l1: bool, guard: str) -> None:
    settings = evolve(SETTINGS, hook_deadline=seconds, l1_enabled=l1, guard=guard, timeout=600.0)
    assert 0.01 <= capped(settings).timeout * (l1 + bool(guard)) <= 0.75 * seconds or not (l1 or guard)
    assert capped(evolve(settings, timeout=0.02)).timeout == 0.02


def test_the_time_before_the_settings_are_known_is_the_default() -> None:
    assert Settings().hook_deadline == deadline.DEADLINE


@pytest.mark.parametrize("name", agents.MODULES)
def test_no_deadline_that_can_be_set_outlasts_the_patience_of_an_agent(name: str) -> None:
    longest = 12.0
    with pytest.raises(InvalidSettings):
        merge([Given(Source.FLAG, "hook_deadline", str(longest + 0.1), "option --deadline")], hook=True)
    merge([Given(Source.FLAG, "hook_deadline", str(longest), "option --deadline")], hook=True)
    # the second timer ends later than the first, and Python takes its time to start
    assert longest + deadline.GRACE + 2.0 <= agents.agent(name).timeout


@pytest.mark.parametrize(
    ("dialect", "answer"), [(Dialect.POSIX, Answer.DENY), (Dialect.POWERSHELL, Answer.DENY), (None, Answer.DENY)]
)
def test_a_denied_command_is_denied_in_the_language_of_the_tool(dialect: Dialect | None, answer: Answer) -> None:
    service = build_hook(SETTINGS, "codex", dialect, print)
    command = "Remove-Item -Recurse -Force C:\\" if dialect is Dialect.POWERSHELL else "rm -rf /"
    call = ToolCall(tool="Bash", kind=ToolKind.SHELL, command=command, asking=Asking.NEVER)
    assert service.answer(call).answer is answer


def test_the_language_is_that_of_the_tool_and_not_of_the_settings() -> None:
    call = ToolCall(tool="Bash", kind=ToolKind.SHELL, command="Get-ChildItem", asking=Asking.NEVER)
    settings = evolve(SETTINGS, dialect="posix")
    assert build_hook(settings, "codex", Dialect.POWERSHELL, print).answer(call).answer is Answer.NO_OPINION
    assert build_hook(settings, "codex", None, print).answer(call).answer is Answer.DENY


def test_what_cannot_be_recorded_is_told_to_the_one_who_is_named(tmp_path: Path) -> None:
    told: list[str] = []
    settings = Settings(audit_file=str(tmp_path))
    call = ToolCall(tool="Bash", kind=ToolKind.SHELL, command="ls", asking=Asking.NEVER)
    assert build_hook(settings, "codex", None, told.append).answer(call).answer is Answer.NO_OPINION
    assert [text for text in told if "could not be recorded" in text]


def test_a_gate_that_is_off_leaves_an_event(tmp_path: Path) -> None:
    file = tmp_path / "log" / "audit.jsonl"
    assert record_off(Settings(audit_file=str(file)), "codex") == ""
    (record,) = map(json.loads, file.read_text().splitlines())
    assert (record["event"], record["agent"]) == ("off", "codex")
    assert "could not be recorded" in record_off(Settings(audit_file=str(tmp_path)), "codex")
    assert record_off(Settings(audit=False), "codex") == ""
