"""Every option of the commands that only look, as their own tables have them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.cli import audit, config, doctor, offers
from phocinae.cli.options import Command, Option

LOOKING = (
    audit.SHOW,
    audit.VERIFY,
    audit.HEAD,
    audit.STATS,
    config.SHOW,
    config.SCHEMA,
    doctor.DOCTOR,
    *offers.COMMANDS,
)
NOT_HARMLESS = {"--config", "--home", "--project"}
"""Another settings file holds other trust, and doctor runs the hook that it finds."""
VALUES = {"NUMBER": "3", "TIME": "2h", "FILE": "x.jsonl", "DIR": "src", "SEQ:MAC": "4:00ff"}


def spellings(option: Option) -> list[str]:
    if not option.metavar:
        return list(option.names)
    value = option.words[0] if option.words else VALUES.get(option.metavar, "word")
    separate = [f"{name} {value}" for name in option.names]
    return separate + [f"{name}={value}" for name in option.names if name.startswith("--")]


def calls(harmless: bool) -> list[str]:
    return [
        f"phocinae {command.name} {spelled}"
        for command in LOOKING
        for option in command.options()
        if not option.field and (not NOT_HARMLESS.intersection(option.names)) is harmless
        for spelled in spellings(option)
    ]


@pytest.mark.parametrize("call", calls(harmless=True))
def test_an_option_that_only_looks_is_allowed(call: str, judged: Callable[[str], str]) -> None:
    assert judged(call) == "allow"


@pytest.mark.parametrize("call", calls(harmless=False))
def test_an_option_that_moves_trust_is_not(call: str, judged: Callable[[str], str]) -> None:
    assert judged(call).startswith("undecided")


def of_settings(command: Command) -> list[Option]:
    return [option for option in command.options() if option.field]


@pytest.mark.parametrize("name", ["--off", "--observe", "--server=http://localhost:1", "--fail-closed=ask"])
def test_options_that_set_something_are_judged_as_ever(name: str, judged: Callable[[str], str]) -> None:
    assert of_settings(config.SHOW)
    assert judged(f"phocinae config show {name}") != "allow"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("phocinae config init --print", "allow"),
        ("phocinae --verbose config init --print", "allow"),
        ("phocinae config init --print --force", "undecided"),
        ("phocinae config init -- --print", "deny"),
        ("phocinae config init --print x.toml", "deny"),
        ("phocinae config init x.toml", "deny"),
        ("phocinae uninstall --print claude-code", "deny"),
        ("phocinae config init --print > ~/.config/phocinae/config.toml", "deny"),
        ("phocinae audit show --file ~/.ssh/id_rsa", "undecided-ask"),
        ("phocinae hook claude-code --follow", "undecided"),
        ('phocinae audit show -n "$N" --follow', "allow"),
    ],
)
def test_what_is_looked_at_counts(command: str, answer: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == answer
