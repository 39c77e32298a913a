"""Tools whose calls are told to whoever runs the server: which one, what came of it, and how long it took."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from attrs import evolve

from ..domain import strict_json
from ..domain.masking import mask
from ..ports import Clock
from .content import Result
from .context import Parked
from .tools import Arguments, Done, Failed, NeedsInput, Tool

SHOWN = 500
"""How many characters of the arguments stand in a line, at most."""

_READ = 50_000

Say = Callable[[str], None]

_Outcome = TypeVar("_Outcome")


def logged(tool: Tool, say: Say, clock: Clock) -> Tool:
    """Return `tool` with a line to `say` for each of its calls; `clock` counts seconds."""

    def told(arguments: Arguments, work: Callable[[], _Outcome], began: float | None = None) -> _Outcome:
        start = clock() if began is None else began
        try:
            outcome = work()
        except BaseException as error:
            say(_line(tool.name, f"failed ({type(error).__name__})", clock() - start, arguments))
            raise
        if isinstance(outcome, Parked):
            finish = outcome.finish
            return cast(_Outcome, evolve(outcome, finish=lambda: told(arguments, finish, start)))
        if outcome is not None:
            say(_line(tool.name, _came_of(outcome), clock() - start, arguments))
        return outcome

    resume, handler = tool.resume, tool.handler
    return evolve(
        tool,
        at_once=lambda arguments: told(arguments, lambda: tool.at_once(arguments)),
        run=lambda arguments: told(arguments, lambda: tool.run(arguments)),
        resume=resume
        and (lambda arguments, replies, state: told(arguments, lambda: resume(arguments, replies, state))),
        handler=handler and (lambda context: told(context.arguments, lambda: handler(context))),
    )


def _came_of(outcome: object) -> str:
    if isinstance(outcome, Done):
        return str(outcome.value.get("decision", "done"))
    if isinstance(outcome, Result):
        return "failed" if outcome.failed else "done"
    if isinstance(outcome, NeedsInput):
        return "needs an answer of a person, or of the client"
    return f"failed: {outcome.message}" if isinstance(outcome, Failed) else "refused"


def _line(name: str, what: str, seconds: float, arguments: Arguments) -> str:
    return f"{name}: {what}, {seconds * 1000:.1f} ms, {_shown(arguments)}"


def _shown(arguments: Arguments) -> str:
    """Return arguments as JSON, masked and then cut: half a secret would not be known for one."""
    try:
        text = strict_json.write(arguments)
    except (TypeError, ValueError, RecursionError):
        return "arguments that are no JSON"
    text = mask(text[:_READ])
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
