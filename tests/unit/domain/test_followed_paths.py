"""Where a path leads is followed link by link, and what cannot be followed is said to be unclear."""

from __future__ import annotations

import stat

import pytest
from attrs import frozen

from phocinae.domain.followed_paths import FollowedPath, follow, plainly
from phocinae.domain.trusted_paths import MOST_LINKS


@frozen
class Place:
    st_mode: int


FOLDER, FILE, LINK = (Place(kind | 0o700) for kind in (stat.S_IFDIR, stat.S_IFREG, stat.S_IFLNK))
LINKS = {
    "/p/in": "sub",
    "/p/out": "/home/me",
    "/p/rc": "../home/me/.bashrc",
    "/p/gone": "/nowhere/x",
    "/p/new": "notes.txt",
    "/p/chain": "rc",
    "/loop": "loop",
    **{f"/p/l{number}": f"l{number + 1}" for number in range(MOST_LINKS + 5)},
}
PLACES = {"/p": FOLDER, "/p/sub": FOLDER, "/home": FOLDER, "/home/me": FOLDER, "/home/me/.bashrc": FILE}


def lstat(path: str) -> Place:
    if path in LINKS:
        return LINK
    if path.startswith("/p/closed/"):
        raise PermissionError(13, "Permission denied")
    if path.startswith("/home/me/.bashrc/"):
        raise NotADirectoryError(20, "Not a directory")
    if path == "/p/closed":
        return FOLDER
    if path not in PLACES:
        raise FileNotFoundError(2, "No such file or directory")
    return PLACES[path]


def led(path: str) -> FollowedPath:
    return follow("x", path, lstat, LINKS.__getitem__)


@pytest.mark.parametrize(
    ("path", "ways"),
    [
        ("/", ("/",)),
        ("/p/a.txt", ("/p/a.txt",)),
        ("/p/./a//b/../c", ("/p/a/c",)),
        ("/new/folder/../../etc/x", ("/etc/x",)),
        ("/p/in/a", ("/p/in/a", "/p/sub/a")),
        ("/p/out/.bashrc", ("/p/out/.bashrc", "/home/me/.bashrc")),
        ("/p/out/../x", ("/p/x", "/home/x")),
        ("/p/rc", ("/p/rc", "/home/me/.bashrc")),
        ("/p/chain", ("/p/chain", "/p/rc", "/home/me/.bashrc")),
    ],
)
def test_a_way_is_followed_with_every_path_that_it_comes_to(path: str, ways: tuple[str, ...]) -> None:
    assert led(path) == FollowedPath(named="x", ways=(*dict.fromkeys(ways),))


@pytest.mark.parametrize(
    ("path", "end", "why"),
    [
        ("/p/gone", "/nowhere/x", "does not exist"),
        ("/p/new", "/p/notes.txt", "does not exist"),
        ("/p/closed/x", "/p/closed/x", "Permission denied"),
        ("/home/me/.bashrc/x", "/home/me/.bashrc/x", "Not a directory"),
        ("/loop", "/loop", "too many"),
        ("/p/l0", "/p/l1", "too many"),
        ("/" + "../" * 5_000 + "x", "/x", "too many"),
    ],
)
def test_a_way_that_cannot_be_followed_is_unclear(path: str, end: str, why: str) -> None:
    found = led(path)
    assert why in found.unclear
    assert end in found.ways


def test_what_lstat_makes_of_a_text_that_is_no_path_is_unclear() -> None:
    def refuse(_path: str) -> Place:
        raise ValueError("embedded null byte")

    assert follow("x", "/a\0b", refuse, LINKS.__getitem__).unclear == "it is no path"


def test_a_path_is_made_plain_by_its_text_alone() -> None:
    assert plainly("//a/./b/../../..//c/") == "/c"
