"""Verdicts on pipelines and substitutions: what filters hand on, and words that are not known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "echo hello | tr a-z A-Z",
    "echo 1024 | numfmt --to=iec",
    "echo aGk= | base64 -d",
    "echo hi | base64",
    "echo '{\"a\":1}' | jq .a",
    "printf '%s\\n' a b | sort",
    "echo \"a,b,c\" | tr ',' '\\n'",
    "echo hello | rev",
    "echo hello | wc -c",
    "echo \"$x\" | sed 's/a/b/'",
    "echo \"$x\" | awk '{print $2}'",
    "echo 'a b' | cut -d' ' -f2",
    "echo '1+2' | bc",
    'n=5; sed -n "${n}p" f',
    "n=5; head -n $n f",
    'for i in 1 2 3; do sed -n "${i}p" f; done',
    'for f in src/*.py; do head -1 "$f"; grep -c def "$f"; done',
]
UNDECIDED = [
    "echo '!id' | dc",
    "echo x | tee -a log | cat",
]
ASKED = [
    "yes | sh",
    "yes 'sleep 1000 &' | bash",
    "cat x.sh | sed -n 1p | sh",
    "printf 'cat <<EOF\\nrm -rf ~\\nEOF\\n' | grep rm | sh",
    "printf 'echo\\nrm -rf ~\\n' | tail -1 | sh",
    "find . -name '*.sh' -exec echo {} \\; | sh",
    "cd ~ && find . -name config -exec cat {} \\;",
    'while read -r f; do cat "$f"; done < list.txt',
    "cat s.sh | tr -d '\\r' | bash",
]
DENIED = [
    "echo 'rm -rf /' | sed 's/x/y/' | sh",
    "echo 'rm -rf /' | sed p | sh",
    "echo 'rm -rf /' | sed -n 1p | sh",
    "echo a | awk '{print $1}' | sh",
    "echo 'rm -rf /' | rev | sh",
    "echo 'rm -rf /' | cat | sh",
    "echo 'rm -rf /' | tee /dev/null | sh",
    "echo 'rm -rf /' | sort | sh",
    "echo 'rm -rf /' | head -1 | sh",
    "echo 'rm -rf /' | grep rm | sh",
    "echo 'rm -rf /' | tac | sh",
    "echo 'xrm -rf /' | cut -c2- | sh",
    "echo 'rm_-rf_/' | tr _ ' ' | sh",
    "echo 'rm -rf x' | sed 's/x/\\//' | bash",
    "echo x | base64 -d | sh",
    "cat x.gz | gunzip | sh",
    "zcat x.gz | sh",
    "xxd -r -p x | sh",
    "yes 'rm -rf /' | sh",
    "cat <(echo rm -rf /) | sh",
    "rm -rf $(pwd)",
    "rm -rf $(dirname /etc/passwd)",
    "rm -rf $(realpath .)",
    'rm -rf "$(readlink -f ~)"',
    "$(which rm) -rf /",
    "`which rm` -rf ~",
    "cd / && find . -delete",
    "echo x | tee /etc/x",
    "cat s.sh | tr -d 'r' | bash",
    "printf 'r\\rm -rf /' | tr -d '\\r' | sh",
]


NO_OPTIONS = [
    "find ./*",
    "find src/*",
    "find */ -name x",
    "find *.d -name x",
    'for f in ./*; do find "$f"; done',
    "find . -name '*.tar' -print0 | xargs -0 tar tf",
    "find . -name '*.tar' -exec tar tf {} +",
    'for f in ./*.tar; do tar tf "$f"; done',
    "tar tf ./*.tar",
    'for d in *; do git -C "$d" status; done',
    "ls -d */ | xargs -I{} git -C {} status",
    "git diff -- *.py",
    "file ./*",
    "file -- *",
    "sort -- *.txt",
    "shuf ./*.txt",
    "wc -l *.md",
    "ls *",
    "du -sh *",
    "cat *.md",
    "head *.py",
    "grep foo *.py",
    "stat *",
    "sha256sum *",
    "shellcheck *.sh",
    "zcat *.gz",
    "awk '{print $1}' *.txt",
    'for f in *.md; do wc -l "$f"; done',
    "[ -f src/*.py ]",
    "test -f *.py",
    'for f in *; do [ -f "$f" ]; done',
]
"""Names that no program takes for options, or that go to programs whose options are all harmless."""
OPEN_OPTIONS = [
    "find *",
    "find -- *",
    "find * -name x",
    "find [a-z]*",
    'for f in *; do find "$f"; done',
    "ls | xargs find",
    "fd | xargs find",
    "rg --files | xargs find",
    "ls | xargs -I{} find {} -name x",
    'ls | while read f; do find "$f"; done',
    "tar tf *",
    "tar -tvf *",
    "tar tf *.tgz",
    "tar --list --file *.tar",
    "ls *.tar | xargs tar tf",
    "find . -name '*.tar' | xargs tar tf",
    "find . -type d | xargs find",
    "find ./*$x",
    'for f in *.tar; do tar tf "$f"; done',
    "git -C * status",
    "git -C a* log",
    "ls | xargs git -C",
    "ls | 'xargs' git -C",
    'x=xargs; ls | "$x" git -C',
    "docker --context * ps",
    "file *",
    'for f in *; do file "$f"; done',
    "ls | xargs file",
    "sort *.txt",
    'for f in *.txt; do sort "$f"; done',
    "ls *.txt | xargs sort",
    "shuf *.txt",
    "less *.log",
    "bat *.md",
    "rg -e * foo",
    "uniq -f [0-9] a.txt",
]
"""A file may be named like an option or an action of the program that a pattern or a list hands it to."""


@pytest.mark.parametrize("command", NO_OPTIONS)
def test_names_that_cannot_be_options(judged: Callable[[str], str], command: str) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", OPEN_OPTIONS)
def test_names_that_may_be_options(judged: Callable[[str], str], command: str) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", ["test *", "[ * ]"])
def test_a_pattern_may_give_test_a_subscript(judged: Callable[[str], str], command: str) -> None:
    assert judged(command) == "undecided-ask"


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
