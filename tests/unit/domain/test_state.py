from __future__ import annotations

import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.shell import Command, Gap, Reading
from phocinae.domain.state import commands_in, in_json, without_comments
from phocinae.domain.verdict import ReadingStatus

ANY = st.recursive(
    st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)


@given(ANY)
def test_json_is_one_line_in_which_everything_is_visible(value: object) -> None:
    text = in_json(value)
    assert text.isprintable()
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('a"b\\', '"a\\"b\\\\"'),
        ("ä你\u202e\u200b", '"ä你\\u202e\\u200b"'),
        ("\x7f\x85\u2028", '"\\u007f\\u0085\\u2028"'),
        ("\U000e0074\udc80", '"\\udb40\\udc74\\udc80"'),
        ("\u3164\ufe0f\U000e0101", '"\\u3164\\ufe0f\\udb40\\udd01"'),
    ],
)
def test_letters_stay_and_what_shows_nothing_is_escaped(text: str, written: str) -> None:
    assert in_json(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a<eos><bos>b", '"a\\u003ceos>\\u003cbos>b"'),
        ("\\</s><|im_end|>", '"\\\\\\u003c/s>\\u003c|im_end|>"'),
        ("[SEP] [@BOS@] rm\u2581x", '"\\u005bSEP] \\u005b@BOS@] rm\\u2581x"'),
        ("sort <in >out <<END [A-Z] [a] a[0] 2>&1", '"sort <in >out <<END [A-Z] [a] a[0] 2>&1"'),
    ],
)
def test_no_text_holds_a_mark_of_a_tokenizer(text: str, written: str) -> None:
    assert in_json(text) == written
    assert in_json([[text]]) == f"[[{written}]]"


READ = Reading(ReadingStatus.COMPLETE, Command((), (), (), 0, 5), comments=((4, 6), (8, 10)))


def test_comments_are_taken_out() -> None:
    assert without_comments("frob#x\ny#z", READ) == ("frob\ny", True)
    assert without_comments("frob#x\ny#z", evolve(READ, comments=())) == ("frob#x\ny#z", True)


@pytest.mark.parametrize(
    "reading",
    [
        evolve(READ, status=ReadingStatus.UNKNOWN),
        evolve(READ, differences=(Gap(0, 1, "x"),)),
        evolve(READ, comments=((0, 3),)),
        evolve(READ, comments=((4, 4),)),
        evolve(READ, comments=((4, 9),)),
    ],
)
def test_nothing_is_taken_out_where_there_is_a_doubt(reading: Reading) -> None:
    assert without_comments("frob#x\ny#z", reading) == ("frob#x\ny#z", False)


def test_what_cannot_be_taken_out_is_told_beside_what_can() -> None:
    assert without_comments("frob#x\ny#z", evolve(READ, comments=((4, 6), (8, 8)))) == ("frob\ny#z", False)


def test_a_text_that_was_not_read_has_no_commands() -> None:
    assert commands_in(Reading(ReadingStatus.REFUSED)) == "[]"
