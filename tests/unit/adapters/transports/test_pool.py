"""A few threads: how much runs at once, and that work which nobody wants any more holds no place."""

from __future__ import annotations

import threading

import pytest

from phocinae.adapters.transports import pool
from phocinae.adapters.transports.pool import Job, Pool


class Gate:
    """Work that says that it has begun, and waits until the test lets it go."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.open = threading.Event()
        self.done = threading.Semaphore(0)

    def work(self) -> None:
        self.begun.release()
        assert self.open.wait(30)
        self.done.release()

    def has_begun(self, count: int) -> bool:
        return all(self.begun.acquire(timeout=20) for _ in range(count))

    def no_more_begins(self) -> bool:
        return not self.begun.acquire(timeout=0.1)

    def is_done(self, count: int) -> bool:
        self.open.set()
        return all(self.done.acquire(timeout=20) for _ in range(count))


def test_so_much_runs_at_once_and_the_rest_waits() -> None:
    gate, threads = Gate(), Pool(3)
    for _ in range(5):
        threads.submit(Job(gate.work))
    assert gate.has_begun(3)
    assert gate.no_more_begins()
    assert threads.open == 5
    assert gate.is_done(5)


def test_work_that_is_lost_gives_its_place_to_others() -> None:
    gate, threads = Gate(), Pool(2)
    jobs = [Job(gate.work) for _ in range(4)]
    for job in jobs:
        threads.submit(job)
    assert gate.has_begun(2)
    jobs[0].is_lost = True
    threads.relieve()
    assert gate.has_begun(1)
    assert gate.no_more_begins()
    assert gate.is_done(4)


def test_there_are_only_so_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST_THREADS", 3)
    gate, threads = Gate(), Pool(2)
    jobs = [Job(gate.work) for _ in range(6)]
    for job in jobs:
        threads.submit(job)
    assert gate.has_begun(2)
    for job in jobs:
        job.is_lost = True
        threads.relieve()
    assert gate.has_begun(1)
    assert gate.no_more_begins()
    assert gate.is_done(6)


def test_it_goes_on_after_everything() -> None:
    threads = Pool(1)
    for _ in range(20):
        done = threading.Event()
        threads.submit(Job(done.set))
        assert done.wait(20)


def test_work_that_raises_against_the_rule_costs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Semaphore(0)
    monkeypatch.setattr(threading, "excepthook", lambda _: told.release())

    def broken() -> None:
        raise SystemError("it must not raise")

    gate, threads = Gate(), Pool(2)
    for _ in range(6):
        threads.submit(Job(broken))
    for _ in range(2):
        threads.submit(Job(gate.work))
    assert gate.has_begun(2)
    assert gate.is_done(2)
    assert all(told.acquire(timeout=20) for _ in range(6))  # none of them is left to tell of it in another test
