"""Binding the words of a cmdlet to its parameters: by name, shortened, by position, in lists."""

from __future__ import annotations

import pytest

from phocinae.domain.usage import read
from phocinae.domain.values import ANY, HOLE, HOME, MORE, SPLIT, STAR, VALUE, Field
from phocinae.domain.windows.parameters import cmdlet, drive_of, path, plain

CMDLET = cmdlet("Path:read Value:text -LiteralPath:read -Filter:text -Force -Recurse -Depth:text")


def bound(*words: str) -> tuple[list[tuple[str, str | None]], list[str], list[str], list[str]]:
    """Return the parameters with their values, and what is without a place, unlisted and unclear."""
    found = read(CMDLET, [Field(word) for word in words])
    options = [(option.name, None if value is None else value.text) for option, value in found.options]
    rest = [[field.text for field in fields] for fields in (found.operands, found.unlisted, found.unclear)]
    return options, rest[0], rest[1], rest[2]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["a"], [("-path", "a")]),
        (["a", "b"], [("-path", "a"), ("-value", "b")]),
        (["-Force", "a"], [("-force", None), ("-path", "a")]),
        (["a", "-FORCE"], [("-force", None), ("-path", "a")]),
        (["-fo", "-rec"], [("-force", None), ("-recurse", None)]),
        (["-Path", "a", "b"], [("-path", "a"), ("-value", "b")]),
        (["b", "-Path", "a"], [("-path", "a"), ("-value", "b")]),
        (["-Path:a"], [("-path", "a")]),
        (["-Path:", "a"], [("-path", "a")]),
        (["-Force:False", "a"], [("-path", "a")]),
        (["-Force:True"], [("-force", None)]),
        (["a", MORE + "b"], [("-path", "a"), ("-path", "b")]),
        (["-Filter", "a", MORE + "b", "c"], [("-filter", "a"), ("-filter", "b"), ("-path", "c")]),
        ([VALUE + "-Force"], [("-path", "-Force")]),
        (["-Filter", VALUE + "-Force"], [("-filter", "-Force")]),
        (["-ea", "Stop"], [("-ea", "Stop")]),
        (["*.md"], [("-path", STAR + ".md")]),
        (["~\\a"], [("-path", HOME + "\\a")]),
    ],
)
def test_words_are_bound(words: list[str], options: list[tuple[str, str | None]]) -> None:
    assert bound(*words) == (options, [], [], [])


@pytest.mark.parametrize(
    ("words", "operands", "unlisted", "unclear"),
    [
        (["a", "b", "c"], ["c"], [], []),
        (["-Foo"], [], ["-Foo"], []),
        (["-F"], [], ["-F"], []),
        (["-Depth"], [], ["-Depth"], []),
        (["-Depth", "-Force"], [], ["-Depth"], []),
        ([SPLIT], [], [], [SPLIT]),
    ],
)
def test_what_has_no_place_is_said(
    words: list[str], operands: list[str], unlisted: list[str], unclear: list[str]
) -> None:
    assert bound(*words)[1:] == (operands, unlisted, unclear)


def test_an_unknown_value_is_no_parameter() -> None:
    assert bound(VALUE + HOLE) == ([("-path", HOLE)], [], [], [])


@pytest.mark.parametrize(
    ("text", "drive"),
    [
        ("env:PATH", ("env", "PATH")),
        ("Env:\\X", ("env", "X")),
        ("HKLM:\\Software", ("hklm", "Software")),
        ("Registry::HKEY_USERS\\x", ("hklm", "HKEY_USERS\\x")),
        ("C:\\x", None),
        ("a.txt", None),
        ("https://example.com", None),
    ],
)
def test_drives_of_providers(text: str, drive: tuple[str, str] | None) -> None:
    assert drive_of(Field(text)) == drive


def test_a_path_has_live_wildcards_and_a_home() -> None:
    assert path(Field("~/a?[bc]*")).text == f"{HOME}/a{ANY}{ANY}{STAR}"
    assert path(Field("~a")).text == "~a"


def test_a_program_gets_words_without_marks() -> None:
    assert [plain(Field(text)).text for text in (VALUE + "-a", MORE + VALUE + "b", "c")] == ["-a", "b", "c"]
