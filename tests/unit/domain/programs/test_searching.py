"""Verdicts on commands of the family ``searching``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "grep foo f.txt",
    'grep -rn "foo bar" --include="*.py" .',
    "grep -E 'a|b' f",
    "grep -v '^#' f.conf",
    "grep -A3 -B3 foo f",
    "grep -C 5 foo f",
    "grep -5 foo f",
    "grep -oP '(?<=x)\\d+' f",
    "grep -rl foo . | wc -l",
    "grep -rnI foo . --exclude-dir=node_modules --exclude-dir=.git",
    "grep -e foo -e bar f",
    "grep -q foo f && echo yes",
    "grep -c '' f",
    "grep --color=auto -n foo f",
    "grep -i 'error\\|warn' /var/log/syslog",
    "grep -nr 'TODO' src/ | head -20",
    "grep foo *",
    "grep foo *.json",
    "grep -l foo *.txt",
    "egrep -v 'x|y' f",
    "fgrep 'a.b' f",
    "zgrep error log.gz",
    "rg -n foo",
    "rg foo src tests",
    "rg -tpy 'def '",
    "rg -g '!*.lock' foo",
    "rg --files -g '*.ts'",
    "rg -uu foo",
    "rg -l foo",
    "rg -c foo",
    "rg -A 3 foo",
    "rg -o 'v\\d+' --no-filename",
    "rg --type-list",
    "rg -i --hidden foo",
    "rg 'fn main' --type rust -n",
    "rg -U 'a\\nb'",
    "rg -e foo -e bar",
    "rg --json foo",
    "rg foo | head",
    "ag foo",
    "ag -l foo",
    "ack foo",
    "rg --files | xargs wc -l",
    "rg --files -g '*.py' | xargs cat",
    "grep -rl foo src --include='*.py' | xargs grep -n bar",
    "rg foo -g '*.py' -l | xargs cat",
    "rg -l foo | xargs wc -l",
    "rg -tpy -l foo src | xargs cat",
    "grep -L foo *.py | xargs cat",
    'grep foo "$file"',
    'grep "$pattern" src/main.py',
    "grep $pattern src",
]
UNDECIDED = [
    "ack --py foo",
    "rg -z foo",
    "rg --search-zip foo",
    "rg --config foo",
    "ack --output='`id`' foo",
    "ack --ackrc=x foo",
]
ASKED = [
    "rg -l foo src | xargs sed -n 1p",
    "grep -rl foo src | xargs cat",
    "grep KEY .env",
    "grep -r KEY ~/.ssh",
    "grep -r KEY ~/.aws",
    "grep . .env",
    "grep -r '' .",
    "grep -rv xyz .",
    "grep -r password ~",
    "grep -rh '.*' ..",
    "grep -f .env f",
    "grep -r KEY --include=.env .",
    "grep -r KEY --include='*.pem' .",
    "grep -r KEY --include='.env*' .",
    "grep KEY .env*",
    "grep KEY *.pem",
    'grep . "$f"',
    "rg --pre cat foo",
    "rg --hostname-bin=./x foo",
    "rg . ~/.ssh",
    "rg KEY .env",
    "rg -g '.env' KEY",
    "rg -g '.{env,x}' KEY",
    "rg '' --hidden",
    "ag --pager ./x foo",
    "ack --pager=./x foo",
    "rg -l foo src | xargs cat",
]
DENIED = [
    "rg --pre='rm -rf /' foo",
    "rg --files | xargs rm -rf",
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
