"""The tools that every server of ours offers: `gate`, over the gate service.

Over MCP the gate advises.  It sees the commands that a client shows it, and what the
client does with the answer is the client's affair.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..domain.approval import FORM_SCHEMA, KEY, question, read_answer
from ..domain.questions import RISK_HIGH, RISK_LOW
from ..domain.request import COMMAND_LIMIT, CWD_LIMIT, GateRequest
from ..domain.verdict import Decision, HumanAction, Layer, ReadingStatus, Verdict
from ..service.gate import GateService
from ..service.live import LiveSource
from .schemas import Schema
from .services import FOREIGN_SERVICE, SERVER_ARGUMENT, named
from .tools import (
    Annotations,
    Arguments,
    Done,
    InputRequest,
    NeedsInput,
    OnBadState,
    Rejected,
    Replies,
    Tool,
    ToolAnswer,
    ToolOutcome,
)

GATE_INPUT: Schema = {
    "type": "object",
    "properties": {
        "command": {
            "type": "string",
            "minLength": 1,
            "maxLength": COMMAND_LIMIT,
            "description": "The exact text that the shell would get, with all its parts.",
        },
        "cwd": {
            "type": "string",
            "maxLength": CWD_LIMIT,
            "description": "The folder that the command would run in. It can only make the answer stricter.",
        },
        "server": SERVER_ARGUMENT,
    },
    "required": ["command"],
    "additionalProperties": False,
}

_TEXT: Schema = {"type": "string"}
_OFFSET: Schema = {"type": "integer", "minimum": 0}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}

GATE_OUTPUT: Schema = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "enum": [decision.wire for decision in Decision],
            "description": "allow: it may run. ask: a person must agree first. deny: it must not run.",
        },
        "layer": {
            "type": "string",
            "enum": [layer.value for layer in Layer],
            "description": "Which part of the chain decided; fail_closed means that nobody vouched for the command.",
        },
        "reason": _TEXT | {"description": "A sentence for people that is true of this very command."},
        "hits": {
            "type": "array",
            "description": "What was noticed; start and end are offsets into the command in code points, half open.",
            "items": {
                "type": "object",
                "properties": {
                    "rule": _TEXT,
                    "start": _OFFSET,
                    "end": _OFFSET,
                    "reason": _TEXT,
                    "remedy": _TEXT | {"description": "What to run instead."},
                },
                "required": ["rule", "start", "end", "reason"],
                "additionalProperties": False,
            },
        },
        "ceiling": {
            "type": "string",
            "enum": [decision.wire for decision in Decision],
            "description": "The mildest answer that a later layer could have given.",
        },
        "reading": {
            "type": "string",
            "enum": [status.value for status in ReadingStatus],
            "description": "How much of the command the shell reader understood.",
        },
        "policy": _TEXT | {"description": "The fingerprint of the policy that judged."},
        "engine": _TEXT | {"description": "What gave the answer: l0, http, guard or mock."},
        "noul": _SHARE | {"description": "The probability that it may run without a person, from the service."},
        "score": {
            "type": "integer",
            "minimum": RISK_LOW,
            "maximum": RISK_HIGH,
            "description": "The risk, from the service.",
        },
        "confidence": {
            "type": "object",
            "additionalProperties": _SHARE,
            "description": "The service's own confidence in each of its answers.",
        },
        "human_action": {"type": "string", "enum": [action.value for action in HumanAction]},
        "error": _TEXT | {"description": "The failure that led to the answer."},
    },
    "required": ["decision", "layer", "reason", "hits", "ceiling", "reading", "policy", "engine"],
    "additionalProperties": False,
}
"""What `Verdict.to_wire` gives, member by member."""

_DESCRIPTION = (
    "Decides whether one shell command may run: allow, ask or deny, with the reason and, for a deny, what to run "
    "instead. When to use: before you run a shell command, once for each command, with the exact text that the shell "
    "will get. On ask, show the command and the reason to the person and run it only after they agreed. On deny, do "
    "not run it in any other spelling either. When not to use: for anything that is no shell command, such as editing "
    "a file or calling an API; for a question about what a command does; instead of the approval that your host "
    "already enforces."
)


def gate_tool(live: LiveSource) -> Tool:
    """Return the tool `gate`, which answers every command with a verdict and never fails."""
    calls = _GateCalls(live)
    return Tool(
        name="gate",
        title="Command gate",
        description=_DESCRIPTION,
        input_schema=GATE_INPUT,
        output_schema=GATE_OUTPUT,
        # a service may be asked as soon as the settings are read again, and clients keep a list of tools for long
        annotations=Annotations(read_only=True, destructive=False, idempotent=True, open_world=True),
        run=calls.run,
        at_once=calls.at_once,
        gave_up=calls.gave_up,
        resume=calls.resume,
        on_bad_state=OnBadState.ASK_AGAIN,
    )


@frozen
class _GateCalls:
    """The ways in which a call of `gate` is answered."""

    live: LiveSource

    def run(self, arguments: Arguments) -> ToolOutcome:
        found = named(self.live(), arguments)
        if found is None:
            return Rejected(FOREIGN_SERVICE)
        return self._outcome(arguments, found.gate, found.gate.decide(arguments["command"], arguments.get("cwd")))

    def at_once(self, arguments: Arguments) -> ToolOutcome | None:
        """Answer where nobody has to be waited for."""
        found = named(self.live(), arguments)
        if found is None:
            return Rejected(FOREIGN_SERVICE)
        verdict = found.gate.decide_now(arguments["command"], arguments.get("cwd"))
        return None if verdict is None else self._outcome(arguments, found.gate, verdict)

    def gave_up(self, arguments: Arguments) -> ToolAnswer:
        why = "The server is stopping and nobody had decided yet"
        return Done(self.live().gate.give_up(arguments["command"], arguments.get("cwd"), why).to_wire())

    def resume(self, arguments: Arguments, replies: Replies, state: dict[str, Any]) -> ToolOutcome:
        """Answer after a person was asked; without a usable reply, or under another policy, they are asked again."""
        action, found = read_answer(replies.get(KEY)), named(self.live(), arguments)
        if action is None or found is None or state != _state(found.gate):
            return self.run(arguments)
        return Done(found.gate.decide_answered(arguments["command"], arguments.get("cwd"), action).to_wire())

    def _outcome(self, arguments: Arguments, gate: GateService, verdict: Verdict) -> ToolOutcome:
        """Return the verdict, or the question to a person where it is theirs to decide."""
        if verdict.decision is not Decision.ASK:
            return Done(verdict.to_wire())
        message, state = question(GateRequest(arguments["command"], arguments.get("cwd")), verdict), _state(gate)
        return NeedsInput(
            requests=(InputRequest.form(KEY, message, FORM_SCHEMA),),
            state=state,
            unasked=lambda: self._unasked(arguments, state, verdict),
        )

    def _unasked(self, arguments: Arguments, state: dict[str, Any], verdict: Verdict) -> ToolAnswer:
        """Return `verdict`, or a new one where the policy is another by now; nobody is waited for."""
        found = named(self.live(), arguments)
        if found is None:
            return Rejected(FOREIGN_SERVICE)
        if state != _state(found.gate):
            command, cwd = arguments["command"], arguments.get("cwd")
            why = "The policy changed while a person was asked"
            verdict = found.gate.decide_now(command, cwd) or found.gate.give_up(command, cwd, why)
        return Done(verdict.to_wire(), _note(verdict) if verdict.decision is Decision.ASK else "")


def _state(gate: GateService) -> dict[str, Any]:
    """Return what must not change while a person thinks: the policy of the gate that asked."""
    return {"policy": gate.policy}


def _note(verdict: Verdict) -> str:
    """Return what the model reads that is to bring an ask before a person."""
    return (
        f"A person must decide about this command before it runs. {verdict.reason} "
        "Show them the command and this reason, and run it only after they agreed."
    )
