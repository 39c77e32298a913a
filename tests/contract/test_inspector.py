"""The command line of the MCP Inspector, a client that is neither ours nor in Python, talks to the real command.

``sh tools/inspector FOLDER`` installs it, and the variable PHOCINAE_TEST_INSPECTOR names
FOLDER.  Its words may go through a shell, so the commands that it hands over do no harm.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation

FOLDER = os.environ.get("PHOCINAE_TEST_INSPECTOR", "")  # read once: no test keeps a variable of that prefix
Json = dict[str, Any]
Inspect = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def inspect(account: Path) -> Inspect:
    """Runs the Inspector against a server of its own."""
    if not FOLDER:
        pytest.skip("PHOCINAE_TEST_INSPECTOR names no folder; make one with: sh tools/inspector FOLDER")
    program = Path(FOLDER).resolve() / "node_modules" / ".bin" / "mcp-inspector"
    assert program.exists(), f"{program} is not there; run: sh tools/inspector {FOLDER}"
    variables = isolation.environment(account) | {"PHOCINAE_AUDIT": "false"}
    own = [part for name, value in variables.items() for part in ("-e", f"{name}={value}")]
    serve = [isolation.PROGRAM, "serve"]

    def inspect(*words: str) -> subprocess.CompletedProcess[str]:
        line = [str(program), "--cli", *own, *serve, *words]
        return subprocess.run(line, capture_output=True, timeout=100, check=False, encoding="utf-8")

    return inspect


def result(done: subprocess.CompletedProcess[str]) -> Json:
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_it_lists_what_there_is(inspect: Inspect) -> None:
    tools = result(inspect("--method", "tools/list"))["tools"]
    assert [tool["name"] for tool in tools] == ["gate", "classify", "route", "score"]
    resources = result(inspect("--method", "resources/list"))["resources"]
    assert "phocinae://manifest" in [resource["uri"] for resource in resources]
    assert result(inspect("--method", "prompts/list")) == {"prompts": []}


@pytest.mark.parametrize(
    ("command", "decision"),
    [("git status", "allow"), ("phocinae-has-no-such-program", "deny"), ("echo 名 😀 שלום", "allow")],
)
def test_it_calls_the_gate(inspect: Inspect, command: str, decision: str) -> None:
    words = ("--method", "tools/call", "--tool-name", "gate", "--tool-arg", f"command={command}")
    found = result(inspect(*words))
    assert found["isError"] is False
    assert found["structuredContent"]["decision"] == decision
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]


def test_it_reads_a_resource(inspect: Inspect) -> None:
    (content,) = result(inspect("--method", "resources/read", "--uri", "phocinae://manifest"))["contents"]
    assert json.loads(content["text"])["name"] == "phocinae"


def test_it_is_told_what_is_wrong(inspect: Inspect) -> None:
    done = inspect("--method", "tools/call", "--tool-name", "nope")
    assert done.returncode != 0
    assert "no tool is called nope" in done.stderr
