from __future__ import annotations

import pytest
from attrs import fields

from phocinae.cli.options import BACKEND, COMMANDS, GATE, GENERAL, SERVE, Command, as_utf8, help_text, parse
from phocinae.errors import InvalidRequest
from phocinae.settings import Settings, Source, key_of, merge


def test_options_may_stand_anywhere_and_the_last_counts() -> None:
    parsed = parse(GATE, ["--cwd", "a", "git status", "--cwd=b", "--json", "-v"])
    assert parsed.operands == ("git status",)
    assert parsed.text("--cwd") == "b"
    assert parsed.on("--json")
    assert parsed.on("--verbose")
    assert parsed.on("-v")
    assert not parsed.on("--explain")
    assert parsed.text("--config") is None


def test_two_dashes_end_the_options() -> None:
    parsed = parse(GATE, ["--json", "--", "--json", "--", "-x"])
    assert parsed.operands == ("--json", "--", "-x")


def test_one_dash_is_a_command_like_any_other() -> None:
    assert parse(GATE, ["-"]).operands == ("-",)


def test_a_value_may_begin_with_a_dash_and_hold_an_equals_sign() -> None:
    parsed = parse(GATE, ["--cwd", "--json", "--config=a=b", "--model="])
    assert parsed.text("--cwd") == "--json"
    assert parsed.text("--config") == "a=b"
    assert parsed.text("--model") == ""
    assert not parsed.on("--json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jso"], "there is no option --jso; put -- in front"),
        (["--cw", "x"], "there is no option --cw"),
        (["-j"], "there is no option -j"),
        (["-rf"], "there is no option -rf"),
        (["--json=true"], "option --json takes no value"),
        (["--cwd"], "option --cwd needs a value: --cwd DIR"),
        (["--layer", "l1"], "option --layer must be l0"),
        (["--fail-closed", "allow"], "option --fail-closed must be deny or ask"),
        (["--cwd=\udcff"], "not UTF-8"),
        (["--cwd", "\udcff"], "not UTF-8"),
        (["--\udcff"], "not UTF-8"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        parse(GATE, arguments)


def test_serve_has_no_command_to_put_dashes_in_front_of() -> None:
    with pytest.raises(InvalidRequest, match=r"there is no option --x\Z"):
        parse(SERVE, ["--x"])


def test_arguments_are_read_as_utf8() -> None:
    assert as_utf8("größe 統") == "größe 統"


def test_bytes_that_are_no_text_stay_what_they_are_in_an_operand() -> None:
    assert parse(GATE, ["a\udcff"]).operands == ("a\udcff",)
    assert parse(GATE, ["--", "-\udcff"]).operands == ("-\udcff",)


def test_settings_come_out_as_options() -> None:
    parsed = parse(GATE, ["--timeout", "1", "--l1-enabled", "--json", "--fail-closed=ask", "--timeout=2", "x"])
    assert [(one.field, one.value, one.where) for one in parsed.flags()] == [
        ("timeout", "1", "option --timeout"),
        ("l1_enabled", "true", "option --l1-enabled"),
        ("fail_closed", "ask", "option --fail-closed"),
        ("timeout", "2", "option --timeout"),
    ]
    assert {one.source for one in parsed.flags()} == {Source.FLAG}
    assert merge(parsed.flags()).settings.timeout == 2.0


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_takes_the_general_and_the_backend_options(command: Command) -> None:
    options = list(command.options())
    assert {option.names for option in (*GENERAL, *BACKEND)} <= {option.names for option in options}
    names = [name for option in options for name in option.names]
    assert len(names) == len(set(names))
    known = {attribute.name for attribute in fields(Settings)}
    for option in options:
        if option.field:
            assert option.field in known
            assert option.names[-1] == f"--{option.field.replace('_', '-')}"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_words_of_an_option_can_be_used(command: Command) -> None:
    for option in command.options():
        for word in option.words if option.field else ():
            value = key_of(option.field).check(key_of(option.field).read(word))
            assert getattr(value, "wire", value) == word


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_names_every_option_and_its_default(command: Command) -> None:
    text = help_text(command)
    assert text.startswith(f"Usage: phocinae {command.name} [OPTIONS]")
    assert "{" not in text.replace('{"command": ..., "cwd": ...}', "")
    assert max(map(len, text.splitlines())) <= 100
    for option in command.options():
        assert f"  {', '.join(option.names)}" in text
    assert "(default: deny)" in text
    assert f"(default: {Settings().server})" in text
    assert "(default: 5)" in text


def test_help_of_gate_explains_the_exit_status_and_the_dashes() -> None:
    text = help_text(GATE)
    for line in ("0  allow", "1  deny", "2  ask", "  3  ", 'gate -- "$command"', "gate 'git status'"):
        assert line in text
