"""The forms of configuration entries that several agents share: groups of hooks, and servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

BLOCKED = "phocinae: blocked; if no reason stands above, the gate could not run, and phocinae doctor says why"
"""What stands on the error output whenever a hook does not end with success: a silent block would be none."""

# every shell that a person may have as their own reads this alike: no braces, no functions, no variables
_OTHERWISE = f" || /bin/sh -c 'echo \"{BLOCKED}\" >&2; exit 2'"


def shell_text(words: Sequence[str]) -> str:
    """Return the text for a shell that runs `words`, and that blocks with exit status 2 and a reason if they fail."""
    import shlex  # which a hook does without

    return shlex.join(words) + _OTHERWISE


def hooks(matcher: str, words: Sequence[str], **more: object) -> Mapping[str, Any]:
    """Return a group of hooks for the tools that `matcher` names, with one hook, which runs `words`."""
    return {"matcher": matcher, "hooks": [{"type": "command", "command": shell_text(words), **more}]}


def hook_text(group: Mapping[str, Any]) -> str | None:
    """Return the shell text of a group with one hook, or None for a group of another kind."""
    handlers = group.get("hooks")
    if not isinstance(handlers, Sequence) or isinstance(handlers, str) or len(handlers) != 1:
        return None
    only = handlers[0]
    text = only.get("command") if isinstance(only, Mapping) else None
    return str(text) if isinstance(text, str) else None


def server(words: Sequence[str]) -> Mapping[str, Any]:
    """Return the entry of an MCP server that is started by `words`."""
    return {"command": words[0], "args": list(words[1:])}


def server_words(entry: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the words that start the MCP server of an entry, or None for an entry of another kind."""
    command, args = entry.get("command"), entry.get("args", ())
    if not isinstance(command, str) or isinstance(args, str) or not isinstance(args, Sequence):
        return None
    if not all(isinstance(argument, str) for argument in args):
        return None
    return (str(command), *map(str, args))
