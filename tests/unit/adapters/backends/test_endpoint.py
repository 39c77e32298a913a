"""An address is taken apart once, and what goes out with every request is settled there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.backends.endpoint import TOKEN_LIMIT, Endpoint, endpoint_of
from phocinae.errors import InvalidSettings


@pytest.mark.parametrize(
    ("server", "encrypted", "authority", "host", "port", "path"),
    [
        ("http://127.0.0.1:8155", False, "127.0.0.1:8155", "127.0.0.1", 8155, "/v1/systemone"),
        ("http://127.0.0.1:8155/", False, "127.0.0.1:8155", "127.0.0.1", 8155, "/v1/systemone"),
        ("http://h/v1/systemone", False, "h", "h", 80, "/v1/systemone"),
        ("http://h/v1/systemone/", False, "h", "h", 80, "/v1/systemone"),
        ("https://h.example/judge/", True, "h.example", "h.example", 443, "/judge/v1/systemone"),
        ("https://h:8443/judge/v1/systemone", True, "h:8443", "h", 8443, "/judge/v1/systemone"),
        ("http://[::1]:8155", False, "[::1]:8155", "::1", 8155, "/v1/systemone"),
        ("http://[fe80::1%25lo]", False, "[fe80::1%25lo]", "fe80::1%25lo", 80, "/v1/systemone"),
    ],
)
def test_an_address_comes_apart(server: str, encrypted: bool, authority: str, host: str, port: int, path: str) -> None:
    assert endpoint_of(server, "m") == Endpoint(
        address=server, encrypted=encrypted, authority=authority, host=host, port=port, path=path, model="m"
    )


def test_a_request_is_framed_by_its_length() -> None:
    request = endpoint_of("http://h", "m", "tok").request("/v1/systemone", b'{"a":1}')
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert body == b'{"a":1}'
    assert lines[0] == "POST /v1/systemone HTTP/1.1"
    assert {"Host: h", "Content-Length: 7", "Content-Type: application/json", "Authorization: Bearer tok"} < set(lines)
    assert b"Authorization" not in endpoint_of("http://h", "m").request("/", b"")


def test_the_token_is_not_part_of_what_is_shown() -> None:
    assert "tok-secret" not in repr(endpoint_of("http://h", "m", "tok-secret"))


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1))
def test_a_token_is_sent_whole(token: str) -> None:
    request = endpoint_of("http://h", "m", token).request("/", b"")
    assert b"\r\nAuthorization: Bearer " + token.encode() + b"\r\n" in request
    assert request.count(b"\r\n") == 9


@given(st.text().filter(lambda text: not all("!" <= char <= "~" for char in text)))
def test_a_token_that_is_no_header_value_is_refused(token: str) -> None:
    with pytest.raises(InvalidSettings, match="PHOCINAE_TOKEN"):
        endpoint_of("http://h", "m", token)


@given(st.text(min_size=1).filter(str.isascii))
def test_a_text_shows_the_token_when_it_holds_most_of_it(around: str) -> None:
    endpoint = endpoint_of("http://h", "m", "abcdefgh")
    for part in ("abcdefgh", "ABCDEFGH", "abcdef", "cdefgh"):
        assert endpoint.token_shows(around + part + around)
    assert not endpoint_of("http://h", "m").token_shows(around)


@pytest.mark.parametrize("text", ["", "abcde", "abc defgh", "fghabc"])
def test_a_text_does_not_show_the_token_for_a_few_characters(text: str) -> None:
    assert not endpoint_of("http://h", "m", "abcdefgh").token_shows(text)


def test_the_longest_token_is_taken() -> None:
    assert endpoint_of("http://h", "m", "x" * TOKEN_LIMIT).token == "x" * TOKEN_LIMIT
    with pytest.raises(InvalidSettings, match=str(TOKEN_LIMIT)):
        endpoint_of("http://h", "m", "x" * (TOKEN_LIMIT + 1))
