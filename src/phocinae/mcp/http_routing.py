"""Which era an HTTP request belongs to, and what its header fields must say about its message.

A proxy in front of the server routes by the fields alone, so a field that says something
else than the body is refused before anything happens (transports, request headers).  A
client that is told -32020 takes the server for a modern one; a request in the shape of a
handshake revision never gets it, unless a field stands there twice.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import frozen

from ..catalog.schemas import Schema
from ..catalog.tools import ToolBox
from .http_rules import Fields
from .jsonrpc import BadFrame, Batch, ErrorCode, Message, Refusal, Request, Response
from .modern import misdeclared, unsupported
from .revisions import LEGACY, MODERN, PROTOCOL_VERSION, Revision, is_modern

VERSION = "mcp-protocol-version"
METHOD = "mcp-method"
NAME = "mcp-name"
PARAM = "mcp-param-"

_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The member of the parameters that ``Mcp-Name`` repeats, by method."""

_BY_DATE = {revision.date: revision for revision in LEGACY}
_HEADERLESS = _BY_DATE["2025-03-26"]
"""How a request is read that says nothing (2025-06-18 and later, protocol version header)."""

_WRAPPER = re.compile(r"=\?base64\?([A-Za-z0-9+/]*={0,2})\?=")
_INTEGER = re.compile(r"-?[0-9]{1,30}")
_PLAIN = re.compile(r"[\x20-\x7e\t]*")


@frozen
class Modern:
    """To be served by itself; `refusal` says why its fields do not fit it, or is None."""

    refusal: Refusal | None = None


@frozen
class Legacy:
    """To be served in one handshake revision; None for the handshake, which finds it out."""

    revision: Revision | None
    refusal: Refusal | None = None


Route: TypeAlias = Modern | Legacy


def route(message: Message | Batch, fields: Fields, tools: ToolBox) -> Route:
    """Return how `message` is to be served, decided for this one request alone.

    What is itself modern is served as such, whatever the fields say.  A handshake is
    served whatever they say.  Else the version field decides, and without it the request
    is one of 2025-03-26, whose clients do not know the field.
    """
    version = fields.first(VERSION)
    twice = _repeated(fields)
    if isinstance(message, Request):
        if is_modern(message.method, message.params):
            return Modern(twice or _mismatch(message, fields, tools))
        if message.method == "initialize":
            return Legacy(None, twice)
    if version is None:
        return Legacy(_HEADERLESS, twice)
    if version in _BY_DATE:
        return Legacy(_BY_DATE[version], twice)
    return Modern(twice or _unserved(message, version, fields, tools))


def may_have_session(fields: Fields) -> bool:
    """Whether the version field leaves room for a session, which modern requests do not have."""
    return fields.first(VERSION) in (None, *_BY_DATE)


def _repeated(fields: Fields) -> Refusal | None:
    names = (VERSION, METHOD, NAME, *fields.names(PARAM))
    found = next((name for name in names if fields.repeated(name)), None)
    return None if found is None else _header_mismatch(f"{found} stands there more than once")


def _unserved(message: Message | Batch, version: str, fields: Fields, tools: ToolBox) -> Refusal | None:
    """Return what is wrong with a message under a version field of no handshake revision."""
    if isinstance(message, Request):
        return _mismatch(message, fields, tools)
    if isinstance(message, Batch):
        return Refusal(ErrorCode.INVALID_REQUEST, "Invalid request: this revision has no batches")
    if isinstance(message, Response):
        return Refusal(ErrorCode.INVALID_REQUEST, "Invalid request: this server has asked nothing")
    if isinstance(message, BadFrame):
        return message.refusal
    return None if version in MODERN else unsupported(version)


def _mismatch(request: Request, fields: Fields, tools: ToolBox) -> Refusal | None:
    """Return the first rung that a modern request fails on, or None; versions and methods are left to its face."""
    version = fields.first(VERSION)
    if version is None:
        return _header_mismatch("MCP-Protocol-Version is missing")
    undeclared = misdeclared(request.params)
    if undeclared is not None:
        return undeclared
    declared = request.params["_meta"][PROTOCOL_VERSION]
    if version != declared:
        return _header_mismatch("MCP-Protocol-Version is not the version of the body")
    if version not in MODERN:
        return None
    if fields.first(METHOD) != request.method:
        return _header_mismatch("Mcp-Method is missing, or is not the method of the body")
    return _misnamed(request, fields) or _misparametered(request, fields, tools)


def _misnamed(request: Request, fields: Fields) -> Refusal | None:
    member = _NAMED.get(request.method)
    if member is None:
        return None
    value, given = request.params.get(member), fields.first(NAME)
    if not isinstance(value, str):
        return None  # which its face refuses
    if given is None or unwrapped(given) != value:
        return _header_mismatch(f"Mcp-Name is missing, or is not the {member} of the body")
    return None


def _misparametered(request: Request, fields: Fields, tools: ToolBox) -> Refusal | None:
    """Return which argument is not what the field says that its schema gives it, or None."""
    if request.method != "tools/call" or not isinstance(arguments := request.params.get("arguments", {}), dict):
        return None
    name = request.params.get("name")
    tool = tools.find(name) if isinstance(name, str) else None
    for header, path in parameters(tool.input_schema) if tool is not None else ():
        if not _agree(fields.first(PARAM + header.lower()), _at(arguments, path)):
            return _header_mismatch(f"Mcp-Param-{header} is not the argument {'.'.join(path)} of the body")
    return None


def parameters(schema: Schema, path: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the ``x-mcp-header`` names of a schema, each with the place of its argument (server/tools)."""
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        if isinstance(inner, dict):
            if isinstance(header := inner.get("x-mcp-header"), str):
                yield header, (*path, name)
            yield from parameters(inner, (*path, name))


def unwrapped(value: str) -> str | None:
    """Return what the value of a field stands for, or None if it is no value of that kind.

    Values that do not fit into a field as they are come as ``=?base64?...?=``, standard
    Base64 of UTF-8, the markers in lower case; everything else is literal.
    """
    if not value.startswith("=?base64?") or not value.endswith("?="):
        return value if _PLAIN.fullmatch(value) else None
    match = _WRAPPER.fullmatch(value)
    try:
        content = base64.b64decode(match[1], validate=True) if match is not None else b""
        text = content.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    # two spellings of one value would be a difference that a proxy may not see
    return text if match is not None and base64.b64encode(content).decode("ascii") == match[1] else None


def _agree(given: str | None, value: object) -> bool:
    """Whether a field says the same as an argument; no field stands for one that is absent or null."""
    if value is None or given is None:
        return value is None and given is None
    if isinstance(value, bool):
        return given == ("true" if value else "false")
    if isinstance(value, int | float):
        return _INTEGER.fullmatch(given) is not None and int(given) == value
    return isinstance(value, str) and unwrapped(given) == value


def _at(arguments: dict[str, Any], path: tuple[str, ...]) -> object:
    value: object = arguments
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _header_mismatch(why: str) -> Refusal:
    return Refusal(ErrorCode.HEADER_MISMATCH, f"Header mismatch: {why}")
