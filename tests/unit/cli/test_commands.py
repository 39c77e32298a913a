from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from phocinae.cli import commands
from phocinae.cli.commands import COMMANDS, TableCommand
from phocinae.cli.entry import run
from phocinae.cli.options import GATE, HELP, SERVE, Command, help_text
from phocinae.domain.verdict import Decision
from phocinae.settings import VERSION, Effective, Settings

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Effective, dict[str, Any]]]:
    """Put a server in the place of the real one, which remembers what it was to serve, and how."""
    seen: list[tuple[Effective, dict[str, Any]]] = []
    module = ModuleType("phocinae.cli.serve")

    def serve(effective: Effective, **more: Any) -> int:
        seen.append((effective, more))
        return 0

    module.serve = serve  # type: ignore[attr-defined]  # a module made here has no declared names
    monkeypatch.setitem(sys.modules, "phocinae.cli.serve", module)
    return seen


def of_two_words(found: Mapping[str, click.Command]) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its whole name, those in a group included."""
    for name, command in found.items():
        if isinstance(command, click.Group):
            yield from ((f"{name} {second}", below) for second, below in command.commands.items())
        else:
            yield name, command


def test_every_command_of_the_table_is_there_and_nothing_else() -> None:
    root = commands._root()
    found_all = dict(of_two_words(root.commands))
    assert sorted(found_all) == sorted(command.name for command in COMMANDS)
    for command in COMMANDS:
        found = found_all[command.name]
        assert isinstance(found, TableCommand)
        names = [name for parameter in found.params if isinstance(parameter, click.Option) for name in parameter.opts]
        assert names == [name for option in command.options() for name in option.names]
        assert found.short_help == command.summary


def test_overview(capsys: Capture) -> None:
    for option in ("--help", "-h"):
        assert run([option]) == 0
        out = capsys.readouterr().out
        for word in ("gate ", "serve ", "--config FILE", "--version", "phocinae gate 'git status'"):
            assert word in out


@pytest.mark.parametrize("call", [["--config", "", "gate", "allow"], ["--config=", "serve"], ["serve", "--config", ""]])
def test_a_settings_file_without_a_name_is_refused(
    call: list[str], served: list[tuple[Effective, dict[str, Any]]], capsys: Capture
) -> None:
    assert run(call) == 3
    assert "--config needs a FILE" in capsys.readouterr().err
    assert served == []


def test_without_a_command_the_overview_goes_to_standard_error(capsys: Capture) -> None:
    assert run([]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Usage: phocinae [OPTIONS] [COMMAND]")


def test_version(capsys: Capture) -> None:
    for arguments in (["--version"], ["serve", "--version"], ["-v", "gate", "--version"]):
        assert run(arguments) == 0
        assert capsys.readouterr().out == f"phocinae {VERSION}\n"


def test_help_of_a_command_is_that_of_the_table(capsys: Capture) -> None:
    assert run(["serve", "--help"]) == 0
    assert capsys.readouterr().out == help_text(SERVE)
    assert run(["-v", "gate", "-h"]) == 0
    assert capsys.readouterr().out == help_text(GATE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["git status"], ["--nope"], ["gat", "x"], ["--conf", "x", "gate", "y"], ["--config"], ["\x1b[2J"], ["\udcff"],
        ["serve", "x"], ["serve", "--nope"], ["serve", "--port", "x"], ["serve", "--transport", "sse"],
        ["serve", "--config", "none.toml"], ["-v", "gate", "--nope"],
    ],
)  # fmt: skip
def test_usage_errors_are_one_line_and_exit_3(arguments: list[str], capsys: Capture) -> None:
    assert run(arguments) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("phocinae: ")
    assert captured.err.count("\n") == 1
    assert captured.err[:-1].isprintable()


@pytest.fixture
def grouped(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Add the command ``look up``; the arguments that it is run with are appended to the list."""
    seen: list[list[str]] = []

    def look_up(arguments: Sequence[str]) -> int:
        seen.append(list(arguments))
        return 7

    command = Command(name="look up", summary="look it up", before="Look it up.", groups=(("Options", (HELP,)),))
    monkeypatch.setitem(commands._RUNS, command, look_up)
    monkeypatch.setitem(commands.GROUPS, "look", "look for things")
    return seen


def test_a_command_of_two_words_gets_what_stands_before_and_behind_it(grouped: list[list[str]]) -> None:
    assert run(["-v", "look", "up", "--", "-x", "y"]) == 7
    assert grouped == [["--verbose", "--", "-x", "y"]]


def test_a_group_tells_its_commands(grouped: list[list[str]], capsys: Capture) -> None:
    assert run(["look", "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: phocinae look [OPTIONS] [COMMAND]")
    assert "Look for things." in out
    assert "up  look it up" in out
    assert run(["look"]) == 3
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", out)
    assert run(["--help"]) == 0
    assert re.search(r"look +look for things", capsys.readouterr().out)
    assert grouped == []


@pytest.mark.parametrize("arguments", [["look", "down"], ["look", "--nope"], ["look up"], ["look", "-v", "up"]])
def test_what_a_group_does_not_have_is_a_usage_error(
    arguments: list[str], grouped: list[list[str]], capsys: Capture
) -> None:
    assert run(arguments) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("phocinae: No such ")
    assert captured.err.count("\n") == 1
    assert grouped == []


def test_gate_behind_general_options_is_the_same_gate(built: list[Settings], capsys: Capture) -> None:
    assert run(["-v", "gate", "--json", "--", "deny it"]) == 1
    captured = capsys.readouterr()
    assert '"decision": "deny"' in captured.out
    assert "all other settings" in captured.err
    assert run(["gate", "--json", "-v", "--", "deny it"]) == 1
    assert capsys.readouterr() == captured
    assert run(["--config", "none.toml", "gate", "allow"]) == 3
    assert len(built) == 2


def test_the_environment_cannot_turn_a_call_into_a_completion(
    monkeypatch: pytest.MonkeyPatch, built: list[Settings]
) -> None:
    for value in ("bash_source", "bash_complete"):
        monkeypatch.setenv("_PHOCINAE_COMPLETE", value)
        assert run(["-v", "gate", "deny it"]) == 1
    assert len(built) == 2


def test_serve_starts_the_server_with_the_settings_and_the_way_to_read_them_again(
    served: list[tuple[Effective, dict[str, Any]]], tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[gate]\nfail_closed = "ask"\n', encoding="utf-8")
    config.chmod(0o600)
    options = ["--transport", "http", "--port", "0", "--host=::1", "--timeout", "2"]
    assert run(["serve", "--config", str(config), *options]) == 0
    ((effective, more),) = served
    assert effective.settings == Settings(transport="http", port=0, host="::1", timeout=2.0, fail_closed=Decision.ASK)
    assert more["verbose"] is False
    assert str(config) in more["files"]
    config.write_text("", encoding="utf-8")
    assert more["again"]().settings == Settings(transport="http", port=0, host="::1", timeout=2.0)


@pytest.mark.parametrize("call", [["-v", "serve"], ["serve", "--verbose"]])
def test_a_server_can_be_verbose(call: list[str], served: list[tuple[Effective, dict[str, Any]]]) -> None:
    assert run(call) == 0
    assert served[0][1]["verbose"] is True


def test_an_interruption_of_the_server_is_one_line(
    served: list[tuple[Effective, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def interrupt(_effective: Effective, **_more: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["phocinae.cli.serve"], "serve", interrupt)
    assert run(["serve"]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == "phocinae: interrupted"
    assert served == []


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.1", "", "::", "example.org"])
def test_a_foreign_address_exits_2(host: str, served: list[tuple[Effective, dict[str, Any]]], capsys: Capture) -> None:
    assert run(["serve", "--host", host]) == 2
    assert "127.0.0.1, localhost, ::1" in capsys.readouterr().err
    assert served == []
