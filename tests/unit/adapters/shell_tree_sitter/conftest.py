"""What the tests of the reader share: one reader, and what a reading shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters.shell_tree_sitter import simple
from phocinae.adapters.shell_tree_sitter.reader import parsed
from phocinae.domain.shell import EVALUATED, Command, Node, PartKind, Reading, Word
from phocinae.domain.verdict import ReadingStatus
from shfmt_oracle import below, commands, programs


@pytest.fixture(scope="session")
def read() -> Callable[[str], Reading]:
    """The function under test, by way of the parser; what is read without one as well is to say the same."""

    def by_parser(text: str) -> Reading:
        found, quick = parsed(text), simple.read(text)
        assert quick is None or found.script is None or found == Reading(status=ReadingStatus.COMPLETE, script=quick)
        return found

    return by_parser


@pytest.fixture(scope="session")
def script(read: Callable[[str], Reading]) -> Callable[[str], Node]:
    """A function that returns the commands of a text that every shell must read without a gap in the same way."""

    def complete(text: str) -> Node:
        reading = read(text)
        assert reading.gaps == reading.differences == ()
        assert reading.status is ReadingStatus.COMPLETE
        assert reading.script is not None
        return reading.script

    return complete


@pytest.fixture(scope="session")
def words(script: Callable[[str], Node]) -> Callable[[str], tuple[Word, ...]]:
    """A function that returns the words of a text that is one simple command and read without a gap."""

    def of_command(text: str) -> tuple[Word, ...]:
        node = script(text)
        assert isinstance(node, Command)
        return node.words

    return of_command


@pytest.fixture(scope="session")
def whys(read: Callable[[str], Reading]) -> Callable[[str], set[str]]:
    """A function that returns the reasons of all gaps and differences of a text that parses."""

    def reasons(text: str) -> set[str]:
        reading = read(text)
        assert (reading.status is ReadingStatus.UNKNOWN) == bool(reading.gaps)
        assert reading.script is not None
        return {gap.why for gap in reading.gaps + reading.differences}

    return reasons


@pytest.fixture(scope="session")
def everything() -> Callable[[Reading], list[Node | Word]]:
    """A function that returns all commands, compounds and words of a reading."""
    return lambda reading: [] if reading.script is None else list(below(reading.script))


@pytest.fixture(scope="session")
def shown() -> Callable[[Reading], set[str]]:
    """A function that returns the names of all programs that a reading shows, where they are literal."""
    return programs


@pytest.fixture(scope="session")
def named_by_expansion() -> Callable[[Reading], bool]:
    """A function that tells whether the name of some program of a reading is not literal, so that a judge sees it."""

    def found(reading: Reading) -> bool:
        return any(command.words and command.words[0].literal is None for command in commands(reading))

    return found


@pytest.fixture(scope="session")
def evaluates() -> Callable[[Reading], bool]:
    """A function that tells whether a reading shows that the shell evaluates a variable, so that a judge sees it."""

    def found(reading: Reading) -> bool:
        nodes = [] if reading.script is None else list(below(reading.script))
        parts = [part for node in nodes if isinstance(node, Word) for part in node.parts]
        return any(part.kind is PartKind.ARITHMETIC or part.operator == EVALUATED for part in parts)

    return found


@pytest.fixture(scope="session")
def corpus(root: Path) -> Callable[[str], list[dict[str, str]]]:
    """A function that returns the entries of a file of the corpus."""

    def entries(name: str) -> list[dict[str, str]]:
        lines = (root / "tests" / "corpus" / name).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    return entries
