"""The commands that an agent's configuration holds: how ours are made, and how they are told from others."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

_START = ("-I", "-m", "phocinae")
_PROGRAMS = ("phocinae", "phocinae.exe")
_SERVERS = ("phocinae-mcp", "phocinae-mcp.exe")


def hook_words(interpreter: str, agent: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the words that start the hook of `agent`."""
    return (interpreter, *_START, "hook", agent, *options)


def server_words(interpreter: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the words that start the MCP server."""
    return (interpreter, *_START, "serve", *options)


def started(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the program that `words` start, without the shell around it and what follows it there.

    A text for a shell that cannot be read comes to no words.
    """
    if len(words) < 3 or words[-2] != "-c":
        return tuple(words)
    try:
        inner = shlex.split(words[-1])
    except ValueError:
        return ()
    return tuple(inner[: inner.index("||")] if "||" in inner else inner)


def runs_hook(words: Sequence[str], agent: str) -> bool:
    """Tell whether `words` start the hook of `agent`, from whatever interpreter and with whatever options."""
    rest = _ours(started(words))
    return any(rest[index : index + 2] == ("hook", agent) for index in range(len(rest)))


def runs_server(words: Sequence[str]) -> bool:
    """Tell whether `words` start the MCP server."""
    inner = started(words)
    return "serve" in _ours(inner) or any(_name(word) in _SERVERS for word in inner[:1])


def option(words: Sequence[str], name: str) -> str | None:
    """Return the value of the last option `name` among the words of a hook, or None if there is none."""
    inner, value = started(words), None
    for index, word in enumerate(inner):
        if word == name and index + 1 < len(inner):
            value = inner[index + 1]
        elif word.startswith(f"{name}="):
            value = word.partition("=")[2]
    return value


def _ours(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what follows the name of the module or of the program."""
    for index, word in enumerate(words):
        if _name(word) in _PROGRAMS and (index == 0 or words[index - 1] == "-m"):
            return words[index + 1 :]
    return ()


def _name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]
