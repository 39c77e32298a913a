"""One conversation over standard input and output: a frame is a line of UTF-8, whatever the locale says.

The main thread reads, answers what needs no waiting, and hands the rest to a few
workers.  Standard output carries frames and nothing else: the descriptors are taken
away before anything runs, so that a print of any module, or of a child process, goes to
standard error (transports/stdio: nothing that is no message).

At the end of input, and when the process is told to stop, calls that still run get
`GRACE` seconds; what is not done by then is answered in their place.  A call that waits for
its client's reply is answered in its place at once, because none will come.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, FileIO
from queue import SimpleQueue
from types import FrameType
from typing import Any, BinaryIO, NoReturn

from attrs import frozen

from ...mcp.asking import Channel
from ...mcp.conversation import Conversation
from ...mcp.jsonrpc import FRAME_LIMIT, ErrorCode, Refusal
from ...mcp.open_calls import Call
from ...mcp.operations import Level, Log
from .event_loop import LoopThread

GRACE = 2.0
"""How many seconds calls may go on after the end of input."""

WORKERS = 16
"""How many calls run at once; they wait for others and do little themselves."""

THREADS = 64
"""How many threads there are at most, those included whose call was cancelled and which cannot be stopped."""

BACKLOG = 256
"""How many calls may be open before no further line is read."""

_LAST_RESORT = GRACE + 0.5
_BUFFER = 1 << 16
_BLANK = b" \t\r\n"
_TOO_LONG = Refusal(ErrorCode.INVALID_REQUEST, f"Invalid request: the message is longer than {FRAME_LIMIT} bytes")


class _Stop(BaseException):
    """The process was told to stop while the main thread waited; nothing that handles `Exception` may swallow it."""


def _nothing() -> None:
    """Do nothing."""


class _Incoming(FileIO):
    """A descriptor that is waited for, also where another process made it one that nobody waits for.

    That is a property of the pipe, which a parent shares with those that inherited it; else a
    moment without input would pass for its end.
    """

    def readinto(self, buffer: Any, /) -> int:
        while (count := super().readinto(buffer)) is None:
            _await(self.fileno())
        return count


def _await(descriptor: int, *, writable: bool = False) -> None:
    """Wait until there is something to read, or room to write."""
    if not hasattr(select, "poll"):
        time.sleep(0.01)
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT if writable else select.POLLIN)
    poll.poll()


@frozen
class Wires:
    """The two descriptors that frames travel on."""

    incoming: int
    outgoing: int


def take_standard_streams() -> Wires:
    """Take standard input and output away from the rest of the process, for good, and return them.

    Afterwards descriptor 1 and `sys.stdout` are standard error, or nothing where that is
    closed, and descriptor 0 is at its end.

    Raises:
        OSError: standard input or output is closed.
    """
    if sys.stdin is None or sys.stdout is None:  # another file may have got the number of a closed one by now
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    null = os.open(os.devnull, os.O_RDWR)  # first, so that it fills the gap of a closed standard error
    wires = Wires(os.dup(0), os.dup(1))
    os.dup2(null, 0)
    os.dup2(null if sys.stderr is None else 2, 1)
    if null > 2:
        os.close(null)
    sys.stdout = sys.stderr  # and what was printed before, but not written yet, goes there too
    return wires


class StdioTransport:
    """Serves one conversation on two descriptors, which stay open."""

    def __init__(self, wires: Wires, log: Log, afterwards: Callable[[], None] = _nothing) -> None:
        """Read and write `wires`; `log` is told what a person should know.

        `afterwards` is called once the answers to a message are sent, and must not raise.
        """
        self._wires = wires
        self._log = log
        self._afterwards = afterwards
        self._writing = threading.Lock()
        self._gone = False
        self._stopping = False
        self._waiting = False
        self._fuse: Any = None

    def serve(self, open_conversation: Callable[..., Conversation]) -> None:
        """Serve until the input ends, the client is gone, or the process is told to stop.

        `open_conversation` is `conversation.Server.open`.
        """
        for descriptor in (self._wires.incoming, self._wires.outgoing):
            with suppress(OSError):
                os.set_blocking(descriptor, True)  # a parent may have left it otherwise
        workers = _Workers(self._send, self._afterwards)
        conversation = open_conversation(Channel(send=self._send, later=_later), start=LoopThread().start)
        incoming = _Incoming(self._wires.incoming, "rb", closefd=False)
        with self._stop_signals(), BufferedReader(incoming, _BUFFER) as lines:
            with suppress(_Stop):
                self._read(lines, conversation, workers)
            self._light_fuse()
            self._finish(conversation, workers)
            self._gone = True
            self._log(Level.NOTICE, "stopped")

    def _read(self, lines: BinaryIO, conversation: Conversation, workers: _Workers) -> None:
        while not self._gone:
            line = self._line(lines)
            if not line:
                return
            if len(line) > FRAME_LIMIT and self._is_too_long(line, lines):
                step = conversation.refuse(_TOO_LONG)
            elif frame := line.strip(_BLANK):
                step = conversation.receive(frame)
            else:
                continue
            for reply in step.replies:
                self._send(reply)
            for call in step.calls:
                workers.take(call, lambda: self._stopping)
            workers.relieve()
            self._afterwards()

    def _finish(self, conversation: Conversation, workers: _Workers) -> None:
        """Answer what is still open, each call in its place once its time is over."""
        for frame in conversation.hang_up():
            self._send(frame)
        if not self._gone:
            workers.drain(GRACE, conversation)
        for call in conversation.open.all():
            given = call.give_up()
            if given is not None:
                self._send(given)
        self._afterwards()

    def _line(self, lines: BinaryIO) -> bytes:
        """Return the next line, or the beginning of one that is too long; empty when there is no more to read."""
        self._waiting = True
        try:
            return b"" if self._stopping else lines.readline(FRAME_LIMIT + 2)  # two more, for the line's end
        except OSError:
            return b""
        finally:
            self._waiting = False

    def _is_too_long(self, line: bytes, lines: BinaryIO) -> bool:
        """Whether `line` is past the limit; the rest of one that was not read to its end is thrown away."""
        if line.endswith(b"\n"):
            return len(line) - (2 if line.endswith(b"\r\n") else 1) > FRAME_LIMIT
        while (rest := lines.readline(_BUFFER)) and not rest.endswith(b"\n"):
            pass
        return True

    def _send(self, frame: bytes) -> None:
        rest = memoryview(frame + b"\n")
        with self._writing:
            try:
                while rest and not self._gone:
                    rest = rest[self._written(rest) :]
            except OSError:  # the client is gone, and nobody is left to be told
                self._gone = True

    def _written(self, rest: memoryview) -> int:
        try:
            return os.write(self._wires.outgoing, rest)
        except BlockingIOError:
            _await(self._wires.outgoing, writable=True)
            return 0

    @contextmanager
    def _stop_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and SIGINT meanwhile; in another thread than the main one there are no signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kept = [(number, signal.signal(number, self._stop)) for number in (signal.SIGTERM, signal.SIGINT)]
        try:
            yield
        finally:
            self._put_out_fuse()
            for number, handler in kept:
                # a parent may tell twice, and what was told is done: nothing is left that a signal should kill
                told = self._stopping and handler is signal.SIG_DFL
                signal.signal(number, signal.SIG_IGN if told else handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        """End the reading: at once while the main thread waits for a line, else once it has answered the last one."""
        self._stopping = True
        self._light_fuse()
        if self._waiting:
            self._waiting = False  # another signal must not interrupt what this one leads to
            raise _Stop

    def _light_fuse(self) -> None:
        """End the process a little after the grace, whatever holds it up: a client may not read its pipe.

        A timer of the system, because its signal also reaches a thread that is stuck in a write.
        Whoever tells the process to stop again and again does not put off its end.
        """
        if self._fuse is not None:
            return
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            self._fuse = signal.signal(signal.SIGALRM, _end_now) or signal.SIG_DFL
            signal.setitimer(signal.ITIMER_REAL, _LAST_RESORT)

    def _put_out_fuse(self) -> None:
        """Let the program that served go on with what it has left to do."""
        if self._fuse is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._fuse)


class _Workers:
    """Runs calls on daemon threads, which are started when they are needed and never joined.

    A pool of the standard library waits for its threads when the process ends, and a
    call can hang for as long as its service does.
    """

    def __init__(self, send: Callable[[bytes], None], afterwards: Callable[[], None]) -> None:
        self._send = send
        self._afterwards = afterwards
        self._changed = threading.Condition()
        self._queued = 0
        self._running: list[Call] = []
        self._threads = 0
        self._queue: SimpleQueue[Call] = SimpleQueue()

    def take(self, call: Call, stopping: Callable[[], bool]) -> None:
        """Let a worker run `call`; wait while too many are there, unless the server is `stopping`."""
        with self._changed:
            while self._queued + len(self._running) >= BACKLOG and not stopping():
                self._changed.wait(0.1)
            self._queued += 1
            self._queue.put(call)
            self._start_thread()
            alone = not self._threads
        if alone:
            self._run(self._queue.get())

    def relieve(self) -> None:
        """Let a new thread do the work of one whose call was cancelled, if there is any."""
        if self._queued:
            with self._changed:
                self._start_thread()

    def drain(self, seconds: float, conversation: Conversation) -> None:
        """Wait so long until all calls are answered, and the answers sent."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not conversation.open.is_settled or self._lost() < len(self._running):
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                self._changed.wait(min(left, 0.05))  # calls on an event loop end without a word

    def _start_thread(self) -> None:
        """Start a thread if there is work for it, and fewer than `WORKERS` are at work that somebody waits for."""
        wanted = min(WORKERS + self._lost(), THREADS, self._queued + len(self._running))
        if self._threads < wanted:
            with suppress(RuntimeError):  # the system has no thread to spare: those that are there have to do
                threading.Thread(target=self._work, daemon=True).start()
                self._threads += 1

    def _lost(self) -> int:
        return sum(call.is_cancelled for call in self._running)

    def _work(self) -> None:
        while True:
            self._run(self._queue.get())
            with self._changed:
                if self._threads > WORKERS + self._lost():
                    self._threads -= 1
                    return

    def _run(self, call: Call) -> None:
        with self._changed:
            self._queued -= 1
            self._running.append(call)
        frame = call.run()
        if frame is not None:
            self._send(frame)
        self._afterwards()
        with self._changed:
            self._running.remove(call)
            self._changed.notify_all()


def _later(seconds: float, work: Callable[[], None]) -> Callable[[], None]:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
    return timer.cancel


def _end_now(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(0)
