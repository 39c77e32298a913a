"""One side of the comparison of offline layers: times the judgement of each command in its own process.

usage: python l0_worker.py ours|peer CORPUS

It says on one line who it is, then answers each line of standard input with one round:
a JSON list with the time of every command in nanoseconds.  Both sides run this very
file, so the loop around the judges is the same.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns

Side = tuple[str, Callable[[str], object]]


def ours() -> Side:
    """Return our name and our offline layer; imported here, because the peers' environment has neither."""
    from importlib.metadata import version

    from phocinae import Settings, build_gate

    return "phocinae " + version("phocinae"), build_gate(Settings(audit=False)).judge_offline


def peer() -> Side:
    """Return the peer's name and its offline layer; imported here, because only its own environment has it."""
    from phocinae_guard import guard  # type: ignore[import-not-found]  # never installed beside us

    table = guard.load_l0_table("")
    return "phocinae-guard " + guard.VERSION, lambda command: guard.l0_judge(command, table)


def main() -> None:
    stdout, sys.stdout = sys.stdout, sys.stderr  # an import of a peer may print
    name, judge = ours() if sys.argv[1] == "ours" else peer()
    commands = [json.loads(line)["command"] for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()]
    print(json.dumps([name, platform.python_version()]), file=stdout, flush=True)
    for _ in sys.stdin:
        laps = []
        for command in commands:
            start = perf_counter_ns()
            judge(command)
            laps.append(perf_counter_ns() - start)
        print(json.dumps(laps), file=stdout, flush=True)


if __name__ == "__main__":
    main()
