"""How long one decision takes when a process is started for it, as a hook does.

usage: python benchmarks/cold.py [--peer-python FILE | --make-peers DIR] [--rounds N] [--write]

Every round starts each target once, in an order that is drawn anew; a ratio is the
median of the ratios of the rounds.  A target that fails ends the run: what fails is not
fast.  Ours is measured twice: with its decision recorded in a file of this run, as it is by
default, and with the record off; the peer's is off.  What a target imports is compiled before
the first round, even where this script was told to leave no compiled files.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import peers
import results

COMMAND = "git status"
OURS = {"phocinae gate --json": "true", "the same, unrecorded": "false"}
"""Our own targets, and what each sets `PHOCINAE_AUDIT` to."""


def targets(peer_python: Path | None) -> dict[str, list[str]]:
    """Return what is started, by the name that results.json shows; ours come first."""
    here = Path(sys.executable).parent
    found = {name: [str(here / "phocinae"), "gate", "--json", COMMAND] for name in OURS}
    if peer_python:
        guard = str(peer_python.parent / "phocinae-guard")
        found["phocinae-guard"] = [guard, "--command", COMMAND, "--audit", "off"]
    return found | {"python -c pass": [sys.executable, "-c", "pass"]}


def surroundings(name: str, folder: str) -> dict[str, str]:
    """Return the environment of a target: this one without its settings, and with compiled files allowed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PHOCINAE")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if name in OURS:
        environment |= {"PHOCINAE_AUDIT": OURS[name], "PHOCINAE_AUDIT_FILE": str(Path(folder, "audit.jsonl"))}
    return environment


def wall(command: list[str], environment: dict[str, str]) -> float:
    """Run `command` and return how many milliseconds it took."""
    start = perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
    took = 1_000 * (perf_counter() - start)
    if done.returncode:
        raise SystemExit(f"{command} ended with status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    parser.add_argument("--rounds", type=int, default=40, metavar="N", help="starts of each target (default 40)")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()

    commands = targets(peers.peer_python(options))
    with tempfile.TemporaryDirectory() as folder:
        environments = {name: surroundings(name, folder) for name in commands}
        for name, command in commands.items():
            wall(command, environments[name])
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name in random.sample(sorted(commands), len(commands)):
                times[name].append(wall(commands[name], environments[name]))

    figures: results.Section = {"rounds": options.rounds, "median_ms": {}, "ratio": {}}
    for name, taken in times.items():
        figures["median_ms"][name] = round(median(taken), 1)
        print(f"{name:22s} median {median(taken):7.1f} ms   fastest {min(taken):7.1f} ms")
    for ours in OURS:
        for name in [name for name in commands if name not in OURS]:
            ratio = median(mine / theirs for mine, theirs in zip(times[ours], times[name], strict=True))
            figures["ratio"].setdefault(ours, {})[name] = round(ratio, 2)
            print(f"{ours}: x{ratio:.2f} of {name}")
    if options.write:
        results.write("cold", figures)


if __name__ == "__main__":
    main()
