"""A gate whose second opinion comes from a script, and questions about other texts: all without a model.

Run it with ``python docs/examples/decision_service.py``.  With a decision service on this
machine, leave `ScriptedBackend` out: ``build_gate(Settings(l1_enabled=True))``.
"""

from __future__ import annotations

from phocinae import (
    Answers,
    BackendError,
    GateService,
    ScoreAnswer,
    ScriptedBackend,
    Settings,
    Unreachable,
    YesNoAnswer,
    build_gate,
    build_inference,
)


def opinion(safe_to_run: float, risk: int) -> Answers:
    """Return what a service says of a command: how likely it is safe (0 to 1), and its risk (2 to 10)."""
    return Answers({"safe_to_run": YesNoAnswer(safe_to_run), "risk": ScoreAnswer(risk)})


def show(gate: GateService, command: str) -> None:
    """Print what becomes of a command."""
    verdict = gate.decide(command)
    print(verdict.decision.wire, verdict.layer.value, verdict.engine, command)


def main() -> None:
    """Ask the script about three commands that the rules leave open, then the mock about other texts."""
    script = ScriptedBackend([opinion(0.9, 2), opinion(0.9, 8), Unreachable("the service is down")])
    gate = build_gate(Settings(l1_enabled=True, audit=False), backend=script)
    show(gate, "git status")  # the rules know it, so nobody is asked
    show(gate, "make docs")
    show(gate, "make deploy")
    show(gate, "make release")
    print(script.asked[0][1].splitlines()[1])

    service = build_inference(Settings(backend="mock"))
    print(service.classify("it crashes on start", ["bug", "wish"]).to_wire())
    try:
        build_inference(backend=ScriptedBackend(Unreachable("the service is down"))).score("x", ["how urgent it is"])
    except BackendError as error:
        print(f"no answer: {error}")


if __name__ == "__main__":
    main()
