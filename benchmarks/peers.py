"""Where the published gates are that we are measured beside, and how to install them.

The peers live in an environment of their own: one of their packages uses our import
name, and nothing of them may be imported by the process that measures us.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import venv
from pathlib import Path

PEER_PACKAGES = ("phocinae-guard==0.1.9", "phocinae-mcp==0.2.6")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the two ways to name the environment of the peers."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--peer-python", type=Path, metavar="FILE", help="the interpreter of the peers' environment")
    where.add_argument(
        "--make-peers", type=Path, metavar="DIR", help="make that environment in DIR first (pip installs the peers)"
    )


def peer_python(options: argparse.Namespace) -> Path | None:
    """Return the interpreter that the options name, after making its environment if they say so; None without one."""
    if options.make_peers is None:
        found: Path | None = options.peer_python
        if found is not None and not found.is_file():
            raise SystemExit(f"there is no interpreter {found}")
        return found
    python: Path = options.make_peers / "bin" / "python"
    if not python.is_file():
        venv.create(options.make_peers)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *PEER_PACKAGES], check=True)
    return python
