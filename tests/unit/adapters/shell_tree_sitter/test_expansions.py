from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import expansions
from phocinae.domain.shell import EVALUATED, Command, Part, PartKind, Word

Words = Callable[[str], tuple[Word, ...]]
Whys = Callable[[str], set[str]]

UNKNOWN_FORM = "an expansion of a form that is not known"
ZSH = "zsh reads a subscript or a length here"


def literal(text: str, *, quoted: bool = False) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=quoted)


def parameter(name: str, operator: str = "", *words: Word, quoted: bool = False) -> Part:
    return Part(kind=PartKind.PARAMETER, text=name, operator=operator, words=words, quoted=quoted)


def output(name: str, start: int) -> Part:
    word = Word((literal(name),), start, start + 1)
    return Part(kind=PartKind.COMMAND, script=Command((), (word,), (), start, start + 1))


def sum_of(part: Part) -> Part:
    return Part(kind=PartKind.ARITHMETIC, text="1 + $(a)", words=(Word((part,), 11, 15),))


PARTS = {
    "$x": [parameter("x")],
    "$_a1": [parameter("_a1")],
    "$1": [parameter("1")],
    "$?": [parameter("?")],
    "$$x": [parameter("$"), literal("x")],
    "$-": [parameter("-")],
    '"$@"': [parameter("@", quoted=True)],
    "$*": [parameter("*")],
    "${x}": [parameter("x")],
    "${10}": [parameter("10")],
    "${x}y": [parameter("x"), literal("y")],
    "${x[1]}": [parameter("x", "[1]")],
    "${x[@]}": [parameter("x", "[@]")],
    "${x:-}": [parameter("x", ":-")],
    "${x:-b}": [parameter("x", ":-", Word((literal("b"),), 5, 6))],
    "${x-a b}": [parameter("x", "-", Word((literal("a"), literal(" b")), 4, 7))],
    "${x:=$y}": [parameter("x", ":=", Word((parameter("y"),), 5, 7))],
    "${x:+$(b)}": [parameter("x", ":+", Word((output("b", 7),), 5, 9))],
    "${x:-a'b c'}": [parameter("x", ":-", Word((literal("a"), literal("b c", quoted=True)), 5, 11))],
    "${x:-~}": [parameter("x", ":-", Word((Part(kind=PartKind.TILDE),), 5, 6))],
    "${x:-*}": [parameter("x", ":-", Word((Part(kind=PartKind.GLOB, text="*"),), 5, 6))],
    '"${x:-~u}"': [parameter("x", ":-", Word((literal("~u", quoted=True),), 6, 8), quoted=True)],
    '"${x:-*}"': [parameter("x", ":-", Word((literal("*", quoted=True),), 6, 7), quoted=True)],
    '"${x:-"a"}"': [parameter("x", ":-", Word((literal("a", quoted=True),), 6, 9), quoted=True)],
    "${x#*/}": [parameter("x", "#*/")],
    "${x/a/$y}": [parameter("x", "/", Word((parameter("y"),), 6, 8))],
    "\"${x%'.c'}\"": [parameter("x", "%", quoted=True)],
    "\"${x//:/$'\\n'}\"": [parameter("x", "/", quoted=True)],
    "${x//'\"'/}": [parameter("x", "/")],
    "${x/'a b'/c}": [parameter("x", "/")],
    '${x/"a b"/c}': [parameter("x", "/", Word((literal("a b", quoted=True),), 4, 9))],
    "${x^^}": [parameter("x", "^^")],
    "${x~}": [parameter("x", "~")],
    "${x~~}": [parameter("x", "~~")],
    "${x:1:2}": [parameter("x", ":1:2")],
    "${x: -1}": [parameter("x", ": -1")],
    "${x@Q}": [parameter("x", "@Q")],
    "${!x*}": [parameter("x", "!")],
    "${!x@}": [parameter("x", "!")],
    "${!x[@]}": [parameter("x", "!")],
    "${!x}": [parameter("x", EVALUATED)],
    "${!1}": [parameter("1", EVALUATED)],
    "${x@P}": [parameter("x", EVALUATED)],
    "${x[i]}": [parameter("x", EVALUATED)],
    "${x[$y]:-z}": [parameter("x", EVALUATED, Word((parameter("y"),), 4, 6))],
    "${x[$(a)]}": [parameter("x", EVALUATED, Word((output("a", 6),), 4, 8))],
    "${x:y}": [parameter("x", EVALUATED)],
    "${x:$y}": [parameter("x", EVALUATED)],
    "${x:0:$y}": [parameter("x", EVALUATED, Word((parameter("y"),), 6, 8))],
    "${x:$((1 + $(a)))}": [parameter("x", EVALUATED, Word((sum_of(output("a", 13)),), 4, 17))],
    "${#x}": [parameter("x", "${#")],
    "${#x[@]}": [parameter("x", "${#")],
    "$x:z": [parameter("x"), literal(":z")],
    "${x}:h": [parameter("x"), literal(":h")],
    '"$x":h': [parameter("x", quoted=True), literal(":h")],
    "${x}[1]": [parameter("x"), literal("["), literal("1"), literal("]")],
    "$x:h:t:b": [parameter("x", ":"), literal(":b")],
    "$x:latest": [parameter("x", ":"), literal("atest")],
    "$x:s/a/b/c": [parameter("x", ":")],
    '"$x:gs/a/b/ c"': [parameter("x", ":", quoted=True)],
}

GAPS = {
    **dict.fromkeys(
        [
            *("${x#{a} ; b # }", "${x%%{} && b # }", "${x/{a}\nb\n}", "${x//a{b}c}", "${x^{a} | b }", "${x[1]#{a} b}"),
            *('"${x#{a} b}"', "${x#a$y{b}c}", "${x#'a'{b}c}", "$(a ${x#{b} ; c # })"),
        ],
        "a brace that ends an expansion for bash",
    ),
    **dict.fromkeys(["${x//$'\\'}", "${x#a$'\\'b}", "\"${x%$'\\'}\""], "a quote inside a pattern"),
    **dict.fromkeys(["${x//a/$'\\'}", "${x-$'b\\'}", "$((x[$'\\']))"], "a quoted string without its quotes"),
    **dict.fromkeys(
        ["${x//$'\\''}", "${x/a/$'\\''}"],
        "shells without $'…' end this string at the escaped quote",
    ),
    **dict.fromkeys(["${x#\\}", "${x%%a\\}", "${x^\\}", '"${x##\\}"', "${x#\\} ; a }", "${x#\\\\\\}"], UNKNOWN_FORM),
    '"${\na\n}"': UNKNOWN_FORM,
    "$10": UNKNOWN_FORM,
    "$x[1]": ZSH,
    "$x[$y]": ZSH,
    '"$x[1]"': ZSH,
    "$1[2]": ZSH,
    "$#x": ZSH,
    "\"${x:-'$(a)'}\"": "a quote inside double quotes",
    "\"${x:-'a'}\"": "a quote inside double quotes",
    "\"${x:-${y:-'`a`'}}\"": "a quote inside double quotes",
    '"${x:-\\a$y}"': "a backslash that quotes nothing between double quotes",
    '"${x//\'"\'/}"': "a quote inside double quotes",
    "\"${x#'}'}\"": "a quote inside double quotes",
    "\"$(( '$(a)' ))\"": "a quote inside double quotes",
    "$(( '$(a)' ))": "an expansion inside a pattern",
    "${x#`a`}": "an expansion inside a pattern",
    "${x/b/`a`}": "an expansion inside a pattern",
    "${x#<(a)}": "an expansion inside a pattern",
    "${x/b/=(a)}": "an expansion inside a pattern",
    "${x:-\\\\;<(a)}": "an expansion inside a pattern",
    "${x//'/}'/} ; b ; : \\'": "a quote inside a pattern",
    "${x//a'b/c} d": "a quote inside a pattern",
    '"${x//\\\\"}"': "a quote inside a pattern",
    '${x/$" %a/b}': "a quote inside a pattern",
    "${x:-b c<(a)}": "an unquoted < inside a word",
    "${x-<(a)}": "an unquoted < inside a word",
    "${x:-*(e:a:)}": "an unquoted ( inside a word",
}


@pytest.mark.parametrize("text", PARTS)
def test_parameter_expansions(words: Words, text: str) -> None:
    assert words(text) == (Word(tuple(PARTS[text]), 0, len(text)),)


@pytest.mark.parametrize("text", GAPS)
def test_what_is_read_in_several_ways_is_a_gap_or_a_difference(whys: Whys, text: str) -> None:
    assert GAPS[text] in whys(f"echo {text}")


@pytest.mark.parametrize("text", ["${ a; }", "${|a; }", "echo ${\ta; }", "${(e)x}", "${+x}"])
def test_what_does_not_parse(read: Callable[[str], object], text: str) -> None:
    assert getattr(read(text), "script", "missing") is None


@pytest.mark.parametrize(
    ("name", "rest", "taken"),
    [
        ("x", "", 0),
        ("x", "/y", 0),
        ("x", ":", 0),
        ("x", ":1", 0),
        ("x", ":b", 0),
        ("x", ":h", 2),
        ("x", ":h/y", 2),
        ("x", ":h:t:r/y", 6),
        ("x", ":s/a/b/ c", 9),
        ("x", ":h:gs/a/b/", 10),
        ("x", ":&", 2),
        ("1", ":A", 2),
        ("#", "", 0),
        ("#", "/", 0),
    ],
)
def test_how_far_zsh_reads_behind_a_name(name: str, rest: str, taken: int) -> None:
    part = Part(kind=PartKind.PARAMETER, text=name, quoted=True)
    expected = Part(kind=PartKind.PARAMETER, text=name, operator=":" if taken else "", quoted=True)
    assert expansions.behind_name(part, rest) == (expected, taken)


@pytest.mark.parametrize(("name", "rest"), [("x", "["), ("?", "[1]"), ("#", "x"), ("#", "@"), ("#", "#")])
def test_where_zsh_reads_something_else(name: str, rest: str) -> None:
    expected = None if rest != "#" else (Part(kind=PartKind.PARAMETER, text=name), 0)
    assert expansions.behind_name(Part(kind=PartKind.PARAMETER, text=name), rest) == expected
