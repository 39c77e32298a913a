"""The gate inside an agent of your own, with an audit log and a decision service that are yours.

Run it with ``python docs/examples/embed.py``.  It runs no command and reaches no network:
`execute` only says what an agent would run, so that no verdict can do harm here.
"""

from __future__ import annotations

from collections.abc import Callable

from phocinae import (
    Answers,
    Decision,
    GateRequest,
    GateService,
    Question,
    ScoreAnswer,
    Settings,
    Verdict,
    YesNo,
    YesNoAnswer,
    build_gate,
)


class MemoryLog:
    """An audit log: any object with this method is one."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        """Keep one decision; raise `phocinae.AuditFailed` where it cannot be kept."""
        self.lines.append(f"{verdict.decision.wire} {verdict.layer.value} {request.command}")


class CautiousService:
    """A decision service: any object with this attribute and this method is one.

    This one thinks little of whatever installs something.
    """

    engine = "cautious"

    def answer(
        self, questions: tuple[Question, ...], state: str, deadline: float, *, average_orders: bool = False
    ) -> Answers:
        """Answer every question within `deadline` seconds, or raise `phocinae.BackendError`."""
        risky = "install" in state
        return Answers(
            {
                question.id: YesNoAnswer(0.5 if risky else 0.9) if isinstance(question, YesNo) else ScoreAnswer(3)
                for question in questions
            },
            model="cautious",
        )


def run(gate: GateService, command: str, ask: Callable[[Verdict], bool], execute: Callable[[str], str]) -> str:
    """Execute `command` if the gate allows it, or asks and the person agrees; return what happened."""
    verdict = gate.decide(command)
    if verdict.decision is Decision.ASK and ask(verdict):
        verdict = gate.decide(command, confirm=True)
    if verdict.decision is not Decision.ALLOW:
        return f"not run, {verdict.decision.wire}"
    return execute(command)


def agree(_verdict: Verdict) -> bool:
    """Stand in for a person who agrees to everything."""
    return True


def refuse(_verdict: Verdict) -> bool:
    """Stand in for a person who agrees to nothing."""
    return False


def pretend(command: str) -> str:
    """Stand in for the part of an agent that runs a command."""
    return f"would run {command}"


def main() -> None:
    """Show three commands and what became of them."""
    log = MemoryLog()
    gate = build_gate(Settings(l1_enabled=True), backend=CautiousService(), audit=log)

    print(run(gate, "echo hello", refuse, pretend))
    print(run(gate, "shutdown now", agree, pretend))  # nobody can lift a denial
    print(run(gate, "npm install left-pad", refuse, pretend))
    print(*log.lines, sep="\n")


if __name__ == "__main__":
    main()
