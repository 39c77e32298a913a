"""How long a decision takes that asks the decision service, beside phocinae-mcp with the same service in the same run.

usage: python benchmarks/l1.py [--peer-python FILE | --make-peers DIR] [--rounds N] [--write]

The service is a stub that answers at once, so what is measured is everything else: the
offline layer, the request, and the reading of the answer.  Each side runs in a process of
its own, in one thread and in eight at once.  The sides take turns, a round each, in an order
that is drawn anew every time; a ratio is the median of the ratios of the rounds.  At the end
a ticker shows how long an event loop is held up while an answer takes 300 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from attrs import Factory, frozen

import peers
import results
from l0 import quantile, side_line
from phocinae import Settings, build_gate

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests"))

from decision_service.process import StubProcess  # noqa: E402

THREADS = (1, 8)
COMMANDS = 200
"""Decisions of one round, in all threads together."""
SLOW, BEAT = 0.3, 0.01
"""Seconds that an answer takes for the ticker, and from one beat to the next."""


@frozen
class Side:
    """A running gate; `rounds` holds, by the number of threads, the times of each round in microseconds."""

    process: subprocess.Popen[str]
    name: str
    python: str
    rounds: dict[int, list[list[float]]] = Factory(lambda: {threads: [] for threads in THREADS})

    @classmethod
    def start(cls, python: str, which: str, url: str) -> Side:
        """Start the worker and let it run rounds that do not count."""
        process = subprocess.Popen(
            [python, str(HERE / "l1_worker.py"), which, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        side = cls(process, *json.loads(side_line(process)))
        for threads in THREADS:
            side.measure(threads)
            side.rounds[threads].clear()
        return side

    def measure(self, threads: int) -> None:
        """Run one round in so many threads."""
        assert self.process.stdin
        print(threads, COMMANDS // threads, file=self.process.stdin, flush=True)
        self.rounds[threads].append([lap / 1_000 for lap in json.loads(side_line(self.process))])

    def stop(self) -> None:
        """End the worker, which ends with its input."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def figure(self, threads: int, share: float) -> list[float]:
        """Return the quantile `share` of each round."""
        return [quantile(laps, share) for laps in self.rounds[threads]]


async def worst_gap(url: str) -> float:
    """Return the longest time between two beats of a ticker during a slow decision, in milliseconds."""
    gate = build_gate(Settings(l1_enabled=True, server=url, timeout=5.0, audit=False))
    await gate.adecide("npm install left-pad-warm")
    call = asyncio.create_task(gate.adecide("npm install left-pad"))
    gaps, last = [], perf_counter()
    while not call.done():
        await asyncio.sleep(BEAT)
        now = perf_counter()
        gaps.append(now - last)
        last = now
    if (await call).layer.value != "L1":
        raise SystemExit("the service did not decide")
    return max(gaps) * 1_000


def compared(sides: list[Side]) -> results.Section:
    """Return the figures by the number of threads, and print them."""
    figures: results.Section = {}
    for threads in THREADS:
        own: results.Section = {}
        for side, key in zip(sides, ("ours", "peer"), strict=False):
            p50, p99 = (median(side.figure(threads, share)) for share in (0.5, 0.99))
            own[key] = {"name": side.name, "median_us": round(p50, 1), "p99_us": round(p99, 1)}
            print(f"{threads} threads: {side.name:20s} median {p50:8.1f} us   p99 {p99:8.1f} us   ({side.python})")
        for key, share in (("median", 0.5), ("p99", 0.99)) if len(sides) > 1 else ():
            ratios = [mine / other for mine, other in zip(*(one.figure(threads, share) for one in sides), strict=True)]
            own[f"ratio_{key}"] = round(median(ratios), 2)
            print(f"           ratio of the {key}s: x{median(ratios):.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")
        figures[str(threads)] = own
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds for each side (default 15)")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()
    peer_python = peers.peer_python(options)

    with StubProcess() as stub:
        sides = [Side.start(sys.executable, "ours", stub.url)]
        if peer_python:
            sides.append(Side.start(str(peer_python), "peer", stub.url))
        for _ in range(options.rounds):
            for side in random.sample(sides, len(sides)):
                for threads in THREADS:
                    side.measure(threads)
        for side in sides:
            side.stop()
    with StubProcess("--delay", str(SLOW)) as slow:
        gap = asyncio.run(worst_gap(slow.url))
    figures: results.Section = {"rounds": options.rounds, "decisions": COMMANDS} | compared(sides)
    print(f"worst gap of a {BEAT * 1000:.0f} ms ticker while a decision takes {SLOW * 1000:.0f} ms: {gap:.1f} ms")
    if options.write:
        results.write("l1", figures | {"worst_gap_ms": round(gap, 1)})


if __name__ == "__main__":
    main()
