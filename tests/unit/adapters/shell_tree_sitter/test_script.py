from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import script as module
from phocinae.adapters.shell_tree_sitter.heredocs import Unclear
from phocinae.adapters.shell_tree_sitter.text import MOST_LEVELS, Findings
from phocinae.adapters.shell_tree_sitter.tree import Budget, OverBudget
from phocinae.domain.shell import Command, Compound, Node, Part, PartKind, Reading, Word
from phocinae.domain.verdict import ReadingStatus

Script = Callable[[str], Node]


def word(text: str, start: int, *, quoted: bool = False, end: int | None = None) -> Word:
    part = Part(kind=PartKind.LITERAL, text=text, quoted=quoted)
    return Word((part,), start, start + len(text) if end is None else end)


def run(*words: Word) -> Command:
    return Command((), words, (), words[0].start, words[-1].end)


def output(script: Node, start: int, end: int) -> Word:
    return Word((Part(kind=PartKind.COMMAND, script=script),), start, end)


def test_a_text_in_backquotes_is_read_as_a_text_of_its_own(script: Script) -> None:
    inner = run(word("c", 6))
    middle = run(word("b", 3), output(inner, 5, 8), word("d", 9))
    assert script("a `b \\`c\\` d`") == Command((), (word("a", 0), output(middle, 2, 13)), (), 0, 13)


def test_offsets_of_a_text_within_a_text_count_characters(script: Script) -> None:
    middle = run(word("é", 3), output(run(word("b", 7)), 5, 9))
    expected = Command((), (word("文", 0), output(middle, 2, 10), word("c", 11)), (), 0, 12)
    assert script("文 `é $(b)` c") == expected


def test_braces_may_stand_where_a_command_starts(script: Script) -> None:
    assert script("{a,b} c") == Command((), (word("a", 0, end=5), word("b", 0, end=5), word("c", 6)), (), 0, 7)
    assert script("x && {a,-b}") == script("x && {a,-b}")


@pytest.mark.parametrize(
    "text",
    [
        "if a; then {b,c}; fi",
        "while {b,c} d; do a; done",
        "{ {b,c}; }",
        "! {b,c}",
        "case a in a) {b,c};; esac",
        "`{b,c}`",
    ],
)
def test_braces_may_stand_behind_a_reserved_word(read: Callable[[str], Reading], text: str) -> None:
    reading = read(text)
    assert reading.script is not None
    assert reading.gaps == ()
    assert "@" not in repr(reading.script)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("{ { a; } }", "{ { a; };}"),
        ("{ { { a; }\t} }", "{ { { a; };};}"),
        ("{ { a & } } && b", "{ { a & };} && b"),
        ("if { a; } then b; fi", "if { a; };then b; fi"),
        ("if a; then if b; then c; fi fi", "if a; then if b; then c; fi;fi"),
        ("for i in 1; do { a; } done | b", "for i in 1; do { a; };done | b"),
        ("{ case a in a) b;; esac }", "{ case a in a) b;; esac;}"),
        ("f() { { a; } }", "f() { { a; };}"),
    ],
)
def test_a_compound_ends_without_a_separator(script: Script, text: str, same: str) -> None:
    assert script(text) == script(same)


@pytest.mark.parametrize("text", ["{ { a '; } }' \"; } }\"; } }", "{ { a; } } # ; } }"])
def test_an_end_in_quotes_is_none(script: Script, text: str) -> None:
    assert "; };}" not in repr(script(text))


@pytest.mark.parametrize(
    "text", ["{ { a; } b }", "{ { a; } } b", "{ a; } } }", "{ echo } }", "{ { a; } }b }", "{ (a) b; } }"]
)
def test_an_end_that_is_none_is_not_read_to_the_end(read: Callable[[str], Reading], text: str) -> None:
    assert read(text).status is not ReadingStatus.COMPLETE


@pytest.mark.parametrize("text", ['echo "\n{a,b}"', "echo '\n{a,b}'", "echo x '\n\\a' \"\n\\a\""])
def test_what_is_shown_to_the_parser_alone_never_turns_up_in_a_word(script: Script, text: str) -> None:
    node = script(text)
    assert isinstance(node, Command)
    written = "".join(found.literal or "" for found in node.words[1:])
    assert "@" not in written
    assert ",a" not in written
    assert "{a,b}" in written or "\\a" in written


def test_an_escaped_character_may_start_a_line(script: Script) -> None:
    node = script("a\n  \\b c")
    assert isinstance(node, Compound)
    assert node.parts == (
        run(word("a", 0)),
        Command((), (word("b", 4, quoted=True, end=6), word("c", 7)), (), 4, 8),
    )


@pytest.mark.parametrize("text", ["`a $(b`", "`a (`", "`a '`", "`a `b` c`'`"])
def test_backquotes_that_do_not_parse(read: Callable[[str], Reading], text: str) -> None:
    reading = read(f"echo {text}")
    assert reading.script is None or reading.gaps


def test_texts_stand_within_texts_to_a_stated_depth() -> None:
    def nested(levels: int) -> str:
        text = "ls"
        for level in range(levels):
            text = f"cat <<E{level}\n$({text}\n)\nE{level}"
        return text

    found = Findings()
    assert module.read(nested(2), Budget(), found) is not None
    assert found.gaps == []
    budget = Budget()
    budget.callbacks = budget.nodes = 10**9
    budget.until += 60
    assert module.read(nested(MOST_LEVELS + 1), budget, found) is not None
    assert "an expansion in a here-document" in {gap.why for gap in found.gaps}


def test_a_here_document_that_only_the_scanner_sees_is_a_gap(read: Callable[[str], Reading]) -> None:
    reading = read('"$(case x in esac) <<A"\nx\nA\n"')
    assert reading.script is None or {gap.why for gap in reading.gaps} & {
        "a here-document that the parser did not see",
        "a statement of a form that is not known (heredoc_redirect)",
    }


@pytest.mark.parametrize("text", ["[[ a <<< b ]]", "[[ a <> b ]]"])
def test_an_operator_that_only_the_scanner_sees_is_a_gap(read: Callable[[str], Reading], text: str) -> None:
    reading = read(text)
    assert reading.script is None or "a redirection that the parser did not see" in {gap.why for gap in reading.gaps}


@pytest.mark.parametrize("text", ["(", "a | | b", "if", "echo 'a", "${x"])
def test_none_for_what_does_not_parse(text: str) -> None:
    assert module.read(text, Budget(), Findings()) is None


def test_the_ways_out_of_a_reading() -> None:
    with pytest.raises(Unclear):
        module.read("cat <<E", Budget(), Findings())
    spent = Budget()
    spent.callbacks = 1
    with pytest.raises(OverBudget):
        module.read("a|" * 500 + "b", spent, Findings())
