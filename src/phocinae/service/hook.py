"""A hook as a use case: what an agent's tool is about to do comes in, how the agent is answered goes out.

The verdict is the gate's and stands in its record.  What becomes of it here is only a
question of who can be asked: where nobody can, ask is no answer.
"""

from __future__ import annotations

from attrs import frozen

from ..domain.masking import mask
from ..domain.request import Caller
from ..domain.tool_calls import Answer, Asking, ToolCall, ToolKind, settle
from ..domain.verdict import Decision, Verdict
from ..domain.visible import visible
from .gate import FileJudge, GateService

REASON_LIMIT = 2_000
"""The longest reason that an agent is given, in characters; Claude Code cuts texts at 10,000."""

NOBODY = "Nobody can be asked here, so the answer is deny: do without it, or have a person run it."
"""What a denial says that stands in the place of a question."""


@frozen(kw_only=True, slots=False)
class HookAnswer:
    """How an agent is answered, and why in one visible line; `aside` is what the person should know beside that."""

    answer: Answer
    reason: str = ""
    aside: str = ""


@frozen(kw_only=True, slots=False, eq=False, repr=False)
class HookService:
    """Answers the calls of one agent; build one with `phocinae.composition.hook.build_hook`.

    `files` judges what tools for files are about to write.  `unattended` (DENY or ASK) is the
    answer where a person would have to be asked and there is none.  One that is to `speak`
    says allow instead of leaving a command to the agent's own rules.
    """

    agent: str
    gate: GateService
    files: FileJudge
    unattended: Decision = Decision.DENY
    speak: bool = False

    def answer(self, call: ToolCall) -> HookAnswer:
        """Return how the agent is answered, with the verdict recorded; never raise for any call."""
        asked = settle(Decision.ASK, call.asking, unattended=self.unattended)
        unasked = "" if asked is Answer.ASK else asked.value
        caller = Caller(agent=self.agent, tool=call.tool, files=call.files, unasked=unasked)
        if call.kind is ToolKind.SHELL:
            return self._settled(self.gate.decide(call.command, call.cwd, caller=caller), call.asking)
        verdict = self.gate.decide_files(call.cwd, caller, self.files)
        if verdict is None or verdict.decision is Decision.ALLOW:
            # what is written is not looked at, so that nothing can be said for it
            return HookAnswer(answer=Answer.NO_OPINION)
        return self._settled(verdict, call.asking)

    def refuse(self, why: str) -> HookAnswer:
        """Return and record the denial of a call that cannot be judged."""
        caller = Caller(agent=self.agent, tool="")
        return self._settled(self.gate.give_up("", None, why, caller=caller), Asking.NEVER)

    def _settled(self, verdict: Verdict, asking: Asking) -> HookAnswer:
        answer = settle(verdict.decision, asking, unattended=self.unattended, speak=self.speak)
        if verdict.observed and verdict.decision is not Decision.ALLOW:
            return HookAnswer(answer=Answer.NO_OPINION, aside=observing(answer, reason_of(verdict)))
        if answer is Answer.NO_OPINION:
            return HookAnswer(answer=answer)
        unasked = answer is Answer.DENY and verdict.decision is Decision.ASK
        return HookAnswer(answer=answer, reason=reason_of(verdict, NOBODY if unasked else ""))


def observing(answer: Answer, reason: str) -> str:
    """Return what is said of an answer that a hook keeps to itself."""
    would = "leave it to the agent's own question" if answer is Answer.NO_OPINION else answer.value
    return f"OBSERVING, nothing is blocked: would {would}: {reason}"


def reason_of(verdict: Verdict, more: str = "") -> str:
    """Return the reason of a verdict with its rules and with what to run instead, fit to be shown on one line."""
    rules = ", ".join(dict.fromkeys(hit.rule for hit in verdict.hits if hit.weight >= verdict.hits[0].weight))
    remedy = next((hit.remedy for hit in verdict.hits if hit.remedy), "")
    parts = [verdict.reason, more, f"Instead: {remedy}." if remedy else "", f"[{rules}]" if rules else ""]
    line = visible(mask(" ".join(part for part in parts if part)))
    return line if len(line) <= REASON_LIMIT else line[: REASON_LIMIT - 1] + "…"
