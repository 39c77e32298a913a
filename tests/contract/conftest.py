"""The arms and revisions that the body of a contract runs over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from official import LEGACY, MODERN
from servers import ARMS, REVISIONS, Client

import isolation


@pytest.fixture(scope="session")
def surroundings(account: Path) -> dict[str, str]:
    """The environment of a child process that outlives one test."""
    return isolation.environment(account)


@pytest.fixture(scope="module", params=ARMS)
def arm(request: pytest.FixtureRequest) -> str:
    """Each way to reach a server."""
    return str(request.param)


@pytest.fixture
def connect(arm: str, surroundings: dict[str, str]) -> Iterator[Callable[[], Client]]:
    """Opens connections of the test's own, before any handshake."""
    opened: list[Client] = []

    def connect() -> Client:
        opened.append(ARMS[arm](surroundings))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


@pytest.fixture(scope="module")
def modern(arm: str, surroundings: dict[str, str]) -> Iterator[Client]:
    """A connection without a handshake: modern requests stand alone, so tests can share it."""
    client = ARMS[arm](surroundings)
    yield client
    client.close()


def _shaken(arm: str, surroundings: dict[str, str], revision: str) -> Iterator[Client]:
    client = ARMS[arm](surroundings)
    if revision != MODERN:
        client.shake_hands(revision)
    yield client
    client.close()


@pytest.fixture(scope="module", params=LEGACY)
def legacy(arm: str, surroundings: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Client]:
    """A connection after the handshake of each revision, with a client that can do nothing; tests leave it as it is."""
    yield from _shaken(arm, surroundings, request.param)


@pytest.fixture(scope="module", params=REVISIONS)
def any_era(arm: str, surroundings: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Client]:
    """A connection of each revision; tests leave it as it is."""
    yield from _shaken(arm, surroundings, request.param)
