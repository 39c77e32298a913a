"""Every way that was thought of to get an approval that no person gave, against the whole server: never an approval.

The server is tried over each codec and each memory of used tokens.  An attack gets a
question that was really asked, and returns what the server answered.  Afterwards the
person's own answer still counts, unless the attack used the token up; so none of these
passes because nothing would.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from attrs import define, field
from official import Watch
from tokens import ToyCodec, misspelled

import isolation
import transcripts
from phocinae.adapters.hmac_codec import KEY_BYTES, HmacCodec
from phocinae.adapters.spent_tokens import MemorySpentTokens, SqliteSpentTokens
from phocinae.catalog.tools import Done, InputRequest, NeedsInput, Tool, ToolOutcome
from phocinae.composition.server import build_server
from phocinae.domain.request import GateRequest
from phocinae.domain.sealing import LIFE
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.mcp.conversation import Server
from phocinae.mcp.operations import Level
from phocinae.ports import SpentTokens, TokenCodec
from phocinae.service.gate import GateService
from phocinae.service.rounds import RoundTrips
from phocinae.settings import Settings

Json: TypeAlias = dict[str, Any]

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
FORMS: Json = {"elicitation": {}}
KEY = "gate_confirmation"
APPROVE: Json = {KEY: {"action": "accept", "content": {"decision": "approve"}}}
SERVICE = "http://127.0.0.1:8155"
ARGUMENTS: Json = {"command": "cat .env", "cwd": "/srv", "server": SERVICE}
SCHEMA: Json = {"type": "object"}


@define
class World:
    """A server whose surroundings an attack can change, and what it recorded."""

    folder: Path
    codec: TokenCodec
    on_disk: bool
    now: float = 1_790_000_000.0
    decisions: dict[str, Decision] = field(factory=dict)
    recorded: list[tuple[str, Verdict]] = field(factory=list)
    lines: list[str] = field(factory=list)
    made: int = 0
    spent: SpentTokens = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.spent = self.new_memory()
        self.now += 1

    @property
    def store(self) -> Path:
        return self.folder / "spent.sqlite"

    def clock(self) -> float:
        return self.now

    def new_memory(self) -> SpentTokens:
        return SqliteSpentTokens(str(self.store), self.clock) if self.on_disk else MemorySpentTokens(self.clock)

    def judge(self, request: GateRequest, /) -> Verdict:
        decision = self.decisions.get(request.command, Decision.ASK)
        return Verdict(decision=decision, layer=Layer.L0, reason="It reads secrets.")

    def record(self, _at: float, request: GateRequest, verdict: Verdict) -> None:
        self.recorded.append((request.command, verdict))

    def log(self, _level: Level, message: str, _threshold: Level | None = None, /) -> None:
        self.lines.append(message)

    def server(self, *, policy: str = "p1", sealed_policy: str = "p1") -> Server:
        gate = GateService(offline=self.judge, policy=policy, clock=self.clock, audit=self)
        rounds = RoundTrips(
            codec=self.codec,
            spent=self.spent,
            policy=lambda: sealed_policy,
            clock=self.clock,
            random=secrets.token_bytes,
        )
        return build_server(Settings(), gate, extra_tools=(OTHER,), rounds=rounds, log=self.log)

    def call(self, arguments: Json | None = None, *, to: Server | None = None, **more: Any) -> Json:
        """Return what the server answers to one call of `gate`, or of the tool that `more` names."""
        name, capabilities = more.pop("name", "gate"), more.pop("capabilities", FORMS)
        principal = more.pop("principal", "local")
        params = {"name": name, "arguments": ARGUMENTS if arguments is None else arguments, **more}
        meta = {VERSION: "2026-07-28", CAPABILITIES: capabilities}
        frame = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params | {"_meta": meta}}
        line, watch = json.dumps(frame).encode(), Watch()
        step = (to or self.server()).open(principal=principal).receive(line)
        watch.sent(line)
        frames = [*step.replies, *(done for call in step.calls if (done := call.run()) is not None)]
        (answer,) = (watch.came(done + b"\n") for done in frames)
        assert isinstance(answer, dict)
        return answer

    def ask(self, arguments: Json | None = None, **more: Any) -> str:
        """Return the token of a question that was asked."""
        token = self.call(arguments, **more)["result"]["requestState"]
        assert isinstance(token, str)
        return token

    def answer(self, token: object, replies: object = APPROVE, arguments: Json | None = None, **more: Any) -> Json:
        return self.call(arguments, requestState=token, inputResponses=replies, **more)


def other_run(_arguments: Json) -> ToolOutcome:
    form = InputRequest.form(KEY, "?", SCHEMA | {"properties": {}})
    return NeedsInput(requests=(form,), state={"a": 1})


OTHER = Tool(
    name="other",
    title="o",
    description="o",
    input_schema=SCHEMA,
    run=other_run,
    resume=lambda _arguments, _replies, _state: Done({"decision": "allow"}),
)

CODECS: dict[str, Callable[[], TokenCodec]] = {
    "hmac": lambda: HmacCodec([secrets.token_bytes(KEY_BYTES)]),
    "toy": ToyCodec,
}
ARMS = [(codec, memory) for codec in CODECS for memory in ("memory", "sqlite")]


@pytest.fixture(params=ARMS, ids=" over ".join)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    codec, memory = request.param
    return World(folder=tmp_path, codec=CODECS[codec](), on_disk=memory == "sqlite")


def decision(answer: Json) -> str:
    """Return what an answer comes to: a decision, ``question`` for one that asks again, or ``error``."""
    if "error" in answer:
        return "error"
    result = answer["result"]
    if result["resultType"] == "input_required":
        return "question"
    return str(result["structuredContent"]["decision"])


Attack: TypeAlias = Callable[[World, str], Iterator[Json]]

KEEPS: dict[str, Attack] = {}
"""The attacks that leave the token as good as it was."""

SPENDS: dict[str, Attack] = {}
"""The attacks after which the token is good no more."""


def attack(name: str, table: dict[str, Attack]) -> Callable[[Attack], Attack]:
    def add(function: Attack) -> Attack:
        table[name] = function
        return function

    return add


@attack("each byte of the token flipped", KEEPS)
def _flipped(world: World, token: str) -> Iterator[Json]:
    whole = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    server = world.server()
    for at in range(len(whole)):
        for bits in (0x01, 0x80, 0xFF):
            changed = whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :]
            yield world.answer(urlsafe_b64encode(changed).rstrip(b"=").decode(), to=server)


@attack("each character of the token changed, taken out, or put in; other spellings of the same bytes", KEEPS)
def _misspelled(world: World, token: str) -> Iterator[Json]:
    alike = sorted(misspelled(token))
    server = world.server()
    # every character of the token is changed, to a few others each; the codec's own contract tries them all
    step = max(1, len(alike) // 600)
    yield from (world.answer(wrong, to=server) for wrong in alike[::step])
    for at in range(len(token)):
        for sign in {"A", "B"} - {token[at]}:
            yield world.answer(token[:at] + sign + token[at + 1 :], to=server)


@attack("no token, an empty one, one that is no text", KEEPS)
def _no_text(world: World, token: str) -> Iterator[Json]:
    yield from (world.answer(wrong) for wrong in (None, "", 0, 1, 1.5, True, False, [token], {"token": token}))
    yield world.call(inputResponses=APPROVE)


@attack("each argument changed, taken out, or added", KEEPS)
def _other_arguments(world: World, token: str) -> Iterator[Json]:
    command = str(ARGUMENTS["command"])
    changes: list[Json] = [{"command": other} for other in ("rm x", command + " ", command + "\n", command.upper())]
    changes += [{"cwd": other} for other in ("/", "/srv/", "", "/Srv")]
    changes += [{"server": SERVICE + "/"}, {"server": SERVICE.upper()}]
    yield from (world.answer(token, arguments=ARGUMENTS | change) for change in changes)
    yield from (world.answer(token, arguments=without(name)) for name in ("cwd", "server"))
    yield world.answer(token, arguments=ARGUMENTS | {"more": 1})
    yield world.answer(token, arguments={})


def without(name: str) -> Json:
    return {key: value for key, value in ARGUMENTS.items() if key != name}


@attack("the token of another command", KEEPS)
def _other_question(world: World, _token: str) -> Iterator[Json]:
    yield world.answer(world.ask({"command": "cat other"}))


@attack("the token of another tool", KEEPS)
def _other_tool(world: World, token: str) -> Iterator[Json]:
    yield world.answer(world.ask(name="other"))
    yield world.answer(token, name="other")


@attack("the token of another client", KEEPS)
def _other_client(world: World, token: str) -> Iterator[Json]:
    yield from (world.answer(token, principal=who) for who in ("", "Local", "other"))


@attack("another policy since the question", KEEPS)
def _other_policy(world: World, token: str) -> Iterator[Json]:
    yield world.answer(token, to=world.server(policy="p2", sealed_policy="p2"))
    yield world.answer(token, to=world.server(sealed_policy=""))


@attack("another policy since the token was looked at", SPENDS)
def _policy_between(world: World, token: str) -> Iterator[Json]:
    yield world.answer(token, to=world.server(policy="p2"))


@attack("the token of another key, and one whose key was taken out of the ring", KEEPS)
def _other_key(world: World, token: str) -> Iterator[Json]:
    codec = world.codec
    world.codec = type(codec)(*([[secrets.token_bytes(KEY_BYTES)]] if isinstance(codec, HmacCodec) else []))
    yield world.answer(token)
    foreign = world.ask()
    world.codec = codec
    yield world.answer(foreign)


@attack("a token that is too old, and one from the future", KEEPS)
def _late(world: World, token: str) -> Iterator[Json]:
    at = world.now
    for moment in (at + LIFE, at + LIFE + 1, at + 1e6, at - 0.01, at - 1e6, 0.0):
        world.now = moment
        yield world.answer(token)
    world.now = at


@attack("the client does not declare forms in the request that brings the answer", SPENDS)
def _undeclared(world: World, token: str) -> Iterator[Json]:
    yield world.answer(token, capabilities={})
    others: list[Json] = [{"elicitation": {"url": {}}}, {"elicitation": None}, {"elicitation": []}, {"sampling": {}}]
    for capabilities in others:
        yield world.answer(world.ask(), capabilities=capabilities)


@attack("an answer that is not exactly an approval", SPENDS)
def _no_approval(world: World, token: str) -> Iterator[Json]:
    contents: list[Any] = [
        {"decision": other} for other in ("reject", "Approve", "approve ", "", True, None, ["approve"])
    ]
    contents += [{}, None, "approve", ["approve"], {"Decision": "approve"}, {"decision": {"decision": "approve"}}]
    yield world.answer(token, {KEY: {"action": "accept"}})
    for content in contents:
        yield world.answer(world.ask(), {KEY: {"action": "accept", "content": content}})
    actions: list[object] = ["decline", "cancel", "Accept", "approve", "", None, True, ["accept"], {}]
    for action in actions:
        yield world.answer(world.ask(), {KEY: {"action": action, "content": {"decision": "approve"}}})


@attack("an answer under another key, or in another shape", SPENDS)
def _misplaced(world: World, token: str) -> Iterator[Json]:
    yield world.answer(token, None)
    shapes: list[object] = [{}, [], [APPROVE], "approve", 1, True, json.dumps(APPROVE), APPROVE[KEY]]
    shapes += [{other: APPROVE[KEY]} for other in ("", "Gate_confirmation", KEY + " ", "other")]
    shapes += [{KEY: shape} for shape in ([APPROVE[KEY]], None, "accept", 1, True, {"result": APPROVE[KEY]})]
    for shape in shapes:
        yield world.answer(world.ask(), shape)


@attack("the same token a second time", SPENDS)
def _twice(world: World, token: str) -> Iterator[Json]:
    assert decision(world.answer(token)) == "allow"
    yield world.answer(token)
    yield world.answer(token, to=world.server())


@pytest.mark.parametrize("action", ["decline", "cancel", "none"])
def test_a_token_is_used_up_by_whatever_the_first_answer_was(world: World, action: str) -> None:
    token = world.ask()
    world.answer(token, {KEY: {"action": action}})
    assert decision(world.answer(token)) == "question"


@attack("the memory of used tokens lost, or begun anew, since the question", SPENDS)
def _younger(world: World, token: str) -> Iterator[Json]:
    if world.on_disk:
        world.store.unlink()
        yield world.answer(token)
        world.store.write_bytes(b"")
        yield world.answer(token)
        world.store.write_bytes(b"no database" * 100)
        yield world.answer(token)
        world.store.unlink()
    world.now += 1
    world.spent = world.new_memory()
    yield world.answer(token)


@attack("the gate denies the command by now", SPENDS)
def _denied(world: World, token: str) -> Iterator[Json]:
    world.decisions[str(ARGUMENTS["command"])] = Decision.DENY
    yield world.answer(token)
    world.decisions.clear()


@attack("a command that the gate denies, with an approval of another one", KEEPS)
def _never_asked(world: World, token: str) -> Iterator[Json]:
    world.decisions["rm -rf /"] = Decision.DENY
    yield world.answer(token, arguments={"command": "rm -rf /"})
    yield world.answer("", arguments={"command": "rm -rf /"})


ATTACKS = KEEPS | SPENDS


@pytest.mark.requirement("M-084", "M-085", "M-086", "M-088", "M-094", "M-097")
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_no_approval(world: World, name: str) -> None:
    token = world.ask()
    before = len(world.recorded)
    answers = list(ATTACKS[name](world, token))
    assert answers
    assert [answer for answer in answers if decision(answer) == "allow"] == []
    allowed = [verdict for _, verdict in world.recorded[before:] if verdict.decision is Decision.ALLOW]
    assert len(allowed) == ("second time" in name)
    assert decision(world.answer(token)) == ("allow" if name in KEEPS else "question")


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_of_a_token_is_logged(world: World, name: str) -> None:
    token = world.ask()
    list(ATTACKS[name](world, token))
    lines = "\n".join(world.lines)
    assert not [at for at in range(0, len(token) - 16) if token[at : at + 16] in lines]
    assert "cat .env" not in lines


@pytest.mark.requirement("M-086")
def test_of_many_answers_at_once_one_counts(world: World) -> None:
    token, server, start, answers = world.ask(), world.server(), threading.Barrier(6), []

    def run() -> None:
        start.wait(30)
        answers.append(decision(world.answer(token, to=server)))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == ["allow"] + ["question"] * 5


def test_the_question_and_its_answer_are_both_recorded(world: World) -> None:
    token = world.ask()
    world.answer(token, {KEY: {"action": "decline"}})
    world.answer(world.ask())
    kept = [(command, verdict.decision.wire, verdict.layer.value) for command, verdict in world.recorded]
    asked = ("cat .env", "ask", "L0")
    settled = [("cat .env", "deny", "human_approval"), ("cat .env", "allow", "human_approval")]
    assert kept == [asked, settled[0], asked, settled[1]]


@pytest.mark.requirement("R-003")
def test_what_is_refused_is_not_decided_and_not_recorded(world: World) -> None:
    wrong: list[Json] = [
        {},
        {"command": 5},
        {"command": "ls", "more": 1},
        {"command": "ls", "server": "http://judge.example"},
    ]
    assert [decision(world.call(arguments)) for arguments in wrong] == ["error"] * len(wrong)
    assert decision(world.call({"command": "ls"}, name="no_such_tool")) == "error"
    assert world.recorded == []


def test_a_person_who_said_no_is_not_overruled_by_a_gate_that_allows_by_now(world: World) -> None:
    token = world.ask()
    world.decisions["cat .env"] = Decision.ALLOW
    result = world.answer(token, {KEY: {"action": "accept", "content": {"decision": "reject"}}})["result"]
    assert result["structuredContent"]["decision"] == "deny"
    assert result["structuredContent"]["human_action"] == "reject"


def test_the_page_lists_what_is_tried() -> None:
    rows = [row[0] for row in transcripts.table(transcripts.ROOT / "docs" / "approvals.md", "attack")]
    tried = [*ATTACKS, "many answers at once, from threads", "two answers at once, from two processes"]
    assert sorted(rows) == sorted(tried)


# --- two processes that share a key


class Child:
    """A server process with a key and a memory that it shares."""

    def __init__(self, folder: Path) -> None:
        environment = {
            "PHOCINAE_STATE_KEY_FILE": str(folder / "state.key"),
            "PHOCINAE_SPENT_TOKENS_FILE": str(folder / "spent.sqlite"),
            "PHOCINAE_AUDIT_FILE": str(folder / "audit.jsonl"),
        }
        self.process = subprocess.Popen(
            [isolation.PROGRAM, "serve", "--fail-closed", "ask"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | environment,
        )

    def write(self, **more: Any) -> None:
        meta = {VERSION: "2026-07-28", CAPABILITIES: FORMS}
        params = {"name": "gate", "arguments": {"command": "cat .env"}, "_meta": meta, **more}
        frame = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()

    def read(self) -> Json:
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def ask(self) -> str:
        self.write()
        return str(self.read()["result"]["requestState"])

    def end(self) -> None:
        self.process.communicate(timeout=60)


@pytest.fixture
def children(tmp_path: Path) -> Iterator[list[Child]]:
    key = tmp_path / "state.key"
    key.touch(0o600)
    key.write_text(secrets.token_hex(KEY_BYTES) + "\n")
    started = [Child(tmp_path), Child(tmp_path)]
    yield started
    for child in started:
        child.end()


@pytest.mark.requirement("M-086")
def test_of_two_answers_at_once_from_two_processes_one_counts(children: list[Child]) -> None:
    for round_ in range(5):
        token = children[round_ % 2].ask()
        children[1 - round_ % 2].ask()  # so that both are awake
        for child in children:
            child.write(requestState=token, inputResponses=APPROVE)
        assert sorted(decision(child.read()) for child in children) == ["allow", "question"]


def test_a_process_takes_up_the_question_of_another_one(children: list[Child]) -> None:
    one, other = children
    other.ask()
    token = one.ask()
    other.write(requestState=token, inputResponses=APPROVE)
    assert decision(other.read()) == "allow"
