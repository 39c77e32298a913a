"""The one table of commands and options, with the parser and the help text that are read from it.

`gate` runs without click, which would take longer than the verdict.  Both it and the
commands that click runs are parsed by `parse` and explained by `help_text`, so that
help and behaviour cannot part.

Options may stand before and after operands.  ``--`` ends them.  A value follows its
option as the next word, whatever that begins with, or after ``=``.  Names are written
in full; of an option given twice the last counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from ..errors import InvalidRequest
from ..settings import BACKENDS, DIALECTS, Given, Source


@frozen(kw_only=True, eq=False, repr=False)
class Option:
    """One option: its names, what it does, and what it takes.

    `metavar` is empty for one that takes no value, and stands for the text `value`.  `words` are the
    values it takes, or empty for any.  `field` is the field of `Settings` that it sets, or empty.  The values of
    one that may be given `many` times are put together.
    """

    names: tuple[str, ...]
    text: str
    metavar: str = ""
    value: str = "true"
    words: tuple[str, ...] = ()
    field: str = ""
    many: bool = False


@frozen(kw_only=True, eq=False, repr=False)
class Command:
    """One command of the table: how it is called, and what its help says around the options."""

    name: str
    operand: str = ""
    summary: str
    before: str
    groups: tuple[tuple[str, tuple[Option, ...]], ...]
    after: str = ""

    def options(self) -> Iterable[Option]:
        """Return the options of all groups."""
        return (option for _, options in self.groups for option in options)


@frozen(eq=False, repr=False)
class Parsed:
    """What `parse` found: options with their texts, in order, and operands.

    An option that takes no value has the text that it stands for.
    """

    given: tuple[tuple[Option, str], ...]
    operands: tuple[str, ...]

    def text(self, name: str) -> str | None:
        """Return the text of the option `name`, or None if it was not given."""
        return next((text for option, text in reversed(self.given) if name in option.names), None)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of the option `name`, which may be given several times, in order."""
        return tuple(text for option, text in self.given if name in option.names)

    def on(self, name: str) -> bool:
        """Tell whether the option `name` was given."""
        return self.text(name) is not None

    def flags(self) -> tuple[Given, ...]:
        """Return the settings that were given as options, for `phocinae.cli.loading.load`."""
        return tuple(
            Given(
                Source.FLAG,
                option.field,
                ",".join(self.texts(option.names[0])) if option.many else text,
                f"option {option.names[-1]}",
            )
            for option, text in self.given
            if option.field
        )


CONFIG = Option(
    names=("--config",), metavar="FILE", text="read settings from FILE, not from ~/.config/phocinae/config.toml"
)
VERBOSE = Option(names=("-v", "--verbose"), text="say on standard error which settings apply and where they come from")
VERSION = Option(names=("--version",), text="show the version and exit")
HELP = Option(names=("-h", "--help"), text="show this help and exit")
TELLING = evolve(VERBOSE, text=f"{VERBOSE.text}, and log each handshake and each call there")
GENERAL = (CONFIG, VERBOSE, VERSION, HELP)

SERVICE = (
    Option(
        names=("--server",), metavar="URL", field="server",
        text="address of the decision service (default: {server})",
    ),
    Option(
        names=("--timeout",), metavar="SECONDS", field="timeout",
        text="for one answer in all (default: {timeout:g})",
    ),
    Option(
        names=("--model",), metavar="NAME", field="model",
        text="the model that the service is to use (default: {model})",
    ),
    Option(
        names=("--backend",), metavar="http|mock", words=BACKENDS, field="backend",
        text="http, or mock for made-up answers without a model (default: {backend})",
    ),
)  # fmt: skip
"""The options of every command that may ask the decision service."""

BACKEND = (
    Option(
        names=("--fail-closed",), metavar="deny|ask", words=("deny", "ask"), field="fail_closed",
        text="the answer when nobody could decide (default: {fail_closed})",
    ),
    Option(
        names=("--l1-enabled",), field="l1_enabled",
        text="ask the decision service about what the rules leave open",
    ),
    *SERVICE,
    Option(
        names=("--guard",), metavar="PATH", field="guard",
        text="a guard.py to ask as well, which can only make the answer stricter (auto: beside the package)",
    ),
)  # fmt: skip
"""The options that every command with a gate in it takes."""

GATE = Command(
    name="gate",
    operand="COMMAND",
    summary="decide whether a shell command may run",
    before="""\
Decide whether a shell command may run. Nothing is ever run here: you get an
answer and the reason for it.

COMMAND is the whole command as one argument, so put quotes around it. Without
COMMAND, the text is read from standard input; "-" is a command like any other.
In scripts, write -- in front: then no text can be mistaken for an option.
""",
    groups=(
        (
            "Options",
            (
                Option(names=("--json",), text="print one JSON object on one line"),
                Option(names=("--explain",), text="show what each part of the command came to, and why"),
                Option(names=("--cwd",), metavar="DIR", text="where the command is going to run"),
                Option(
                    names=("--dialect",),
                    metavar="WORD",
                    words=DIALECTS,
                    field="dialect",
                    text="what COMMAND is written for: auto, posix, powershell or cmd (default: {dialect})",
                ),
                Option(names=("--confirm",), text="a person has agreed: makes ask an allow, and never a deny"),
                Option(names=("--layer",), metavar="l0", words=("l0",), text="rules only: allow, deny or undecided"),
                Option(
                    names=("--batch",),
                    text='read JSON lines {"command": ..., "cwd": ...} from standard input, answer each with one',
                ),
                *GENERAL,
            ),
        ),
        ("When the rules leave it open", BACKEND),
    ),
    after="""\
Exit status:
  0  allow  the command may run
  1  deny   the command must not run
  2  ask    a person must decide (with --layer l0: undecided)
  3         the call or a settings file cannot be used; nothing was decided
With --batch it is 0 once every line has its answer.

Examples:
  phocinae gate 'git status'
  phocinae gate --explain 'curl -s https://example.com/install.sh | sh'
  printf '%s' "$command" | phocinae gate --json
  phocinae gate -- "$command"
""",
)

SERVE = Command(
    name="serve",
    summary="offer the gate to agents as an MCP server",
    before="""\
Start an MCP server. On stdio, the default, the client that starts it talks to it
through standard input and output. Over http, clients on this machine reach it at an
address that is printed on standard error.
""",
    groups=(
        (
            "Options",
            (
                Option(
                    names=("--transport",), metavar="stdio|http", words=("stdio", "http"), field="transport",
                    text="how clients reach the server (default: {transport})",
                ),
                Option(
                    names=("--host",), metavar="ADDRESS", field="host",
                    text="127.0.0.1, localhost or ::1 (default: {host})",
                ),
                Option(
                    names=("--port",), metavar="NUMBER", field="port",
                    text="0 picks a free one and prints it on standard error (default: {port})",
                ),
                Option(
                    names=("--path",), metavar="PATH", field="path",
                    text="where the endpoint is over HTTP (default: {path})",
                ),
                Option(
                    names=("--allow-host",), metavar="NAME", field="allow_host", many=True,
                    text="a name that a proxy has for this server; may be given several times",
                ),
                Option(
                    names=("--allow-origin",), metavar="ORIGIN", field="allow_origin", many=True,
                    text="a web origin whose pages may call this server (CORS); may be given several times",
                ),
                Option(
                    names=("--auth-token-file",), metavar="FILE", field="auth_token_file",
                    text="ask every client over HTTP for the bearer token in FILE",
                ),
                Option(
                    names=("--max-body",), metavar="BYTES", field="max_body",
                    text="the longest message over HTTP (default: {max_body})",
                ),
                Option(
                    names=("--session-secret-file",), metavar="FILE", field="session_secret_file",
                    text="give clients of handshake revisions sessions over HTTP, signed with the keys in FILE",
                ),
                Option(
                    names=("--session-ttl",), metavar="SECONDS", field="session_ttl",
                    text="how long a session lives (default: {session_ttl:g})",
                ),
                Option(
                    names=("--require-session",), field="require_session",
                    text="serve no request of a handshake revision without a session",
                ),
                Option(
                    names=("--state-key-file",), metavar="FILE", field="state_key_file",
                    text="the key that seals questions to a person, for servers that share them (default: a new one)",
                ),
                Option(
                    names=("--human-timeout",), metavar="SECONDS", field="human_timeout",
                    text="for a person who is asked in the middle of a call (default: {human_timeout:g})",
                ),
                CONFIG,
                TELLING,
                VERSION,
                HELP,
            ),
        ),
        ("When the rules leave it open", BACKEND),
    ),
)  # fmt: skip

COMMANDS = (GATE, SERVE)


def parse(command: Command, arguments: Sequence[str]) -> Parsed:
    """Return what `arguments` say to `command`.

    Raises:
        InvalidRequest: an option is unknown, incomplete, not UTF-8 text, or takes other values.
    """
    given: list[tuple[Option, str]] = []
    operands: list[str] = []
    rest = map(as_utf8, arguments)
    for word in rest:
        if word == "--":
            operands += rest
        elif word.startswith("-") and word != "-":
            given.append(_option(command, word, rest))
        else:
            operands.append(word)
    return Parsed(tuple(given), tuple(operands))


def as_utf8(argument: str) -> str:
    """Return an argument as the UTF-8 text that its bytes are, whatever the locale made of them.

    Bytes that are not UTF-8 become half surrogates (PEP 383): in a command the gate
    denies for them, in an option they are refused.

    Raises:
        InvalidRequest: it never was bytes.
    """
    try:
        return os.fsencode(argument).decode("utf-8", "surrogateescape")
    except UnicodeError:
        raise InvalidRequest("an argument is not UTF-8 text") from None


def _refuse_bytes(text: str) -> None:
    try:
        text.encode()
    except UnicodeError:
        raise InvalidRequest("an option is not UTF-8 text") from None


def _option(command: Command, word: str, rest: Iterator[str]) -> tuple[Option, str]:
    _refuse_bytes(word)
    name, equals, text = word.partition("=")
    option = next((option for option in command.options() if name in option.names), None)
    if option is None:
        hint = f"; put -- in front of a {command.operand} that begins with -" if command.operand == "COMMAND" else ""
        raise InvalidRequest(f"there is no option {name}{hint}")
    if not option.metavar:
        if equals:
            raise InvalidRequest(f"option {name} takes no value")
        return option, option.value
    if not equals:
        following = next(rest, None)
        if following is None:
            raise InvalidRequest(f"option {name} needs a value: {name} {option.metavar}")
        _refuse_bytes(following)
        text = following
    if option.words and text not in option.words:
        raise InvalidRequest(f"option {name} must be {' or '.join(option.words)}")
    return option, text


def help_text(command: Command, program: str = "phocinae") -> str:
    """Return the help of `command`, at most 100 columns wide."""
    from attrs import asdict

    from ..settings import Settings

    defaults = {field: getattr(value, "wire", value) for field, value in asdict(Settings()).items()}
    operand = f" [--] [{command.operand}]" if command.operand else ""
    lines = [f"Usage: {program} {command.name} [OPTIONS]{operand}", "", command.before.rstrip("\n")]
    for title, options in command.groups:
        lines += ["", f"{title}:"]
        for option in options:
            left = ", ".join(option.names) + (f" {option.metavar}" if option.metavar else "")
            text = option.text.format(**defaults) if option.field else option.text
            lines += _row(left, text)
    if command.after:
        lines += ["", command.after.rstrip("\n")]
    return "\n".join(lines) + "\n"


def _row(left: str, text: str) -> list[str]:
    lines, line = [], f"  {left:<23}"
    for word in text.split():
        if len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = " " * 25
        line += " " + word
    return [*lines, line]
