"""Runs the official MCP conformance suite against the server of its fixtures, tests/conformance/server.py.

usage: python tools/conformance.py [REVISION ...]

One line for each scenario that fails, and one for each revision.  The suite comes from
npm, with a Node that is new enough for it, into the cache of npm; without a network it
runs from there.  Exit 0: all passed; 1: some failed; 2: the suite could not be run.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

SERVER = Path(__file__).resolve().parent.parent / "tests" / "conformance" / "server.py"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = 22
"""The first version of Node that the suite runs on."""

REVISIONS = ("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26")
"""Those that the suite knows; it knows none before."""

COULD_NOT_RUN = 2
SECONDS = 600

_LISTED = re.compile(r"^\s+- (\S+)", re.MULTILINE)
_VERDICT = re.compile(r"^([✓✗]) (\S+): \d+ passed, \d+ failed", re.MULTILINE)


def suite(arguments: list[str], folder: str) -> str:
    """Return what the suite prints, called with `arguments` in `folder`; it fails where a scenario does."""
    done = subprocess.run(
        ["npm", "exec", "--yes", *_node(), f"--package={SUITE}", "--", "conformance", *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    return done.stdout + done.stderr


def _node() -> list[str]:
    """Return what gives npm a Node that is new enough, or nothing where there is one."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.lstrip("v").partition(".")[0]) >= NODE:
            return []
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
    is_known = platform.system() == "Linux" and machine is not None
    return [f"--package=node-linux-{machine}@{NODE}" if is_known else f"--package=node@{NODE}"]


def load() -> ModuleType:
    """Return the module of the server, which lies in no package."""
    spec = spec_from_file_location("conformance_server", SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def serving() -> Iterator[str]:
    """Serve the fixtures meanwhile; yields the address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    child = subprocess.Popen([sys.executable, str(SERVER), "--transport", "http", "--port", str(port)])
    try:
        _wait_for(port, child)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        child.terminate()
        child.wait(20)


def _wait_for(port: int, child: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if child.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server of the fixtures does not start")


def run(address: str, revision: str, folder: str) -> int:
    """Run the scenarios of `revision`, print what came of them, and return the exit status."""
    listed = _LISTED.findall(suite(["list", "--server", "--spec-version", revision], folder))
    if not listed:
        print(f"{revision}: the suite could not be run; is there a way to the npm registry?")
        return COULD_NOT_RUN
    out = Path(folder) / revision
    said = suite(["server", "--url", address, "--suite", "all", "--spec-version", revision, "-o", str(out)], folder)
    passed = {name for sign, name in _VERDICT.findall(said) if sign == "✓"}
    for name in listed:
        if name not in passed:
            print(f"{revision}: FAILED {name}")
    checks = Counter(
        check["status"] for path in out.rglob("checks.json") for check in json.loads(path.read_text(encoding="utf-8"))
    )
    tally = ", ".join(f"{checks[status]} {status.lower()}" for status in ("FAILURE", "WARNING", "SKIPPED"))
    good = sum(name in passed for name in listed)  # a scenario that did not finish has no verdict, and did not pass
    print(f"{revision}: {good}/{len(listed)} scenarios; checks: {checks['SUCCESS']} success, {tally}")
    return 0 if good == len(listed) else 1


def main(revisions: list[str]) -> int:
    """Run the suite for each of `revisions`, or for all that it knows, and return the exit status."""
    if shutil.which("npm") is None:
        print("npm is not there, so the suite cannot be run")
        return COULD_NOT_RUN
    with tempfile.TemporaryDirectory() as folder, serving() as address:
        return max(run(address, revision, folder) for revision in revisions or REVISIONS)


if __name__ == "__main__":
    os.environ.pop("NODE_OPTIONS", None)
    sys.exit(main(sys.argv[1:]))
