"""Where a decision service is, and who asks it: the address, the model and the token, checked when they are given.

This is all that is needed to build a backend; what talks to the network is loaded with the first question.
"""

from __future__ import annotations

from attrs import field, frozen

from ...errors import InvalidSettings
from ...settings import VERSION, key_of

ROUTE = "/v1/systemone"
"""The route of the service; `PERMUTE` below it averages over orders of options."""

PERMUTE = "/permute"

TOKEN_LIMIT = 4096
"""The longest bearer token, in characters: a server refuses header fields that are much longer."""


_TOKEN_PART = 6
"""What holds so many characters of the token in a row shows it."""


@frozen
class Endpoint:
    """An address of the form that `endpoint_of` accepts, in its parts.

    `address` is as it was given, for messages; `authority` is host and port as they stand
    in it, `path` the path of the route.
    """

    address: str
    encrypted: bool
    authority: str
    host: str
    port: int
    path: str
    model: str
    token: str = field(default="", repr=False)

    def request(self, path: str, body: bytes) -> bytes:
        """Return the HTTP request that posts `body` to `path`, with the token if there is one."""
        fields = [
            f"POST {path} HTTP/1.1",
            f"Host: {self.authority}",
            f"User-Agent: phocinae/{VERSION}",
            "Accept: application/json",
            "Accept-Encoding: identity",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        if self.token:
            fields.append(f"Authorization: Bearer {self.token}")
        return ("\r\n".join(fields) + "\r\n\r\n").encode("ascii") + body

    def token_shows(self, text: str) -> bool:
        """Tell whether a foreign text holds the token, or so much of it that it must not be repeated."""
        heard, token = text.casefold(), self.token.casefold()
        starts = range(max(1, len(token) - _TOKEN_PART + 1))
        return bool(token) and any(token[start : start + _TOKEN_PART] in heard for start in starts)


def endpoint_of(server: str, model: str, token: str = "") -> Endpoint:
    """Return the endpoint at `server`, a base address or the full one of the route, with or without a slash at its end.

    Raises:
        InvalidSettings: one of the three cannot be used; says what would be right, and never repeats the token.
    """
    for name, value in (("server", server), ("model", model)):
        try:
            key_of(name).check(value)
        except ValueError:
            raise InvalidSettings(f"l1.{name} cannot be used; give {key_of(name).expects}") from None
    scheme, _, rest = server.partition("://")
    authority, slash, path = rest.partition("/")
    path = (slash + path).rstrip("/")
    host, _, port = authority.rpartition(":") if _has_port(authority) else (authority, "", "")
    return Endpoint(
        address=server,
        encrypted=scheme == "https",
        authority=authority,
        host=host.strip("[]"),
        port=int(port) if port else (443 if scheme == "https" else 80),
        path=path if path.endswith(ROUTE) else path + ROUTE,
        model=model,
        token=_sendable(token),
    )


def _sendable(token: str) -> str:
    """Return `token` if a header field can carry it (RFC 6750, 2.1, leaves no more characters than these)."""
    if not isinstance(token, str) or len(token) > TOKEN_LIMIT or not all("!" <= char <= "~" for char in token):
        raise InvalidSettings(
            "the token for the decision service cannot be sent in a header field; give at most "
            f"{TOKEN_LIMIT} ASCII characters without blanks and line ends (PHOCINAE_TOKEN or the file of l1.token_file)"
        )
    return token


def _has_port(authority: str) -> bool:
    """Whether a port follows the host; the colons of an IPv6 address stand between brackets."""
    return ":" in authority.rpartition("]")[2]
