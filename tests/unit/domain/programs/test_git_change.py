"""Subcommands of git that change something, in the forms that only say what they would do and in all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git apply --check fix.patch
git apply --stat fix.patch
git clean -n
git clean -nfd
git add -n .
git add --dry-run -A
git commit --dry-run
git commit --dry-run -v
git commit --help
""",
    "undecided": r"""
git difftool
git reset
git checkout .
git checkout -b topic
git switch -c topic
git restore --staged x
git rm x
git clean -fdx
git gc
git update-ref -d refs/heads/x
git replace a b
git merge-tree a b
git clean
git apply fix.patch
git apply --stat --apply fix.patch
git add -n -e
git request-pull v1.0 https://example.com/x.git main
git add --dry-run --patch
git commit --dry-run -p
git commit --dry-run --interactive
""",
    "undecided-ask": r"""
git filter-branch --tree-filter ./x HEAD
git request-pull v1.0 'ext::sh -c id' main
""",
    "deny": r"""
git -C / clean -fdx
cd ~ && git clean -fd
git rebase -x 'rm -rf ~' HEAD~2
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
