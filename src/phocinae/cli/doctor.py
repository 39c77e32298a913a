"""``phocinae doctor``: is everything in place, and does the hook of each agent really block?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..adapters import agents as known
from ..adapters.agents.shape import Agent
from ..composition.doctor import Examined, examine, for_hook, has_hook
from ..composition.entries import Scope, project_scope, user_scope
from ..domain.findings import Finding, State
from ..errors import InvalidRequest
from ..settings import VERSION
from .helping import helped
from .options import CONFIG, HELP, Command, Option, Parsed, parse
from .options import VERSION as VERSION_OPTION
from .output import json_line, say, visible

WRONG = 1
"""The exit status where something must be mended."""

DOCTOR = Command(
    name="doctor",
    operand="AGENT",
    summary="prove that what is installed works, and that it blocks",
    before="""\
Look at package, settings, decision log and decision service, and at the configuration
of each AGENT; then run its installed hook as the agent would, with a payload that must be
blocked and one that must pass, also from a folder and with variables that try to take
it over. No command of a payload is run. Without AGENT, every agent that has a hook.
""",
    groups=(
        (
            "Options",
            (
                Option(names=("--project",), metavar="DIR", text="look at the configuration of the project in DIR"),
                Option(names=("--home",), metavar="DIR", text="look below DIR, not below the home of this account"),
                Option(names=("--json",), text="print one JSON object on one line"),
                CONFIG,
                VERSION_OPTION,
                HELP,
            ),
        ),
    ),
    after="""\
Exit status:
  0  nothing is wrong; there may be warnings
  1  something is wrong, or no hook is installed
  3  the call or a settings file cannot be used
""",
)

_SIGNS = {State.RIGHT: "ok     ", State.WARNING: "warning", State.WRONG: "WRONG  "}


def main(arguments: Sequence[str]) -> int:
    """Run ``phocinae doctor`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    parsed = parse(DOCTOR, arguments)
    if helped(DOCTOR, parsed):
        return 0
    scope = _scope(parsed)
    chosen = _agents(parsed, scope)
    effective = for_hook(parsed.text("--config"))
    found = []
    for examined in examine(effective, chosen, scope):
        found.append(examined)
        if not parsed.on("--json"):
            say(_told(examined))
    ok = bool(chosen) and not any(examined.wrong for examined in found)
    if parsed.on("--json"):
        say(json_line({"ok": ok, "version": VERSION, "examined": [_wire(examined) for examined in found]}))
    elif not chosen:
        names = ", ".join(known.MODULES)
        say(f"\nNo hook is installed, so nothing is enforced; run: phocinae install AGENT ({names})\n")
    else:
        say("\nNothing is wrong.\n" if ok else "\nSomething is wrong: see above.\n")
    return 0 if ok else WRONG


def _scope(parsed: Parsed) -> Scope:
    if parsed.on("--project") and parsed.on("--home"):
        raise InvalidRequest("--project and --home do not go together")
    project = parsed.text("--project")
    return user_scope(parsed.text("--home")) if project is None else project_scope(project)


def _agents(parsed: Parsed, scope: Scope) -> list[Agent]:
    for name in parsed.operands:
        if name not in known.MODULES:
            raise InvalidRequest(f"there is no agent {name}; give {' or '.join(known.MODULES)}")
    named = [known.agent(name) for name in dict.fromkeys(parsed.operands or known.MODULES)]
    return named if parsed.operands else [agent for agent in named if has_hook(agent, scope)]


def _told(examined: Examined) -> str:
    agent = examined.agent
    lines = [] if agent is None else ["", *_about(agent)]
    for one in examined.findings:
        lines.append(f"  {_SIGNS[one.state]}  {visible(one.about)}: {visible(one.text)}")
        if one.advice:
            lines.append(f"           {visible(one.advice)}")
    return "\n".join(lines) + "\n"


def _about(agent: Agent) -> list[str]:
    rests = f"{agent.facts.value}, {agent.checked}, version {agent.version}"
    return [
        f"{agent.title} (what is known of it: {rests})",
        f"  reached by: {', '.join(agent.tools)}; calls of all other tools are not seen",
        f"  {agent.guarantee}",
    ]


def _wire(examined: Examined) -> dict[str, Any]:
    agent = examined.agent
    wire: dict[str, Any] = {"agent": None if agent is None else agent.name}
    if agent is not None:
        wire |= {"facts": agent.facts.value, "checked": agent.checked, "version": agent.version}
        wire |= {"tools": list(agent.tools), "guarantee": agent.guarantee}
    return wire | {"findings": list(map(Finding.to_wire, examined.findings))}
