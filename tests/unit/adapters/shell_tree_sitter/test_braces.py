from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import braces
from phocinae.domain.shell import Part, PartKind


def unquoted(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text)


def quoted(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=True)


def words(text: str) -> list[str]:
    return ["".join(part.text for part in word) for word in braces.expand([unquoted(text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", "ab"),
        ("{a,b}", "a b"),
        ("x{a,b}y", "xay xby"),
        ("{a,b}{c,d}", "ac ad bc bd"),
        ("{{a,b},c}", "a b c"),
        ("{a,{b,{c,d}}}", "a b c d"),
        ("{a,b},c", "a,c b,c"),
        ("{a,b}}", "a} b}"),
        ("{a}{b,c}", "{a}b {a}c"),
        ("{},{a,b}", "{},a {},b"),
        ("{a,{b,c}", "{a,b {a,c"),
        ("{1..3}", "1 2 3"),
        ("{3..1}", "3 2 1"),
        ("{-1..1}", "-1 0 1"),
        ("{0..10..5}", "0 5 10"),
        ("{01..3}", "01 02 03"),
        ("{-01..1}", "-01 000 001"),
        ("{8..10}", "8 9 10"),
        ("{a..c}", "a b c"),
        ("{C..A}", "C B A"),
        ("{1..3,x}", "1..3 x"),
    ],
)
def test_what_shells_with_braces_agree_on(text: str, expected: str) -> None:
    assert words(text) == expected.split(" ")


def test_an_empty_alternative_is_an_empty_word() -> None:
    assert words("{,x}") == ["", "x"]
    assert words("file{,.bak}") == ["file", "file.bak"]


@pytest.mark.parametrize("text", ["{", "}", "{}", "{a}", "{a", "a}", "{a..", "{a..}", "{ab..cd}", "{1...3}"])
def test_braces_that_stand_for_themselves(text: str) -> None:
    assert words(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "{a..C}",
        "{A..c}",
        "{1..a}",
        "{a..1}",
        "{a..e..2}",
        "{1..3..0}",
        "{1..3..-1}",
        "{1..2..}",
        "{..3}",
        "{-..1}",
        "{é..z}",
    ],
)
def test_ranges_that_shells_read_differently(text: str) -> None:
    with pytest.raises(braces.Unclear):
        words(text)


def test_a_range_with_a_quoted_end_is_unclear() -> None:
    with pytest.raises(braces.Unclear):
        braces.expand([unquoted("{"), quoted(";"), unquoted("..C}")])


@pytest.mark.parametrize("text", ["{1..65}", "{1..999999999}", "{a,b}" * 7, "{" * 17 + "a", "a" * 401 + "{"])
def test_too_much_is_unclear_and_not_slow(text: str) -> None:
    with pytest.raises(braces.Unclear):
        words(text)


def test_the_most_that_is_kept() -> None:
    assert len(words("{1..64}")) == len(words("{a,b}" * 6)) == braces.MOST


def test_quoted_text_and_expansions_are_carried_along() -> None:
    home = Part(kind=PartKind.PARAMETER, text="x")
    assert braces.expand([unquoted("{a"), quoted(",{"), unquoted(","), home, unquoted("}/f")]) == [
        (unquoted("a"), quoted(",{"), unquoted("/f")),
        (home, unquoted("/f")),
    ]
    assert braces.expand([quoted("{a,b}")]) == [(quoted("{a,b}"),)]


@given(st.text(alphabet="ab,.{}19-é", max_size=30))
def test_every_text_has_words_or_is_unclear(text: str) -> None:
    try:
        found = words(text)
    except braces.Unclear:
        return
    assert 1 <= len(found) <= braces.MOST
    if "{" not in text:
        assert found == [text]
