"""Kills the decision service and starts it again, or freezes it for a while, while many callers ask the gate.

usage: python tools/outage.py [--seconds S] [--callers N] [--timeout S] [--seed N]

Every command carries a word of its own, and the service writes down what it answers to
each before it sends a byte.  Joining both shows whether the gate gave a verdict of layer
L1 that the service never gave.  No command is ever run.  The exit status is 1 for an
allow that the service did not give, another verdict than it gave, a call that took longer
than the timeout and 100 ms, or an end of an outage that was not noticed within the time
for which the gate leaves a service alone that keeps failing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable
from math import inf
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from attrs import frozen

from phocinae import Decision, GateService, Layer, Settings, Verdict, build_gate
from phocinae.adapters.backends.breaker import PAUSE as OPEN

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from decision_service.process import StubProcess  # noqa: E402

UP, DOWN, FROZEN = (0.2, 1.5 * OPEN + 1), (0.05, 0.6), (0.05, 2.0)
"""Seconds, from and to, for which the service runs, is gone, or does nothing: at times for longer than a timeout."""
BETWEEN = 0.002
"""Seconds between two calls of one caller; without it they only take time from the service while it is gone."""
GRACE = 0.1
"""Seconds by which a call may outlast its timeout."""


@frozen(kw_only=True)
class Call:
    """One command that was judged; times are in seconds of the monotonic clock."""

    word: str
    began: float
    ended: float
    verdict: Verdict


@frozen(kw_only=True)
class Report:
    """All calls, what the service answered by word, and from when to when it served."""

    timeout: float
    calls: list[Call]
    answered: dict[str, list[dict[str, Any]]]
    served: list[tuple[float, float]]
    unfinished: int

    def invented(self) -> list[Call]:
        """Return the calls whose allow, or whose verdict of layer L1, is not what the service answered."""
        return [call for call in self.calls if not self._given(call)]

    def _given(self, call: Call) -> bool:
        verdict = call.verdict
        if verdict.layer is not Layer.L1:
            return verdict.decision is not Decision.ALLOW
        figures = [figures_in(entry) for entry in self.answered.get(call.word, ())]
        return (verdict.noul, verdict.score) in figures and verdict.decision is right(verdict.noul, verdict.score)

    def longest(self) -> float:
        """Return how long the slowest call took, in seconds."""
        return max(call.ended - call.began for call in self.calls)

    def recoveries(self) -> list[float]:
        """Return how long after each restart a call ended that the service had answered; infinity where none did.

        One that was over before the gate had to notice it does not count, if it was not noticed.
        """
        ends = sorted(call.ended for call in self.calls if call.verdict.layer is Layer.L1)
        found = []
        for back, gone in self.served:
            first = next((end for end in ends if end >= back), inf)
            if first < gone:
                found.append(first - back)
            elif gone - back > self.window:
                found.append(inf)
        return found

    @property
    def window(self) -> float:
        """The seconds within which the end of an outage has to be noticed."""
        return OPEN + self.timeout

    def faults(self) -> list[str]:
        """Return what went wrong, in words; empty if nothing did."""
        found = [f"the service never gave this: {call}" for call in self.invented()]
        if self.unfinished:
            found.append(f"{self.unfinished} callers hang")
        if self.longest() > self.timeout + GRACE:
            found.append(f"a call took {self.longest():.3f} s, with a timeout of {self.timeout} s")
        for took in self.recoveries():
            if took > self.window:
                found.append(f"the service was back for {took:.2f} s before it was asked with success")
        return found


def figures_in(entry: dict[str, Any]) -> tuple[float, int]:
    """Return the probability and the risk that an answer carried."""
    (noul,) = [name for name, answer in entry["answers"].items() if isinstance(answer, bool)]
    (risk,) = [answer for answer in entry["answers"].values() if not isinstance(answer, bool)]
    return entry["scores"][noul][1], risk


def right(noul: float | None, score: int | None) -> Decision:
    """Return the decision that belongs to the figures by the default thresholds."""
    assert noul is not None
    assert score is not None
    if score >= 7 or noul <= 0.35:
        return Decision.DENY
    return Decision.ASK if score >= 4 or noul < 0.65 else Decision.ALLOW


def ask_on(gate: GateService, ended: threading.Event, calls: list[Call]) -> None:
    """Judge command after command until the end."""
    while not ended.is_set():
        word, began = f"word{uuid4().hex}", monotonic()
        verdict = gate.decide(f"npm install {word}")
        calls.append(Call(word=word, began=began, ended=monotonic(), verdict=verdict))
        sleep(BETWEEN)


def outages(service: StubProcess, seconds: float, random: Random, last: float) -> list[tuple[float, float]]:
    """Kill or freeze the service for so long, and let it serve for `last` seconds; return from when to when it did."""
    served = []
    over, began = monotonic() + seconds, monotonic()
    while monotonic() < over:
        sleep(random.uniform(*UP))
        served.append((began, monotonic()))
        if random.random() < 0.5:
            service.kill()
            sleep(random.uniform(*DOWN))
            service.start()
        else:
            service.freeze()
            sleep(random.uniform(*FROZEN))
            service.thaw()
        began = monotonic()
    sleep(last)
    return [*served, (began, monotonic())]


def run(seconds: float, *, callers: int = 8, timeout: float = 1.0, seed: int = 1) -> Report:
    """Return what came of `seconds` of outages under so many callers."""
    ended = threading.Event()
    kept: list[list[Call]] = [[] for _ in range(callers)]
    with tempfile.TemporaryDirectory() as folder:
        with StubProcess("--by-word", "--delay", "0.002", log=Path(folder, "answers.jsonl")) as service:
            gate = build_gate(Settings(l1_enabled=True, server=service.url, timeout=timeout, audit=False))
            threads = [threading.Thread(target=ask_on, args=(gate, ended, calls), daemon=True) for calls in kept]
            for thread in threads:
                thread.start()
            served = outages(service, seconds, Random(seed), OPEN + timeout + GRACE)
            ended.set()
            for thread in threads:
                thread.join(timeout + 10)
        return Report(
            timeout=timeout,
            calls=[call for calls in kept for call in calls],
            answered=service.answered(),
            served=served,
            unfinished=sum(thread.is_alive() for thread in threads),
        )


def counted(calls: Iterable[Call]) -> str:
    """Return how many calls ended in which decision of which layer."""
    kinds = Counter(f"{call.verdict.layer.value} {call.verdict.decision.wire}" for call in calls)
    return ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--callers", type=int, default=8)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = run(options.seconds, callers=options.callers, timeout=options.timeout, seed=options.seed)
    recoveries = report.recoveries()
    print(f"{len(report.calls)} calls by {options.callers} callers: {counted(report.calls)}")
    answers = sum(map(len, report.answered.values()))
    print(f"{answers} answers by the service, which was killed or frozen {len(report.served) - 1} times")
    print(f"verdicts that the service did not give: {len(report.invented())}; callers that hang: {report.unfinished}")
    print(f"slowest call: {report.longest():.3f} s, with a timeout of {report.timeout} s")
    print(f"first answer once it serves: median {median(recoveries):.3f} s, at worst {max(recoveries):.3f} s")
    faults = report.faults()
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
