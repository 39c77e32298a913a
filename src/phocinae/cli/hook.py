"""``phocinae hook AGENT``: reads what the agent is about to do, and answers in the agent's own form.

Exit status 0 leaves the call to the agent, or says allow or ask; 2 blocks it, and is what every failure
comes to: for nearly every agent, any other status and any silence means that the call runs.
Imports are late on purpose: this program runs once per call of an agent's tool.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..adapters import agents
from ..adapters.agents.shape import Agent, Reply, UnknownPayload
from ..domain.tool_calls import Answer
from ..domain.visible import visible
from ..errors import InvalidRequest, PhocinaeError
from .deadline import BLOCKED, DEADLINE, Deadline, Word, tell
from .options import BACKEND, CONFIG, HELP, VERBOSE, VERSION, Command, Option, Parsed, help_text, parse

if TYPE_CHECKING:
    from ..domain.tool_calls import ToolCall
    from ..service.hook import HookAnswer, HookService
    from ..settings import Effective, Settings

INPUT_LIMIT = 16 << 20
"""The longest payload that is read, in bytes; a tool that writes a file sends all of its content."""

HOOK = Command(
    name="hook",
    operand="AGENT",
    summary="answer the hook of an agent, which enforces",
    before="""\
Answer the hook of an agent: its payload comes on standard input, the answer goes to
standard output and standard error in the agent's own form. The agent starts this
itself; "phocinae install AGENT" writes it into the agent's configuration.

AGENT is claude-code, codex or gemini-cli.
""",
    groups=(
        (
            "Options",
            (
                Option(
                    names=("--on-allow",), metavar="silent|allow", words=("silent", "allow"), field="on_allow",
                    text="leave what may run to the agent's own rules, or say allow (default: {on_allow})",
                ),
                Option(
                    names=("--unattended",), metavar="deny|ask", words=("deny", "ask"), field="unattended",
                    text="the answer where a person must decide and nobody can be asked; with ask, "
                    "the agent does what it does without a hook (default: {unattended})",
                ),
                Option(
                    names=("--deadline",), metavar="SECONDS", field="hook_deadline",
                    text="for one answer in all, then the call is blocked (default: {hook_deadline:g})",
                ),
                Option(
                    names=("--observe",), field="mode", value="observe",
                    text="block nothing, and record what would have been blocked",
                ),
                Option(
                    names=("--off",), field="enabled", value="false",
                    text="judge nothing, say so and record that",
                ),
                CONFIG,
                VERBOSE,
                VERSION,
                HELP,
            ),
        ),
        (
            "When the rules leave it open",
            (evolve(BACKEND[0], text="the answer when nobody could decide (default: ask)"), *BACKEND[1:]),
        ),
    ),
    after="""\
Exit status:
  0  the call is left to the agent, or the answer is allow or ask
  2  the call is blocked: it is denied, nobody could be asked, or something failed
""",
)  # fmt: skip


def main(arguments: Sequence[str], deadline: Deadline | None = None) -> int:
    """Answer one call, write that at once and return the exit status, or end the process with it by `deadline`."""
    word = _word(respond(arguments, read_payload, deadline))
    if deadline is not None:
        deadline.finish(word)
    return tell(word)


def respond(
    arguments: Sequence[str], payload: Callable[[], bytes] | None = None, deadline: Deadline | None = None
) -> Reply:
    """Return the answer to the payload that the function `payload` reads; never raise, whatever happens.

    `deadline` is told what to say when the time is up, and how much time there is.
    """
    turn = _Turn(deadline)
    try:
        return turn.reply(arguments, payload or read_payload)
    except KeyboardInterrupt:
        return turn.failed("The hook was interrupted, so the call is blocked.")
    except PhocinaeError as error:
        return turn.failed(str(error))
    except BaseException as error:  # a marked place: whatever happened, the call is blocked
        return turn.failed(f"The hook failed ({type(error).__name__}), so the call is blocked.")


def read_payload() -> bytes:
    """Return all of standard input.

    Raises:
        InvalidRequest: it cannot be read, or is longer than `INPUT_LIMIT`.
    """
    raw = bytearray()
    while True:
        try:
            piece = os.read(0, 1 << 20)
        except BlockingIOError:  # the agent's end of the pipe is our end as well
            os.set_blocking(0, True)
            continue
        except OSError as error:
            raise InvalidRequest(f"The payload cannot be read from standard input: {error.strerror}.") from None
        raw += piece
        if len(raw) > INPUT_LIMIT:
            raise InvalidRequest(f"The payload is longer than {INPUT_LIMIT} bytes, so the call is blocked.")
        if not piece:
            return bytes(raw)


class _Turn:
    """One answer in the making: what is known of the agent and of the settings by now."""

    def __init__(self, deadline: Deadline | None) -> None:
        self.deadline = deadline
        self.agent: Agent | None = None
        self.observing = False
        self.notes: list[str] = []
        """Lines for the person, which go to standard error behind the reason."""

    def reply(self, arguments: Sequence[str], payload: Callable[[], bytes]) -> Reply:
        """Return the answer; what is raised here is a block."""
        for name in arguments:
            if name in agents.MODULES:  # whatever is wrong with the call, this agent is told in its own form
                self._meet(agents.agent(name))
                break
        parsed = parse(HOOK, arguments)
        if parsed.on("--help"):
            return Reply(stdout=help_text(HOOK))
        if parsed.on("--version"):
            from ..settings import VERSION as NUMBER

            return Reply(stdout=f"phocinae {NUMBER}\n")
        self._meet(agent := agents.agent(_named(parsed)))
        effective = self._settings(parsed)
        if not effective.settings.enabled:
            return self._off(agent, effective)
        try:
            call = agent.read(_members(payload()))
        except UnknownPayload as error:
            why = f"The payload is none that {agent.title} is known to send ({error})"
            return self._answered(build(effective.settings, agent, None, self.notes).refuse(why))
        if call is None:
            return self._write(Answer.NO_OPINION)
        if call.cwd is not None and call.cwd != _here():
            effective = self._settings(parsed, call.cwd)
        own = [os.path.abspath(given)] if (given := parsed.text("--config")) else []
        return self._answered(build(effective.settings, agent, call, self.notes, own).answer(call))

    def failed(self, why: str) -> Reply:
        """Return the block that a failure comes to, or no more than a note where the gate only observes."""
        try:
            if self.observing:
                return self._write(Answer.NO_OPINION, note=f"OBSERVING, nothing is blocked: would deny: {why}")
            return self._write(Answer.DENY, why)
        except Exception:  # an agent's own form may be what fails
            return Reply(stderr=f"phocinae: {visible(why)}\n", status=BLOCKED)

    def _meet(self, agent: Agent) -> None:
        if agent is not self.agent:
            self.agent = agent
            self._say_at_the_end(DEADLINE)

    def _say_at_the_end(self, seconds: float) -> None:
        """Have the right thing said when the time is up."""
        if self.deadline is not None:
            late = f"The gate had no answer within {seconds:g} s, so the call is blocked."
            self.deadline.last_word = _word(self.failed(late))
            self.deadline.set(seconds)

    def _settings(self, parsed: Parsed, cwd: str | None = None) -> Effective:
        from ..settings import HOOK_DEFAULTS
        from .loading import load

        effective = load(parsed.flags(), config=parsed.text("--config"), cwd=cwd, hook=True, defaults=HOOK_DEFAULTS)
        self.observing = effective.settings.mode == "observe"
        self.notes = list(effective.warnings())
        if parsed.on("--verbose"):
            from .gate import report

            self.notes = []
            report(effective, verbose=True, warn=self.notes.append, tell=self.notes.append)
        self._say_at_the_end(effective.settings.hook_deadline)
        return effective

    def _off(self, agent: Agent, effective: Effective) -> Reply:
        from ..composition.hook import record_off

        where = next((one.where for one in effective.origins if one.field == "enabled"), "")
        if trouble := record_off(effective.settings, agent.name):
            self.notes.append(trouble)
        return self._write(Answer.NO_OPINION, note=f"OFF, nothing is judged, by {where}")

    def _answered(self, answered: HookAnswer) -> Reply:
        return self._write(answered.answer, answered.reason, note=answered.aside)

    def _write(self, answer: Answer, reason: str = "", note: str = "") -> Reply:
        """Return the agent's reply, with what the person should know behind it on standard error."""
        lines = [note, *self.notes] if note else self.notes
        aside = "".join(f"phocinae: {visible(line)}\n" for line in lines)
        if self.agent is None:
            return Reply(stderr=f"phocinae: {visible(reason)}\n{aside}", status=BLOCKED)
        reply = self.agent.write(answer, f"phocinae: {visible(reason)}" if reason else "")
        return evolve(reply, stderr=reply.stderr + aside) if aside else reply


def build(
    settings: Settings, agent: Agent, call: ToolCall | None, notes: list[str], own: Sequence[str] = ()
) -> HookService:
    """Return what answers the call of an agent, in the language of its tool; `own` are files that no setting names."""
    from ..composition.hook import build_hook

    return build_hook(settings, agent.name, call.dialect if call else None, notes.append, own)


def _named(parsed: Parsed) -> str:
    names = " or ".join(agents.MODULES)
    if len(parsed.operands) != 1:
        raise InvalidRequest(f"hook needs the name of one agent: {names}")
    if parsed.operands[0] not in agents.MODULES:
        raise InvalidRequest(f"there is no agent {parsed.operands[0]}; give {names}")
    return parsed.operands[0]


def _members(raw: bytes) -> dict[str, Any]:
    from ..domain.strict_json import Unreadable, read

    try:
        # some agents on Windows put a byte order mark in front
        payload = read(raw.removeprefix(b"\xef\xbb\xbf"))
    except Unreadable as error:
        raise UnknownPayload(str(error)) from None
    if not isinstance(payload, dict):
        raise UnknownPayload("no JSON object")
    return payload


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def _word(reply: Reply) -> Word:
    return (
        reply.stdout.encode("utf-8", "backslashreplace"),
        reply.stderr.encode("utf-8", "backslashreplace"),
        reply.status,
    )
