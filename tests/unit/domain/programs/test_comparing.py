"""Verdicts on commands of the family ``comparing``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "md5sum f",
    "sha256sum *.tar.gz",
    "sha256sum -c SHA256SUMS",
    "shasum -a 256 f.zip",
    "cksum f",
    "b2sum f",
    "diff -u a.py b.py",
    "diff -r dir1 dir2",
    "diff -rq dir1 dir2",
    "diff --color=always -y a b",
    "diff <(ls a) <(ls b)",
    "diff -U 5 a b",
    "diff -ruN old new",
    "colordiff -u a b",
    "cmp -l a b",
    "diff3 a b c",
    "sdiff -s a b",
    "diff -y --suppress-common-lines a b",
    "diff --brief -r a b",
    "diff -u <(git show HEAD:x) x",
    "diff <(jq -S . a.json) <(jq -S . b.json)",
    "diff -rq . ../other",
    "diff -r src ../other/src",
    "wdiff a.txt b.txt",
    "icdiff -N a.py b.py",
    "diff *.txt",
]
UNDECIDED = [
    "sdiff -o out a b",
]
ASKED = [
    "diff .env /dev/null",
    "diff .env .env.example",
    "cmp .env x",
    "sdiff --diff-program=./x a b",
    "diff3 --diff-program=./x a b c",
    "md5sum .env",
    "sha256sum ~/.ssh/id_rsa",
    'diff "$a" "$b"',
    "diff -r . ../other",
    "diff -rN /var/empty .",
    "diff -r ~ /mnt/backup",
    "wdiff .env a.txt",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
