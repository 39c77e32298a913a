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
    "rm -rf ~/.config",
    "rm -rf ~/.config/*",
    "rm -rf ~/.local/state",
    "rm -rf ~/.local/share/",
    "rm -r /home/u/.local",
    "rm -rf $HOME/.config",
    "find ~/.config -delete",
    "rm .venv/bin/phocinae",
    "rm -rf .venv/lib/python3.11/site-packages/phocinae",
    "echo x > site-packages/phocinae/domain/l0.py",
    "cp x ~/.local/bin/phocinae-mcp",
    "truncate -s 0 /usr/lib/python3/dist-packages/phocinae/cli.py",
    "chmod -x ~/.local/bin/phocinae",
    "claude mcp remove phocinae",
    "claude mcp remove -s user phocinae",
    "codex mcp rm phocinae",
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


@pytest.mark.parametrize(
    "command",
    [
        "rm -r ~/.config/other",
        "rm ~/.config/*",
        "rm -rf .config",
        "find ~/.config -name '*.bak' -delete",
        "rm -rf .venv",
        "rm -r src/phocinae/x",
        "pip uninstall phocinae-notes",
        "claude mcp remove other",
        "claude mcp list",
    ],
)
def test_what_is_near_the_gate_is_not_the_gate(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "undecided"
