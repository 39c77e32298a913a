from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader, simple
from phocinae.adapters.shell_tree_sitter.reader import parsed
from phocinae.domain.request import COMMAND_LIMIT
from phocinae.domain.shell import Command, Compound, Node, Reading
from phocinae.domain.verdict import ReadingStatus

PIECES = [
    *"a b1 ls -n --x=y ./f .. 2 12 0 , @ % + - : { } ! [ ] ( ) # ^ = a= =a if time in do export coproc a@b 9%".split(),
    *"~ ~/ ~/x ~a ~+ a~ a=~/b * ? *.py a*b **/* $x ` \\ ' \" é \u200b | || |& && & ; ;;".split(),
    *(
        "$a",
        "$a/b",
        '"$a"',
        '"x $a/$b_1.c"',
        "$a$b",
        "$a.b",
        "$a:b",
        "$a[1]",
        '"$a:h"',
        "$a~1",
        "\\;",
        "\\(",
        "{}",
        "HEAD~2",
    ),
    *("''", '""', "'a b'", '"a b"', "x'y'", "'\"'", '"\'"', "'$x'", "'\\'", '"!"', '"#"', '"\\$"', "\t", "\n"),
    *"2>&1 1>&2 >&2 >&- >f >>f <f 2>/dev/null >/dev/null 3>f &>f > 2> < << <> >!f 2>&1-".split(),
]
LIKELY = ["a", "b", "-n", "'x y'", '"q"', "2>&1", ">f", "|", "&&", ";", "||", "*"]

ANY_CHAR = st.text(st.characters(codec="ascii"), max_size=5)
QUOTED = st.builds(lambda mark, inside: mark + inside + mark, st.sampled_from("'\""), ANY_CHAR)
PIECE = st.one_of(st.sampled_from(LIKELY), st.sampled_from(PIECES), QUOTED)
TEXTS = st.lists(st.tuples(PIECE, st.sampled_from(["", " ", " ", " ", "  "])).map("".join), max_size=10).map("".join)


def names(node: Node) -> list[str]:
    """Return the names of all programs."""
    if isinstance(node, Command):
        return [node.words[0].literal or ""]
    return [name for part in node.parts for name in names(part)]


def check(text: str) -> bool:
    """Assert that a text is read as the parser reads it, or is left to it; return whether it is read."""
    quick = simple.read(text)
    if quick is None:
        return False
    found = parsed(text)
    if found.status is ReadingStatus.REFUSED:  # the grammar refuses 9@ and a%1, which are names as any other
        assert any("@" in name or "%" in name for name in names(quick))
    else:
        assert found == Reading(status=ReadingStatus.COMPLETE, script=quick)
    return True


@given(TEXTS)
@example("a || b && c | d 2>&1 | e; f ; ")
@example("a && b 2>&1 | c")
@example("a | b | c && d")
@example("a - 2>f")
@example("@&&  -  a=%-n 'x y'")
@example("a 2 >f")
@example("a ~/'x y'/*.py --b=\"c d\"")
@example("a ''=b")
@example("find . -name '*.py' -exec grep \"$x y\" {} \\;")
@example("git diff HEAD~2 $a/$b-c *.py")
def test_what_is_read_without_a_parser_is_what_the_parser_says(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    ("name", "share"),
    [("corpus.jsonl", 0.8), ("field_reports.jsonl", 0.5), ("valid.jsonl", 0.15), ("markers.jsonl", 0)],
)
def test_the_corpus_is_read_as_the_parser_reads_it(
    corpus: Callable[[str], list[dict[str, str]]], name: str, share: float
) -> None:
    texts = [entry.get("command", entry.get("statement", "")) for entry in corpus(name)]
    assert sum(map(check, texts)) >= share * len(texts)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\n", "a\n", "a\tb", "a #b", "a;;", "a;;b", ";", "; a", "a &", "a & b", "a |", "| a", "a &&"),
        *("a || ;", "a ;|b", "a|&b", "a|||b", "a &&& b", "! a", "a && ! b", "{ a; }", "(a)", "a{b,c}", "[ a ]"),
        *("a [b]", "a=b", "a=b c", "a && b=c d", "a; b+=c", "a =b", "a ''=b", "a \"\"=b", "a ~b", "a ~+/x", "a b~"),
        *("a c=~/d", "a $1", 'a "${b}"', "a $b[1]", "a $b:h", 'a "$b[1]"', 'a "$b:h"', "a $b~", "a ${b}", "$b", "a\\;"),
        *("a \\b", "a {}b", "a b\\", "a HEAD~", "a ~1", 'a "$', "a `b`", 'a "`b`"', "a $(b)", 'a "\\b"', "a é"),
        *("a 'b", 'a "b', "a $'b'", "a 'é'", "'a' b", '"a"', "a'b'", "~/a", "*"),
        *("a 'b\nc'", "a '\x1b'", "a '\u200b'", "a\u00a0b"),
        *(">f", ">f a", "a >f b", "a>f", "a 3>f", "a >$f", "a >'f'", "a >f'g'", "a >f>g", "a >~/f", "a &>f", "a >|f"),
        *("a >!f", "a <<b", "a <<<b", "a <>f", "a >&f", "a >&-", "a 2>&1-", "a 2>&12", "a 2>&3", "a - 2>f"),
        *("a -  2>f", "a <(b)"),
    ],
)  # fmt: skip
def test_what_is_left_to_the_parser(text: str) -> None:
    assert simple.read(text) is None


@pytest.mark.parametrize("name", ["if", "time", "export", "unset", "coproc", "repeat", "noglob", "foreach", "end", "-"])
@pytest.mark.parametrize("before", ["", "a | ", "a && ", "a; "])
def test_a_name_that_means_something_is_left_to_the_parser(before: str, name: str) -> None:
    assert simple.read(f"{before}{name} a") is None
    assert simple.read(f"{before}./{name} {name}") is not None


def test_long_texts() -> None:
    assert simple.read("a " + "b" * simple.LONGEST_BARE) is not None
    assert simple.read("a " + "b" * (simple.LONGEST_BARE + 1)) is None
    assert simple.read("a >" + "b" * (simple.LONGEST_BARE + 1)) is None
    assert isinstance(simple.read("a|" * (simple.MOST_COMMANDS - 1) + "b"), Compound)
    assert simple.read("a|" * simple.MOST_COMMANDS + "b") is None
    assert TreeSitterReader().read("a " * COMMAND_LIMIT).status is ReadingStatus.REFUSED
