"""What a token is bound to: no two sets of claims have the same bytes, and no claim may be untrue of the request."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.sealing import LIFE, NONCE_BYTES, RoundCall, RoundClaims, digest
from phocinae.errors import StateRejected

NOW = 1_790_000_000.25
CALL = RoundCall(
    version="2026-07-28",
    method="tools/call",
    target="gate",
    arguments={"command": "cat .env", "cwd": "/srv", "server": "http://127.0.0.1:8155"},
    principal="local",
)


def claims(call: RoundCall = CALL, **more: Any) -> RoundClaims:
    given: dict[str, Any] = {"policy": "p1", "issued": NOW, "nonce": b"n" * NONCE_BYTES, "state": b"{}"}
    return RoundClaims.of(call, **given | more)


def why(found: RoundClaims, call: RoundCall = CALL, policy: str = "p1", now: float = NOW) -> str:
    """Return why `found` is rejected, or the empty text when it is not."""
    try:
        found.check(call, policy=policy, now=now)
    except StateRejected as error:
        return str(error)
    return ""


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
BLOBS = st.binary(max_size=40)
TIMES = st.floats(0, 4e9)
CLAIMS = st.builds(
    RoundClaims,
    version=TEXTS,
    method=TEXTS,
    target=TEXTS,
    digest=BLOBS,
    principal=TEXTS,
    policy=TEXTS,
    issued=TIMES,
    expires=TIMES,
    nonce=BLOBS,
    state=BLOBS,
)


@given(CLAIMS)
def test_the_bytes_of_claims_are_read_back_as_those_claims(found: RoundClaims) -> None:
    assert RoundClaims.from_bytes(found.to_bytes()) == found


@given(CLAIMS, CLAIMS)
def test_other_claims_have_other_bytes(one: RoundClaims, other: RoundClaims) -> None:
    assert (one.to_bytes() == other.to_bytes()) is (one == other)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_claims_are_refused(content: bytes) -> None:
    with pytest.raises(StateRejected, match="no claims"):
        RoundClaims.from_bytes(content)


def test_claims_that_are_cut_or_longer_are_refused() -> None:
    whole = claims().to_bytes()
    for wrong in [whole[:end] for end in range(len(whole))] + [whole + b"x", b"x" + whole]:
        with pytest.raises(StateRejected):
            RoundClaims.from_bytes(wrong)


@given(st.data())
def test_one_changed_byte_makes_other_claims_or_none(data: st.DataObject) -> None:
    whole = bytearray(claims().to_bytes())
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = RoundClaims.from_bytes(bytes(whole))
    except StateRejected:
        return
    assert found != claims()


def test_a_text_that_moves_from_one_field_into_the_next_makes_other_bytes() -> None:
    one, other = evolve(CALL, version="ab", method="c"), evolve(CALL, version="a", method="bc")
    assert claims(one).to_bytes() != claims(other).to_bytes()


def test_claims_hold_of_the_call_that_they_were_made_for() -> None:
    assert why(claims()) == ""
    assert why(claims(), now=NOW + LIFE - 0.001) == ""


CHANGED: dict[str, tuple[Any, str]] = {
    "version": ("2025-11-25", "revision"),
    "method": ("prompts/get", "method"),
    "target": ("Gate", "target"),
    "arguments": ({"command": "cat .env"}, "arguments"),
    "principal": ("other", "client"),
}


@pytest.mark.parametrize("name", [attribute.name for attribute in fields(RoundCall)])
def test_each_part_of_a_call_is_bound(name: str) -> None:
    value, what = CHANGED[name]
    assert why(claims(), evolve(CALL, **{name: value})) == f"it was issued for another {what}"


def test_the_policy_is_bound() -> None:
    assert why(claims(), policy="p2") == "it was issued for another policy"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"issued": NOW + 0.001}, "it comes from the future"),
        ({"issued": float("nan")}, "it comes from the future"),
        ({"expires": NOW}, "it has expired"),
        ({"expires": NOW - 1}, "it has expired"),
        ({"expires": float("nan")}, "it has expired"),
        ({"expires": float("inf")}, "it has expired"),
        ({"expires": NOW + LIFE + 1}, "it has expired"),
    ],
)
def test_a_token_lives_for_ten_minutes_from_its_issue(change: dict[str, Any], reason: str) -> None:
    assert LIFE == 600.0
    assert why(evolve(claims(), **change)) == reason
    assert why(claims(), now=NOW + LIFE) == "it has expired"
    assert why(claims(), now=NOW - 0.001) == "it comes from the future"
    assert why(claims(), now=float("nan")) == "it comes from the future"


@given(st.dictionaries(TEXTS, TEXTS, max_size=4), st.dictionaries(TEXTS, TEXTS, max_size=4))
def test_other_arguments_have_another_digest(one: dict[str, str], other: dict[str, str]) -> None:
    assert (digest(one) == digest(other)) is (one == other)


def test_the_order_of_arguments_does_not_count_and_their_type_does() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    alike: list[dict[str, Any]] = [
        {"a": 1},
        {"a": 1.0},
        {"a": True},
        {"a": "1"},
        {"a": [1]},
        {"a": None},
        {"a": 0},
        {"a": False},
        {"a": ""},
    ]
    assert len({digest(arguments) for arguments in [*alike, {}, {"A": 1}, {"a ": 1}]}) == len(alike) + 3


@pytest.mark.parametrize(
    "command", ["cat .env ", "cat  .env", "cat .env\n", "Cat .env", "cat .env\u200b", "cat .e\u0301nv", "cat .\u00e9nv"]
)
def test_a_command_that_looks_alike_is_another_one(command: str) -> None:
    assert why(claims(), evolve(CALL, arguments=CALL.arguments | {"command": command})).endswith("arguments")


def test_a_reason_tells_nothing_of_what_is_claimed() -> None:
    secret = evolve(CALL, arguments={"command": "hunter2"}, principal="hunter2", target="hunter2")
    assert "hunter2" not in why(claims(secret)) + why(claims(), secret)
