from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters.logs import audit_follow
from phocinae.adapters.logs.audit_follow import follow


class Stop(Exception):
    """Ends what would go on for ever."""


def followed(path: Path, *steps: Callable[[], object]) -> list[object]:
    """Return what is yielded while each of `steps` is done in turn whenever there is nothing new; None is kept."""
    waiting = list(steps)

    def wait() -> None:
        if not waiting:
            raise Stop
        waiting.pop(0)()

    found: list[object] = []
    try:
        for entry in follow(str(path), wait):
            found.append(entry if entry is None else (entry.record or {}).get("n", entry.fault))
    except Stop:
        return found
    raise AssertionError("following has come to an end")


def line(number: int) -> str:
    return f'{{"n": {number}}}\n'


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "log" / "audit.jsonl"
    made.parent.mkdir(mode=0o700)
    return made


def test_what_is_there_comes_first_and_then_what_is_added(path: Path) -> None:
    path.write_text(line(1) + line(2), encoding="utf-8")
    path.chmod(0o600)
    assert followed(path, lambda: append(path, line(3)), lambda: append(path, line(4))) == [1, 2, None, 3, 4]


def test_a_line_is_read_once_it_has_an_end(path: Path) -> None:
    path.write_text(line(1) + '{"n":', encoding="utf-8")
    assert followed(path, lambda: append(path, " 2"), lambda: append(path, "}\n")) == [1, None, 2]


def test_a_log_that_is_set_aside_is_read_to_its_end_and_the_next_one_from_its_beginning(path: Path) -> None:
    path.write_text(line(1), encoding="utf-8")

    def set_aside() -> None:
        append(path, line(2))
        path.rename(path.with_name("audit-0000000001.jsonl"))
        append(path, line(3))

    assert followed(path, set_aside, lambda: append(path, line(4))) == [1, None, 2, 3, 4]


def test_what_is_set_aside_between_two_looks_is_read_as_well(path: Path) -> None:
    path.write_text(line(1), encoding="utf-8")

    def set_aside_twice() -> None:
        append(path, line(2))
        for number in (1, 3):
            path.rename(path.with_name(f"audit-{number:010d}.jsonl"))
            append(path, line(number + 2))
            append(path, line(number + 3))

    assert followed(path, set_aside_twice) == [1, None, 2, 3, 4, 5, 6]


def test_what_is_added_after_the_last_look_and_before_the_log_is_set_aside_is_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(line(1), encoding="utf-8")
    looked = audit_follow._following

    def set_aside_first(name: str, descriptor: int) -> int:
        monkeypatch.setattr(audit_follow, "_following", looked)
        append(path, line(2))
        path.rename(path.with_name("audit-0000000001.jsonl"))
        append(path, line(3))
        return looked(name, descriptor)

    monkeypatch.setattr(audit_follow, "_following", set_aside_first)
    assert followed(path) == [1, None, 2, 3]


def test_a_log_that_is_not_there_yet_is_waited_for(path: Path) -> None:
    assert followed(path, lambda: append(path, line(1))) == [None, 1]
    path.parent.joinpath("other").mkdir()
    assert followed(path.parent / "missing" / "audit.jsonl") == [None]
