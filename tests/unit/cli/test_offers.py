"""``phocinae tools`` and ``phocinae info`` say what a client of the server gets to see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phocinae import Settings, build_gate, build_server
from phocinae.cli.entry import run
from phocinae.cli.offers import COMMANDS, _listed
from phocinae.cli.options import help_text
from phocinae.settings import VERSION

Capture = pytest.CaptureFixture[str]


def test_tools_are_listed_in_the_order_of_the_server(capsys: Capture) -> None:
    assert run(["tools"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["gate", "classify", "route", "score"]
    assert all(line.endswith(".") for line in lines)


def test_tools_as_json(capsys: Capture) -> None:
    assert run(["tools", "--json"]) == 0
    tools = json.loads(capsys.readouterr().out)["tools"]
    assert [set(tool) for tool in tools] == [{"name", "title", "description"}] * 4
    assert run(["tools", "--json", "--full"]) == 0
    full = json.loads(capsys.readouterr().out)["tools"]
    assert full[0]["inputSchema"]["required"] == ["command"]
    assert full[0]["annotations"]["openWorldHint"] is True


def test_tools_in_full(capsys: Capture) -> None:
    assert run(["tools", "--full"]) == 0
    out = capsys.readouterr().out
    for word in ("gate: Command gate\n", "  inputSchema: {", "  outputSchema: {", "When not to use"):
        assert word in out


def test_info(capsys: Capture) -> None:
    assert run(["info"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"phocinae command gate (phocinae {VERSION})\n")
    assert "  revisions: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05\n" in out
    assert run(["info", "--json"]) == 0
    wire = json.loads(capsys.readouterr().out)
    assert (wire["name"], wire["version"]) == ("phocinae", VERSION)
    assert wire["tools"] == ["gate", "classify", "route", "score"]
    assert "phocinae://manifest" in wire["resources"]
    assert "gate" in wire["instructions"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_version_and_wrong_calls(command: Any, capsys: Capture) -> None:
    assert run([command.name, "--help"]) == 0
    assert capsys.readouterr().out == help_text(command)
    assert run([command.name, "--version"]) == 0
    assert capsys.readouterr().out == f"phocinae {VERSION}\n"
    assert run([command.name, "extra"]) == 3
    assert "takes options only" in capsys.readouterr().err
    assert run([command.name, "--nope"]) == 3


def test_settings_that_cannot_be_used_are_an_error(tmp_path: Path, capsys: Capture) -> None:
    assert run(["tools", "--timeout", "never"]) == 3
    assert "--timeout" in capsys.readouterr().err
    assert run(["info", "--config", str(tmp_path / "none.toml")]) == 3


def test_all_pages_of_a_long_list_are_there() -> None:
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings), builtin=False)
    names = [f"tool_{number}" for number in range(120)]
    for name in names:
        server.tool(name)(lambda _call: None)
    assert [tool["name"] for tool in _listed(server.open(), "tools")] == names
