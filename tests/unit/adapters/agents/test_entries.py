"""The entries that agents share, and what a shell makes of them when the gate cannot run."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from phocinae.adapters.agents import agent, entries

SHARING = ("codex", "gemini-cli")
WORDS = ("/opt/a python/bin/python3", "-I", "-m", "phocinae", "hook", "codex", "--config", "/home/o'user/a file.toml")
SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh", "fish", "ksh") if shutil.which(shell)]


def run(shell: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    text = entries.shell_text(words)
    return subprocess.run([shell, "-c", text], capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("name", SHARING)
def test_an_entry_starts_the_words_that_it_was_made_of(name: str) -> None:
    words = agent(name).hook.command(agent(name).hook.value(WORDS))
    assert words is not None
    assert words[1] == "-c"
    assert tuple(shlex.split(words[2])[: len(WORDS)]) == WORDS
    assert agent(name).mcp.command(agent(name).mcp.value(WORDS)) == WORDS


@pytest.mark.parametrize("name", SHARING)
@pytest.mark.parametrize(
    "other", [{}, {"hooks": 7}, {"hooks": "x"}, {"hooks": []}, {"hooks": ["x"]}, {"hooks": [{"command": 7}]}]
)
def test_an_entry_of_another_kind_starts_nothing_that_is_known(name: str, other: dict[str, Any]) -> None:
    assert agent(name).hook.command(other) is None
    assert agent(name).mcp.command(other) is None


@pytest.mark.parametrize("other", [{"command": 7}, {"command": "x", "args": "y"}, {"command": "x", "args": [7]}])
def test_a_server_of_another_kind_is_none(other: dict[str, Any]) -> None:
    assert entries.server_words(other) is None


@pytest.mark.parametrize("shell", SHELLS)
def test_what_ends_with_success_is_left_alone(shell: str) -> None:
    done = run(shell, [sys.executable, "-I", "-c", "print('{}')"])
    assert (done.stdout, done.stderr, done.returncode) == ("{}\n", "", 0)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("status", [1, 2, 3, 127])
def test_every_failure_ends_with_status_2_and_a_text(shell: str, status: int) -> None:
    done = run(shell, [sys.executable, "-I", "-c", f"import sys; sys.exit({status})"])
    assert (done.stdout, done.stderr, done.returncode) == ("", entries.BLOCKED + "\n", 2)


@pytest.mark.parametrize("shell", SHELLS)
def test_an_interpreter_that_is_gone_or_killed_ends_so_too(shell: str) -> None:
    gone = run(shell, ["/nowhere/python3", "-I"])
    assert (gone.stderr.splitlines()[-1], gone.returncode) == (entries.BLOCKED, 2)
    killed = run(shell, [sys.executable, "-I", "-c", "import os; os.kill(os.getpid(), 9)"])
    assert (killed.stderr.splitlines()[-1], killed.returncode) == (entries.BLOCKED, 2)
