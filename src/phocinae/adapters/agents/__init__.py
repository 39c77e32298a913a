"""The agents whose hooks the gate speaks: a module each, found by name."""

from __future__ import annotations

from importlib import import_module

from .shape import Agent

MODULES = {"claude-code": "claude_code", "codex": "codex", "gemini-cli": "gemini_cli"}
"""Every agent by the name that the command line has for it, and the module that describes it."""


def agent(name: str) -> Agent:
    """Return the agent called `name`; raise KeyError for a name that is not in `MODULES`."""
    found: Agent = import_module(f".{MODULES[name]}", __package__).AGENT
    return found
