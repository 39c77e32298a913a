"""The breaker opens after failures in a row, lets one probe through, and closes at the first success."""

from __future__ import annotations

import threading

from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.backends.breaker import FAILURES, PAUSE, Breaker, LeftAlone, Pass, State


@define
class Clock:
    """A clock that stands still unless it is told."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def leave(breaker: Breaker) -> Pass:
    found = breaker.ask()
    assert isinstance(found, Pass)
    return found


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock=clock)
    for _ in range(FAILURES):
        breaker.failed(leave(breaker), "nobody listens")
    assert breaker.state is State.OPEN
    return breaker


def test_it_opens_at_the_last_failure_in_a_row_and_not_before() -> None:
    breaker = Breaker(clock=Clock())
    for _ in range(FAILURES - 1):
        breaker.failed(leave(breaker), "no")
    assert (breaker.state, breaker.retry_in) == (State.CLOSED, 0.0)
    breaker.succeeded(leave(breaker))
    assert breaker.reason == ""
    for count in range(FAILURES):
        assert breaker.state is State.CLOSED, count
        breaker.failed(leave(breaker), f"failure {count}")
    assert (breaker.state, breaker.retry_in, breaker.reason) == (State.OPEN, PAUSE, f"failure {FAILURES - 1}")
    assert breaker.ask() == LeftAlone(State.OPEN, f"failure {FAILURES - 1}", PAUSE)


def test_after_the_pause_one_probe_goes_and_the_others_wait() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE - 0.01
    assert isinstance(breaker.ask(), LeftAlone)
    clock.now += 0.01
    assert breaker.state is State.HALF_OPEN
    probe = leave(breaker)
    assert breaker.state is State.HALF_OPEN
    assert [breaker.ask() for _ in range(3)] == [LeftAlone(State.HALF_OPEN, "nobody listens", PAUSE)] * 3
    breaker.succeeded(probe)
    assert (breaker.state, breaker.reason, breaker.ask()) == (State.CLOSED, "", Pass())


def test_a_probe_that_fails_opens_it_for_another_pause() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    probe = leave(breaker)
    clock.now += 0.5
    breaker.failed(probe, "still nobody")
    assert (breaker.state, breaker.retry_in, breaker.reason) == (State.OPEN, PAUSE, "still nobody")
    clock.now += PAUSE
    assert leave(breaker) != probe


def test_a_probe_of_which_nothing_is_heard_is_followed_by_another() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    first = leave(breaker)
    clock.now += PAUSE
    second = leave(breaker)
    assert isinstance(breaker.ask(), LeftAlone)
    breaker.failed(first, "too late to count")
    assert (breaker.state, breaker.reason) == (State.HALF_OPEN, "nobody listens")
    breaker.succeeded(second)
    assert breaker.state is State.CLOSED


def test_a_probe_that_was_dropped_makes_room_for_the_next() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    breaker.dropped(leave(breaker))
    assert breaker.state is State.HALF_OPEN
    breaker.succeeded(leave(breaker))
    breaker.dropped(leave(breaker))
    assert breaker.ask() == Pass()


def test_a_call_from_before_puts_no_probe_off_and_closes_when_it_succeeds() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    early, late = leave(breaker), leave(breaker)
    for _ in range(FAILURES):
        breaker.failed(leave(breaker), "no")
    clock.now += PAUSE / 2
    breaker.failed(early, "from before")
    assert (breaker.retry_in, breaker.reason) == (PAUSE / 2, "no")
    breaker.succeeded(late)
    assert breaker.state is State.CLOSED


@given(st.lists(st.tuples(st.sampled_from(["ask", "succeed", "fail", "drop", "wait"]), st.integers(0, 9))))
def test_whatever_happens_a_probe_goes_once_per_pause_and_a_success_closes(steps: list[tuple[str, int]]) -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    out: list[Pass] = []
    for step, number in steps:
        if step == "wait":
            clock.now += PAUSE / 4 * number
        elif step == "ask":
            before = breaker.state
            found = breaker.ask()
            if isinstance(found, Pass):
                out.append(found)
                assert breaker.state is before
            else:
                assert before is not State.CLOSED
        elif out:
            one = out.pop(number % len(out))
            if step == "fail":
                breaker.failed(one, "no")
            elif step == "drop":
                breaker.dropped(one)
            else:
                breaker.succeeded(one)
                assert breaker.state is State.CLOSED
        assert 0 <= breaker.retry_in <= PAUSE
    clock.now += PAUSE
    breaker.succeeded(leave(breaker))
    assert breaker.state is State.CLOSED


def test_of_many_threads_one_probes() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += PAUSE
    start, found = threading.Barrier(8), []

    def call() -> None:
        start.wait()
        found.append(breaker.ask())

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(isinstance(one, LeftAlone) for one in found) == [False] + [True] * 7
