"""Variables that may be set without a question, and variables that run what they hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.assignments import is_number, matters, prints_plainly, runs_value
from phocinae.domain.values import Field

LS, READ = [Field("ls")], [Field("read")]


@pytest.mark.parametrize("name", "LANG LC_ALL LC_CTYPE TZ NO_COLOR TERM CI COLUMNS PYTHONUNBUFFERED NODE_ENV".split())
def test_harmless_names(name: str) -> None:
    assert not matters(name, LS)
    assert not matters(name, [])


@pytest.mark.parametrize(
    "name",
    """
    PATH LD_PRELOAD LD_LIBRARY_PATH IFS BASH_ENV ENV GIT_PAGER PAGER EDITOR HOME SHELL PS4 PROMPT_COMMAND
    PYTHONPATH NODE_OPTIONS GIT_SSH_COMMAND HISTFILE LANGUAGE_PATH LC TZDIR FOO
""".split(),
)
def test_names_that_matter(name: str) -> None:
    assert matters(name, LS)
    assert matters(name, [])


@pytest.mark.parametrize("name", "x name my_file camelCase FILES OUT VERSION".split())
def test_a_script_s_own_names_matter_in_front_of_a_command_only(name: str) -> None:
    assert matters(name, LS)
    assert not matters(name, [])


@pytest.mark.parametrize(
    "name", "path fpath cdpath prompt aliases functions commands options argv mapfile prompt4".split()
)
def test_names_that_mean_something_to_zsh(name: str) -> None:
    assert matters(name, [])


def test_ifs_in_front_of_read_alone() -> None:
    assert not matters("IFS", READ)
    assert matters("IFS", LS)


@pytest.mark.parametrize("name", "GIT_PAGER PAGER EDITOR VISUAL GIT_SSH_COMMAND PROMPT_COMMAND LESSOPEN PS4".split())
def test_names_whose_value_is_run(name: str) -> None:
    assert runs_value(name)


@pytest.mark.parametrize("name", "PATH LANG x GIT_PAGER_X".split())
def test_names_whose_value_is_not_run(name: str) -> None:
    assert not runs_value(name)


@pytest.mark.parametrize(
    ("name", "number"), [("COLUMNS", True), ("LINES", True), ("OPTIND", True), ("LANG", False), ("x", False)]
)
def test_names_whose_value_is_evaluated(name: str, number: bool) -> None:
    assert is_number(name) is number


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("PATH=/tmp", "undecided-ask"),
        ("PATH=/tmp ls", "undecided-ask"),
        ("BASH_ENV=x bash -c ls", "undecided-ask"),
        ("LD_PRELOAD=./x.so ls", "undecided-ask"),
        ("X=1; ls", "allow"),
        ("LESSOPEN='|rm -rf ~' less x", "deny"),
        ("RUSTC_WRAPPER='rm -rf ~' cargo build", "deny"),
        ("GIT_CONFIG_VALUE_0='rm -rf /' git log", "deny"),
        ("CC=gcc make", "undecided"),
    ],
)
def test_variables_that_choose_code(judged: Callable[[str], str], text: str, verdict: str) -> None:
    assert judged(text) == verdict


@pytest.mark.parametrize(
    ("name", "value", "plainly"),
    [
        ("PAGER", "cat", True), ("GIT_PAGER", "", True), ("MANPAGER", "cat", True), ("GIT_PAGER", "./x", False),
        ("PAGER", "cat x", False), ("PAGER", None, False), ("EDITOR", "cat", False), ("GIT_SSH_COMMAND", "cat", False),
    ],
)  # fmt: skip
def test_a_pager_that_only_prints(name: str, value: str | None, plainly: bool) -> None:
    assert prints_plainly(name, value) is plainly
