"""Log lines: one line each, under the right threshold, with nothing in them that drives a terminal."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator

import pytest

from phocinae.adapters.logs.stderr_log import StderrLog
from phocinae.mcp.operations import Level


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
    StderrLog(descriptor=pipe[0])(Level.WARNING, "it rains")
    assert pipe[1]() == "phocinae-mcp[warning]: it rains\n"


def test_what_is_milder_than_the_threshold_is_left_out(pipe: tuple[int, Callable[[], str]]) -> None:
    log = StderrLog(descriptor=pipe[0])
    log(Level.DEBUG, "unheard")
    log(Level.INFO, "heard")
    assert pipe[1]() == "phocinae-mcp[info]: heard\n"


def test_one_request_can_have_a_threshold_of_its_own(pipe: tuple[int, Callable[[], str]]) -> None:
    log = StderrLog(descriptor=pipe[0])
    log(Level.DEBUG, "heard", Level.DEBUG)
    log(Level.ERROR, "unheard", Level.EMERGENCY)
    assert pipe[1]() == "phocinae-mcp[debug]: heard\n"


def test_a_message_stays_on_its_line(pipe: tuple[int, Callable[[], str]]) -> None:
    StderrLog(descriptor=pipe[0])(Level.INFO, "a\nb\x1b[31m\u202ec\ud800 名" + "x" * 10_000)
    line = pipe[1]()
    assert line.startswith("phocinae-mcp[info]: a?b?[31m?c? 名xxx")
    assert (line.count("\n"), len(line) < 2_100) == (1, True)


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
    StderrLog(descriptor=writing)(Level.INFO, "into the void")
    os.close(writing)
    StderrLog(descriptor=writing)(Level.INFO, "into nothing at all")
    assert failures == [errno.EPIPE, errno.EBADF]
