from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

import pytest

from phocinae.cli import commands, entry
from phocinae.cli import gate as gate_command
from phocinae.errors import InvalidRequest

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KeyboardInterrupt(), "phocinae: interrupted\n"),
        (InvalidRequest("no\nway"), "phocinae: no\\nway\n"),
        (
            RuntimeError("secret"),
            "phocinae: internal error (RuntimeError); please report it, with the call that led to it\n",
        ),
        (
            RecursionError(),
            "phocinae: internal error (RecursionError); please report it, with the call that led to it\n",
        ),
        (MemoryError(), "phocinae: internal error (MemoryError); please report it, with the call that led to it\n"),
    ],
)
@pytest.mark.parametrize("arguments", [["gate", "x"], ["serve"]])
def test_whatever_happens_is_one_line(
    error: BaseException, line: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(_arguments: Sequence[str]) -> NoReturn:
        raise error

    monkeypatch.setattr(gate_command, "main", fail)
    monkeypatch.setattr(commands, "main", fail)
    assert entry.run(arguments) == 3
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", line)


def test_gate_in_front_goes_without_click(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []

    def way(name: str) -> Callable[[Sequence[str]], int]:
        def main(arguments: Sequence[str]) -> int:
            seen.append((name, list(arguments)))
            return 0

        return main

    monkeypatch.setattr(gate_command, "main", way("gate"))
    monkeypatch.setattr(commands, "main", way("click"))
    for arguments in (["gate", "x"], ["-v", "gate", "x"], [], ["gates"]):
        assert entry.run(arguments) == 0
    assert seen == [("gate", ["x"]), ("click", ["-v", "gate", "x"]), ("click", []), ("click", ["gates"])]


def test_main_ends_the_process_with_the_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "run", len)
    monkeypatch.setattr(sys, "argv", ["phocinae", "a", "b"])
    with pytest.raises(SystemExit) as caught:
        entry.main()
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("arguments", "behind"),
    [
        (["hook", "codex"], ["codex"]),
        (["--config", "f", "hook", "codex", "-v"], ["--config", "f", "codex", "-v"]),
        (["--config", "hook", "hook"], ["--config", "hook"]),
        (["--config=f", "-v", "hook"], ["--config=f", "-v"]),
        (["--nope", "hook", "codex"], ["--nope", "codex"]),
        (["gate", "hook"], None),
        (["-v", "gate", "hook"], None),
        (["--config", "hook", "gate", "hook"], None),
        (["--config"], None),
        ([], None),
    ],
)
def test_a_hook_is_found_behind_the_options_in_front(arguments: list[str], behind: list[str] | None) -> None:
    assert entry.of_hook(arguments) == behind
