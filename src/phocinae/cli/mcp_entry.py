"""The console script ``phocinae-mcp``: ``phocinae serve`` under the name and with the options of the published server.

A client that was set up for that server starts this one unchanged; its variables, such
as ``PHOCINAE_MCP_SERVER``, are read by `phocinae.settings`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from attrs import evolve

from ..errors import InvalidRequest
from ..settings import VERSION
from .entry import USAGE
from .entry import run as run_phocinae
from .options import SERVE, help_text, parse
from .output import complain, say

PROGRAM = "phocinae-mcp"

_COMMAND = evolve(SERVE, name="")


def main() -> None:
    """Run the command line of this process and end it with the exit status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line `arguments` and return the exit status; never raise."""
    try:
        page = _page(arguments)
        if not page:
            return run_phocinae(["serve", *arguments])
        say(page)
    except InvalidRequest as error:
        complain(str(error))
        return USAGE
    return 0


def _page(arguments: Sequence[str]) -> str:
    """Return what `arguments` ask to be shown, the help or the version, or the empty text."""
    parsed = parse(_COMMAND, arguments)
    if parsed.on("--help"):
        return help_text(_COMMAND, PROGRAM).replace(f"{PROGRAM}  ", f"{PROGRAM} ", 1)
    return f"{PROGRAM} {VERSION}\n" if parsed.on("--version") else ""
