"""Verdicts on commands of the family ``text_filters``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "sort -k2,2n -t, data.csv",
    "sort -rn counts.txt | head",
    "sort -t$'\\t' -k1,1 f.tsv",
    "sort -u -f names.txt",
    "sort a.txt b.txt | uniq -d",
    "uniq -c sorted.txt",
    "cut -d' ' -f2- f.txt",
    "cut -c1-80 f.txt",
    "cut -d: -f1,7 /etc/passwd",
    "tr -d '\\r' < f.txt",
    "tr 'a-z' 'A-Z' < f.txt",
    "tr -s ' ' < f",
    "tr -cd '[:alnum:]' < f",
    "paste -sd, names.txt",
    "paste a.txt b.txt",
    "join -t, -1 1 -2 2 a.csv b.csv",
    "comm -23 <(sort a) <(sort b)",
    "column -t -s, data.csv",
    "column -ts $'\\t' x.tsv",
    "fold -w 80 -s README.md",
    "fmt -w 72 README.md",
    "expand -t 4 f.py",
    "unexpand -a f",
    "rev f.txt",
    "shuf -n 5 names.txt",
    "shuf -i 1-10",
    "wc -l *.py",
    "wc -l < README.md",
    "wc -w README.md",
    "seq 10",
    "seq -w 1 5",
    "seq 1 2 10",
    "seq 10 -1 1",
    "factor 12",
    "numfmt --to=iec 1024",
    "pr -h title -l 60 f.txt",
    "base64 f.png",
    "iconv -f latin1 -t utf-8 f.txt",
    "tee /dev/null < f",
    "yes | head -3",
    "look foo",
    "tsort deps.txt",
    "col -b < x",
    "sort -V tags",
    "sort -k1,1 -k2,2nr f",
    "sort -m a b",
    "uniq -i f",
    "cut -f1 -d$'\\t' f",
    "tr '[:upper:]' '[:lower:]' < f",
    "sort -t: -k3 -n /etc/passwd",
    "comm -12 <(sort a) <(sort b) | wc -l",
    "column -t -s $'\\t' f | less -S",
    "seq 1 5 | paste -sd+ | bc",
    "comm -13 <(ls a) <(ls b)",
    "paste <(cut -f1 a) <(cut -f2 b)",
    "sort a.txt -k 2 -t ,",
    "cut -f1 a.txt -d ,",
]
UNDECIDED = [
    "sort -o x f",
    "uniq a b",
    "shuf -o x f",
    "tee x",
    "iconv -o x f",
    "base64 -o x f",
    "tee a b < f",
    "uniq *.txt",
    "uniq a.txt -c",
    "find . -name '*.txt' -exec uniq {} +",
    "ls | tee -",
]
ASKED = [
    "ls | xargs uniq",
    "uniq $x",
    "sort --files0-from=names",
    "sort --files0-from names",
    "base64 ~/.ssh/id_rsa",
    "sort -k $x f",
    "cut -f $x data",
    "sort .env",
    "sort --compress-program=./x f",
    "sort --compress=./x f",
    "sort $x f",
    "comm .env x",
    "wc -l .env",
    'sort "$f"',
    "cut -f1 a.txt -d .env",
]
DENIED = [
    "sort *.txt -T /etc",
    "uniq a /etc/passwd",
    "tee -a /etc/hosts",
    "tee ~/.bashrc",
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
