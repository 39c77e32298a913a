"""The global options of git, and calls that no subcommand explains."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git -v
git
git --exec-path
git --help
git --git-dir=.git status
GIT_PAGER=cat git log -3
PAGER=cat git diff
env GIT_PAGER= git log
git --git-dir ./.git log
""",
    "undecided": r"""
git unknowncmd
GIT_PAGER=less git log
git "$sub"
""",
    "undecided-ask": r"""
git --git-dir=./evil.git status
git --git-dir evil/.git --work-tree=. diff
git --git-dir="$x" log
git --git-dir=../.git grep x
git --bare log
git --bare -C evil.git status
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
