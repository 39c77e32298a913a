"""Verdicts on the programs of `phocinae.domain.programs.linting_more`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
rubocop app lib
rubocop --parallel
golangci-lint run
gofmt -l ./cmd
gofmt -s -d .
phpstan analyse
ktlint
swiftlint
rubocop
rubocop -f json app
phpstan analyse src --level=5
golangci-lint run ./...
staticcheck ./...
gofmt -l .
gofmt -d main.go
rustfmt --check src/main.rs
clang-format --dry-run -Werror x.c
cppcheck --enable=all src
tflint
phpcs --standard=PSR12 --report=summary src
taplo fmt --check
vale docs
vale --output=JSON docs
golangci-lint run -c .golangci.yml
rubocop --config .rubocop.yml
phpstan analyse -c phpstan.neon
phpcs --standard=phpcs.xml src
clang-format --style=file --dry-run a.c
clang-tidy -p build a.c
""",
    "undecided": r"""
rubocop -a
rubocop -x
rubocop -s /tmp/x/a.rb
golangci-lint run /tmp/x/...
brakeman /tmp/x
rubocop -f Evil::Formatter
golangci-lint run --fix
gofmt -w .
rustfmt src/main.rs
clang-format -i x.c
clang-tidy a.c -- -Xclang -load -Xclang ./evil.so
phpcs --standard=./evil src
phpcs --report=./evil.php src
taplo fmt
vale sync
vale --output=./x.tmpl docs
golangci-lint run -c /tmp/x/.golangci.yml
phpcs --standard=../phpcs.xml src
ktlint installGitPreCommitHook
ktlint generateEditorConfig
clang-format @args.txt
clang-tidy @args.txt
clang-tidy -p /tmp/x a.c
""",
    "undecided-ask": r"""
clang-format --style=file:.env a.c
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
