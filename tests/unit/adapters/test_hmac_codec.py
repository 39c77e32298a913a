"""The sealed form of a token, and the file that its keys come from."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.hmac_codec import KEY_BYTES, KEY_LIMIT, TOKEN_LIMIT, HmacCodec, read_keys
from phocinae.errors import InvalidSettings, StateRejected

KEY = bytes(range(KEY_BYTES))
OTHER = bytes(range(1, KEY_BYTES + 1))


@pytest.mark.parametrize("keys", [(), (KEY[:-1],), (KEY, b"")])
def test_a_codec_needs_keys_of_full_length(keys: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        HmacCodec(keys)


def test_a_token_is_the_content_and_its_seal_in_base64url() -> None:
    seal = hmac.new(KEY, b"content", hashlib.sha256).digest()
    token = base64.urlsafe_b64encode(b"content" + seal).rstrip(b"=").decode()
    assert HmacCodec([KEY]).seal(b"content") == token
    assert HmacCodec([KEY]).open(token) == b"content"


def test_a_token_past_the_limit_is_neither_made_nor_looked_at() -> None:
    codec = HmacCodec([KEY])
    with pytest.raises(ValueError, match="65536"):
        codec.seal(b"x" * TOKEN_LIMIT)
    with pytest.raises(StateRejected, match="too long"):
        codec.open("A" * (TOKEN_LIMIT + 1))
    longest = b"x" * (TOKEN_LIMIT * 3 // 4 - 32)
    assert codec.open(codec.seal(longest)) == longest


@given(st.binary(max_size=60))
def test_only_the_own_key_opens(content: bytes) -> None:
    token = HmacCodec([KEY]).seal(content)
    with pytest.raises(StateRejected):
        HmacCodec([OTHER]).open(token)


@pytest.mark.parametrize(
    "token", ["", "A", "AAAA", "A" * 42, "A" * 40, "=" * 44, "ü" * 60, "\0" * 60, " " * 60, "A" * 43]
)
def test_what_is_no_token_at_all_is_refused(token: str) -> None:
    with pytest.raises(StateRejected):
        HmacCodec([KEY]).open(token)


def test_the_first_key_of_the_ring_seals() -> None:
    assert HmacCodec([OTHER, KEY]).seal(b"x") == HmacCodec([OTHER]).seal(b"x")
    assert HmacCodec([OTHER, KEY]).open(HmacCodec([KEY]).seal(b"x")) == b"x"


# --- the file of keys


def test_keys_stand_one_on_a_line() -> None:
    lines = f"\n{KEY.hex()}\r\n  {OTHER.hex().upper()}  \n\n".encode()
    assert read_keys(lines, "f") == (KEY, OTHER)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "f holds no key"),
        (b"\n \n", "f holds no key"),
        (b"hunter2", "f, line 1 is no key"),
        (KEY.hex()[:-2].encode(), "f, line 1 is no key"),
        (KEY.hex()[:-1].encode(), "f, line 1 is no key"),
        (KEY.hex().encode() + b"\n" + b"0" * 64, "f, line 2 is no key"),
        (b"# a comment\n" + KEY.hex().encode(), "f, line 1 is no key"),
        (" ".join(KEY.hex()[at : at + 8] for at in range(0, 64, 8)).encode(), "f, line 1 is no key"),
        ("٣".encode() * 64, "f, line 1 is no key"),
        (b"\xff" * 64, "f, line 1 is no key"),
    ],
)
def test_a_file_without_usable_keys_is_named_with_what_to_do(content: bytes, place: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        read_keys(content, "f")
    message = str(caught.value)
    assert message.startswith(place)
    assert "openssl rand -hex 32" in message
    assert "hunter2" not in message
    assert KEY.hex()[:20] not in message


def test_a_ring_has_an_end() -> None:
    lines = "\n".join((KEY[1:] + bytes([number])).hex() for number in range(KEY_LIMIT + 1)).encode()
    with pytest.raises(InvalidSettings, match="more than 16 keys"):
        read_keys(lines, "f")
