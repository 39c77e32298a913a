"""How long the offline layer takes for texts that are made to be slow.

usage: python benchmarks/judge_hostile.py [--rounds N]

Each text has 20,000 characters and consists of the repeated words of a program that runs the
words behind it, of very many operands, or of code for an interpreter.  A figure is the median of the rounds, in
milliseconds of processor time; the slowest shapes come first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import median
from time import process_time

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest

LENGTH = 20_000
SHOWN = 10
CARRIERS = (
    "find . -exec find ",
    "xargs find . -exec find ",
    "env find . -exec find ",
    "docker exec a find . -exec find ",
    "find . -ok env ",
    "find a b /c -exec env ",
    "find . -exec ls {} \\; ",
    "fd . / -x rm ",
    "eval ",
    "env -S ",
    "env A=1 ",
    "timeout 5 ",
    "nice -n 5 ",
    "sudo env ",
    "xargs -n1 ",
    "parallel ",
    "sh -c ",
    "git -C a ",
    "git -c a=b ",
)
"""Words that are repeated to the end of the text."""
HEADS = (("grep", "-e a "), ("find .", "-name a -o "), ("tee", "a "), ("ps", "a "), ("docker run", "-v /a:/b "))
"""A program, and the words that are repeated behind it."""
OPERANDS = ("tee", "cat", "rm", "cp", "ln", "find", "grep x", "git diff", "ssh h")
"""Programs that are given operands which all differ."""
KINDS = ("a{}", "/e{}", "*{}", "$x{}", "~/.{}")
INTERPRETERS = ("python3", "node", "perl", "ruby", "php", "lua", "julia", "groovy", "tclsh", "guile", "octave")
CODE = ("(", "[", "a[", "f(", '"a"+', "`", 'f"{', "system ", "x+=x;", "f(x) for x in ", "/", "q{")
"""Pieces of code that are repeated in a here-document for an interpreter."""


def shapes() -> Iterator[tuple[str, str]]:
    """Yield (name, text) for every text that is timed."""
    for words in CARRIERS:
        yield words, (words * (LENGTH // len(words) + 1))[:LENGTH]
    for head, words in HEADS:
        yield f"{head} {words}", f"{head} {words * ((LENGTH - len(head)) // len(words))}"
    for head in OPERANDS:
        for kind in KINDS:
            operands = " ".join(kind.format(number) for number in range(LENGTH // 3))
            yield f"{head} {kind}", f"{head} {operands}"[:LENGTH]
    for interpreter in INTERPRETERS:
        for code in CODE:
            opened = f"{interpreter} <<'END'\n"
            room = LENGTH - len(opened) - len("\nEND")
            yield f"{interpreter} {code}", f"{opened}{(code * room)[:room]}\nEND"


def timed(judge: OfflineJudge, text: str, rounds: int) -> float:
    """Return the median processor time of a judgement in milliseconds."""
    times = []
    for _ in range(rounds):
        start = process_time()
        judge(GateRequest(text))
        times.append((process_time() - start) * 1_000)
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    judge = OfflineJudge(TreeSitterReader())
    figures = sorted(((timed(judge, text, rounds), name) for name, text in shapes()), reverse=True)
    for milliseconds, name in figures[:SHOWN]:
        print(f"{milliseconds:8.1f} ms  {name!r}")


if __name__ == "__main__":
    main()
