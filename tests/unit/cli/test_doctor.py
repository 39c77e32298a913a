"""``phocinae doctor`` in scratch homes; what it examines is tested where it is built."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters import agents
from phocinae.cli.doctor import DOCTOR
from phocinae.cli.entry import run
from phocinae.cli.options import help_text
from phocinae.composition.entries import problems, user_scope
from phocinae.domain.findings import State
from phocinae.settings import VERSION

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home without anything in it."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A settings file with a decision log of its own."""
    path = tmp_path / "config.toml"
    path.write_text(f'[audit]\nfile = "{tmp_path / "audit.jsonl"}"\n')
    path.chmod(0o600)
    return path


def put(home: Path, name: str, config: Path, *options: str) -> Path:
    """Write the hook of an agent into its configuration, as that of nobody else stands there."""
    agent = agents.agent(name)
    words = [sys.executable, "-I", "-m", "phocinae", "hook", name, "--config", str(config), *options]
    path = home / agent.hook.user
    path.parent.mkdir(parents=True, exist_ok=True)
    groups = {entry.keys[-1]: [entry.value(words)] for entry in (agent.hook, *agent.further)}
    path.write_text(json.dumps({agent.hook.keys[0]: groups}))
    return path


def examined(capsys: Capture) -> dict[str, Any]:
    wire: dict[str, Any] = json.loads(capsys.readouterr().out)
    return wire


def test_without_a_hook_something_is_wrong(home: Path, config: Path, capsys: Capture) -> None:
    assert run(["doctor", "--home", str(home), "--config", str(config)]) == 1
    out = capsys.readouterr().out
    assert "No hook is installed, so nothing is enforced; run: phocinae install AGENT" in out
    assert run(["doctor", "--json", "--home", str(home), "--config", str(config)]) == 1
    assert examined(capsys)["ok"] is False


@pytest.mark.parametrize("name", sorted(agents.MODULES))
def test_an_installed_hook_is_found_and_proven(name: str, home: Path, config: Path, capsys: Capture) -> None:
    put(home, name, config)
    trusted = name != "codex"  # Codex runs no hook that a person has not trusted in it
    assert run(["doctor", "--json", "--home", str(home), "--config", str(config)]) == (0 if trusted else 1)
    wire = examined(capsys)
    assert (wire["ok"], wire["version"]) == (trusted, VERSION)
    general, of_agent = wire["examined"]
    assert general["agent"] is None
    assert (of_agent["agent"], of_agent["tools"]) == (name, list(agents.agent(name).tools))
    assert of_agent["guarantee"]
    wrong = [one["text"].partition(": ")[2] for one in of_agent["findings"] if one["state"] == "wrong"]
    assert wrong == ([] if trusted else ["not trusted in Codex CLI, which leaves it out"])
    about = [one["about"] for one in of_agent["findings"]]
    assert {"hook", "harmless call", "hostile PYTHONPATH"} <= set(about)


def test_for_people_each_finding_is_a_line_with_what_to_do(home: Path, config: Path, capsys: Capture) -> None:
    put(home, "codex", config, "--observe")
    assert run(["doctor", "codex", "--home", str(home), "--config", str(config)]) == 1
    out = capsys.readouterr().out
    assert "Codex CLI (what is known of it: " in out
    assert "  WRONG    Bash: a known-bad call is not blocked: exit status 0: phocinae: OBSERVING" in out
    assert "           do not rely on this hook\n" in out
    assert out.endswith("Something is wrong: see above.\n")
    assert out.isascii()


def test_a_configuration_that_cannot_be_read_is_wrong(home: Path, config: Path, capsys: Capture) -> None:
    put(home, "claude-code", config).write_text("{")
    assert run(["doctor", "--home", str(home), "--config", str(config)]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clawd"], "there is no agent clawd; give claude-code or codex or gemini-cli"),
        (["--project", "a", "--home", "b"], "--project and --home do not go together"),
        (["--config", "/nonexistent.toml"], "does not exist"),
    ],
)
def test_what_cannot_be_used_ends_with_status_3(arguments: list[str], message: str, capsys: Capture) -> None:
    assert run(["doctor", *arguments]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


def test_help_and_version(capsys: Capture) -> None:
    assert run(["doctor", "--help"]) == 0
    assert capsys.readouterr().out == help_text(DOCTOR)
    assert run(["doctor", "--version"]) == 0
    assert capsys.readouterr().out == f"phocinae {VERSION}\n"


def test_an_event_that_carries_commands_and_has_no_hook_is_wrong(home: Path, config: Path, capsys: Capture) -> None:
    path = put(home, "claude-code", config)
    value = json.loads(path.read_text())
    del value["hooks"]["PreSkillShellCommand"]
    path.write_text(json.dumps(value))
    assert run(["doctor", "claude-code", "--json", "--home", str(home), "--config", str(config)]) == 1
    assert "has none for PreSkillShellCommand" in capsys.readouterr().out


def test_the_settings_that_the_hook_names_are_looked_at_and_not_only_those_of_the_call(
    home: Path, config: Path, tmp_path: Path, capsys: Capture
) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[audit]\nenabled = false\n")
    other.chmod(0o600)
    put(home, "claude-code", other)
    run(["doctor", "claude-code", "--json", "--home", str(home), "--config", str(config)])
    _, of_agent = examined(capsys)["examined"]
    told = {one["about"]: one["text"] for one in of_agent["findings"]}
    assert told["decision log, for the hook"] == "it is switched off"


def test_settings_of_the_hook_that_cannot_be_used_are_wrong(home: Path, config: Path, capsys: Capture) -> None:
    put(home, "claude-code", config.with_name("gone.toml"))
    assert run(["doctor", "claude-code", "--json", "--home", str(home), "--config", str(config)]) == 1
    _, of_agent = examined(capsys)["examined"]
    assert "settings of the hook" in [one["about"] for one in of_agent["findings"] if one["state"] == "wrong"]


@pytest.mark.parametrize("name", sorted(agents.MODULES))
def test_other_hooks_of_the_same_event_are_named(name: str, home: Path, config: Path) -> None:
    path = put(home, name, config)
    known = agents.agent(name).hook
    document = json.loads(path.read_text())
    document[known.keys[0]][known.keys[1]].append({"hooks": [{"type": "command", "command": "/opt/other"}]})
    path.write_text(json.dumps(document))
    found = list(problems(agents.agent(name), user_scope(str(home))))
    (told,) = [one for one in found if one.about == "other hooks"]
    assert told.state is State.WARNING
    assert str(path) in told.text
