"""The last word of a hook that runs out of time: written whole by a timer, whatever the program hangs in.

Nearly every agent runs the call when its hook is late, so a hook has to be in time by
itself.  A timer of the system interrupts it, writes the block and ends the process.  A
second one, a fuse in C, ends the process without a word where Python cannot run any more,
such as in an endless loop of a library; for the installed command any such end is a block.
This module loads next to nothing, because it is there before everything else.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from _thread import allocate_lock, start_new_thread
from typing import NoReturn

DEADLINE = 6.0
"""How many seconds a hook has before its settings are known: what `Settings.hook_deadline` is by default."""

BLOCKED = 2
"""The exit status that blocks a call, for every agent that knows one."""

GRACE = 1.0
"""How many seconds after its end the fuse burns through."""

Word = tuple[bytes, bytes, int]
"""What is left behind: the bytes for standard output and standard error, and the exit status."""


class Deadline:
    """Ends this process with `last_word`, unless `finish` ended it before.

    The time runs from the making of the object.  Without `setitimer`, as on Windows, a
    thread keeps it, which needs Python to run.
    """

    def __init__(self, seconds: float, last_word: Word) -> None:
        self.last_word = last_word
        self._began = time.monotonic()
        self._ends = self._began
        self._answering = allocate_lock()
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._expire)
            # whoever started this process may have blocked the signal, and a mask is inherited
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        self.set(seconds)
        if not hasattr(signal, "setitimer"):
            start_new_thread(self._watch, ())

    def set(self, seconds: float) -> None:
        """Let the time be up `seconds` after it began, instead of what was said before."""
        if self._ends == self._began + seconds:
            return
        self._ends = self._began + seconds
        left = max(self._ends - time.monotonic(), 0.001)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, left)
        _fuse(left + GRACE)

    def finish(self, word: Word) -> NoReturn:
        """Leave with `word`; from here on, the end of the time means that nobody takes it, and blocks."""
        self._answering.acquire()
        leave(word)

    def _expire(self, *_: object) -> None:
        if self._answering.acquire(blocking=False):
            leave(self.last_word)
        os._exit(BLOCKED)

    def _watch(self) -> None:
        while (left := self._ends - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))
        self._expire()


def leave(word: Word) -> NoReturn:
    """Write both outputs and end the process at once."""
    os._exit(tell(word))


def tell(word: Word) -> int:
    """Write both outputs, each at once, and return the exit status; an answer that cannot be written is a block."""
    stdout, stderr, status = word
    if not put(1, stdout):
        status = BLOCKED
        stderr = stderr or b"phocinae: the answer could not be written to standard output\n"
    put(2, stderr)
    return status


def put(descriptor: int, data: bytes) -> bool:
    """Write all of `data` at once, and tell whether that went well."""
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        return False
    return True


def fill_standard_descriptors() -> None:
    """Take the place of each standard stream that is closed: there is nothing to read, and nothing can be written.

    A file that is opened later would otherwise take its number, and get what is meant for the agent.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def _fuse(seconds: float) -> None:
    import faulthandler  # its timer is a thread in C that needs no Python, and ends the process with _exit

    # where there is no thread left, or no null device, the first timer is all there is
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        faulthandler.dump_traceback_later(seconds, exit=True, file=nothing)
