"""How the words of a call are read against a description (POSIX XBD 12.2, getopt_long)."""

from __future__ import annotations

import pytest

from phocinae.domain.knowledge import Style, program
from phocinae.domain.usage import Usage, read
from phocinae.domain.values import ANY, HOLE, SPLIT, STAR, Field

SPEC = "-v -q -o:write -n:text --verbose --output:write --color?text --colour -e?text -abc"


def used(words: list[str], style: Style = Style.GNU) -> Usage:
    return read(program(SPEC, "read*", style=style), [Field(word) for word in words])


def shape(usage: Usage) -> tuple[list[tuple[str, str | None]], list[str], list[str], list[str]]:
    return (
        [(option.name, None if value is None else value.text) for option, value in usage.options],
        [field.text for field in usage.operands],
        [field.text for field in usage.unlisted],
        [field.text for field in usage.unclear],
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a", "b"], ([], ["a", "b"], [], [])),
        (["-v", "a"], ([("-v", None)], ["a"], [], [])),
        (["a", "-v"], ([("-v", None)], ["a"], [], [])),
        (["-vq"], ([("-v", None), ("-q", None)], [], [], [])),
        (["-o", "x", "a"], ([("-o", "x")], ["a"], [], [])),
        (["-ox"], ([("-o", "x")], [], [], [])),
        (["-vox", "a"], ([("-v", None), ("-o", "x")], ["a"], [], [])),
        (["-o", "-v"], ([("-o", "-v")], [], [], [])),
        (["-e", "a"], ([("-e", None)], ["a"], [], [])),
        (["-ea"], ([("-e", "a")], [], [], [])),
        (["-abc"], ([("-abc", None)], [], [], [])),
        (["--verbose"], ([("--verbose", None)], [], [], [])),
        (["--output", "x"], ([("--output", "x")], [], [], [])),
        (["--output=x=y"], ([("--output", "x=y")], [], [], [])),
        (["--output="], ([("--output", "")], [], [], [])),
        (["--color", "a"], ([("--color", None)], ["a"], [], [])),
        (["--color=a"], ([("--color", "a")], [], [], [])),
        (["--", "-v", "--x"], ([], ["-v", "--x"], [], [])),
        (["-"], ([], ["-"], [], [])),
        (["-x"], ([], [], ["-x"], [])),
        (["-vx"], ([("-v", None)], [], ["-vx"], [])),
        (["--unknown"], ([], [], ["--unknown"], [])),
        (["--verb"], ([("--verbose", None)], [], ["--verb"], [])),
        (["--colo"], ([], [], ["--colo"], [])),
        (["--verbose=x"], ([("--verbose", "x")], [], ["--verbose=x"], [])),
        (["-o"], ([], [], ["-o"], [])),
        (["--output"], ([], [], ["--output"], [])),
    ],
)
def test_options_and_operands(
    words: list[str], expected: tuple[list[tuple[str, str | None]], list[str], list[str], list[str]]
) -> None:
    assert shape(used(words)) == expected


@pytest.mark.parametrize(
    ("words", "unclear"),
    [
        ([HOLE], [HOLE]),
        ([SPLIT], [SPLIT]),
        ([STAR], [STAR]),
        ([f"./{HOLE}"], []),
        ([f"./{SPLIT}"], [f"./{SPLIT}"]),
        (["--", HOLE], []),
        (["-n", HOLE], []),
        (["-n", SPLIT], [SPLIT]),
        ([f"-n{SPLIT}"], [SPLIT]),
        ([f"--output={SPLIT}"], [SPLIT]),
        ([f"--output={HOLE}"], []),
        (["-n", STAR], []),
    ],
)
def test_unknown_words_may_be_options(words: list[str], unclear: list[str]) -> None:
    assert shape(used(words))[3] == unclear


def test_the_first_operand_ends_the_options_of_a_posix_program() -> None:
    assert shape(used(["-v", "a", "-q", HOLE], Style.POSIX)) == ([("-v", None)], ["a", "-q", HOLE], [], [])
    assert shape(used(["-n", f"a{STAR}", "b"], Style.POSIX))[3] == [f"a{STAR}"]
    assert shape(used(["-n", f"a{ANY}"], Style.POSIX))[3] == [f"a{ANY}"]


def test_a_long_style_has_no_bundles() -> None:
    usage = read(
        program("-name:text -v", "text*", style=Style.LONG), [Field(word) for word in ["-name=a", "--v", "-vv"]]
    )
    assert shape(usage) == ([("-name", "a"), ("-v", None)], [], ["-vv"], [])


def test_without_a_style_every_word_is_an_operand() -> None:
    assert shape(used(["-v", "--", SPLIT], Style.NONE)) == ([], ["-v", "--", SPLIT], [], [])


def test_options_can_be_asked_for() -> None:
    usage = used(["-o", "x", "-v", "--output=y", "-oz"])
    assert usage.has("-v", "-q")
    assert not usage.has("-q", "--verbose")
    assert [field.text for field in usage.values("-o", "--output")] == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("word", "unlisted"),
    [
        ("--verb", []),
        ("--outp=x", []),
        ("--colo", ["--colo"]),  # two options start so
        ("--verb=x", ["--verb=x"]),
        ("--outp", ["--outp"]),  # the word behind it may be its argument
        ("--nothing", ["--nothing"]),
        ("--", []),
    ],
)
def test_an_abbreviation_counts_as_listed_where_all_options_are_harmless(word: str, unlisted: list[str]) -> None:
    known = program(SPEC.replace("--colour", "--colourful"), "read*", safe_options=True)
    assert [field.text for field in read(known, [Field(word), Field("a")]).unlisted] == unlisted
