"""Sessions over HTTP: what an id stands for, which ids stand for nothing, and when a session is over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import define

from phocinae.adapters.hmac_codec import HmacCodec
from phocinae.catalog.tools import InputKind
from phocinae.domain.levels import Level
from phocinae.mcp import http_sessions
from phocinae.mcp.http_rules import Fields
from phocinae.mcp.http_sessions import MISSING, UNKNOWN, Session, Sessions
from phocinae.mcp.legacy import read_initialize
from phocinae.mcp.operations import Initialize

KEYS = (b"k" * 32,)
PARAMS: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}, "experimental": {"x": "y" * 9_000}},
    "clientInfo": {"name": "c", "version": "1", "icons": ["z" * 9_000]},
}


@define
class Clock:
    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


def agreed(**params: Any) -> Initialize:
    found = read_initialize(PARAMS | params)
    assert isinstance(found, Initialize)
    return found


def sessions(clock: Clock, *, required: bool = False, keys: tuple[bytes, ...] = KEYS, seed: int = 7) -> Sessions:
    count = iter(range(seed, 1 << 20))
    return Sessions(
        HmacCodec(keys),
        life=60.0,
        required=required,
        clock=clock,
        random=lambda size: next(count).to_bytes(size, "big"),
    )


def named(*idents: str) -> Fields:
    return Fields((b"Mcp-Session-Id", ident.encode("latin-1")) for ident in idents)


def begun(server: Sessions, **params: Any) -> str:
    ident = server.begin(agreed(**params))
    assert ident is not None
    return ident


def test_an_id_stands_for_what_was_agreed_on() -> None:
    clock = Clock()
    ident = begun(sessions(clock))
    assert ident.isascii()
    assert all("!" <= sign <= "~" for sign in ident)
    again = sessions(clock).find(named(ident))  # another process, with the same key
    assert isinstance(again, Session)
    assert again.agreed.revision.date == "2025-11-25"
    assert again.agreed.inputs == {InputKind.FORM}
    assert again.agreed.client == {"name": "c", "version": "1"}
    assert again.agreed.capabilities == {"elicitation": {}}


def test_two_sessions_are_told_apart() -> None:
    server = sessions(Clock())
    first, second = (server.find(named(begun(server))) for _ in range(2))
    assert isinstance(first, Session)
    assert isinstance(second, Session)
    assert first.mark != second.mark
    server.keep_level(first, Level.ERROR)
    assert (server.level(first), server.level(second)) == (Level.ERROR, None)


def test_a_session_is_over_when_its_life_is() -> None:
    clock = Clock()
    server = sessions(clock)
    ident = begun(server)
    clock.now += 59.9
    assert isinstance(server.find(named(ident)), Session)
    clock.now += 0.1
    assert server.find(named(ident)) is UNKNOWN


def test_a_session_is_over_when_it_is_ended() -> None:
    server = sessions(Clock())
    ident, other = begun(server), begun(server)
    found = server.find(named(ident))
    assert isinstance(found, Session)
    server.keep_level(found, Level.DEBUG)
    server.end(found)
    assert server.find(named(ident)) is UNKNOWN
    assert server.level(found) is None
    assert isinstance(server.find(named(other)), Session)


def test_what_was_not_sealed_here_is_no_session() -> None:
    clock = Clock()
    server = sessions(clock)
    ident = begun(server)
    other_key = begun(sessions(clock, keys=(b"o" * 32,)))
    contents: list[Any] = [{}, [], {"kind": "x", "mark": "m"}]
    foreign = [HmacCodec(KEYS).seal(json.dumps(content).encode()) for content in contents]
    changed = [ident[:place] + ("A" if ident[place] != "A" else "B") + ident[place + 1 :] for place in (0, 40, -2)]
    for bad in (other_key, *foreign, *changed, ident + "=", ident[:-1], "", "x", "\xe9", "a" * 5_000, f" {ident} x"):
        assert server.find(named(bad)) is UNKNOWN
    assert server.find(named(ident, ident)) is UNKNOWN


@pytest.mark.parametrize("required", [False, True])
def test_who_names_none_needs_none_unless_it_is_required(required: bool) -> None:
    assert sessions(Clock(), required=required).find(named()) is (MISSING if required else None)


def test_what_does_not_fit_into_an_id_gets_none() -> None:
    assert sessions(Clock()).begin(agreed(clientInfo={"name": "n" * 9_000})) is None
    assert sessions(Clock()).begin(agreed(clientInfo={"name": "n" * 90_000})) is None


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_sessions, "REMEMBERED", 3)
    server = sessions(Clock())
    known = [server.find(named(begun(server))) for _ in range(5)]
    for one in known:
        assert isinstance(one, Session)
        server.keep_level(one, Level.INFO)
    assert [server.level(one) for one in known if isinstance(one, Session)] == [None, None, *[Level.INFO] * 3]
