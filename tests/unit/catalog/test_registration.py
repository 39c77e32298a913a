"""What users register on a server: what clients see of it, what a handler is given, and what it may answer."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from phocinae import (
    Annotations,
    Audio,
    CallContext,
    CallFailed,
    CallRecord,
    EmbeddedResource,
    Ended,
    Failed,
    Image,
    InputKind,
    InputRequest,
    InvalidRegistration,
    InvalidRequest,
    Message,
    NeedsInput,
    PromptArgument,
    Rejected,
    ResourceContents,
    ResourceLink,
    Result,
    Server,
    Settings,
    Text,
    build_gate,
    build_server,
)
from phocinae.adapters.transports.event_loop import LoopThread
from phocinae.mcp.asking import OPEN_LIMIT, Channel
from phocinae.mcp.conversation import Conversation
from phocinae.mcp.operations import Level

Json = dict[str, Any]

SCHEMA: Json = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM: Json = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}


class Peer:
    """A client of one connection, which runs each call at once and keeps what the server sends unasked."""

    def __init__(self, server: Server) -> None:
        self.sent: list[Json] = []
        self.timers: list[Callable[[], None]] = []
        channel = Channel(send=lambda frame: self.sent.append(json.loads(frame)), later=self._later)
        self.conversation: Conversation = server.open(channel)

    def _later(self, _seconds: float, _work: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    def receive(self, message: Json) -> list[Json]:
        step = self.conversation.receive(json.dumps(message).encode())
        frames = [*step.replies, *(call.run() for call in step.calls)]
        return [json.loads(frame) for frame in frames if frame is not None]

    def ask(self, method: str, params: Json | None = None, **meta: Any) -> Json:
        """Return the reply to a modern request; `meta` are more members of its ``_meta``."""
        envelope = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": meta.pop("capabilities", {}),
            "io.modelcontextprotocol/clientInfo": {"name": "peer", "version": "3"},
            **meta,
        }
        (reply,) = self.receive(
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": envelope}}
        )
        return reply

    def call(self, name: str, arguments: Json | None = None, *, more: Json | None = None, **meta: Any) -> Json:
        result = self.ask("tools/call", {"name": name, "arguments": arguments or {}, **(more or {})}, **meta)["result"]
        assert isinstance(result, dict)
        return result

    def shake_hands(self, version: str, capabilities: Json | None = None) -> None:
        hello = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": {"name": "old"}}
        self.legacy("initialize", hello)
        self.receive({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def legacy(self, method: str, params: Json) -> list[Json]:
        return self.receive({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})


@pytest.fixture
def lines() -> list[tuple[Level, str]]:
    return []


@pytest.fixture
def server(lines: list[tuple[Level, str]]) -> Server:
    settings = Settings(audit=False)

    def log(level: Level, message: str, _threshold: Level | None = None, /) -> None:
        lines.append((level, message))

    return build_server(settings, build_gate(settings), builtin=False, log=log)


@pytest.fixture
def peer(server: Server) -> Peer:
    return Peer(server)


def test_a_function_is_a_tool_under_its_own_name_and_with_its_own_words(server: Server, peer: Peer) -> None:
    @server.tool(input_schema=SCHEMA, title="Greeter")
    def greet(call: CallContext) -> str:
        """Greets somebody."""
        return f"Hello {call.arguments['name']}"

    (listed,) = peer.ask("tools/list")["result"]["tools"]
    assert listed == {
        "name": "greet",
        "title": "Greeter",
        "description": "Greets somebody.",
        "inputSchema": SCHEMA,
    }
    result = peer.call("greet", {"name": "Ada"})
    assert (result["content"], result["isError"]) == ([{"type": "text", "text": "Hello Ada"}], False)
    assert peer.ask("tools/call", {"name": "greet", "arguments": {}})["error"]["code"] == -32602


def test_tools_are_listed_in_the_order_of_registration_and_found_by_their_exact_names(
    server: Server, peer: Peer
) -> None:
    for name in ("b.2", "a", "B.2"):
        server.tool(name, description="d")(lambda _call, name=name: name)
    assert [tool["name"] for tool in peer.ask("tools/list")["result"]["tools"]] == ["b.2", "a", "B.2"]
    assert peer.call("B.2")["content"] == [{"type": "text", "text": "B.2"}]
    assert peer.ask("tools/call", {"name": "A"})["error"]["code"] == -32602


def test_a_tool_without_a_schema_takes_no_arguments(server: Server, peer: Peer) -> None:
    server.tool("now")(lambda _call: "noon")
    assert peer.ask("tools/call", {"name": "now"})["result"]["isError"] is False
    assert peer.ask("tools/call", {"name": "now", "arguments": {"x": 1}})["error"]["code"] == -32602


def test_schemas_go_out_as_they_were_when_they_were_given(server: Server, peer: Peer) -> None:
    schema: Json = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addr", "type": "object"}},
        "properties": {"to": {"$ref": "#addr"}, "or": {"$ref": "#/$defs/address"}},
        "allOf": [{"anyOf": [{"required": ["to"]}, {"required": ["or"]}]}],
        "if": {"required": ["to"]},
        "then": {},
        "else": {},
        "additionalProperties": False,
    }
    server.tool("send", input_schema=schema)(lambda _call: None)
    before = json.dumps(schema)
    schema["properties"]["later"] = {}
    (listed,) = peer.ask("tools/list")["result"]["tools"]
    assert json.dumps(listed["inputSchema"]) == before


def test_a_handler_may_return_blocks_of_every_kind(server: Server, peer: Peer) -> None:
    @server.tool()
    def all_kinds(_call: CallContext) -> list[Any]:
        return [
            "plain",
            Text("noted", annotations={"audience": ["user"]}),
            Image(b"\x89PNG", "image/png"),
            Audio(b"RIFF", "audio/wav"),
            EmbeddedResource(ResourceContents("x:1", "text", "text/plain")),
            EmbeddedResource(ResourceContents("x:2", b"\x00")),
            ResourceLink("x:3", "three", title="Three", mime_type="text/plain"),
        ]

    assert peer.call("all_kinds")["content"] == [
        {"type": "text", "text": "plain"},
        {"type": "text", "text": "noted", "annotations": {"audience": ["user"]}},
        {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "x:1", "mimeType": "text/plain", "text": "text"}},
        {"type": "resource", "resource": {"uri": "x:2", "blob": "AA=="}},
        {"type": "resource_link", "uri": "x:3", "name": "three", "title": "Three", "mimeType": "text/plain"},
    ]
    peer.shake_hands("2024-11-05")
    (reply,) = peer.legacy("tools/call", {"name": "all_kinds"})
    kinds = [block["type"] for block in reply["result"]["content"]]
    assert kinds == ["text", "text", "image", "text", "resource", "resource", "text"]


def test_a_dictionary_is_the_structured_value_and_stands_in_a_text_as_well(server: Server, peer: Peer) -> None:
    server.tool("add", output_schema={"type": "object", "required": ["sum"]})(lambda _call: {"sum": 3})
    result = peer.call("add")
    assert result["structuredContent"] == {"sum": 3}
    assert result["content"] == [{"type": "text", "text": '{"sum":3}'}]
    peer.shake_hands("2025-03-26")
    (reply,) = peer.legacy("tools/call", {"name": "add"})
    assert "structuredContent" not in reply["result"]


def test_a_structured_value_beside_a_text_is_not_written_twice(server: Server, peer: Peer) -> None:
    server.tool("add")(lambda _call: Result(content="three", structured={"sum": 3}))
    assert peer.call("add")["content"] == [{"type": "text", "text": "three"}]


@pytest.mark.parametrize("value", [{"total": 3}, "three", None])
def test_a_result_that_breaks_the_promise_of_its_schema_is_a_failure(server: Server, peer: Peer, value: Any) -> None:
    server.tool("add", output_schema={"type": "object", "required": ["sum"]})(lambda _call: value)
    result = peer.call("add")
    assert result["isError"] is True
    assert "output schema" in result["content"][0]["text"]
    assert "structuredContent" not in result


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (CallFailed("The disk is full."), "The disk is full."),
        (LookupError("hunter2"), "The tool burn failed (LookupError)."),
        (SystemExit(3), "The tool burn failed (SystemExit)."),
    ],
)
def test_what_a_handler_raises_is_a_failure(
    server: Server, peer: Peer, lines: list[tuple[Level, str]], raised: BaseException, text: str
) -> None:
    @server.tool()
    def burn(_call: CallContext) -> None:
        raise raised

    result = peer.call("burn")
    assert (result["isError"], result["content"]) == (True, [{"type": "text", "text": text}])
    assert "hunter2" not in str(lines)


@pytest.mark.parametrize("raised", [SystemExit(3), KeyboardInterrupt()])
def test_an_async_handler_ends_no_event_loop(server: Server, raised: BaseException) -> None:
    loop = LoopThread()

    @server.tool()
    async def burn(_call: CallContext) -> None:
        raise raised

    @server.tool()
    async def fine(_call: CallContext) -> str:
        return "fine"

    for name, text in (("burn", f"The handler ended early ({type(raised).__name__})."), ("fine", "fine")):
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}}
        (call,) = server.open(start=loop.start).receive(json.dumps(request).encode()).calls
        frame = call.run()
        assert frame is not None
        assert json.loads(frame)["result"]["content"] == [{"type": "text", "text": text}]


def test_a_handler_may_refuse_arguments(server: Server, peer: Peer) -> None:
    @server.tool()
    def picky(_call: CallContext) -> None:
        raise InvalidRequest("the day is over")

    server.tool("strict")(lambda _call: Rejected("no"))
    assert peer.ask("tools/call", {"name": "picky"})["error"]["message"] == "Invalid params: the day is over"
    assert peer.ask("tools/call", {"name": "strict"})["error"]["code"] == -32602


def test_what_is_no_contents_no_message_and_no_completion_is_an_internal_error(server: Server, peer: Peer) -> None:
    server.resource("notes:odd", name="odd")(lambda _call: 3)
    server.prompt("odd", title="Odd", arguments=[PromptArgument("a", title="A")])(lambda _call: [3])
    server.completion("a", prompt="odd")(lambda _call: [3])
    wish = {"ref": {"type": "ref/prompt", "name": "odd"}, "argument": {"name": "a", "value": ""}}
    for method, params in (
        ("resources/read", {"uri": "notes:odd"}),
        ("prompts/get", {"name": "odd"}),
        ("completion/complete", wish),
    ):
        assert peer.ask(method, params)["error"]["code"] == -32603
    (listed,) = peer.ask("prompts/list")["result"]["prompts"]
    assert listed["title"] == "Odd"
    assert listed["arguments"] == [{"name": "a", "title": "A", "required": False}]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("prompts/get", {"name": 1}),
        ("prompts/get", {"name": "p", "arguments": []}),
        ("completion/complete", {}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a"}}),
        ("resources/read", {"uri": 1}),
    ],
)
def test_parameters_of_a_wrong_shape_are_refused(server: Server, peer: Peer, method: str, params: Json) -> None:
    server.prompt("p", arguments=[PromptArgument("a")])(lambda _call: "x")
    server.completion("a", prompt="p")(lambda _call: [])
    assert peer.ask(method, params)["error"]["code"] == -32602


def test_a_resource_may_have_several_parts(server: Server, peer: Peer) -> None:
    parts = [ResourceContents("notes:a", "A"), "B", b"C"]
    server.resource("notes:all", name="all")(lambda _call: parts)
    contents = peer.ask("resources/read", {"uri": "notes:all"})["result"]["contents"]
    assert [part["uri"] for part in contents] == ["notes:a", "notes:all", "notes:all"]


def test_a_function_without_a_name_needs_one(server: Server) -> None:
    class Nameless:
        def __call__(self, _call: CallContext) -> str:
            return "x"

    with pytest.raises(InvalidRegistration, match="give one with name="):
        server.tool()(Nameless())
    server.tool("named")(Nameless())


@pytest.mark.parametrize("value", [3, [3], {1, 2}, object()])
def test_what_is_no_content_is_a_failure(server: Server, peer: Peer, value: Any) -> None:
    server.tool("odd")(lambda _call: value)
    assert peer.call("odd")["isError"] is True


def test_an_async_handler_runs_on_a_loop_of_its_own_where_a_transport_has_none(server: Server, peer: Peer) -> None:
    @server.tool()
    async def slow(_call: CallContext) -> str:
        await asyncio.sleep(0)
        return "done"

    assert peer.call("slow")["content"][0]["text"] == "done"


def test_a_handler_knows_who_calls(server: Server, peer: Peer) -> None:
    seen = []
    server.tool("look")(lambda call: seen.append(call.client))
    peer.call("look", capabilities={"sampling": {}})
    peer.shake_hands("2025-06-18", {"elicitation": {}})
    peer.legacy("tools/call", {"name": "look"})
    modern, legacy = seen
    assert (modern.name, modern.version, modern.revision) == ("peer", "3", "2026-07-28")
    assert (modern.capabilities, modern.inputs) == ({"sampling": {}}, {InputKind.SAMPLING})
    assert (legacy.name, legacy.revision, legacy.inputs) == ("old", "2025-06-18", {InputKind.FORM})


@pytest.mark.requirement("M-103")
def test_progress_goes_to_a_client_that_gave_a_token_and_only_forward(server: Server, peer: Peer) -> None:
    kept: list[CallContext] = []

    @server.tool()
    def work(call: CallContext) -> None:
        kept.append(call)
        call.progress(0, 100)
        call.progress(50, 100, "half")
        call.progress(20, 100)
        call.progress(100)

    peer.call("work")
    assert peer.sent == []
    peer.call("work", progressToken="t")
    kept[-1].progress(200)  # once it is over, nothing is sent any more
    assert [sent["method"] for sent in peer.sent] == ["notifications/progress"] * 3
    assert [sent["params"] for sent in peer.sent] == [
        {"progressToken": "t", "progress": 0, "total": 100},
        {"progressToken": "t", "progress": 50, "total": 100, "message": "half"},
        {"progressToken": "t", "progress": 100},
    ]


def test_log_lines_go_to_the_log_and_to_clients_that_take_them(
    server: Server, peer: Peer, lines: list[tuple[Level, str]]
) -> None:
    @server.tool()
    def chat(call: CallContext) -> None:
        call.log("debug", "small")
        call.log("warning", "large", "chatter")

    peer.call("chat")
    assert (Level.WARNING, "chatter: large") in lines
    assert peer.sent == []  # a modern client is sent none
    peer.shake_hands("2025-11-25")
    peer.legacy("tools/call", {"name": "chat"})
    (line,) = peer.sent
    assert line["params"] == {"level": "warning", "logger": "chatter", "data": "large"}
    peer.legacy("logging/setLevel", {"level": "debug"})
    peer.sent.clear()
    peer.legacy("tools/call", {"name": "chat"})
    assert [line["params"]["data"] for line in peer.sent if line["params"]["logger"] != "phocinae"] == [
        "small",
        "large",
    ]
    with pytest.raises(ValueError, match="a level is one of debug, info"):
        CallContext().log("loud", "x")


def book(call: CallContext) -> Any:
    """Ask for a name and a number of seats, then for a confirmation, then be done."""
    round_ = call.state.get("round", 0)
    if round_ == 1:
        answer = call.form("seats", FORM)
        if answer is not None and "name" in call.answers:
            return NeedsInput(
                requests=(InputRequest.roots("roots"),), state={"round": 2, "seats": answer.content["seats"]}
            )
    if round_ == 2:
        return f"{call.state['seats']} seats, {call.answers['roots']}"
    form = InputRequest.form("seats", "How many?", FORM)
    return NeedsInput(
        requests=(form, InputRequest.sampling("name", "Make up a name.", max_tokens=5)), state={"round": 1}
    )


CAPABLE: Json = {"elicitation": {}, "sampling": {}, "roots": {}}
ACCEPTED: Json = {"action": "accept", "content": {"seats": 2}}


def test_a_handler_may_ask_for_several_things_in_several_rounds(server: Server, peer: Peer) -> None:
    server.tool()(book)
    first = peer.call("book", capabilities=CAPABLE)
    assert first["resultType"] == "input_required"
    assert {key: one["method"] for key, one in first["inputRequests"].items()} == {
        "seats": "elicitation/create",
        "name": "sampling/createMessage",
    }
    answers = {"seats": ACCEPTED, "name": {"role": "assistant"}, "stray": 1}
    more = {"requestState": first["requestState"], "inputResponses": answers}
    second = peer.call("book", more=more, capabilities=CAPABLE)
    assert list(second["inputRequests"]) == ["roots"]
    assert second["requestState"] != first["requestState"]
    more = {"requestState": second["requestState"], "inputResponses": {"roots": {"roots": []}}}
    assert peer.call("book", more=more, capabilities=CAPABLE)["content"][0]["text"] == "2 seats, {'roots': []}"


@pytest.mark.parametrize(
    "answer", [None, {"action": "accept"}, {"action": "accept", "content": {"seats": "two"}}, "accept", {"action": 1}]
)
def test_an_answer_that_cannot_be_used_is_asked_for_again(server: Server, peer: Peer, answer: Any) -> None:
    server.tool()(book)
    first = peer.call("book", capabilities=CAPABLE)
    more = {"requestState": first["requestState"], "inputResponses": {"seats": answer, "name": {}}}
    again = peer.call("book", more=more, capabilities=CAPABLE)
    assert set(again["inputRequests"]) == {"seats", "name"}


def test_a_state_that_was_changed_or_used_is_refused(server: Server, peer: Peer) -> None:
    server.tool()(book)
    state = peer.call("book", capabilities=CAPABLE)["requestState"]
    codes = []
    for token in (state + "x", state, state):
        params = {"name": "book", "requestState": token, "inputResponses": {"seats": ACCEPTED, "name": {}}}
        codes.append(peer.ask("tools/call", params, capabilities=CAPABLE).get("error", {}).get("code"))
    assert codes == [-32602, None, -32602]


def test_what_the_client_did_not_declare_is_not_asked_for(server: Server, peer: Peer) -> None:
    server.tool()(book)
    error = peer.ask("tools/call", {"name": "book"}, capabilities={"elicitation": {}})["error"]
    assert error["code"] == -32021
    assert set(error["data"]["requiredCapabilities"]) == {"elicitation", "sampling"}


def test_a_client_of_a_handshake_revision_is_asked_during_the_call(server: Server, peer: Peer) -> None:
    server.tool()(book)
    peer.shake_hands("2025-11-25", CAPABLE)
    assert peer.legacy("tools/call", {"name": "book"}) == []
    asked = {one["method"]: one["id"] for one in peer.sent}
    assert set(asked) == {"elicitation/create", "sampling/createMessage"}
    assert peer.receive({"jsonrpc": "2.0", "id": asked["elicitation/create"], "result": ACCEPTED}) == []
    assert peer.receive({"jsonrpc": "2.0", "id": asked["sampling/createMessage"], "result": {"role": "user"}}) == []
    roots = peer.sent[-1]
    assert roots["method"] == "roots/list"
    (reply,) = peer.receive({"jsonrpc": "2.0", "id": roots["id"], "result": {"roots": [1]}})
    assert reply["result"]["content"][0]["text"] == "2 seats, {'roots': [1]}"


def test_a_cancelled_call_is_known_to_its_handler_and_says_nothing_more(server: Server, peer: Peer) -> None:
    seen: list[bool] = []

    @server.tool()
    def long(call: CallContext) -> str:
        before = call.is_cancelled
        peer.conversation.receive(
            json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}).encode()
        )
        call.progress(1)
        seen.extend((before, call.is_cancelled))
        return "late"

    peer.shake_hands("2025-11-25")
    assert peer.legacy("tools/call", {"name": "long", "_meta": {"progressToken": 1}}) == []
    assert seen == [False, True]
    assert peer.sent == []


def test_resources_of_text_and_of_bytes(server: Server, peer: Peer) -> None:
    server.resource("notes:today", name="today", mime_type="text/markdown")(lambda _call: "# Today")
    server.resource("notes:dot", name="dot", mime_type="image/png")(lambda _call: b"\x89PNG")
    server.resource("notes:gone", name="gone")(lambda _call: None)
    listed = peer.ask("resources/list")["result"]["resources"]
    assert listed[0] == {"uri": "notes:today", "name": "today", "mimeType": "text/markdown"}
    text = peer.ask("resources/read", {"uri": "notes:today"})["result"]
    assert text["contents"] == [{"uri": "notes:today", "mimeType": "text/markdown", "text": "# Today"}]
    assert (text["ttlMs"], text["cacheScope"]) == (0, "private")
    (blob,) = peer.ask("resources/read", {"uri": "notes:dot"})["result"]["contents"]
    assert blob["blob"] == "iVBORw=="
    gone = peer.ask("resources/read", {"uri": "notes:gone"})["error"]
    assert (gone["code"], gone["data"]) == (-32602, {"uri": "notes:gone"})
    peer.shake_hands("2025-06-18")
    (reply,) = peer.legacy("resources/read", {"uri": "notes:gone"})
    assert reply["error"]["code"] == -32002


def test_a_template_is_matched_and_its_variables_are_the_arguments(server: Server, peer: Peer) -> None:
    @server.template("notes://{year}/{name}.md", name="note")
    async def note(call: CallContext) -> str:
        return f"{call.arguments} at {call.uri}"

    listed = peer.ask("resources/templates/list")["result"]["resourceTemplates"]
    assert listed == [{"uriTemplate": "notes://{year}/{name}.md", "name": "note", "mimeType": "text/plain"}]
    (part,) = peer.ask("resources/read", {"uri": "notes://2026/a%20b.md"})["result"]["contents"]
    assert part["uri"] == "notes://2026/a%20b.md"
    assert part["text"] == "{'year': '2026', 'name': 'a b'} at notes://2026/a%20b.md"
    assert peer.ask("resources/read", {"uri": "notes://2026/a/b.md"})["error"]["code"] == -32602


def test_a_reader_that_fails_is_an_internal_error(server: Server, peer: Peer) -> None:
    @server.resource("notes:broken")
    def broken(_call: CallContext) -> str:
        raise OSError("hunter2")

    error = peer.ask("resources/read", {"uri": "notes:broken"})["error"]
    assert (error["code"], error["message"]) == (-32603, "The resource broken failed (OSError).")


def test_prompts_exist_for_modern_clients_once_there_is_one(server: Server, peer: Peer) -> None:
    assert peer.ask("prompts/list")["error"]["code"] == -32601
    assert "prompts" not in peer.ask("server/discover")["result"]["capabilities"]

    @server.prompt(arguments=[PromptArgument("who", "Whom", required=True), PromptArgument("how")])
    def greet(call: CallContext) -> list[Any]:
        """Greets."""
        return [Message("assistant", "I greet."), f"Greet {call.arguments['who']}", Image(b"x", "image/png")]

    assert peer.ask("server/discover")["result"]["capabilities"]["prompts"] == {}
    (listed,) = peer.ask("prompts/list")["result"]["prompts"]
    assert listed == {
        "name": "greet",
        "description": "Greets.",
        "arguments": [{"name": "who", "description": "Whom", "required": True}, {"name": "how", "required": False}],
    }
    result = peer.ask("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}})["result"]
    assert result["description"] == "Greets."
    assert [(one["role"], one["content"]["type"]) for one in result["messages"]] == [
        ("assistant", "text"),
        ("user", "text"),
        ("user", "image"),
    ]


@pytest.mark.parametrize("params", [{}, {"arguments": {"who": 1}}, {"arguments": {"who": "a", "x": "b"}}])
def test_a_prompt_with_wrong_arguments_is_refused(server: Server, peer: Peer, params: Json) -> None:
    server.prompt("greet", arguments=[PromptArgument("who", required=True)])(lambda _call: "hello")
    assert peer.ask("prompts/get", {"name": "greet", **params})["error"]["code"] == -32602


def test_prompts_and_resources_may_ask_for_input_too(server: Server, peer: Peer) -> None:
    def asking(call: CallContext) -> Any:
        return "done" if call.form("seats") else NeedsInput(requests=(InputRequest.form("seats", "How many?", FORM),))

    server.prompt("ask")(asking)
    server.resource("notes:ask")(asking)
    for method, params in (("prompts/get", {"name": "ask"}), ("resources/read", {"uri": "notes:ask"})):
        first = peer.ask(method, params, capabilities=CAPABLE)["result"]
        assert first["resultType"] == "input_required"
        assert "ttlMs" not in first
        more = {"requestState": first["requestState"], "inputResponses": {"seats": ACCEPTED}}
        second = peer.ask(method, params | more, capabilities=CAPABLE)["result"]
        assert second["resultType"] == "complete"


def test_arguments_are_completed(server: Server, peer: Peer) -> None:
    server.prompt("greet", arguments=[PromptArgument("who"), PromptArgument("how")])(lambda _call: "hello")
    server.template("notes://{year}", name="year")(lambda _call: "a year")
    assert "completions" not in peer.ask("server/discover")["result"]["capabilities"]

    @server.completion("who", prompt="greet")
    def who(call: CallContext) -> list[str]:
        return [name for name in ("Ada", "Alan", "Bob") if name.startswith(call.partial)] + list(call.arguments)

    server.completion("year", template="notes://{year}")(lambda _call: [str(year) for year in range(500)])

    def complete(reference: Json, name: str, value: str, **more: Any) -> Json:
        params = {"ref": reference, "argument": {"name": name, "value": value}, **more}
        return peer.ask("completion/complete", params)

    greet = {"type": "ref/prompt", "name": "greet"}
    found = complete(greet, "who", "A", context={"arguments": {"how": "loud"}})["result"]["completion"]
    assert found == {"values": ["Ada", "Alan", "how"], "total": 3, "hasMore": False}
    years = complete({"type": "ref/resource", "uri": "notes://{year}"}, "year", "")["result"]["completion"]
    assert (len(years["values"]), years["total"], years["hasMore"]) == (100, 500, True)
    assert complete(greet, "how", "")["result"]["completion"]["values"] == []
    assert complete({"type": "ref/prompt", "name": "none"}, "who", "")["error"]["code"] == -32602
    assert complete({"type": "other"}, "who", "")["error"]["code"] == -32602


def test_listeners_are_told_of_settled_calls_and_cannot_change_them(
    server: Server, peer: Peer, lines: list[tuple[Level, str]]
) -> None:
    told: list[CallRecord] = []

    @server.on_call
    def broken(_record: CallRecord) -> None:
        raise LookupError("hunter2")

    @server.on_call
    def gone(_record: CallRecord) -> None:
        raise SystemExit("hunter2")

    server.on_call(told.append)
    server.tool("greet", input_schema=SCHEMA)(lambda call: f"Hello {call.arguments['name']}")
    server.tool("fail")(lambda _call: Failed("down"))
    server.tool()(book)
    assert peer.call("greet", {"name": "Ada"})["content"][0]["text"] == "Hello Ada"
    peer.call("fail")
    peer.call("book", capabilities=CAPABLE)
    peer.ask("tools/call", {"name": "greet", "arguments": {}})
    with_gate = build_server(Settings(audit=False), build_gate(Settings(audit=False)))
    with_gate.on_call(told.append)
    Peer(with_gate).call("gate", {"command": "git status"})
    assert told.pop().result["structuredContent"]["decision"] == "allow"
    assert [(record.tool, record.ended) for record in told] == [
        ("greet", Ended.DONE),
        ("fail", Ended.FAILED),
        ("book", Ended.ASKED),
        ("greet", Ended.REFUSED),
    ]
    assert told[0].arguments == {"name": "Ada"}
    assert told[0].result["content"][0]["text"] == "Hello Ada"
    assert told[-1].result["code"] == -32602
    for name in ("LookupError", "SystemExit"):
        assert (Level.ERROR, f"a listener of calls failed: {name}") in lines
    assert "hunter2" not in str(lines)


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "a/b", "é", "a\n"])
def test_a_name_that_clients_choke_on_is_refused(server: Server, name: str) -> None:
    with pytest.raises(InvalidRegistration, match="1 to 64 of A-Z a-z 0-9 _"):
        server.tool(name or " ")(lambda _call: None)
    with pytest.raises(InvalidRegistration, match="1 to 64 of A-Z a-z 0-9 _"):
        server.prompt(name or " ")(lambda _call: "x")


def test_what_is_there_already_is_refused(server: Server) -> None:
    server.tool("a")(lambda _call: None)
    server.resource("x:a", name="a")(lambda _call: "")
    server.template("x://{a}", name="a")(lambda _call: "")
    server.prompt("a", arguments=[PromptArgument("b")])(lambda _call: "")
    server.completion("b", prompt="a")(lambda _call: [])
    for again in (
        server.tool("a"),
        server.resource("x:a", name="b"),
        server.template("x://{a}", name="b"),
        server.prompt("a"),
        server.completion("b", prompt="a"),
    ):
        with pytest.raises(InvalidRegistration):
            again(lambda _call: None)


def test_contradicting_hints_are_refused() -> None:
    with pytest.raises(InvalidRegistration, match="destructive=False"):
        Annotations(read_only=True, destructive=True, idempotent=True, open_world=True)


@pytest.mark.parametrize(
    ("register", "what"),
    [
        (lambda server: server.resource("no uri", name="x"), "no URI"),
        (lambda server: server.template("x://a", name="x"), "needs variables"),
        (lambda server: server.completion("a"), "name one of them"),
        (lambda server: server.completion("a", prompt="none"), "register it before"),
        (lambda server: server.completion("a", template="none"), "register it before"),
        (lambda server: server.prompt("p", arguments=[PromptArgument("a"), PromptArgument("a")]), "same name"),
    ],
)
def test_what_cannot_be_offered_is_refused_with_what_to_change(
    server: Server, register: Callable[[Server], Any], what: str
) -> None:
    with pytest.raises(InvalidRegistration, match=what):
        register(server)(lambda _call: None)


@pytest.mark.parametrize("function", [lambda: None, lambda _a, _b: None, lambda **_more: None])
def test_a_function_that_does_not_take_the_context_alone_is_refused(server: Server, function: Any) -> None:
    with pytest.raises(InvalidRegistration, match="must take one parameter"):
        server.tool("t")(function)


def test_what_is_no_function_is_refused(server: Server) -> None:
    with pytest.raises(InvalidRegistration, match="register a function"):
        server.tool("t")("text")  # type: ignore[type-var]


def test_handlers_of_one_server_run_at_the_same_time(server: Server) -> None:
    both = threading.Barrier(2, timeout=20)
    server.tool("meet")(lambda _call: str(both.wait() >= 0))
    results: list[Json] = []
    threads = [threading.Thread(target=lambda: results.append(Peer(server).call("meet"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result["content"][0]["text"] for result in results] == ["True", "True"]


def test_a_registered_tool_stands_behind_those_that_are_built_in() -> None:
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings))
    server.tool("mine")(lambda _call: None)
    peer = Peer(server)
    names = [tool["name"] for tool in peer.ask("tools/list")["result"]["tools"]]
    assert names == ["gate", "classify", "route", "score", "mine"]
    manifest = peer.ask("resources/read", {"uri": "phocinae://manifest"})["result"]["contents"][0]["text"]
    assert [tool["name"] for tool in json.loads(manifest)["tools"]] == names


def test_a_resource_that_changes_can_be_subscribed_to_over_a_handshake_revision(server: Server, peer: Peer) -> None:
    server.resource("notes:still", name="still")(lambda _call: "x")
    peer.shake_hands("2025-11-25")
    assert peer.legacy("resources/subscribe", {"uri": "notes:still"})[0]["error"]["code"] == -32601
    server.resource("notes:live", name="live", subscribable=True)(lambda _call: "x")
    assert peer.legacy("resources/subscribe", {"uri": "notes:still"})[0]["error"]["code"] == -32002
    assert peer.legacy("resources/subscribe", {"uri": "notes:live"})[0]["result"] == {}
    server.resource_changed("notes:still")
    server.resource_changed("notes:live")
    assert [(sent["method"], sent["params"]) for sent in peer.sent] == [
        ("notifications/resources/updated", {"uri": "notes:live"})
    ]
    assert peer.legacy("resources/unsubscribe", {"uri": "notes:live"})[0]["result"] == {}
    server.resource_changed("notes:live")
    assert len(peer.sent) == 1
    assert peer.ask("resources/subscribe", {"uri": "notes:live"})["error"]["code"] == -32601


@pytest.mark.requirement("M-040")
def test_a_server_declares_subscriptions_where_there_is_something_to_subscribe_to(server: Server, peer: Peer) -> None:
    def declared() -> Any:
        (reply,) = peer.legacy("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
        return reply["result"]["capabilities"]["resources"]

    assert declared() == {}
    server.resource("notes:live", name="live", subscribable=True)(lambda _call: "x")
    assert declared() == {"subscribe": True}
    assert peer.ask("server/discover")["result"]["capabilities"]["resources"] == {"subscribe": True}


SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
ALL: Json = {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True}


@pytest.fixture
def changing() -> Server:
    settings = Settings(audit=False)
    return build_server(settings, build_gate(settings), builtin=False, changing=True)


def listen(peer: Peer, ident: Any, wanted: Any) -> list[Json]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"notifications": wanted, "_meta": meta}
    return peer.receive({"jsonrpc": "2.0", "id": ident, "method": "subscriptions/listen", "params": params})


@pytest.mark.requirement("M-107")
def test_a_subscription_is_acknowledged_and_tells_what_was_asked_for(changing: Server) -> None:
    peer = Peer(changing)
    capabilities = peer.ask("server/discover")["result"]["capabilities"]
    assert capabilities == {"tools": {"listChanged": True}, "resources": {"listChanged": True}}
    changing.resource("notes:live", name="live", subscribable=True)(lambda _call: "x")
    changing.resource("notes:still", name="still")(lambda _call: "x")
    wanted = {"toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": False, "other": True}
    uris = ["notes:live", "notes:still", "notes:none", "notes:live"]
    assert listen(peer, "s", wanted | {"resourceSubscriptions": uris}) == []
    changing.tool("new")(lambda _call: None)
    changing.withdraw_tool("new")
    changing.resource("notes:new", name="new")(lambda _call: "x")
    changing.prompt("new")(lambda _call: "x")
    changing.resource_changed("notes:live")
    changing.resource_changed("notes:still")
    assert [one["method"] for one in peer.sent] == [
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
        "notifications/tools/list_changed",
        "notifications/resources/updated",
    ]
    assert {one["params"]["_meta"][SUBSCRIPTION] for one in peer.sent} == {"s"}
    assert peer.sent[0]["params"]["notifications"] == {
        "toolsListChanged": True,
        "resourceSubscriptions": ["notes:live"],
    }
    assert peer.sent[-1]["params"]["uri"] == "notes:live"


def test_prompts_are_told_of_once_there_are_some(changing: Server) -> None:
    peer = Peer(changing)
    changing.prompt("old")(lambda _call: "x")
    listen(peer, 1, ALL)
    assert peer.sent[0]["params"]["notifications"] == ALL
    changing.withdraw_prompt("old")
    assert peer.sent[-1]["method"] == "notifications/prompts/list_changed"


@pytest.mark.requirement("M-107")
def test_a_subscription_that_is_cancelled_tells_nothing_more(changing: Server) -> None:
    peer = Peer(changing)
    listen(peer, 1, ALL)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert peer.receive(cancel) == []
    changing.tool("new")(lambda _call: None)
    assert len(peer.sent) == 1
    assert peer.conversation.hang_up() == ()


@pytest.mark.requirement("M-107")
def test_a_subscription_ends_in_order_with_the_server(changing: Server) -> None:
    peer = Peer(changing)
    listen(peer, 1, ALL)
    (end,) = peer.conversation.hang_up()
    result = json.loads(end)["result"]
    assert (result["resultType"], result["_meta"][SUBSCRIPTION]) == ("complete", 1)
    changing.tool("new")(lambda _call: None)
    assert len(peer.sent) == 1


@pytest.mark.parametrize("wanted", [None, [], {"resourceSubscriptions": "x"}, {"resourceSubscriptions": [1]}])
def test_a_filter_that_cannot_be_used_is_refused(changing: Server, wanted: Any) -> None:
    (reply,) = listen(Peer(changing), 1, wanted)
    assert reply["error"]["code"] == -32602


def test_so_many_subscriptions_may_be_open(changing: Server) -> None:
    peer = Peer(changing)
    assert [listen(peer, number, ALL) for number in range(OPEN_LIMIT)] == [[]] * OPEN_LIMIT
    (reply,) = listen(peer, "more", ALL)
    assert reply["error"]["code"] == -32600


def test_there_are_no_subscriptions_where_nothing_changes(peer: Peer) -> None:
    (reply,) = listen(peer, 1, ALL)
    assert reply["error"]["code"] == -32601


def test_a_subscription_needs_a_stream(changing: Server) -> None:
    peer = Peer(changing)
    peer.conversation = changing.open()
    (reply,) = listen(peer, 1, ALL)
    assert reply["error"]["code"] == -32600


def test_clients_of_handshake_revisions_are_told_of_lists_that_change(changing: Server) -> None:
    peer = Peer(changing)
    (hello,) = peer.legacy("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
    assert hello["result"]["capabilities"]["tools"] == {"listChanged": True}
    changing.tool("early")(lambda _call: None)
    peer.receive({"jsonrpc": "2.0", "method": "notifications/initialized"})
    changing.tool("late")(lambda _call: None)
    assert peer.sent == [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}]


def test_the_completions_of_a_prompt_go_with_it(server: Server, peer: Peer) -> None:
    wish = {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}}
    for word in ("first", "second"):
        server.prompt("p", arguments=[PromptArgument("a")])(lambda _call: "x")
        server.completion("a", prompt="p")(lambda _call, word=word: [word])
        assert peer.ask("completion/complete", wish)["result"]["completion"]["values"] == [word]
        server.withdraw_prompt("p")
        assert peer.ask("completion/complete", wish)["error"]["code"] == -32601


def test_what_is_not_there_cannot_be_withdrawn(server: Server) -> None:
    for withdraw in (server.withdraw_tool, server.withdraw_prompt):
        with pytest.raises(InvalidRegistration, match="to withdraw"):
            withdraw("none")


def test_answers_count_without_a_state_where_a_tool_says_so(server: Server, peer: Peer) -> None:
    def ask(call: CallContext) -> Any:
        return "done" if call.form("seats") else NeedsInput(requests=(InputRequest.form("seats", "How many?", FORM),))

    server.tool("sealed")(ask)
    server.tool("open", unsealed=True)(ask)
    answers = {"inputResponses": {"seats": ACCEPTED, "stray": 1}}
    first = peer.call("open", capabilities=CAPABLE)
    assert "requestState" not in first
    assert peer.call("open", more=answers, capabilities=CAPABLE)["content"][0]["text"] == "done"
    again = peer.call("sealed", more=answers, capabilities=CAPABLE)
    assert again["resultType"] == "input_required"


@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyboardInterrupt, GeneratorExit])
def test_whatever_a_handler_raises_the_call_is_answered(server: Server, peer: Peer, error: type[BaseException]) -> None:
    @server.tool()
    def leave(_call: CallContext) -> None:
        raise error

    @server.tool()
    async def leave_later(_call: CallContext) -> None:
        raise error

    for name in ("leave", "leave_later") if error is asyncio.CancelledError else ("leave",):
        result = peer.call(name)
        assert result["isError"] is True
        assert "CancelledError" in result["content"][0]["text"] or error is not asyncio.CancelledError
