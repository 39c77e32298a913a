"""A server of its own: notes as tools, resources, a template and a prompt."""

from __future__ import annotations

import asyncio
from typing import Any

from phocinae import (
    Annotations,
    CallContext,
    CallFailed,
    InputRequest,
    Message,
    NeedsInput,
    PromptArgument,
    build_server,
    serve_stdio,
)

NOTES = {"milk": "Buy milk.", "tax": "Pay the tax."}

server = build_server(name="notes", title="Notes", version="1", builtin=False)


@server.tool(
    input_schema={
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 64}, "text": {"type": "string"}},
        "required": ["name", "text"],
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=False, destructive=False, idempotent=True, open_world=False),
)
def write(call: CallContext) -> str:
    """Writes a note. When to use: the person wants something to be kept."""
    NOTES[call.arguments["name"]] = call.arguments["text"]
    server.resource_changed("notes://all")
    return "Written."


@server.tool(output_schema={"type": "object", "properties": {"words": {"type": "integer"}}, "required": ["words"]})
async def count(call: CallContext) -> dict[str, Any]:
    """Counts the words of all notes."""
    words = 0
    for done, text in enumerate(NOTES.values(), 1):
        words += len(text.split())
        call.progress(done, len(NOTES))
        await asyncio.sleep(0)
    return {"words": words}


SURE: dict[str, Any] = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}


@server.tool(annotations=Annotations(read_only=False, destructive=True, idempotent=True, open_world=False))
def clear(call: CallContext) -> str | NeedsInput:
    """Throws all notes away, once the person agreed."""
    answer = call.form("sure", SURE)
    if answer is None:
        return NeedsInput(requests=(InputRequest.form("sure", f"Throw {len(NOTES)} notes away?", SURE),))
    if answer.content.get("sure") is not True:
        raise CallFailed("The person did not agree, so all notes are still there.")
    NOTES.clear()
    return "All gone."


@server.resource("notes://all", title="All notes", subscribable=True)
def every(_call: CallContext) -> str:
    """All notes, one in a line."""
    return "\n".join(NOTES.values())


@server.template("notes://by-name/{name}")
def by_name(call: CallContext) -> str | None:
    """One note."""
    return NOTES.get(call.arguments["name"])


@server.prompt(arguments=[PromptArgument("name", "The note", required=True)])
def remind(call: CallContext) -> list[Message]:
    """Asks for a reminder of one note."""
    return [Message("user", f"Remind me of this tomorrow: {NOTES[call.arguments['name']]}")]


@server.completion("name", prompt="remind")
def names(call: CallContext) -> list[str]:
    return [name for name in NOTES if name.startswith(call.partial)]


if __name__ == "__main__":
    serve_stdio(server)
