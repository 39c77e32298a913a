"""What git prints, as words of other commands: by substitution and by xargs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git ls-files 'src/*.py' | xargs wc -l
git ls-files '*.py' | xargs grep -n TODO
git ls-files | xargs cat
x=$(git rev-parse HEAD); git show "$x"
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
""",
    "undecided-ask": r"""
git ls-files -o | xargs cat
git ls-files '*.env' | xargs cat
cat $(git rev-parse id_rsa)
git show $(git rev-parse 'HEAD:.env')
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
