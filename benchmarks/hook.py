"""How long hooks take that an agent starts many of at once, and whether each of them has a decision.

usage: python benchmarks/hook.py [--peer-python FILE | --make-peers DIR] [--rounds N] [--alone N] [--write]

Every round starts 20 processes of each target at once on two processors, the targets in an
order that is drawn anew; the time of a process runs from its start to its end.  Ours is the
command that `install` writes, and gets a harmless and a denied payload in turn.  The peer is
asked about the harmless command.  Then each target is started alone, as ``cold.py`` does.

Ends with status 1 if a hook had no decision, or if the p99 is more than a fifth of the
15 s that the installed entry allows.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from attrs import frozen

import cold
import peers
import results
from phocinae.adapters.agents import agent

AT_ONCE = 20
AGENT = agent("codex")
OURS = "phocinae hook"
HARMLESS, DENIED = "git status", "rm -rf /"  # texts in payloads, which nothing runs


@frozen
class Target:
    """What is started: its words, where, what it reads, and the exit status of a decision on it."""

    words: list[str]
    folder: str
    data: bytes = b""
    status: int = 0


def targets(peer_python: Path | None, config: str, folder: str) -> dict[str, list[Target]]:
    """Return what is started in turn, by the name that results.json shows; ours comes first."""
    words = [sys.executable, "-I", "-m", "phocinae", "hook", AGENT.name, "--config", config]
    payloads = [json.dumps(AGENT.sample(AGENT.tools[0], text, folder)).encode() for text in (HARMLESS, DENIED)]
    found = {OURS: [Target(words, folder, payloads[0], 0), Target(words, folder, payloads[1], 2)]}
    if peer_python:
        guard = str(peer_python.parent / "phocinae-guard")
        found["phocinae-guard"] = [Target([guard, "--command", HARMLESS, "--audit", "off"], folder)]
    return found | {"python -c pass": [Target([sys.executable, "-c", "pass"], folder)]}


def settings_file(folder: str) -> str:
    """Write settings that record the decisions in `folder`."""
    path = Path(folder, "config.toml")
    path.write_text(f'[audit]\nfile = "{folder}/audit.jsonl"\n', encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def wall(target: Target, environment: dict[str, str]) -> tuple[float, bool]:
    """Run `target` and return how many milliseconds it took, and whether it decided as it should."""
    start = perf_counter()
    done = subprocess.run(
        target.words, input=target.data, capture_output=True, cwd=target.folder, env=environment, check=False
    )
    took = 1_000 * (perf_counter() - start)
    said = b'"deny"' in done.stdout if target.status else not done.stderr
    return took, done.returncode == target.status and said


def p99(times: list[float]) -> float:
    """Return the time that 99 of a hundred keep within."""
    return quantiles(times, n=100, method="inclusive")[98]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    parser.add_argument("--rounds", type=int, default=25, metavar="N", help="rounds of 20 at once (default 25)")
    parser.add_argument("--alone", type=int, default=40, metavar="N", help="starts of each target alone (default 40)")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()

    if hasattr(os, "sched_setaffinity"):  # children inherit it
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    with tempfile.TemporaryDirectory() as folder:
        found = targets(peers.peer_python(options), settings_file(folder), folder)
        environment = cold.surroundings("", folder)
        without = sum(not wall(target, environment)[1] for several in found.values() for target in several)
        if without:
            raise SystemExit("a target fails when it is started alone")
        crowd: dict[str, list[float]] = {name: [] for name in found}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in range(options.rounds):
                for name in random.sample(sorted(found), len(found)):
                    several = [found[name][place % len(found[name])] for place in range(AT_ONCE)]
                    for took, decided in pool.map(lambda target: wall(target, environment), several):
                        crowd[name].append(took)
                        without += not decided and name == OURS
        alone: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(options.alone):
            for name in random.sample(sorted(found), len(found)):
                alone[name].append(wall(found[name][0], environment)[0])
    sys.exit(report(crowd, alone, without, write=options.write))


def report(crowd: dict[str, list[float]], alone: dict[str, list[float]], without: int, *, write: bool) -> int:
    """Print the figures, write them where that is wanted, and return the exit status."""
    figures: results.Section = {"at_once": AT_ONCE, "runs": len(crowd[OURS]), "without_decision": without}
    figures |= {"median_ms": {}, "p99_ms": {}, "alone_median_ms": {}, "alone_ratio": {}}
    for name, times in crowd.items():
        figures["median_ms"][name], figures["p99_ms"][name] = round(median(times)), round(p99(times))
        figures["alone_median_ms"][name] = round(median(alone[name]), 1)
        print(
            f"{name:16s} {AT_ONCE} at once: median {median(times):7.1f} ms  p99 {p99(times):7.1f} ms"
            f"  slowest {max(times):7.1f} ms;  alone: median {median(alone[name]):6.1f} ms"
        )
    for name in [name for name in alone if name != OURS]:
        ratio = median(mine / theirs for mine, theirs in zip(alone[OURS], alone[name], strict=True))
        figures["alone_ratio"][name] = round(ratio, 2)
        print(f"alone: x{ratio:.2f} of {name}")
    print(f"{without} of {len(crowd[OURS])} hooks without a decision")
    if write:
        results.write("hook", figures)
    return int(without > 0 or p99(crowd[OURS]) > 1_000 * AGENT.timeout / 5)


if __name__ == "__main__":
    main()
