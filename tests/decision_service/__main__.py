"""The stub in a process of its own, which can be killed and started again on the same port.

usage: python -m decision_service [--host HOST] [--port PORT] [--noul P] [--score N] [--choice N]
                                  [--delay SECONDS] [--no-extensions] [--by-word] [--fault NAME] [--log FILE]

It prints its port on one line once it listens, and ends with its standard input.  With
``--by-word`` the figures follow from the unique word of a command, so that the right
answer to each is known.  `--log` adds one JSON line for every answer before its first
byte is sent.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import asdict

from decision_service.faults import FAULTS
from decision_service.process import figures_of
from decision_service.replies import Reply, Script, good
from decision_service.stub import DecisionStub, Logged, Received


def script_of(options: argparse.Namespace) -> Script:
    """Return the script that the options describe."""
    if options.fault:
        chosen = next(fault.script for fault in FAULTS if fault.name == options.fault)
        assert chosen, "this one is no matter of an answer"
        return chosen
    fixed: dict[str, Any] = {"noul": options.noul, "score": options.score, "choice": options.choice}

    def script(received: Received) -> Reply:
        figures = fixed | (figures_of(received.word) if options.by_word else {})
        return good(received, delay=options.delay, extensions=options.extensions, **figures)

    return script


def recorder(path: Path | None) -> Callable[[Logged], None]:
    """Return what adds an answer to the file."""
    if path is None:
        return lambda _entry: None
    stream = path.open("a", encoding="utf-8", buffering=1)
    return lambda entry: print(json.dumps(asdict(entry)), file=stream)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--noul", type=float, default=0.9)
    parser.add_argument("--score", type=int, default=3)
    parser.add_argument("--choice", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--no-extensions", dest="extensions", action="store_false")
    parser.add_argument("--by-word", action="store_true")
    parser.add_argument("--fault", choices=[fault.name for fault in FAULTS if fault.script])
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    stub = DecisionStub(script_of(options), host=options.host, port=options.port, record=recorder(options.log))
    with stub:
        print(stub.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
