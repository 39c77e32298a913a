"""Puts the hook and the server of ours into an agent's configuration, and takes them out again.

All changes are made in memory and proved first; then each file is replaced in one step.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from ..adapters.agents.shape import Agent, Entry
from ..adapters.configuration.editing import put, take_out
from ..adapters.configuration.files import Held, hold, remove, replace
from ..adapters.configuration.place import CannotEdit
from ..domain.visible import visible
from ..errors import InvalidSettings
from .entries import Scope, cannot_edit, is_hook, is_server, mixed_hooks, place

_Edit = Callable[[bytes | None], bytes | None]


@frozen(kw_only=True)
class Change:
    """What is to become of one file: `path` as it was named, what it held, and what it will hold; None is no file."""

    path: str
    held: Held
    after: bytes | None

    def diff(self) -> str:
        """Return the change as a unified diff, with an escape for every character that shows nothing."""
        before, after = _lines(self.held.raw), _lines(self.after)
        name, none = visible(self.path), "/dev/null"
        old, new = none if self.held.raw is None else name, none if self.after is None else name
        return "".join(f"{line}\n" for line in difflib.unified_diff(before, after, old, new, lineterm=""))

    def apply(self, root: str) -> str:
        """Write it, and return the path of the backup, or nothing; folders below `root` that are empty then go.

        Raises:
            InvalidSettings: it could not be written; the file is what it was.
        """
        if self.after is None:
            remove(self.held, root)
            return ""
        return replace(self.held, self.after)


def installing(
    agent: Agent, scope: Scope, hook: Sequence[str] | None, server: Sequence[str] | None
) -> tuple[Change, ...]:
    """Return what has to change so that the words `hook` and `server` are installed; None leaves one as it is.

    Raises:
        InvalidSettings: a file cannot be changed; nothing has been written.
    """
    _check_mixed(agent, scope)
    edits = [
        (entry, _putting(entry, entry.value(words), mine))
        for entry, words, mine in (
            *((one, hook, is_hook(agent)) for one in (agent.hook, *agent.further)),
            (agent.mcp, server, is_server(agent)),
        )
        if words is not None
    ]
    return _changes(scope, edits)


def uninstalling(agent: Agent, scope: Scope) -> tuple[Change, ...]:
    """Return what has to change so that nothing of ours is installed: the reverse of `installing`.

    Raises:
        InvalidSettings: a file cannot be changed; nothing has been written.
    """
    _check_mixed(agent, scope)
    pairs = [(agent.mcp, is_server(agent)), *((one, is_hook(agent)) for one in (*agent.further, agent.hook))]
    return _changes(scope, [(entry, _taking(entry, mine)) for entry, mine in pairs])


def _check_mixed(agent: Agent, scope: Scope) -> None:
    for where in mixed_hooks(agent, scope):
        raise InvalidSettings(
            f"{where}: the hook of phocinae shares one entry with other hooks; take it out of there by hand, "
            "and run this again"
        )


def _putting(entry: Entry, value: Mapping[str, Any], mine: Callable[[Mapping[str, Any]], bool]) -> _Edit:
    return lambda raw: put(raw, entry.format, place(entry), value, mine)


def _taking(entry: Entry, mine: Callable[[Mapping[str, Any]], bool]) -> _Edit:
    return lambda raw: None if raw is None else take_out(raw, entry.format, place(entry), mine)


def _changes(scope: Scope, edits: Iterable[tuple[Entry, _Edit]]) -> tuple[Change, ...]:
    files: dict[str, Held] = {}
    contents: dict[str, bytes | None] = {}
    for entry, edit in edits:
        path = scope.path(entry)
        if path is None:
            continue
        if path not in files:
            files[path] = hold(path)
            contents[path] = files[path].raw
        try:
            contents[path] = edit(contents[path])
        except CannotEdit as error:
            raise cannot_edit(path, error) from None
    return tuple(
        Change(path=path, held=held, after=contents[path]) for path, held in files.items() if contents[path] != held.raw
    )


def _lines(raw: bytes | None) -> list[str]:
    return [] if raw is None else [visible(line) for line in raw.decode("utf-8", "replace").split("\n")]
