"""Templates are matched in one way only, and quickly."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.catalog.uri_templates import LONGEST, UriTemplate
from phocinae.errors import InvalidRegistration


@pytest.mark.parametrize(
    ("template", "uri", "found"),
    [
        ("x://{a}", "x://1", {"a": "1"}),
        ("x://{a}", "x://", None),
        ("x://{a}", "x://1/2", None),
        ("x://{a}", "y://1", None),
        ("x://{a}/end", "x://1/end", {"a": "1"}),
        ("x://{a}/end", "x://1/end/end", None),
        ("x://{a}-{b}", "x://1-2-3", {"a": "1", "b": "2-3"}),
        ("x://{a}.{b}.md", "x://1.2.md", {"a": "1", "b": "2"}),
        ("{scheme}:rest", "x:rest", {"scheme": "x"}),
        ("x://{a}", "x://%C3%A4%2F", {"a": "ä/"}),
        ("x://{a}", "x://%FF", None),
        ("x://{a}", "x://%4", None),
        ("x://{a}", "x://ä", None),
        ("x://{a}", "x://a b", None),
        ("x://{a}", "x://1\n", None),
        ("x://{user.name}", "x://ada", {"user.name": "ada"}),
    ],
)
def test_a_uri_is_matched(template: str, uri: str, found: dict[str, str] | None) -> None:
    assert UriTemplate(template).match(uri) == found


@given(st.text(min_size=1), st.text(min_size=1))
def test_an_expansion_is_matched_by_its_template(first: str, second: str) -> None:
    try:
        uri = f"x://{quote(first, safe='')}/{quote(second, safe='')}"
    except UnicodeEncodeError:  # half surrogates have no place in a URI
        return
    assert UriTemplate("x://{a}/{b}").match(uri) == {"a": first, "b": second}


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("x://a", "needs variables"),
        ("x://{a", "needs variables"),
        ("x://{a}}", "needs variables"),
        ("x://{}", "only plain names"),
        ("x://{+a}", "only plain names"),
        ("x://{a,b}", "only plain names"),
        ("x://{a*}", "only plain names"),
        ("x://{a}/{a}", "names a variable twice"),
        ("x://{a}{b}", "needs text between"),
    ],
)
def test_what_is_no_template_of_level_one_is_refused(template: str, why: str) -> None:
    with pytest.raises(InvalidRegistration, match=why):
        UriTemplate(template)


def test_a_long_uri_is_not_looked_at() -> None:
    assert UriTemplate("x:{a}").match("x:" + "a" * LONGEST) is None


def test_many_places_to_split_at_are_tried_once() -> None:
    template = UriTemplate("x:{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}!")
    assert template.match("x:" + "-" * (LONGEST - 2)) is None
