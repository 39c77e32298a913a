"""Runs a real agent with the gate's hook, as `install` writes it, and a model service on loopback that wants commands.

usage: python tools/agents/live.py claude-code|codex|gemini-cli PACKAGES

PACKAGES is the folder with `node_modules` into which the agent was installed (`npm install @openai/codex`,
`@google/gemini-cli` or `@anthropic-ai/claude-code`).  Home and project are scratch folders, and nothing leaves the
machine.  The agent really runs what the gate lets through, so that the commands are harmless even where the gate
fails: one that prints, one that makes a file in the project, and a push in a folder that is no repository.  The
exit status is 1 if a command that should have been blocked was not, or the other way round.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen
from model_service import ModelService, Wanted, model_service

from phocinae.adapters import agents
from phocinae.domain.installed import hook_words

BLOCKED = ("blocked by PreToolUse hook", "Tool execution blocked", "PreToolUse:Bash hook error", "phocinae: ")
"""What the agents tell the model of a call that a hook blocked, or of a question that nobody answered."""


@frozen
class Case:
    """One command, whether it has to be blocked, and the interpreter that the hook names."""

    title: str
    command: str
    blocked: bool
    interpreter: str = sys.executable


CASES = (
    Case("allowed", "echo hello", blocked=False),
    Case("undecided, and nobody there", "touch marker", blocked=True),
    Case("denied", "git push --force origin main", blocked=True),
    Case("no interpreter", "echo hello", blocked=True, interpreter="/nonexistent/python3"),
    Case("an interpreter that fails in silence", "echo hello", blocked=True, interpreter="/bin/false"),
)


@frozen
class Program:
    """How one agent is prepared with hooks in a home, and started, and how its model calls for a command."""

    prepare: Callable[[Path, ModelService, Mapping[str, Any]], None]
    words: Sequence[str]
    variables: Callable[[Path, ModelService], Mapping[str, str]]
    call: Callable[[str], Wanted]


def prepare_codex(home: Path, service: ModelService, hooks: Mapping[str, Any]) -> None:
    """Write the configuration of Codex: a provider, and the hooks."""
    folder = home / ".codex"
    folder.mkdir()
    (folder / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    provider = {"name": "scripted", "base_url": f"{service.url}/v1", "wire_api": "responses"}
    lines = ['model = "scripted"', 'model_provider = "scripted"', "[model_providers.scripted]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in provider.items()]
    (folder / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def prepare_gemini(home: Path, _service: ModelService, hooks: Mapping[str, Any]) -> None:
    """Write the configuration of Gemini CLI: a key's kind, no statistics, and the hooks."""
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
        **hooks,
    }
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")


def prepare_claude(home: Path, _service: ModelService, hooks: Mapping[str, Any]) -> None:
    """Write the settings of Claude Code, which are the hooks, and that its first questions are answered."""
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(json.dumps(hooks), encoding="utf-8")
    (home / ".claude.json").write_text(json.dumps({"hasCompletedOnboarding": True}), encoding="utf-8")


PROGRAMS = {
    "claude-code": Program(
        prepare=prepare_claude,
        words=("node_modules/.bin/claude", "-p", "do it", "--permission-mode", "bypassPermissions"),
        variables=lambda _, service: {
            "ANTHROPIC_BASE_URL": service.url,
            "ANTHROPIC_API_KEY": "made-up",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "IS_SANDBOX": "1",  # else it refuses this mode to root
        },
        call=lambda command: Wanted("Bash", {"command": command, "description": "try"}),
    ),
    "codex": Program(
        prepare=prepare_codex,
        # trust is a person's to give, and is not what is tried here
        words=(
            *("node_modules/.bin/codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
            *("-s", "workspace-write", "do it"),
        ),
        variables=lambda home, _: {"CODEX_HOME": str(home / ".codex")},
        call=lambda command: Wanted("exec_command", {"cmd": command}),
    ),
    "gemini-cli": Program(
        prepare=prepare_gemini,
        words=("node_modules/.bin/gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "do it"),
        variables=lambda home, service: {
            "GEMINI_CLI_HOME": str(home),
            "GEMINI_API_KEY": "made-up",
            "GOOGLE_GEMINI_BASE_URL": service.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        call=lambda command: Wanted("run_shell_command", {"command": command, "description": "try"}),
    ),
}


def outcome(name: str, case: Case, packages: Path, scratch: Path) -> tuple[bool, str]:
    """Return whether the call was blocked, and what the agent told the model of it."""
    agent, program = agents.agent(name), PROGRAMS[name]
    home, project = scratch / "home", scratch / "project"
    home.mkdir()
    project.mkdir()
    settings = scratch / "config.toml"
    settings.write_text(f"[audit]\nfile = {json.dumps(str(scratch / 'audit.jsonl'))}\n", encoding="utf-8")
    settings.chmod(0o600)
    hook = hook_words(case.interpreter, name, ("--config", str(settings)))
    groups = {entry.keys[-1]: [entry.value(hook)] for entry in (agent.hook, *agent.further)}
    with model_service([program.call(case.command)]) as service:
        program.prepare(home, service, {"hooks": groups})
        given = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "dumb", **program.variables(home, service)}
        words = [str(packages / program.words[0]), *program.words[1:]]
        subprocess.run(
            words, cwd=project, env=given, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
            start_new_session=True,
        )  # fmt: skip
        told = " ".join(service.outputs()) or "the agent told nothing"
    return any(text in told for text in BLOCKED) and not (project / "marker").exists(), told


def main(name: str, packages: Path) -> int:
    """Try every case, print what came of it, and return the exit status."""
    wrong = 0
    for case in CASES:
        scratch = Path(tempfile.mkdtemp(prefix="phocinae-live-"))
        try:
            blocked, told = outcome(name, case, packages, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        wrong += blocked is not case.blocked
        mark = "" if blocked is case.blocked else "  WRONG"
        print(f"{case.title:<40}{case.command:<32}{'blocked' if blocked else 'ran':<10}{mark}")
        print(f"    {told[-220:]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PROGRAMS:
        sys.exit("usage: python tools/agents/live.py claude-code|codex|gemini-cli PACKAGES")
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).resolve()))
