"""What the tests of the domain share: one judge over the real reader, and ways to look at its answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Dialect, Node
from phocinae.domain.verdict import Decision, Hit, Verdict


@pytest.fixture(scope="session")
def offline() -> OfflineJudge:
    """The offline judge with its default settings."""
    return OfflineJudge(TreeSitterReader())


def answering(judge: OfflineJudge) -> Callable[..., str]:
    """Return a function that returns allow, deny, undecided, or undecided-ask where a later layer may at most ask."""

    def answer(command: str, cwd: str | None = None) -> str:
        found = judge(GateRequest(command, cwd))
        if isinstance(found, Verdict):
            return found.decision.wire
        return "undecided" if found.ceiling is Decision.ALLOW else "undecided-ask"

    return answer


@pytest.fixture(scope="session")
def judged(offline: OfflineJudge) -> Callable[..., str]:
    """The answers of the offline judge with its default settings."""
    return answering(offline)


@pytest.fixture(scope="session")
def judged_cmd() -> Callable[..., str]:
    """The answers of an offline judge whose commands are for cmd."""
    return answering(OfflineJudge(TreeSitterReader(), dialect=Dialect.CMD))


@pytest.fixture(scope="session")
def hits(offline: OfflineJudge) -> Callable[[str], tuple[Hit, ...]]:
    """A function that returns the hits on a command, the heaviest first."""
    return lambda command: offline(GateRequest(command)).hits


@pytest.fixture(scope="session")
def rules(offline: OfflineJudge) -> Callable[[str], set[str]]:
    """A function that returns the rules that a command hits."""
    return lambda command: {hit.rule for hit in offline(GateRequest(command)).hits}


@pytest.fixture(scope="session")
def script() -> Callable[[str], Node]:
    """A function that returns what a text says; the text must be readable."""

    def read(text: str) -> Node:
        found = TreeSitterReader().read(text).script
        assert found is not None, text
        return found

    return read
