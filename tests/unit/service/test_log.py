"""Every sink gets what it wants, without secrets and on one line, and none of them can break a caller."""

from __future__ import annotations

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.levels import Level
from phocinae.service.log import LONGEST, Logs, line_of
from phocinae.settings import LOG_LEVELS


@define
class Sink:
    """Keeps lines, or fails."""

    level: Level = Level.INFO
    error: Exception | None = None
    lines: list[tuple[Level, str]] = field(factory=list)

    def wants(self, level: Level, threshold: Level | None, /) -> bool:
        return level >= (self.level if threshold is None else threshold)

    def write(self, level: Level, text: str, /) -> None:
        if self.error is not None:
            raise self.error
        self.lines.append((level, text))


def test_the_words_of_the_setting_are_the_levels() -> None:
    assert tuple(level.wire for level in Level) == LOG_LEVELS
    assert [Level.of(word) for word in LOG_LEVELS] == list(Level)


def test_each_sink_gets_what_it_wants() -> None:
    mild, strict = Sink(Level.DEBUG), Sink(Level.WARNING)
    logs = Logs(mild, strict)
    logs(Level.DEBUG, "a")
    logs(Level.ERROR, "b")
    logs(Level.DEBUG, "c", Level.DEBUG)
    assert mild.lines == [(Level.DEBUG, "a"), (Level.ERROR, "b"), (Level.DEBUG, "c")]
    assert strict.lines == [(Level.ERROR, "b"), (Level.DEBUG, "c")]


def test_a_caller_can_know_beforehand_whether_anybody_listens() -> None:
    assert Logs(Sink(Level.WARNING), Sink(Level.NOTICE)).wants(Level.NOTICE)
    assert not Logs(Sink(Level.WARNING), Sink(Level.NOTICE)).wants(Level.INFO)
    assert not Logs().wants(Level.EMERGENCY)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("odd"), ValueError()])
def test_a_sink_that_fails_is_said_once_and_hurts_nobody(error: Exception) -> None:
    good, bad = Sink(), Sink(error=error)
    logs = Logs(good, bad)
    for _ in range(3):
        logs(Level.INFO, "x")
    why = getattr(error, "strerror", None) or str(error) or "ValueError"
    assert good.lines == [
        (Level.INFO, "x"),
        (Level.WARNING, f"a log cannot be written: {why}"),
        (Level.INFO, "x"),
        (Level.INFO, "x"),
    ]
    bad.error = None
    logs(Level.INFO, "y")
    assert bad.lines == [(Level.INFO, "y")]
    bad.error = error
    logs(Level.INFO, "z")
    assert good.lines[-1][0] is Level.WARNING  # it worked in between, so it is news again


def test_sinks_that_all_fail_say_nothing() -> None:
    logs = Logs(Sink(error=OSError("a")), Sink(error=OSError("b")))
    logs(Level.ERROR, "x")


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("plain", "plain"),
        ("a\nphocinae-mcp[error]: b\r", "a\\nphocinae-mcp[error]: b\\r"),
        ("\x1b[31mred\x9b", "\\x1b[31mred\\x9b"),
        ("\u202egnihton\u2028", "\\u202egnihton\\u2028"),
        ("half \ud800", "half \\ud800"),
        ("名", "名"),
    ],
)
def test_a_message_stays_on_its_line(message: str, line: str) -> None:
    assert line_of(message) == line


def test_a_secret_is_masked_wherever_the_line_is_cut() -> None:
    token = "ghp_" + "a1B2" * 9
    for before in (0, LONGEST - 20, LONGEST - 5, LONGEST):
        line = line_of("x" * before + f" --token {token} ")
        assert token[:8] not in line
        assert len(line) <= LONGEST


@given(st.text(max_size=50))
def test_a_line_is_one_printable_line(message: str) -> None:
    line = line_of(message)
    assert line.isprintable()
    line.encode()
