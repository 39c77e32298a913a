"""What programs that reach other machines hand over: secrets among their words, in their files, in their input.

A secret is sent away when its text reaches another machine.  To sign in with one is what it
is for: a header that carries a credential, or a user and a password, is no deny.  Nor is the
machine itself another one, or the address at which a cloud tells a machine about itself.

Sources: RFC 9110 section 11 (HTTP authentication), RFC 6890 (special-purpose addresses).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..calls import Call
from ..values import HOLE, NUMBER, SPLIT, Field, Stream, Taint

_SIGNS_IN = re.compile(r"(?i)\s*(?:(?:proxy-)?authorization|[\w-]*(?:token|key|auth|secret|password))\s*:")
_NEAR = re.compile(
    r"(?i)(?:[a-z][a-z0-9+.]*://)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?|169\.254(?:\.\d{1,3}){2}|\[fd00:ec2::254\]"
    r"|metadata\.google\.internal|100\.100\.100\.200)(?::\d+)?(?:[/?#]|\Z)"
)
_METADATA = re.compile(
    r"(?i)(?:[a-z]+://)?(?:169\.254\.16[89]\.254|169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::254\]|100\.100\.100\.200|metadata\.google\.internal"
    r"|metadata\.azure\.internal)(?::\d+)?(?:[/?#]|\Z)"
)
_CREDENTIALS = re.compile(
    r"(?i)security-credentials/.|token|user-?data|password|secret|ssh-keys|attributes|opc/v\d/.*identity"
)
_INPUT = frozenset(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
_FIELD = re.compile(rf"(?:\A|[?&\s{{,\"'])([\w.\[\]-]+)[\"']?\s*[=:]\s*[\"']?[{HOLE}{SPLIT}]")
"""The name of a field of a form or of JSON, with a value that is not known."""
_SECRET_FIELD = re.compile(
    r"(?i)token|secret|passw|pwd|pass|key|auth|code|assertion|credential|jwt|sig|pin\b|otp|pat\b|login|session|cookie|hash|webhook"
    r"|hmac|nonce|cert|api|app_?id|access|bearer"
)
_OPEN = re.compile(f"[{HOLE}{SPLIT}{NUMBER}\\s]+")


def is_near(address: Field) -> bool:
    """Return whether an address is one of this machine, or of its cloud's metadata."""
    return _NEAR.match(address.text) is not None


def tells_credentials(address: Field) -> bool | None:
    """Return whether what a cloud's metadata say at an address holds credentials; None for any other address."""
    if _METADATA.match(address.text) is None:
        return None
    return _CREDENTIALS.search(address.text) is not None or address.unknown


def holds(stream: Stream) -> bool:
    """Return whether a stream is a secret from end to end: what a file or a dump holds, or one value alone."""
    if stream.taint & Taint.SECRET:
        return True
    if not stream.taint & Taint.PRIVATE:
        return False
    return stream.text is None or _OPEN.fullmatch(stream.text) is not None or _hidden(stream.text)


def _hidden(text: str) -> bool:
    """Return whether a secret is the value of a field, none of whose like is there to sign in with by its name."""
    names = _FIELD.findall(text)
    return bool(names) and not any(map(_SECRET_FIELD.search, names))


def from_stdin(call: Call) -> None:
    """Weigh that standard input is sent away."""
    if holds(call.stdin):
        call.note("sends-secret")


def hands_over(call: Call) -> None:
    """Weigh that an interactive shell is at the other end of standard input."""
    if call.stdin.taint & Taint.PROMPT:
        call.note("reverse-shell")


def data(call: Call, field: Field) -> None:
    """Weigh text that is sent as it is: a secret alone, or what a file of secrets holds."""
    if holds(Stream(field.text, field.taint)):
        call.note("sends-secret", field, call.name)


def words(call: Call, fields: Iterable[Field]) -> None:
    """Weigh addresses and names: what a file of secrets holds is carried out in them."""
    for field in fields:
        asked = field.text.partition("?")[2]
        if field.taint & Taint.SECRET or (asked and field.taint & Taint.PRIVATE and _hidden(asked)):
            call.note("sends-secret", field, call.name)


def headers(call: Call, fields: Iterable[Field]) -> None:
    """Weigh headers, of which one that signs in may hold a secret."""
    words(call, (field for field in fields if not _SIGNS_IN.match(field.text)))


def file(call: Call, field: Field) -> None:
    """Weigh a file that is sent; its name may stand for standard input."""
    if field.text in _INPUT and field.stream is None:
        from_stdin(call)
    else:
        call.send(field)


def copies(call: Call, fields: Iterable[Field], distant: re.Pattern[str]) -> None:
    """Weigh words of which the first that is `distant` names a place elsewhere: those before it are copied there."""
    sources: list[Field] = []
    for field in fields:
        if distant.match(field.text):
            for source in sources:
                file(call, source)
            return
        if field.text[:1] != "-" or field.text == "-":
            sources.append(field)


_PUTS = re.compile(r"(?:\A|[;\n])\s*(?:m?put|reput|send|append|mirror(?=.*\s-R))\s([^;\n]*)")
_MOST_PUTS = 20


def script(call: Call, place: Field, text: str) -> None:
    """Weigh the files that commands of ftp, lftp or sftp send (ftp(1), sftp(1))."""
    for match in list(_PUTS.finditer(text))[:_MOST_PUTS]:
        for name in match[1].split()[:_MOST_PUTS]:
            call.send(place.with_text(name.strip("'\"")))
