"""Why a decision service gave no answer, as errors whose text says what to do about it.

What a service sends along with a failure is foreign text: of it, a short piece is quoted
with secrets masked, and nothing at all where it holds a part of the token.
"""

from __future__ import annotations

import os
import socket
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import Any

from ...domain import strict_json
from ...domain.masking import mask
from ...errors import BackendError, BadAnswer, Refused, TimedOut, Unreachable
from .answers import printable
from .endpoint import ROUTE, Endpoint

EXCERPT = 120
"""The most characters that are quoted of what a service says of a failure."""


class TooLarge(HTTPException):
    """The body of a response is longer than what is read of one."""


class Ambiguous(HTTPException):
    """Where the body of a response ends is in doubt, for the reason that the text gives."""


class NoHandshake(TimeoutError):
    """There was a connection, and what is at its other end has not begun to encrypt in time."""


def failure(error: Exception, endpoint: Endpoint, seconds: float, received: int | None) -> BackendError:
    """Return the error for a call that got no response.

    `received` is the number of bytes that had come by then, None where there was no
    connection yet; `seconds` is what the call was allowed to take.
    """
    service = f"the decision service at {endpoint.address}"
    if isinstance(error, NoHandshake):
        return TimedOut(
            f"{service} accepts connections, but no TLS handshake came about within {seconds:g} seconds; "
            "see whether it speaks https there, and give http in l1.server (--server) if not"
        )
    if isinstance(error, TimeoutError):
        return TimedOut(_late(service, seconds, received))
    if isinstance(error, TooLarge):
        return BadAnswer(f"{service} sent an answer that is too large to be read; {_WRONG_SERVICE}")
    if isinstance(error, Ambiguous):
        return BadAnswer(f"{service} sent an answer whose end is in doubt, because {error}; {_WRONG_SERVICE}")
    if isinstance(error, RemoteDisconnected) or (isinstance(error, OSError) and received == 0):
        return Unreachable(f"{service} closed the connection without an answer; {_SEE_ITS_LOG}")
    if isinstance(error, IncompleteRead) or (isinstance(error, OSError) and received):
        return Unreachable(f"{service} broke off in the middle of its answer; {_SEE_ITS_LOG}")
    if isinstance(error, OSError):
        return Unreachable(_no_connection(error, endpoint, service))
    return BadAnswer(f"what answers at {endpoint.address} does not speak HTTP/1.1; {_WRONG_SERVICE}")


_WRONG_SERVICE = "see whether l1.server (--server) names the decision service"
_SEE_ITS_LOG = "see its log, and start it again if it has ended"
_TIMEOUT = "raise l1.timeout (--timeout) if it is only slow, or start it again if it hangs"


def _late(service: str, seconds: float, received: int | None) -> str:
    if received is None:
        return (
            f"no connection to {service} came about within {seconds:g} seconds; see whether it runs there, "
            "and whether a firewall or the resolver of names is in the way"
        )
    if received == 0:
        return f"{service} did not answer within {seconds:g} seconds; {_TIMEOUT}"
    return f"the answer of {service} did not come to its end within {seconds:g} seconds; {_TIMEOUT}"


def _no_connection(error: OSError, endpoint: Endpoint, service: str) -> str:
    if isinstance(error, ConnectionRefusedError):
        return (
            f"{service} cannot be reached: the connection is refused, so nothing listens there; "
            "start the service, or name its address with l1.server (--server)"
        )
    if isinstance(error, socket.gaierror):
        return (
            f"{service} cannot be reached: the name {endpoint.host} is not found "
            f"({printable(str(error.strerror), EXCERPT)}); see whether l1.server (--server) is right{_about_proxies()}"
        )
    verify = getattr(error, "verify_message", None)  # of ssl.SSLCertVerificationError
    if verify is not None:
        return (
            f"the certificate of {service} is not trusted ({printable(str(verify), EXCERPT)}); "
            f"let the system trust who issued it, or correct the name in l1.server (--server){_about_certificates()}"
        )
    if type(error).__module__ == "ssl":
        return (
            f"no encrypted connection to {service} came about; see whether it speaks https, or give http in l1.server"
        )
    why = os.strerror(error.errno) if isinstance(error.errno, int) and error.errno > 0 else type(error).__name__
    return f"{service} cannot be reached ({why}); see whether l1.server (--server) is right{_about_proxies()}"


def _about_proxies() -> str:
    named = any(
        os.environ.get(name) for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    )
    return " (the proxy that the environment names is not used)" if named else ""


def _about_certificates() -> str:
    named = any(os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    return " (the certificates that the environment names are not used)" if named else ""


def refusal(status: int, body: bytes, endpoint: Endpoint, wait: float | None = None) -> Refused:
    """Return the error for a response with a `status` other than 200; `wait` is what its Retry-After asks for."""
    text = f"the decision service at {endpoint.address} answered with status {status}"
    said = "" if status in (401, 403) or 300 <= status < 400 else _said(body, endpoint)
    if said:
        text += f' ("{said}")'
    if wait is not None and status in (429, 503):
        text += f" and asks to wait {wait:.0f} seconds"
    return Refused(f"{text}: {_advice(status, endpoint)}")


_NO_ROUTE = f"it has no route {ROUTE}; {_WRONG_SERVICE}"
_IN_FRONT = "something in front of it does not get through to it; start the service, or name it directly in l1.server"
_ADVICE = {
    404: _NO_ROUTE,
    405: _NO_ROUTE,
    413: "the request is too large for it; shorten the command, or raise its limit for a body (PHOC_MAX_BODY)",
    429: "it gets too many requests; wait, or give it less to do",
    502: _IN_FRONT,
    503: "its model is not loaded yet; wait until its route /health says model_loaded",
    504: _IN_FRONT,
}


def _advice(status: int, endpoint: Endpoint) -> str:
    if status in (401, 403):
        if endpoint.token:
            return (
                "it does not accept the token; give that of the service in PHOCINAE_TOKEN or the file of l1.token_file"
            )
        return (
            "it wants a token; give one in PHOCINAE_TOKEN or in a file that l1.token_file names (a token is sent to "
            "l1.server only, and the file that a settings file names only where the settings files name that server)"
        )
    if status == 422:
        return (
            f"it cannot use the request; most often it serves another model than {endpoint.model}: "
            "set l1.model (--model) to a name that its route /v1/models lists"
        )
    if 300 <= status < 400:
        return (
            "redirects are not followed, because command and token would go along; give the final address in l1.server"
        )
    return _ADVICE.get(status, "it failed inside; see its log" if status >= 500 else _WRONG_SERVICE)


def _said(body: bytes, endpoint: Endpoint) -> str:
    """Return what may be quoted of the `detail` in the body of a failure; empty for nothing."""
    try:
        value = strict_json.read(body)
    except strict_json.Unreadable:
        return ""
    text = _detail(value.get("detail") if isinstance(value, dict) else None)[: EXCERPT * 4]
    if endpoint.token_shows(text):
        return ""
    return printable(mask(text), EXCERPT).replace('"', "'")


def _detail(value: Any) -> str:
    """Return the text of a detail, which is one, or a list of what is wrong where; what was sent is left out."""
    if isinstance(value, str):
        return value
    first = value[0] if isinstance(value, list) and value else None
    if not isinstance(first, dict) or not isinstance(first.get("msg"), str):
        return ""
    place = first.get("loc")
    where = ".".join(str(step) for step in place[:8] if type(step) in (str, int)) if isinstance(place, list) else ""
    return f"{where}: {first['msg']}" if where else str(first["msg"])
