"""The tree is evidence and not truth: whatever the parser leaves out or calls by another name, no program gets lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from phocinae.adapters.shell_tree_sitter import reader, script
from phocinae.adapters.shell_tree_sitter.tree import Budget, SyntaxNode, parse
from phocinae.domain.shell import Reading
from phocinae.domain.verdict import ReadingStatus

Tamper = Callable[[SyntaxNode, int], None]

TEXTS = [
    "cnry a; b",
    "a; cnry b\n# c\nd",
    "a && cnry || b &",
    "a | cnry -x 2>f | b",
    "! cnry a",
    "(a; cnry) >f",
    "{ cnry; } 2>&1",
    "if a; then cnry; elif b; then c; else d; fi",
    "while cnry; do a; done <f",
    "for i in $(cnry) b; do a; done",
    "for ((i=0; i<$(cnry); i++)); do a; done",
    "case $(cnry) in a|b) c;; *) d;; esac",
    "case a in b) cnry;; esac",
    "f() { cnry a; }",
    'a "$(cnry b)" c',
    'a "b `cnry` $x"',
    "a `cnry \\`b\\`` c",
    "a ${x:-$(cnry)} ${y#*/}",
    "a $((1 + $(cnry)))",
    "((x = $(cnry)))",
    "[[ -n $(cnry) && a == b ]]",
    '[ "$(cnry)" = a ]',
    "A=$(cnry) B=(1 $(c)) d",
    "export A=$(cnry) B",
    ">f <g cnry",
    "a > $(cnry) 2>&1",
    "diff <(cnry a) >(b)",
    "cat <<E\n$(cnry)\n`a` ${x}\nE\n",
    "a <<<$(cnry) b",
    "a '$(b)' \\$ $'c' \"d\" {e,f}; cnry",
]


def nodes(root: SyntaxNode) -> Iterator[tuple[SyntaxNode, int]]:
    """Yield each node of a tree but the root as its parent and its place there."""
    for place, child in enumerate(root.children):
        yield root, place
        yield from nodes(child)


def leave_out(parent: SyntaxNode, place: int) -> None:
    """Take a node out of the tree, and all below it."""
    del parent.children[place]


def rename(parent: SyntaxNode, place: int) -> None:
    """Give a node a kind that nobody knows."""
    parent.children[place].kind = "mystery"


def empty(parent: SyntaxNode, place: int) -> None:
    """Take away what is below a node."""
    parent.children[place].children.clear()


def cut_short(parent: SyntaxNode, place: int) -> None:
    """Let a node end, with all that is at its end, at most one byte behind its start."""
    node = parent.children[place]
    end = node.start + 1
    pending = [node]
    while pending:
        found = pending.pop()
        found.end = min(found.end, end)
        found.start = min(found.start, end)
        pending.extend(found.children)


def truncated(parent: SyntaxNode, place: int) -> None:
    """Take away what stands behind a node in its parent."""
    del parent.children[place + 1 :]


@pytest.mark.parametrize("tamper", [leave_out, rename, empty, cut_short, truncated])
@pytest.mark.parametrize("text", TEXTS)
def test_no_program_gets_lost(
    text: str,
    tamper: Tamper,
    shown: Callable[[Reading], set[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "cnry" in shown(reader.parsed(text))
    seen: list[bytes] = []
    number = done = 0

    def tampered(data: bytes, budget: Budget) -> SyntaxNode | None:
        nonlocal done
        root = parse(data, budget)
        if root is not None and not seen:
            places = list(nodes(root))
            tamper(*places[number])
            done = number + 1 == len(places)
        seen.append(data)
        return root

    monkeypatch.setattr(script, "parse", tampered)
    readings = []
    while not done:
        seen.clear()
        readings.append(reader.parsed(text))
        number += 1
    lost = [found for found in readings if found.status is ReadingStatus.COMPLETE and "cnry" not in shown(found)]
    assert lost == []
    assert any(found.status is not ReadingStatus.COMPLETE for found in readings)
