"""Verdicts on commands of the family ``sed``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "sed -n 10,20p f",
    "sed -n '10p' f",
    "sed 10q f",
    "sed '1d' f",
    "sed -e '/^$/d' f",
    "sed 's,/usr,/opt,g' f",
    "sed -E 's/([0-9]+)/<\\1>/g' f",
    "sed -n '/BEGIN/,/END/p' f",
    "sed = f | sed 'N;s/\\n/\\t/'",
    "sed '$d' f",
    "sed -n '$=' f",
    "sed 's/^[ \\t]*//' f",
    "sed 's/[^,]*,//' f",
    "sed -r 's/\\s+/ /g' f",
    "sed G f",
    "sed -n '1,40p' x.py",
    "sed 's/a/b/g' f",
    "sed 's/a/b/w /dev/stdout' f",
    "sed -e 's/a/b/' -e 's/c/d/' f",
    "sed -n '/start/,/end/{p;q}' f",
    "sed '/^#/d;/^$/d' f",
    'sed "s|$HOME|~|" f',
    "sed -n '$p' f",
    "sed '$!N;s/\\n/ /' f",
    "sed ':a;N;$!ba;s/\\n/ /g' f",
    "sed '/x/r other.txt' f",
    "sed --sandbox -f s.sed f",
    "sed -E 's#(a|b)/[^/]+#\\1#' f",
    "sed 's/[/;w zz/]/x/' f",
    "sed 'a foo' f",
    "sed '1i\\  hello' f",
    "sed 'y/abc/xyz/' f",
    "sed -n 5p",
    'sed -n "$((1+2)),\\$p" f',
    "sed 's/x/y/' <(cat f)",
]
UNDECIDED = [
    "sed '1e id' README.md",
    "sed 's/x/rm -rf ~/e' f",
    "sed 's/a/b/w out' f",
    "sed -n 'w out.txt' README.md",
    "sed -i 's/a/b/' f",
    "sed -i.bak 's/a/b/' f",
    'sed "s/$x/y/" f',
    'sed -n "${a},${b}p" f',
    "sed -f s.sed f",
    "sed 's/[/]/x/;w out' f",
    "sed 'k' f",
    "sed --expression='1e id' f",
    "sed -ne '1e id' f",
    "sed -s -n '$=' *.py",
    "sed -i s/a/b/ f",
    "sed -n -i s/a/b/ f",
    "sed --in-place s/a/b/ f",
    "sed -ni s/a/b/ f",
    "sed 's/a/b/;w x' f",
    "sed '/a/{w x\n}' f",
    "sed 's/a/b/e' f",
    "sed 's/a/id/gep' f",
    "sed e f",
    "sed '$e' f",
    "sed -f s f",
    "sed --file=s f",
    "sed -fs f",
    'sed "$x" f',
    "sed $x f",
    'sed -e "$x" f',
    "sed -s --exp='1e id' f",
    "sed 's/\\(.*\\)/\\1/w x' f",
    "sed -n '1!G;h;$p;w x' f",
    "sed ':a;w x' f",
    "sed 'bx;w y' f",
    "sed '}w x' f",
    "sed 'y/a/b/;w x' f",
    "sed 'a\\' -e 'w x' f",
    "sed -e 'i foo' -e 'w x' f",
]
ASKED = [
    "sed '/x/r .env' f",
    "sed p .env",
    "sed 'R .env' f",
    "sed 'r /etc/shadow' f",
]
DENIED = [
    "sed '1e rm -rf /' README.md",
    "sed -n '/x/w /etc/passwd' f",
    "sed -i '' 's/a/b/' /etc/hosts",
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
