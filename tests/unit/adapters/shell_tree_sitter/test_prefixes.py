from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import prefixes
from phocinae.domain.shell import Command, Compound, Kind, Node, Part, PartKind, Reading, Word
from phocinae.domain.verdict import ReadingStatus

Read = Callable[[str], Reading]


def command(text: str, start: int) -> Command:
    end = start + len(text)
    return Command((), (Word((Part(kind=PartKind.LITERAL, text=text),), start, end),), (), start, end)


def compound(kind: Kind, start: int, end: int, *parts: Node, name: str = "") -> Compound:
    return Compound(kind=kind, parts=parts, name=name, start=start, end=end)


def group(start: int, end: int, *parts: Node) -> Compound:
    return compound(Kind.GROUP, start, end, *parts)


SCRIPTS = {
    "coproc a": compound(Kind.COPROC, 0, 8, command("a", 7), name="COPROC"),
    "coproc { a; }": compound(Kind.COPROC, 0, 13, group(7, 13, command("a", 9)), name="COPROC"),
    "coproc N { a; }": compound(Kind.COPROC, 0, 15, group(9, 15, command("a", 11)), name="N"),
    "coproc N (a)": compound(Kind.COPROC, 0, 12, compound(Kind.SUBSHELL, 9, 12, command("a", 10)), name="N"),
    "coproc a | b": compound(
        Kind.PIPELINE, 7, 12, compound(Kind.COPROC, 0, 8, command("a", 7), name="COPROC"), command("b", 11)
    ),
    "time { a; }": compound(Kind.LIST, 0, 11, command("time", 0), group(5, 11, command("a", 7))),
    "! { a; }": group(2, 8, command("a", 4)),
    "! while a; do b; done": compound(Kind.WHILE, 2, 21, command("a", 8), command("b", 14)),
}


@pytest.mark.parametrize("text", SCRIPTS)
def test_a_reserved_word_in_front_of_a_command(read: Read, text: str) -> None:
    reading = read(text)
    assert (reading.script, reading.gaps) == (SCRIPTS[text], ())
    assert bool(reading.differences) is not text.startswith("!")


@pytest.mark.parametrize(
    "text",
    [
        "$(coproc cnry)",
        "`coproc cnry`",
        "if time { cnry; }; then a; fi",
        "{ ! while cnry; do a; done; }",
        "coproc while cnry; do a; done",
        "coproc a $(coproc cnry)",
        "A=1\ncoproc cnry",
        "time { a; } | cnry",
        "coproc cnry >f 2>&1",
    ],
)
def test_a_program_behind_it_is_shown_wherever_it_stands(
    read: Read, shown: Callable[[Reading], set[str]], text: str
) -> None:
    reading = read(text)
    assert reading.status is ReadingStatus.COMPLETE
    assert "cnry" in shown(reading)


@pytest.mark.parametrize("text", ["echo '; coproc a'", 'echo "; time { a; }"', "echo do time { a", "# x\n: ! {"])
def test_a_text_that_looks_like_one_is_left_as_it_is(script: Callable[[str], Node], text: str) -> None:
    assert isinstance(script(text), Command)


@pytest.mark.parametrize("text", ["a \\; coproc b", "a '\n'; coproc b '; coproc c'", "coproc", "time time { a; }"])
def test_nothing_is_taken_out_in_doubt(read: Read, text: str) -> None:
    reading = read(text)
    assert reading.gaps or reading.script is None or isinstance(reading.script, Command)


def test_what_is_taken_out_leaves_blanks_and_a_name() -> None:
    assert prefixes.take_out(b"a; coproc N { b; }") == (b"a;          { b; }", {12: prefixes.Prefix("coproc", 3, "N")})
    assert prefixes.take_out(b"a coproc b") == (b"a coproc b", {})
