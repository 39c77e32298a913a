"""``phocinae install`` and ``phocinae uninstall``: the hook and the MCP server in an agent's configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from ..adapters import agents, settings_sources
from ..adapters.agents.shape import Agent
from ..errors import InvalidRequest, InvalidSettings
from ..settings import Effective, Source, merge
from .helping import helped
from .hook import HOOK
from .loading import load
from .options import BACKEND, CONFIG, HELP, VERBOSE, Command, Option, Parsed, parse
from .options import VERSION as SHOW_VERSION
from .output import complain, json_line, say, visible

if TYPE_CHECKING:
    from ..composition.entries import Scope
    from ..composition.installing import Change

_NAMES = ", ".join(agents.MODULES)
_HOOK_ONLY = ("--on-allow", "--unattended", "--deadline", "--observe")

_WHERE = (
    Option(names=("--user",), text="for this account, in its home (the default)"),
    Option(
        names=("--project",), metavar="DIR", text="for the project in DIR alone; its files are the agent's to change"
    ),
    Option(names=("--home",), metavar="DIR", text="the home to write to, where it is not that of the account"),
    Option(names=("--dry-run",), text="show what would change, and write nothing"),
    Option(names=("--json",), text="print one JSON object on one line"),
)

INSTALL = Command(
    name="install",
    operand="AGENT",
    summary="write the hook and the MCP server into an agent's configuration",
    before=f"""\
Write the hook, which enforces, and the MCP server, which advises, into the
configuration of an agent. All else in it stays as it is, and a backup is kept
beside each file that is changed. Without an entry to change, nothing is written.

AGENT is {_NAMES.replace(", gemini", " or gemini")}.
""",
    groups=(
        (
            "Options",
            (
                *_WHERE,
                Option(names=("--no-hook",), text="leave the hook as it is"),
                Option(names=("--no-mcp",), text="leave the MCP server as it is"),
                CONFIG,
                VERBOSE,
                SHOW_VERSION,
                HELP,
            ),
        ),
        (
            "Written into the command of the hook",
            tuple(option for option in HOOK.options() if option.names[-1] in _HOOK_ONLY),
        ),
        ("Written into both commands", BACKEND),
    ),
    after="""\
Exit status:
  0  it is installed
  3  it could not be installed; what was changed until then is named

Examples:
  phocinae install claude-code
  phocinae install codex --dry-run
""",
)

UNINSTALL = Command(
    name="uninstall",
    operand="AGENT",
    summary="take the hook and the MCP server out of an agent's configuration",
    before="""\
Take out of the configuration of an agent what "phocinae install" has written, and
leave all else as it is. The settings file and the decision log of phocinae stay.
""",
    groups=(("Options", (*_WHERE, VERBOSE, SHOW_VERSION, HELP)),),
    after="""\
Exit status:
  0  nothing of phocinae is left there
  3  it could not be taken out; what was changed until then is named
""",
)

COMMANDS = (INSTALL, UNINSTALL)


@frozen(kw_only=True)
class _Call:
    """One call: what was given, for which agent, and where."""

    parsed: Parsed
    agent: Agent
    scope: Scope
    warnings: list[str]


def install(arguments: Sequence[str]) -> int:
    """Run ``phocinae install`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: something cannot be used or written.
    """
    from ..composition.configuring import create_settings_file
    from ..composition.installing import installing

    call = _call(INSTALL, arguments)
    if call is None:
        return 0
    config = _config(call)
    interpreter = _interpreter(call)
    effective = _effective(call.parsed, config)
    call.warnings.extend(effective.warnings())
    hook, server = _words(call, interpreter, config, effective)
    changes = installing(call.agent, call.scope, hook, server)
    is_new = not os.path.lexists(config)
    if call.parsed.on("--dry-run"):
        return _preview(call, changes, f"{config} would be made, with all settings on their defaults" if is_new else "")
    if is_new:
        create_settings_file(config)
    return _report(
        call, _applied(call, changes), f"made {config}, with all settings on their defaults" if is_new else ""
    )


def uninstall(arguments: Sequence[str]) -> int:
    """Run ``phocinae uninstall`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: something cannot be used or written.
    """
    from ..composition.installing import uninstalling

    call = _call(UNINSTALL, arguments)
    if call is None:
        return 0
    changes = uninstalling(call.agent, call.scope)
    if call.parsed.on("--dry-run"):
        return _preview(call, changes, "")
    return _report_removal(call, _applied(call, changes))


def _call(command: Command, arguments: Sequence[str]) -> _Call | None:
    """Return what is to be done, or None where help or the version was asked for and shown."""
    parsed = parse(command, arguments)
    if helped(command, parsed):
        return None
    if len(parsed.operands) != 1 or parsed.operands[0] not in agents.MODULES:
        raise InvalidRequest(f"{command.name} takes one AGENT: {_NAMES}")
    if parsed.on("--no-hook") and parsed.on("--no-mcp"):
        raise InvalidRequest("with --no-hook and --no-mcp there is nothing to install")
    agent = agents.agent(parsed.operands[0])
    scope = _scope(parsed)
    return _Call(parsed=parsed, agent=agent, scope=scope, warnings=list(_elsewhere(agent, scope, parsed)))


def _scope(parsed: Parsed) -> Scope:
    from ..composition.entries import project_scope, user_scope

    project, home = parsed.text("--project"), parsed.text("--home")
    if project is not None and (home is not None or parsed.on("--user")):
        raise InvalidRequest("--project goes together with neither --user nor --home")
    for name, folder in (("--project", project), ("--home", home)):
        if folder is not None and not os.path.isdir(folder):
            raise InvalidRequest(f"option {name}: {visible(folder)} is not a folder")
    return user_scope(home) if project is None else project_scope(project)


def _elsewhere(agent: Agent, scope: Scope, parsed: Parsed) -> Iterator[str]:
    """Yield where the agent may look for its configuration while this is written elsewhere."""
    if scope.project:
        yield (
            "the files of a project are the agent's to change: this gate refuses to change them only as long as it "
            "runs; install for the account to be safe from that"
        )
        return
    from ..composition.entries import moved_by

    for name in moved_by(agent, scope):
        value = visible(os.environ[name])
        if name != "HOME":
            yield (
                f"{name} is set: started from here, {agent.title} reads {value} and not what is "
                f"written below {visible(scope.root)}; start it without that variable, or copy the entries there"
            )
        elif parsed.text("--home") is None:
            yield (
                f"HOME is {value}: started from here, {agent.title} reads its configuration there and not below "
                f"{visible(scope.root)}; to install it there, give --home {value}"
            )


def _config(call: _Call) -> str:
    """Return the absolute path of the settings file that the hook is to read."""
    from ..composition.configuring import settings_place

    given, home = call.parsed.text("--config"), call.parsed.text("--home")
    if given is None and home is not None:
        return os.path.join(call.scope.root, ".config", "phocinae", "config.toml")
    return os.path.abspath(settings_place(given))


def _effective(parsed: Parsed, config: str) -> Effective:
    """Return the settings as the hook will have them, so that no hook is installed which then blocks every call."""
    if os.path.lexists(config):
        settings_sources.check_way(config)
        return load(parsed.flags(), config=config, hook=True)
    managed = settings_sources.from_file(settings_sources.MANAGED_FILE, Source.MANAGED)
    return merge([*parsed.flags(), *managed], hook=True)


def _interpreter(call: _Call) -> str:
    from ..composition.interpreter import doubts, package_folder, usable_interpreter

    interpreter = usable_interpreter()
    project = call.scope.root if call.scope.project else os.getcwd()
    if call.scope.project or not _holds(project, call.scope.root):
        call.warnings.extend(doubts(interpreter, package_folder(interpreter), project))
    return interpreter


def _holds(folder: str, home: str) -> bool:
    """Tell whether a working directory is the home or above it, and so no project."""
    return os.path.commonpath([os.path.realpath(home), os.path.realpath(folder)]) == os.path.realpath(folder)


def _words(
    call: _Call, interpreter: str, config: str, effective: Effective
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Return the words of the hook and of the server; None for one that is to stay as it is."""
    from ..domain.installed import hook_words, server_words

    parsed, agent = call.parsed, call.agent
    hook, server = ["--config", config], ["--config", config]
    if effective.source("fail_closed") is Source.DEFAULT:
        hook += ["--fail-closed", "ask" if agent.can_ask else "deny"]
    for option in INSTALL.options():
        text = parsed.text(option.names[-1])
        if not option.field or text is None:
            continue
        words = [option.names[-1], *([text] if option.metavar else [])]
        hook += words
        if option.names[-1] not in _HOOK_ONLY:
            server += words
    return (
        None if parsed.on("--no-hook") else hook_words(interpreter, agent.name, hook),
        None if parsed.on("--no-mcp") else server_words(interpreter, server),
    )


def _applied(call: _Call, changes: Sequence[Change]) -> list[tuple[Change, str]]:
    """Write the changes, and return each with the path of its backup."""
    done: list[tuple[Change, str]] = []
    for change in changes:
        try:
            done.append((change, change.apply(call.scope.root)))
        except InvalidSettings as error:
            written = ", ".join(visible(one.path) for one, _ in done)
            raise InvalidSettings(f"{error}{f'; already written: {written}' if written else ''}") from None
    return done


def _preview(call: _Call, changes: Sequence[Change], also: str) -> int:
    _warn(call)
    if call.parsed.on("--json"):
        say(json_line({"agent": call.agent.name, "files": [one.path for one in changes], "warnings": call.warnings}))
        return 0
    also = f"{visible(also)}\n" if also else ""
    say("".join(change.diff() for change in changes) + also or "nothing would change\n")
    return 0


def _report(call: _Call, done: Sequence[tuple[Change, str]], also: str) -> int:
    agent = call.agent
    _warn(call)
    if call.parsed.on("--json"):
        wire = _wire(call, done) | {"tools": list(agent.tools), "guarantee": agent.guarantee}
        say(json_line(wire))
        return 0
    lines = [visible(also)] if also else []
    lines += _written(done) if done else [f"already installed for {agent.title}; nothing was changed"]
    if not call.parsed.on("--no-hook"):
        lines += [f"tools that reach the gate: {', '.join(agent.tools)}", f"guarantee: {agent.guarantee}"]
    lines += [f"next: {agent.next_step}"] if agent.next_step else []
    lines.append(f"to prove it: phocinae doctor {agent.name}")
    say("\n".join(lines) + "\n")
    return 0


def _report_removal(call: _Call, done: Sequence[tuple[Change, str]]) -> int:
    from ..adapters.configuration.files import backups

    _warn(call)
    if call.parsed.on("--json"):
        say(json_line(_wire(call, done)))
        return 0
    lines = _written(done) if done else [f"nothing of phocinae is installed there for {call.agent.title}"]
    kept = sorted({path for change, _ in done for path in backups(change.path)})
    lines += [f"backup kept: {visible(path)}" for path in kept]
    lines.append("the settings file and the decision log of phocinae stay where they are")
    say("\n".join(lines) + "\n")
    return 0


def _written(done: Sequence[tuple[Change, str]]) -> list[str]:
    lines = []
    for change, backup in done:
        what = "removed" if change.after is None else "made" if change.held.raw is None else "changed"
        lines.append(f"{what} {visible(change.path)}{f' (before: {visible(backup)})' if backup else ''}")
    return lines


def _wire(call: _Call, done: Sequence[tuple[Change, str]]) -> dict[str, object]:
    files = [{"file": one.path, "backup": backup} if backup else {"file": one.path} for one, backup in done]
    return {"agent": call.agent.name, "changed": files, "warnings": call.warnings}


def _warn(call: _Call) -> None:
    for warning in call.warnings:
        complain(f"warning: {warning}")
