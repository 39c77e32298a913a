"""The script of the published server: its own help and version, and for the rest `phocinae serve`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from phocinae.cli import mcp_entry
from phocinae.settings import VERSION


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that were handed on."""
    seen: list[list[str]] = []

    def run(arguments: Sequence[str]) -> int:
        seen.append(list(arguments))
        return 7

    monkeypatch.setattr(mcp_entry, "run_phocinae", run)
    return seen


def test_the_version_is_that_of_the_package_under_the_name_of_the_script(
    capsys: pytest.CaptureFixture[str], served: list[list[str]]
) -> None:
    assert mcp_entry.run(["--version"]) == 0
    assert capsys.readouterr() == (f"phocinae-mcp {VERSION}\n", "")
    assert served == []


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_is_under_the_name_of_the_script(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert mcp_entry.run([option]) == 0
    assert capsys.readouterr().out.startswith("Usage: phocinae-mcp [OPTIONS]\n")


@pytest.mark.parametrize(
    "arguments", [[], ["--transport", "stdio"], ["--server=http://127.0.0.1:9", "--timeout", "1", "--l1-enabled"]]
)
def test_everything_else_is_handed_on_unchanged(arguments: list[str], served: list[list[str]]) -> None:
    assert mcp_entry.run(arguments) == 7
    assert served == [["serve", *arguments]]


@pytest.mark.parametrize("arguments", [["--bogus"], ["--timeout"], ["--transport", "sse"], ["--l1-enabled=1"]])
def test_a_call_that_cannot_be_used_is_refused_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], served: list[list[str]]
) -> None:
    assert mcp_entry.run(arguments) == 3
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("phocinae: ")
    assert served == []


def test_a_version_that_nobody_can_read_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert mcp_entry.run(["--version"]) == 3
    assert "closed" in capsys.readouterr().err


def test_main_ends_the_process_with_the_status(monkeypatch: pytest.MonkeyPatch, served: list[list[str]]) -> None:
    monkeypatch.setattr("sys.argv", ["phocinae-mcp", "--port", "0"])
    with pytest.raises(SystemExit) as end:
        mcp_entry.main()
    assert (end.value.code, served) == (7, [["serve", "--port", "0"]])
