"""The gate's own commands and agents' switches: looking is harmless, trust is a person's, switching off is denied."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

NAMES = {"allow": "allow", "open": "undecided", "ask": "undecided-ask", "deny": "deny"}
TABLE = [
    line.split(" ", 1)
    for line in (Path(__file__).parent / "own_commands.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("answer", "command"), TABLE)
def test_the_table(answer: str, command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == NAMES[answer]


@pytest.mark.parametrize(("answer", "command"), TABLE)
def test_nothing_is_milder_behind_another_program(answer: str, command: str, judged: Callable[[str], str]) -> None:
    order = list(NAMES.values())
    for form in ("ls && {}", "env X=1 sh -c '{}'", "sudo {}"):
        if "'" not in command or "'" not in form:
            assert order.index(judged(form.format(command))) >= order.index(NAMES[answer])
