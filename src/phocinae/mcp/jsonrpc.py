"""JSON-RPC 2.0 messages: strict bytes to values, and values back to bytes that any strict reader accepts.

What can be read in two ways is refused (`domain.strict_json`).  Which method exists, and
what its parameters mean, is decided elsewhere.

An error reply leaves its id out when none could be read; the MCP schemas from
2025-11-25 on allow that and forbid null (basic/index, responses).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeAlias

from attrs import field, frozen

from ..domain import strict_json

FRAME_LIMIT = 4 * 1024 * 1024
"""The longest message that is read, in bytes, on every transport."""

BATCH_LIMIT = 100
"""The most messages in one batch: a reply can be a hundred times as long as its request."""

RequestId: TypeAlias = str | int


class ErrorCode(IntEnum):
    """The error codes that this server sends (basic/index, error codes; -32002 is for handshake revisions)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    HEADER_MISMATCH = -32020
    MISSING_CAPABILITY = -32021
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
    """A client's answer to a request of the server; `id` is None when it is not usable.

    `failed` says that it is an error, or no valid response at all.
    """

    id: RequestId | None
    result: object = field(default=None, hash=False)
    failed: bool = False


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
    try:
        value = strict_json.read(frame)
    except (strict_json.DuplicateKey, strict_json.HalfPair) as error:
        return _refused(frame, _invalid(str(error)))
    except strict_json.PastLimit as error:
        return _refused(frame, _unparsable(str(error)))
    except strict_json.Unreadable as error:
        return BadFrame(_unparsable(str(error)))
    return _batch(value) if isinstance(value, list) else _message(value)


def encode(reply: Reply) -> bytes:
    """Return `reply` as one line of UTF-8 JSON without a line end; never raise.

    A result that is no JSON (a NaN, a foreign object, a loop) becomes an internal error.
    """
    try:
        return _written(_reply(reply))
    except (TypeError, ValueError, RecursionError):
        return _written(_reply(_unwritable(reply)))


def encode_request(ident: RequestId, method: str, params: dict[str, Any]) -> bytes:
    """Return a request of the server's own.

    Raises:
        TypeError, ValueError, RecursionError: `params` is no JSON.
    """
    return _written({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})


def encode_notification(method: str, params: dict[str, Any]) -> bytes:
    """Return a notification of the server's own; raise as `encode_request` does."""
    return _written({"jsonrpc": "2.0", "method": method, "params": params})


def encode_batch(replies: list[Reply]) -> bytes:
    """Return `replies` as one JSON array; never raise."""
    return b"[" + b",".join(map(encode, replies)) + b"]"


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
        return _response(value, known)
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


def _response(value: dict[str, Any], known: RequestId | None) -> Response:
    failed = value.get("jsonrpc") != "2.0" or "error" in value
    return Response(known, None if failed else value["result"], failed)


def _readable_id(message: dict[str, Any]) -> RequestId | None:
    """Return the id of a message, or None when it has none or one of a wrong type."""
    found = message.get("id")
    if isinstance(found, str) or type(found) is int:  # a bool is an int for isinstance, and no id
        return found
    return None


def _refused(frame: bytes, refusal: Refusal) -> Message | Batch:
    """Return `refusal` for all that `frame` asks, under each id that can be read: nobody is left waiting."""
    try:
        value = strict_json.read_loosely(frame)
    except strict_json.Unreadable:
        return BadFrame(refusal)
    if isinstance(value, strict_json.Pairs) or not isinstance(value, list):
        return _refused_message(value, refusal)
    if len(value) > BATCH_LIMIT or not any(isinstance(member, strict_json.Pairs) for member in value):
        return BadFrame(refusal)
    return Batch(tuple(_refused_message(member, refusal) for member in value))


def _refused_message(message: object, refusal: Refusal) -> Message:
    """Return `refusal` for a message that was read loosely, unless it is of a kind that is never answered."""
    names = {key for key, _ in message} if isinstance(message, strict_json.Pairs) else set()
    if "method" in names and "id" not in names:
        return Notification("", {})  # under no name, so that nothing comes of it
    if "method" not in names and names & {"result", "error"}:
        return Response(_loose_id(message), failed=True)
    return BadFrame(refusal, _loose_id(message))


def _loose_id(message: object) -> RequestId | None:
    """Return the id of a message that was read loosely, if there is just one, of a right type, to be repeated."""
    members = message if isinstance(message, strict_json.Pairs) else ()
    found = [value for key, value in members if key == "id"]
    known = _readable_id({"id": found[0]}) if len(found) == 1 else None
    return known if strict_json.has_utf8_form(known) else None


def _invalid(why: str) -> Refusal:
    return Refusal(ErrorCode.INVALID_REQUEST, f"Invalid request: {why}")


def _unparsable(why: str) -> Refusal:
    return Refusal(ErrorCode.PARSE_ERROR, f"Parse error: {why}")


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
    return strict_json.write(value).encode("utf-8", "replace")
