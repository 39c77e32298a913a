"""The shelf that resources are found on."""

from __future__ import annotations

import pytest

from phocinae.catalog.resources import FIXED, Resource, ResourceShelf


def resource(uri: str) -> Resource:
    return Resource(uri=uri, name="n", title="t", description="d", mime_type="text/plain", read=lambda: uri)


def test_a_shelf_keeps_the_order_and_finds_exact_uris() -> None:
    second, first = resource("a:2"), resource("a:1")
    shelf = ResourceShelf([second, first])
    assert shelf.resources == (second, first)
    assert shelf.find("a:1") is first
    assert shelf.find("A:1") is None


def test_a_shelf_refuses_a_uri_twice() -> None:
    with pytest.raises(ValueError, match="same URI"):
        ResourceShelf([resource("a:1"), resource("a:1")])


def test_a_resource_may_be_kept_and_shared_unless_it_says_otherwise() -> None:
    assert resource("a:1").freshness is FIXED
