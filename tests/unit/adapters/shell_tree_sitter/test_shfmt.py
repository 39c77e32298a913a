"""The reader beside shfmt, an independent parser: what that sees, this must see or not vouch for the text.

shfmt only parses; nothing is ever run.  `tools/fuzz.py --differential 5000` compares more made texts than this.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

import fuzz
import shell_grammar
import shfmt_oracle
from phocinae.domain.shell import Reading
from phocinae.domain.verdict import ReadingStatus
from shfmt_oracle import Tree

Read = Callable[[str], Reading]
Both = list[tuple[str, Tree, Reading]]

MADE, SEED = 1_000, 20_251
"""Texts that are made from the grammar, and the seed for them."""


@pytest.fixture(scope="module")
def both(read: Read) -> Both:
    """Every text that both read, shfmt in any way and the reader without a gap, with what they say."""
    found = shfmt_oracle.compared(read, [*fuzz.corpus(), *islice(shell_grammar.texts(SEED), MADE)])
    assert len(found) > 1_500
    return found


def test_every_program_and_literal_command_that_shfmt_sees_is_seen(both: Both) -> None:
    missing = [(text, shfmt_oracle.missing(tree, reading)) for text, tree, reading in both]
    assert [(text, names) for text, names in missing if names] == []


def test_no_program_is_seen_that_shfmt_does_not_see(both: Both) -> None:
    surplus = [(text, shfmt_oracle.surplus(tree, reading)) for text, tree, reading in both]
    assert [(text, names) for text, names in surplus if names] == []


def test_texts_that_are_parsed_together_are_told_apart() -> None:
    texts = ["a", "b; c", "for é in x; do d; done\ne", "# f", "g <<E\nh\nE", "i)", "é | ü"]
    trees = shfmt_oracle.parsed_together(texts)
    names = [None if tree is None else [call[0] for call in shfmt_oracle.calls(tree)] for tree in trees]
    assert names == [["a"], ["b", "c"], ["d", "e"], [], ["g"], None, ["é", "ü"]]
    assert [tree is None for tree in trees] == [shfmt_oracle.parsed(text) is None for text in texts]


def test_a_reading_that_lost_a_command_is_noticed(read: Read) -> None:
    tree = shfmt_oracle.parsed("a 'b c' | d")
    assert tree is not None
    assert shfmt_oracle.missing(tree, read("d")) == ["a", ("a", "b c")]
    assert shfmt_oracle.missing(tree, read("a b | d")) == [("a", "b c")]
    assert shfmt_oracle.surplus(tree, read("a; d; e")) == ["e"]


def test_the_grammar_makes_the_same_texts_for_the_same_seed() -> None:
    first, second, other = (list(islice(shell_grammar.texts(seed), 50)) for seed in (7, 7, 8))
    assert first == second != other


def test_most_of_what_the_grammar_makes_is_read(read: Read) -> None:
    texts = list(islice(shell_grammar.texts(SEED), 500))
    assert sum(read(text).status is ReadingStatus.COMPLETE for text in texts) >= 0.6 * len(texts)
