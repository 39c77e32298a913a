"""The reader over the texts in tests/corpus; none of them is ever run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from phocinae.domain.shell import Reading
from phocinae.domain.verdict import ReadingStatus

Corpus = Callable[[str], list[dict[str, str]]]
Read = Callable[[str], Reading]
Shown = Callable[[Reading], set[str]]

COMPLETE, UNKNOWN, REFUSED = ReadingStatus.COMPLETE, ReadingStatus.UNKNOWN, ReadingStatus.REFUSED

CARRIED = {
    # programs and builtins that run what a word or a file holds, which is for a judge to see and not for a reader
    *("eval", "command", "exec", "builtin", "env", "time", "timeout", "xargs", "find", "trap", "bash", "sh"),
    *(".", "source", "alias", "printf", "read", "set"),
}


def test_a_marker_is_shown_or_the_text_is_not_vouched_for(
    corpus: Corpus,
    read: Read,
    shown: Shown,
    named_by_expansion: Callable[[Reading], bool],
    evaluates: Callable[[Reading], bool],
) -> None:
    hidden = []
    for entry in corpus("markers.jsonl"):
        reading = read(entry["statement"])
        names = shown(reading)
        if reading.status is COMPLETE and not reading.differences and "cnry" not in names:
            carried = names & CARRIED or named_by_expansion(reading) or evaluates(reading)
            hidden += [] if carried else [entry["statement"]]
    assert hidden == []


def test_most_markers_are_shown(corpus: Corpus, read: Read, shown: Shown) -> None:
    entries = corpus("markers.jsonl")
    counted = Counter("cnry" in shown(read(entry["statement"])) for entry in entries)
    assert counted[True] >= 0.79 * len(entries)


def test_most_valid_commands_are_read(corpus: Corpus, read: Read) -> None:
    entries = corpus("valid.jsonl")
    counted = Counter(read(entry["command"]).status for entry in entries)
    assert counted[COMPLETE] >= 0.98 * len(entries)


@pytest.mark.parametrize("kind", ["simple", "quote", "pipeline", "heredoc", "agent", "redirect", "subst", "arith"])
def test_each_kind_that_agents_write_is_nearly_always_complete(corpus: Corpus, read: Read, kind: str) -> None:
    entries = [entry for entry in corpus("valid.jsonl") if entry["kind"] == kind]
    statuses = Counter(read(entry["command"]).status for entry in entries)
    assert entries
    assert statuses[COMPLETE] >= 0.9 * len(entries)


def test_harmless_commands_of_the_corpus_are_read_in_full(corpus: Corpus, read: Read) -> None:
    entries = [entry["command"] for entry in corpus("corpus.jsonl") if entry["label"] == "allow"]
    assert [text for text in entries if read(text).status is not COMPLETE] == []
