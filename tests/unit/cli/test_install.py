"""``phocinae install`` and ``phocinae uninstall``, as a person runs them, in homes that are made for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters import agents
from phocinae.adapters.configuration import files
from phocinae.adapters.configuration.files import BACKUP, hold, replace
from phocinae.cli import install
from phocinae.domain.tool_calls import ToolKind
from phocinae.errors import InvalidRequest, InvalidSettings

AGENTS = sorted(agents.MODULES)

CLAUDE = b"""\
{
  // what I like
  "permissions": {"deny": ["Read(./.env)"]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Write", "hooks": [{"type": "command", "command": "lint"}]}
    ],
    "Stop": []
  },
  "mcpServers": { "other": {"command": "x", "args": []} },
  "number": 1.50e+10
}
"""
TOML = b"""\
model = "x" # mine

[mcp_servers.other]
command = 'x'

[projects."/a"]
trust_level = "trusted"
"""
BEFORE = {
    "claude-code": {".claude/settings.json": CLAUDE, ".claude.json": b'{"numStartups":3,"mcpServers":{}}'},
    "codex": {".codex/hooks.json": CLAUDE.replace(b"\n", b"\r\n"), ".codex/config.toml": TOML},
    "gemini-cli": {".gemini/settings.json": b"\xef\xbb\xbf" + CLAUDE.rstrip()},
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with nothing in it."""
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    return path


def fill(home: Path, agent: str) -> dict[str, bytes]:
    """Write the configuration of somebody who uses the agent, and return it."""
    for name, raw in BEFORE[agent].items():
        path = home / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_bytes(raw)
        path.chmod(0o640)
    return BEFORE[agent]


def contents(home: Path) -> dict[str, bytes]:
    """Return every file of the agent in a home by its name, without backups and our own settings file."""
    found = (path for path in sorted(home.rglob("*")) if path.is_file() and BACKUP not in path.name)
    return {str(path.relative_to(home)): path.read_bytes() for path in found if "phocinae" not in path.parts}


def phocinae(*words: str, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", *words, "--home", str(home)],
        capture_output=True,
        text=True,
        cwd=home.parent,
        env={**os.environ, **variables},
        start_new_session=True,  # whether there is a terminal has no say in what is written
        timeout=60,
        check=False,
    )


def hook_of(home: Path, agent: str) -> tuple[str, ...]:
    """Return the words that the agent would start."""
    entry = agents.agent(agent).hook
    data: Any = json.loads((home / entry.user).read_bytes().decode("utf-8-sig"))
    for key in entry.keys:
        data = data[key]
    return entry.command(data[-1]) or ()


@pytest.mark.parametrize("agent", AGENTS)
def test_configuration_is_as_before_when_all_is_taken_out(agent: str, home: Path) -> None:
    before = fill(home, agent)
    done = phocinae("install", agent, home=home)
    assert (done.returncode, done.stderr) == (0, "")
    installed = contents(home)
    assert installed.keys() == before.keys()
    assert all(installed[name] != before[name] for name in before)
    assert {(home / name).stat().st_mode & 0o777 for name in before} == {0o640}
    again = phocinae("install", agent, home=home)
    assert "already installed" in again.stdout
    assert contents(home) == installed
    removed = phocinae("uninstall", agent, home=home)
    assert removed.returncode == 0
    assert "backup kept: " in removed.stdout
    assert contents(home) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_what_install_makes_uninstall_removes(agent: str, home: Path) -> None:
    done = phocinae("install", agent, home=home)
    assert done.returncode == 0
    for text in (*agents.agent(agent).tools, agents.agent(agent).guarantee, f"phocinae doctor {agent}"):
        assert text in done.stdout
    assert {path.stat().st_mode & 0o077 for path in home.rglob("*")} == {0}
    assert phocinae("uninstall", agent, home=home).returncode == 0
    assert [path.name for path in home.iterdir()] == [".config"]
    assert phocinae("uninstall", agent, home=home).stdout.startswith("nothing of phocinae is installed")


def test_each_event_that_carries_commands_gets_the_hook(home: Path) -> None:
    assert phocinae("install", "claude-code", home=home).returncode == 0
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    (tools,), (skills,) = hooks["PreToolUse"], hooks["PreSkillShellCommand"]
    assert tools["hooks"] == skills["hooks"]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_command_that_is_written_answers_with_an_empty_environment(agent: str, home: Path, tmp_path: Path) -> None:
    """B-044, B-050 and B-078: an absolute interpreter, and a known-bad call of every tool is blocked."""
    assert phocinae("install", agent, "--home", str(home), home=home).returncode == 0
    log = tmp_path / "audit.jsonl"
    (home / ".config" / "phocinae" / "config.toml").write_text(f"[audit]\nfile = '{log}'\n")
    words, described = hook_of(home, agent), agents.agent(agent)
    assert sys.executable in " ".join(words)
    assert "--config " + str(home / ".config/phocinae/config.toml") in " ".join(words)
    for tool in described.tools:
        sample = described.sample(tool, "rm -rf /", str(tmp_path))
        call = described.read(sample)
        assert call is not None
        if call.kind is not ToolKind.SHELL:
            continue
        done = subprocess.run(
            words, input=json.dumps(sample), env={}, cwd="/", capture_output=True, text=True, timeout=60, check=False
        )
        assert (tool, done.returncode, bool(done.stderr)) == (tool, 2, True)


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path) -> None:
    fill(home, "codex")
    before = contents(home)
    done = phocinae("install", "codex", "--dry-run", home=home)
    assert done.returncode == 0
    assert "+[mcp_servers.phocinae]" in done.stdout
    assert contents(home) == before
    assert not (home / ".config").exists()
    assert not [path for path in home.rglob("*") if BACKUP in path.name]


def test_an_older_hook_is_replaced_and_what_was_chosen_is_written_down(home: Path) -> None:
    assert phocinae("install", "claude-code", "--observe", "--unattended", "ask", home=home).returncode == 0
    assert hook_of(home, "claude-code")[-5:] == ("--fail-closed", "ask", "--unattended", "ask", "--observe")
    options = ("--fail-closed", "deny", "--on-allow=allow", "--server", "http://127.0.0.1:9", "--no-mcp")
    assert phocinae("install", "claude-code", *options, home=home).returncode == 0
    words = hook_of(home, "claude-code")
    assert words[8:] == ("--on-allow", "allow", "--fail-closed", "deny", "--server", "http://127.0.0.1:9")
    data = json.loads((home / ".claude" / "settings.json").read_text())
    assert len(data["hooks"]["PreToolUse"]) == 1
    servers = json.loads((home / ".claude.json").read_text())["mcpServers"]["phocinae"]["args"]
    assert "--server" not in servers


@pytest.mark.parametrize(("agent", "choice"), [("claude-code", "ask"), ("codex", "deny"), ("gemini-cli", "ask")])
def test_what_becomes_of_the_undecided_is_written_down(agent: str, choice: str, home: Path) -> None:
    assert phocinae("install", agent, home=home).returncode == 0
    assert f"--fail-closed {choice}" in " ".join(hook_of(home, agent))


def test_what_the_settings_file_says_of_failing_closed_is_not_written_down(home: Path) -> None:
    config = home / "own.toml"
    config.write_text('[gate]\nfail_closed = "deny"\n')
    config.chmod(0o600)
    assert phocinae("install", "gemini-cli", "--config", str(config), home=home).returncode == 0
    assert "--fail-closed" not in " ".join(hook_of(home, "gemini-cli"))
    assert f"--config {config}" in " ".join(hook_of(home, "gemini-cli"))


def test_settings_that_would_block_every_call_are_refused(home: Path) -> None:
    config = home / "own.toml"
    config.write_text("[gate]\nnope = 1\n")
    config.chmod(0o600)
    done = phocinae("install", "codex", "--config", str(config), home=home)
    assert done.returncode == 3
    assert "unknown key gate.nope" in done.stderr
    assert contents(home).keys() == {"own.toml"}


def test_one_object_of_json_tells_what_was_done(home: Path) -> None:
    done = phocinae("install", "codex", "--json", home=home)
    wire = json.loads(done.stdout)
    assert [one["file"] for one in wire["changed"]] == [f"{home}/.codex/hooks.json", f"{home}/.codex/config.toml"]
    assert wire["tools"] == ["Bash", "apply_patch"]


def test_a_variable_that_moves_the_configuration_is_said(home: Path) -> None:
    done = phocinae("install", "codex", "--dry-run", home=home, CODEX_HOME="/elsewhere")
    assert "CODEX_HOME is set: started from here, Codex CLI reads /elsewhere" in done.stderr


def test_a_project_has_its_own_files(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir(mode=0o700)
    config = tmp_path / "config.toml"
    config.touch(0o600)
    words = [sys.executable, "-I", "-m", "phocinae"]
    more = ["codex", "--project", str(project)]
    done = subprocess.run(
        [*words, "install", *more, "--config", str(config)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert "the files of a project are the agent's to change" in done.stderr
    assert contents(project).keys() == {".codex/hooks.json", ".codex/config.toml"}
    assert subprocess.run([*words, "uninstall", *more], capture_output=True, timeout=60, check=False).returncode == 0
    assert list(project.iterdir()) == []


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"{", "hooks.json, line 1: it is not JSON"),
        (b'{"hooks": []}', "hooks.json, line 1: hooks must be an object"),
        (b'{\n"hooks": {}, "hooks": {}}', "hooks.json, line 2: hooks stands in it twice"),
    ],
)
def test_a_broken_file_is_refused_and_nothing_is_written(raw: bytes, why: str, home: Path) -> None:
    (home / ".codex").mkdir(mode=0o700)
    (home / ".codex" / "hooks.json").write_bytes(raw)
    done = phocinae("install", "codex", home=home)
    assert done.returncode == 3
    assert why in done.stderr
    assert contents(home) == {".codex/hooks.json": raw}


def test_a_hook_that_shares_its_entry_is_left_alone(home: Path) -> None:
    assert phocinae("install", "codex", "--no-mcp", home=home).returncode == 0
    path = home / ".codex" / "hooks.json"
    data = json.loads(path.read_text())
    data["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "lint"})
    path.write_text(json.dumps(data))
    done = phocinae("uninstall", "codex", home=home)
    assert done.returncode == 3
    assert "shares one entry with other hooks" in done.stderr
    assert json.loads(path.read_text()) == data


def test_a_link_is_followed_and_stays_one(home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir(mode=0o700)
    (dotfiles / "config.toml").write_bytes(TOML)
    (home / ".codex").mkdir(mode=0o700)
    (home / ".codex" / "config.toml").symlink_to(dotfiles / "config.toml")
    assert phocinae("install", "codex", home=home).returncode == 0
    assert (home / ".codex" / "config.toml").is_symlink()
    assert "phocinae" in tomllib.loads((dotfiles / "config.toml").read_text())["mcp_servers"]
    assert len(list(dotfiles.glob(f"config.toml{BACKUP}*"))) == 1
    assert phocinae("uninstall", "codex", home=home).returncode == 0
    assert (dotfiles / "config.toml").read_bytes() == TOML


# --- one file


def test_a_file_that_another_user_could_replace_is_not_touched(home: Path) -> None:
    path = home / "settings.json"
    path.write_text("{}")
    home.chmod(0o777)
    with pytest.raises(InvalidSettings, match=r"settings.json is not touched: .* chmod go-w"):
        hold(str(path))


def test_a_file_that_is_read_only_is_not_touched(home: Path) -> None:
    path = home / "settings.json"
    path.write_text("{}")
    path.chmod(0o400)
    with pytest.raises(InvalidSettings, match=r"is read-only; .* chmod u\+w"):
        hold(str(path))


def test_a_link_to_nothing_and_a_folder_are_refused(home: Path) -> None:
    (home / "link").symlink_to(home / "gone")
    with pytest.raises(InvalidSettings, match="a link to something that does not exist"):
        hold(str(home / "link"))
    with pytest.raises(InvalidSettings, match="not a regular file"):
        hold(str(home))
    (home / "file").touch(0o600)
    with pytest.raises(InvalidSettings, match="is not a folder"):
        hold(str(home / "file" / "settings.json"))


@pytest.mark.parametrize("meanwhile", [b"changed", None])
def test_a_change_by_another_program_is_not_lost(meanwhile: bytes | None, home: Path) -> None:
    path = home / "settings.json"
    path.write_bytes(b"{}")
    held = hold(str(path))
    path.unlink()
    if meanwhile is not None:
        path.write_bytes(meanwhile)
    with pytest.raises(InvalidSettings, match="changed by another program meanwhile; run this again"):
        replace(held, b"[]")
    assert contents(home) == ({} if meanwhile is None else {"settings.json": meanwhile})


def test_a_file_that_another_program_makes_meanwhile_is_not_lost(home: Path) -> None:
    path = home / "new" / "settings.json"
    held = hold(str(path))
    path.parent.mkdir()
    path.write_bytes(b"theirs")
    with pytest.raises(InvalidSettings, match="changed by another program meanwhile"):
        replace(held, b"ours")
    assert contents(home) == {"new/settings.json": b"theirs"}


def test_a_failure_leaves_the_file_and_no_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    held = hold(str(home / "a" / "b" / "settings.json"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidSettings, match="No space left on device; it is unchanged"):
        replace(held, b"{}")
    assert list(home.iterdir()) == []


def test_a_backup_is_not_kept_twice(home: Path) -> None:
    path = home / "settings.json"
    path.write_bytes(b"one")
    first = replace(hold(str(path)), b"two")
    second = replace(hold(str(path)), b"one")
    assert first != second
    assert replace(hold(str(path)), b"three") == first
    assert files.backups(str(path)) == sorted([first, second])


# --- usage


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "takes one AGENT: claude-code"),
        (["emacs"], "takes one AGENT"),
        (["codex", "--project", ".", "--home", "."], "goes together with neither"),
        (["codex", "--home", "/nonexistent"], "is not a folder"),
        (["codex", "--no-hook", "--no-mcp"], "nothing to install"),
    ],
)
def test_a_call_that_cannot_be_used_is_refused(words: list[str], why: str) -> None:
    with pytest.raises(InvalidRequest, match=why):
        install.install(words)


def test_an_interpreter_that_does_not_run_the_package_is_refused(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(InvalidSettings, match="does not run this package"):
        install.install(["codex", "--home", str(home)])
    assert list(home.iterdir()) == []


def test_sources_below_the_project_are_refused(home: Path, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", "install", "codex", "--home", str(home)],
        capture_output=True, text=True, cwd=root, timeout=60, check=False,
    )  # fmt: skip
    if "site-packages" in str(install.__file__):
        assert done.returncode == 0
    else:
        assert done.returncode == 3
        assert "below the project" in done.stderr
        assert list(home.iterdir()) == []
