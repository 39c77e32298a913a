"""Where the command ``phocinae`` starts: looks at the first argument, and keeps every traceback to itself.

``gate`` and ``hook`` go ways of their own, without click.  Nothing is imported here that is not
needed by all, so that an interruption finds the handler in place.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # typing itself would double the time of this import
if TYPE_CHECKING:
    from typing import NoReturn

USAGE = 3
"""The exit status of a call that cannot be used; 1 and 2 are answers of the gate."""


def main() -> None:
    """Run the command line of this process and end it with the exit status."""
    arguments = sys.argv[1:]
    if (behind := of_hook(arguments)) is not None:
        gc.disable()
        _hook(behind)
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


def of_hook(arguments: Sequence[str]) -> list[str] | None:
    """Return the arguments of ``hook``, with the options in front of that word; None for another command."""
    words = iter(enumerate(arguments))
    for place, word in words:
        if word == "hook":
            return [*arguments[:place], *arguments[place + 1 :]]
        if not word.startswith("-"):
            return None
        if word == "--config":
            next(words, None)
    return None


def _hook(arguments: Sequence[str]) -> NoReturn:
    """Answer the hook of an agent and end the process, whatever happens, and in time."""
    from .deadline import BLOCKED, DEADLINE, Deadline, fill_standard_descriptors, leave

    try:
        fill_standard_descriptors()
        # before all that may take its time, and before anything is read
        deadline = Deadline(DEADLINE, (b"", b"phocinae: the hook had no answer in time, so it blocks\n", BLOCKED))
        from .hook import main as hook

        hook(arguments, deadline)
    except BaseException as error:  # the last resort: a hook that fails blocks
        leave((b"", f"phocinae: the hook failed ({type(error).__name__}), so it blocks\n".encode(), BLOCKED))
    leave((b"", b"phocinae: the hook came to no answer, so it blocks\n", BLOCKED))


def _dispatch(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] == "gate":
        from .gate import main as gate

        return gate(arguments[1:])
    if (behind := of_hook(arguments)) is not None:
        from .hook import main as hook

        return hook(behind)
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
