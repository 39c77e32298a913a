from __future__ import annotations

import io
import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.cli.output import complain, explained, human, json_line, say, visible, word
from phocinae.domain.parts import PartVerdict, parts
from phocinae.domain.verdict import Decision, Hit, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.errors import InvalidRequest

HOSTILE = {
    "\x1b[2J": "\\x1b[2J",
    "a\nb\rc\td": "a\\nb\\rc\\td",
    "\u202egpj.exe": "\\u202egpj.exe",
    "\u2066x\u2069": "\\u2066x\\u2069",
    "a\u200bb\u200d\ufeff": "a\\u200bb\\u200d\\ufeff",
    "\u3164\u115f\u2800\ufe0f\U000e0100\U000e0041": "\\u3164\\u115f\\u2800\\ufe0f\\U000e0100\\U000e0041",
    "\u00a0\u2003\u2028": "\\xa0\\u2003\\u2028",
    "\udcff": "\\udcff",
    "\0\x7f\x9b": "\\x00\\x7f\\x9b",
}


@pytest.mark.parametrize(("text", "shown"), list(HOSTILE.items()))
def test_hostile_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["git status", "größe 統合 😀 e\u0301", "```"])
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_nothing_that_controls_or_hides_is_left(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for sign in shown)
    assert "\u3164" not in shown


def hit(start: int, end: int, rule: str = "r", remedy: str = "", weight: Weight = Weight.DENY) -> Hit:
    return Hit(rule=rule, weight=weight, reason="why", start=start, end=end, remedy=remedy)


def verdict(*hits: Hit, error: str = "") -> Verdict:
    return Verdict(
        decision=Decision.DENY,
        layer=Layer.L0,
        reason="It is bad.",
        hits=hits,
        reading=ReadingStatus.COMPLETE,
        policy="ab",
        error=error,
    )


def test_human_text_is_decision_reason_and_what_to_do() -> None:
    answer = verdict(
        hit(0, 1, remedy="ls\x1b"), hit(1, 2, remedy="ls\x1b"), hit(2, 3, remedy="pwd"), error="not recorded"
    )
    assert human(answer) == "deny: It is bad.\n  instead: ls\\x1b\n  instead: pwd\n  error: not recorded\n"
    assert human(Undecided(reason="Who\nknows?", ceiling=Decision.ASK)) == "undecided: Who\\nknows?\n"


def test_the_word_of_an_answer() -> None:
    assert word(verdict()) == "deny"
    assert word(Undecided(reason="", ceiling=Decision.ASK)) == "undecided"


def test_json_is_one_ascii_line_with_the_exact_text() -> None:
    text = "a\nb\u202e\udcff😀"
    line = json_line({"reason": text})
    assert line.isascii()
    assert line.index("\n") == len(line) - 1
    assert json.loads(line) == {"reason": text}


def body(command: str, *hits: Hit) -> list[str]:
    return explained(command, verdict(*hits)).splitlines()[3:]


def parted(command: str, *hits: Hit) -> list[str]:
    """Return the explanation of a command with its parts, without the head."""
    found = parts(TreeSitterReader().read(command).script, hits)
    return explained(command, verdict(*hits), found).splitlines()[3:]


def test_every_part_has_carets_and_a_verdict_and_its_hits_below_it() -> None:
    assert parted("ls && rm -rf / ; foo", hit(13, 14, "d", remedy="pwd"), hit(17, 20, "u", weight=Weight.UNSURE)) == [
        "  1 | ls && rm -rf / ; foo",
        "    | ^^ allow",
        "    |       ^^^^^^^^ deny",
        "    |              ^ d: why",
        "    |                instead: pwd",
        "    |                  ^^^ undecided",
        "    |                  ^^^ u: why",
    ]


def test_a_part_that_only_a_person_may_allow_says_ask() -> None:
    assert parted("cat .env", hit(4, 8, weight=Weight.PERSON))[1] == "    | ^^^^^^^^ ask"


def test_a_hit_stands_below_the_innermost_part() -> None:
    assert parted("echo $(rm /) x", hit(10, 11), hit(13, 14, "s", weight=Weight.UNSURE)) == [
        "  1 | echo $(rm /) x",
        "    | ^^^^^^^^^^^^^^ deny",
        "    |              ^ s: why",
        "    |        ^^^^ deny",
        "    |           ^ r: why",
    ]


def test_a_long_text_shows_no_lines_that_are_harmless() -> None:
    assert parted("ls\n" * 50 + "rm /\n" + "ls\n" * 50, hit(153, 154))[1:-1] == [
        "   51 | rm /",
        "      | ^^^^ deny",
        "      |    ^ r: why",
    ]


def test_a_text_of_very_many_parts_is_explained_line_by_line() -> None:
    text = "a\n" * 10_000
    found = [PartVerdict(place, place + 1, "allow") for place in range(0, len(text), 2)]
    hits = [hit(place, place + 1, weight=Weight.NOTE) for place in range(0, len(text), 200)]
    assert len(explained(text, verdict(*hits), found).splitlines()[3:]) == 100 * len(["a", "^ allow", "^ r: why", "…"])


def test_explanation_begins_with_the_answer_and_the_facts() -> None:
    assert explained("x", verdict()).splitlines() == [
        "deny: It is bad.",
        "  layer L0, reading complete, ceiling allow, policy ab",
        "",
        "  1 | x",
    ]


def test_carets_stand_under_the_span() -> None:
    assert body("ls && rm -rf /", hit(6, 14), hit(0, 2, "s")) == [
        "  1 | ls && rm -rf /",
        "    |       ^^^^^^^^ r: why",
        "    | ^^ s: why",
    ]


def test_carets_count_columns_of_wide_and_escaped_characters() -> None:
    assert body("統合\x1b e\u0301 rm", hit(7, 9, "rm"), hit(0, 2, "wide"), hit(2, 3, "esc"), hit(4, 6, "acute")) == [
        "  1 | 統合\\x1b e\u0301 rm",
        "    |            ^^ rm: why",
        "    | ^^^^ wide: why",
        "    |     ^^^^ esc: why",
        "    |          ^ acute: why",
    ]


def test_a_span_over_lines_is_marked_on_each_and_named_at_its_end() -> None:
    assert body("a <<E\nrm -rf /\nE\nls", hit(2, 16)) == [
        "  1 | a <<E",
        "    |   ^^^",
        "  2 | rm -rf /",
        "    | ^^^^^^^^",
        "  3 | E",
        "    | ^ r: why",
        "  4 | ls",
    ]


def test_hits_without_a_place_in_the_text_are_listed() -> None:
    assert body("ls", hit(0, 0, "whole"), hit(1, 99, "past")) == ["  1 | ls", "    - whole: why", "    - past: why"]


def test_long_lines_are_shown_around_the_first_hit() -> None:
    rows = body("x" * 500 + "rm" + "y" * 500, hit(500, 502))
    assert rows == ["  1 | …" + "x" * 16 + "rm" + "y" * 78 + "…", "    | " + " " * 17 + "^^ r: why"]


def test_of_many_lines_those_with_a_hit_are_shown() -> None:
    rows = body("\n".join(f"line {number}" for number in range(100)), hit(0, 4))
    assert rows == ["    1 | line 0", "      | ^^^^ r: why", "    …"]


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(-2, 45), st.integers(-2, 45)), max_size=4))
def test_any_text_and_any_spans_can_be_explained(command: str, spans: list[tuple[int, int]]) -> None:
    text = explained(command, verdict(*(hit(*span) for span in spans)))
    for line in text.splitlines():
        assert visible(line) == line
    assert text.count("why") == len(spans)


def test_output_that_cannot_encode_a_character_escapes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", newline="\n"))
    say("統 ok\n")
    assert raw.getvalue() == b"\\u7d71 ok\n"


def test_output_that_is_closed_or_full_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InvalidRequest, match="closed"):
        say("x")
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(InvalidRequest, match="No space left"):
            say("x")


def test_complaints_are_one_line_and_never_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    complain("a\nb\x1b")
    assert capsys.readouterr().err == "phocinae: a\\nb\\x1b\n"
    for stream in (None, io.TextIOWrapper(io.BytesIO())):
        if stream is not None:
            stream.close()
        monkeypatch.setattr(sys, "stderr", stream)
        complain("x")
