from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.shell import Assignment, Command, Node, Part, PartKind, Reading, Redirection, Word
from phocinae.domain.verdict import ReadingStatus

Script = Callable[[str], Node]
Whys = Callable[[str], set[str]]


def literal(text: str, *, quoted: bool = False) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=quoted)


def parameter(name: str, *, quoted: bool = False) -> Part:
    return Part(kind=PartKind.PARAMETER, text=name, quoted=quoted)


def word(text: str, start: int) -> Word:
    return Word((literal(text),), start, start + len(text))


def assigned(text: str, start: int) -> Word:
    name, _, value = text.partition("=")
    return Word((literal(f"{name}="), literal(value)), start, start + len(text))


def array(start: int, end: int, *words: Word) -> Word:
    return Word((Part(kind=PartKind.OPAQUE, text="(", words=words),), start, end)


def to(operator: str, target: Word, start: int, descriptor: str = "") -> Redirection:
    return Redirection(operator=operator, target=target, descriptor=descriptor, start=start, end=target.end)


A = word("a", 0)

REDIRECTIONS = {
    "a >f": ([A], [to(">", word("f", 3), 2)]),
    "a>f": ([A], [to(">", word("f", 2), 1)]),
    "a 2>f": ([A], [to(">", word("f", 4), 2, "2")]),
    "a2>f": ([word("a2", 0)], [to(">", word("f", 3), 2)]),
    "a 2 >f": ([A, word("2", 2)], [to(">", word("f", 5), 4)]),
    'a "2">f': ([A, Word((literal("2", quoted=True),), 2, 5)], [to(">", word("f", 6), 5)]),
    "a \\2>f": ([A, Word((literal("2", quoted=True),), 2, 4)], [to(">", word("f", 5), 4)]),
    "a -2>f": ([A, word("-2", 2)], [to(">", word("f", 5), 4)]),
    "a >f 2>g": ([A], [to(">", word("f", 3), 2), to(">", word("g", 7), 5, "2")]),
    "a >f b 2>g c": (
        [A, word("b", 5), word("c", 11)],
        [to(">", word("f", 3), 2), to(">", word("g", 9), 7, "2")],
    ),
    'a >f "2">g': (
        [A, Word((literal("2", quoted=True),), 5, 8)],
        [to(">", word("f", 3), 2), to(">", word("g", 9), 8)],
    ),
    "a >>f <g >|h": ([A], [to(">>", word("f", 4), 2), to("<", word("g", 7), 6), to(">|", word("h", 11), 9)]),
    "a 0<&3": ([A], [to("<&", word("3", 5), 2, "0")]),
    "a \\#\\\n 1> f": ([A, Word((literal("#", quoted=True),), 2, 4)], [to(">", word("f", 10), 7, "1")]),
    "a 3<>f": ([A], [to("<>", word("f", 5), 2, "3")]),
    "a &>f": ([A], [to("&>", word("f", 4), 2)]),
    "a &>>f": ([A], [to("&>>", word("f", 5), 2)]),
    "a >&f": ([A], [to(">&", word("f", 4), 2)]),
    "a 2>&1 b": ([A, word("b", 7)], [to(">&", word("1", 5), 2, "2")]),
    "a >& 2": ([A], [to(">&", word("2", 5), 2)]),
    "a <&3": ([A], [to("<&", word("3", 4), 2)]),
    "a 2>&- b": ([A, word("b", 7)], [to(">&-", Word((literal("-"),), 6, 6), 2, "2")]),
    "a <<<b": ([A], [to("<<<", word("b", 5), 2)]),
    'a 2>f <<< "$x" c': (
        [A, word("c", 15)],
        [to(">", word("f", 4), 2, "2"), to("<<<", Word((parameter("x", quoted=True),), 10, 14), 6)],
    ),
    "a >f$x": ([A], [to(">", Word((literal("f"), parameter("x")), 3, 6), 2)]),
    "<f a >g": ([word("a", 3)], [to("<", word("f", 1), 0), to(">", word("g", 6), 5)]),
    ">f": ([], [to(">", word("f", 1), 0)]),
    ">f >g": ([], [to(">", word("f", 1), 0), to(">", word("g", 4), 3)]),
}


@pytest.mark.parametrize("text", REDIRECTIONS)
def test_redirections(script: Script, text: str) -> None:
    words, redirections = REDIRECTIONS[text]
    assert script(text) == Command((), tuple(words), tuple(redirections), 0, len(text))


def test_here_documents(script: Script) -> None:
    def document(start: int, end: int, body: str, at: int, descriptor: str = "") -> Redirection:
        target = Word((literal(body, quoted=True),), at, at + len(body))
        return Redirection(operator="<<", target=target, descriptor=descriptor, start=start, end=end)

    assert script("a <<E b\nx\nE\n") == Command((), (A, word("b", 6)), (document(2, 5, "x\n", 8),), 0, 7)
    assert script("a 3<<E <<'F' >f\nx\nE\ny\nF\n") == Command(
        (), (A,), (document(2, 6, "x\n", 16, "3"), document(7, 12, "y\n", 20), to(">", word("f", 14), 13)), 0, 15
    )


ASSIGNMENTS = {
    "A=1": ([Assignment("A", (word("1", 2),), True, 0, 3)], []),
    "A=": ([Assignment("A", (), True, 0, 2)], []),
    "A= b": ([Assignment("A", (), True, 0, 2)], [word("b", 3)]),
    "A=1 B=$x c": (
        [Assignment("A", (word("1", 2),), True, 0, 3), Assignment("B", (Word((parameter("x"),), 6, 8),), True, 4, 8)],
        [word("c", 9)],
    ),
    "A='b c' d": ([Assignment("A", (Word((literal("b c", quoted=True),), 2, 7),), True, 0, 7)], [word("d", 8)]),
    "A=~/x b": (
        [Assignment("A", (Word((Part(kind=PartKind.TILDE), literal("/x")), 2, 5),), True, 0, 5)],
        [word("b", 6)],
    ),
    "A=#c b": ([Assignment("A", (word("#c", 2),), True, 0, 4)], [word("b", 5)]),
    "A+=b": ([Assignment("A", (word("b", 3),), False, 0, 4, added=True)], []),
    "A[1]=b": ([Assignment("A", (word("b", 5),), False, 0, 6)], []),
    "A=(1 $x)": ([Assignment("A", (array(2, 8, word("1", 3), Word((parameter("x"),), 5, 7)),), False, 0, 8)], []),
    "A=(\n1 # c\n2)": ([Assignment("A", (array(2, 12, word("1", 4), word("2", 10)),), False, 0, 12)], []),
    "a b=1": ([], [A, word("b=1", 2)]),
    '"a"=b c': ([], [Word((literal("a", quoted=True), literal("=b")), 0, 5), word("c", 6)]),
    "a-b=c": ([], [word("a-b=c", 0)]),
}


@pytest.mark.parametrize("text", ASSIGNMENTS)
def test_assignments(script: Script, text: str) -> None:
    assignments, words = ASSIGNMENTS[text]
    assert script(text) == Command(tuple(assignments), tuple(words), (), 0, len(text))


def test_a_redirection_may_stand_between_assignments(script: Script) -> None:
    first, second = Assignment("A", (word("1", 2),), True, 0, 3), Assignment("B", (word("2", 9),), True, 7, 10)
    assert script("A=1 >f B=2 c") == Command((first, second), (word("c", 11),), (to(">", word("f", 5), 4),), 0, 12)


def test_a_substitution_in_a_subscript_is_shown_and_is_a_gap(read: Callable[[str], Reading]) -> None:
    reading = read("A[$(c)]=b")
    inner = Part(kind=PartKind.COMMAND, script=Command((), (word("c", 4),), (), 4, 5))
    assert reading.script == Command(
        (Assignment("A", (Word((inner,), 2, 6), word("b", 8)), False, 0, 9),), (), (), 0, 9
    )
    assert [gap.why for gap in reading.gaps] == ["a computed subscript, which the shell evaluates"]


BUILTINS = {
    'export A="b c" D=$e': [
        word("export", 0),
        Word((literal("A="), literal("b c", quoted=True)), 7, 14),
        Word((literal("D="), parameter("e")), 15, 19),
    ],
    "local x": [word("local", 0), word("x", 6)],
    "readonly A=1 >f": [word("readonly", 0), Word((literal("A="), literal("1")), 9, 12)],
    "unset -v x": [word("unset", 0), word("-v", 6), word("x", 9)],
    "declare -a x=(1) y": [
        word("declare", 0),
        word("-a", 8),
        Word((literal("x="), Part(kind=PartKind.OPAQUE, words=(array(13, 16, word("1", 14)),))), 11, 16),
        word("y", 17),
    ],
}


@pytest.mark.parametrize("text", BUILTINS)
def test_builtins_with_a_kind_of_their_own_are_simple_commands(script: Script, text: str) -> None:
    node = script(text)
    assert isinstance(node, Command)
    assert node.words == tuple(BUILTINS[text])
    assert node.assignments == ()


GAPS = {
    "a 12>f": "a descriptor of several digits, a word in some shells",
    "a {fd}>f": "a descriptor that is kept in a variable, a word in some shells",
    "a {x} >f": "braces that look like a descriptor",
    "a {1x}>f": "braces that look like a descriptor",
    "a 3>&2-": "a descriptor that is moved, which zsh reads as a file",
    "a >!f": "zsh reads ! as a part of the operator",
    "a >>! f": "zsh reads ! as a part of the operator",
    'a >&\\"f': "a backslash behind a duplication, which bash takes away twice",
    "a >f{b,c}": "braces behind a redirection, which shells read differently",
    "a <<<{b,c}": "braces behind a redirection, which shells read differently",
    "a >&-b": "a redirection without a target",
    "a &>f b": "words behind &>, a command in some shells",
    "a &>f 2>&1 b": "words behind &>, a command in some shells",
    "é=1": "the name of a variable in some shells, of a program in others",
    "export é=1": "the name of a variable in some shells, of a program in others",
    "&>f b": "words behind &>, a command in some shells",
    "A[i]=b": "a computed subscript, which the shell evaluates",
    "é=1 a": "the name of a variable in some shells, of a program in others",
    "a\\=b c": "an assignment that the parser took for a program",
    'a"b"=c d': "an assignment that the parser took for a program",
    "!a": "a name that starts with !, which zsh takes off behind &",
    "! ! a": "the reserved word ! where the parser saw a program",
    "coproc a": "coproc in front of this, a program in some shells",
    "repeat 2 a": "repeat is a reserved word of zsh",
    "foreach a": "foreach is a reserved word of zsh",
    "noglob a": "noglob is a reserved word of zsh",
    "A=b\\\n C=$d e": "an assignment that the parser took for a program",
    "A=#'b c'd e": "a word that the parser split",
    **dict.fromkeys(
        ["?A=b", "*A=b c", "1A=b", "?A=(b)", "?A[1]=b", "export *A=b"], "an assignment of a form that is not known"
    ),
    **dict.fromkeys(
        ["A=1 >f B=(c) d", "A=1 2>&1 B=(c) d", "A=1 >f B=2 C=(d) e"],
        "an array behind a redirection, which bash does not take",
    ),
    "A=(b)C=(d)": "a word that the parser split",
    "A=b<(c) d": "a word that the parser split",
    "A=$(b)>(c)$d e": "a word that the parser split",
    "A='b'\\\n<(c)d e": "a word that the parser split",
    ">|$a<(b)$c d": "a word that the parser split",
    "A=(b)c": "a word that the parser split",
    "A=1\\\nb c": "a word that the parser split",
    ">\"a b\"\\;'c d'": "a word that the parser split",
    'a =="b"': "a token that is not expected here",
    "a ==<(b)": "a token that is not expected here",
    "a [[ b == c;<(d) ]]": "a token that is not expected here",
}


@pytest.mark.parametrize("text", GAPS)
def test_what_some_shell_reads_in_another_way_is_a_gap(whys: Whys, text: str) -> None:
    assert GAPS[text] in whys(text)


FOR_BASH = {
    "a {fd}>f": Command((), (A,), (to(">", word("f", 7), 2, "{fd}"),), 0, 8),
    "a 12>f b": Command((), (A, word("b", 7)), (to(">", word("f", 5), 2, "12"),), 0, 8),
    "a 0<&3-": Command((), (A,), (to("<&", word("3-", 5), 2, "0"),), 0, 7),
    "a >!f": Command((), (A,), (to(">", word("!f", 3), 2),), 0, 5),
    "é=1 B=2 a": Command((), (Word((literal("é="), literal("1")), 0, 3), assigned("B=2", 4), word("a", 8)), (), 0, 9),
}


@pytest.mark.parametrize("text", FOR_BASH)
def test_where_shells_differ_it_is_read_as_bash_reads_it(read: Callable[[str], Reading], text: str) -> None:
    reading = read(text)
    assert (reading.status, reading.script, reading.gaps) == (ReadingStatus.COMPLETE, FOR_BASH[text], ())
    assert reading.differences


@pytest.mark.parametrize("text", ["'if' a", "\\{ a", '"!a" b', "\\! a", "'coproc' a", "i\\f a"])
def test_a_quoted_name_is_no_reserved_word(script: Script, text: str) -> None:
    assert isinstance(script(text), Command)


@pytest.mark.parametrize("name", ["==", "=~"])
def test_an_operator_of_conditions_may_be_a_word(script: Script, name: str) -> None:
    assert script(f"a {name} b") == Command((), (A, word(name, 2), word("b", 5)), (), 0, 6)
