"""Verdicts on commands of the family ``reading``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "cat -n main.py",
    "cat -A f.txt",
    "cat a.txt b.txt | sort | uniq",
    "cat /etc/hosts",
    "cat /proc/cpuinfo",
    "cat /proc/meminfo | head -5",
    "cat package.json | jq .version",
    "cat < README.md",
    "cat -- README.md",
    "tac log.txt | head",
    "nl README.md",
    "head README.md",
    "head -n 20 src/*.py",
    "head -n -5 f.txt",
    "head -c 1K f.bin",
    "head -20 README.md",
    "tail -f app.log",
    "tail -n 100 app.log",
    "tail -n +10 f.txt",
    "tail -20 app.log",
    "tail -F app.log",
    "less +G app.log",
    "less -N src/main.py",
    "less +/pattern f.txt",
    "more README.md",
    "bat src/main.rs",
    "bat -p --line-range 10:20 src/main.rs",
    "bat --style=plain --paging=never README.md",
    "batcat -A x",
    "strings -n 8 bin | grep foo",
    "od -A x -t x1z -v file | head",
    "xxd -l 64 file",
    "xxd -s 16 -l 32 file",
    "hexdump -C file | head -5",
    "zcat access.log.gz | grep 500",
    "zless x.gz",
    "xzcat x.xz | wc -l",
    "cat a | grep -v x | sort | uniq -c | sort -rn | head -5",
    "cat .env.example",
    "cat .env.sample .env.template",
    "cat *.md",
    "cat docs/*.txt",
    "cat config/*.yml",
    "head -3 *.py",
    'cat "$(which foo)"',
]
UNDECIDED = [
    "less -o log f",
    "less '+!id' f",
    "less -k keys f",
    "less +v f",
    "bat cache --build",
    "head -5c .env",
    "tail -5c .env",
    "xxd a b",
]
ASKED = [
    "more +/x .env",
    "bat --pager ./x f",
    "head -c 100 .env",
    "cat *",
    "cat .*",
    "cat */*",
    "cat ~/.ssh/*",
    'cat "$f"',
    "cat $f",
    "cat /proc/self/environ",
    "cat ~/.bash_history",
    "strings ~/.ssh/id_rsa",
    "xxd .env",
    "od -c id_rsa",
    "nl .env",
    "tac .env",
    "zcat .env",
    "cat src/.env.production",
    "cat *.json",
    "cat id_*",
    'tail -n 5 "$LOG"',
]
DENIED = [
    "less -O/etc/x f",
    "bat --pager='rm -rf /' f",
    "xxd -r a /etc/x",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
