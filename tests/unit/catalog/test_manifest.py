"""The manifest lists what the server has, itself included."""

from __future__ import annotations

import json

from phocinae.catalog.manifest import URI, Identity, manifest_resource
from phocinae.catalog.resources import PERSONAL, Resource
from phocinae.catalog.tools import Done, Tool

IDENTITY = Identity(name="n", title="N", version="7", description="d", revisions=("2026-07-28", "2024-11-05"))


def test_it_says_who_the_server_is_and_what_it_has() -> None:
    tool = Tool(name="t", title="T", description="does", input_schema={"type": "object"}, run=lambda _: Done({}))
    other = Resource(uri="x:1", name="x", title="X", description="d", mime_type="text/plain", read=lambda: "")
    resources = [other]
    resource = manifest_resource(IDENTITY, [tool], resources, lambda: "observe")
    resources.append(resource)
    assert (resource.uri, resource.mime_type, resource.freshness) == (URI, "application/json", PERSONAL)
    assert json.loads(resource.read()) == {
        "name": "n",
        "title": "N",
        "version": "7",
        "description": "d",
        "revisions": ["2026-07-28", "2024-11-05"],
        "hooks": "observe",
        "tools": [{"name": "t", "title": "T", "description": "does"}],
        "resources": [
            {"uri": "x:1", "name": "x", "title": "X", "mimeType": "text/plain"},
            {"uri": URI, "name": "manifest", "title": "Manifest of the server", "mimeType": "application/json"},
        ],
    }
