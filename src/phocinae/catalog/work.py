"""How one call of a tool, a prompt or a resource is answered, whatever it is a call of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import frozen

from .completions import Completed
from .context import CallContext, Link, Parked
from .prompts import Messages
from .resources import Contents, NoSuchResource
from .tools import Arguments, Failed, NeedsInput, OnBadState, Replies, Tool, ToolAnswer

Answer: TypeAlias = ToolAnswer | Messages | Contents | NoSuchResource | Completed
"""What a call can end with."""

Outcome: TypeAlias = Answer | NeedsInput

Handler: TypeAlias = Callable[[CallContext], Outcome | Parked]
"""Answers a call, and may wait for others; it is called again once a `NeedsInput` was replied to."""


def _needs_time() -> Outcome | None:
    return None


def _stopped() -> Answer:
    return Failed("The server is stopping, and the answer was not there yet.")


@frozen(kw_only=True, eq=False, slots=False)  # frozen slots are filled by a call for each
class Work:
    """The ways in which one call is answered; `what` names it for a person, such as "tool gate".

    `at_once` must not wait, and gives None to leave the answer to `run`, which may.
    `gave_up` answers in the place of a `run` that the server's end came before, and
    `resume` goes on with replies and the state that was kept for them; where the work is
    `unsealed` and kept none, with any replies.
    """

    what: str
    run: Callable[[], Outcome | Parked]
    at_once: Callable[[], Outcome | None] = _needs_time
    gave_up: Callable[[], Answer] = _stopped
    resume: Callable[[Replies, dict[str, Any]], Outcome | Parked] | None = None
    on_bad_state: OnBadState = OnBadState.REFUSE
    unsealed: bool = False
    link: Link | None = None


def of_tool(tool: Tool, arguments: Arguments, context: Callable[[Arguments], CallContext]) -> Work:
    """Return the work of a call of `tool`; its context is made where somebody needs it."""
    what = f"tool {tool.name}"
    if tool.handler is not None:
        return of_handler(
            what, tool.handler, context(arguments), on_bad_state=tool.on_bad_state, unsealed=tool.unsealed
        )
    go_on = tool.resume
    return Work(
        what=what,
        run=lambda: tool.run(arguments),
        at_once=lambda: tool.at_once(arguments),
        gave_up=lambda: tool.gave_up(arguments),
        resume=None if go_on is None else lambda replies, state: go_on(arguments, replies, state),
        on_bad_state=tool.on_bad_state,
    )


def of_handler(
    what: str,
    handler: Handler,
    context: CallContext,
    *,
    on_bad_state: OnBadState = OnBadState.REFUSE,
    unsealed: bool = False,
) -> Work:
    """Return the work of a call that `handler` answers in each of its rounds."""
    return Work(
        what=what,
        run=lambda: handler(context),
        resume=lambda replies, state: handler(context.gone_on(replies, state)),
        on_bad_state=on_bad_state,
        unsealed=unsealed,
        link=context.link,
    )
