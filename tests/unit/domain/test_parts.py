"""The parts of a command: every simple command of the text, with what the hits make of it."""

from __future__ import annotations

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.parts import PartVerdict, parts
from phocinae.domain.verdict import Hit, Weight

READER = TreeSitterReader()


def found(command: str, *hits: Hit) -> list[tuple[str, str]]:
    """Return each part's text and word."""
    return [(command[part.start : part.end], part.word) for part in parts(READER.read(command).script, hits)]


def hit(start: int, end: int, weight: Weight) -> Hit:
    return Hit(rule="r", weight=weight, reason="why", start=start, end=end)


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("ls", ["ls"]),
        ("ls -l && pwd | wc", ["ls -l", "pwd", "wc"]),
        ("for f in $(ls); do cat $f; done", ["ls", "cat $f"]),
        ('echo "$(date)" `id`', ['echo "$(date)" `id`', "date", "id"]),
        ("x=$(a) b", ["x=$(a) b", "a"]),
        ("echo ${x:-$(a)} > >(b)", ["echo ${x:-$(a)} > >(b)", "a", "b"]),
        ("f() { a; }; { b; }; (c)", ["a", "b", "c"]),
        ("if a; then b; else c; fi > $(d)", ["a", "b", "c", "d"]),
        ("[[ -n $(a) ]]", ["a"]),
        ("case $(a) in x) b;; esac", ["a", "b"]),
        ("cat <<E\n$(a)\nE", ["cat <<E", "a"]),
    ],
)
def test_every_simple_command_is_a_part(command: str, texts: list[str]) -> None:
    assert [text for text, _ in found(command)] == texts


def test_a_part_is_as_strict_as_its_heaviest_hit() -> None:
    hits = [hit(4, 6, Weight.NOTE), hit(8, 9, Weight.UNSURE), hit(9, 10, Weight.PERSON), hit(12, 13, Weight.DENY)]
    assert found("aa; bb; cc; dd", *hits) == [("aa", "allow"), ("bb", "allow"), ("cc", "ask"), ("dd", "deny")]


def test_a_command_is_at_least_as_strict_as_what_its_words_run() -> None:
    assert found("echo $(rm x)", hit(10, 11, Weight.UNSURE)) == [("echo $(rm x)", "undecided"), ("rm x", "undecided")]
    assert found("cat <<E; ls\n`rm x`\nE", hit(16, 17, Weight.DENY)) == [
        ("cat <<E", "deny"),
        ("ls", "allow"),
        ("rm x", "deny"),
    ]


def test_a_text_that_was_not_read_has_no_parts() -> None:
    assert parts(None, [hit(0, 1, Weight.DENY)]) == ()
    assert parts(READER.read("ls").script, []) == (PartVerdict(0, 2, "allow"),)
