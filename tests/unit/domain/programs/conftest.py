"""What the tests of the program families share: one judge, and a word for its answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Verdict


@pytest.fixture(scope="session")
def judged() -> Callable[[str], str]:
    """A function that returns allow, deny, undecided, or undecided-ask where a later layer may at most ask."""
    judge = OfflineJudge(TreeSitterReader())

    def answer(command: str) -> str:
        found = judge(GateRequest(command))
        if isinstance(found, Verdict):
            return found.decision.wire
        return "undecided" if found.ceiling is Decision.ALLOW else "undecided-ask"

    return answer
