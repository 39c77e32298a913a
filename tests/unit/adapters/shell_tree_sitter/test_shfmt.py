"""The reader beside shfmt, an independent parser: what that sees, this must see or not vouch for the text.

shfmt only parses; nothing of the corpus is ever run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from phocinae.domain.shell import Command, Node, Reading, Word
from phocinae.domain.verdict import ReadingStatus

Corpus = Callable[[str], list[dict[str, str]]]
Read = Callable[[str], Reading]
Shown = Callable[[Reading], set[str]]

FILES = {
    "corpus.jsonl": "command",
    "field_reports.jsonl": "command",
    "markers.jsonl": "statement",
    "valid.jsonl": "command",
}

SHFMT = Path(sys.executable).with_name("shfmt")

DECLARED = frozenset(["export", "declare", "local", "readonly", "typeset"])
APART = {"TimeClause": "time", "LetClause": "let"}
"""What shfmt takes for a form of its own, and we for a program of that name."""


def parsed(text: str) -> Any:
    """Return what shfmt says of a text, or None where it does not parse for it."""
    if "\0" in text or "\r" in text or "#\\\n" in text:
        return None  # it takes the first two away, and joins a comment to the line behind it
    done = subprocess.run([SHFMT, "--to-json"], input=text.encode(), capture_output=True, timeout=20, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def everything(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the tree."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from everything(value)
    elif isinstance(node, list):
        for value in node:
            yield from everything(value)


def literal(word: dict[str, Any]) -> str | None:
    """Return the value of a word of plain and quoted text, or None where that takes a rule of its own."""
    value = ""
    for part in word.get("Parts", ()):
        text = part.get("Value", "")
        if (part["Type"] == "Lit" and not any(mark in text for mark in "\\*?[]{}~")) or (
            part["Type"] == "SglQuoted" and not part.get("Dollar")
        ):
            value += text
        elif part["Type"] == "DblQuoted" and not part.get("Dollar"):
            inner = literal(part)
            if inner is None:
                return None
            value += inner
        else:
            return None
    return value


def leftmost(statement: Any) -> Any:
    """Return the command of a statement, or the first one of a pipeline or list."""
    command = statement["Cmd"]
    while command["Type"] == "BinaryCmd":
        command = command["X"]["Cmd"]
    return command


def calls(tree: Any) -> Iterator[list[str | None]]:
    """Yield the words of each simple command, None for a word that is not literal; ``time`` belongs to its command."""
    timed = [node for node in everything(tree) if node.get("Type") == "TimeClause" and node.get("Stmt")]
    kept = {id(leftmost(node["Stmt"])): ["time", *["-p"] * node.get("PosixFormat", False)] for node in timed}
    for node in everything(tree):
        if node.get("Type") == "CallExpr" and node.get("Args"):
            yield [*kept.get(id(node), []), *(literal(word) for word in node["Args"])]


@pytest.fixture(scope="module")
def both(corpus: Corpus, read: Read) -> list[tuple[str, Any, Reading]]:
    """Every text that both read, shfmt in any way and the reader without a gap, with what they say."""
    texts = {entry[field] for name, field in FILES.items() for entry in corpus(name)}
    readings = [(text, read(text)) for text in sorted(texts)]
    complete = [(text, reading) for text, reading in readings if reading.status is ReadingStatus.COMPLETE]
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(lambda pair: parsed(pair[0]), complete))
    pairs = zip(complete, trees, strict=True)
    found = [(text, tree, reading) for (text, reading), tree in pairs if tree is not None]
    assert len(found) > 1_000
    return found


def test_every_program_that_shfmt_sees_is_seen(both: list[tuple[str, Any, Reading]], shown: Shown) -> None:
    missing = []
    for text, tree, reading in both:
        names = {call[0] for call in calls(tree) if call[0]} - shown(reading)
        missing += [(text, sorted(names))] if names else []
    assert missing == []


def test_every_literal_command_that_shfmt_sees_has_the_same_words(
    both: list[tuple[str, Any, Reading]], everything: Callable[[Reading], list[Node | Word]]
) -> None:
    missing = []
    for text, tree, reading in both:
        commands = [node for node in everything(reading) if isinstance(node, Command)]
        ours = {tuple(word.literal for word in command.words) for command in commands}
        theirs = {tuple(call) for call in calls(tree) if None not in call}
        missing += [(text, sorted(theirs - ours))] if theirs - ours else []
    assert missing == []


def test_no_program_is_seen_that_shfmt_does_not_see(both: list[tuple[str, Any, Reading]], shown: Shown) -> None:
    surplus = []
    for text, tree, reading in both:
        theirs = {call[0] for call in calls(tree)}
        if None in theirs:
            continue
        apart = {APART.get(node.get("Type", "")) for node in everything(tree)}
        extra = shown(reading) - {str(name) for name in theirs} - DECLARED - apart
        surplus += [(text, sorted(extra))] if extra else []
    assert surplus == []
