"""What tests of hooks share: payloads of every agent, settings of their own, and the hook as a process.

A command in a payload is a text on the standard input of the hook; nothing ever runs it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from phocinae.adapters import agents
from phocinae.domain.tool_calls import Asking, ToolKind

NAMES = tuple(name for name, module in agents.MODULES.items() if find_spec(f"phocinae.adapters.agents.{module}"))
"""Every agent."""

NOWHERE = "/nonexistent/project"
"""The working directory that payloads claim: one without a project file."""

DEADLY = "rm -rf /"
HARMLESS = "git status"
OPEN = "npm install left-pad"
"""A command that the rules leave open."""

PERSONAL = "cat ~/.ssh/id_rsa"
"""A command about which only a person may decide."""

MODES = {"claude-code": {"permission_mode": "dontAsk"}}
"""What says in a payload that nobody can be asked, where an agent's usual mode does not say so."""


def shell(name: str) -> str:
    """Return the first tool of an agent that runs commands."""
    agent = agents.agent(name)
    calls = ((tool, agent.read(agent.sample(tool, HARMLESS, NOWHERE))) for tool in agent.tools)
    return next(tool for tool, call in calls if call is not None and call.kind is ToolKind.SHELL)


def writer(name: str) -> str:
    """Return the last tool of an agent, which writes files."""
    return agents.agent(name).tools[-1]


def sample(name: str, command: str = HARMLESS, cwd: str = NOWHERE, **more: Any) -> dict[str, Any]:
    """Return a payload of an agent that is about to run `command`, with `more` members."""
    return {**agents.agent(name).sample(shell(name), command, cwd), **more}


def unattended(name: str, command: str) -> dict[str, Any]:
    """Return a payload in a mode in which nobody can be asked."""
    payload = sample(name, command, **MODES.get(name, {}))
    call = agents.agent(name).read(payload)
    assert call is not None
    assert call.asking is Asking.NEVER
    return payload


def encoded(payload: object) -> bytes:
    """Return a payload as the agent would send it."""
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogatepass")


def settings_file(folder: Path, text: str = "") -> str:
    """Write a settings file whose decision log stands beside it, and return its path."""
    path = folder / "config.toml"
    path.write_text(f"{text}\n[audit]\nfile = {json.dumps(str(log(folder)))}\n", encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def log(folder: Path) -> Path:
    """Return the decision log of `settings_file`."""
    return folder / "log" / "audit.jsonl"


def records(folder: Path) -> list[dict[str, Any]]:
    """Return what stands in the decision log of `settings_file`."""
    path = log(folder)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def words(name: str, config: str, *arguments: str) -> list[str]:
    """Return the command that an agent starts for its hook."""
    return [sys.executable, "-I", "-m", "phocinae", "hook", name, "--config", config, *arguments]


def run(name: str, payload: bytes, config: str, *arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Answer a payload in a process of its own, as the agent would have it; `more` is for `subprocess.run`."""
    # in a session of its own it has no terminal, wherever the tests run
    given: dict[str, Any] = {"cwd": Path(config).parent, "timeout": 60, "check": False, "start_new_session": True}
    if "stdin" not in more:
        given["input"] = payload
    if not {"stdout", "stderr"} & set(more):
        given["capture_output"] = True
    return subprocess.run(words(name, config, *arguments), **{**given, **more})
