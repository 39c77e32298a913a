"""The commands of ours are told from others in an agent's configuration, however they are started."""

from __future__ import annotations

import shlex

import pytest

from phocinae.domain.installed import hook_words, option, runs_hook, runs_server, server_words, started

HOOK = hook_words("/v/bin/python", "codex", ("--config", "/c d"))
SERVER = server_words("/v/bin/python", ("--config", "/c"))


def test_the_words_that_are_written() -> None:
    assert HOOK == ("/v/bin/python", "-I", "-m", "phocinae", "hook", "codex", "--config", "/c d")
    assert SERVER == ("/v/bin/python", "-I", "-m", "phocinae", "serve", "--config", "/c")


@pytest.mark.parametrize(
    "words",
    [
        HOOK,
        ("sh", "-c", shlex.join(HOOK) + " || exit 2"),
        ("bash", "-c", shlex.join(HOOK)),
        ("python", "-m", "phocinae", "hook", "codex"),
        ("/usr/bin/phocinae", "--config", "x", "hook", "codex"),
        ("C:\\v\\phocinae.exe", "hook", "codex"),
    ],
)
def test_a_hook_of_ours_is_known(words: tuple[str, ...]) -> None:
    assert runs_hook(words, "codex")
    assert not runs_hook(words, "claude-code")
    assert not runs_server(words)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("other", "hook", "codex"),
        ("lint", "phocinae", "hook", "codex"),
        ("sh", "-c", "echo phocinae hook codex"),
        ("sh", "-c", "phocinae 'hook codex"),
        ("phocinae", "gate", "hook"),
        ("sh", "-c", "lint || phocinae hook codex"),
    ],
)
def test_a_hook_of_others_is_not_ours(words: tuple[str, ...]) -> None:
    assert not runs_hook(words, "codex")


def test_a_server_of_ours_is_known() -> None:
    assert runs_server(SERVER)
    assert runs_server(("/v/bin/phocinae-mcp", "--transport", "stdio"))
    assert not runs_server(("npx", "phocinae-mcp-proxy"))
    assert not runs_server(HOOK)


def test_an_option_is_read_where_it_stands_last() -> None:
    text = ("sh", "-c", shlex.join((*HOOK, "--config=/e")) + " || exit 2")
    assert option(text, "--config") == "/e"
    assert option(HOOK, "--config") == "/c d"
    assert option(HOOK, "--fail-closed") is None
    assert option(("x", "--config"), "--config") is None


def test_a_text_for_a_shell_that_cannot_be_read_has_no_words() -> None:
    assert started(("sh", "-c", "'")) == ()
    assert started(("sh", "-c", "a b || c")) == ("a", "b")
