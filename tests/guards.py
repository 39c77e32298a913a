"""Small guard programs for tests, and what tests need to watch over the processes that run them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

PLAIN = """\
def load_config(given):
    return {"l0_table": ""}

def load_l0_table(path):
    return {}

def decide(command, cwd, config):
    word = "deny" if "bad" in command else "ask" if "odd" in command else "allow"
    layer = "fail_closed" if "unknown" in command else "L0"
    return {"decision": word, "layer": layer, "reason": command}
"""
"""Answers by words in the command."""

HURT = "hurt"
"""The word in a command at which the programs of `hurting` do what they do."""


def hurting(*statements: str) -> str:
    """Return a program that is `PLAIN`, but runs `statements` when a command has `HURT` in it."""
    body = "\n".join(f"        {line}" for statement in statements for line in statement.splitlines())
    return (
        "import json, os, signal, subprocess, sys, threading, time\n"
        + PLAIN.replace("def decide", "def plain")
        + f"\ndef decide(command, cwd, config):\n    if {HURT!r} in command:\n{body}\n"
        + "    return plain(command, cwd, config)\n"
    )


def write(folder: Path, source: str = PLAIN, name: str = "guard.py") -> str:
    """Write a program that only its owner can change, and return its path."""
    path = folder / name
    path.write_text(source, encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def state(pid: int) -> str:
    """Return what a process does, in the letters of proc(5): ``Z`` for one that is gone, ``T`` for a stopped one."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def runs(pid: int) -> bool:
    """Tell whether a process is there and at work; one that only waits to be seen off is not."""
    return state(pid) not in "ZX"


def eventually(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Return whether `holds` becomes true in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def children() -> set[int]:
    """Return the processes that are at work as children of this one."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == os.getpid() and runs(int(entry.name)):
                found.add(int(entry.name))
    return found
