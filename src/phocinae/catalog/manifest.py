"""Who the server is and what it offers, on one page for programs that do not speak MCP all the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from attrs import frozen

from .resources import PERSONAL, Resource
from .tools import Tool

URI = "phocinae://manifest"


@frozen(kw_only=True)
class Identity:
    """The server's own name and version, and the revisions of MCP that it speaks, newest first."""

    name: str
    title: str
    version: str
    description: str
    revisions: tuple[str, ...]


def manifest_resource(
    identity: Identity, tools: Iterable[Tool], resources: Iterable[Resource], hooks: Callable[[], str]
) -> Resource:
    """Return the manifest of a server that offers what `tools` and `resources` give when it is read.

    `hooks` tells what hooks do with a denial at the moment, as `phocinae.settings.Settings.hooks` does.
    """
    return Resource(
        uri=URI,
        name="manifest",
        title="Manifest of the server",
        description="Who the server is, which revisions of MCP it speaks, and which tools and resources it offers.",
        mime_type="application/json",
        read=lambda: json.dumps(_manifest(identity, tools, resources, hooks()), ensure_ascii=False, indent=2),
        freshness=PERSONAL,
    )


def _manifest(identity: Identity, tools: Iterable[Tool], resources: Iterable[Resource], hooks: str) -> dict[str, Any]:
    return {
        "name": identity.name,
        "title": identity.title,
        "version": identity.version,
        "description": identity.description,
        "revisions": list(identity.revisions),
        "hooks": hooks,
        "tools": [{"name": tool.name, "title": tool.title, "description": tool.description} for tool in tools],
        "resources": [
            {"uri": one.uri, "name": one.name, "title": one.title, "mimeType": one.mime_type} for one in resources
        ],
    }
