"""One body over all adapters of the port `SpentTokens`: each nonce once, and no yes where nobody can know."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import define

from phocinae.adapters.spent_tokens import MemorySpentTokens, SqliteSpentTokens
from phocinae.errors import StateRejected
from phocinae.ports import SpentTokens

BEGAN = 1000.0
LIFE = 600.0


@define
class Clock:
    now: float = BEGAN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Callable[..., SpentTokens]:
    """Returns a new memory, which is empty and begins now."""
    made = iter(range(100))

    def make(limit: int = 100) -> SpentTokens:
        if request.param == "memory":
            return MemorySpentTokens(clock, limit)
        return SqliteSpentTokens(str(tmp_path / f"{next(made)}.sqlite"), clock, limit)

    return make


def spend(memory: SpentTokens, nonce: bytes = b"n", issued: float = BEGAN + 1) -> bool:
    return memory.spend(nonce, issued, issued + LIFE)


def test_a_nonce_is_spent_once(make: Callable[..., SpentTokens]) -> None:
    memory = make()
    assert [spend(memory), spend(memory), spend(memory)] == [True, False, False]
    assert spend(memory, b"m")


@pytest.mark.parametrize("nonce", [b"", b"\0", b"\0\0", b"n" * 200, b"N", b"'; DROP TABLE spent; --"])
def test_every_nonce_is_one_of_its_own(make: Callable[..., SpentTokens], nonce: bytes) -> None:
    memory = make()
    assert spend(memory, b"n")
    assert spend(memory, nonce)
    assert not spend(memory, nonce)


@pytest.mark.parametrize("issued", [BEGAN, BEGAN - 0.001, 0.0, float("nan"), float("-inf")])
def test_what_was_issued_before_the_memory_began_is_refused(make: Callable[..., SpentTokens], issued: float) -> None:
    with pytest.raises(StateRejected, match="began after"):
        spend(make(), issued=issued)


def test_an_expired_nonce_is_not_forgotten_before_its_time(make: Callable[..., SpentTokens], clock: Clock) -> None:
    memory = make(limit=2)
    assert spend(memory, b"a")
    clock.now += LIFE
    assert spend(memory, b"b", clock.now)
    assert not spend(memory, b"a")


def test_a_clock_that_is_set_back_brings_no_token_back(make: Callable[..., SpentTokens], clock: Clock) -> None:
    memory = make(limit=1)
    assert spend(memory, b"a")
    clock.now += 10 * LIFE
    assert spend(memory, b"b", clock.now)  # for which the first one was forgotten
    clock.now = BEGAN + 2
    with pytest.raises(StateRejected):
        spend(memory, b"a")


def test_a_full_memory_refuses_and_has_room_again_in_time(make: Callable[..., SpentTokens], clock: Clock) -> None:
    memory = make(limit=3)
    assert [spend(memory, bytes([number])) for number in range(3)] == [True] * 3
    with pytest.raises(StateRejected, match="full"):
        spend(memory, b"x")
    assert not spend(memory, b"\0")
    clock.now += LIFE + 2
    assert spend(memory, b"x", clock.now)


def test_of_many_threads_one_spends_a_nonce(make: Callable[..., SpentTokens]) -> None:
    memory, gate, answers = make(), threading.Barrier(8), []

    def run() -> None:
        gate.wait(30)
        answers.append(spend(memory))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == [False] * 7 + [True]
