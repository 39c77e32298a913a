from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter.coverage import Coverage
from phocinae.adapters.shell_tree_sitter.text import Findings, Text
from phocinae.adapters.shell_tree_sitter.tree import Budget, SyntaxNode
from phocinae.domain.shell import Gap, Reading
from phocinae.domain.verdict import ReadingStatus

Whys = Callable[[str], set[str]]

JOINED = "a line continuation inside a word or an operator"
PASSED_OVER = "text that the parser passed over"


def coverage(source: str) -> Coverage:
    return Coverage(Text(source, Budget(), Findings()))


def node(kind: str, start: int, end: int, *children: SyntaxNode) -> SyntaxNode:
    found = SyntaxNode(kind, True, start, end)
    found.children.extend(children)
    return found


@pytest.mark.parametrize(
    ("between", "lines", "gaps"),
    [
        ("", False, 0),
        (" \t", False, 0),
        (" \\\n ", False, 0),
        ("\n", False, 1),
        ("\n", True, 0),
        ("\\", True, 1),
        ("\\ ", True, 1),
        ("\r", True, 1),
        ("\x0b", True, 1),
        ("\x0c", True, 1),
        ("\u00a0", True, 1),
        ("x", True, 1),
    ],
)
def test_only_blanks_may_stand_between_nodes(between: str, lines: bool, gaps: int) -> None:
    source = f"é{between}b"
    found = coverage(source)
    found.blank(2, 2 + len(between.encode()), lines=lines)
    assert found.text.found.gaps == [Gap(1, 1 + len(between), PASSED_OVER)] * gaps


def test_the_children_are_checked_ends_included() -> None:
    found = coverage(".a,b;")
    kept = found.children(node("x", 0, 5, node("a", 1, 2), node("b", 3, 4)))
    assert [child.kind for child in kept] == ["a", "b"]
    assert [(gap.start, gap.end) for gap in found.text.found.gaps] == [(0, 1), (2, 3), (4, 5)]


@pytest.mark.parametrize(
    ("source", "start", "gaps"),
    [
        ("#c", 0, 0),
        (" #c", 1, 0),
        ("\n#c", 1, 0),
        (";#c", 1, 0),
        ("&#c", 1, 0),
        ("|#c", 1, 0),
        ("(#c", 1, 0),
        (")#c", 1, 1),
        ('"#c', 1, 1),
        ("a#c", 1, 1),
        ("=#c", 1, 1),
        ("`#c", 1, 1),
        ("\\\n#c", 2, 1),
        ("a \\\n#c", 4, 1),
        ("a\\\n #c", 4, 0),
    ],
)
def test_a_comment_starts_where_no_shell_can_read_a_word(source: str, start: int, gaps: int) -> None:
    found = coverage(source)
    comment = node("comment", start, len(source))
    before = node("y", 0, start)
    assert found.children(node("x", 0, len(source), before, comment)) == [before]
    assert len(found.text.found.gaps) == gaps


def test_nodes_that_touch_are_one_word() -> None:
    found = coverage("ab c\\\nd")
    groups = found.groups([node("word", 0, 1), node("word", 1, 2), node("string", 3, 4), node("number", 6, 7)])
    assert [[child.start for child in group] for group in groups] == [[0, 1], [3, 6]]
    assert found.text.found.gaps == []


@pytest.mark.parametrize(
    ("source", "kinds", "gaps"),
    [
        ("ab", ("word", "file_redirect"), 1),
        ("a>", ("word", "file_redirect"), 0),
        (">b", ("file_redirect", "word"), 0),
        ("ab", ("file_redirect", "command_name"), 1),
        ("ab", ("variable_assignment", "command_name"), 1),
        (")b", ("variable_assignment", "command_name"), 1),
        (")>", ("variable_assignment", "file_redirect"), 0),
        (")b", ("subshell", "word"), 0),
        ("ab", ("==", "word"), 1),
        ("ab", ("regex", "word"), 1),
    ],
)
def test_nodes_that_touch_and_cannot_be_joined_are_a_gap(source: str, kinds: tuple[str, str], gaps: int) -> None:
    found = coverage(source)
    assert len(found.groups([node(kinds[0], 0, 1), node(kinds[1], 1, 2)])) == 2
    assert [gap.why for gap in found.text.found.gaps] == ["a word that the parser split"] * gaps


@pytest.mark.parametrize(
    "text",
    [
        "a\\\nb",
        "a b\\\nc",
        "A=1\\\nb c",
        ">f\\\nb c",
        "2\\\n>f a",
        "a 2\\\n>f",
        "a >f\\\ng",
        "a b\\\n'c'",
        "a \"b\"\\\n'c'",
        "a b\\\n$c",
        "a b\\\n#c",
        "for i in a\\\nb; do :; done",
        "x=(a\\\nb)",
        "export A=b\\\nc",
        "a }\\\n>f",
    ],
)
def test_a_continuation_between_two_tokens_that_are_one_is_a_gap(whys: Whys, text: str) -> None:
    assert JOINED in whys(text)


@pytest.mark.parametrize(
    "text",
    [
        "a \\\nb",
        "a\\\n b",
        "a \\\n \\\n b",
        "a &&\\\nb",
        "a\\\n&& b",
        "a |\\\nb",
        "a;\\\nb",
        "(\\\na)",
        "(a\\\n)",
        "(a)\\\n&& b",
        "a >\\\nf",
        "\\\na",
        "a <(b)\\\nc",
        "a 'b\\\nc'",
        '"a\\\nb" c',
        "a # b\\\nc",
    ],
)
def test_any_other_continuation_is_none(read: Callable[[str], Reading], text: str) -> None:
    assert read(text).status is ReadingStatus.COMPLETE


@pytest.mark.parametrize("text", ["a &\\\n& b", "a |\\\n| b", "a >\\\n>f", "a <\\\n<E\nE\n", "a <\\\n(b)", "$\\\n(a)"])
def test_no_operator_in_two_lines_is_read_as_two(read: Callable[[str], Reading], text: str) -> None:
    reading = read(text)
    assert reading.script is None or reading.gaps
