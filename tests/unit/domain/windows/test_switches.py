"""The words of a call of a Windows program: switches in every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.knowledge import Style, program
from phocinae.domain.usage import Usage, read
from phocinae.domain.values import HOLE, SPLIT, Field

KNOWN = program("/s /q /f /fo:text /a?text /p:path", "path*", style=Style.WINDOWS)


def usage(*words: str) -> Usage:
    return read(KNOWN, [Field(word) for word in words])


OPTIONS = [
    (("/s", "/q"), ["/s", "/q"]),
    (("/S/Q",), ["/s", "/q"]),
    (("//s",), ["/s"]),
    (("-s", "-q"), ["/s", "/q"]),
    (("/sq",), ["/s", "/q"]),
    (("/fo", "list"), ["/fo=list"]),
    (("/fo:list",), ["/fo=list"]),
    (("/a",), ["/a"]),
    (("/ad",), ["/a=d"]),
    (("/a:d",), ["/a=d"]),
    (("/p", "C:\\x", "/s"), ["/p=C:\\x", "/s"]),
    (("/p:C:\\x",), ["/p=C:\\x"]),
    (("/?",), ["/?"]),
]


@pytest.mark.parametrize(("words", "options"), OPTIONS)
def test_options(words: tuple[str, ...], options: list[str]) -> None:
    found = usage(*words)
    assert [option.name + (f"={value.text}" if value else "") for option, value in found.options] == options
    assert (found.operands, found.unlisted, found.unclear) == ((), (), ())


@pytest.mark.parametrize("words", [("/x",), ("/sx",), ("/s/x",), ("/fo",), ("/s:1",), ("--x",), ("/",)])
def test_what_is_not_listed(words: tuple[str, ...]) -> None:
    found = usage(*words)
    assert found.unlisted or [field.text for field in found.operands] == ["/"]


def test_operands_may_stand_anywhere() -> None:
    found = usage("a", "/s", "C:\\b", "-q", "*.txt")
    assert [field.text for field in found.operands] == ["a", "C:\\b", "*.txt"]
    assert found.has("/s")
    assert found.has("/q")


@pytest.mark.parametrize("word", [HOLE, f"{HOLE}x", f"a{SPLIT}"])
def test_an_unknown_word_may_be_a_switch(word: str) -> None:
    assert [field.text for field in usage(word).unclear] == [word]


def test_the_rest_belongs_to_the_subcommand() -> None:
    known = program(style=Style.WINDOWS, subcommands={"query": program()})
    found = read(known, [Field("QUERY"), Field("HKLM"), Field("/s")])
    assert [field.text for field in found.operands] == ["query", "HKLM", "/s"]


@given(st.lists(st.text(st.sampled_from("/-:=sqfox a\\" + HOLE), max_size=6), max_size=6))
def test_no_word_is_lost(words: list[str]) -> None:
    found = usage(*words)
    seen = len(found.operands) + len(found.unlisted) + len(found.options)
    taken = sum(value is not None and value.text in words for _, value in found.options)
    assert seen + taken >= len([word for word in words if word])
