from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.shell import Command, Gap, Node, Part, PartKind, Reading, Redirection, Word


def quoted(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=True)


def parameter(name: str, operator: str = "", words: tuple[Word, ...] = ()) -> Part:
    return Part(kind=PartKind.PARAMETER, text=name, operator=operator, words=words, quoted=True)


def program(name: str, start: int) -> Command:
    word = Word((Part(kind=PartKind.LITERAL, text=name),), start, start + len(name))
    return Command((), (word,), (), start, start + len(name))


def output(script: Node) -> Part:
    return Part(kind=PartKind.COMMAND, script=script, quoted=True)


@pytest.fixture
def body(script: Callable[[str], Node]) -> Callable[[str], Word]:
    """A function that returns a body, given without its end, as the reader reads it behind ``cat <<E``."""

    def read(text: str, operator: str = "<<E") -> Word:
        node = script(f"cat {operator}\n{text}E\n")
        assert isinstance(node, Command)
        (found,) = node.redirections
        assert found == Redirection(operator="<<", target=found.target, start=4, end=4 + len(operator))
        return found.target

    return read


def test_a_body_with_expansions(body: Callable[[str], Word]) -> None:
    assert body("a $x ${y:-z} $(b) `c` $((1+1))\n") == Word(
        (
            quoted("a "),
            parameter("x"),
            quoted(" "),
            parameter("y", ":-", (Word((Part(kind=PartKind.LITERAL, text="z"),), 18, 19),)),
            quoted(" "),
            output(program("b", 23)),
            quoted(" "),
            output(program("c", 27)),
            quoted(" "),
            Part(kind=PartKind.ARITHMETIC, text="1+1", quoted=True),
            quoted("\n"),
        ),
        8,
        39,
    )


@pytest.mark.parametrize("operator", ["<<'E'", '<<"E"', "<<\\E"])
def test_a_body_with_a_quoted_delimiter_is_literal(body: Callable[[str, str], Word], operator: str) -> None:
    text = "a $x $(b) `c` \\$ \\\\ it's \\\n"
    assert body(text, operator) == Word((quoted(text),), len(operator) + 5, len(operator) + 5 + len(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\n", "\n"),
        ("it's \"so\" ' \n", "it's \"so\" ' \n"),
        ('\\$x \\`a\\` \\\\ \\" \\a\n', '$x `a` \\ \\" \\a\n'),
        ("5$ $ $. $'a' $\"b\" $%\n", "5$ $ $. $'a' $\"b\" $%\n"),
        ("a\\\nb\n", "ab\n"),
        ("# no comment\n", "# no comment\n"),
        ("((a)) { b; } [ c ]\n", "((a)) { b; } [ c ]\n"),
    ],
)
def test_what_means_nothing_in_a_body(body: Callable[[str], Word], text: str, value: str) -> None:
    assert body(text).literal == value


def test_an_empty_body(body: Callable[[str], Word]) -> None:
    assert body("") == Word((), 8, 8)


def test_tabs_are_taken_away(body: Callable[[str, str], Word]) -> None:
    assert body("\ta\n\t\tb\tc\n\t", "<<-E").literal == "a\nb\tc\n"


def test_a_continued_dollar_sign_starts_an_expansion(body: Callable[[str], Word]) -> None:
    assert body("$\\\n(b)\n").parts == (output(program("b", 10)), quoted("\n"))
    assert body("$\\\nx\n").parts == (parameter("x"), quoted("\n"))


def test_an_expansion_ends_where_it_is_whole(body: Callable[[str], Word]) -> None:
    assert body("$(b ')')$(c \")\")\n").parts == (
        output(Command((), (program("b", 10).words[0], Word((quoted(")"),), 12, 15)), (), 10, 15)),
        output(Command((), (program("c", 18).words[0], Word((quoted(")"),), 20, 23)), (), 18, 23)),
        quoted("\n"),
    )


def test_a_body_within_a_body(body: Callable[[str], Word]) -> None:
    inner = Redirection(operator="<<", target=Word((parameter("x"), quoted("\n")), 16, 19), start=12, end=15)
    assert body("$(b <<F\n$x\nF\n)\n").parts == (
        output(Command((), program("b", 10).words, (inner,), 10, 15)),
        quoted("\n"),
    )


def test_zsh_modifiers_make_a_value_unknown(body: Callable[[str], Word]) -> None:
    assert body("$x:h $y:z\n").parts == (parameter("x", ":"), quoted(" "), parameter("y"), quoted(":z\n"))


@pytest.mark.parametrize(
    "text",
    [
        "$(b",
        "`b",
        "${x",
        "$((1",
        "${x:-'}$(b)'}",  # quotes do not quote there
        "${x:-'$(b)'}",
        '${x:-"$(b)"}',
        "$(( '$(b)' ))",
        "$[1+1]",
        "$x[1]",
        "$#x",
        "$=x",
        "$~x",
        "$^x",
        "$+x",
        "$é",
        "$(" + "b ')' " * 12 + ")",
    ],
)
def test_what_is_not_vouched_for_is_a_gap(read: Callable[[str], Reading], text: str) -> None:
    reading = read(f"cat <<E\n{text}\nE\n")
    assert Gap(8, 8 + len(text) + 1, "an expansion in a here-document") in reading.gaps
    assert isinstance(reading.script, Command)
    assert reading.script.redirections[0].target.parts == (Part(kind=PartKind.OPAQUE, text=f"{text}\n"),)


@given(st.text(st.characters(exclude_characters="\\$`\0", exclude_categories=["Cs"])))
def test_a_body_without_expansions_stays_as_it_is(text: str) -> None:
    lines = text.split("\n")
    if "EOF" in lines:
        return
    reading = TreeSitterReader().read(f"cat <<EOF\n{text}\nEOF\n")
    assert isinstance(reading.script, Command)
    assert reading.gaps == ()
    assert reading.script.redirections[0].target.literal == f"{text}\n"


@pytest.mark.parametrize("text", ["$(a #\\\nb\n)", "$(a 'b\\\nc')", "`a #\\\nb\n`", "$(a\n#\\\nb\n)"])
def test_shells_differ_on_a_joined_line_in_quotes_or_a_comment(whys: Callable[[str], set[str]], text: str) -> None:
    assert whys(f"cat <<E\n{text}\nE\n") == {"quotes or a comment around a line continuation"}


@pytest.mark.parametrize("text", ["$(a \\\nb)", "$(a 'b' # c\n)", "x\\\ny $(a)"])
def test_shells_agree_on_other_joined_lines(read: Callable[[str], Reading], text: str) -> None:
    reading = read(f"cat <<E\n{text}\nE\n")
    assert reading.gaps == reading.differences == ()
