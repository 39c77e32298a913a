"""A file a day, for its owner alone, in which each line is whole."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from phocinae.adapters.logs.daily_file import DailyFile
from phocinae.domain.levels import Level

NOON = 1_785_240_000.0  # 2026-07-28T12:00:00Z
DAY = 86_400.0


def daily(folder: Path, at: float = NOON, level: Level = Level.INFO, prefix: str = "mcp") -> DailyFile:
    return DailyFile(str(folder), prefix=prefix, level=level, clock=lambda: at)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def _open_umask() -> object:
    """Run with a umask that hides nothing, so that what is private was made so."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_line_has_the_time_and_the_level(tmp_path: Path) -> None:
    log = daily(tmp_path / "new" / "state", NOON + 0.0625)
    log.write(Level.INFO, "it rains")
    log.write(Level.ERROR, "名")
    path = tmp_path / "new" / "state" / "mcp_2026-07-28.log"
    assert path.read_text(encoding="utf-8") == (
        "2026-07-28T12:00:00.062Z [info] it rains\n2026-07-28T12:00:00.062Z [error] 名\n"
    )
    assert (mode(path), mode(path.parent), mode(path.parent.parent)) == (0o600, 0o700, 0o700)


def test_each_day_has_a_file(tmp_path: Path) -> None:
    for days in range(3):
        daily(tmp_path, NOON + days * DAY, prefix="gate.x").write(Level.INFO, f"day {days}")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"gate.x_2026-07-{day}.log" for day in (28, 29, 30)]


def test_the_day_is_that_of_the_line(tmp_path: Path) -> None:
    at = [NOON]
    log = DailyFile(str(tmp_path), prefix="mcp", level=Level.INFO, clock=lambda: at[0])
    log.write(Level.INFO, "a")
    at[0] += DAY
    log.write(Level.INFO, "b")
    assert [path.read_text().split()[-1] for path in sorted(tmp_path.iterdir())] == ["a", "b"]


def test_no_request_has_a_say_in_what_is_kept(tmp_path: Path) -> None:
    log = daily(tmp_path, level=Level.WARNING)
    assert [log.wants(level, Level.DEBUG) for level in (Level.NOTICE, Level.WARNING)] == [False, True]
    assert [log.wants(level, Level.EMERGENCY) for level in (Level.NOTICE, Level.WARNING)] == [False, True]


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "mcp_2026-07-28.log"
    path.touch(0o644)
    daily(tmp_path).write(Level.INFO, "x")
    assert mode(path) == 0o600


@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "fifo", "linked folder", "file for a folder"])
def test_what_is_no_file_of_the_user_is_not_written_to(tmp_path: Path, kind: str) -> None:
    folder, target = tmp_path / "log", tmp_path / "target"
    path = folder / "mcp_2026-07-28.log"
    target.mkdir() if kind == "linked folder" else target.write_text("", encoding="utf-8")
    if kind == "linked folder":
        folder.symlink_to(target)
    elif kind == "file for a folder":
        folder.write_text("", encoding="utf-8")
    else:
        folder.mkdir()
        if kind in ("link", "dangling"):
            path.symlink_to(target if kind == "link" else tmp_path / "nowhere")
        elif kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
    with pytest.raises(OSError, match="mcp_2026-07-28"):
        daily(folder).write(Level.INFO, "x")
    assert not (tmp_path / "nowhere").exists()
    assert list(target.iterdir()) == [] if target.is_dir() else target.read_text() == ""


def test_a_null_in_the_folder_is_an_error_of_the_port() -> None:
    with pytest.raises(OSError, match="null"):
        DailyFile("/a\0b", prefix="mcp", level=Level.INFO).write(Level.INFO, "x")


def test_a_file_that_was_moved_away_is_followed_by_a_new_one(tmp_path: Path) -> None:
    log, path = daily(tmp_path), tmp_path / "mcp_2026-07-28.log"
    log.write(Level.INFO, "a")
    path.rename(tmp_path / "kept")
    log.write(Level.INFO, "b")
    assert path.read_text().endswith(" b\n")


def test_lines_of_many_threads_do_not_mix(tmp_path: Path) -> None:
    sinks = [daily(tmp_path), daily(tmp_path)]

    def write(number: int) -> None:
        for _ in range(25):
            sinks[number % 2].write(Level.INFO, str(number) * 1_000)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (tmp_path / "mcp_2026-07-28.log").read_text().splitlines()
    assert sorted(line.split()[-1] for line in lines) == sorted(
        str(number) * 1_000 for number in range(8) for _ in range(25)
    )
