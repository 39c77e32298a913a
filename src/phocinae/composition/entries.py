"""Finds what is installed of phocinae in an agent's configuration, and says what is wrong with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from ..adapters import settings_sources
from ..adapters.agents.shape import Agent, Entry, Switch, Trust
from ..adapters.configuration.editing import entries, read
from ..adapters.configuration.files import hold
from ..adapters.configuration.place import CannotEdit, Place
from ..domain.findings import Finding, right, warning, wrong
from ..domain.installed import option, runs_hook, runs_server, started
from ..domain.visible import visible
from ..errors import InvalidSettings

MISSING = object()
"""What a setting is that is not there."""


@frozen(kw_only=True)
class Scope:
    """Where an agent's configuration is looked for: below a home, or below a project."""

    root: str
    project: bool = False

    def path(self, there: Entry | Switch | Trust) -> str | None:
        """Return the file of an entry in this scope, or None where the agent has none."""
        name = there.project if self.project else there.user
        return os.path.join(self.root, *name.split("/")) if name else None


@frozen(kw_only=True)
class Installed:
    """An entry of ours in a file: its number there, the line, its value, and the words that the agent would start."""

    path: str
    number: int
    line: int
    value: Mapping[str, Any]
    words: tuple[str, ...]

    @property
    def where(self) -> str:
        """The file and the line, for a person."""
        return f"{visible(self.path)}, line {self.line}" if self.line else visible(self.path)


def user_scope(home: str | None = None) -> Scope:
    """Return the scope of the account, or of another `home`.

    Raises:
        InvalidSettings: the account has no home.
    """
    root = home if home is not None else settings_sources.account_home() or _windows_home()
    if not root:
        raise InvalidSettings("this account has no home in the password database; name one with --home DIR")
    return Scope(root=os.path.abspath(root))


def project_scope(folder: str = "") -> Scope:
    """Return the scope of the project in `folder`, by default the working directory."""
    return Scope(root=os.path.abspath(folder), project=True)


def moved_by(agent: Agent, scope: Scope) -> tuple[str, ...]:
    """Return the variables of this process that have the agent look for its configuration elsewhere than in a home."""
    if scope.project:
        return ()
    home = os.environ.get("HOME")
    elsewhere = home and os.path.realpath(home) != os.path.realpath(scope.root)
    return (*(name for name in agent.moved_by if os.environ.get(name)), *(("HOME",) if elsewhere else ()))


def is_hook(agent: Agent) -> Callable[[Mapping[str, Any]], bool]:
    """Return what tells the hook of ours from other entries of `agent`."""
    return lambda value: runs_hook(agent.hook.command(value) or (), agent.name)


def is_server(agent: Agent) -> Callable[[Mapping[str, Any]], bool]:
    """Return what tells the server of ours from other entries of `agent`."""
    return lambda value: runs_server(agent.mcp.command(value) or ())


def place(entry: Entry) -> Place:
    """Return where an entry stands in its file."""
    return Place(entry.keys, entry.listed)


def installed_hooks(agent: Agent, scope: Scope) -> list[Installed]:
    """Return the hooks of ours in a scope, in order.

    Raises:
        InvalidSettings: the file cannot be read.
    """
    return _installed(agent.hook, scope, is_hook(agent))


def installed_servers(agent: Agent, scope: Scope) -> list[Installed]:
    """Return the server of ours in a scope, if it is there.

    Raises:
        InvalidSettings: the file cannot be read.
    """
    return _installed(agent.mcp, scope, is_server(agent))


def problems(agent: Agent, scope: Scope) -> Iterator[Finding]:
    """Yield what is found of the hook in the agent's configuration: missing, doubled, narrowed, switched off."""
    try:
        hooks = installed_hooks(agent, scope)
        mixed = mixed_hooks(agent, scope)
    except InvalidSettings as error:
        yield wrong("hook", str(error))
        return
    path = visible(scope.path(agent.hook) or "")
    for where in mixed:
        yield wrong("hook", f"{where}: it shares an entry with other hooks", "give it an entry of its own")
    if not hooks and not mixed:
        yield wrong("hook", f"none is installed in {path}", f"run: phocinae install {agent.name}")
    if len(hooks) > 1:
        yield warning("hook", f"{path} holds it {len(hooks)} times", f"run: phocinae install {agent.name}")
    for hook in hooks:
        found = list(_faults(agent, hook))
        yield from found
        if not found:
            yield right("hook", f"{hook.where}: as phocinae install writes it")
        yield from _untrusted(agent, hook, scope)
    if hooks:
        yield from _further(agent, scope)
        yield from _others(agent, scope)
    yield from _switched_off(agent, scope)


def _further(agent: Agent, scope: Scope) -> Iterator[Finding]:
    """Yield what is wrong with the hook's entries for other events."""
    again = f"run: phocinae install {agent.name}"
    for entry in agent.further:
        found = _installed(entry, scope, is_hook(agent))
        if not found:
            path = visible(scope.path(entry) or "")
            yield wrong("hook", f"{path} has none for {entry.keys[-1]}, so that commands of that event run", again)
        for hook in found:
            yield from _departures(hook, entry.value(started(hook.words)), again)


def _others(agent: Agent, scope: Scope) -> Iterator[Finding]:
    """Yield a warning where other hooks stand on the same event: they may change a call after it was judged."""
    mine = is_hook(agent)
    found = _installed(agent.hook, scope, lambda value: not mine(value) and not _mentions(value, agent.name))
    if found:
        text = f"{found[0].where}: {len(found)} other hooks of {agent.hook.keys[-1]} may change a call that was judged"
        yield warning("other hooks", text, "look whether they answer with updated input")


def mixed_hooks(agent: Agent, scope: Scope) -> list[str]:
    """Return where a hook of ours stands in one entry with others, so that it can be neither replaced nor removed."""
    mine = is_hook(agent)
    return [
        one.where
        for entry in (agent.hook, *agent.further)
        for one in _installed(entry, scope, lambda value: not mine(value) and _mentions(value, agent.name))
    ]


def _windows_home() -> str:
    return os.path.expanduser("~") if sys.platform == "win32" else ""


def _installed(entry: Entry, scope: Scope, mine: Callable[[Mapping[str, Any]], bool]) -> list[Installed]:
    path = scope.path(entry)
    raw = None if path is None else hold(path).raw
    if path is None or raw is None:
        return []
    try:
        found = entries(raw, entry.format, place(entry))
    except CannotEdit as error:
        raise cannot_edit(path, error) from None
    return [
        Installed(path=path, number=number, line=line, value=value, words=tuple(entry.command(value) or ()))
        for number, (value, line) in enumerate(found)
        if isinstance(value, dict) and mine(value)
    ]


def cannot_edit(path: str, error: CannotEdit) -> InvalidSettings:
    """Return the error for a person: file, line, and what is wrong there."""
    where = f"{visible(path)}, line {error.line}" if error.line else visible(path)
    return InvalidSettings(f"{where}: {visible(str(error))}")


def _mentions(value: object, agent: str) -> bool:
    """Tell whether a text anywhere in a value starts the hook of ours."""
    if isinstance(value, Mapping):
        args = value.get("args")
        words = (value.get("command"), *args) if isinstance(args, list) else ()
        if all(isinstance(word, str) for word in words) and runs_hook(tuple(map(str, words)), agent):
            return True
        return any(_mentions(inner, agent) for inner in value.values())
    if isinstance(value, list):
        return any(_mentions(inner, agent) for inner in value)
    return isinstance(value, str) and runs_hook(("sh", "-c", value), agent)


def _faults(agent: Agent, hook: Installed) -> Iterator[Finding]:
    words = started(hook.words)
    again = f"run: phocinae install {agent.name}"
    if not os.path.isabs(words[0]) or not os.access(words[0], os.X_OK):
        yield wrong("hook", f"{hook.where}: there is no program {visible(words[0])} to run", again)
    elif words[0] != sys.executable:
        yield warning("hook", f"{hook.where}: it runs {visible(words[0])}, not {visible(sys.executable)}", again)
    if "-I" not in words[1 : words.index("hook")]:
        yield wrong("hook", f"{hook.where}: without -I a project can put its own code in the gate's place", again)
    config = option(words, "--config")
    if config is not None and not os.path.isfile(config):
        yield wrong(
            "hook", f"{hook.where}: its settings file {visible(config)} is missing: it blocks every call", again
        )
    if config is None:
        yield warning("hook", f"{hook.where}: it names no settings file with --config", again)
    yield from _departures(hook, agent.hook.value(words), again)


def _departures(hook: Installed, wanted: Mapping[str, Any], again: str) -> Iterator[Finding]:
    """Yield where an entry is not what `install` would write for the same command."""
    for name, found, due in _differences("", hook.value, wanted):
        if name.endswith("timeout") and isinstance(found, (int, float)) and isinstance(due, (int, float)):
            if found < due:  # the longest deadline that can be set fits into what `install` writes, and not into less
                yield wrong("hook", f"{hook.where}: {name} is {found}, too short for an answer; {due} is right", again)
            continue
        if name == "matcher" and (found is MISSING or found in ("", "*")):
            continue  # all tools of the agent
        shown = "missing" if found is MISSING else visible(repr(found))[:200]
        due_words = "not there in what phocinae install writes" if due is MISSING else visible(repr(due))[:200]
        yield wrong("hook", f"{hook.where}: {name} is {shown}; right is: {due_words}", again)


def _differences(name: str, found: object, wanted: object) -> Iterator[tuple[str, Any, Any]]:
    """Yield each value of two that differ, by its keys."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        for key in [*wanted, *(key for key in found if key not in wanted)]:
            inner = f"{name}.{key}" if name else str(key)
            yield from _differences(inner, found.get(key, MISSING), wanted.get(key, MISSING))
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for one, other in zip(found, wanted, strict=True):
            yield from _differences(name, one, other)
    elif found != wanted:
        yield name, found, wanted


def _untrusted(agent: Agent, hook: Installed, scope: Scope) -> Iterator[Finding]:
    """Yield that the agent leaves the hook out, if nobody has trusted it as it is now."""
    if agent.trust is None:
        return
    path = (user_scope() if scope.project else scope).path(agent.trust) or ""
    for name in {agent.trust.name(file, hook.number) for file in (hook.path, os.path.realpath(hook.path))}:
        try:
            value = _setting(path, (*agent.trust.keys, name), agent.trust.format)
        except (InvalidSettings, CannotEdit):
            yield warning("hook", f"{visible(path)} cannot be read, so that nobody knows whether the hook is trusted")
            return
        if agent.trust.given(value, hook.value):
            return
    yield wrong("hook", f"{hook.where}: not trusted in {agent.title}, which leaves it out", agent.next_step)


def _switched_off(agent: Agent, scope: Scope) -> Iterator[Finding]:
    for switch in agent.switches:
        path = scope.path(switch)
        if path is None:
            continue
        name = ".".join(switch.keys)
        try:
            value = _setting(path, switch.keys, switch.format)
        except (InvalidSettings, CannotEdit):
            yield warning("hook", f"{visible(path)} cannot be read, so that nothing is known of {name}")
            continue
        if value is not MISSING and switch.stops(value):
            yield wrong("hook", f"{visible(path)}: {name} is {visible(repr(value))[:200]}: hooks are off", "change it")


def _setting(path: str, keys: tuple[str, ...], form: str) -> object:
    """Return the value of a setting in a file, or `MISSING`."""
    raw = hold(path).raw
    if raw is None:
        return MISSING
    text = read(raw, form)
    try:
        found = text.entries(Place(keys[:-1], listed=False)) if keys[1:] else [text.top_values()]
    except CannotEdit:
        return MISSING
    return found[0].get(keys[-1], MISSING) if found else MISSING
