"""Each failure has a reason of its own that says what to do, and shows nothing that it must not."""

from __future__ import annotations

import json
import socket
import ssl
from http.client import BadStatusLine, IncompleteRead, RemoteDisconnected

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.backends.endpoint import endpoint_of
from phocinae.adapters.backends.failures import EXCERPT, Ambiguous, NoHandshake, TooLarge, failure, refusal
from phocinae.errors import BackendError, BadAnswer, TimedOut, Unreachable

ADDRESS = "http://judge.example:8155"
TOKEN = "tok-0123456789"
OPEN = endpoint_of(ADDRESS, "model-a")
WITH_TOKEN = endpoint_of(ADDRESS, "model-a", TOKEN)


def said(detail: object, status: int = 400) -> str:
    return str(refusal(status, json.dumps({"detail": detail}).encode(), WITH_TOKEN))


@pytest.mark.parametrize(
    ("error", "received", "kind", "advice"),
    [
        (TimeoutError(), None, TimedOut, "firewall"),
        (NoHandshake(), None, TimedOut, "no TLS handshake came about within 2.5 seconds"),
        (TimeoutError(), 0, TimedOut, "raise l1.timeout"),
        (TimeoutError(), 9, TimedOut, "did not come to its end within 2.5 seconds"),
        (ConnectionRefusedError(111, "Connection refused"), None, Unreachable, "start the service"),
        (
            socket.gaierror(-2, "Name or service not known"),
            None,
            Unreachable,
            "judge.example is not found (Name or service not known)",
        ),
        (OSError(113, "No route to host"), None, Unreachable, "cannot be reached"),
        (OSError("odd"), None, Unreachable, "cannot be reached"),
        (ssl.SSLError(1, "wrong version number"), None, Unreachable, "speaks https"),
        (RemoteDisconnected("x"), 0, Unreachable, "closed the connection"),
        (ConnectionResetError(), 0, Unreachable, "closed the connection"),
        (ConnectionResetError(), 5, Unreachable, "broke off"),
        (IncompleteRead(b"x", 3), 50, Unreachable, "broke off"),
        (TooLarge(), 50, BadAnswer, "too large"),
        (Ambiguous("it is odd"), 50, BadAnswer, "whose end is in doubt, because it is odd"),
        (BadStatusLine("SSH"), 9, BadAnswer, "does not speak HTTP"),
        (ValueError(), 9, BadAnswer, "does not speak HTTP"),
    ],
)
def test_a_call_without_a_response(
    error: Exception, received: int | None, kind: type[BackendError], advice: str
) -> None:
    found = failure(error, OPEN, 2.5, received)
    assert type(found) is kind
    assert advice in str(found)
    assert ADDRESS in str(found)


def test_a_certificate_that_is_not_trusted_says_why() -> None:
    error = ssl.SSLCertVerificationError(1, "x")
    error.verify_message = "self-signed certificate"
    assert "(self-signed certificate)" in str(failure(error, OPEN, 1, None))


def test_a_proxy_that_is_not_used_is_mentioned_where_there_is_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    error = OSError(113, "No route to host")
    assert "proxy" not in str(failure(error, OPEN, 1, None))
    monkeypatch.setenv("HTTPS_PROXY", "http://user:secret@proxy")
    assert "proxy that the environment names is not used" in str(failure(error, OPEN, 1, None))
    assert "secret" not in str(failure(error, OPEN, 1, None))


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (302, "redirects are not followed"),
        (400, "l1.server"),
        (404, "no route /v1/systemone"),
        (405, "no route /v1/systemone"),
        (413, "too large"),
        (422, "l1.model (--model)"),
        (429, "too many"),
        (500, "see its log"),
        (502, "in front of it"),
        (503, "not loaded yet"),
        (504, "in front of it"),
        (418, "l1.server"),
        (204, "l1.server"),
        (999, "see its log"),
    ],
)
def test_each_status_says_what_to_do(status: int, advice: str) -> None:
    text = str(refusal(status, b"", OPEN))
    assert f"status {status}" in text
    assert advice in text


@pytest.mark.parametrize("status", [401, 403])
def test_whether_a_token_was_given_makes_the_difference(status: int) -> None:
    assert "wants a token" in str(refusal(status, b"", OPEN))
    assert "does not accept the token" in str(refusal(status, b"", WITH_TOKEN))


def test_a_wait_that_is_asked_for_is_told() -> None:
    assert "asks to wait 60 seconds" in str(refusal(503, b"", OPEN, 60.0))
    assert "asks to wait" not in str(refusal(500, b"", OPEN, 60.0))


def test_what_the_service_says_is_quoted_on_one_line_and_cut() -> None:
    assert '("no such model")' in said("no such model")
    assert '("body.state: Field required")' in said([{"loc": ["body", "state"], "msg": "Field required", "input": "x"}])
    assert '("questions.0: wrong")' in said([{"loc": ["questions", 0, None, {}], "msg": "wrong"}])
    hostile = said('x"\n\x1b[2J\u202e' + "y" * 500)
    assert hostile.isprintable()
    assert "y" * EXCERPT not in hostile
    assert hostile.count('"') == 2


@pytest.mark.parametrize(
    "detail", [None, 5, [], [5], {}, [{}], [{"msg": 5}], {"msg": "x"}, [[{"msg": "x"}]], "", [{"msg": ""}]]
)
def test_a_detail_of_another_form_is_not_quoted(detail: object) -> None:
    assert '"' not in said(detail)


@pytest.mark.parametrize("body", [b"", b"<html>", b'"x"', b"[1]", b'{"detail":"a","detail":"b"}', b"\xff", b"[" * 999])
def test_a_body_of_another_form_is_not_quoted(body: bytes) -> None:
    assert '"' not in str(refusal(400, body, OPEN))


@pytest.mark.parametrize("shown", [TOKEN, TOKEN.upper(), f"Bearer {TOKEN}!", TOKEN[3:11], "x" * 480 + TOKEN])
def test_nothing_is_quoted_that_holds_a_part_of_the_token(shown: str) -> None:
    text = said(f"not good: {shown}")
    assert TOKEN[3:9].casefold() not in text.casefold()
    short = endpoint_of(ADDRESS, "m", "abc")
    assert "abc" not in str(refusal(400, json.dumps({"detail": "x abc x"}).encode(), short))


def test_secrets_of_others_are_masked() -> None:
    assert "hunter22" not in said("cannot use password=hunter22 here")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: json.dumps({"detail": text}).encode()))
def test_whatever_a_service_sends_the_reason_is_one_printable_line(body: bytes) -> None:
    text = str(refusal(400, body, WITH_TOKEN))
    assert text.isprintable()
    assert len(text) < 400
    assert TOKEN not in text
