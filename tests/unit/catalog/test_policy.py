"""The policy page says what the settings say, and nothing that is nobody's business."""

from __future__ import annotations

import pytest
from attrs import evolve

from phocinae.catalog.policy import URI, policy_resource, policy_text
from phocinae.catalog.resources import PERSONAL
from phocinae.composition.live import live_of
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Undecided
from phocinae.service.gate import GateService
from phocinae.settings import Settings


def never(_request: GateRequest) -> Undecided:
    raise AssertionError


FULL = Settings(
    l1_enabled=True,
    guard="/home/someone/guard.py",
    server="http://10.1.2.3:8155",
    score_deny=8,
    score_ask=5,
    noul_deny=0.125,
    noul_allow=0.875,
    fail_closed=Decision.ASK,
    project_code=Decision.DENY,
)


def test_the_page_is_read_live_and_kept_by_one_user_only() -> None:
    gate = GateService(offline=never, policy="abc123", clock=lambda: 0.0)
    page = policy_resource(lambda: live_of(FULL, gate))
    assert (page.uri, page.mime_type, page.freshness) == (URI, "text/markdown", PERSONAL)
    assert page.read() == policy_text(FULL, "abc123")


@pytest.mark.parametrize("phrase", ["`abc123`", "8 or more", "5 or more", "0.125", "0.875", "project's own code"])
def test_the_settings_stand_in_the_page(phrase: str) -> None:
    assert phrase in policy_text(FULL, "abc123")


def test_layers_that_are_off_are_not_named() -> None:
    page = policy_text(Settings(), "")
    assert "L1" not in page
    assert "guard" not in page
    assert "1. L0" in page
    assert "2. Nobody decided: deny" in page
    assert "built-in" in page


def test_layers_are_counted_in_their_order() -> None:
    page = policy_text(FULL, "p")
    places = [page.index(line) for line in ("1. L0", "2. L1", "3. Nobody decided: ask", "4. A guard program")]
    assert places == sorted(places)


@pytest.mark.parametrize("secret", ["10.1.2.3", "/home/someone", "guard.py"])
def test_no_address_and_no_path_is_told(secret: str) -> None:
    assert secret not in policy_text(FULL, "p")


@pytest.mark.parametrize("decision", ["allow", "ask", "deny"])
def test_it_says_what_to_do_with_each_answer(decision: str) -> None:
    page = policy_text(evolve(FULL, l1_enabled=False), "p")
    assert f"- `{decision}`:" in page


@pytest.mark.parametrize(
    ("settings", "rest"),
    [
        (FULL, "the rest is allow."),
        (evolve(FULL, l1_ceiling=Decision.ASK), "the rest is ask as well"),
        (evolve(FULL, backend="mock"), "the rest is ask as well"),
    ],
)
def test_it_says_whether_the_model_may_allow(settings: Settings, rest: str) -> None:
    page = policy_text(settings, "p")
    assert rest in page
    assert ("a mock of" in page) == (settings.backend == "mock")


def test_while_the_settings_cannot_be_used_the_page_says_so_and_no_more() -> None:
    gate = GateService(offline=never, policy="abc123", clock=lambda: 0.0)
    live = evolve(live_of(FULL, gate), usable=False)
    page = policy_resource(lambda: live).read()
    assert "every command is denied until they are mended" in page
    assert "allow:" not in page


def test_it_says_what_becomes_of_an_allow_that_cannot_be_recorded() -> None:
    said = "An allow that cannot be recorded is deny"
    assert said not in policy_text(FULL, "p")
    assert said in policy_text(evolve(FULL, audit_strict=True), "p")
    assert said not in policy_text(evolve(FULL, audit_strict=True, audit=False), "p")


def test_it_says_who_asks_the_person() -> None:
    page = policy_text(FULL, "p")
    assert "human_approval" in page
    assert "A deny is never put to a person" in page
