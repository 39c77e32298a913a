from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word

Script = Callable[[str], Node]
Whys = Callable[[str], set[str]]


def literal(text: str, start: int) -> Word:
    return Word((Part(kind=PartKind.LITERAL, text=text),), start, start + len(text))


def literals(text: str) -> tuple[Word, ...]:
    """Return the words of a text whose words are divided by single blanks."""
    words, at = [], 0
    for piece in text.split(" "):
        words.append(literal(piece, at))
        at += len(piece) + 1
    return tuple(words)


def quoted(text: str, start: int, end: int) -> Word:
    return Word((Part(kind=PartKind.LITERAL, text=text, quoted=True),), start, end)


def output(name: str, start: int, end: int) -> Word:
    script = Command((), (literal(name, end - 2),), (), end - 2, end - 1)
    return Word((Part(kind=PartKind.COMMAND, script=script),), start, end)


@pytest.mark.parametrize(
    "text",
    [
        "[ a ]",
        "[ -f a ]",
        "[ ! a ]",
        "[ a = b ]",
        "[ a == b ]",
        "[ a != b ]",
        "[ 1 -lt 2 ]",
        "[ a -ot b ]",
        "[ a == b -a ! -d c ]",
        "[ a =~ b ]",
        "[ a + b ]",
        "test a = b",
    ],
)
def test_single_brackets_are_a_simple_command(script: Script, text: str) -> None:
    assert script(text) == Command((), literals(text), (), 0, len(text))


def test_single_brackets_with_expansions(script: Script) -> None:
    variable = Word((Part(kind=PartKind.PARAMETER, text="x", quoted=True),), 5, 9)
    assert script('[ -n "$x" ]') == Command(
        (), (literal("[", 0), literal("-n", 2), variable, literal("]", 10)), (), 0, 11
    )
    assert script("[ $(a) ]") == Command((), (literal("[", 0), output("a", 2, 6), literal("]", 7)), (), 0, 8)


@pytest.mark.parametrize("operator", ["<", ">"])
def test_an_unquoted_angle_bracket_in_single_brackets_redirects(script: Script, operator: str) -> None:
    redirection = Redirection(operator=operator, target=literal("f", 6), start=4, end=7)
    words = (literal("[", 0), literal("a", 2), literal("]", 8))
    assert script(f"[ a {operator} f ]") == Command((), words, (redirection,), 0, 9)


def test_a_redirection_behind_single_brackets(script: Script) -> None:
    redirection = Redirection(operator=">", target=literal("f", 7), start=6, end=8)
    assert script("[ a ] >f") == Command((), literals("[ a ]"), (redirection,), 0, 8)


DOUBLE = {
    "[[ a ]]": [literal("a", 3)],
    "[[ -f a && ! -d b ]]": [*map(literal, ["-f", "a", "&&", "!", "-d", "b"], [3, 6, 8, 11, 13, 16])],
    "[[ a == b* ]]": [
        literal("a", 3),
        literal("==", 5),
        Word((Part(kind=PartKind.LITERAL, text="b"), Part(kind=PartKind.GLOB, text="*")), 8, 10),
    ],
    "[[ a =~ ^(b|c)$ ]]": [literal("a", 3), literal("=~", 5), quoted("^(b|c)$", 8, 15)],
    '[[ a =~ "b|c" ]]': [literal("a", 3), literal("=~", 5), quoted("b|c", 8, 13)],
    "[[ a =~ b\\|c ]]": [literal("a", 3), literal("=~", 5), quoted("b\\|c", 8, 12)],
    "[[ a -eq 1 || -f b ]]": [*map(literal, ["a", "-eq", "1", "||", "-f", "b"], [3, 5, 9, 11, 14, 17])],
    "[[ ( a ) ]]": [*map(literal, ["(", "a", ")"], [3, 5, 7])],
    "[[ a &&\n-f b ]]": [*map(literal, ["a", "&&", "-f", "b"], [3, 5, 8, 11])],
    "[[ a \\\n== b ]]": [*map(literal, ["a", "==", "b"], [3, 7, 10])],
    "[[ $(a) == `b` ]]": [
        output("a", 3, 7),
        literal("==", 8),
        Word((Part(kind=PartKind.COMMAND, script=Command((), (literal("b", 12),), (), 12, 13)),), 11, 14),
    ],
}


@pytest.mark.parametrize("text", DOUBLE)
def test_double_brackets_are_words_in_order(script: Script, text: str) -> None:
    assert script(text) == Compound(kind=Kind.TEST, words=tuple(DOUBLE[text]), start=0, end=len(text))


def test_a_negated_condition(script: Script) -> None:
    assert script("! [[ a ]]") == Compound(kind=Kind.TEST, words=(literal("a", 5),), start=2, end=9)
    words = tuple(map(literal, ["a", "&&", "-f", "b"], [5, 7, 10, 13]))
    assert script("! [[ a && -f b ]]") == Compound(kind=Kind.TEST, words=words, start=2, end=17)


ILL_FORMED = "a condition that is not well-formed"
ENDS = "a shell without [[ ends a command here"
STARTS = "a shell without [[ starts a command here"
LINES = "a condition of several lines"

GAPS = {
    **dict.fromkeys(
        [
            *("[[ a -x b ]]", "[[ a -a b ]]", "[[ a -foo b ]]", "[[ a == b == c ]]", "[[ a == ! ]]"),
            *("[[ -f ]]", "[[ -f a -f b ]]", "[[ -f a == b ]]", "[[ ! -f ]]", "[[ -eq ]]", "[[ == ]]", "[[ -ff a ]]"),
            *("[[ -f == a ]]", "[[ a && -f ]]", "[[ ( -f ) ]]", "[[ a && ! b -d c ]]", "$([[ a -o b ]])"),
        ],
        ILL_FORMED,
    ),
    **dict.fromkeys(
        ["[[ a = (b) ]]", "[[ a !=   (b)  ]]"],
        ILL_FORMED,
    ),
    "[-f a ]": "a bracket that belongs to a word",
    "[[-f a || -d b ]]": "a bracket that belongs to a word",
    "[[\\\n-f a ]]": "a bracket that belongs to a word",
    "[[ a =~ ^(b|c$ && -e d ]]": "brackets in a pattern that do not pair",
    "[[ a =~ #b ]]": "a comment that the parser took for a pattern",
    '[[ a =~ b"$ ]]': "a quote in a pattern that has no partner",
    "[ a | b ]": "| inside a condition",
    "[ a & b ]": "& inside a condition",
    "[ a && b ]": "&& inside a condition",
    "[ a || b ]": "|| inside a condition",
    "[ a >> f ]": ">> inside a condition",
    "[ a >= f ]": ">= inside a condition",
    "[ a 2>f ]": "redirected_statement inside a condition",
    "[ a >& f ]": "redirected_statement inside a condition",
    "[ a > f b ]": "redirected_statement inside a condition",
    "[ a -a\nb ]": LINES,
    "[ a\n-a b ]": LINES,
    "[[ a ==\nb ]]": LINES,
    "[[ a\n== b ]]": LINES,
    "[[ a | b ]]": "| inside a condition",
    "[[ a < b ]]": "a shell without [[ redirects here",
    "[[ a > b ]]": "a shell without [[ redirects here",
    "[[ a || b ]]": STARTS,
    "[[ a || ! -f b && c ]]": STARTS,
    "[[ a || $(b) ]]": STARTS,
    "! [[ a && b ]]": STARTS,
    "! [[ a && ! -f b ]]": STARTS,
    "if ! [[ a && b ]]; then :; fi": STARTS,
    "[[ a =~ b|c ]]": ENDS,
    "[[ a =~ b&c ]]": ENDS,
    "[[ a =~ b\\(|c ]]": ENDS,
    "[[ a =~ x`b`y ]]": "an expansion inside a pattern",
    "[[ a == x$(b) ]]": "a word that the parser split",
    "[[ a =b ]]": "a word that the parser split",
    "[[ a !=b ]]": "a word that the parser split",
    "[[ a =~b ]]": "a word that the parser split",
    "[[ a =~$b ]]": "a word that the parser split",
}


@pytest.mark.parametrize("text", GAPS)
def test_what_ends_a_condition_in_some_shell_is_a_gap(whys: Whys, text: str) -> None:
    assert GAPS[text] in whys(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[[ -f a && b ]]",
            "[[ ! ! a ]]",
            "[[ ( a && ! ( b -nt c ) ) ]]",
            "[[ -n -f ]]",
            "[[ a == -f ]]",
            "[[ -foo ]]",
        ),
        *("[[ a -ef b && c != d ]]", "[[ -v a ]]", "[[ $a -le $b ]]", "[[ (a) && (b) ]]", "[[ a =~ (b c) ]]"),
    ],
)
def test_a_condition_is_operators_with_their_operands(script: Script, text: str) -> None:
    assert isinstance(script(text), Compound)


@pytest.mark.parametrize("text", ["[ a\nb ]", "[ a; b ]", "[[ a\nb ]]", "[[ a; b ]]"])
def test_what_does_not_parse(read: Callable[[str], object], text: str) -> None:
    assert getattr(read(text), "script", "missing") is None
