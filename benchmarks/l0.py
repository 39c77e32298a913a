"""How long the offline layer takes for one command, beside phocinae-guard in the same run.

usage: python benchmarks/l0.py [--peer-python FILE | --make-peers DIR] [--rounds N] [--write]

Each side times itself in a process of its own, over the whole corpus, with the caches
warm.  The sides take turns, a round each, in an order that is drawn anew every time, so
that drift of the machine hits both; a ratio is the median of the ratios of the rounds.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import median

from attrs import field, frozen

import peers
import results

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parent / "tests" / "corpus" / "corpus.jsonl"


def quantile(values: list[float], share: float) -> float:
    """Return the smallest of `values` that at least `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


@frozen
class Side:
    """A running judge; `rounds` holds, for each round, the time of every command in microseconds."""

    process: subprocess.Popen[str]
    name: str
    python: str
    rounds: list[list[float]] = field(factory=list)

    @classmethod
    def start(cls, python: str, which: str, corpus: Path) -> Side:
        """Start the worker and let it run one round that does not count."""
        process = subprocess.Popen(
            [python, str(HERE / "l0_worker.py"), which, str(corpus)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        side = cls(process, *json.loads(side_line(process)))
        side.measure()
        side.rounds.clear()
        return side

    def measure(self) -> None:
        """Run one round."""
        assert self.process.stdin
        print("round", file=self.process.stdin, flush=True)
        self.rounds.append([lap / 1_000 for lap in json.loads(side_line(self.process))])

    def stop(self) -> None:
        """End the worker, which ends with its input."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def figure(self, share: float) -> list[float]:
        """Return the quantile `share` of each round."""
        return [quantile(laps, share) for laps in self.rounds]


def side_line(process: subprocess.Popen[str]) -> str:
    """Return the next line of a worker, or end with what went wrong."""
    assert process.stdout
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"{process.args!r} ended with status {process.wait()}")
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds for each side (default 15)")
    parser.add_argument("--corpus", type=Path, default=CORPUS, metavar="FILE", help="JSON lines with a `command`")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()
    peer_python = peers.peer_python(options)

    sides = [Side.start(sys.executable, "ours", options.corpus)]
    if peer_python:
        sides.append(Side.start(str(peer_python), "peer", options.corpus))
    for _ in range(options.rounds):
        for side in random.sample(sides, len(sides)):
            side.measure()
    for side in sides:
        side.stop()

    figures: results.Section = {"rounds": options.rounds, "commands": len(sides[0].rounds[0])}
    for side, key in zip(sides, ("ours", "peer"), strict=False):
        p50, p99, worst = (median(side.figure(share)) for share in (0.5, 0.99, 1))
        figures[key] = {"name": side.name, "median_us": round(p50, 1), "p99_us": round(p99, 1)}
        print(
            f"{side.name:22s} median {p50:7.1f} us   p99 {p99:7.1f} us   slowest {worst:8.1f} us"
            f"   (Python {side.python})"
        )
    if peer_python:
        for key, share in (("median", 0.5), ("p99", 0.99)):
            ratios = [mine / theirs for mine, theirs in zip(*(side.figure(share) for side in sides), strict=True)]
            figures[f"ratio_{key}"] = round(median(ratios), 2)
            print(f"ratio of the {key}s: x{median(ratios):.2f}  (rounds: {min(ratios):.2f} to {max(ratios):.2f})")
    if options.write:
        results.write("l0", figures)


if __name__ == "__main__":
    main()
