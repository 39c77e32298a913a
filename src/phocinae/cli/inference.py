"""``phocinae classify``, ``route`` and ``score``: a question to the decision service, or one for each line of a batch.

Their part of the table of commands stands here too, because a gate that runs once per
command has no use for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from attrs import evolve, frozen

from ..composition.inference import build_inference
from ..domain.inference import Classification, Routing, Scoring
from ..errors import BackendError, InvalidRequest
from ..service.inference import InferenceService
from . import gate as gate_command
from .helping import helped
from .loading import load
from .options import BACKEND, GENERAL, SERVICE, Command, Option, Parsed, parse
from .output import complain, json_line, say, visible

FAILED = 1
"""The exit status where the service gave no answer, or none to one line of a batch."""

Result = Classification | Routing | Scoring
Ask = Callable[[InferenceService, Any, Any], Result]


@frozen(eq=False, repr=False)
class _Kind:
    """One of the three: its part of the table, the call, and what its items come by: an `option`, a `key` of a line."""

    command: Command
    option: str
    key: str
    ask: Ask


_AFTER = """\
Exit status:
  0  there is an answer
  1  the service gave none; with --batch: none to one line or more
  3  the call or a settings file cannot be used

Examples:
  phocinae {name} {item} {example}
  printf '%s' "$text" | phocinae {name} --json {item} {items}
"""


_OF_A_GATE = tuple(
    evolve(option, field="", text="changes nothing: no command is judged here")
    for option in BACKEND
    if option not in SERVICE
)
"""The other options of commands that ask the service, so that one set of options serves all of them."""


def _command(name: str, summary: str, before: str, items: Option, key: str, example: str) -> Command:
    item = items.names[0]
    options = (
        items,
        Option(names=("--state",), metavar="TEXT", text="the text; without it, standard input is read"),
        Option(names=("--json",), text="print one JSON object on one line"),
        Option(
            names=("--batch",),
            text=f'read JSON lines {{"state": ..., "{key}": ...}} from standard input, answer each with one',
        ),
        *GENERAL,
    )
    return Command(
        name=name,
        summary=summary,
        before=before,
        groups=(("Options", options), ("The decision service", (*SERVICE, *_OF_A_GATE))),
        after=_AFTER.format(name=name, item=item, example=example, items=example.partition(" --state")[0]),
    )


CLASSIFY = _command(
    "classify",
    "choose the label for a text",
    """\
Choose the label for a text, by the model of the decision service. Each label
needs a --label of its own.
""",
    Option(names=("--label",), metavar="TEXT", text="a label to choose from; give it once for each"),
    "labels",
    "bug --label wish --state 'it crashes on start'",
)

ROUTE = _command(
    "route",
    "choose the tool for a request",
    """\
Choose the tool for a request, by the model of the decision service. Each tool
needs a --tool of its own; their order does not count where the service averages
over several orders.
""",
    Option(
        names=("--tool",), metavar="TEXT", text="a tool to choose from, by name or description; give it once for each"
    ),
    "tools",
    "'search the web' --tool 'read a file' --state 'what is new in Python?'",
)

SCORE = _command(
    "score",
    "rate a text from 2 to 10",
    """\
Rate a text from 2 (lowest) to 10 (highest), by the model of the decision
service. Several criteria make one score.
""",
    Option(names=("--criterion",), metavar="TEXT", text="what to rate the text by; give it once for each"),
    "criteria",
    "'how urgent it is' --state 'the server is down'",
)

COMMANDS = (CLASSIFY, ROUTE, SCORE)

_CLASSIFY = _Kind(CLASSIFY, "--label", "labels", InferenceService.classify)
_ROUTE = _Kind(ROUTE, "--tool", "tools", InferenceService.route)
_SCORE = _Kind(SCORE, "--criterion", "criteria", InferenceService.score)


def classify(arguments: Sequence[str]) -> int:
    """Run ``phocinae classify`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    return _run(_CLASSIFY, arguments)


def route(arguments: Sequence[str]) -> int:
    """Run ``phocinae route`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    return _run(_ROUTE, arguments)


def score(arguments: Sequence[str]) -> int:
    """Run ``phocinae score`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    return _run(_SCORE, arguments)


def _run(kind: _Kind, arguments: Sequence[str]) -> int:
    parsed = parse(kind.command, arguments)
    if helped(kind.command, parsed):
        return 0
    if parsed.operands:
        raise InvalidRequest(f"{kind.command.name} takes options only; the text comes by --state or standard input")
    if parsed.on("--batch") and parsed.on("--state"):
        raise InvalidRequest("with --batch the texts come from standard input, not by --state")
    effective = load(parsed.flags(), config=parsed.text("--config"))
    service = build_inference(effective.settings)
    gate_command.report(effective, verbose=parsed.on("--verbose"))
    if parsed.on("--batch"):
        return _batch(kind, service, parsed.texts(kind.option), gate_command.standard_input("--state"))
    return _single(kind, service, parsed)


def _single(kind: _Kind, service: InferenceService, parsed: Parsed) -> int:
    items = parsed.texts(kind.option)
    if not items:
        raise InvalidRequest(f"{kind.command.name} needs {kind.option} TEXT, once for each of the {kind.key}")
    state = parsed.text("--state")
    if state is None:
        state = gate_command.read_text(gate_command.standard_input("--state"), "text")
    try:
        result = kind.ask(service, state, items)
    except BackendError as error:
        complain(str(error))
        return FAILED
    say(json_line(result.to_wire()) if parsed.on("--json") else _human(result))
    return 0


def _human(result: Result) -> str:
    """Return the answer alone on the first line, for scripts, and what there is to know about it below."""
    answer = {Classification: "label", Routing: "tool", Scoring: "score"}[type(result)]
    facts = [f"confidence {result.confidence:.2f}"] if result.confidence is not None else []
    facts.append(f"model {result.model or 'not named'}" if result.engine != "mock" else "made up by a mock, no model")
    lines = [str(getattr(result, answer)), f"  {', '.join(facts)}"]
    if result.truncated:
        lines.append("  truncated: the model may have read a part of it only")
    return "".join(f"{visible(line)}\n" for line in lines)


def _batch(kind: _Kind, service: InferenceService, items: Sequence[str], source: BinaryIO) -> int:
    """Answer each line of `source` with one line, at once; return whether all of them have an answer.

    There is no safe answer to fall back to, unlike in a gate, so the status tells.
    """
    status = 0
    for line in gate_command.lines(source):
        try:
            wire = _answer(kind, service, items, line)
        except (BackendError, InvalidRequest, ValueError) as error:
            wire, status = {"error": str(error)}, FAILED
        say(json_line(wire))
    return status


def _answer(kind: _Kind, service: InferenceService, items: Sequence[str], line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise ValueError(f"The input line cannot be used: {gate_command.TOO_LONG}.")
    try:
        entry = gate_command.decode(line, ("state",), (kind.key,))
    except ValueError as error:
        raise ValueError(f"The input line cannot be used: {error}.") from None
    return kind.ask(service, entry["state"], entry.get(kind.key, items)).to_wire()
