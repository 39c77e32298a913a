"""What a program of awk is read to do, and that no text makes the reader fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.programs import awk_program

HARMLESS = [
    "{print $1}",
    "NR>=3 && NR<=9",
    "$3>10",
    "/a|b/",
    "{print (1 > 2)}",
    "{x = 4 / 2; y = 6 / 3}",
    '{sub(/[^/]*$/, ""); print}',
    '{n = split($0, a, /[/@]/); print a[n] / 2, "a/b"}',
    "function f(x) { return x * 2 } { print f($1) }",
    "{ if (a > b) print; else if (c > d) next }",
    "{ while ((getline line) > 0) n++ } END { print n }",
    'BEGIN { printf "%s\\n", "x > y | z" }',
    "{print; a = b > c}",
    '{print "x" > "/dev/stderr"; y = 2 > 1}',
]


@pytest.mark.parametrize("program", HARMLESS)
def test_harmless_programs_have_no_effects(program: str) -> None:
    effects = awk_program.read(program)
    assert effects is not None
    assert not any([effects.runs, effects.odd, effects.environment, effects.reads, effects.writes_others])
    assert set(effects.writes) <= {"/dev/stderr"}


@pytest.mark.parametrize("program", HARMLESS)
@pytest.mark.parametrize("more", ['BEGIN { system("id") }', 'END { "id" | getline x }', '{ print | "sh" }'])
def test_a_command_behind_any_program_is_seen(program: str, more: str) -> None:
    effects = awk_program.read(f"{program}\n{more}")
    assert effects is not None
    assert effects.runs


@pytest.mark.parametrize(
    ("program", "writes"),
    [
        ('{print > "out"}', ["out"]),
        ('{print $1, $2 >> "out"}', ["out"]),
        ('{print $1,\n\n$2 > "out"}', ["out"]),
        ('{print a ||\nb > "out"}', ["out"]),
        ('{printf("%s", $1) > "out"}', ["out"]),
        ('{print (1 > 2), 3 > "out"; x = 2 > 1}', ["out"]),
        ('{if (1 > 2) print 3 > "out"}', ["out"]),
    ],
)
def test_a_greater_sign_within_print_writes(program: str, writes: list[str]) -> None:
    effects = awk_program.read(program)
    assert effects is not None
    assert effects.writes == writes


@pytest.mark.parametrize("program", ["{print > $1}", '{print > "a" "b"}', '{print > ("a" x)}', "{getline x < f}"])
def test_files_that_are_not_literals_are_known_to_be_there(program: str) -> None:
    effects = awk_program.read(program)
    assert effects is not None
    assert effects.writes_others


@pytest.mark.parametrize(
    "program",
    [
        'BEGIN { if (1) /"/; system("id") #"/\n}',
        'BEGIN { x = length /"/; system("id") #"/\n}',
        '{ x = /[/"]/; system("id") #"/\n}',
        '{ x = /[[]/"/]/; system("id") #"]/\n}',
    ],
)
def test_a_slash_hides_nothing_where_implementations_disagree(program: str) -> None:
    effects = awk_program.read(program)
    assert effects is None or effects.runs


@pytest.mark.parametrize(
    "program", ['@load "x"', '{ @f("id") }', "{print", '{print "}', "{print]}", "{`}", "x" * 7_000]
)
def test_what_cannot_be_read_is_not_harmless(program: str) -> None:
    assert awk_program.read(program) is None


@given(st.text(alphabet='{}()[]/\\"|<>=+-~!;,$ \n#@axif1', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    effects = awk_program.read(text)
    assert effects is None or isinstance(effects, awk_program.Effects)


@given(st.text(alphabet="{}()[]/|<>=+-~!;,$ \nif1", max_size=40))
def test_no_text_without_quotes_hides_a_pipe_on_its_own_line(text: str) -> None:
    """Neither a regular expression nor a division goes over the end of a line."""
    effects = awk_program.read(f"{text}\n; x | y")
    assert effects is None or effects.runs
