"""This gate's own commands: looking is harmless, loosening the gate is denied."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "phocinae --version",
    "phocinae --help",
    "phocinae gate 'rm -rf /'",
    "phocinae gate --json --explain 'rm -rf /'",
    "echo ls | phocinae gate",
    "phocinae info",
    "phocinae tools --full",
    "phocinae doctor",
    "phocinae policy check",
    "phocinae policy show",
    "phocinae audit verify",
    "phocinae config show",
    "phocinae config schema",
]
UNDECIDED = [
    "phocinae install claude-code",
    "phocinae serve",
    "phocinae frobnicate",
    "phocinae policy frobnicate",
    "phocinae gate --config x ls",
    "phocinae gate ls pwd",
    'phocinae "$x"',
]
DENIED = [
    "phocinae uninstall claude-code",
    "phocinae approve 1",
    "phocinae config init",
    "sudo phocinae uninstall claude-code",
    "sh -c 'phocinae config init'",
    "pkill -f phocinae",
    "killall phocinae-mcp",
    "rm -rf ~/.config/phocinae",
    "echo x > ~/.config/phocinae/policy.toml",
    "chmod 777 ~/.config/phocinae",
    "mv ~/.claude/settings.json x",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"
