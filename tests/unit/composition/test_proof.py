"""The proof of a hook, by really running it: the hook of each agent, and hooks that are not worth the name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import pytest

from phocinae import Decision, Settings, build_gate
from phocinae.adapters import agents
from phocinae.adapters.proving.surroundings import STARTUP_FILE, VARIABLES
from phocinae.composition.proof import BAD_COMMAND, Hook, prove
from phocinae.domain.findings import Finding, State

NAMES = sorted(agents.MODULES)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A settings file that keeps the decision log of this account out of it: an isolated interpreter finds that."""
    path = tmp_path / "config.toml"
    path.write_text(f'[audit]\nfile = "{tmp_path / "audit.jsonl"}"\n')
    path.chmod(0o600)
    return path


def installed(name: str, words: Sequence[str], *, fails_closed: bool = True) -> Hook:
    """Return the hook of an agent as its configuration holds it."""
    agent = agents.agent(name)
    started = agent.hook.command(agent.hook.value(words))
    assert started is not None
    return Hook(agent=agent, words=started, fails_closed=fails_closed)


def ours(name: str, config: Path, *options: str) -> Hook:
    words = (sys.executable, "-I", "-m", "phocinae", "hook", name, "--config", str(config), *options)
    return installed(name, words)


def first(hook: Hook) -> Finding:
    """Return the first finding of a proof, which is about the first tool, without the time that the others take."""
    findings = prove(hook)
    try:
        return next(iter(findings))
    finally:
        findings.close()


def wrongs(findings: Sequence[Finding]) -> list[str]:
    return [f"{one.about}: {one.text}" for one in findings if one.state is State.WRONG]


@pytest.mark.parametrize("name", NAMES)
def test_our_hook_is_proven_for_every_tool_and_in_all_surroundings(name: str, config: Path) -> None:
    found = list(prove(ours(name, config)))
    loose = [one.about for one in found if one.state is not State.RIGHT]
    assert loose == ([STARTUP_FILE] if name == "gemini-cli" else [])  # which is the only one that hooks run by bash
    about = [one.about for one in found]
    assert set(agents.agent(name).tools) <= set(about)
    assert {"harmless call", "broken payload", "removed interpreter"} <= set(about)
    assert {f"hostile {variable}" for variable in VARIABLES} <= set(about)
    assert {"hostile working directory", "hostile surroundings, all at once"} <= set(about)


@pytest.mark.parametrize(("option", "word"), [("--observe", "OBSERVING"), ("--off", "OFF")])
def test_a_hook_that_stops_nothing_is_found_out(option: str, word: str, config: Path) -> None:
    found = first(ours("claude-code", config, option))
    assert found.state is State.WRONG
    assert found.text.startswith("a known-bad call is not blocked: exit status 0: phocinae: " + word)


def program(text: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", text)


READ = "import sys; data = sys.stdin.read(); "
LIES = {
    "passes everything": "pass",
    "fails": "raise SystemExit(1)",
    "is the stub of a store": "raise SystemExit(49)",
    "says so in one channel only": "print('{}'); raise SystemExit(2)",
    "prints a denial and exits 0": 'print(\'{"decision": "deny"}\')',
}


@pytest.mark.parametrize("lie", list(LIES))
def test_a_hook_that_does_not_block_is_found_out(lie: str) -> None:
    found = first(installed("claude-code", program(READ + LIES[lie])))
    assert (found.about, found.state) == ("Bash", State.WRONG)
    assert found.text.startswith("a known-bad call is not blocked: ")


def test_a_hook_that_blocks_everything_is_found_out() -> None:
    blocks = program(READ + "print('{}'); print('no', file=sys.stderr); raise SystemExit(2)")
    assert [one.partition(":")[0] for one in wrongs(list(prove(installed("claude-code", blocks))))] == ["harmless call"]


def test_a_hook_that_is_taken_over_by_its_surroundings_is_found_out(config: Path) -> None:
    trusting = (sys.executable, "-m", "phocinae", "hook", "claude-code", "--config", str(config))
    found = wrongs(list(prove(installed("claude-code", trusting))))
    assert any(one.startswith("hostile working directory: ") and "phocinae/__init__.py" in one for one in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_hook_that_does_not_start_is_found_out(name: str) -> None:
    hook = installed(name, ["/nonexistent/python"], fails_closed=False)
    found = takewhile(lambda one: not one.about.startswith("hostile"), prove(hook))
    assert any(one.startswith("harmless call: ") for one in wrongs(list(found)))


def test_a_removed_interpreter_passes_where_nothing_stands_against_it(config: Path) -> None:
    hook = ours("claude-code", config)
    found = takewhile(lambda one: not one.about.startswith("hostile"), prove(Hook(agent=hook.agent, words=hook.words)))
    assert [one.about for one in found if one.state is State.WRONG] == ["removed interpreter"]


def test_what_must_be_blocked_is_what_the_gate_denies() -> None:
    assert build_gate(Settings(audit=False)).decide(BAD_COMMAND).decision is Decision.DENY
