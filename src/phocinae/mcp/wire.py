"""The pieces of requests and results that both eras share, read and written in one place."""

from __future__ import annotations

from typing import Any

from ..catalog.completions import Completed, Reference, ReferenceKind
from ..catalog.content import Audio, Block, ResourceLink, Result, Text
from ..catalog.prompts import Messages, Prompt
from ..catalog.resources import Contents, Resource, ResourceTemplate
from ..catalog.tools import Failed, Rejected, Tool, ToolAnswer
from ..domain import strict_json
from .jsonrpc import ErrorCode, Refusal
from .operations import (
    LEVELS,
    About,
    CallTool,
    Complete,
    Entries,
    GetPrompt,
    InputRequired,
    Level,
    Listed,
    Listen,
    Listing,
    Operation,
    ReadResource,
    Rounds,
    Watch,
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


def read_resource(params: dict[str, Any], rounds: Rounds | None = None) -> Operation | Refusal:
    """Return the reading that the parameters of ``resources/read`` describe."""
    uri = params.get("uri")
    return ReadResource(uri, rounds) if isinstance(uri, str) else invalid_params("uri must be a string")


def read_watch(params: dict[str, Any], *, wanted: bool) -> Operation | Refusal:
    """Return the subscription that the parameters of ``resources/subscribe`` or its end describe."""
    uri = params.get("uri")
    return Watch(uri, wanted) if isinstance(uri, str) else invalid_params("uri must be a string")


def read_listen(params: dict[str, Any]) -> Operation | Refusal:
    """Return what the parameters of ``subscriptions/listen`` describe; what the filter has beside is ignored."""
    wanted = params.get("notifications")
    if not isinstance(wanted, dict):
        return invalid_params("notifications must be an object")
    uris = wanted.get("resourceSubscriptions", [])
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        return invalid_params("resourceSubscriptions must be a list of strings")
    return Listen(tuple(name for name, wish in wanted.items() if wish is True), tuple(uris))


def read_prompt(params: dict[str, Any], rounds: Rounds | None = None) -> Operation | Refusal:
    """Return what the parameters of ``prompts/get`` describe."""
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        return invalid_params("name must be a string")
    if not isinstance(arguments, dict):
        return invalid_params("arguments must be an object")
    return GetPrompt(name, arguments, rounds)


def read_completion(params: dict[str, Any]) -> Operation | Refusal:
    """Return what the parameters of ``completion/complete`` describe."""
    reference, argument = params.get("ref"), params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict):
        return invalid_params("ref and argument must be objects")
    kind = next((one for one in ReferenceKind if one.value == reference.get("type")), None)
    target = reference.get("uri" if kind is ReferenceKind.TEMPLATE else "name")
    name, value = argument.get("name"), argument.get("value")
    if kind is None or not isinstance(target, str):
        return invalid_params("ref must name a prompt (ref/prompt) or a template (ref/resource)")
    if not isinstance(name, str) or not isinstance(value, str):
        return invalid_params("argument must have a name and a value, both strings")
    context = params.get("context")
    known = context.get("arguments") if isinstance(context, dict) else None
    return Complete(Reference(kind, target), name, value, known if isinstance(known, dict) else {})


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
    listed_entries = [_entry(entry, annotations=annotations, titles=titles) for entry in entries.entries]
    result: dict[str, Any] = {listed.value: listed_entries}
    if entries.following is not None:
        result["nextCursor"] = entries.following
    return result


def _entry(entry: Tool | Resource | ResourceTemplate | Prompt, *, annotations: bool, titles: bool) -> dict[str, Any]:
    if isinstance(entry, Tool):
        return _tool(entry, annotations=annotations, titles=titles)
    if isinstance(entry, Prompt):
        return _prompt(entry, titles=titles)
    place = {"uri": entry.uri} if isinstance(entry, Resource) else {"uriTemplate": entry.template.text}
    texts = {
        "title": entry.title if titles else "",
        "description": entry.description,
        "mimeType": entry.mime_type,
    }
    return place | {"name": entry.name} | {key: text for key, text in texts.items() if text}


def _prompt(prompt: Prompt, *, titles: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": prompt.name}
    if titles and prompt.title:
        entry["title"] = prompt.title
    if prompt.description:
        entry["description"] = prompt.description
    if prompt.arguments:
        entry["arguments"] = [
            {"name": one.name}
            | ({"title": one.title} if titles and one.title else {})
            | ({"description": one.description} if one.description else {})
            | {"required": one.required}
            for one in prompt.arguments
        ]
    return entry


def _tool(tool: Tool, *, annotations: bool, titles: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": tool.name}
    if titles and tool.title:
        entry["title"] = tool.title
    if tool.description:
        entry["description"] = tool.description
    entry["inputSchema"] = tool.input_schema
    if titles and tool.output_schema is not None:
        entry["outputSchema"] = tool.output_schema
    if annotations and tool.annotations is not None:
        entry["annotations"] = tool.annotations.to_wire()
    return entry


def tool_result(
    outcome: ToolAnswer, *, structured: bool, audio: bool = True, links: bool = True
) -> dict[str, Any] | Refusal:
    """Return the ``CallToolResult`` of a finished call, without what only one era adds.

    The first text repeats the structured value (server/tools, structured content); a
    failure has no structured value, which would have to fit the output schema.  Blocks
    that the revision does not know become texts.
    """
    if isinstance(outcome, Rejected):
        return invalid_params(outcome.message)
    if isinstance(outcome, Failed):
        return {"content": [_text(outcome.message)], "isError": True}
    if isinstance(outcome, Result):
        return _result(outcome, structured=structured, audio=audio, links=links)
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
    return {"inputRequests": requests} | ({"requestState": outcome.token} if outcome.token else {})


def _result(outcome: Result, *, structured: bool, audio: bool, links: bool) -> dict[str, Any]:
    content = [_known(block, audio=audio, links=links) for block in outcome.content]
    value = outcome.structured
    if value is not None and not any(isinstance(block, Text) for block in outcome.content):
        content.insert(0, _text(strict_json.write(value)))
    result: dict[str, Any] = {"content": content, "isError": outcome.failed}
    if structured and value is not None:
        result["structuredContent"] = value
    return result


def _known(block: Block, *, audio: bool, links: bool) -> dict[str, Any]:
    if isinstance(block, Audio) and not audio:
        return _text(f"[{block.mime_type}, {len(block.data)} bytes]")
    if isinstance(block, ResourceLink) and not links:
        return _text(f"{block.name}: {block.uri}")
    return block.to_wire()


def resource_contents(contents: Contents) -> dict[str, Any]:
    """Return the ``contents`` of a resource that was read."""
    return {"contents": [part.to_wire() for part in contents.parts]}


def messages(outcome: Messages, *, audio: bool = True, links: bool = True) -> dict[str, Any]:
    """Return what a prompt came to, without what only one era adds."""
    result: dict[str, Any] = {"description": outcome.description} if outcome.description else {}
    said = [{"role": one.role, "content": _known(one.content, audio=audio, links=links)} for one in outcome.messages]
    return result | {"messages": said}


def completed(outcome: Completed) -> dict[str, Any]:
    """Return what an argument can be completed with, without what only one era adds."""
    more = outcome.total > len(outcome.values)
    return {"completion": {"values": list(outcome.values), "total": outcome.total, "hasMore": more}}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
