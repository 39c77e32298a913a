"""How long the shell reader takes for text that is written to be slow.

usage: python benchmarks/reader_hostile.py [--json] [--rounds N]

Every shape is 20,000 characters: one unit repeated, alone, and again balanced around ``ls``.
The figure of a shape is the median of its rounds; the slowest shapes are reported.  The
exit status is 1 if a median passes 50 ms or any round passes 100 ms.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from attrs import frozen

from phocinae.adapters.shell_tree_sitter import TreeSitterReader

SIZE = 20_000
"""Characters of a shape, the most that a gate reads."""
MEDIAN, WORST = 50.0, 100.0
"""Milliseconds that a shape may take in the median, and at worst."""

UNITS = {
    # what is repeated: what closes it again
    "(": ")",
    "$(": ")",
    "$((": "))",
    "`": "`",
    "'": "'",
    '"': '"',
    "{": "}",
    "{ ": ";}",
    "[[": "]]",
    "[[ ( ": ") ]]",
    "[": "]",
    "${x:-": "}",
    "<(": ")",
    "@(": ")",
    "@(a": ")",
    "a=(": ")",
    "f(){ ": "}",
    "if ": " fi",
    "case x in x) ": " esac",
    "<<A ": "\nA\n",
    "a|": "",
    "a&&": "",
    "a;": "",
    ";": "",
    "&": "",
    ">a": "",
    "! ": "",
    "\0": "",
    "<": "",
    "$": "",
    "#": "",
    "\\": "",
    "\n": "",
    "a=": "",
    "\r": "",
    "~": "",
    "coproc ": "",
    "{a,b}": "",
    "{a,b} ": "",
    "a\n": "",
    "a* ": "",
    "$a ": "",
    "$a": "",
    "'a' ": "",
    ": <<A\n$a\nA\n": "",
    "\\\n": "",
    "<<<a ": "",
    "$(`": "`)",
    "é": "",
}


def shapes() -> Iterator[tuple[str, str]]:
    """Yield each shape under a name: one unit repeated, alone, and with as many closing ones around ``ls``."""
    for unit, closing in UNITS.items():
        yield f"{unit!r} alone", (unit * (SIZE // len(unit) + 1))[:SIZE]
        pairs = (SIZE - 2) // (len(unit) + len(closing))
        yield f"{unit!r} balanced", unit * pairs + "ls" + closing * pairs


@frozen(kw_only=True)
class Figure:
    """What one shape took, in milliseconds, and how it was read."""

    shape: str
    median: float
    worst: float
    status: str
    why: str


def measure(reader: TreeSitterReader, name: str, text: str, rounds: int) -> Figure:
    """Return the figure of one shape."""
    laps = []
    for _ in range(rounds):
        start = perf_counter()
        reading = reader.read(text)
        laps.append((perf_counter() - start) * 1_000)
    why = reading.gaps[0].why if reading.gaps else ""
    return Figure(shape=name, median=median(laps), worst=max(laps), status=reading.status.value, why=why)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds for each shape (default 5)")
    parser.add_argument("--json", action="store_true", help="write every shape as JSON, slowest first")
    options = parser.parse_args()

    reader = TreeSitterReader()
    reader.read("$x")  # the parser is loaded with the first text that needs it
    figures = [measure(reader, name, text, options.rounds) for name, text in shapes()]
    figures.sort(key=lambda figure: figure.median, reverse=True)
    if options.json:
        names = ("shape", "median", "worst", "status", "why")
        rows = [{name: getattr(figure, name) for name in names} for figure in figures]
        print(json.dumps([{**row, "median": round(row["median"], 2), "worst": round(row["worst"], 2)} for row in rows]))
    else:
        for figure in figures[:12]:
            print(f"{figure.median:7.1f} ms  at worst {figure.worst:7.1f} ms  {figure.status:8s}  {figure.shape}")
        print(f"{len(figures)} shapes, median of the medians {median(figure.median for figure in figures):.2f} ms")
    sys.exit(any(figure.median > MEDIAN or figure.worst > WORST for figure in figures))


if __name__ == "__main__":
    main()
