"""Asks a decision service that fails in every way there is, and shows what came of it.

usage: python tools/faults.py [--timeout S] [--processes] [--only WORD]

Each fault of `tests/decision_service/faults.py` meets all four questions: may a command
run (gate), and classify, route, score.  With ``--processes`` every call is one of the
command line in a process of its own, whose time includes its start.  No command is ever
run.  The exit status is 1 where a gate does not deny, another question gets an answer or
no clear error, a reason is not true of the fault, or a call outlasts the timeout by more
than 100 ms.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from unittest.mock import patch

from attrs import frozen

from phocinae import BackendError, InferenceService, Layer, Settings, build_gate, build_inference

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from decision_service.faults import FAULTS, Fault  # noqa: E402
from decision_service.no_names import no_names  # noqa: E402

COMMAND = "npm install left-pad"
"""A command that the offline layer leaves undecided, and that anybody may allow."""
NO_NAMES = str(ROOT / "tests" / "decision_service" / "no_names.py")
"""The command line on a machine whose name server never answers."""
GRACE = 0.1
"""Seconds by which a call may outlast its timeout."""
ARGUMENTS = {
    "gate": (COMMAND,),
    "classify": ("--state", "the build is red", "--label", "good", "--label", "bad"),
    "route": ("--state", "read the file", "--tool", "reader", "--tool", "writer"),
    "score": ("--state", "it deletes a folder", "--criterion", "risk"),
}
"""The four questions, as the command line is asked."""
INFERENCE: dict[str, Callable[[InferenceService], object]] = {
    "classify": lambda service: service.classify("the build is red", ("good", "bad")),
    "route": lambda service: service.route("read the file", ("reader", "writer")),
    "score": lambda service: service.score("it deletes a folder", ("risk",)),
}


@frozen(kw_only=True)
class Outcome:
    """What came of a call: a decision with its layer, ``error`` or ``answer``; in which words and seconds."""

    fault: Fault
    call: str
    result: str
    layer: str
    reason: str
    seconds: float

    def problems(self) -> list[str]:
        """Return what is wrong with it, apart from its time; empty if nothing is."""
        found = []
        wanted = ("answer", "") if self.fault.answers else ("error", "")
        if self.call == "gate":
            wanted = ("deny", (Layer.L1 if self.fault.answers else Layer.FAIL_CLOSED).value)
        if (self.result, self.layer) != wanted:
            found.append(f"{self.result} {self.layer} instead of {' '.join(wanted)}")
        if self.fault.words and not any(words in self.reason for words in self.fault.words):
            found.append(f"nothing of {self.fault.words} in the reason")
        if ("within" in self.reason) != self.fault.late:
            found.append("the reason is wrong about the time")
        if "\n" in self.reason or "Traceback" in self.reason:
            found.append("the reason is not one line")
        return found


@contextlib.contextmanager
def surroundings(fault: Fault) -> Iterator[None]:
    """Set the variables of a fault, and keep names from being resolved where it is about that."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, dict(fault.environment)))
        if fault.resolver:
            stack.enter_context(no_names())
        yield


def ask(fault: Fault, call: str, timeout: float) -> Outcome:
    """Return what comes of a call in this process."""
    with fault.service() as url, surroundings(fault):
        settings = Settings(l1_enabled=True, server=url, timeout=timeout, audit=False)
        began = monotonic()
        if call == "gate":
            verdict = build_gate(settings).decide(COMMAND)
            result, layer, reason = verdict.decision.wire, verdict.layer.value, verdict.reason
        else:
            result, layer, reason = infer(build_inference(settings), call)
        seconds = monotonic() - began
    return Outcome(fault=fault, call=call, result=result, layer=layer, reason=reason, seconds=seconds)


def infer(service: InferenceService, call: str) -> tuple[str, str, str]:
    """Return whether there was an answer, no layer, and the error if there was one."""
    try:
        return "answer", "", str(INFERENCE[call](service))
    except BackendError as error:
        return "error", "", str(error)


def ask_process(fault: Fault, call: str, timeout: float) -> Outcome:
    """Return what comes of a call of the command line in a process of its own."""
    with fault.service() as url:
        start = [sys.executable, NO_NAMES] if fault.resolver else [str(Path(sys.executable).with_name("phocinae"))]
        options = ["--server", url, "--timeout", str(timeout), "--json", *(["--l1-enabled"] if call == "gate" else [])]
        began = monotonic()
        done = subprocess.run(
            [*start, call, *options, *ARGUMENTS[call]],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PHOCINAE_AUDIT": "false"} | dict(fault.environment),
            timeout=60,
            check=False,
        )
        seconds = monotonic() - began
    if call == "gate":
        verdict = json.loads(done.stdout)
        assert done.returncode == {"allow": 0, "deny": 1, "ask": 2}[verdict["decision"]]
        result, layer, reason = verdict["decision"], verdict["layer"], verdict["reason"]
    else:
        result, layer = {0: "answer", 1: "error"}[done.returncode], ""
        reason = done.stdout if done.returncode == 0 else done.stderr
    return Outcome(fault=fault, call=call, result=result, layer=layer, reason=reason.rstrip("\n"), seconds=seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=0.5, help="of each call, in seconds (default 0.5)")
    parser.add_argument("--processes", action="store_true", help="start the command line for every call")
    parser.add_argument("--only", default="", metavar="WORD", help="only the faults whose name has this in it")
    options = parser.parse_args()
    wrong, slowest = 0, 0.0
    print(f"{'fault':24} {'call':9} {'result':7} {'layer':12} {'ms':>6}  reason")
    for fault in (fault for fault in FAULTS if options.only in fault.name):
        for call in ARGUMENTS:
            outcome = (ask_process if options.processes else ask)(fault, call, options.timeout)
            problems = outcome.problems()
            late = outcome.seconds > options.timeout + GRACE and not options.processes
            wrong += bool(problems) or late
            slowest = max(slowest, outcome.seconds)
            shown = f"{outcome.seconds * 1000:6.0f}{'!' if late else ' '} {outcome.reason}"
            print(f"{fault.name:24} {call:9} {outcome.result:7} {outcome.layer:12} {shown}")
            for problem in problems:
                print(f"{'':24} wrong: {problem}")
    print(f"slowest call {slowest * 1000:.0f} ms with a timeout of {options.timeout * 1000:.0f} ms; {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
