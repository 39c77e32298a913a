from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.shell import Command, Compound, Kind, Node, Part, PartKind, Reading, Redirection, Word

Script = Callable[[str], Node]
Whys = Callable[[str], set[str]]


def word(text: str, start: int) -> Word:
    return Word((Part(kind=PartKind.LITERAL, text=text),), start, start + len(text))


def run(text: str, start: int) -> Command:
    """Return the command for names divided by single blanks."""
    words, at = [], start
    for piece in text.split(" "):
        words.append(word(piece, at))
        at += len(piece) + 1
    return Command((), tuple(words), (), start, at - 1)


def compound(kind: Kind, start: int, end: int, *parts: Node, words: tuple[Word, ...] = (), name: str = "") -> Compound:
    return Compound(kind=kind, parts=parts, words=words, name=name, start=start, end=end)


def to(target: str, start: int, at: int, operator: str = ">", descriptor: str = "") -> Redirection:
    return Redirection(
        operator=operator, target=word(target, at), descriptor=descriptor, start=start, end=at + len(target)
    )


def with_errors(stage: Command) -> Compound:
    """Return a stage in front of ``|&``."""
    end = stage.end
    target = Word((Part(kind=PartKind.LITERAL, text="1"),), end, end)
    errors = Redirection(operator=">&", target=target, descriptor="2", start=stage.start, end=end)
    return redirected(compound(GROUP, stage.start, end, stage), end, errors)


def into_file(name: str, start: int) -> Command:
    """Return the command for ``name >f``."""
    end = start + len(name)
    return Command((), (word(name, start),), (to("f", end + 1, end + 2),), start, end + 3)


def redirected(node: Compound, end: int, *redirections: Redirection) -> Compound:
    return Compound(
        kind=node.kind, parts=node.parts, words=node.words, name=node.name, redirections=redirections,
        start=node.start, end=end,
    )  # fmt: skip


def arithmetic(text: str, start: int, end: int, *words: Word) -> Word:
    return Word((Part(kind=PartKind.ARITHMETIC, text=text, words=words),), start, end)


ALL_ARGUMENTS = Part(kind=PartKind.PARAMETER, text="@", quoted=True)
GROUP, LIST, PIPELINE, SUBSHELL = Kind.GROUP, Kind.LIST, Kind.PIPELINE, Kind.SUBSHELL

SCRIPTS = {
    # lists
    "a; b": compound(LIST, 0, 4, run("a", 0), run("b", 3)),
    "a\nb\n": compound(LIST, 0, 4, run("a", 0), run("b", 2)),
    "a;": run("a", 0),
    "\n\n a ": run("a", 3),
    "a & b": compound(LIST, 0, 5, compound(Kind.BACKGROUND, 0, 3, run("a", 0)), run("b", 4)),
    "a&": compound(Kind.BACKGROUND, 0, 2, run("a", 0)),
    "a &! b": compound(LIST, 0, 6, compound(Kind.BACKGROUND, 0, 3, run("a", 0)), run("b", 5)),
    "a && b": compound(Kind.AND, 0, 6, run("a", 0), run("b", 5)),
    "a || b && c": compound(Kind.AND, 0, 11, compound(Kind.OR, 0, 6, run("a", 0), run("b", 5)), run("c", 10)),
    "a &&\n\nb": compound(Kind.AND, 0, 7, run("a", 0), run("b", 6)),
    "a \\\n&& b": compound(Kind.AND, 0, 8, run("a", 0), run("b", 7)),
    "a &&\\\nb": compound(Kind.AND, 0, 7, run("a", 0), run("b", 6)),
    "! a": run("a", 2),
    "! a | b": compound(PIPELINE, 0, 7, run("a", 2), run("b", 6)),
    # comments
    "# c": compound(LIST, 0, 3),
    "": compound(LIST, 0, 0),
    "a # b": run("a", 0),
    "a # b\nc": compound(LIST, 0, 7, run("a", 0), run("c", 6)),
    "a && # b\nc": compound(Kind.AND, 0, 10, run("a", 0), run("c", 9)),
    "# a \\\nb": run("b", 6),
    "a;#b\nc": compound(LIST, 0, 6, run("a", 0), run("c", 5)),
    # pipelines
    "a | b": compound(PIPELINE, 0, 5, run("a", 0), run("b", 4)),
    "a |\nb": compound(PIPELINE, 0, 5, run("a", 0), run("b", 4)),
    "a | b && c": compound(
        Kind.AND, 0, 10, compound(PIPELINE, 0, 5, run("a", 0), run("b", 4)), run("c", 9)
    ),
    "a && b | c": compound(
        Kind.AND, 0, 10, run("a", 0), compound(PIPELINE, 5, 10, run("b", 5), run("c", 9))
    ),
    "a |& b": compound(
        PIPELINE, 0, 6,
        with_errors(run("a", 0)),
        run("b", 5),
    ),
    # groups
    "(a)": compound(SUBSHELL, 0, 3, run("a", 1)),
    "( a; b ) | c": compound(
        PIPELINE, 0, 12, compound(SUBSHELL, 0, 8, compound(LIST, 0, 8, run("a", 2), run("b", 5))), run("c", 11)
    ),
    "{ a; }": compound(GROUP, 0, 6, run("a", 2)),
    "{\na\n}": compound(GROUP, 0, 5, run("a", 2)),
    "{ a; } 2>&1": redirected(compound(GROUP, 0, 6, run("a", 2)), 11, to("1", 7, 10, ">&", "2")),
    "( a ) >f": redirected(compound(SUBSHELL, 0, 5, run("a", 2)), 8, to("f", 6, 7)),
    # the redirections of a last command are its own
    "a && b >f c": compound(
        Kind.AND, 0, 11, run("a", 0), Command((), (word("b", 5), word("c", 10)), (to("f", 7, 8),), 5, 11)
    ),
    "a | b 2>f": compound(PIPELINE, 0, 9, run("a", 0), Command((), (word("b", 4),), (to("f", 6, 8, ">", "2"),), 4, 9)),
    # and a pipeline that goes on behind them is the list's last part
    "a && b >f | c": compound(
        Kind.AND, 0, 13, run("a", 0), compound(PIPELINE, 5, 13, into_file("b", 5), run("c", 12))
    ),
    "a || b | c >f | d": compound(
        Kind.OR, 0, 17, run("a", 0), compound(PIPELINE, 5, 17, run("b", 5), into_file("c", 9), run("d", 16))
    ),
    "a | b >f | c": compound(PIPELINE, 0, 12, run("a", 0), into_file("b", 4), run("c", 11)),
    "x | a || b && d >f | c": compound(
        Kind.AND, 0, 22,
        compound(Kind.OR, 0, 10, compound(PIPELINE, 0, 5, run("x", 0), run("a", 4)), run("b", 9)),
        compound(PIPELINE, 14, 22, into_file("d", 14), run("c", 21)),
    ),
    "a && b >f | c && d >f | e": compound(
        Kind.AND, 0, 25,
        compound(Kind.AND, 0, 13, run("a", 0), compound(PIPELINE, 5, 13, into_file("b", 5), run("c", 12))),
        compound(PIPELINE, 17, 25, into_file("d", 17), run("e", 24)),
    ),
    # whatever the parser makes of it
    "a | @ | c && d": compound(
        Kind.AND, 0, 14, compound(PIPELINE, 0, 9, run("a", 0), run("@", 4), run("c", 8)), run("d", 13)
    ),
    "a |& % |& c || d": compound(
        Kind.OR, 0, 16,
        compound(PIPELINE, 0, 11, with_errors(run("a", 0)), with_errors(run("%", 5)), run("c", 10)), run("d", 15)
    ),
    "(a && b) >f | c": compound(
        PIPELINE, 0, 15,
        redirected(compound(SUBSHELL, 0, 8, compound(Kind.AND, 1, 7, run("a", 1), run("b", 6))), 11, to("f", 9, 10)),
        run("c", 14),
    ),
    # branches and loops
    "if a; then b; elif c; then d; else e; fi": compound(
        Kind.IF, 0, 40, run("a", 3), run("b", 11), run("c", 19), run("d", 27), run("e", 35)
    ),
    "if ! a\nthen b\nfi >f": redirected(compound(Kind.IF, 0, 16, run("a", 5), run("b", 12)), 19, to("f", 17, 18)),
    "while a; do b; done <f": redirected(
        compound(Kind.WHILE, 0, 19, run("a", 6), run("b", 12)), 22, to("f", 20, 21, "<")
    ),
    "until a; do b; done": compound(Kind.WHILE, 0, 19, run("a", 6), run("b", 12)),
    "while a; b; do c; done": compound(
        Kind.WHILE, 0, 22, compound(LIST, 0, 22, run("a", 6), run("b", 9)), run("c", 15)
    ),
    "for i in x y; do a; done": compound(
        Kind.FOR, 0, 24, run("a", 17), words=(word("x", 9), word("y", 11)), name="i"
    ),
    "for i in x{1,2}; do a; done": compound(
        Kind.FOR, 0, 27, run("a", 20),
        words=tuple(Word((Part(kind=PartKind.LITERAL, text=text),), 9, 15) for text in ("x1", "x2")),
        name="i",
    ),
    "for i; do a; done": compound(Kind.FOR, 0, 17, run("a", 10), words=(Word((ALL_ARGUMENTS,), 0, 17),), name="i"),
    "for i\ndo a\ndone": compound(Kind.FOR, 0, 15, run("a", 9), words=(Word((ALL_ARGUMENTS,), 0, 15),), name="i"),
    "select i in x; do a; done": compound(
        Kind.FOR, 0, 25, run("a", 18), words=(word("x", 12), Word((Part(kind=PartKind.OPAQUE),), 0, 6)), name="i"
    ),
    "for ((i=0; i<$(a); i++)); do b; done": compound(
        Kind.LOOP, 0, 36, run("b", 29),
        words=(
            arithmetic("i=0", 6, 9),
            arithmetic("i<$(a)", 11, 17, Word((Part(kind=PartKind.COMMAND, script=run("a", 15)),), 13, 17)),
            arithmetic("i++", 19, 22),
        ),
    ),
    "case $x in y|z) a;; *) b;; esac": compound(
        Kind.CASE, 0, 31, run("a", 16), run("b", 23),
        words=(
            Word((Part(kind=PartKind.PARAMETER, text="x"),), 5, 7),
            word("y", 11),
            word("z", 13),
            Word((Part(kind=PartKind.GLOB, text="*"),), 20, 21),
        ),
    ),
    "case a in (b) c ;& d) esac": compound(
        Kind.CASE, 0, 26, run("c", 14), compound(LIST, 19, 21), words=(word("a", 5), word("b", 11), word("d", 19))
    ),
    "case a in esac": compound(Kind.CASE, 0, 14, words=(word("a", 5),)),
    # functions
    "f() { a; }": compound(Kind.FUNCTION, 0, 10, compound(GROUP, 4, 10, run("a", 6)), name="f"),
    "function f { a; } >g": redirected(
        compound(Kind.FUNCTION, 0, 17, compound(GROUP, 11, 17, run("a", 13)), name="f"), 20, to("g", 18, 19)
    ),
    "f() (a)": compound(Kind.FUNCTION, 0, 7, compound(SUBSHELL, 4, 7, run("a", 5)), name="f"),
    "f() if a; then b; fi": compound(
        Kind.FUNCTION, 0, 20, compound(Kind.IF, 4, 20, run("a", 7), run("b", 15)), name="f"
    ),
    "f() { a; }; f": compound(
        LIST, 0, 13, compound(Kind.FUNCTION, 0, 10, compound(GROUP, 4, 10, run("a", 6)), name="f"), run("f", 12)
    ),
    # arithmetic and conditions
    "((x+1))": compound(Kind.ARITHMETIC, 0, 7, words=(arithmetic("x+1", 0, 7),)),
    "((x=$(a)))": compound(
        Kind.ARITHMETIC, 0, 10,
        words=(arithmetic("x=$(a)", 0, 10, Word((Part(kind=PartKind.COMMAND, script=run("a", 6)),), 4, 8)),),
    ),
    "[[ a ]] >f": redirected(compound(Kind.TEST, 0, 7, words=(word("a", 3),)), 10, to("f", 8, 9)),
    "( (a) )": compound(SUBSHELL, 0, 7, compound(SUBSHELL, 2, 5, run("a", 3))),
    # a keyword that the grammar takes for a program
    "time a": run("time a", 0),
    "time -p a": run("time -p a", 0),
    "time time -p a": run("time time -p a", 0),
    "time ! a": run("time ! a", 0),
}  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS)
def test_the_whole_script(script: Script, text: str) -> None:
    assert script(text) == SCRIPTS[text]


EMPTY = "nothing where most shells want a command"
WORD = "a reserved word inside a word"
TIME_ALONE = "time in front of no simple command"
TIME = "time in front of this, a program in some shells"

GAPS = {
    **dict.fromkeys(["function f{ a; }", "function f[[ a ]]"], "a word that the parser split"),
    **dict.fromkeys(["f() [ a ]", "function f [ a ]"], "a body that is no compound command"),
    **dict.fromkeys(
        ["for a in\nb; do c; done", "for a in # b\nc; do d; done", "select a in\nb c; do d; done"],
        "text that the parser passed over",
    ),
    **dict.fromkeys(["case a in * `b`) c;; esac", "case a in b `c`) d;; esac"], "a pattern of several words"),
    **dict.fromkeys(["\\time (a)", "'time' (a)", 't"ime" (a)', "a=b time (c)"], "a subshell where a word is expected"),
    **dict.fromkeys(["a ;&>f", "{ a;&>>f; }"], "an operator that the parser split"),
    "f() { a; } >f b": "words behind a redirection of a compound command",
    "{ a; } >f b": "words behind a redirection of a compound command",
    "time { a; }": TIME,
    "time -p if a; then b; fi": TIME,
    "a; time for i in x; do a; done": TIME,
    "if a; then elif b; then c; fi": EMPTY,
    "if a; then b; else fi": EMPTY,
    "if a; then\n# b\nfi": EMPTY,
    "while a; do done": EMPTY,
    "for i in x; do # a\ndone": EMPTY,
    "{ }": EMPTY,
    "f() { }": EMPTY,
    "a;;": "the end of a case's item outside of one",
    "{ a;; }": "the end of a case's item outside of one",
    "if a;; then b; fi": "the end of a case's item outside of one",
    "case x in a) b esac": "a case whose end is a word for a shell",
    "case x in a) b \\\nesac": "a case whose end is a word for a shell",
    "case x in a) b;; c) echo d esac": "a case whose end is a word for a shell",
    "case x;; in a) b;; esac": "a case of a form that is not known",
    "case x in ;a) b;; esac": "a case of a form that is not known",
    "while{ a; }; do b; done": WORD,
    "if a; then'b'; fi": WORD,
    "{a; }": "a brace that belongs to the word behind it",
    "{\\\na; }": "a brace that belongs to the word behind it",
    "!'a'": "a ! that belongs to the word behind it",
    "!\\\na 'b'": "a ! that belongs to the word behind it",
    "time { a": TIME_ALONE,
    "time -p { a": TIME_ALONE,
    "time | a": TIME_ALONE,
    "time && a": TIME_ALONE,
    "time": TIME_ALONE,
    **dict.fromkeys(
        [
            "time time && a",
            "time ! && a",
            "time -p -- && a",
            "time -p -p | a",
            "time ! {",
            "$(time time)",
            "time a[ b",
            "time -p ! a[1]=b c",
            "time a['b'",
            "time a[$b",
        ],
        TIME_ALONE,
    ),
    "a | ! b": "a ! behind a pipe, which no shell takes",
    "a | b | ! c": "a ! behind a pipe, which no shell takes",
    "a |& ! { b; }": "the reserved word } where the parser saw a program",
    "a | time { b; }": "the reserved word } where the parser saw a program",
    "a |\n time while b; do c; done": "the reserved word do where the parser saw a program",
    **dict.fromkeys(
        ["$(time (a))", 'a "$( time (b) | c)"', "a <(time (b); c)"],
        "time in front of a subshell, which some bash takes for a program here",
    ),
    **dict.fromkeys(
        ["a | time (b)", "a |\ntime (b)", "a |& time (b) >f", "a | time (b) | c", "a && b | time (c) && d"],
        "time behind a pipe, which no shell takes in front of a subshell",
    ),
    **dict.fromkeys(
        [
            *("case\na in b) c;; esac", "for\na in b; do c; done", "select\na in b; do c; done", "function\na { b; }"),
            *("$(case \na in b) c;; esac)", "case a in (\nb) c;; esac", "case a in b|\nc) d;; esac"),
            *("case a in b\n|c) d;; esac", "case a in b\n) c;; esac", "case a in b # c\n) d;; esac", "f(\n) { a; }"),
        ],
        "text that the parser passed over",
    ),
    **dict.fromkeys(
        ["case # a\na in b) c;; esac", "for # a\nb in c; do d; done"], "a comment where the line must go on"
    ),
    "a | ! ((b))": "brackets that some shell reads as arithmetic",
    "a \\; time { a; }": "the reserved word } where the parser saw a program",
    "for é in a; do b; done": "a name of a variable in some shells, an error in others",
    "a\n\\\nb": "text that the parser passed over",
    "a >f\n\\\nb": "text that the parser passed over",
    "A=1\n\\\nb c": "text that the parser passed over",
    "export A=1\n\\\nb": "text that the parser passed over",
    "a\r\nb": "text that the parser passed over",
    "if\ra; then b; fi": "text that the parser passed over",
    "for i in x\\\ny; do a; done": "a line continuation inside a word or an operator",
    **dict.fromkeys(
        ["a ;;", "{ a ;; }", "$(a ;;\nb\n)", "if a; then b ;; fi", "for i in x; do a;; done", "a ;; b"],
        "the end of a case's item outside of one",
    ),
    "(a)#b": "a comment that some shell may read as part of a word",
    **dict.fromkeys(
        ["a # b \\\n\\\n; c", "a # b\n\\\n& c", "a # b\n\\\n&& c", "a # b\n\\\n| c", "{ a # b\n\\\n; }"],
        "an operator that starts a line",
    ),
    "a \\\n# b\nc": "a comment that a line continuation may join to a word",
}


@pytest.mark.parametrize("text", GAPS)
def test_what_some_shell_reads_in_another_way_is_a_gap(whys: Whys, text: str) -> None:
    assert GAPS[text] in whys(text)


REFUSED = [
    "a; (b",
    "() { a; }",
    "f() a",
    "function f g { a; }",
    "for i in x; a",
    "for i (x) a",
    "if a; { b }",
    "{ a } always { b }",
    "{ a }",
    "case x { x) a;; }",
    "((a) )",
    "((a); b)",
    ";a",
    "& a",
    "a & & b",
]


@pytest.mark.parametrize("text", REFUSED)
def test_forms_of_one_shell_alone_do_not_parse(read: Callable[[str], Reading], text: str) -> None:
    assert read(text).script is None


@pytest.mark.parametrize("quoted", ["'b'", '"b"', "''b", "\\b"])
def test_a_hash_behind_a_quote_is_a_part_of_the_word(script: Script, quoted: str) -> None:
    group = script(f"(a {quoted}# c\n)")
    assert isinstance(group, Compound)
    (command,) = group.parts
    assert isinstance(command, Command)
    assert [found.literal for found in command.words] == ["a", "b#", "c"]
