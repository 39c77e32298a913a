"""The rules of HTTP that stand before any message: who may come in, with what, and what they can take back.

Nothing here reads or writes; a transport hands over the fields of a request and does what
it is told.  The rules come from the page on transports (Streamable HTTP) and from RFC 9110
to 9112, and are stricter than both where leniency would let a web page in.  Which message
is served how stands in `http_routing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from hmac import compare_digest
from typing import TypeAlias

from attrs import field, frozen

from .jsonrpc import ErrorCode, Refusal, Reply, encode

Header: TypeAlias = tuple[str, str]

LOOPBACK_NAMES = frozenset(("127.0.0.1", "localhost", "[::1]"))
"""What a client on this machine may call it (transports, security warning): exactly these, in any case."""

_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([0-9]{1,5}))?")
_ORIGIN = re.compile(r"(https?)://([^/?#@\s]+)")
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
_LENGTH = re.compile(r"[0-9]{1,18}")
_PREFLIGHT_FIELDS = frozenset(
    "accept authorization content-type last-event-id mcp-method mcp-name mcp-protocol-version mcp-session-id".split()
)
_PARAM = "mcp-param-"
_TOKEN = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]{1,100}")


class Fields:
    """The header fields of one request, found by their names in lower case (RFC 9110, section 5.1)."""

    __slots__ = ("_values",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        """Take names and values as they came; blanks around a value do not belong to it."""
        self._values: dict[str, list[str]] = {}
        for name, value in raw:
            self._values.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").strip(" \t"))

    def all(self, name: str) -> list[str]:
        """Return every value that `name` was given, in order."""
        return self._values.get(name, [])

    def first(self, name: str) -> str | None:
        """Return the first value of `name`, or None."""
        values = self._values.get(name)
        return values[0] if values else None

    def repeated(self, name: str) -> bool:
        """Tell whether `name` stands there more than once."""
        return len(self._values.get(name, ())) > 1

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin with `prefix`."""
        return [name for name in self._values if name.startswith(prefix)]


@frozen
class HttpRefusal:
    """Why a request is turned away before its message is looked at: a status, a sentence, and fields to send along."""

    status: int
    message: str
    headers: tuple[Header, ...] = ()

    def body(self) -> bytes:
        """Return a JSON-RPC error without an id, because none was read (transports, security warning)."""
        return encode(Reply(None, Refusal(ErrorCode.INVALID_REQUEST, self.message)))


@frozen(kw_only=True)
class Admission:
    """Who may come in.

    `hosts` are names that a proxy uses for this server, beside those of the loopback.
    `origins` are the web origins whose pages may call it, in the form ``https://host:port``.
    With a `token`, nobody comes in without it.
    """

    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    token: str = field(default="", repr=False)

    def refusal(self, fields: Fields) -> HttpRefusal | None:
        """Return why the request is none of this server's, by its Host and Origin, or None.

        A page that a browser loaded from elsewhere shows itself by one of the two, even
        where its name was made to point at this machine (DNS rebinding).
        """
        hosts, origins = fields.all("host"), fields.all("origin")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return HttpRefusal(403, "Forbidden: Host is no name of this server; a proxy's name needs --allow-host")
        if len(origins) > 1 or (origins and not self._is_welcome(origins[0])):
            return HttpRefusal(403, "Forbidden: pages of this Origin may not call this server")
        return None

    def unauthorized(self, fields: Fields) -> HttpRefusal | None:
        """Return the demand for the token where it is missing or another one, or None (RFC 6750, section 3)."""
        if not self.token:
            return None
        given = fields.all("authorization")
        if not given:
            return _demand("a bearer token is needed")
        scheme, _, credentials = given[0].partition(" ")
        ours = compare_digest(credentials.strip(" ").encode("utf-8"), self.token.encode("utf-8"))
        if len(given) == 1 and scheme.lower() == "bearer" and ours:
            return None
        return _demand("the bearer token is not the one of this server", ', error="invalid_token"')

    def shared_with(self, fields: Fields) -> tuple[Header, ...]:
        """Return what lets the page that asks read the answer, if its origin is listed (Fetch, CORS protocol)."""
        if not self.origins:
            return ()
        origin = fields.first("origin")
        if origin is None or origin not in self.origins:
            return (("vary", "Origin"),)
        exposed = "MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate"
        return (
            ("vary", "Origin"),
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", exposed),
        )

    def preflight(self, fields: Fields) -> tuple[Header, ...] | None:
        """Return what a preflight request of a listed origin is answered, or None if it is none of that kind."""
        if fields.first("origin") not in self.origins or fields.first("access-control-request-method") is None:
            return None
        wanted = ",".join(fields.all("access-control-request-headers")).lower()
        names = (name.strip(" \t") for name in wanted.split(","))
        allowed = [
            name for name in names if name in _PREFLIGHT_FIELDS or (name.startswith(_PARAM) and _TOKEN.fullmatch(name))
        ]
        return (
            *self.shared_with(fields),
            ("access-control-allow-methods", "POST, DELETE"),
            ("access-control-allow-headers", ", ".join(allowed or sorted(_PREFLIGHT_FIELDS))),
            ("access-control-max-age", "600"),
        )

    def _is_ours(self, authority: str) -> bool:
        """Whether ``host`` or ``host:port`` is this server; the port is the proxy's or a tunnel's business."""
        match = _AUTHORITY.fullmatch(authority.lower())
        return match is not None and (match[1] in LOOPBACK_NAMES or match[1] in self.hosts)

    def _is_welcome(self, origin: str) -> bool:
        if origin in self.origins:
            return True
        match = _ORIGIN.fullmatch(origin)
        return match is not None and self._is_ours(match[2])


def _demand(why: str, error: str = "") -> HttpRefusal:
    return HttpRefusal(401, f"Unauthorized: {why}", (("www-authenticate", f'Bearer realm="phocinae"{error}'),))


def wrong_method(method: str, admission: Admission, *, sessions: bool = False) -> HttpRefusal | None:
    """Return the refusal of every method but POST: there is no stream to get; a session can be deleted elsewhere."""
    if method == "POST":
        return None
    allowed = ["POST", *(["DELETE"] if sessions else []), *(["OPTIONS"] if admission.origins else [])]
    return HttpRefusal(405, "Method not allowed: send messages with POST", (("allow", ", ".join(allowed)),))


NO_ENDPOINT = HttpRefusal(404, "Not found: the MCP endpoint is at another path")
BODY_TOO_SLOW = HttpRefusal(408, "Request timeout: the body did not come in time")
TOO_BUSY = HttpRefusal(503, "Service unavailable: too many calls at once; try again", (("retry-after", "1"),))
STOPPING = HttpRefusal(503, "Service unavailable: the server is stopping", (("retry-after", "1"),))
FULL = HttpRefusal(503, "Service unavailable: too many connections at once; try again", (("retry-after", "2"),))


def too_large(limit: int) -> HttpRefusal:
    """Return the refusal of a body of more than `limit` bytes."""
    return HttpRefusal(413, f"Content too large: a message has at most {limit} bytes")


def misframed(fields: Fields, version: str, limit: int) -> HttpRefusal | None:
    """Return why the body's length is in doubt or too large, or None.

    Where two readers of one connection could disagree about where a message ends, a
    second one can be smuggled past the first of them (RFC 9112, sections 6.1 and 6.3).
    """
    lengths, codings = fields.all("content-length"), fields.all("transfer-encoding")
    if codings and (lengths or version != "1.1" or len(codings) > 1):
        return HttpRefusal(400, "Bad request: Transfer-Encoding beside Content-Length, twice, or not in HTTP/1.1")
    if len(lengths) > 1 or any(_LENGTH.fullmatch(length) is None for length in lengths):
        return HttpRefusal(400, "Bad request: Content-Length is no length")
    if lengths and int(lengths[0]) > limit:
        return too_large(limit)
    return None


def has_body(fields: Fields) -> bool:
    """Whether a request whose framing is in order announces a body."""
    return bool(fields.all("transfer-encoding")) or fields.first("content-length") not in (None, "0")


def not_json(fields: Fields) -> HttpRefusal | None:
    """Return why the body is not taken for JSON, or None.

    The type must be said: a page may send text and forms anywhere without being asked for
    permission, and JSON it may not (Fetch, CORS-safelisted request-header).
    """
    types = fields.all("content-type")
    if len(types) != 1 or fields.all("content-encoding") not in ([], ["identity"]):
        return HttpRefusal(415, "Unsupported media type: send application/json, and not compressed")
    media, *parameters = (part.strip(" \t").lower() for part in types[0].split(";"))
    charsets = {value.strip('"') for name, _, value in (one.partition("=") for one in parameters) if name == "charset"}
    if media != "application/json" or not charsets <= {"utf-8", "utf8"}:
        return HttpRefusal(415, "Unsupported media type: send application/json in UTF-8")
    return None


class Form(Enum):
    """In which form an answer goes back; the values are media types."""

    JSON = "application/json"
    EVENTS = "text/event-stream"


def forms(fields: Fields) -> frozenset[Form]:
    """Return the forms that the client takes, by its Accept (RFC 9110, section 12.5.1); all where it says nothing."""
    accepts = [text for text in fields.all("accept") if text]
    return _taken(",".join(accepts)) if accepts else frozenset(Form)


@lru_cache(64)  # a client says the same each time
def _taken(accept: str) -> frozenset[Form]:
    ranges = [_range(text) for text in accept.lower().split(",")]
    return frozenset(form for form in Form if _quality(form.value, ranges) > 0)


def _range(text: str) -> tuple[str, float]:
    """Return a media range and its weight; a weight that cannot be read is none at all."""
    media, *parameters = (part.strip(" \t") for part in text.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip(" \t") == "q":
            value = value.strip(" \t")
            return media, float(value) if _QUALITY.fullmatch(value) else 0.0
    return media, 1.0


def _quality(media: str, ranges: list[tuple[str, float]]) -> float:
    """Return the weight of the most specific range that `media` falls under."""
    for candidate in (media, media.partition("/")[0] + "/*", "*/*"):
        weights = [weight for name, weight in ranges if name == candidate]
        if weights:
            return max(weights)
    return 0.0


def status_of(reply: Reply, *, modern: bool) -> int:
    """Return the status that goes with a reply (transports, responses).

    In the modern era it tells the kind of error; a client of the handshake revisions reads
    it for the fate of the connection, so that only what is no message at all is an error.
    """
    if not isinstance(reply.body, Refusal):
        return 200
    code = reply.body.code
    if code in (ErrorCode.PARSE_ERROR, ErrorCode.INVALID_REQUEST, ErrorCode.HEADER_MISMATCH):
        return 400
    if not modern:
        return 200
    return {ErrorCode.METHOD_NOT_FOUND: 404, ErrorCode.INTERNAL_ERROR: 500}.get(code, 400)


def event(frame: bytes) -> bytes:
    """Return a frame, which holds no line end, as one event of a stream (HTML, server-sent events)."""
    return b"event: message\ndata: " + frame + b"\n\n"
