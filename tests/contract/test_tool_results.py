"""What every tool answers satisfies the tool's own schema and the official models, in every revision."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types.methods import validate_server_result
from official import Watch

from phocinae import Answers, Choice, ChoiceAnswer, Question, ScoreAnswer, Settings, Usage, YesNo, YesNoAnswer
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.composition.gate import build_gate
from phocinae.composition.server import build_server
from phocinae.domain.questions import Answer
from phocinae.errors import BadAnswer, Refused, TimedOut, Unreachable
from phocinae.mcp.conversation import Conversation
from phocinae.service.inference import InferenceService

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STRUCTURED = ("2025-06-18", "2025-11-25", MODERN)
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}

Json = dict[str, Any]

LONG = [f"{number:03}" + "名" * 1_997 for number in range(100)]
CALLS: list[tuple[str, Json]] = [
    *[
        ("gate", {"command": command})
        for command in ("git status", "rm -rf /", "npm install x", "cat .env", "((", "   ")
    ],
    ("gate", {"command": "ls", "cwd": "/srv", "server": "http://127.0.0.1:8155"}),
    ("gate", {"command": "x" * 20_000}),
    ("classify", {"state": "it crashes", "labels": ["bug", "wish"]}),
    ("classify", {"state": "名" * 20_000, "labels": LONG}),
    ("route", {"state": "what is new?", "tools": ["one"]}),
    ("route", {"state": "\u202e \x1b[31m", "tools": ["a", "b"], "server": "http://127.0.0.1:8155/x"}),
    ("score", {"state": "the server is down", "criteria": ["urgency", "urgency"]}),
]


def answering(*, confident: bool, usage: Usage | None, probability: float, risk: int) -> Any:
    def one(question: Question) -> Answer:
        if isinstance(question, YesNo):
            return YesNoAnswer(probability)
        return ChoiceAnswer(len(question.options) - 1) if isinstance(question, Choice) else ScoreAnswer(risk)

    def answer(questions: tuple[Question, ...], _state: str) -> Answers:
        ids = [question.id for question in questions]
        confidence = dict.fromkeys(ids, 0.25) if confident else {}
        return Answers({one_.id: one(one_) for one_ in questions}, model="m", confidence=confidence, usage=usage)

    return answer


SCRIPTS = {
    "confident": answering(confident=True, usage=Usage(7, 1), probability=0.9, risk=2),
    "plain": answering(confident=False, usage=None, probability=0.9, risk=2),
    "doubtful": answering(confident=True, usage=None, probability=0.5, risk=5),
    "strict": answering(confident=False, usage=Usage(0, 0), probability=0.1, risk=10),
    "unreachable": Unreachable("nobody is there"),
    "late": TimedOut("no answer within 5 s"),
    "refused": Refused("status 500"),
    "odd": BadAnswer("the answer is none of the options"),
}


class Client:
    """Asks one connection in one revision, and runs what would wait."""

    def __init__(self, conversation: Conversation, revision: str) -> None:
        self.conversation, self.revision, self.watch = conversation, revision, Watch()
        if revision in LEGACY:
            hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            validate_server_result("initialize", revision, self.ask("initialize", hello)["result"])

    def ask(self, method: str, params: Json) -> Json:
        more = {"_meta": META} if self.revision == MODERN else {}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | more}
        line = json.dumps(message).encode()
        self.watch.sent(line)
        step = self.conversation.receive(line)
        frames = [*step.replies, *(call.run() for call in step.calls)]
        (frame,) = [frame for frame in frames if frame is not None]
        reply = self.watch.came(frame + b"\n")
        assert isinstance(reply, dict)
        return reply


def client(script: str, revision: str, *, l1: bool = True) -> Client:
    backend = ScriptedBackend(SCRIPTS[script])
    settings = Settings(audit=False, l1_enabled=l1)
    gate = build_gate(settings, backend=backend)
    server = build_server(settings, gate, inference=InferenceService(backend=backend, timeout=1.0))
    return Client(server.open(), revision)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_every_result_satisfies_every_schema_there_is(revision: str, script: str) -> None:
    asked = client(script, revision)
    listed = asked.ask("tools/list", {})["result"]
    validate_server_result("tools/list", revision, listed)
    tools = {tool["name"]: tool for tool in listed["tools"]}
    modern = {tool["name"]: tool for tool in client(script, MODERN).ask("tools/list", {})["result"]["tools"]}
    for name, arguments in CALLS:
        Draft202012Validator(tools[name]["inputSchema"]).validate(arguments)
        result = asked.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        validate_server_result("tools/call", revision, result)
        fails = isinstance(SCRIPTS[script], Exception) and name != "gate"
        assert result["isError"] is fails
        if fails:
            assert result.keys() <= {"content", "isError", "resultType", "_meta"}
            assert [block["type"] for block in result["content"]] == ["text"]
            assert result["content"][0]["text"].startswith(f"{name} has no answer: ")
            continue
        value = json.loads(result["content"][0]["text"])
        Draft202012Validator(modern[name]["outputSchema"]).validate(value)
        assert ("structuredContent" in result) == ("outputSchema" in tools[name]) == (revision in STRUCTURED)
        if revision in STRUCTURED:
            assert result["structuredContent"] == value
            assert tools[name]["outputSchema"] == modern[name]["outputSchema"]


@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("classify", {"state": "s", "labels": []}),
        ("classify", {"state": "s", "labels": ["a", "a"]}),
        ("classify", {"state": " ", "labels": ["a"]}),
        ("route", {"state": "s", "tools": ["a", " "]}),
        ("route", {"state": "s", "tools": ["x" * 2_001]}),
        ("score", {"state": "x" * 20_001, "criteria": ["a"]}),
        ("score", {"state": "s", "criteria": ["a"], "more": 1}),
        *[(name, {"state": "s", key: ["a"], "server": "http://judge.example"})
          for name, key in (("classify", "labels"), ("route", "tools"), ("score", "criteria"))],
    ],
)  # fmt: skip
def test_arguments_that_cannot_be_used_are_refused_in_every_revision(revision: str, name: str, arguments: Json) -> None:
    error = client("plain", revision).ask("tools/call", {"name": name, "arguments": arguments})["error"]
    assert error["code"] == -32602
    assert "judge.example" not in error["message"]


@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_the_three_ask_whether_l1_is_on_or_off(revision: str) -> None:
    for l1 in (False, True):
        asked = client("plain", revision, l1=l1)
        result = asked.ask("tools/call", {"name": "route", "arguments": {"state": "s", "tools": ["a", "b"]}})["result"]
        assert json.loads(result["content"][0]["text"])["tool"] == "b"
