"""Which way the answers of the decision service count, shown with the published routes in both directions.

The table is written out here, and not taken from the page on polarity, so that a change
of its sign cannot pass.
"""

from __future__ import annotations

from collections.abc import Iterator

import published
import pytest
from decision_service.process import RealService

from phocinae import Decision, GateService, Layer, Settings, build_gate

COMMAND = "npm install left-pad"
TABLE = {
    0.0: "DDDDDDDDD",
    0.1: "DDDDDDDDD",
    0.34: "DDDDDDDDD",
    0.5: "?????DDDD",
    0.65: "AA???DDDD",
    0.66: "AA???DDDD",
    0.9: "AA???DDDD",
    1.0: "AA???DDDD",
}
"""By the probability that the command may run without a person, the decisions for the risks 2 to 10."""

YES_OR_NO = {
    probability: TABLE[1.0 if probability > 0.65 else 0.0] for probability in TABLE if not 0.35 <= probability <= 0.65
}
"""The same where the service says yes or no instead of a probability; what is close to its threshold is left out."""

LETTERS = {Decision.ALLOW: "A", Decision.ASK: "?", Decision.DENY: "D"}


@pytest.fixture(scope="module", params=[True, False], ids=["extensions", "answers-only"])
def service(request: pytest.FixtureRequest) -> Iterator[tuple[RealService, dict[float, str]]]:
    """The published routes, and the table that holds for them."""
    with RealService(published.interpreter("server"), extensions=request.param) as real:
        yield real, TABLE if request.param else YES_OR_NO


def row(real: RealService, gate: GateService, probability: float) -> str:
    """Return the decisions for the risks 2 to 10."""
    letters = ""
    for risk in range(2, 11):
        real.tell(noul=probability, score=risk)
        verdict = gate.decide(COMMAND)
        assert verdict.layer is Layer.L1, verdict.reason
        assert verdict.score == risk
        letters += LETTERS[verdict.decision]
    return letters


@pytest.mark.requirement("R-005")
def test_more_probability_is_milder_and_more_risk_is_stricter(service: tuple[RealService, dict[float, str]]) -> None:
    real, table = service
    gate = build_gate(Settings(l1_enabled=True, server=real.url, timeout=20.0, audit=False))
    assert {probability: row(real, gate, probability) for probability in table} == table


def test_the_statement_that_is_judged_reaches_the_model_in_the_state_and_the_texts_of_questions_do_not(
    service: tuple[RealService, dict[float, str]],
) -> None:
    real, _table = service
    build_gate(Settings(l1_enabled=True, server=real.url, timeout=20.0, audit=False)).decide(COMMAND)
    call = real.calls()[-1]
    statement, _, rest = call["state"].partition("\n")
    assert "safe to run without" in statement
    assert "10 is most dangerous" in statement
    assert COMMAND in rest
    assert [(question["id"], question["type"]) for question in call["questions"]] == [
        ("safe_to_run", "noul"),
        ("risk", "score"),
    ]
    assert all(not question.get("instructions") for question in call["questions"])  # they were sent, and are dropped
