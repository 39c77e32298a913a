"""What a script of sed is read to do, and that no text makes the reader fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.programs import sed_script

SCRIPTS = [
    "",
    "p",
    "1,40p",
    "$!N",
    "s/a/b/g",
    "s|[/]|x|2p",
    r"s/\//x/",
    "/a/,/b/{s/x/y/;p}",
    "y/abc/xyz/",
    ":a;N;$!ba;s/\\n/ /g",
    "/x/I,+3!d",
    "a\\\ntext\\\nmore",
    "i hello",
    "0~3{=;l 5}",
    "# nothing\np",
    "s/[[:alpha:]/]/x/",
    r"s/[\]/]/x/",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_harmless_scripts_have_no_effects(script: str) -> None:
    effects = sed_script.read(script)
    assert effects is not None
    assert (effects.reads, effects.writes, effects.commands, effects.runs_input) == ([], [], [], False)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize(
    ("command", "name", "expected"),
    [("w out", "writes", ["out"]), ("$r in", "reads", ["in"]), ("/x/{1e id\n}", "commands", ["id"])],
)
def test_a_command_behind_any_script_is_seen(script: str, command: str, name: str, expected: list[str]) -> None:
    effects = sed_script.read(f"{script}\n{command}")
    assert effects is not None
    assert getattr(effects, name) == expected


@pytest.mark.parametrize("script", ["k", "}", "{p", "s/a/b", "s/a/b/k", "y/a/b", "1!!", "a", "1,p", "s\na\nb\n"])
def test_what_is_no_script_is_not_read(script: str) -> None:
    assert sed_script.read(script) is None


def test_a_bracket_may_end_where_implementations_disagree() -> None:
    effects = sed_script.read("s/[/]/x/;w out\n#/]/")
    assert effects is not None
    assert effects.writes == ["out"]


def test_a_substitution_may_run_its_result() -> None:
    effects = sed_script.read("s/a/b/ge")
    assert effects is not None
    assert effects.runs_input


@given(st.text(alphabet="sy/|[]\\{};:abtrwei1,$!~+ \n#^", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    effects = sed_script.read(text)
    assert effects is None or isinstance(effects, sed_script.Effects)


@given(st.text(alphabet="{};:p=dNGb1,$!~+ \n", max_size=40))
def test_no_text_without_delimiters_hides_a_write(text: str) -> None:
    """A line end closes every command that holds no delimited text."""
    effects = sed_script.read(f"{text}\nw out")
    assert effects is None or effects.writes == ["out"]
