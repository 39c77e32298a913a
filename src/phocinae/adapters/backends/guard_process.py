"""A guard program in a child process of its own: started when first asked, kept, and started anew after a failure.

The child shares nothing with this process but two pipes.  Its standard streams are the
null device, its environment holds one harmless variable, and no other descriptor is
handed on.  It leads a process group of its own, which is killed as a whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import weakref
from collections import deque
from fcntl import F_DUPFD_CLOEXEC, fcntl
from threading import Lock
from time import monotonic
from typing import Any

from ...errors import GuardFailed
from .guard_file import shown

CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guard_child.py")
"""The program that runs in the child."""

ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
"""The whole environment of the child."""

ANSWER_LIMIT = 1 << 16
"""The longest answer that is read, in bytes."""

_FIRST_FREE = 3
"""The child's streams 0 to 2 are the null device, which would take the place of a pipe with such a number."""

MOST_STARTS, WINDOW = 5, 10.0
"""A child is started at most so many times within so many seconds."""


class GuardProcess:
    """Asks the guard program that stands at `path` with the content `source`; safe for many threads, which queue."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source
        self._lock = Lock()
        self._child: _Child | None = None
        self._end: weakref.finalize[..., Any] | None = None
        self._starts: deque[float] = deque(maxlen=MOST_STARTS)
        _ALL.add(self)

    def ask(self, command: str, cwd: str, seconds: float) -> dict[str, Any]:
        """Return what the program says about `command`, as it says it, within `seconds` in all.

        Raises:
            GuardFailed: it gave no answer, or one that cannot be read.
        """
        deadline = monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise GuardFailed(f"other commands kept it busy for {seconds:g} s")
        try:
            child = self._child or self._started(deadline, seconds)
            answer = _exchange(child, {"command": command, "cwd": cwd}, deadline, seconds)
        except BaseException:  # an interruption too: what comes next would be the answer to something else
            self._stop()
            raise
        finally:
            self._lock.release()
        if "error" in answer:
            raise GuardFailed(f"it failed: {shown(answer['error'])}")
        return answer

    def close(self) -> None:
        """End the child; the next call would start another."""
        with self._lock:
            self._stop()

    def forget(self) -> None:
        """Let go of the child, which is that of the process from which this one was forked."""
        self._lock = Lock()
        if self._child is not None:
            self._child.let_go()
        if self._end is not None:
            self._end.detach()
        self._child = self._end = None

    def _started(self, deadline: float, seconds: float) -> _Child:
        now = monotonic()
        if len(self._starts) == MOST_STARTS and now - self._starts[0] < WINDOW:
            rest = WINDOW - (now - self._starts[0])
            raise GuardFailed(f"it failed {MOST_STARTS} times within {WINDOW:g} s, and is left alone for {rest:.0f} s")
        self._starts.append(now)
        self._child = child = _Child()
        self._end = weakref.finalize(self, child.stop)
        program = {"path": self._path, "source": self._source.decode("latin-1")}
        answer = _exchange(child, program, deadline, seconds)
        if "error" in answer:
            raise GuardFailed(f"it cannot be loaded: {shown(answer['error'])}")
        return child

    def _stop(self) -> None:
        if self._end is not None:
            self._end()
        self._child = self._end = None


class _Child:
    """One child process, and this side's ends of the pipes."""

    def __init__(self) -> None:
        """Start the child.

        Raises:
            GuardFailed: the system does not let us.
        """
        if not sys.executable:
            raise GuardFailed("no process can be started for it: this program does not know its Python")
        self.asked = 0
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            try:
                requests, self._to = _pipe(theirs, ours)
                self._from, answers = _pipe(ours, theirs)
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-B", "-X", "utf8", CHILD, str(requests), str(answers)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    pass_fds=(requests, answers), cwd="/", env=ENVIRONMENT, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise GuardFailed(f"no process can be started for it: {error.strerror}") from None
            os.set_blocking(self._to, False)
            os.set_blocking(self._from, False)
            self._ends = ours.pop_all()

    def exchange(self, line: bytes, deadline: float) -> bytes:
        """Return the one line that the child answers to `line`.

        Raises:
            GuardFailed: it ended, or wrote something else than one line.
            TimeoutError: nothing came before `deadline`.
        """
        while line:
            _wait(self._to, select.POLLOUT, deadline)
            try:
                line = line[os.write(self._to, line) :]
            except BrokenPipeError:
                raise GuardFailed("it ended") from None
        answer = b""
        while not answer.endswith(b"\n"):
            _wait(self._from, select.POLLIN, deadline)
            piece = os.read(self._from, ANSWER_LIMIT)
            answer += piece
            if not piece:
                raise GuardFailed("it ended")
            if len(answer) > ANSWER_LIMIT:
                raise GuardFailed(f"its answer is longer than {ANSWER_LIMIT} bytes")
        return answer

    def let_go(self) -> None:
        """Close this side's ends of the pipes, and leave the process alone."""
        self._ends.close()
        self._process.returncode = 0  # it is another's to wait for, and no loss to be warned of here

    def stop(self) -> None:
        """Kill the child and whatever it has started, and see it off."""
        self._ends.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # before the child is waited for, since its number could be another's afterwards
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)


def _pipe(readers: contextlib.ExitStack, writers: contextlib.ExitStack) -> tuple[int, int]:
    """Return the ends of a new pipe, which the two stacks close; neither is a standard stream that was closed."""
    moved = []
    with contextlib.ExitStack() as first:
        ends = os.pipe()
        for end in ends:
            first.callback(os.close, end)
        for end, stack in zip(ends, (readers, writers), strict=True):
            moved.append(fcntl(end, F_DUPFD_CLOEXEC, _FIRST_FREE))
            stack.callback(os.close, moved[-1])
    return moved[0], moved[1]


def _exchange(child: _Child, request: dict[str, Any], deadline: float, seconds: float) -> dict[str, Any]:
    child.asked += 1
    line = json.dumps({"id": child.asked, "seconds": seconds, **request}).encode("ascii") + b"\n"
    try:
        answer = _decoded(child.exchange(line, deadline))
    except TimeoutError:
        raise GuardFailed(f"it did not answer within {seconds:g} s") from None
    except OSError as error:
        raise GuardFailed(f"it cannot be reached: {error.strerror}") from None
    if type(answer.get("id")) is not int or answer["id"] != child.asked:
        raise GuardFailed("what it wrote is no answer to what it was asked")
    return answer


def _wait(descriptor: int, event: int, deadline: float) -> None:
    waiting = select.poll()
    waiting.register(descriptor, event)
    rest = deadline - monotonic()
    if rest <= 0 or not waiting.poll(rest * 1000):
        raise TimeoutError


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        answer = None
    if type(answer) is not dict:
        raise GuardFailed("what it wrote cannot be read")
    return answer


def _forget_all() -> None:
    for one in list(_ALL):
        one.forget()


_ALL: weakref.WeakSet[GuardProcess] = weakref.WeakSet()
os.register_at_fork(after_in_child=_forget_all)
