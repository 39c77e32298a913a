"""The tools `classify`, `route` and `score`, over the inference service: questions about any text.

They ask the configured service whether L1 is switched on or not: that is about commands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from ..domain.inference import ITEM_LIMIT, MOST_ITEMS, STATE_LIMIT, Classification, Routing, Scoring
from ..domain.questions import RISK_HIGH, RISK_LOW
from ..errors import BackendError, InvalidRequest
from ..service.inference import InferenceService
from ..service.live import LiveSource
from .schemas import Schema
from .services import FOREIGN_SERVICE, SERVER_ARGUMENT, named
from .tools import Annotations, Arguments, Done, Failed, Rejected, Tool, ToolOutcome

Ask: TypeAlias = Callable[[InferenceService, str, list[str]], Classification | Routing | Scoring]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}

_COMMON: dict[str, Schema] = {
    "confidence": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "The service's own confidence; left out where it gave none.",
    },
    "model": _TEXT | {"description": "The model that answered; empty where the service did not name it."},
    "engine": _TEXT | {"description": "What gave the answer: http, or mock where no model did."},
    "truncated": {"type": "boolean", "description": "Whether the model may have read a part of the text only."},
    "usage": {
        "type": "object",
        "description": "What the call has cost; left out where the service did not say.",
        "properties": {"input_tokens": _COUNT, "output_tokens": _COUNT},
        "required": ["input_tokens", "output_tokens"],
        "additionalProperties": False,
    },
}
_COMMON_REQUIRED = ["model", "engine", "truncated"]


def _input(state: str, key: str, items: str, *, distinct: bool) -> Schema:
    listed: Schema = {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": ITEM_LIMIT},
        "minItems": 1,
        "maxItems": MOST_ITEMS,
        "description": items,
    }
    if distinct:
        listed["uniqueItems"] = True
    return {
        "type": "object",
        "properties": {
            "state": {"type": "string", "minLength": 1, "maxLength": STATE_LIMIT, "description": state},
            key: listed,
            "server": SERVER_ARGUMENT,
        },
        "required": ["state", key],
        "additionalProperties": False,
    }


def _output(own: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": own | _COMMON,
        "required": [*own, *_COMMON_REQUIRED],
        "additionalProperties": False,
    }


_PLACE: Schema = _COUNT | {"description": "The place of the answer in the list, counted from 0."}

CLASSIFY_INPUT = _input("The text to be labelled.", "labels", "The labels to choose from.", distinct=True)
CLASSIFY_OUTPUT = _output({"choice": _PLACE, "label": _TEXT | {"description": "The label that fits best."}})

ROUTE_INPUT = _input(
    "The request, in words.", "tools", "The tools to choose from: names, or descriptions.", distinct=True
)
ROUTE_OUTPUT = _output({"choice": _PLACE, "tool": _TEXT | {"description": "The tool that fits best."}})

SCORE_INPUT = _input(
    "The text to be rated.", "criteria", "What to rate it by; all of them make one score.", distinct=False
)
SCORE_OUTPUT = _output(
    {
        "score": {"type": "integer", "minimum": RISK_LOW, "maximum": RISK_HIGH},
        "range": {
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 2,
            "maxItems": 2,
            "description": "The lowest and the highest score that there is.",
        },
    }
)

_CLASSIFY = (
    "Chooses the label that fits a text, by a small model behind the decision service. When to use: to sort a short "
    "text into one of a few classes that you name, such as the kind of a message or of an error. When not to use: for "
    "more than one label at a time; for a text that the model reads only a part of (truncated is then true); to decide "
    "whether a command may run, which is what gate is for."
)
_ROUTE = (
    "Chooses the tool that fits a request, by a small model behind the decision service. When to use: to pick one of "
    "many tools or agents for a request in words, by their names or descriptions. When not to use: to call the tool, "
    "which it does not do; where the choice is plain to you; to decide whether a command may run, which is what gate "
    "is for."
)
_SCORE = (
    f"Rates a text from {RISK_LOW} (lowest) to {RISK_HIGH} (highest) by criteria, with a small model behind the "
    "decision service. When to use: to compare or sort texts by something that can be named, such as urgency. When not "
    "to use: to count or to calculate; for a score per criterion, because all criteria make one; to decide whether a "
    "command may run, which is what gate is for."
)


@frozen(kw_only=True, eq=False)
class _Kind:
    """One of the three tools; `key` is the argument with the list, `ask` the use case that takes it."""

    name: str
    title: str
    description: str
    key: str
    ask: Ask
    input_schema: Schema
    output_schema: Schema


_KINDS = (
    _Kind(
        name="classify",
        title="Classify a text",
        description=_CLASSIFY,
        key="labels",
        ask=InferenceService.classify,
        input_schema=CLASSIFY_INPUT,
        output_schema=CLASSIFY_OUTPUT,
    ),
    _Kind(
        name="route",
        title="Route a request",
        description=_ROUTE,
        key="tools",
        ask=InferenceService.route,
        input_schema=ROUTE_INPUT,
        output_schema=ROUTE_OUTPUT,
    ),
    _Kind(
        name="score",
        title="Score a text",
        description=_SCORE,
        key="criteria",
        ask=InferenceService.score,
        input_schema=SCORE_INPUT,
        output_schema=SCORE_OUTPUT,
    ),
)


def inference_tools(live: LiveSource) -> tuple[Tool, ...]:
    """Return `classify`, `route` and `score`; a call fails where the service gives no answer."""
    return tuple(_tool(kind, live) for kind in _KINDS)


def _tool(kind: _Kind, live: LiveSource) -> Tool:
    def run(arguments: Arguments) -> ToolOutcome:
        found = named(live(), arguments)
        if found is None:
            return Rejected(FOREIGN_SERVICE)
        try:
            answer = kind.ask(found.inference, arguments["state"], arguments[kind.key])
        except InvalidRequest as error:
            return Rejected(f"{kind.name}: {error}")
        except BackendError as error:
            return Failed(f"{kind.name} has no answer: {error}")
        return Done(answer.to_wire())

    def at_once(arguments: Arguments) -> ToolOutcome | None:
        """Refuse what needs no waiting; every answer does."""
        return Rejected(FOREIGN_SERVICE) if named(live(), arguments) is None else None

    return Tool(
        name=kind.name,
        title=kind.title,
        description=kind.description,
        input_schema=kind.input_schema,
        output_schema=kind.output_schema,
        annotations=Annotations(read_only=True, destructive=False, idempotent=True, open_world=True),
        run=run,
        at_once=at_once,
    )
