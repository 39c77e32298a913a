"""Verdicts on the programs of `phocinae.domain.programs.testing_more`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
gotestsum --packages './a ./b'
behave
behave --tags=@fast features/a.feature
behave -f progress
cucumber --dry-run
nose2 -v
prove -l t
prove -lr -j4
gotestsum
gotestsum --format testname ./...
gotestsum -- -run TestX ./...
ginkgo -r
ginkgo -r -v --focus='parses' ./pkg
ginkgo run ./...
""",
    "undecided": r"""
gotestsum --packages='-exec=./evil ./...'
gotestsum --packages './... -exec ./evil'
behave -f evil.module:Class
behave -o out.txt
behave --junit
behave /tmp/x
cucumber -r ./evil.rb
cucumber --format ./evil.js
nose2 --plugin evil
prove -e ./evil t
prove -MEvil t
prove /tmp/x.t
gotestsum --junitfile x.xml
gotestsum -- -coverprofile=c.out ./...
gotestsum tool slowest --skip-stmt x
ginkgo bootstrap
ginkgo generate x
ginkgo -r --output-dir=x
ginkgo -r -- -evil
ginkgo /tmp/x
""",
    "undecided-ask": r"""
gotestsum -- -exec ./evil ./...
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
