"""Where the command ``phocinae`` starts: looks at the first argument, and keeps every traceback to itself.

``gate`` goes a way of its own, without click.  Nothing is imported here that is not
needed by all, so that an interruption finds the handler in place.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

USAGE = 3
"""The exit status of a call that cannot be used; 1 and 2 are answers of the gate."""


def main() -> None:
    """Run the command line of this process and end it with the exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] != ["gate"]:
        sys.exit(run(arguments))
    # One verdict and out: collecting garbage and taking the interpreter apart would cost a quarter of the time.
    # All that was written has been flushed, and nothing is left open that needs an end of its own.
    gc.disable()
    os._exit(run(arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line `arguments` and return the exit status; never raise."""
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return _stop("interrupted")
    except Exception as error:  # the last resort: one line, whatever happened
        return _stop(_in_words(error))


def _dispatch(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] == "gate":
        from .gate import main as gate

        return gate(arguments[1:])
    from .commands import main as commands

    return commands(arguments)


def _stop(message: str) -> int:
    from .output import complain

    complain(message)
    return USAGE


def _in_words(error: Exception) -> str:
    from ..errors import PhocinaeError

    if isinstance(error, PhocinaeError):
        return str(error)
    return f"internal error ({type(error).__name__}); please report it, with the call that led to it"
