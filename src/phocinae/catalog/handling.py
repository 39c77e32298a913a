"""Functions of users as handlers: sync and async ones, whatever they may return, and what they raise on purpose."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from ..errors import CallFailed, InvalidRegistration, InvalidRequest
from .completions import MOST, Completed
from .content import Block, Message, ResourceContents, Result, as_blocks
from .context import CallContext, Parked
from .prompts import Messages
from .resources import Contents, Freshness, NoSuchResource
from .schemas import SchemaCheck
from .tools import Done, Failed, NeedsInput, Rejected, ToolAnswer

Function: TypeAlias = Callable[[CallContext], Any]
"""What users register: it takes the context of a call, and may be async."""

_Answer = TypeVar("_Answer")
_Outcome = TypeVar("_Outcome")


def adapted(
    function: Function, convert: Callable[[Any, CallContext], _Answer]
) -> Callable[[CallContext], _Answer | NeedsInput | Failed | Rejected | Parked]:
    """Return `function` as a handler, whose answers `convert` turns into outcomes.

    Raises:
        InvalidRegistration: it does not take the context alone.
    """
    _check_parameters(function)

    def handle(context: CallContext) -> _Answer | NeedsInput | Failed | Rejected | Parked:
        def finish(value: Any) -> _Answer | NeedsInput | Failed | Rejected:
            return value if isinstance(value, NeedsInput | Failed | Rejected) else convert(value, context)

        def begin() -> _Answer | NeedsInput | Failed | Rejected | Parked:
            value = function(context)
            if not inspect.isawaitable(value):
                return finish(value)
            return context.link.run(_awaited(value), lambda end: _purposely(lambda: finish(end())))

        return _purposely(begin)

    return handle


def _purposely(work: Callable[[], _Outcome]) -> _Outcome | Failed | Rejected:
    """Return what `work` gives, or what it means by an error of ours; raise all others."""
    try:
        return work()
    except CallFailed as error:
        return Failed(str(error))
    except InvalidRequest as error:
        return Rejected(str(error))
    except (Exception, SystemExit):
        raise
    except BaseException as error:  # such as an async handler's own cancellation; it must not end a thread
        return Failed(f"The handler ended early ({type(error).__name__}).")


async def _awaited(value: Awaitable[Any]) -> Any:
    try:
        return await value
    except (SystemExit, KeyboardInterrupt) as error:  # either would end the event loop, and all that runs on it
        raise CallFailed(f"The handler ended early ({type(error).__name__}).") from None


def _check_parameters(function: Function) -> None:
    name = getattr(function, "__name__", "the handler")
    if not callable(function):
        raise InvalidRegistration(f"{name} cannot be called; register a function")
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        raise InvalidRegistration(
            f"{name} must take one parameter, the context of the call; the arguments are in its `arguments`"
        ) from None
    except ValueError:  # a builtin that does not tell its parameters
        return


def tool_answers(output: SchemaCheck | None) -> Callable[[Any, CallContext], ToolAnswer]:
    """Return what turns a value into the answer of a tool, which is held against the schema of its results."""

    def convert(value: Any, context: CallContext) -> ToolAnswer:
        answer = _tool_answer(value)
        if output is None or not isinstance(answer, Result) or answer.failed:
            return answer
        misfit = "it has no structured value" if answer.structured is None else output.misfit(answer.structured)
        if misfit is None:
            return answer
        why = f"The result does not fit the output schema of the tool: {misfit}."
        context.log("error", why)
        return Failed(why)

    return convert


def _tool_answer(value: Any) -> ToolAnswer:
    if isinstance(value, Result | Done):
        return value
    if value is None:
        return Result()
    return Result(structured=value) if isinstance(value, dict) else Result(content=as_blocks(value))


def contents(mime_type: str, freshness: Freshness) -> Callable[[Any, CallContext], Contents | NoSuchResource]:
    """Return what turns a value into the contents of a resource; None stands for nothing there."""

    def convert(value: Any, context: CallContext) -> Contents | NoSuchResource:
        if value is None:
            return NoSuchResource(context.uri)
        parts = value if isinstance(value, list | tuple) else (value,)
        return Contents(parts=tuple(_part(one, context.uri, mime_type) for one in parts), freshness=freshness)

    return convert


def _part(value: Any, uri: str, mime_type: str) -> ResourceContents:
    if isinstance(value, ResourceContents):
        return value
    if not isinstance(value, str | bytes):
        raise TypeError(f"{type(value).__name__} is no contents of a resource")
    return ResourceContents(uri, value, mime_type)


def messages(description: str) -> Callable[[Any, CallContext], Messages]:
    """Return what turns a value into the messages of a prompt; texts and blocks are said by the user."""

    def convert(value: Any, _context: CallContext) -> Messages:
        said = value if isinstance(value, list | tuple) else (value,)
        return Messages(messages=tuple(map(_message, said)), description=description)

    return convert


def _message(value: Any) -> Message:
    if isinstance(value, Message):
        return value
    if not isinstance(value, str | Block):
        raise TypeError(f"{type(value).__name__} is no message")
    return Message("user", value)


def completed(value: Any, _context: CallContext) -> Completed:
    """Return the values of a completion, as many as one answer holds."""
    values = tuple(value)
    if not all(isinstance(one, str) for one in values):
        raise TypeError("completions are strings")
    return Completed(values[:MOST], len(values))
