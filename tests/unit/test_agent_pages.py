"""The page of each agent: its configuration is what the agent's module makes, and it says what the module says."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

import transcripts
from phocinae.adapters import agents
from phocinae.adapters.agents.shape import Entry
from phocinae.domain.installed import hook_words, runs_hook, runs_server, server_words

FOLDER = transcripts.ROOT / "docs" / "agents"
PAGES = [name for name in agents.MODULES if (FOLDER / f"{name}.md").exists()]
PYTHON = "/opt/phocinae/bin/python3"
OPTIONS = ("--config", "/home/user/.config/phocinae/config.toml")


def shown(name: str, entry: Entry) -> Iterator[Any]:
    """Yield what stands in the page's blocks at the place of an entry."""
    load = json.loads if entry.format == "json" else tomllib.loads
    for block in transcripts.blocks(FOLDER / f"{name}.md", entry.format):
        value: Any = load(block.text)
        for key in entry.keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            yield from value if entry.listed else [value]


def test_there_are_pages() -> None:
    assert set(PAGES) == set(agents.MODULES)


@pytest.mark.parametrize("name", PAGES)
def test_the_entries_are_those_that_are_installed(name: str) -> None:
    agent = agents.agent(name)
    for entry in (agent.hook, *agent.further):
        assert list(shown(name, entry)) == [entry.value(hook_words(PYTHON, name, OPTIONS))]
    assert list(shown(name, agent.mcp)) == [agent.mcp.value(server_words(PYTHON, OPTIONS))]


@pytest.mark.parametrize("name", PAGES)
def test_what_is_shown_starts_the_gate(name: str) -> None:
    agent = agents.agent(name)
    (hook,), (server,) = shown(name, agent.hook), shown(name, agent.mcp)
    assert runs_hook(agent.hook.command(hook) or (), name)
    assert runs_server(agent.mcp.command(server) or ())
    started = agent.hook.command(hook) or ()
    words = started if len(started) != 3 else tuple(shlex.split(started[-1]))
    assert OPTIONS in pairwise(words)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_names_the_version_the_date_and_the_tools(name: str) -> None:
    agent = agents.agent(name)
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert f"{agent.title} {agent.version}" in text
    assert agent.checked in text
    assert [tool for tool in agent.tools if f"`{tool}`" not in text] == []
