"""Pushes: what overwrites or removes published history is denied, in every spelling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git push --help
""",
    "undecided": r"""
git push
git push -u origin topic
git push origin topic --tags
git push --force-with-lease origin topic
git push origin :
git push --dry-run --force
git push origin --delete topic
git push -d origin topic main-menu
git push origin :topic
git push origin :refs/heads/topic
git push origin --delete "$b"
git push origin "$b"
""",
    "deny": r"""
git push --force-with-lease --force origin topic
git push origin +topic
git push origin +HEAD:refs/heads/main
git push origin :main
git push origin :refs/heads/master
git push origin --delete main
git push -d origin topic develop
git push origin topic --delete release/1.2
git push --repo=origin -d production
git push --delete origin HEAD
git push origin -d trunk
git push --mirror
git push -uf origin main
git push --mirr origin
git push --force -- origin main
git -c http.proxy=x push -f
git --git-dir=x push -f
git send-pack --force host:x main
env git push -f
git push --prune origin
git push origin "+$b"
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
