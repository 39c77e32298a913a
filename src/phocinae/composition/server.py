"""The one place where an MCP server is put together."""

from __future__ import annotations

import time

from attrs import evolve

from ..adapters import settings_sources
from ..catalog.builtin import gate_tool
from ..catalog.completions import Completions
from ..catalog.effective import effective_resource
from ..catalog.inference import inference_tools
from ..catalog.logged import Say, logged
from ..catalog.manifest import Identity, manifest_resource
from ..catalog.policy import policy_resource
from ..catalog.prompts import PromptBox
from ..catalog.resources import Resource, ResourceShelf
from ..catalog.tools import Tool, ToolBox
from ..mcp.conversation import Server
from ..mcp.handlers import Handlers
from ..mcp.legacy import LegacyFace
from ..mcp.modern import ModernFace
from ..mcp.operations import About, Level, Log
from ..mcp.revisions import LEGACY, MODERN
from ..service.gate import GateService
from ..service.inference import InferenceService
from ..service.live import LiveSource
from ..service.rounds import RoundTrips
from ..settings import VERSION, Settings, check, merge
from .live import build_live, live_of
from .rounds import build_rounds

NAME = "phocinae"
TITLE = "phocinae command gate"
DESCRIPTION = "Decides whether a shell command may run: allow, ask or deny, with the reason."
INSTRUCTIONS = (
    "Call gate before you run a shell command, with the exact text. allow: run it as it is. ask: show the command and "
    "the reason to the person, and run it only after they agreed. deny: do not run it; where a hit has a remedy, use "
    "that. The resource phocinae://policy/gate-approval says who decides about what."
)


def silent(_level: Level, _message: str, _threshold: Level | None = None) -> None:
    """Log nothing."""


def build_server(
    settings: Settings | None = None,
    gate: GateService | None = None,
    *,
    inference: InferenceService | None = None,
    name: str = NAME,
    title: str = TITLE,
    version: str = VERSION,
    instructions: str | None = None,
    builtin: bool = True,
    changing: bool = False,
    extra_tools: tuple[Tool, ...] = (),
    extra_resources: tuple[Resource, ...] = (),
    rounds: RoundTrips | None = None,
    log: Log = silent,
) -> Server:
    """Return a server that offers `gate`, `inference` and the policy, and what is registered on it.

    None takes the settings from the files and the environment, and builds what they name.
    Clients show `name`, `title` and `version` to people, and `instructions` to models.
    Without `builtin` the server offers nothing of its own.  A `changing` one tells its
    clients when something is registered or withdrawn while it runs.  `extra_tools` and
    `extra_resources` are there from the beginning; users have the methods of the server
    for that (`catalog.registration`).  `rounds` replaces what the settings make of calls
    that are interrupted to ask a person.

    Raises:
        InvalidRegistration: an extra has the name or the URI of another one.
        InvalidSettings: a setting, the decision service or a file of the settings cannot be used.
    """
    settings = merge(settings_sources.gather()).settings if settings is None else check(settings)
    live = build_live(settings) if gate is None else live_of(settings, gate, inference)
    if inference is not None:
        live = evolve(live, inference=inference)
    about = About(
        name=name,
        version=version,
        title=title,
        description=DESCRIPTION if builtin else "",
        instructions=(INSTRUCTIONS if builtin else "") if instructions is None else instructions,
    )
    return assemble(
        lambda: live,
        about=about,
        builtin=builtin,
        changing=changing,
        extra_tools=extra_tools,
        extra_resources=extra_resources,
        rounds=rounds,
        log=log,
    )


ABOUT = About(name=NAME, version=VERSION, title=TITLE, description=DESCRIPTION, instructions=INSTRUCTIONS)
"""Who the server is unless it is built under another name."""


def assemble(
    live: LiveSource,
    *,
    about: About = ABOUT,
    builtin: bool = True,
    changing: bool = False,
    extra_tools: tuple[Tool, ...] = (),
    extra_resources: tuple[Resource, ...] = (),
    rounds: RoundTrips | None = None,
    log: Log = silent,
    calls: Say | None = None,
) -> Server:
    """Return a server whose answers follow `live`, which may give something else from one call to the next.

    `calls` is told each call of a tool in a line.

    Raises:
        InvalidSettings: a file that the settings name for interrupted calls cannot be used.
        InvalidRegistration: an extra has the name or the URI of another one.
    """
    tools = (*((gate_tool(live), *inference_tools(live)) if builtin else ()), *extra_tools)
    if calls is not None:
        tools = tuple(logged(tool, calls, time.perf_counter) for tool in tools)
    toolbox, shelf, prompts, completions = ToolBox(tools), ResourceShelf(), PromptBox(), Completions()
    manifest = manifest_resource(_identity(about), toolbox, shelf, lambda: live().settings.hooks)
    own = (policy_resource(live), effective_resource(live), manifest)
    for resource in (*(own if builtin else ()), *extra_resources):
        shelf.add(resource)
    return Server(
        handlers=Handlers(
            about=about,
            toolbox=toolbox,
            shelf=shelf,
            prompts=prompts,
            completions=completions,
            rounds=_rounds(live, log) if rounds is None else rounds,
        ),
        modern=ModernFace(about, prompts, completions, shelf, changing=changing),
        legacy={revision.date: LegacyFace(revision, about, shelf, changing=changing) for revision in LEGACY},
        log=log,
        changing=changing,
        human_timeout=live().settings.human_timeout,
    )


def _rounds(live: LiveSource, log: Log) -> RoundTrips:
    return build_rounds(live().settings, lambda: live().gate.policy, warn=lambda message: log(Level.WARNING, message))


def _identity(about: About) -> Identity:
    return Identity(
        name=about.name,
        title=about.title,
        version=about.version,
        description=about.description,
        revisions=(*MODERN, *(revision.date for revision in reversed(LEGACY))),
    )
