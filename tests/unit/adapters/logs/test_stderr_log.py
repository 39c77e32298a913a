"""Log lines: one line each, under the right threshold, with nothing in them that drives a terminal."""

from __future__ import annotations

import errno
import os
import select
from collections.abc import Callable, Iterator

import pytest

from phocinae.adapters.logs.stderr_log import LONGEST, StderrLog
from phocinae.domain.levels import Level


@pytest.fixture
def pipe() -> Iterator[tuple[int, Callable[[], str]]]:
    """A descriptor to write to, and what was written to it."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)

    def written() -> str:
        try:
            return os.read(reading, 1 << 16).decode()
        except BlockingIOError:
            return ""

    yield writing, written
    os.close(reading)
    os.close(writing)


def test_a_line_names_the_program_and_the_level(pipe: tuple[int, Callable[[], str]]) -> None:
    StderrLog(descriptor=pipe[0]).write(Level.WARNING, "it rains")
    assert pipe[1]() == "phocinae-mcp[warning]: it rains\n"


def test_what_is_milder_than_the_threshold_is_not_wanted() -> None:
    assert [StderrLog().wants(level, None) for level in (Level.INFO, Level.NOTICE)] == [False, True]
    assert [StderrLog(Level.INFO).wants(level, None) for level in (Level.DEBUG, Level.INFO)] == [False, True]


def test_one_request_can_have_a_threshold_of_its_own() -> None:
    log = StderrLog()
    assert log.wants(Level.DEBUG, Level.DEBUG)
    assert not log.wants(Level.ERROR, Level.EMERGENCY)


def test_a_line_fits_into_one_write(pipe: tuple[int, Callable[[], str]]) -> None:
    StderrLog(descriptor=pipe[0]).write(Level.INFO, "\ud800" + "x" * 5_000)
    written = pipe[1]()
    assert (len(written), written.count("\n"), written[-1:]) == (LONGEST, 1, "\n")
    StderrLog(descriptor=pipe[0]).write(Level.INFO, "名" * 2_000)
    assert pipe[1]().endswith("名\n")


def test_a_pipe_that_nobody_reads_holds_nothing_up_and_the_loss_is_said(pipe: tuple[int, Callable[[], str]]) -> None:
    log = StderrLog(descriptor=pipe[0])
    for _ in range(1_000):  # more than any pipe takes
        log.write(Level.INFO, "x" * 1_000)
    kept = pipe[1]().count("\n")
    while more := pipe[1]():
        kept += more.count("\n")
    assert 0 < kept < 1_000
    log.write(Level.INFO, "y")
    assert pipe[1]() == (
        f"phocinae-mcp[warning]: {1_000 - kept} lines were lost, because nobody read\nphocinae-mcp[info]: y\n"
    )
    log.write(Level.INFO, "z")
    assert pipe[1]() == "phocinae-mcp[info]: z\n"


def test_nobody_who_listens_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[int | None] = []
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        try:
            return real(descriptor, data)
        except OSError as error:
            failures.append(error.errno)
            raise

    monkeypatch.setattr(os, "write", write)
    reading, writing = os.pipe()
    os.close(reading)
    StderrLog(descriptor=writing).write(Level.INFO, "into the void")
    os.close(writing)
    StderrLog(descriptor=writing).write(Level.INFO, "into nothing at all")
    assert failures == [errno.EPIPE, errno.EBADF]


def test_a_system_that_cannot_tell_whether_a_pipe_is_full_is_written_to(
    pipe: tuple[int, Callable[[], str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(select, "poll")
    StderrLog(descriptor=pipe[0]).write(Level.INFO, "x")
    assert pipe[1]() == "phocinae-mcp[info]: x\n"
