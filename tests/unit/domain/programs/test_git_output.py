"""What git prints, as words of other commands: by substitution and by xargs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git ls-files 'src/*.py' | xargs wc -l
git ls-files '*.py' | xargs grep -n TODO
git ls-files | xargs cat
git ls-files -z '*.py' | xargs -0 grep -n TODO
git ls-files -z '*.md' | xargs -0 cat
x=$(git rev-parse HEAD); git show "$x"
git describe --tags "$(git rev-list --tags --max-count=1)"
git show --stat $(git log -1 --format=%H -- src)
git log --format=%H -3 | xargs -n1 git show --stat
test "$(git rev-list --count HEAD)" -gt 5
git diff $(git merge-base main HEAD)
git diff "$(git merge-base origin/main HEAD)"..HEAD --stat
""",
    "undecided": r"""
git ls-files | xargs rm
git ls-files | xargs sh
git log $(git describe --tags --abbrev=0)..HEAD
git log $(git rev-parse 'HEAD --output=x')
git log $(git rev-parse --abbrev-ref 'HEAD --output=x')
git log x$(git describe --dirty=' --output=x')
git rev-list --objects HEAD | xargs git show --stat
""",
    "undecided-ask": r"""
git ls-files -o | xargs cat
git ls-files '*.env' | xargs cat
git ls-files -z '*.env' | xargs -0 cat
cat $(git rev-parse id_rsa)
git show $(git rev-parse 'HEAD:.env')
git show $(git log -1 --format=%s)
git show $(git rev-list -1 --boundary a..b)
git show "$(git rev-list -n 1 HEAD):.env"
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
