"""The pieces that both eras share."""

from __future__ import annotations

import json

import pytest

from phocinae.catalog.tools import Done, Failed, Rejected
from phocinae.mcp.jsonrpc import Refusal
from phocinae.mcp.operations import About
from phocinae.mcp.wire import server_info, shown, tool_result

ABOUT = About(name="n", version="1", title="t", description="d", website="https://w.example")


@pytest.mark.parametrize(
    ("titles", "website", "members"),
    [
        (False, False, {"name", "version"}),
        (True, False, {"name", "version", "title"}),
        (True, True, {"name", "version", "title", "description", "websiteUrl"}),
    ],
)
def test_the_server_is_described_as_far_as_the_revision_knows(titles: bool, website: bool, members: set[str]) -> None:
    assert server_info(ABOUT, titles=titles, website=website).keys() == members


def test_what_is_empty_is_left_out() -> None:
    assert server_info(About(name="n", version="1"), titles=True, website=True) == {"name": "n", "version": "1"}


@pytest.mark.parametrize("structured", [True, False])
def test_a_note_is_a_text_of_its_own_after_the_value(structured: bool) -> None:
    result = tool_result(Done({"a": "é"}, "Ask somebody."), structured=structured)
    assert isinstance(result, dict)
    assert [block["text"] for block in result["content"]] == ['{"a":"é"}', "Ask somebody."]
    assert json.loads(result["content"][0]["text"]) == {"a": "é"}
    assert result.get("structuredContent") == ({"a": "é"} if structured else None)


def test_a_failure_has_a_text_and_no_value() -> None:
    assert tool_result(Failed("down"), structured=True) == {
        "content": [{"type": "text", "text": "down"}],
        "isError": True,
    }


def test_arguments_that_cannot_be_used_are_a_refusal() -> None:
    assert isinstance(tool_result(Rejected("no"), structured=True), Refusal)


@pytest.mark.requirement("M-052")
@pytest.mark.parametrize(
    ("text", "seen"), [("a/b", "a/b"), ("\x1b[31m", r"\x1b[31m"), ("é\u202e\ud800", r"\xe9\u202e\ud800")]
)
def test_a_client_s_text_is_shown_in_printable_letters(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_a_long_text_is_cut() -> None:
    assert shown("x" * 65) == "x" * 64 + "..."
