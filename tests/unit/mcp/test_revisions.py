"""Which revision is spoken, and which era a request belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae.mcp.revisions import LEGACY, MODERN, is_modern, negotiate


@pytest.mark.parametrize("revision", LEGACY, ids=lambda revision: revision.date)
def test_a_served_revision_is_spoken(revision: Any) -> None:
    assert negotiate(revision.date) is revision


@pytest.mark.parametrize("requested", ["", "1999-01-01", "2099-01-01", "2026-07-28", "DRAFT", "2025-06-18 "])
def test_for_any_other_the_newest_with_a_handshake_is_spoken(requested: str) -> None:
    assert negotiate(requested).date == "2025-11-25"


def test_the_table_says_what_the_revisions_added() -> None:
    knows = {
        feature: [revision.date for revision in LEGACY if getattr(revision, feature)]
        for feature in ("batches", "annotations", "completions", "titles", "website")
    }
    assert knows == {
        "batches": ["2025-03-26"],
        "annotations": ["2025-03-26", "2025-06-18", "2025-11-25"],
        "completions": ["2025-03-26", "2025-06-18", "2025-11-25"],
        "titles": ["2025-06-18", "2025-11-25"],
        "website": ["2025-11-25"],
    }
    assert MODERN == ("2026-07-28",)


@pytest.mark.parametrize("key", ["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"])
def test_one_key_of_the_modern_envelope_makes_a_request_modern(key: str) -> None:
    assert is_modern("tools/list", {"_meta": {f"io.modelcontextprotocol/{key}": None}})


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"_meta": {}},
        {"_meta": None},
        {"_meta": ["io.modelcontextprotocol/protocolVersion"]},
        {"_meta": {"progressToken": 1}},
        {"_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t"}}},
        {"_meta": {"io.modelcontextprotocol/ProtocolVersion": "2026-07-28"}},
        {"io.modelcontextprotocol/protocolVersion": "2026-07-28"},
    ],
)
def test_nothing_else_does(params: dict[str, Any]) -> None:
    assert not is_modern("tools/list", params)


def test_discovery_exists_in_the_modern_era_alone() -> None:
    assert is_modern("server/discover", {})
