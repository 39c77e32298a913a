"""The pieces of requests and results that both eras share, read and written in one place."""

from __future__ import annotations

from typing import Any

from ..catalog.resources import Resource
from ..catalog.tools import Failed, Rejected, Tool, ToolAnswer
from ..domain import strict_json
from .jsonrpc import ErrorCode, Refusal
from .operations import (
    LEVELS,
    About,
    CallTool,
    Entries,
    InputRequired,
    Level,
    Listed,
    Listing,
    Operation,
    ReadResource,
    Rounds,
)

_LONGEST_SHOWN = 64


def invalid_params(why: str, data: dict[str, Any] | None = None) -> Refusal:
    """Return the refusal of parameters that cannot be used."""
    return Refusal(ErrorCode.INVALID_PARAMS, f"Invalid params: {why}", data)


def shown(text: str) -> str:
    """Return a client's text as a message may repeat it: printable ASCII, and not too long."""
    cut = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return cut.encode("unicode_escape").decode("ascii")


def read_listing(listed: Listed, params: dict[str, Any]) -> Operation | Refusal:
    """Return the listing that the parameters of a request for a list describe."""
    if "cursor" not in params:
        return Listing(listed)
    cursor = params["cursor"]
    return Listing(listed, cursor) if isinstance(cursor, str) else invalid_params("cursor must be a string")


def read_call(params: dict[str, Any], rounds: Rounds | None = None) -> Operation | Refusal:
    """Return the call that the parameters of ``tools/call`` describe."""
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        return invalid_params("name must be a string")
    if not isinstance(arguments, dict):
        return invalid_params("arguments must be an object")
    return CallTool(name, arguments, rounds)


def read_resource(params: dict[str, Any]) -> Operation | Refusal:
    """Return the reading that the parameters of ``resources/read`` describe."""
    uri = params.get("uri")
    return ReadResource(uri) if isinstance(uri, str) else invalid_params("uri must be a string")


def read_level(value: object) -> Level | None:
    """Return the level that a client names, or None if it names none."""
    return LEVELS.get(value) if isinstance(value, str) else None


def server_info(about: About, *, titles: bool, website: bool) -> dict[str, Any]:
    """Return the ``Implementation`` object of the server, with what the revision knows of it."""
    info = {"name": about.name, "version": about.version}
    if titles and about.title:
        info["title"] = about.title
    if website and about.description:
        info["description"] = about.description
    if website and about.website:
        info["websiteUrl"] = about.website
    return info


def listing(listed: Listed, entries: Entries, *, annotations: bool, titles: bool) -> dict[str, Any]:
    """Return one page of a list, with what the revision knows of its entries, without what only one era adds."""
    result: dict[str, Any] = {
        listed.value: [
            _tool(entry, annotations=annotations, titles=titles)
            if isinstance(entry, Tool)
            else _resource(entry, titles=titles)
            for entry in entries.entries
        ]
    }
    if entries.following is not None:
        result["nextCursor"] = entries.following
    return result


def _tool(tool: Tool, *, annotations: bool, titles: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": tool.name}
    if titles:
        entry["title"] = tool.title
    entry["description"] = tool.description
    entry["inputSchema"] = tool.input_schema
    if titles and tool.output_schema is not None:
        entry["outputSchema"] = tool.output_schema
    if annotations and tool.annotations is not None:
        entry["annotations"] = tool.annotations.to_wire()
    return entry


def tool_result(outcome: ToolAnswer, *, structured: bool) -> dict[str, Any] | Refusal:
    """Return the ``CallToolResult`` of a finished call, without what only one era adds.

    The first text repeats the structured value (server/tools, structured content); a
    failure has no structured value, which would have to fit the output schema.
    """
    if isinstance(outcome, Rejected):
        return invalid_params(outcome.message)
    if isinstance(outcome, Failed):
        return {"content": [_text(outcome.message)], "isError": True}
    content = [_text(strict_json.write(outcome.value))]
    if outcome.note:
        content.append(_text(outcome.note))
    result: dict[str, Any] = {"content": content, "isError": False}
    if structured:
        result["structuredContent"] = outcome.value
    return result


def input_required(outcome: InputRequired) -> dict[str, Any]:
    """Return the ``InputRequiredResult`` of an interrupted call, without what every result has."""
    requests = {one.key: {"method": one.kind.value, "params": one.params} for one in outcome.requests}
    return {"inputRequests": requests, "requestState": outcome.token}


def _resource(resource: Resource, *, titles: bool) -> dict[str, Any]:
    entry = {"uri": resource.uri, "name": resource.name}
    if titles:
        entry["title"] = resource.title
    return entry | {"description": resource.description, "mimeType": resource.mime_type}


def resource_contents(resource: Resource, text: str) -> dict[str, Any]:
    """Return the ``contents`` of one resource that was read."""
    return {"contents": [{"uri": resource.uri, "mimeType": resource.mime_type, "text": text}]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
