"""Interrupted calls: what goes out with a token comes back once, for the same call, in time."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from phocinae.domain.sealing import LIFE, NONCE_BYTES, RoundCall, RoundClaims
from phocinae.errors import StateRejected
from phocinae.service.rounds import RoundTrips

CALL = RoundCall(version="v", method="m", target="t", arguments={"a": "b"}, principal="p")


class Plain:
    """A codec that hides nothing and trusts everybody, so that a test can look at what is sealed."""

    def seal(self, content: bytes, /) -> str:
        return content.hex()

    def open(self, token: str, /) -> bytes:
        return bytes.fromhex(token)


class Spent:
    """A memory of what was spent, in order."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, float, float]] = []

    def spend(self, nonce: bytes, issued: float, expires: float, /) -> bool:
        self.seen.append((nonce, issued, expires))
        return nonce not in [one for one, _, _ in self.seen[:-1]]


class World:
    """A clock, a policy and a source of bytes that a test can change."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.policy = "p1"
        self.drawn = 0
        self.spent = Spent()
        self.rounds = RoundTrips(
            codec=Plain(), spent=self.spent, policy=lambda: self.policy, clock=lambda: self.now, random=self.draw
        )

    def draw(self, count: int) -> bytes:
        self.drawn += 1
        return self.drawn.to_bytes(count, "big")


@pytest.fixture
def world() -> World:
    return World()


def test_the_state_comes_back_for_the_same_call(world: World) -> None:
    token = world.rounds.pause(CALL, b"kept")
    world.now += 60
    assert world.rounds.resume(evolve(CALL, arguments={"a": "b"}), token) == b"kept"
    assert world.spent.seen == [((1).to_bytes(NONCE_BYTES, "big"), 1000.0, 1000.0 + LIFE)]


def test_what_is_sealed_are_the_claims_of_the_call_and_the_moment(world: World) -> None:
    token = world.rounds.pause(CALL, b"kept")
    claims = RoundClaims.from_bytes(bytes.fromhex(token))
    nonce = (1).to_bytes(NONCE_BYTES, "big")
    assert claims == RoundClaims.of(CALL, policy="p1", issued=1000.0, nonce=nonce, state=b"kept")


def test_no_two_tokens_are_the_same(world: World) -> None:
    assert world.rounds.pause(CALL, b"") != world.rounds.pause(CALL, b"")


def test_a_token_is_good_once(world: World) -> None:
    token = world.rounds.pause(CALL, b"")
    world.rounds.resume(CALL, token)
    with pytest.raises(StateRejected, match="used before"):
        world.rounds.resume(CALL, token)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"version": "w"}, "another revision"),
        ({"method": "n"}, "another method"),
        ({"target": "u"}, "another target"),
        ({"arguments": {"a": "c"}}, "another arguments"),
        ({"principal": "q"}, "another client"),
    ],
)
def test_a_token_of_another_call_is_refused_and_stays_good_for_its_own(
    world: World, change: dict[str, Any], why: str
) -> None:
    token = world.rounds.pause(CALL, b"kept")
    with pytest.raises(StateRejected, match=why):
        world.rounds.resume(evolve(CALL, **change), token)
    assert world.spent.seen == []
    assert world.rounds.resume(CALL, token) == b"kept"


def test_the_policy_that_counts_is_the_one_at_the_moment(world: World) -> None:
    token = world.rounds.pause(CALL, b"")
    world.policy = "p2"
    with pytest.raises(StateRejected, match="another policy"):
        world.rounds.resume(CALL, token)


@pytest.mark.requirement("M-085")
@pytest.mark.parametrize(("step", "why"), [(LIFE, "expired"), (1e9, "expired"), (-1.0, "future")])
def test_a_late_token_is_refused_and_so_is_an_early_one(world: World, step: float, why: str) -> None:
    token = world.rounds.pause(CALL, b"")
    world.now += step
    with pytest.raises(StateRejected, match=why):
        world.rounds.resume(CALL, token)
    assert world.spent.seen == []
