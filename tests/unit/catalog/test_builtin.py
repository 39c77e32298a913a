"""The tool `gate`: every verdict fits its schema, no caller brings its own judge, and only L1 is waited for."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from phocinae.catalog.builtin import GATE_INPUT, GATE_OUTPUT, gate_tool
from phocinae.catalog.services import FOREIGN_SERVICE
from phocinae.catalog.tools import Done, InputKind, NeedsInput, OnBadState, Rejected, Tool
from phocinae.composition.live import live_of
from phocinae.domain.approval import FORM_SCHEMA, KEY
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Hit, HumanAction, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.errors import TimedOut
from phocinae.service.gate import GateService
from phocinae.settings import Settings

SERVICE = "http://127.0.0.1:8155"
OUTPUT = Draft202012Validator(GATE_OUTPUT)


def judge(request: GateRequest) -> Verdict | Undecided:
    decision = {"ls": Decision.ALLOW, "rm": Decision.DENY, "cat": Decision.ASK}.get(request.command)
    if decision is None:
        return Undecided(reason="Nobody knows it.", ceiling=Decision.ALLOW)
    return Verdict(decision=decision, layer=Layer.L0, reason=f"In {request.cwd}.", policy="p1")


def service(request: GateRequest) -> Verdict:
    if request.command == "slow":
        raise TimedOut("no answer within 5 s")
    return Verdict(decision=Decision.ALLOW, layer=Layer.L1, reason="It is fine.", noul=0.9, score=2, engine="http")


class Record:
    """Keeps the commands that were decided about."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def record(self, _at: float, request: GateRequest, _verdict: Verdict) -> None:
        self.seen.append(request.command)


def tool(**more: Any) -> Tool:
    return tool_of(Settings(server=SERVICE), **more)


def tool_of(settings: Settings, **more: Any) -> Tool:
    live = live_of(settings, GateService(**{"offline": judge, "clock": lambda: 0.0} | more))
    return gate_tool(lambda: live)


def answer(of: Tool, **arguments: str) -> dict[str, Any]:
    outcome = of.at_once(arguments) or of.run(arguments)
    assert isinstance(outcome, Done)
    OUTPUT.validate(outcome.value)
    return outcome.value


def unasked(outcome: object) -> object:
    """Return an outcome as a client gets it that cannot be asked."""
    return outcome.unasked() if isinstance(outcome, NeedsInput) and callable(outcome.unasked) else outcome


def test_the_schemas_are_schemas() -> None:
    for schema in (GATE_INPUT, GATE_OUTPUT):
        assert list(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema)) == []


TEXTS = st.text(max_size=5)
HITS = st.builds(
    Hit,
    rule=TEXTS,
    weight=st.sampled_from(Weight),
    reason=TEXTS,
    start=st.integers(0, 9),
    end=st.integers(0, 9),
    remedy=TEXTS,
)
SHARES = st.floats(0, 1)
VERDICTS = st.builds(
    Verdict,
    decision=st.sampled_from(Decision),
    layer=st.sampled_from(Layer),
    reason=TEXTS,
    hits=st.tuples(HITS) | st.just(()),
    ceiling=st.sampled_from(Decision),
    reading=st.sampled_from(ReadingStatus),
    policy=TEXTS,
    engine=st.sampled_from(["l0", "http", "guard", "mock"]),
    noul=st.none() | SHARES,
    score=st.none() | st.integers(2, 10),
    confidence=st.none() | st.dictionaries(TEXTS, SHARES, max_size=2),
    human_action=st.none() | st.sampled_from(HumanAction),
    error=TEXTS,
)


@given(VERDICTS)
def test_every_verdict_fits_the_output_schema(verdict: Verdict) -> None:
    assert list(OUTPUT.iter_errors(verdict.to_wire())) == []


def test_the_output_schema_says_all_that_a_verdict_can_say() -> None:
    hit = Hit(rule="r", weight=Weight.DENY, reason="r", remedy="ls")
    full = Verdict(
        decision=Decision.ASK,
        layer=Layer.HUMAN,
        reason="r",
        hits=(hit,),
        noul=0.5,
        score=2,
        confidence={"a": 1.0},
        human_action=HumanAction.CANCEL,
        error="e",
    )
    assert not [field.name for field in attrs.fields(Verdict) if getattr(full, field.name) is None]
    assert GATE_OUTPUT["properties"].keys() == full.to_wire().keys()
    assert GATE_OUTPUT["properties"]["hits"]["items"]["properties"].keys() == hit.to_wire().keys()


@pytest.mark.parametrize(
    ("command", "decision", "layer"),
    [
        ("ls", "allow", "L0"),
        ("rm", "deny", "L0"),
        ("cat", "ask", "L0"),
        ("npm", "deny", "fail_closed"),
        (" ", "deny", "fail_closed"),
    ],
)
def test_without_later_judges_every_answer_comes_at_once(command: str, decision: str, layer: str) -> None:
    outcome = unasked(tool().at_once({"command": command}))
    assert isinstance(outcome, Done)
    assert (outcome.value["decision"], outcome.value["layer"]) == (decision, layer)


def test_the_working_directory_reaches_the_judge() -> None:
    assert answer(tool(), command="ls", cwd="/srv")["reason"] == "In /srv."
    assert answer(tool(), command="ls")["reason"] == "In None."


def test_with_later_judges_only_an_open_command_needs_time() -> None:
    asked = tool(later=(service,))
    assert asked.at_once({"command": "npm"}) is None
    assert answer(asked, command="npm")["layer"] == "L1"
    assert answer(asked, command="slow") == answer(asked, command="slow") | {"decision": "deny", "layer": "fail_closed"}
    outcome = asked.at_once({"command": "rm"})
    assert isinstance(outcome, Done)
    assert outcome.value["decision"] == "deny"


def test_an_offline_layer_that_breaks_denies_at_once() -> None:
    def broken(_request: GateRequest) -> Verdict:
        raise RuntimeError("hunter2")

    outcome = tool(offline=broken, later=(service,)).at_once({"command": "ls"})
    assert isinstance(outcome, Done)
    assert outcome.value["decision"] == "deny"
    assert "hunter2" not in str(outcome)


def test_each_decision_is_recorded_once() -> None:
    record = Record()
    asked = tool(later=(service,), audit=record)
    for command in ("ls", "npm", "rm"):
        answer(asked, command=command)
    assert record.seen == ["ls", "npm", "rm"]


def test_an_ask_has_a_text_for_the_person_and_nothing_else_has() -> None:
    notes = {}
    for command in ("ls", "rm", "cat"):
        outcome = unasked(tool().run({"command": command}))
        assert isinstance(outcome, Done)
        notes[command] = outcome.note
    assert "In None." in notes["cat"]
    assert "agreed" in notes["cat"]
    assert (notes["ls"], notes["rm"]) == ("", "")


def test_a_call_that_is_given_up_is_denied() -> None:
    outcome = tool().gave_up({"command": "npm"})
    assert isinstance(outcome, Done)
    OUTPUT.validate(outcome.value)
    assert (outcome.value["decision"], outcome.value["layer"]) == ("deny", "fail_closed")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8155",
        "http://127.0.0.1:8155/",
        "HTTP://127.0.0.1:8155/v1/systemone",
        "https://judge.example",
        "https://JUDGE.example:443/x?y",
    ],
)
def test_the_configured_services_may_be_named(url: str) -> None:
    allowed = tool_of(Settings(server=SERVICE, allowed_servers=("https://judge.example/",)))
    assert isinstance(allowed.at_once({"command": "ls", "server": url}), Done)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8155",
        "//127.0.0.1:8155",
        "http://127.0.0.1",
        "http://127.0.0.1:8156",
        "https://127.0.0.1:8155",
        "http://localhost:8155",
        "http://127.0.0.1.example:8155",
        "http://127.0.0.1:8155@judge.example",
        "http://user@127.0.0.1:8155",
        "http://judge.example\\@127.0.0.1:8155",
        "http://127.0.0.1:8155\n",
        "http://127.0.0.1:81\t55",
        " http://127.0.0.1:8155",
        "http://127.0.0.1:x",
        "http://127.0.0.1:99999",
        "http://[::1",
        "http://１２７.0.0.1:8155",
        "file:///127.0.0.1:8155",
        "http://",
    ],
)
@pytest.mark.parametrize("later", [(), (service,)])
def test_any_other_service_is_refused_with_one_text(url: str, later: tuple[Any, ...]) -> None:
    asked = tool(later=later)
    for command in ("ls", "npm"):
        assert asked.at_once({"command": command, "server": url}) == Rejected(FOREIGN_SERVICE)
        assert asked.run({"command": command, "server": url}) == Rejected(FOREIGN_SERVICE)


def test_a_client_sees_when_to_use_it_and_what_it_does() -> None:
    asked = tool()
    assert "When to use" in asked.description
    assert "When not to use" in asked.description
    assert asked.annotations is not None
    assert asked.annotations.to_wire()["readOnlyHint"] is True


def test_a_service_that_a_reload_brings_in_was_hinted_at_from_the_beginning() -> None:
    for enabled in (False, True):
        hints = tool_of(Settings(l1_enabled=enabled)).annotations
        assert hints is not None
        assert hints.open_world


# --- a person is asked


APPROVED: dict[str, object] = {KEY: {"action": "accept", "content": {"decision": "approve"}}}


def needs(of: Tool, **arguments: str) -> NeedsInput:
    outcome = of.at_once(arguments) or of.run(arguments)
    assert isinstance(outcome, NeedsInput)
    return outcome


def resumed(of: Tool, replies: dict[str, object], state: dict[str, Any], **arguments: str) -> object:
    assert of.resume is not None
    return of.resume(arguments, replies, state)


def test_an_ask_is_one_form_for_the_person_with_the_command_in_it() -> None:
    outcome = needs(tool(policy="p1"), command="cat", cwd="/srv")
    (request,) = outcome.requests
    assert (request.key, request.kind) == ("gate_confirmation", InputKind.FORM)
    assert set(request.params) == {"message", "requestedSchema"}
    assert "    cat\n" in request.params["message"]
    assert "/srv" in request.params["message"]
    assert request.params["requestedSchema"] == FORM_SCHEMA
    assert outcome.state == {"policy": "p1"}
    assert tool().on_bad_state is OnBadState.ASK_AGAIN


@pytest.mark.parametrize(
    ("reply", "decision", "action"),
    [
        (APPROVED[KEY], "allow", "approve"),
        ({"action": "accept", "content": {"decision": "reject"}}, "deny", "reject"),
        ({"action": "accept"}, "deny", "reject"),
        ({"action": "decline"}, "deny", "decline"),
        ({"action": "cancel"}, "deny", "cancel"),
    ],
)
def test_a_reply_settles_the_ask(reply: object, decision: str, action: str) -> None:
    asked = tool(policy="p1")
    outcome = resumed(asked, {KEY: reply}, needs(asked, command="cat").state, command="cat")
    assert isinstance(outcome, Done)
    OUTPUT.validate(outcome.value)
    found = (outcome.value["decision"], outcome.value["layer"], outcome.value["human_action"])
    assert found == (decision, "human_approval", action)


@pytest.mark.parametrize("replies", [{}, {KEY: None}, {KEY: []}, {KEY: {"action": "yes"}}, {"other": APPROVED[KEY]}])
def test_without_a_usable_reply_the_person_is_asked_again(replies: dict[str, object]) -> None:
    asked = tool(policy="p1")
    outcome = needs(asked, command="cat")
    again = resumed(asked, replies, outcome.state, command="cat")
    assert isinstance(again, NeedsInput)
    assert (again.requests, again.state) == (outcome.requests, outcome.state)


@pytest.mark.parametrize("state", [{}, {"policy": "p2"}, {"policy": None}, {"policy": "p1", "more": 1}])
def test_an_approval_under_another_policy_is_asked_about_again(state: dict[str, Any]) -> None:
    assert isinstance(resumed(tool(policy="p1"), APPROVED, state, command="cat"), NeedsInput)


def test_an_approval_lifts_nothing_but_an_ask() -> None:
    asked = tool(policy="p1")
    for command in ("rm", "npm", " "):
        outcome = resumed(asked, APPROVED, {"policy": "p1"}, command=command)
        assert isinstance(outcome, Done)
        assert outcome.value["decision"] == "deny"
    foreign = resumed(asked, APPROVED, {"policy": "p1"}, command="cat", server="http://judge.example")
    assert foreign == Rejected(FOREIGN_SERVICE)


@pytest.mark.parametrize(
    ("later", "decision", "layer", "why"),
    [
        ((), "deny", "L0", "In None."),
        ((service,), "deny", "fail_closed", "The policy changed while a person was asked"),
    ],
)
def test_who_was_asked_in_vain_gets_the_answer_of_the_policy_by_then(
    later: tuple[Any, ...], decision: str, layer: str, why: str
) -> None:
    def stricter(request: GateRequest) -> Verdict | Undecided:
        # what a service has to be asked about is denied, because nobody may be waited for here
        return judge(attrs.evolve(request, command="npm" if later else "rm"))

    first = GateService(offline=judge, clock=lambda: 0.0, policy="p1")
    lives = [live_of(Settings(), first)]
    outcome = gate_tool(lambda: lives[-1]).run({"command": "cat"})
    kept = unasked(outcome)
    assert isinstance(kept, Done)
    assert kept.value["decision"] == "ask"
    record = Record()
    second = GateService(offline=stricter, later=later, clock=lambda: 0.0, policy="p2", audit=record)
    lives.append(live_of(Settings(), second))
    answer = unasked(outcome)
    assert isinstance(answer, Done)
    OUTPUT.validate(answer.value)
    assert (answer.value["decision"], answer.value["layer"], answer.note) == (decision, layer, "")
    assert answer.value["reason"].startswith(why)
    assert record.seen == ["cat"]
