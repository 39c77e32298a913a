"""The account of whoever runs the tests is left alone: neither its settings are read nor is its log written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

import isolation
import transcripts
from phocinae import build_gate
from phocinae.adapters import settings_sources
from phocinae.cli import entry


@pytest.fixture
def command() -> str:
    """A harmless command that no other process judges, so that its record can be told from all others."""
    return f"echo {uuid4().hex}"


@pytest.fixture
def settings_file(account: Path) -> Iterator[Path]:
    """A settings file in the account's home, and nothing of it afterwards."""
    path = account / ".config" / "phocinae" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('[gate]\nfail_closed = "ask"\n')
    path.chmod(0o600)
    yield path
    path.unlink()


def recorded(log: Path) -> list[str]:
    """Return the commands in a decision log."""
    return [json.loads(line).get("command", "") for line in log.read_text().splitlines()] if log.exists() else []


def gate(*words: str) -> subprocess.CompletedProcess[bytes]:
    # not from the sources, below which python -m does not run the package
    return subprocess.run([*words, "--json"], capture_output=True, cwd="/usr", timeout=60, check=False)


def test_the_home_is_not_the_real_one(account: Path) -> None:
    assert settings_sources.account_home() == str(account)
    assert account != isolation.real_home()


def test_this_process_records_in_the_home_of_the_tests(command: str, account: Path) -> None:
    build_gate().decide(command)
    assert command in recorded(isolation.log(account))
    assert command not in recorded(isolation.log(isolation.real_home()))


def test_the_command_line_in_this_process_does_too(
    command: str, account: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.run(["gate", command]) == 0
    assert capsys.readouterr().out.startswith("allow: ")
    assert command in recorded(isolation.log(account))
    assert command not in recorded(isolation.log(isolation.real_home()))


@pytest.mark.parametrize("program", [[isolation.PROGRAM], [sys.executable, "-m", "phocinae"]], ids=str)
def test_a_child_process_does_too(program: list[str], command: str, account: Path) -> None:
    done = gate(*program, "gate", command)
    assert (done.returncode, done.stderr) == (0, b"")
    assert command in recorded(isolation.log(account))
    assert command not in recorded(isolation.log(isolation.real_home()))


def test_a_child_process_reads_the_settings_of_the_home_of_the_tests(settings_file: Path) -> None:
    done = gate(isolation.PROGRAM, "gate", "make deploy")
    assert json.loads(done.stdout)["decision"] == "ask"
    settings_file.write_text("broken")
    assert gate(isolation.PROGRAM, "gate", "make deploy").returncode == 3


def test_a_document_is_tried_with_an_account_of_its_own(command: str, account: Path, tmp_path: Path) -> None:
    assert transcripts.run(f"phocinae gate '{command}'", tmp_path).startswith("allow: ")
    assert recorded(isolation.log(tmp_path)) == [command]
    assert command not in recorded(isolation.log(account)) + recorded(isolation.log(isolation.real_home()))


def test_no_variable_of_the_surroundings_is_left() -> None:
    assert [name for name in os.environ if name.startswith("PHOCINAE")] == []
