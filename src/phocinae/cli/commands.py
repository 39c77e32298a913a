"""All commands as click sees them, built from the table in `options`.

click picks the command and writes the overview.  What stands behind the command's name
is parsed by the table's own parser, for `gate` the very one of its way without click.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click

from ..adapters.settings_sources import files
from ..errors import PhocinaeError
from ..settings import LOOPBACK_HOSTS, VERSION, Effective
from . import audit, config, doctor, hook, inference, offers
from . import gate as gate_command
from . import install as installing
from .helping import helped_or_options_only
from .loading import load
from .options import GATE, GENERAL, HELP, SERVE, Command, Option, parse
from .output import complain, say, tell

GROUPS: dict[str, str] = {
    "audit": "read and check the decision log",
    "config": "show which settings there are and hold, and write a file for them",
}
"""What the commands of two words are for, by their first word."""

FOREIGN_ADDRESS = 2
"""The exit status of ``serve --host`` with an address that is not this machine's own."""

Run = Callable[[Sequence[str]], int]


class TableCommand(click.Command):
    """A command of the table: click only finds it."""

    def __init__(self, command: Command, run: Run) -> None:
        super().__init__(
            command.name,
            params=[_parameter(option) for option in command.options()],
            add_help_option=False,
            short_help=command.summary,
        )
        self.run = run

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they are, ``--`` included, for the parser of the table."""
        ctx.args = list(args)
        return ctx.args

    def invoke(self, ctx: click.Context) -> int:
        """Run the command with the options in front of its name and its own; return the exit status."""
        return self.run([*(ctx.obj or ()), *ctx.args])


def main(arguments: Sequence[str]) -> int:
    """Run the command line `arguments` and return the exit status.

    Raises:
        InvalidRequest: the answer could not be written.
    """
    try:
        # no completion: a variable of the environment must not turn a call into another one that exits 0
        status = _root().main(list(arguments), prog_name="phocinae", complete_var="", standalone_mode=False)
    except click.UsageError as error:
        complain(f"{error.format_message()} To judge a command: phocinae gate 'COMMAND'; for help: phocinae --help")
        return gate_command.USAGE
    except click.Abort:
        complain("interrupted")
        return gate_command.USAGE
    except PhocinaeError as error:
        return gate_command.refuse(str(error))
    return int(status)


def serve(arguments: Sequence[str]) -> int:
    """Run ``phocinae serve`` with `arguments` and return the exit status."""
    parsed = parse(SERVE, arguments)
    if helped_or_options_only(SERVE, parsed):
        return 0
    host = parsed.text("--host")
    if host is not None and host not in LOOPBACK_HOSTS:
        complain(f"option --host must be one of {', '.join(LOOPBACK_HOSTS)}: the server is for this machine alone")
        return FOREIGN_ADDRESS
    named = parsed.text("--config")

    def again() -> Effective:
        return load(parsed.flags(), config=named)

    from .serve import serve as run_server

    return run_server(again(), again=again, files=files(named), verbose=parsed.on("--verbose"))


_RUNS: dict[Command, Run] = {
    GATE: gate_command.main,
    SERVE: serve,
    hook.HOOK: hook.main,
    inference.CLASSIFY: inference.classify,
    inference.ROUTE: inference.route,
    inference.SCORE: inference.score,
    offers.TOOLS: offers.tools,
    offers.INFO: offers.info,
    installing.INSTALL: installing.install,
    installing.UNINSTALL: installing.uninstall,
    audit.SHOW: audit.show,
    audit.VERIFY: audit.verify,
    audit.HEAD: audit.head,
    audit.STATS: audit.stats,
    doctor.DOCTOR: doctor.main,
    config.SHOW: config.show,
    config.INIT: config.init,
    config.SCHEMA: config.schema,
}

COMMANDS = tuple(_RUNS)
"""Every command there is."""


def _root() -> click.Group:
    root = click.Group(
        "phocinae",
        commands=_found(_RUNS, GROUPS),
        params=[_parameter(option) for option in GENERAL],
        add_help_option=False,
        invoke_without_command=True,
        help="A gate for the shell commands of coding agents: allow, ask or deny, with a reason.",
        epilog="Start with: phocinae gate 'git status'. Help on a command: phocinae gate --help",
    )
    root.callback = click.pass_context(_before)
    return root


def _found(runs: Mapping[Command, Run], groups: Mapping[str, str]) -> list[click.Command]:
    """Return the commands for click; those of two words are in the group that the first word names."""
    held = {name: _group(name, summary) for name, summary in groups.items()}
    alone = []
    for command, run in runs.items():
        group, _, name = command.name.rpartition(" ")
        if group:
            held[group].add_command(TableCommand(command, run), name)
        else:
            alone.append(TableCommand(command, run))
    return [*alone, *held.values()]


def _group(name: str, summary: str) -> click.Group:
    group = click.Group(
        name,
        params=[_parameter(HELP)],
        add_help_option=False,
        invoke_without_command=True,
        help=f"{summary[:1].upper()}{summary[1:]}.",
        short_help=summary,
        epilog=f"Help on a command: phocinae {name} COMMAND --help",
    )
    group.callback = click.pass_context(_before_group)
    return group


def _before_group(ctx: click.Context, **values: object) -> int | None:
    """Show what there is in a group, where that is asked for or no command of it is named."""
    if values["help"]:
        say(ctx.get_help() + "\n")
        ctx.exit(0)
    if ctx.invoked_subcommand is None:
        tell(ctx.get_help() + "\n")
        ctx.exit(gate_command.USAGE)
    return None


def _before(ctx: click.Context, **values: object) -> int | None:
    """Do what the options in front of a command's name say, or hand them on to the command."""
    if values["help"]:
        say(ctx.get_help() + "\n")
        ctx.exit(0)
    if values["version"]:
        ctx.exit(_show_version())
    if ctx.invoked_subcommand is None:
        tell(ctx.get_help() + "\n")
        ctx.exit(gate_command.USAGE)
    ctx.obj = []
    if values["config"] is not None:
        ctx.obj += ["--config", str(values["config"])]
    if values["verbose"]:
        ctx.obj.append("--verbose")
    return None


def _show_version() -> int:
    say(f"phocinae {VERSION}\n")
    return 0


def _parameter(option: Option) -> click.Option:
    if option.metavar:
        return click.Option([*option.names], metavar=option.metavar, help=option.text)
    return click.Option([*option.names], is_flag=True, help=option.text)
