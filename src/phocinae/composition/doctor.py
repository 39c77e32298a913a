"""Examines an installation: everything but the agents, then each agent's configuration, then its hook by running it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from ..adapters import settings_sources
from ..adapters.agents.shape import Agent
from ..domain.findings import Finding, State, right, warning, wrong
from ..domain.installed import option
from ..domain.visible import visible
from ..errors import InvalidSettings
from ..settings import HOOK_DEFAULTS, Effective, Settings, merge
from .checks import general, of_settings
from .entries import Scope, installed_hooks, installed_servers, moved_by, problems
from .proof import Hook, prove


@frozen(kw_only=True)
class Examined:
    """What was found of one agent, or of everything else where `agent` is None."""

    agent: Agent | None = None
    findings: tuple[Finding, ...]

    @property
    def wrong(self) -> bool:
        """Whether something must be mended."""
        return any(one.state is State.WRONG for one in self.findings)


def examine(effective: Effective, agents: Sequence[Agent], scope: Scope) -> Iterator[Examined]:
    """Yield what is found of everything but the agents, and then of each of `agents` in `scope`.

    `effective` are the settings for a hook.
    """
    yield Examined(findings=tuple(general(effective)))
    for agent in agents:
        yield Examined(agent=agent, findings=tuple(_agent(agent, scope, effective.settings)))


def has_hook(agent: Agent, scope: Scope) -> bool:
    """Tell whether a hook of ours is installed, as far as the agent's configuration can be read."""
    try:
        return bool(installed_hooks(agent, scope))
    except InvalidSettings:
        return True  # what is wrong with it is then told


def _agent(agent: Agent, scope: Scope, known: Settings) -> Iterator[Finding]:
    found = tuple(problems(agent, scope))
    yield from found
    yield from _elsewhere(agent, scope)
    yield _server(agent, scope)
    try:
        hooks = installed_hooks(agent, scope)
    except InvalidSettings:
        return  # told already
    stands = not any(one.state is State.WRONG for one in found)
    for config in dict.fromkeys(option(hook.words, "--config") for hook in hooks):
        yield from _of_its_own(config, known)
    for hook in hooks:
        yield from prove(Hook(agent=agent, words=hook.words, fails_closed=stands))


def _of_its_own(config: str | None, known: Settings) -> Iterator[Finding]:
    """Yield what is found of the settings that a hook's command names, unless they are those that are `known`."""
    try:
        effective = for_hook(config)
    except InvalidSettings as error:
        yield wrong("settings of the hook", str(error), "every call is blocked until that is mended")
        return
    if effective.settings != known:
        yield from (evolve(one, about=f"{one.about}, for the hook") for one in of_settings(effective))


def for_hook(config: str | None) -> Effective:
    """Return the settings of a hook that is started with this file, None standing for the account's own.

    Raises:
        InvalidSettings: a source is there and cannot be used.
    """
    return merge(settings_sources.gather(config=config), hook=True, defaults=HOOK_DEFAULTS)


def _elsewhere(agent: Agent, scope: Scope) -> Iterator[Finding]:
    """Yield a warning for each variable by which the agent looks for its configuration in another place."""
    for name in moved_by(agent, scope):
        text = f"{agent.title} looks below {visible(os.environ[name])}, because {name} says so"
        yield warning(name, text, f"examine that as well: phocinae doctor {agent.name} --home DIR")


def _server(agent: Agent, scope: Scope) -> Finding:
    try:
        servers = installed_servers(agent, scope)
    except InvalidSettings as error:
        return wrong("MCP server", str(error))
    if not servers:
        return warning("MCP server", "no entry of it, so that the agent cannot ask for advice; hooks do without it")
    return right("MCP server", servers[0].where)
