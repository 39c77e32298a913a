"""``python -m phocinae`` does not run a package that the working directory may have brought."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import phocinae

PACKAGE = Path(phocinae.__path__[0]).resolve()


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *words, "--version"],
        capture_output=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("cwd", [PACKAGE, PACKAGE.parent, PACKAGE.parent.parent, Path("/")], ids=str)
@pytest.mark.parametrize(("command", "status"), [("gate", 3), ("hook", 2), ("serve", 3)])
def test_a_package_below_the_working_directory_is_not_run(command: str, status: int, cwd: Path) -> None:
    done = run("-m", "phocinae", command, cwd=cwd)
    assert (done.returncode, done.stdout) == (status, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"python -I -m phocinae" in done.stderr


@pytest.mark.parametrize("command", ["gate", "serve"])
def test_it_is_run_by_an_isolated_interpreter_wherever_it_is(command: str) -> None:
    done = run("-I", "-m", "phocinae", command, cwd=PACKAGE.parent)
    assert (done.returncode, done.stderr) == (0, b"")


def test_one_from_elsewhere_is_run(tmp_path: Path) -> None:
    done = run("-m", "phocinae", "gate", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_link_to_the_working_directory_hides_nothing(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(PACKAGE.parent)
    assert run("-m", "phocinae", "gate", cwd=link).returncode == 3
