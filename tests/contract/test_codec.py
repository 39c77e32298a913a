"""One body over all adapters of the port `TokenCodec`: they open what they sealed, in one spelling, and no more."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable

import pytest
from tokens import ToyCodec, misspelled

from phocinae.adapters.hmac_codec import KEY_BYTES, HmacCodec
from phocinae.errors import StateRejected
from phocinae.ports import TokenCodec

CONTENTS = [b"", b"x", b"phocinae", bytes(range(256)), b"\0" * 1000]


CODECS: dict[str, Callable[[], TokenCodec]] = {
    "hmac": lambda: HmacCodec([secrets.token_bytes(KEY_BYTES)]),
    "hmac with an old key": lambda: HmacCodec([secrets.token_bytes(KEY_BYTES), secrets.token_bytes(KEY_BYTES)]),
    "toy": ToyCodec,
}


@pytest.fixture(params=list(CODECS))
def make(request: pytest.FixtureRequest) -> Callable[[], TokenCodec]:
    return CODECS[request.param]


@pytest.mark.parametrize("content", CONTENTS)
def test_what_was_sealed_is_opened(make: Callable[[], TokenCodec], content: bytes) -> None:
    codec = make()
    token = codec.seal(content)
    assert codec.open(token) == content
    assert codec.open(token) == content  # that a token is good once is not the codec's affair
    assert token.isascii()
    assert token.isprintable()


def test_a_token_of_another_codec_is_refused(make: Callable[[], TokenCodec]) -> None:
    token = make().seal(b"content")
    with pytest.raises(StateRejected):
        make().open(token)


def test_a_token_in_any_other_spelling_is_refused(make: Callable[[], TokenCodec]) -> None:
    codec = make()
    token = codec.seal(b"ab")
    opened = []
    for wrong in misspelled(token):
        try:
            opened.append((wrong, codec.open(wrong)))
        except StateRejected:
            continue
    assert opened == []
    assert codec.open(token) == b"ab"


@pytest.mark.parametrize("length", range(6))
def test_unused_bits_at_the_end_make_another_token(length: int) -> None:
    codec = HmacCodec([bytes(range(KEY_BYTES))])
    token = codec.seal(b"x" * length)
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    opened = []
    for sign in alphabet:
        try:
            codec.open(token[:-1] + sign)
        except StateRejected:
            continue
        opened.append(sign)
    assert opened == [token[-1]]


def test_a_refusal_tells_nothing_of_the_token(make: Callable[[], TokenCodec]) -> None:
    token = make().seal(b"hunter2hunter2")
    with pytest.raises(StateRejected) as caught:
        make().open(token)
    assert token[:8] not in str(caught.value)
    assert "hunter2" not in str(caught.value)
