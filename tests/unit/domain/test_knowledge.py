"""The notation in which programs are described."""

from __future__ import annotations

import pytest

from phocinae.domain.knowledge import Option, Role, Style, options, program


def test_options_are_flags_arguments_or_attached_arguments() -> None:
    assert options("-v -o:write --color?text") == {
        "-v": Option("-v"),
        "-o": Option("-o", Role.WRITE),
        "--color": Option("--color", Role.TEXT, True),
    }


def test_operands_are_roles_and_the_last_may_repeat() -> None:
    found = program("-v", "text read*")
    assert (found.operands, found.open_ended) == ((Role.TEXT, Role.READ), True)
    assert program("", "text read").open_ended is False
    assert program().operands == ()


def test_help_and_version_are_known_of_every_program() -> None:
    assert set(program("-v").options) == {"-v", "--help", "--version"}


def test_nothing_is_assumed_of_a_program() -> None:
    found = program()
    assert (found.style, found.rule, found.subcommands, found.safe_options, found.judge) == (
        Style.GNU,
        "",
        None,
        False,
        None,
    )


@pytest.mark.parametrize("spec", ["-o:nonsense", "-o?nonsense"])
def test_an_unknown_role_is_an_error(spec: str) -> None:
    with pytest.raises(KeyError):
        options(spec)
