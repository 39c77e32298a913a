"""The shape that every agent's module fills: how its payloads are read, how it is answered, where its entries go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from attrs import frozen

from ...domain.tool_calls import Answer, ToolCall


class Facts(Enum):
    """What the module of an agent rests on: the agent itself, recorded traffic of it, or its documentation."""

    LIVE = "live"
    RECORDED = "recorded"
    DOCUMENTATION = "documentation"


class UnknownPayload(ValueError):
    """A payload that is not what the agent sends, so that the call must be blocked; the text holds nothing of it."""


# here and below: what attrs would make beside __init__ takes a hook longer than its verdict
@frozen(kw_only=True, slots=False)
class Reply:
    """What a hook leaves behind: the bytes of its two outputs as text, and its exit status."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


def explained(reason: str) -> str:
    """Return a reason that is never empty: an agent may let a call run that is blocked without one."""
    return reason.strip() or "phocinae blocked this call"


@frozen(kw_only=True, slots=False, eq=False, repr=False)
class Entry:
    """One thing that `install` writes into the agent's configuration.

    `user` is the file below the home and `project` the one below the project, with ``/``; empty where
    there is no such scope.  `keys` lead to the place in it: a list, to which the entry is added, where
    `listed`, else a table, in which it stands under the last of them.  `value` makes the entry from the
    words of the command, and `command` returns the words that the agent would start for an entry
    (``sh -c TEXT`` where it hands a text to a shell), or None for an entry of another kind.
    `format` is ``json`` or ``toml``.
    """

    user: str
    project: str
    keys: tuple[str, ...]
    listed: bool
    value: Callable[[Sequence[str]], Mapping[str, Any]]
    command: Callable[[Mapping[str, Any]], tuple[str, ...] | None]
    format: str = "json"


@frozen(kw_only=True, slots=False, eq=False, repr=False)
class Switch:
    """One setting of the agent by which it runs no hooks, or not ours: where it stands, and how it reads then.

    `user`, `project`, `keys` and `format` are as in `Entry`; `stops` tells of the value whether hooks are off.
    """

    user: str
    project: str
    keys: tuple[str, ...]
    stops: Callable[[object], bool]
    format: str = "json"


@frozen(kw_only=True, slots=False, eq=False, repr=False)
class Trust:
    """Where an agent remembers that a person trusts a hook, without which it is left out and the call runs.

    `user`, `project`, `keys` and `format` are as in `Entry`, and lead to a table of all hooks.  `name` returns the
    key in it of the hook that is an entry of the file at a path, by its number from 0; `given` tells of the value
    there whether the entry is trusted as it is now.
    """

    user: str
    keys: tuple[str, ...]
    name: Callable[[str, int], str]
    given: Callable[[object, Mapping[str, Any]], bool]
    project: str = ""
    format: str = "json"


@frozen(kw_only=True, slots=False, eq=False, repr=False)
class Agent:
    """One agent: all that is known of its hooks, its configuration and what it guarantees.

    `read` turns a payload into the call to judge, into None for a tool or an event on which there is nothing to
    say, or raises `UnknownPayload`. `sample` makes a payload as the agent sends it in its usual mode, from one of
    `tools`, the command or the path of the file, and the working directory; proofs and tests are made of it.
    `write` makes the reply for an answer and its reason, which is one visible line; it must give DENY by exit
    status as well as by JSON. `tools` are the tools that the installed hook is called for. `timeout` is what
    `install` allows the hook, in seconds. `can_allow` tells whether an explicit allow means something to the
    agent, `can_ask` whether it asks a person in its usual mode where the hook says ask. `facts`, `checked` (ISO
    date) and `version` say what all this rests on; `guarantee` is a sentence on what happens if the gate breaks.
    `moved_by` are the variables that have the agent look for its configuration elsewhere than below the home,
    `switches` what switches hooks off in it, `trust` where it keeps which hooks are trusted, None if it asks for
    no trust, and `next_step` is a sentence on what a person has to do before the hook that was installed is used.
    `further` are the hook's entries for other events that carry commands; they are installed and removed along
    with `hook`, for the same words.
    """

    name: str
    title: str
    facts: Facts
    checked: str
    version: str
    tools: tuple[str, ...]
    can_allow: bool
    can_ask: bool
    timeout: float
    guarantee: str
    read: Callable[[Mapping[str, Any]], ToolCall | None]
    sample: Callable[[str, str, str], Mapping[str, Any]]
    write: Callable[[Answer, str], Reply]
    hook: Entry
    mcp: Entry
    further: tuple[Entry, ...] = ()
    moved_by: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    trust: Trust | None = None
    next_step: str = ""
