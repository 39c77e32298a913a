"""A path is as trustworthy as the worst place on its way."""

from __future__ import annotations

import stat

import pytest
from attrs import frozen

from phocinae.domain.trusted_paths import MOST_LINKS, UntrustedPath, resolved

ME, OTHER = 1000, 1001


@frozen
class Place:
    st_mode: int
    st_uid: int = ME


FOLDER, FILE, LINK = (kind | 0o700 for kind in (stat.S_IFDIR, stat.S_IFREG, stat.S_IFLNK | 0o077))
OPEN = stat.S_IFDIR | 0o777
PLACES = {
    "/": Place(FOLDER, 0),
    "/home": Place(FOLDER, 0),
    "/home/key": Place(FILE),
    "/theirs": Place(FOLDER, OTHER),
    "/theirs/key": Place(FILE),
    "/open": Place(OPEN),
    "/open/key": Place(FILE),
    "/open/link": Place(LINK),
    "/sticky": Place(OPEN | stat.S_ISVTX, 0),
    "/sticky/key": Place(FILE),
    "/sticky/theirs": Place(LINK, OTHER),
    "/link": Place(LINK),
    "/loop": Place(LINK),
    "/\x1b": Place(OPEN),
}
LINKS = {"/open/link": "../home/key", "/sticky/theirs": "/home/key", "/link": "home/../sticky", "/loop": "loop"}


def way(path: str) -> str:
    return resolved(path, ME, PLACES.__getitem__, LINKS.__getitem__)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", "/"),
        ("/..", "/"),
        ("//home/./key", "/home/key"),
        ("/home/../home/key", "/home/key"),
        ("/sticky/key", "/sticky/key"),
        ("/link/key", "/sticky/key"),
        ("/link/../home", "/home"),
    ],
)
def test_a_way_through_ones_own_places_is_followed(path: str, place: str) -> None:
    assert way(path) == place


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/theirs/key", "/theirs must belong to you or root; it belongs to user id 1001"),
        ("/open/key", "/open can be written by others; run: chmod go-w /open"),
        ("/open/link", "/open can be written by others; run: chmod go-w /open"),
        ("/home/../open/../home/key", "/open can be written by others; run: chmod go-w /open"),
        ("/sticky/theirs", "/sticky/theirs must belong to you or root; it belongs to user id 1001"),
        ("/loop", "/loop leads over too many links"),
        ("/\x1b", "/\\x1b can be written by others; run: chmod go-w /\\x1b"),
    ],
)
def test_a_place_on_the_way_that_is_anothers_is_refused(path: str, why: str) -> None:
    with pytest.raises(UntrustedPath) as refused:
        way(path)
    assert str(refused.value) == why


def test_so_many_links_are_followed_and_no_more() -> None:
    links = {f"/{number}": f"{number + 1}" for number in range(MOST_LINKS)}
    places = dict.fromkeys(links, Place(LINK)) | {f"/{MOST_LINKS}": Place(FILE)}
    assert resolved("/0", ME, places.__getitem__, links.__getitem__) == f"/{MOST_LINKS}"
    links |= {"/start": "0"}
    places |= {"/start": Place(LINK)}
    with pytest.raises(UntrustedPath, match="too many links"):
        resolved("/start", ME, places.__getitem__, links.__getitem__)
