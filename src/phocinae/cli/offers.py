"""``phocinae tools`` and ``phocinae info``: what a client of the server would see, without starting one.

Both ask a server in this process the way a client does, so that they cannot say anything else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..catalog.manifest import URI as MANIFEST
from .helping import helped_or_options_only
from .loading import load
from .options import BACKEND, GENERAL, Command, Option, Parsed, parse
from .output import json_line, say, visible

if TYPE_CHECKING:
    from ..mcp.conversation import Conversation

_JSON = Option(names=("--json",), text="print one JSON object on one line")

TOOLS = Command(
    name="tools",
    summary="list the tools that the MCP server offers",
    before="""\
List the tools that a client of the MCP server would see, in its order, without
starting a server.
""",
    groups=(
        (
            "Options",
            (Option(names=("--full",), text="show the whole descriptions and the schemas as well"), _JSON, *GENERAL),
        ),
        ("What the server is set up with", BACKEND),
    ),
    after="""\
Examples:
  phocinae tools
  phocinae tools --full --json
""",
)

INFO = Command(
    name="info",
    summary="say who the MCP server is and what it offers",
    before="""\
Say who the MCP server is, which revisions of the protocol it speaks and what it
offers, without starting it.
""",
    groups=(("Options", (_JSON, *GENERAL)), ("What the server is set up with", BACKEND)),
    after="""\
Examples:
  phocinae info
  phocinae info --json
""",
)

COMMANDS = (TOOLS, INFO)

_HOOKS = {
    "enforce": "enforce, what is denied is blocked",
    "observe": "OBSERVE, nothing is blocked; what would have been denied is recorded",
    "off": "OFF, nothing is judged and nothing is blocked",
}
"""What hooks do with a denial, for people."""

_BRIEF = ("name", "title", "description")


def tools(arguments: Sequence[str]) -> int:
    """Run ``phocinae tools`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    parsed = parse(TOOLS, arguments)
    if helped_or_options_only(TOOLS, parsed):
        return 0
    full = parsed.on("--full")
    listed = _listed(_conversation(parsed), "tools")
    if parsed.on("--json"):
        shown = listed if full else [{key: tool[key] for key in _BRIEF if key in tool} for tool in listed]
        say(json_line({"tools": shown}))
    else:
        say("".join(_entry(tool, full=full) for tool in listed))
    return 0


def info(arguments: Sequence[str]) -> int:
    """Run ``phocinae info`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    parsed = parse(INFO, arguments)
    if helped_or_options_only(INFO, parsed):
        return 0
    wire = _about(_conversation(parsed))
    if parsed.on("--json"):
        say(json_line(wire))
        return 0
    lines = [f"{visible(wire['title'])} ({visible(wire['name'])} {visible(wire['version'])})"]
    lines.append(f"  {visible(wire['description'])}")
    for key in ("revisions", "tools", "resources"):
        lines.append(f"  {key}: {', '.join(map(visible, wire[key]))}")
    lines.append(f"  hooks: {_HOOKS[wire['hooks']]}")
    say("\n".join(lines) + "\n")
    return 0


def _conversation(parsed: Parsed) -> Conversation:
    from ..composition.server import build_server
    from .gate import report

    effective = load(parsed.flags(), config=parsed.text("--config"))
    server = build_server(effective.settings)
    report(effective, verbose=parsed.on("--verbose"))
    return server.open()


def _ask(conversation: Conversation, method: str, params: dict[str, Any]) -> dict[str, Any]:
    from ..mcp.revisions import CLIENT_CAPABILITIES, MODERN, PROTOCOL_VERSION

    meta = {PROTOCOL_VERSION: MODERN[0], CLIENT_CAPABILITIES: {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    (frame,) = conversation.receive(json.dumps(message).encode()).replies
    result: dict[str, Any] = json.loads(frame)["result"]
    return result


def _listed(conversation: Conversation, what: str) -> list[dict[str, Any]]:
    """Return all entries of a list, whatever the number of its pages."""
    entries: list[dict[str, Any]] = []
    params: dict[str, Any] = {}
    while True:
        page = _ask(conversation, f"{what}/list", params)
        entries += page[what]
        if "nextCursor" not in page:
            return entries
        params = {"cursor": page["nextCursor"]}


def _about(conversation: Conversation) -> dict[str, Any]:
    from ..mcp.revisions import LEGACY, MODERN, SERVER_INFO

    about = _ask(conversation, "server/discover", {})
    who = about["_meta"][SERVER_INFO]
    return {
        **{key: who.get(key, "") for key in ("name", "version", "title", "description")},
        "instructions": about.get("instructions", ""),
        "revisions": [*MODERN, *(revision.date for revision in reversed(LEGACY))],
        "tools": [tool["name"] for tool in _listed(conversation, "tools")],
        "resources": [resource["uri"] for resource in _listed(conversation, "resources")],
        "hooks": json.loads(_ask(conversation, "resources/read", {"uri": MANIFEST})["contents"][0]["text"])["hooks"],
    }


def _entry(tool: dict[str, Any], *, full: bool) -> str:
    """Return one tool for people: a line, or all that is said of it."""
    description = visible(tool.get("description", ""))
    if not full:
        return f"{visible(tool['name']):<12}{description.partition('. ')[0].rstrip('.')}.\n"
    lines = [f"{visible(tool['name'])}: {visible(tool.get('title', ''))}", f"  {description}"]
    for key in ("inputSchema", "outputSchema", "annotations"):
        if key in tool:
            lines.append(f"  {key}: {json.dumps(tool[key])}")
    return "\n".join(lines) + "\n\n"
