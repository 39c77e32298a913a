"""One side of the comparison of decisions that ask the decision service: times each in its own process.

usage: python l1_worker.py ours|peer URL

It says on one line who it is, then answers each line of standard input, which holds a
number of threads and how many commands each of them judges, with one round: a JSON list
of the time of every decision in nanoseconds.  Both sides run this very file, so the loop
around the gates is the same.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import perf_counter_ns

Gate = Callable[[str], str]
"""Judges a command, and says in which layer."""

COMMAND = "npm install left-pad-{}"
"""A command that no offline layer knows; every one is new, so that no side can remember an answer."""


def ours(url: str) -> tuple[str, Gate]:
    """Return our name and our gate; imported here, because the peers' environment has neither."""
    from importlib.metadata import version

    from phocinae import Settings, build_gate

    gate = build_gate(Settings(l1_enabled=True, server=url, timeout=5.0, audit=False))
    return "phocinae " + version("phocinae"), lambda command: gate.decide(command).layer.value


def peer(url: str) -> tuple[str, Gate]:
    """Return the peer's name and the function behind its tool; imported here, because only its environment has it."""
    import phocinae_mcp  # type: ignore[import-not-found]  # never installed beside us
    from phocinae_mcp import server, tools

    context = server.McpServer(url, 5.0, "", True, "Phocinae-Largha-150M-v1").ctx
    return "phocinae-mcp " + phocinae_mcp.__version__, lambda command: tools.gate(context, {"command": command})[
        "layer"
    ]


def main() -> None:
    stdout, sys.stdout = sys.stdout, sys.stderr  # an import of a peer may print
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):  # one side would follow them
            del os.environ[name]
    name, gate = (ours if sys.argv[1] == "ours" else peer)(sys.argv[2])
    numbers = count()

    def judge(commands: int) -> list[int]:
        laps = []
        for _ in range(commands):
            command = COMMAND.format(next(numbers))
            start = perf_counter_ns()
            layer = gate(command)
            laps.append(perf_counter_ns() - start)
            if layer != "L1":
                raise SystemExit(f"{name} did not let the service decide, but {layer}")
        return laps

    print(json.dumps([name, platform.python_version()]), file=stdout, flush=True)
    for line in sys.stdin:
        threads, commands = map(int, line.split())
        with ThreadPoolExecutor(threads) as pool:
            laps = [lap for part in pool.map(judge, [commands] * threads) for lap in part]
        print(json.dumps(laps), file=stdout, flush=True)


if __name__ == "__main__":
    main()
