"""A client of a handshake revision is asked while its call waits, and nothing but its own yes becomes an allow."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import parse_server_request, validate_server_result

from phocinae.catalog.tools import (
    Arguments,
    Done,
    Failed,
    InputKind,
    InputRequest,
    NeedsInput,
    Replies,
    Tool,
    ToolOutcome,
)
from phocinae.composition.gate import build_gate
from phocinae.composition.live import live_of
from phocinae.composition.server import assemble, build_server
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.mcp.asking import OPEN_LIMIT, Channel
from phocinae.mcp.conversation import Server
from phocinae.mcp.open_calls import Call
from phocinae.service.gate import GateService
from phocinae.service.live import Live
from phocinae.settings import Settings

Json = dict[str, Any]
FORMS: Json = {"elicitation": {}}
NEW, OLD = "2025-11-25", "2025-06-18"
APPROVE = {"action": "accept", "content": {"decision": "approve"}}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def judge(request: GateRequest) -> Verdict:
    """Ask about everything but what is called deny."""
    decision = Decision.DENY if request.command == "deny" else Decision.ASK
    return Verdict(decision=decision, layer=Layer.L0, reason="A person must look at it.", policy="p1")


def wizard(arguments: Arguments, replies: Replies, state: Json) -> ToolOutcome:
    """Ask as often as the arguments say."""
    if state["round"] == arguments["rounds"]:
        return Done({"rounds": state["round"], "last": replies})
    return NeedsInput(
        requests=(InputRequest.form("name", "Name?", {"type": "object", "properties": {}}),),
        state={"round": state["round"] + 1},
    )


def asks_everything(_arguments: Arguments) -> ToolOutcome:
    return NeedsInput(requests=tuple(InputRequest(kind.name, kind, {"message": "m"}) for kind in InputKind))


WAYS: dict[str, dict[str, Any]] = {
    "wizard": {"run": lambda arguments: wizard(arguments, {}, {"round": 0}), "resume": wizard},
    "all": {"run": asks_everything, "resume": lambda _arguments, replies, _state: Done({"got": sorted(replies)})},
    "no_resume": {"run": asks_everything},
    "broken": {"run": asks_everything, "resume": lambda _arguments, _replies, _state: 1 // 0},
    "no_json": {
        "run": lambda _arguments: NeedsInput(
            requests=(InputRequest.form("f", "m", {"x": object()}),), unasked=Failed("unasked")
        )
    },
}

TOOLS = tuple(
    Tool(name=name, title=name, description=name, input_schema={"type": "object"}, **ways)
    for name, ways in WAYS.items()
)


class Client:
    """The other end of one conversation; what the server sends of its own is in `sent`."""

    def __init__(self, settings: Settings | None = None, server: Server | None = None) -> None:
        self.sent: list[Json] = []
        self.clocks: list[Callable[[], None]] = []
        self.patience: list[float] = []
        gate = GateService(offline=judge, clock=lambda: 0.0)
        server = server or build_server(settings or Settings(), gate, extra_tools=TOOLS)
        self.connection = server.open(Channel(send=self.send, later=self.later))
        self.calls: tuple[Call, ...] = ()

    def send(self, frame: bytes) -> None:
        self.sent.append(json.loads(frame))

    def later(self, seconds: float, work: Callable[[], None]) -> Callable[[], None]:
        self.patience.append(seconds)
        self.clocks.append(work)
        return lambda: None

    def write(self, message: Json) -> list[Json]:
        """Return the replies that come at once, and run the calls that it leads to."""
        step = self.connection.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
        self.calls = step.calls
        frames = [*step.replies, *(frame for call in step.calls if (frame := call.run()) is not None)]
        return [json.loads(frame) for frame in frames]

    def shake_hands(self, version: str, capabilities: object, *, ready: bool = True) -> Client:
        params = {"protocolVersion": version, "capabilities": capabilities}
        assert self.write({"id": 0, "method": "initialize", "params": params})
        if ready:
            assert self.write({"method": "notifications/initialized"}) == []
        return self

    def call(self, name: str = "gate", ident: object = 1, **arguments: Any) -> list[Json]:
        arguments = arguments or {"command": "make"}
        return self.write({"id": ident, "method": "tools/call", "params": {"name": name, "arguments": arguments}})

    def reply(self, result: object, question: int = -1) -> list[Json]:
        return self.write({"id": self.sent[question]["id"], "result": result})


def verdict(replies: list[Json]) -> Json:
    (reply,) = replies
    value = json.loads(reply["result"]["content"][0]["text"])
    assert isinstance(value, dict)
    return value


def decided(replies: list[Json]) -> tuple[str, str | None]:
    value = verdict(replies)
    return value["decision"], value.get("human_action")


@pytest.fixture
def client() -> Client:
    return Client().shake_hands(NEW, FORMS)


@pytest.mark.parametrize("version", [OLD, NEW])
def test_a_person_is_asked_by_a_request_of_the_server(version: str) -> None:
    client = Client().shake_hands(version, FORMS)
    assert client.call() == []
    (question,) = client.sent
    parse_server_request(question["method"], version, question["params"])
    assert "make" in question["params"]["message"]
    assert question["params"].get("mode") == ("form" if version == NEW else None)
    (reply,) = client.reply(APPROVE)
    validate_server_result("tools/call", version, reply["result"])
    assert reply["id"] == 1
    assert reply["result"]["structuredContent"]["decision"] == "allow"
    assert verdict([reply])["layer"] == "human_approval"
    assert client.sent == [question]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (APPROVE, ("allow", "approve")),
        ({"action": "accept", "content": {"decision": "reject"}}, ("deny", "reject")),
        ({"action": "accept", "content": {"decision": "Approve"}}, ("deny", "reject")),
        ({"action": "accept", "content": {"decision": True}}, ("deny", "reject")),
        ({"action": "accept", "content": {}}, ("deny", "reject")),
        ({"action": "accept", "content": None}, ("deny", "reject")),
        ({"action": "accept"}, ("deny", "reject")),
        ({"action": "decline"}, ("deny", "decline")),
        ({"action": "decline", "content": {"decision": "approve"}}, ("deny", "decline")),
        ({"action": "cancel"}, ("deny", "cancel")),
    ],
)
def test_only_an_accepted_form_that_approves_is_an_approval(
    client: Client, answer: Json, outcome: tuple[str, str]
) -> None:
    client.call()
    assert decided(client.reply(answer)) == outcome


@pytest.mark.parametrize("result", [None, [], "accept", 1, {}, {"action": "yes"}, {"content": {"decision": "approve"}}])
def test_a_reply_that_means_nothing_leaves_the_plain_ask(client: Client, result: object) -> None:
    client.call()
    assert decided(client.reply(result)) == ("ask", None)
    assert client.reply(APPROVE) == []


def test_a_client_that_cannot_answer_after_all_gets_the_plain_ask(client: Client) -> None:
    client.call()
    error = {"code": -32601, "message": "Method not found"}
    replies = client.write({"id": client.sent[0]["id"], "error": error})
    assert decided(replies) == ("ask", None)
    assert "person" in replies[0]["result"]["content"][1]["text"]
    client.call(ident=2)
    both = client.write({"id": client.sent[1]["id"], "error": error, "result": APPROVE})
    assert decided(both) == ("ask", None)


def test_a_reply_that_was_tampered_with_is_no_approval(client: Client) -> None:
    client.call()
    ident = json.dumps(client.sent[0]["id"])
    twice = '{"action":"accept","content":{"decision":"reject","decision":"approve"}}'
    step = client.connection.receive(f'{{"jsonrpc":"2.0","id":{ident},"result":{twice}}}'.encode())
    assert decided([json.loads(frame) for frame in step.replies]) == ("ask", None)


def test_late_and_foreign_replies_are_ignored(client: Client) -> None:
    client.call()
    for ident in (1, 0, "1", "phocinae-2", None, True, ["phocinae-1"]):
        assert client.write({"id": ident, "result": APPROVE}) == []
    assert decided(client.reply({"action": "decline"})) == ("deny", "decline")
    assert client.reply(APPROVE) == []


def test_another_connection_cannot_answer(client: Client) -> None:
    other = Client().shake_hands(NEW, FORMS)
    client.call()
    assert other.write({"id": client.sent[0]["id"], "result": APPROVE}) == []
    assert decided(client.reply({"action": "cancel"})) == ("deny", "cancel")


def test_several_calls_are_asked_about_at_once_and_answered_in_any_order(client: Client) -> None:
    client.call(ident="a", command="one")
    client.call(ident="b", command="two")
    (second,) = client.reply(APPROVE, 1)
    (first,) = client.reply({"action": "decline"}, 0)
    assert (second["id"], decided([second])) == ("b", ("allow", "approve"))
    assert (first["id"], decided([first])) == ("a", ("deny", "decline"))


def test_an_approval_is_for_one_call(client: Client) -> None:
    client.call()
    assert decided(client.reply(APPROVE)) == ("allow", "approve")
    assert client.call(ident=2) == []
    assert len(client.sent) == 2
    assert client.reply(APPROVE, 0) == []


def test_nobody_is_asked_about_what_is_denied(client: Client) -> None:
    assert decided(client.call(command="deny")) == ("deny", None)
    assert client.sent == []


@pytest.mark.parametrize(
    ("version", "capabilities", "asked"),
    [
        (OLD, {"elicitation": {}}, True),
        (OLD, {"elicitation": {"anything": 1}}, True),
        (OLD, {"elicitation": {"url": {}}}, False),
        (NEW, {"elicitation": {"form": {}}}, True),
        (NEW, {"elicitation": {"form": {}, "url": {}}}, True),
        (NEW, {"elicitation": {"url": {}}}, False),
        (NEW, {"elicitation": {"form": None}}, False),
        (NEW, {"elicitation": True}, False),
        (NEW, {"elicitation": None}, False),
        (NEW, {}, False),
        (NEW, None, False),
        (NEW, [FORMS], False),
        ("2025-03-26", FORMS, False),
        ("2024-11-05", FORMS, False),
        ("2031-01-01", FORMS, True),
    ],
)
def test_only_a_client_that_declared_forms_is_asked(version: str, capabilities: object, asked: bool) -> None:
    client = Client().shake_hands(version, capabilities)
    replies = client.call()
    assert bool(client.sent) is asked
    if not asked:
        assert decided(replies) == ("ask", None)
        assert len(replies[0]["result"]["content"]) == 2
        validate_server_result("tools/call", version, replies[0]["result"])


@pytest.mark.requirement("L-007")
def test_nobody_is_asked_before_the_client_is_ready_and_after_a_new_handshake() -> None:
    client = Client()
    assert decided(client.call()) == ("ask", None)
    client.write({"method": "notifications/initialized"})
    assert decided(client.call()) == ("ask", None)
    client.shake_hands(NEW, FORMS, ready=False)
    assert decided(client.call()) == ("ask", None)
    client.write({"method": "notifications/initialized"})
    assert client.call() == []
    client.shake_hands(NEW, {})
    assert decided(client.call(ident=2)) == ("ask", None)
    assert decided(client.reply(APPROVE)) == ("allow", "approve")


def test_a_modern_request_is_never_asked_about_that_way(client: Client) -> None:
    params = {"name": "gate", "arguments": {"command": "make"}, "_meta": MODERN}
    (reply,) = client.write({"id": 1, "method": "tools/call", "params": params})
    assert reply["result"]["structuredContent"]["decision"] == "ask"
    forms = MODERN | {"io.modelcontextprotocol/clientCapabilities": FORMS}
    (reply,) = client.write({"id": 2, "method": "tools/call", "params": params | {"_meta": forms}})
    assert reply["result"]["resultType"] == "input_required"
    assert client.sent == []


def test_a_connection_without_a_channel_only_replies() -> None:
    gate = GateService(offline=judge, clock=lambda: 0.0)
    client = Client()
    client.connection = build_server(Settings(), gate).open()
    client.shake_hands(NEW, FORMS)
    assert decided(client.call()) == ("ask", None)
    assert client.write({"id": 3, "method": "logging/setLevel", "params": {"level": "debug"}})[0]["result"] == {}
    assert client.write({"id": 1, "result": APPROVE}) == []
    assert client.connection.hang_up() == ()


# How a wait ends without a reply


def test_a_person_who_does_not_answer_in_time_leaves_the_plain_ask(client: Client) -> None:
    client.call()
    (late,) = client.clocks
    late()
    question, told, reply = client.sent
    assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    assert (reply["id"], decided([reply])) == (1, ("ask", None))
    late()
    assert client.write({"id": question["id"], "result": APPROVE}) == []
    assert len(client.sent) == 3


@pytest.mark.parametrize("end", ["silence", "error"])
def test_a_policy_that_denies_by_then_is_followed_where_nobody_answered(end: str) -> None:
    def live_with(word: str) -> Live:
        settings = Settings(fail_closed=Decision.of(word), audit=False)
        return live_of(settings, build_gate(settings))

    lives = [live_with("ask")]
    client = Client(server=assemble(lambda: lives[-1])).shake_hands(NEW, FORMS)
    assert client.call(command="some-program") == []
    lives.append(live_with("deny"))
    if end == "silence":
        client.clocks[0]()
        assert decided(client.sent[-1:]) == ("deny", None)
    else:
        failed = {"id": client.sent[0]["id"], "error": {"code": -1, "message": "no"}}
        assert decided(client.write(failed)) == ("deny", None)


def test_a_clock_that_runs_out_after_the_reply_does_nothing(client: Client) -> None:
    client.call()
    client.reply(APPROVE)
    client.clocks[0]()
    assert len(client.sent) == 1


@pytest.mark.parametrize("seconds", [0.25, 120.0])
def test_how_long_a_person_is_waited_for_is_a_setting(seconds: float) -> None:
    client = Client(Settings(human_timeout=seconds)).shake_hands(NEW, FORMS)
    client.call()
    assert client.patience == [seconds]


def test_a_cancelled_call_is_not_answered_any_more(client: Client) -> None:
    client.call()
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": 1}}
    assert client.write(cancelled) == []
    assert client.reply(APPROVE) == []
    client.clocks[0]()
    assert client.connection.hang_up() == ()
    assert len(client.sent) == 1
    assert client.connection.open.all() == ()


def test_a_call_that_is_cancelled_after_the_reply_came_is_not_answered(client: Client) -> None:
    client.call()
    step = client.connection.receive(
        json.dumps({"jsonrpc": "2.0", "id": client.sent[0]["id"], "result": APPROVE}).encode()
    )
    (call,) = step.calls
    assert client.write({"method": "notifications/cancelled", "params": {"requestId": 1}}) == []
    assert call.run() is None


def test_a_call_that_is_cancelled_while_its_tool_runs_asks_nothing() -> None:
    client = Client().shake_hands(NEW, FORMS)
    asked = NeedsInput(requests=(InputRequest.form("f", "m", {"type": "object", "properties": {}}),))

    def run(_arguments: Arguments) -> ToolOutcome:
        client.write({"method": "notifications/cancelled", "params": {"requestId": 1}})
        return asked

    tool = Tool(name="slow", title="s", description="s", input_schema={"type": "object"}, run=run)
    gate = GateService(offline=judge, clock=lambda: 0.0)
    client.connection = build_server(Settings(), gate, extra_tools=(tool,)).open(
        Channel(send=client.send, later=client.later)
    )
    client.shake_hands(NEW, FORMS)
    assert client.call("slow", x=1) == []
    assert client.sent == []


def test_a_question_that_crosses_a_cancellation_is_dropped() -> None:
    client = Client().shake_hands(NEW, FORMS)
    send = client.send

    def crossing(frame: bytes) -> None:
        send(frame)
        (call,) = client.connection.open.all()
        call.cancel()

    gate = GateService(offline=judge, clock=lambda: 0.0)
    client.connection = build_server(Settings(), gate).open(Channel(send=crossing, later=client.later))
    client.shake_hands(NEW, FORMS)
    assert client.call() == []
    assert client.reply(APPROVE) == []
    assert client.connection.hang_up() == ()


def test_at_the_end_of_input_a_call_that_waits_is_denied_at_once(client: Client) -> None:
    client.call(ident="a")
    client.call(ident="b")
    replies = [json.loads(frame) for frame in client.connection.hang_up()]
    assert [reply["id"] for reply in replies] == ["a", "b"]
    for reply in replies:
        assert verdict([reply])["decision"] == "deny"
        assert verdict([reply])["layer"] == "fail_closed"
    assert client.connection.hang_up() == ()
    assert client.reply(APPROVE) == []
    assert decided(client.call()) == ("ask", None)  # nobody is left to be asked
    assert len(client.sent) == 2


def test_past_the_limit_of_open_questions_there_is_the_plain_ask(client: Client) -> None:
    for number in range(OPEN_LIMIT):
        assert client.call(ident=number) == []
    assert decided(client.call(ident="more")) == ("ask", None)
    assert decided(client.reply(APPROVE, 0)) == ("allow", "approve")
    assert client.call(ident="again") == []


# Tools of users


def test_a_tool_can_ask_several_times(client: Client) -> None:
    assert client.call("wizard", rounds=3) == []
    for number in range(2):
        assert client.reply({"action": "accept", "content": {"n": number}}) == []
    assert verdict(client.reply({"action": "accept", "content": {"n": 2}})) == {
        "rounds": 3,
        "last": {"name": {"action": "accept", "content": {"n": 2}}},
    }
    assert len(client.sent) == 3


def test_a_tool_can_ask_for_several_things_at_once() -> None:
    client = Client().shake_hands(NEW, {"elicitation": {}, "sampling": {}, "roots": {}})
    assert client.call("all", x=1) == []
    assert [question["method"] for question in client.sent] == [kind.value for kind in InputKind]
    assert client.reply({"roots": []}, 2) == []
    assert client.reply({"action": "accept"}, 0) == []
    assert verdict(client.reply({"role": "assistant"}, 1)) == {"got": ["FORM", "ROOTS", "SAMPLING"]}


@pytest.mark.parametrize("capabilities", [{}, FORMS, {"elicitation": {}, "sampling": {}}])
def test_a_tool_that_needs_what_was_not_declared_fails_in_words(capabilities: Json) -> None:
    client = Client().shake_hands(NEW, capabilities)
    (reply,) = client.call("all", x=1)
    assert reply["result"]["isError"] is True
    assert "did not declare" in reply["result"]["content"][0]["text"]
    assert client.sent == []


def test_faults_of_a_tool_that_asks_stay_inside() -> None:
    client = Client().shake_hands(NEW, {"elicitation": {}, "sampling": {}, "roots": {}})
    for name in ("broken", "no_resume"):
        asked = len(client.sent)
        client.call(name, x=1)
        replies = [client.reply({"action": "accept"}, place) for place in range(asked, len(client.sent))]
        assert replies[-1][0]["result"]["isError"] is True
    (reply,) = client.call("no_json", x=1)
    assert reply["result"]["content"][0]["text"] == "unasked"


# Log lines


def test_log_lines_go_to_a_client_that_wants_them(client: Client) -> None:
    client.write({"id": 1, "method": "ping"})
    assert client.sent == []
    assert client.write({"id": 2, "method": "logging/setLevel", "params": {"level": "debug"}})[0]["result"] == {}
    client.sent.clear()
    client.write({"id": 3, "method": "no/such"})
    (told,) = client.sent
    assert told["params"] == {"level": "info", "logger": "phocinae", "data": "no/such: refused (-32601)"}
    assert (told["method"], "id" in told) == ("notifications/message", False)


@pytest.mark.parametrize(("level", "lines"), [("debug", 2), ("info", 1), ("error", 1), ("critical", 0)])
def test_lines_below_the_level_are_not_sent(level: str, lines: int) -> None:
    client = Client().shake_hands(NEW, {"elicitation": {}, "sampling": {}, "roots": {}})
    client.write({"id": 1, "method": "logging/setLevel", "params": {"level": level}})
    client.call("broken", x=1)
    client.sent = [one for one in client.sent if one.get("method") != "notifications/message"]
    for place in range(3):
        client.reply({"action": "accept"}, place)
    told = [one["params"] for one in client.sent if one.get("method") == "notifications/message"]
    assert len(told) == lines
    if lines:
        assert told[0]["data"] == "the tool broken failed: ZeroDivisionError"


@pytest.mark.parametrize("params", [{}, {"level": "loud"}, {"level": "DEBUG"}, {"level": 1}, {"level": ["debug"]}])
def test_a_level_that_is_none_is_refused(client: Client, params: Json) -> None:
    (reply,) = client.write({"id": 1, "method": "logging/setLevel", "params": params})
    assert reply["error"]["code"] == -32602


def test_nothing_is_told_about_modern_requests_and_before_a_new_level() -> None:
    client = Client().shake_hands(NEW, {})
    client.write({"id": 1, "method": "logging/setLevel", "params": {"level": "debug"}})
    client.sent.clear()
    client.write({"id": 2, "method": "tools/list", "params": {"_meta": MODERN}})
    client.write({"id": 2, "method": "no/such", "params": {"_meta": MODERN}})
    assert client.sent == []
    client.shake_hands(NEW, {})
    client.sent.clear()
    client.write({"id": 3, "method": "ping"})
    assert client.sent == []
