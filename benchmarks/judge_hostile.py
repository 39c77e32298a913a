"""How long the offline layer takes for texts that are made to be slow.

usage: python benchmarks/judge_hostile.py [--rounds N]

Each text has 20,000 characters and consists of the repeated words of a program that runs the
words behind it, of very many operands, of code for an interpreter, or of repeated pieces in a language of Windows or
with commands carried in commands.  A figure is the median of the rounds, in milliseconds of processor time; the slowest
shapes come first.  The exit status is 1 if a median passes 50 ms, if any round passes 100 ms, or if a text is allowed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Verdict

LENGTH = 20_000
SHOWN = 10
MEDIAN, WORST = 50.0, 100.0
"""Milliseconds that a shape may take in the median, and at worst."""
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
WINDOWS = (
    "wsl cmd /c powershell -c ls\n",
    "powershell -c 'cmd /c \"for %i in (a b c) do dir %i & dir C:\\\"'\n",
    "cmd /c 'for %i in (a b c) do dir %i\n'\n",
    "cmd /c 'dir C:\\ & powershell -c \"cmd /c dir\"'\n",
    "eval 'dir C:\\ & dir'\n",
    "powershell -c 'if ($a) { gci }\n'\n",
    "powershell -c 'gci C:\\'; ",
    "powershell gci; ",
    "cmd /c '# a\n'\n",
    "cmd /c dir\n",
    "for %i in (a b c) do dir %i\n",
    "if exist C:\\a dir C:\\a\n",
    "dir C:\\a & dir C:\\b & ",
    "gci C:\\a | select Name\n",
    "$a = gci C:\\a; ",
    "if ($a) { gci }\n",
    "(gci C:\\a).Name\n",
    'forfiles /c "cmd /c ',
    "start start ",
    "cmd /c ",
    "powershell -c ",
    "cmd /c for %i in (a) do ",
    "Invoke-Command { ",
    "$(gci C:\\ ",
    "& { gci; ",
    "gci | % { ",
    "dir %a:b=c% ",
    '"C:\\a" ',
    "^^^\n",
)
"""Pieces for PowerShell and the command processor of Windows, and those that carry them in one another."""
OPENED = (
    ("powershell -c '", "if ($a) { gci }\n", "'"),
    ("cmd /c '", "for %i in (a b c) do dir %i\n", "'"),
    ("cmd /c '", "# a\n", "'"),
    ("cmd /c '", "dir C:\\ & ", "dir'"),
    ("eval '", "dir C:\\ & ", "dir'"),
    ("powershell -c '", 'cmd /c "dir C:\\"; ', "'"),
    ("ssh h 'powershell -c \"", "gci C:\\; ", "\"'"),
)
"""One text that is carried whole: its beginning, what is repeated in it, and its end."""


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
    for words in WINDOWS:
        yield words, (words * (LENGTH // len(words) + 1))[:LENGTH]
    for begin, words, end in OPENED:
        yield f"{begin}{words}", begin + words * ((LENGTH - len(begin + end)) // len(words)) + end


def timed(judge: OfflineJudge, text: str, rounds: int) -> list[float]:
    """Return the processor times of a judgement in milliseconds, one of each round."""
    times = []
    for _ in range(rounds):
        start = process_time()
        verdict = judge(GateRequest(text))
        times.append((process_time() - start) * 1_000)
    if isinstance(verdict, Verdict) and verdict.decision is Decision.ALLOW:
        raise SystemExit(f"allowed: {text[:100]!r}")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    judge = OfflineJudge(TreeSitterReader())
    for _name, text in shapes():
        judge(GateRequest(text[:100]))  # what a text needs is loaded with the first that needs it
    laps = [(timed(judge, text, rounds), name) for name, text in shapes()]
    figures = sorted(((median(times), max(times), name) for times, name in laps), reverse=True)
    for middle, worst, name in figures[:SHOWN]:
        print(f"{middle:8.1f} ms  at worst {worst:8.1f} ms  {name!r}")
    sys.exit(any(middle > MEDIAN or worst > WORST for middle, worst, _name in figures))


if __name__ == "__main__":
    main()
