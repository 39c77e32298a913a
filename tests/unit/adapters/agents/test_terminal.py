"""A process knows whether it belongs to a terminal, whatever its streams are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import fcntl, sys, termios
from phocinae.adapters.agents import terminal
if sys.argv[1:]:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.exit(terminal.present())
"""


@pytest.mark.parametrize(("words", "expected"), [([], 0), (["own"], 1)])
def test_a_process_has_the_terminal_that_its_session_has(words: list[str], expected: int) -> None:
    ours, theirs = os.openpty()
    try:
        child = [sys.executable, "-I", "-c", PROGRAM, *words]
        done = subprocess.run(child, stdin=theirs, start_new_session=True, timeout=60, check=False)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == expected
