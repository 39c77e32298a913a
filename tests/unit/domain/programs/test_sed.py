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
    "sed '/foo/!d' f",
    "sed -n '2{p;q}' f",
    "sed '1,5d;$d' f",
    "sed 's/.*version = \"\\(.*\\)\".*/\\1/' f",
    "sed -n 's/^version = \"\\(.*\\)\"/\\1/p' Cargo.toml",
    "sed -e 's/a/b/' -e '/x/d' f",
    "sed 's/\\x1b\\[[0-9;]*m//g' f",
    "sed -E ':a;s/^([0-9]+)([0-9]{3})/\\1,\\2/;ta'",
    "sed -n '/^## /p' README.md",
    'sed "s/\'//g" f',
    "sed 's/a/b/I' f",
    "sed -n '$!d;p' f",
    "sed '/^\\s*$/d' f",
    "sed 's/[[:space:]]*$//' f",
    "sed -n 'H;${x;s/\\n/,/g;p}' f",
    "sed '/start/,/end/s/a/b/' f",
    "sed 's#^#> #' f",
    "sed = f",
    "sed -n l f",
    "sed --quiet 1p f",
    "sed -n '1~2p' f",
    "sed '1!d' f",
    "sed 's/^/  /;s/$/|/' f",
    "sed '5,$d' f",
    "sed 's/a/\\n/g' f",
    "sed -z 's/\\n/,/g' f",
    "sed 'N;P;D' f",
    "sed -n '/foo/{n;p}' f",
    "sed '/foo/a bar' f",
    "sed '3i\\hello' f",
    "sed '/foo/c\\bar' f",
    "sed 's/{{x}}/y/g' f",
    'sed -E \'s/"([^"]+)": "[^"]+"/\\1/\' package.json',
    'sed -n "/class Foo/,/^}/p" f',
    "sed 's/a/b/3' f",
    "sed -n '/x/=' f",
    "sed '/a/,+2d' f",
    "sed 's/\\//-/g' f",
    "sed -E 's|https?://[^/]+/||' f",
    "sed 's/;/\\n/g;s/,/;/g' f",
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
    "sed -f - README.md <<< 'p'",
    "sed -f <(echo 'p') README.md",
    "sed -n -l5 l a.txt",
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
    "sed -f /dev/stdin README.md <<< 'w x'",
    "sed -f <(echo 'w x') README.md",
    "sed -l p 'w out.txt' a.txt",
]
ASKED = [
    "sed '/x/r .env' f",
    "sed p .env",
    "sed 'R .env' f",
    "sed 'r /etc/shadow' f",
    "sed --sandbox -f .env f",
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


CODE_DENIED = [
    "sed '1e rm -rf /' f",
    "sed 's/.*/rm -rf ~/e' f",
    "sed 's/^/rm -rf ~ /e' f",
    "sed -n '1{e rm -rf ~\n}' f",
    "sed 'w /etc/passwd' f",
    "sed -n 's/a/b/w /etc/passwd' f",
    "sed -i 's/a/b/' /etc/passwd",
    "echo 'rm -rf /' | sed 's/^//e'",
    "echo 'rm -rf /' | sed e",
    "sed -f - f <<'E'\n1e rm -rf /\nE",
]
CODE_DOUBTED = [
    "sed 's/rm -rf \\//x/' f",
    "sed -n '/rm -rf/p' f",
    "sed 's#/etc/passwd#x#' f",
    "sed '1i rm -rf /' f",
    "sed 's/a/b/w out.txt' f",
]


@pytest.mark.parametrize("command", CODE_DENIED)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", CODE_DOUBTED)
def test_other_code_is_not_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) != "deny"
