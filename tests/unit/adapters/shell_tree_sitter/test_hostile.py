"""Texts that are written to be slow or to break a reader; benchmarks/reader_hostile.py measures what they cost."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import reader_hostile
from phocinae.adapters.shell_tree_sitter import tree
from phocinae.domain.shell import Command, Reading
from phocinae.domain.verdict import ReadingStatus

Read = Callable[[str], Reading]

COMPLETE, UNKNOWN, REFUSED = ReadingStatus.COMPLETE, ReadingStatus.UNKNOWN, ReadingStatus.REFUSED

SHAPES = dict(reader_hostile.shapes())

READ_IN_FULL = {
    # shapes that are a command, a comment or nothing in every shell
    *("'#' alone", "'#' balanced", "'\\n' alone", "'\\n' balanced", "'\\\\\\n' balanced"),
    *('"\'" alone', '"\'" balanced', "'\"' alone", "'\"' balanced", "'`' alone"),
}


def test_every_shape_is_as_long_as_a_text_may_be() -> None:
    assert {len(text) for name, text in SHAPES.items() if name.endswith("alone")} == {reader_hostile.SIZE}
    assert all(reader_hostile.SIZE - 20 < len(text) <= reader_hostile.SIZE for text in SHAPES.values())
    assert len(SHAPES) == 2 * len(reader_hostile.UNITS)


@pytest.mark.parametrize("name", SHAPES)
def test_a_hostile_shape_has_a_reading_and_is_not_vouched_for(read: Read, name: str) -> None:
    text = SHAPES[name]
    reading = read(text)
    assert (reading.status is REFUSED) == (reading.script is None)
    assert (reading.status is COMPLETE) == (not reading.gaps)
    if reading.status is COMPLETE:
        assert name in READ_IN_FULL or isinstance(reading.script, Command)


@pytest.mark.parametrize("name", [name for name in SHAPES if name[1] in "(`${[<"])
def test_deep_nesting_is_refused(read: Read, name: str) -> None:
    assert read(SHAPES[name]).status in (REFUSED, UNKNOWN)


def test_the_verdict_on_a_shape_does_not_depend_on_the_clock(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(tree, "MOST_CALLBACKS", 30)  # what 20 ms allow on a slow machine
    for name in ("'a=(' alone", "'a|' balanced", "'[[ ( ' balanced", "'<' alone"):
        assert {read(SHAPES[name]).status for _ in range(2)} == {REFUSED}


@pytest.mark.parametrize("seed", range(20))
def test_random_soup_has_a_reading(read: Read, seed: int) -> None:
    source = random.Random(seed)
    units = [unit for unit in reader_hostile.UNITS if unit != "\0"]
    text = "".join(source.choice(units) for _ in range(4_000))[: source.randrange(100, 12_000)]
    reading = read(text)
    assert (reading.status is REFUSED) == (reading.script is None)
