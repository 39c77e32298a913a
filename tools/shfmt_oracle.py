"""What shfmt, an independent parser, sees in shell texts, and how that compares with a reading of ours.

shfmt only parses; nothing is ever run.  Many texts go through one process, because starting it
takes longer than parsing does: joined by newlines, and again in halves where it refuses that.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from phocinae.domain.shell import Command, Node, Reading, Word
from phocinae.domain.verdict import ReadingStatus

SHFMT = Path(sys.executable).with_name("shfmt")

DECLARED = frozenset(["export", "declare", "local", "readonly", "typeset"])
APART = {"TimeClause": "time", "LetClause": "let"}
"""What shfmt takes for a form of its own, and we for a program of that name."""

_MISREAD = re.compile(r"#.*\\\n|<<-?[ \t]*[^\s'\"\\]+['\"\\]|<<.*\$|['\"]#")
"""What it reads as no shell does: comments that end in a backslash, delimiters quoted in part, ``#`` behind a quote."""

Tree = dict[str, Any]

TOGETHER = 50
"""Texts that are parsed together at first; one that shfmt refuses costs a few more processes."""


def parsed(text: str) -> Tree | None:
    """Return what shfmt says of a text, or None where it does not parse for it."""
    if "\0" in text or "\r" in text or _MISREAD.search(text):
        return None
    done = subprocess.run([SHFMT, "--to-json"], input=text.encode(), capture_output=True, timeout=60, check=False)
    tree: Tree | None = json.loads(done.stdout) if done.returncode == 0 else None
    return tree


def parsed_together(texts: list[str]) -> list[Tree | None]:
    """Return what shfmt says of each of these texts, all of which must be whole: no open quote, no open document."""
    tree = parsed("\n".join(texts)) if len(texts) != 1 else None
    if tree is None:
        if len(texts) == 1:
            return [parsed(texts[0])]
        half = len(texts) // 2
        return parsed_together(texts[:half]) + parsed_together(texts[half:]) if texts else []
    found: list[Tree | None] = []
    statements, at, end = tree.get("Stmts") or [], 0, 0
    for text in texts:
        end += len(text.encode()) + 1
        first = at
        while at < len(statements) and statements[at]["Pos"]["Offset"] < end:
            at += 1
        found.append({"Stmts": statements[first:at]})
    return found


def compared(read: Callable[[str], Reading], texts: Iterable[str]) -> list[tuple[str, Tree, Reading]]:
    """Return every text that shfmt can parse and the reader reads without a gap, with what they say."""
    pairs = [(text, read(text)) for text in texts]
    pairs = [(text, reading) for text, reading in pairs if reading.status is ReadingStatus.COMPLETE]
    found: list[tuple[str, Tree, Reading]] = []
    for start in range(0, len(pairs), TOGETHER):
        batch = pairs[start : start + TOGETHER]
        trees = parsed_together([text for text, _ in batch])
        found += [(text, tree, reading) for (text, reading), tree in zip(batch, trees, strict=True) if tree is not None]
    return found


def everything(node: Any) -> Iterator[Tree]:
    """Yield every object of the tree."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from everything(value)
    elif isinstance(node, list):
        for value in node:
            yield from everything(value)


def literal(word: Tree) -> str | None:
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
    """Return the command of a statement, or the first one of a pipeline or list, behind any ``time``."""
    command = statement["Cmd"]
    while command["Type"] == "BinaryCmd" or (command["Type"] == "TimeClause" and command.get("Stmt")):
        command = command["X" if command["Type"] == "BinaryCmd" else "Stmt"]["Cmd"]
    return command


def calls(tree: Any) -> Iterator[list[str | None]]:
    """Yield the words of each simple command, None for a word that is not literal; ``time`` belongs to its command."""
    timed = [node for node in everything(tree) if node.get("Type") == "TimeClause" and node.get("Stmt")]
    kept: dict[int, list[str]] = {}
    for node in timed:
        kept.setdefault(id(leftmost(node["Stmt"])), []).extend(["time", *["-p"] * node.get("PosixFormat", False)])
    for node in everything(tree):
        if node.get("Type") == "CallExpr" and node.get("Args"):
            before: list[str | None] = [*kept.get(id(node), [])]
            if before and node.get("Assigns"):
                before.append(None)  # our words of ``time``
            yield [*before, *(literal(word) for word in node["Args"])]


def below(node: Node) -> Iterator[Node | Word]:
    """Yield a node of our model and all nodes and words in it."""
    yield node
    words = list(node.words)
    if isinstance(node, Command):
        words += [word for assignment in node.assignments for word in assignment.words]
    else:
        for part in node.parts:
            yield from below(part)
    words += [redirection.target for redirection in node.redirections]
    while words:
        word = words.pop()
        yield word
        for found in word.parts:
            words += found.words
            if found.script is not None:
                yield from below(found.script)


def commands(reading: Reading) -> list[Command]:
    """Return all simple commands of a reading."""
    return [] if reading.script is None else [node for node in below(reading.script) if isinstance(node, Command)]


def programs(reading: Reading) -> set[str]:
    """Return the names of all programs that a reading shows, where they are literal."""
    firsts = [next((word for word in command.words if word.parts), None) for command in commands(reading)]
    return {first.literal for first in firsts if first is not None and first.literal is not None}


def missing(tree: Tree, reading: Reading) -> list[object]:
    """Return programs, and commands of literal words, that shfmt sees and the reading does not show."""
    names: list[object] = [*sorted({call[0] for call in calls(tree) if call[0]} - programs(reading))]
    ours = {tuple(word.literal for word in command.words) for command in commands(reading)}
    return names + sorted({tuple(map(str, call)) for call in calls(tree) if None not in call} - ours)


def surplus(tree: Tree, reading: Reading) -> list[str]:
    """Return programs that the reading shows and shfmt does not see; none where a name is not literal for shfmt."""
    theirs = {call[0] for call in calls(tree)}
    if None in theirs:
        return []
    apart = {APART.get(node.get("Type", "")) for node in everything(tree)}
    return sorted(programs(reading) - {str(name) for name in theirs} - DECLARED - apart)
