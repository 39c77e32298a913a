"""JSON-RPC 2.0 messages: strict bytes to values, and values back to bytes that any strict reader accepts.

What can be read in two ways is refused, because something between the client and this
server may have read it the other way: duplicate keys, numbers that are no JSON numbers,
half surrogate pairs, bytes that are not UTF-8.  Which method exists, and what its
parameters mean, is decided elsewhere.

An error reply leaves its id out when none could be read; the MCP schemas from
2025-11-25 on allow that and forbid null (basic/index, responses).
"""

from __future__ import annotations

import json
import re
from enum import IntEnum
from typing import Any, NoReturn, TypeAlias

from attrs import field, frozen

FRAME_LIMIT = 4 * 1024 * 1024
"""The longest message that is read, in bytes, on every transport."""

DEPTH_LIMIT = 64
"""How deep objects and arrays may be nested, the outermost included."""

BATCH_LIMIT = 100
"""The most messages in one batch: a reply can be a hundred times as long as its request."""

DIGIT_LIMIT = 4300
"""The most characters of an integer: Python's own limit, which an environment variable could lift."""

RequestId: TypeAlias = str | int


class ErrorCode(IntEnum):
    """The error codes that this server sends (basic/index, error codes; -32002 is for handshake revisions)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    UNSUPPORTED_VERSION = -32022
    RESOURCE_NOT_FOUND = -32002


@frozen
class Refusal:
    """Why a request is not carried out: `message` is a sentence for people, `data` is for machines."""

    code: ErrorCode
    message: str
    data: dict[str, Any] | None = None

    def to_wire(self) -> dict[str, Any]:
        """Return the error object of JSON-RPC."""
        wire: dict[str, Any] = {"code": int(self.code), "message": self.message}
        if self.data is not None:
            wire["data"] = self.data
        return wire


@frozen(kw_only=True)
class Request:
    """A message that wants a reply; `params` is empty when there were none."""

    id: RequestId
    method: str
    params: dict[str, Any] = field(hash=False)


@frozen
class Notification:
    """A message without an id, which is never answered, whatever its method."""

    method: str
    params: dict[str, Any] = field(hash=False)


@frozen
class Response:
    """A client's answer to a request of the server; `id` is None when it is not usable."""

    id: RequestId | None


@frozen
class BadFrame:
    """A message that cannot be used; `id` is None when it could not be read."""

    refusal: Refusal
    id: RequestId | None = None


Message: TypeAlias = Request | Notification | Response | BadFrame


@frozen
class Batch:
    """Several messages in one array, at least one; 2025-03-26 alone knows it."""

    messages: tuple[Message, ...]


@frozen
class Reply:
    """What goes back for one request: a result object, or a refusal; `id` None only on a refusal."""

    id: RequestId | None
    body: dict[str, Any] | Refusal = field(hash=False)


def decode(frame: bytes) -> Message | Batch:
    """Return what `frame` says; what cannot be used comes back as a `BadFrame`, never as an exception."""
    if _too_deep(frame):
        return _unparsable(f"nested deeper than {DEPTH_LIMIT} levels")
    try:
        text = frame.decode()
        value = _STRICT.decode(text)
    except _DuplicateKey:
        return BadFrame(_invalid("a key stands twice in one object"), _id_among_duplicates(text))
    except UnicodeDecodeError:
        return _unparsable("not UTF-8")
    except (ValueError, RecursionError) as error:
        return _unparsable(str(error) if isinstance(error, _NotANumber) else "not JSON")
    if _HALF_PAIR.search(text) and _not_encodable(value):
        return BadFrame(_invalid("a text holds half of a surrogate pair"), _repeatable_id(value))
    return _batch(value) if isinstance(value, list) else _message(value)


def encode(reply: Reply) -> bytes:
    """Return `reply` as one line of UTF-8 JSON without a line end; never raise.

    A result that is no JSON (a NaN, a foreign object, a loop) becomes an internal error.
    """
    try:
        return _written(_reply(reply))
    except (TypeError, ValueError, RecursionError):
        return _written(_reply(_unwritable(reply)))


def encode_batch(replies: list[Reply]) -> bytes:
    """Return `replies` as one JSON array; never raise."""
    return b"[" + b",".join(map(encode, replies)) + b"]"


def encode_json(value: object) -> str:
    """Return `value` as compact JSON text.

    Raises:
        TypeError, ValueError, RecursionError: it is no JSON value.
    """
    return _WRITER.encode(value)


class _DuplicateKey(ValueError):
    """A key stands twice in one object."""


class _NotANumber(ValueError):
    """A number that JSON does not know, or that does not fit into one; the text is ours."""


class _Pairs(list[tuple[str, Any]]):
    """An object with every one of its members, also those of the same name."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DuplicateKey
    return members


def _no_constant(name: str) -> NoReturn:
    raise _NotANumber(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _NotANumber("a number is out of range")
    return number


def _integer(digits: str) -> int:
    if len(digits) > DIGIT_LIMIT:
        raise _NotANumber("an integer is too long")
    return int(digits)


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
)
_WITH_DUPLICATES = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
)
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

# possessive, and a text that is never closed runs to the end: each byte is then looked at once
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def _too_deep(frame: bytes) -> bool:
    """Whether brackets are nested past the limit, found without a parser that could overflow."""
    if frame.count(b"[") + frame.count(b"{") <= DEPTH_LIMIT:
        return False
    brackets = _STRING.sub(b"", frame).translate(_SQUARE, _NO_BRACKETS)
    for _level in range(DEPTH_LIMIT):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")  # takes away the innermost level
    return bool(brackets)


def _not_encodable(value: object) -> bool:
    try:
        encode_json(value).encode()
    except UnicodeEncodeError:
        return True
    return False


def _batch(values: list[Any]) -> Batch | BadFrame:
    if not values:
        return BadFrame(_invalid("an empty batch"))
    if len(values) > BATCH_LIMIT:
        return BadFrame(_invalid(f"a batch of more than {BATCH_LIMIT} messages"))
    return Batch(tuple(map(_message, values)))


def _message(value: object) -> Message:
    if not isinstance(value, dict):
        return BadFrame(_invalid("a message is a JSON object"))
    known = _readable_id(value)
    if "method" not in value and ("result" in value or "error" in value):
        return Response(known)
    if value.get("jsonrpc") != "2.0":
        return BadFrame(_invalid('jsonrpc must be "2.0"'), known)
    if "id" in value and known is None:
        return BadFrame(_invalid("id must be a string or an integer"))
    method = value.get("method")
    if not isinstance(method, str):
        return BadFrame(_invalid("method must be a string"), known)
    params = value.get("params")
    if params is None:  # some clients write null for no parameters
        params = {}
    if known is None:
        return Notification(method, params if isinstance(params, dict) else {})
    if not isinstance(params, dict):
        return BadFrame(Refusal(ErrorCode.INVALID_PARAMS, "Invalid params: params must be an object"), known)
    return Request(id=known, method=method, params=params)


def _readable_id(message: dict[str, Any]) -> RequestId | None:
    """Return the id of a message, or None when it has none or one of a wrong type."""
    found = message.get("id")
    if isinstance(found, str) or type(found) is int:  # a bool is an int for isinstance, and no id
        return found
    return None


def _repeatable_id(message: object) -> RequestId | None:
    """Return the id of a message that holds half surrogate pairs somewhere, unless the id is such a text."""
    found = _readable_id(message) if isinstance(message, dict) else None
    return None if _not_encodable(found) else found


def _id_among_duplicates(text: str) -> RequestId | None:
    """Return the id of a message with duplicate keys, unless the id itself stands there twice."""
    try:
        members = _WITH_DUPLICATES.decode(text)
    except (ValueError, RecursionError):
        return None
    found = [value for key, value in members if key == "id"] if isinstance(members, _Pairs) else []
    return _repeatable_id({"id": found[0]}) if len(found) == 1 else None


def _invalid(why: str) -> Refusal:
    return Refusal(ErrorCode.INVALID_REQUEST, f"Invalid request: {why}")


def _unparsable(why: str) -> BadFrame:
    return BadFrame(Refusal(ErrorCode.PARSE_ERROR, f"Parse error: {why}"))


def _unwritable(reply: Reply) -> Reply:
    return Reply(reply.id, Refusal(ErrorCode.INTERNAL_ERROR, "Internal error: the result is not JSON"))


def _reply(reply: Reply) -> dict[str, Any]:
    if not isinstance(reply.body, Refusal):
        return {"jsonrpc": "2.0", "id": reply.id, "result": reply.body}
    if reply.id is None:
        return {"jsonrpc": "2.0", "error": reply.body.to_wire()}
    return {"jsonrpc": "2.0", "id": reply.id, "error": reply.body.to_wire()}


def _written(value: dict[str, Any]) -> bytes:
    """Return JSON as UTF-8; half surrogate pairs become question marks, because UTF-8 has no form for them."""
    return _WRITER.encode(value).encode("utf-8", "replace")
