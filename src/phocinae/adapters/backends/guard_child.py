"""The program in the child process: loads a guard program and asks it about one command per line.

It runs by itself, in an interpreter without site-packages, and imports nothing of
phocinae.  Requests and answers are lines of JSON over two pipes of their own, whose
numbers are its arguments; standard input, output and error are the null device.

The functions that it needs are taken before the guard program is loaded, which may put
others in their place.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from json import dumps, loads
from os import _exit, read, write
from signal import ITIMER_REAL, SIGALRM, setitimer
from types import ModuleType
from typing import Any

NAME = "phocinae_guard_program"
"""The name of the guard program as a module: not ``__main__``, for then it would read a command line."""

CONFIG = {"l1_enabled": False, "fail_closed": "deny", "audit_path": "off"}
"""What the guard program is told about itself: to ask no service, and to keep no record."""

GRACE = 1.0
"""Seconds past the deadline after which the child ends itself, should nobody be left to do it."""

Decide = Callable[[str, str], object]


def main(requests: int, answers: int) -> None:
    """Load the program that the first line describes, then answer a line for each that follows; never return."""
    for descriptor in (requests, answers):
        os.set_inheritable(descriptor, False)
    _write_no_files()
    signal.signal(SIGALRM, signal.SIG_DFL)  # the gate's process may ignore it, or hold it back
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [SIGALRM])
    decide: Decide | None = None
    for line in _lines(requests):
        setitimer(ITIMER_REAL, line["seconds"] + GRACE)
        try:
            if decide is None:
                decide = _load(line["path"], line["source"].encode("latin-1"))
                said: dict[str, object] = {}
            else:
                said = _asked(decide, line["command"], line["cwd"])
        except BaseException as error:
            said = {"error": _in_words(error)}
        _say(answers, line["id"], said)
        setitimer(ITIMER_REAL, 0)
    _exit(0)


def _write_no_files() -> None:
    """Let no file grow by this process, nor by any that it starts."""
    import resource

    for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (0, 0))


def _lines(descriptor: int) -> Iterator[dict[str, Any]]:
    held = b""
    while piece := read(descriptor, 1 << 16):
        held += piece
        while b"\n" in held:
            line, _, held = held.partition(b"\n")
            yield loads(line)


def _load(path: str, source: bytes) -> Decide:
    """Return the function of the guard program that decides, ready to be asked."""
    module = ModuleType(NAME)
    module.__file__ = path
    sys.modules[NAME] = module
    sys.argv = [path]
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    config = module.load_config(dict(CONFIG))
    config["l0_table_data"] = module.load_l0_table(config["l0_table"])
    decide: Callable[..., object] = module.decide
    return lambda command, cwd: decide(command, cwd, dict(config))


def _asked(decide: Decide, command: str, cwd: str) -> dict[str, object]:
    result: Any = decide(command, cwd)
    said = {"decision": result["decision"], "layer": result.get("layer", ""), "reason": result.get("reason", "")}
    dumps(said)  # here, where a failure is one of the program
    return said


def _in_words(error: BaseException) -> str:
    name = type(error).__name__
    try:
        return f"{name}: {error}"[:1000]
    except BaseException:
        return name


def _say(descriptor: int, number: int, said: dict[str, object]) -> None:
    line = dumps({"id": number, **said}).encode("ascii") + b"\n"
    while line:
        line = line[write(descriptor, line) :]


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
