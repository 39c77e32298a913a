"""A few threads for work that may wait for others: daemons, started when needed and never joined.

A pool of the standard library waits for its threads when the process ends, and a call can
hang for as long as its service does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from attrs import define

MOST_THREADS = 64
"""How many threads a pool has at most, those included whose work nobody wants any more and which cannot be stopped."""


@define(eq=False)
class Job:
    """Some work, which must not raise; whoever wants it no longer says so here, and calls `Pool.relieve`."""

    work: Callable[[], None]
    is_lost: bool = False


class Pool:
    """Does work on at most `threads` threads, not counting those that are lost to what nobody waits for."""

    def __init__(self, threads: int) -> None:
        self._most = threads
        self._threads = 0
        self._queued = 0
        self._running: list[Job] = []
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Job] = SimpleQueue()

    @property
    def open(self) -> int:
        """How much work is running or waiting for a thread."""
        return self._queued + len(self._running)

    def submit(self, job: Job) -> None:
        """Have `job` done as soon as a thread is free for it."""
        with self._lock:
            self._queued += 1
            self._queue.put(job)
            self._start_thread()

    def relieve(self) -> None:
        """Let a new thread take the place of a lost one, if there is work for it."""
        with self._lock:
            self._start_thread()

    def _start_thread(self) -> None:
        wanted = min(self._most + self._lost(), MOST_THREADS, self._queued + len(self._running))
        if self._threads < wanted:
            self._threads += 1
            threading.Thread(target=self._work, daemon=True).start()

    def _lost(self) -> int:
        return sum(job.is_lost for job in self._running)

    def _work(self) -> None:
        while True:
            job = self._queue.get()
            with self._lock:
                self._queued -= 1
                self._running.append(job)
            ends = True
            try:
                job.work()
                ends = False
            finally:  # what raised ends this thread, and another one takes its place
                with self._lock:
                    self._running.remove(job)
                    ends = ends or self._threads > self._most + self._lost()
                    self._threads -= ends
                    self._start_thread()
                del job  # which would else be kept until the next one comes
            if ends:
                return
