"""Verdicts on commands of the family ``listing``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "ls -lah --color=never src",
    "ls -ld .",
    "ls -1 | wc -l",
    "ls -lt | head -20",
    "ls --sort=time -r",
    "ls -alhS /var/log",
    "ls -la src/*.py",
    "ls *.md",
    'ls "$dir"',
    "ls -d */",
    "ls /etc",
    "ls -laR . | grep foo",
    "ls -la 2>/dev/null || echo none",
    "dir",
    "vdir -a",
    "tree -L 2 -I 'node_modules|.git'",
    "tree -d -L 3 --dirsfirst",
    "tree -aC src",
    "tree --du -h",
    "du -h --max-depth=1 | sort -hr",
    "du -sh node_modules",
    "du -a . | sort -n -r | head -n 10",
    "du -d 1 -h",
    "df -h",
    "df -h .",
    "df -i /",
    "stat -c '%s %n' *.py",
    "stat -f %z file",
    "stat README.md",
    "file src/*",
    "file -b --mime-type logo.png",
    "readlink -f $(which python3)",
    "realpath .",
    "realpath --relative-to=. src/x",
    'basename "$0"',
    "basename path/to/file.txt .txt",
    "dirname src/a/b.c",
    "pwd",
    "pwd -P",
    "which -a python python3",
    "which node npm yarn",
    "whereis -b gcc",
    "eza -la --git",
    "eza --tree --level=2",
    "lsd -la",
    "ls --almost-all",
    "ls -la --time-style=long-iso",
    "ls -l | awk '{print $5, $9}'",
    "tree --gitignore",
    "du -csh *",
    "stat --format=%s f",
    "file --mime-type -b f",
    "readlink -f /proc/self/exe",
    "df -hT",
    "df -h --output=pcent /",
    "which -a python | head -1",
    "ls -la | grep -v node_modules | head",
    "ls -t | head -1",
    "du -sh .[!.]* *",
    "ls -d .*",
    "ls *.py | xargs cat",
    "ls -1 *.md | xargs wc -l",
    "ls $dir",
    'stat "$f"',
    "tree --fromfile list.txt",
    "ls | head -3 | xargs wc -l",
]
UNDECIDED = [
    "tree -o out.html",
    "tree -R -L 1 -H .",
    "file -C -m magic",
    'du -sh "$d"',
    'file "$f"',
    "ls | grep tmp | xargs rm -rf",
    "ls -t | tail -n +6 | xargs rm -rf",
]
ASKED = [
    "ls | xargs cat",
    "ls env:",
    "du --files0-from=.env",
    "file -f .env",
    "locate -d .env x",
    "ls -l | xargs cat",
    "ls src | xargs -I{} cat src/{}",
    "tree --fromfile .env",
]
DENIED = [
    "ls | xargs rm -rf",
    "ls | sort | xargs rm -rf",
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
