"""The real command over HTTP: its address, who comes in, every revision, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from decision_service.replies import answering
from decision_service.stub import DecisionStub
from loopback import META, MODERN, Connection, Json, ask, call, modern, request
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types.methods import validate_server_result

import isolation

SERVE = [isolation.PROGRAM, "serve", "--transport", "http", "--port", "0"]
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
POLICY = "phocinae://policy/gate-approval"
FIRST_LINE = re.compile(rb"phocinae-mcp\[notice\]: phocinae \S+ serves MCP at http://(\S+):(\d+)(/\S*)\n")


class Child:
    """A server process; `port` is the one that it has told on standard error."""

    def __init__(self, options: tuple[str, ...], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [*SERVE, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        match = FIRST_LINE.fullmatch(line)
        assert match, line
        self.host, self.port, self.path = match[1].decode(), int(match[2]), match[3].decode()
        self.errors = b""
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Tell it to stop; return the exit status and how long it took."""
        start = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(20)
        return status, time.monotonic() - start

    def kill(self) -> None:
        """End the process in any case, and leave nothing open."""
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def output(self) -> bytes:
        """Return all that an ended process has written to standard output."""
        assert self.process.stdout is not None
        return self.process.stdout.read()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with contextlib.suppress(ValueError):
            self.errors = self.process.stderr.read()


Start = Callable[..., Child]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers, each with a decision log of the test's own, and leaves none behind."""
    children: list[Child] = []

    def start(*options: str, **environment: str) -> Child:
        children.append(Child(options, {"PHOCINAE_AUDIT_FILE": str(tmp_path / "audit.jsonl")} | environment))
        return children[-1]

    yield start
    for child in children:
        child.kill()


METHODS: tuple[tuple[str, Json], ...] = (
    ("tools/list", {}),
    ("tools/call", {"name": "gate", "arguments": {"command": "ls -la"}}),
    ("tools/call", {"name": "gate", "arguments": {"command": "npm install x"}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": POLICY}),
)


def test_every_revision_satisfies_the_official_models(start: Start) -> None:
    child = start()
    for method, params in (("server/discover", {}), *METHODS):
        found = ask(child.port, modern(method, params))
        validate_server_result(method, MODERN, found.json["result"])
    for version in LEGACY:
        greeting = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        message: Json = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": greeting}
        welcome = ask(child.port, message).json["result"]
        validate_server_result("initialize", version, welcome)
        assert welcome["protocolVersion"] == version
        for method, params in (*METHODS, ("prompts/list", {}), ("ping", {})):
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            result = ask(child.port, message, MCP_Protocol_Version=version).json["result"]
            validate_server_result(method, version, result)
            assert "resultType" not in result
    assert child.end()[0] == 0
    assert child.output() == b""


@pytest.mark.parametrize(("host", "address"), [("::1", "::1"), ("localhost", "127.0.0.1"), ("localhost", "::1")])
def test_it_is_reached_at_every_address_of_this_machine(start: Start, host: str, address: str) -> None:
    child = start("--host", host, "--path", "/gate/mcp")
    assert (child.host, child.path) == (f"[{host}]" if ":" in host else host, "/gate/mcp")
    name = f"[{address}]:{child.port}" if ":" in address else f"{address}:{child.port}"
    found = ask(child.port, call("gate", {"command": "ls"}), address=address, path="/gate/mcp", host=name)
    assert found.json["result"]["structuredContent"]["decision"] == "allow"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.com", ""])
def test_it_listens_nowhere_else(host: str) -> None:
    done = subprocess.run([*SERVE, "--host", host], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"for this machine alone" in done.stderr


def recorded(child: Child, tmp_path: Path) -> list[str]:
    """End the server; return the commands that it has decided on."""
    child.end()
    log = tmp_path / "audit.jsonl"
    return [json.loads(line)["command"] for line in log.read_text().splitlines()] if log.exists() else []


def test_who_comes_in_and_who_does_not(start: Start, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    token.chmod(0o600)
    child = start("--allow-host", "gate.example", "--allow-host", "other.example", "--auth-token-file", str(token))
    bearer = {"Authorization": "Bearer s3cret"}
    welcome: list[Json] = [
        {"host": "localhost:9", **bearer},
        {"host": "GATE.example", "Origin": "https://gate.example", **bearer},
        {"host": "other.example:443", **bearer},
        {"Origin": "http://localhost:3000", **bearer},
    ]
    for number, fields in enumerate(welcome):
        assert ask(child.port, call("gate", {"command": f"echo in {number}"}), **fields).status == 200
    foreign: list[tuple[int, Json]] = [
        (403, {"host": "evil.example", **bearer}),
        (403, {"host": "127.0.0.1.evil.example", **bearer}),
        (403, {"Origin": "http://evil.example", **bearer}),
        (403, {"Origin": "null", **bearer}),
        (403, {"Origin": "http://localhost.evil.example", **bearer}),
        (401, {}),
        (401, {"Authorization": "Bearer wrong"}),
        (401, {"Authorization": "Basic czNjcmV0"}),
        (415, {"Content_Type": "text/plain", **bearer}),
        (400, {"Mcp_Name": "score", **bearer}),
        (406, {"Accept": "text/html", **bearer}),
    ]
    for status, fields in foreign:
        found = ask(child.port, call("gate", {"command": "echo out"}), **fields)
        assert found.status == status, fields
        assert ("www-authenticate" in found.headers) == (status == 401)
    assert recorded(child, tmp_path) == [f"echo in {number}" for number in range(len(welcome))]
    assert b"s3cret" not in child.errors


def test_pages_of_a_listed_origin_may_read_and_others_may_not(start: Start) -> None:
    child = start("--allow-origin", "https://a.example", "--allow-origin", "https://b.example:8443")
    wanted = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "content-type,mcp-method"}
    for origin in ("https://a.example", "https://b.example:8443"):
        found = ask(child.port, b"", method="OPTIONS", Origin=origin, **wanted)
        assert found.status == 204
        assert found.headers["access-control-allow-origin"] == origin
        found = ask(child.port, modern("tools/list"), Origin=origin)
        assert (found.status, found.headers["access-control-allow-origin"]) == (200, origin)
        assert found.headers["vary"] == "Origin"
        found = ask(child.port, modern("no/such"), Origin=origin)
        assert (found.status, found.headers["access-control-allow-origin"]) == (404, origin)
    assert ask(child.port, b"", method="OPTIONS", Origin="https://c.example", **wanted).status == 403
    found = ask(child.port, b"", method="OPTIONS", Origin="http://localhost:3000", **wanted)
    assert (found.status, found.headers["allow"]) == (405, "POST, OPTIONS")
    assert "access-control-allow-origin" not in found.headers


def test_a_port_that_is_taken_is_said(start: Start) -> None:
    child = start()
    words = [*SERVE[:-1], str(child.port)]
    done = subprocess.run(words, capture_output=True, timeout=60, check=False)
    assert done.returncode == 3
    assert b"cannot be had" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.fixture
def slow() -> Iterator[DecisionStub]:
    """A decision service that takes far longer than any server may take to stop."""
    with DecisionStub(answering(delay=30)) as stub:
        yield stub


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_calls_in_flight_are_answered_when_it_is_told_to_stop(start: Start, slow: DecisionStub, number: int) -> None:
    child = start("--l1-enabled", "--server", slow.url, "--timeout", "60")
    waiting = [Connection(child.port) for _ in range(20)]
    for ident, connection in enumerate(waiting):
        connection.send(request(call("gate", {"command": f"npm install x{ident}"}, ident)))
    deadline = time.monotonic() + 20
    while len(slow.received) < 16 and time.monotonic() < deadline:
        time.sleep(0.01)
    status, seconds = child.end(number)
    for ident, connection in enumerate(waiting):
        found = connection.response()
        assert found is not None
        assert (found.status, found.json["id"]) == (200, ident)
        assert found.json["result"]["structuredContent"]["decision"] == "deny"
        assert connection.is_closed()
        connection.close()
    assert status == 0
    assert seconds < 10
    assert b"Traceback" not in child.errors


def test_a_call_whose_client_is_gone_is_decided_and_recorded_at_the_end(
    start: Start, slow: DecisionStub, tmp_path: Path
) -> None:
    child = start("--l1-enabled", "--server", slow.url, "--timeout", "60")
    connection = Connection(child.port)
    arguments = {"name": "gate", "arguments": {"command": "npm install x"}}
    connection.send(request({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}))
    deadline = time.monotonic() + 20
    while not slow.received and time.monotonic() < deadline:
        time.sleep(0.01)
    connection.close()
    assert recorded(child, tmp_path) == ["npm install x"]


def test_it_stops_whatever_its_clients_do(start: Start) -> None:
    child = start()
    idle, half, drip = (Connection(child.port) for _ in range(3))
    half.send(b"POST /mcp HTTP/1.1\r\nHost: loc")
    drip.send(request(modern("tools/list"), Content_Length="1000"))
    assert ask(child.port, modern("tools/list")).status == 200
    status, seconds = child.end()
    assert status == 0
    assert seconds < 10
    for connection in (idle, half, drip):
        connection.close()


def test_a_second_interruption_changes_nothing(start: Start) -> None:
    child = start()
    idle = Connection(child.port)
    idle.send(request(modern("tools/list"), Content_Length="1000"))
    assert ask(child.port, modern("tools/list")).status == 200
    child.process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    status, seconds = child.end(signal.SIGINT)
    assert status == 0
    assert seconds < 10
    assert b"Traceback" not in child.errors
    idle.close()


def test_clients_that_hang_up_leave_nothing_behind(start: Start, slow: DecisionStub) -> None:
    child = start("--l1-enabled", "--server", slow.url, "--timeout", "1")
    proc = Path(f"/proc/{child.process.pid}")
    if not proc.exists():
        pytest.skip("no /proc here")

    def open_files() -> int:
        return len(list((proc / "fd").iterdir()))

    def round_of_calls() -> None:
        for number in range(30):
            connection = Connection(child.port)
            connection.send(request(call("gate", {"command": "npm install x" if number % 3 == 0 else "ls"})))
            if number % 3 == 0:
                connection.close()
            else:
                assert (connection.response() or pytest.fail("no response")).status == 200

    round_of_calls()
    deadline = time.monotonic() + 20
    time.sleep(1.5)
    before = open_files()
    round_of_calls()
    while open_files() > before + 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert open_files() <= before + 2
    assert child.end()[0] == 0
    assert b"Traceback" not in child.errors


@pytest.fixture
def keys(tmp_path: Path) -> str:
    """A file with a key that servers share."""
    path = tmp_path / "sessions.keys"
    path.write_text(secrets.token_hex(32) + "\n")
    path.chmod(0o600)
    return str(path)


# --- the official SDK as a client

Talk = Callable[[Client], Awaitable[None]]
MODES = (MODERN, "legacy", "auto")


def talk(child: Child, mode: str, conversation: Talk, **options: Any) -> None:
    """Let the SDK connect to the server, agree on the era, and hold `conversation`."""

    async def session() -> None:
        async with Client(f"http://127.0.0.1:{child.port}{child.path}", mode=mode, **options) as client:
            assert client.protocol_version == ("2025-11-25" if mode == "legacy" else MODERN)
            await conversation(client)

    anyio.run(session)


@pytest.mark.parametrize("mode", MODES)
def test_the_sdk_gets_verdicts_lists_and_the_policy(start: Start, mode: str) -> None:
    async def conversation(client: Client) -> None:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"gate", "classify", "route", "score"}
        for command, decision in (("git status", "allow"), ("rm -rf /", "deny"), ("npm install x", "deny")):
            result = await client.call_tool("gate", {"command": command})
            assert isinstance(result, types.CallToolResult)
            assert result.structured_content is not None
            assert result.structured_content["decision"] == decision
        (page,) = (await client.read_resource(POLICY)).contents
        assert isinstance(page, types.TextResourceContents)
        for name, arguments in (
            ("none", {}),
            ("gate", {}),
            ("gate", {"command": "ls", "server": "http://judge.example"}),
        ):
            with pytest.raises(MCPError) as refusal:
                await client.call_tool(name, arguments)
            assert refusal.value.code == -32602

    talk(start(), mode, conversation)


Answer = Callable[[object, types.ElicitRequestParams], Awaitable[types.ElicitResult]]


def asked_of_a_person(action: str, decision: str) -> tuple[list[str], Answer, Talk]:
    """Return what was asked, a person who does `action`, and a conversation that has `decision` come of it."""
    asked: list[str] = []

    async def answer(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        if action in ("approve", "reject"):
            return types.ElicitResult(action="accept", content={"decision": action})
        return types.ElicitResult(action=action)  # type: ignore[arg-type]  # one of its words

    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": "npm install x"})
        assert isinstance(result, types.CallToolResult)
        assert result.structured_content is not None
        assert result.structured_content["decision"] == decision
        assert result.structured_content["layer"] == "human_approval"

    return asked, answer, conversation


@pytest.mark.parametrize(
    ("action", "decision"), [("approve", "allow"), ("reject", "deny"), ("decline", "deny"), ("cancel", "deny")]
)
def test_the_sdk_carries_a_question_to_a_person_and_back(start: Start, action: str, decision: str) -> None:
    asked, answer, conversation = asked_of_a_person(action, decision)
    talk(start("--fail-closed", "ask"), MODERN, conversation, elicitation_callback=answer)
    assert len(asked) == 1
    assert "npm install x" in asked[0]


def test_an_approval_over_http_is_good_for_one_request(start: Start) -> None:
    child = start("--fail-closed", "ask")
    params = {"name": "gate", "arguments": {"command": "npm install x"}}
    meta = META | {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    first = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params | {"_meta": meta}}
    asked = ask(child.port, first).json["result"]
    assert asked["resultType"] == "input_required"
    reply = {"gate_confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    retry = {"requestState": asked["requestState"], "inputResponses": reply}
    second = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params | retry | {"_meta": meta}}
    assert ask(child.port, second).json["result"]["structuredContent"]["decision"] == "allow"
    assert ask(child.port, second).json["result"]["resultType"] == "input_required"


def test_two_servers_that_share_a_key_take_up_each_others_questions_once(
    start: Start, keys: str, tmp_path: Path
) -> None:
    spent = {"PHOCINAE_SPENT_TOKENS_FILE": str(tmp_path / "spent.sqlite")}
    first, second = (start("--fail-closed", "ask", "--state-key-file", keys, **spent) for _ in range(2))
    meta = META | {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    params: Json = {"name": "gate", "arguments": {"command": "npm install x"}, "_meta": meta}
    question: Json = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    asked = ask(first.port, question).json["result"]
    reply = {"gate_confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    retry = {**question, "params": {**params, "requestState": asked["requestState"], "inputResponses": reply}}
    assert ask(second.port, retry).json["result"]["structuredContent"]["decision"] == "allow"
    for child in (first, second):
        assert ask(child.port, retry).json["result"]["resultType"] == "input_required"


def test_a_question_over_http_is_not_answered_over_standard_input(start: Start, keys: str, tmp_path: Path) -> None:
    spent = {"PHOCINAE_SPENT_TOKENS_FILE": str(tmp_path / "spent.sqlite")}
    child = start("--fail-closed", "ask", "--state-key-file", keys, **spent)
    meta = META | {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    params: Json = {"name": "gate", "arguments": {"command": "npm install x"}, "_meta": meta}
    question: Json = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    asked = ask(child.port, question).json["result"]
    reply = {"gate_confirmation": {"action": "accept", "content": {"decision": "approve"}}}
    retry = {**question, "params": {**params, "requestState": asked["requestState"], "inputResponses": reply}}
    done = subprocess.run(
        [isolation.PROGRAM, "serve", "--fail-closed", "ask", "--state-key-file", keys],
        input=json.dumps(retry).encode() + b"\n",
        capture_output=True,
        env=os.environ | spent | {"PHOCINAE_AUDIT_FILE": str(tmp_path / "stdio.jsonl")},
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["result"]["resultType"] == "input_required"
    assert b"another client" in done.stderr
    assert ask(child.port, retry).json["result"]["structuredContent"]["decision"] == "allow"


def test_a_person_of_a_handshake_revision_gets_the_whole_answer(start: Start) -> None:
    async def answer(_context: object, _params: types.ElicitRequestParams) -> types.ElicitResult:
        raise AssertionError("nobody is asked where nothing is remembered")

    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", {"command": "npm install x"})
        assert isinstance(result, types.CallToolResult)
        assert result.structured_content is not None
        assert result.structured_content["decision"] == "ask"

    talk(start("--fail-closed", "ask"), "legacy", conversation, elicitation_callback=answer)


# --- sessions


GREETING: Json = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t"}},
}
PING: Json = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("action", "decision"), [("approve", "allow"), ("reject", "deny"), ("decline", "deny"), ("cancel", "deny")]
)
def test_the_sdk_is_asked_in_the_middle_of_a_call_of_a_session(
    start: Start, keys: str, action: str, decision: str
) -> None:
    asked, answer, conversation = asked_of_a_person(action, decision)
    child = start("--fail-closed", "ask", "--session-secret-file", keys)
    talk(child, "legacy", conversation, elicitation_callback=answer)
    assert len(asked) == 1
    assert "npm install x" in asked[0]


def test_a_session_outlives_the_server_and_ends_when_it_is_deleted(start: Start, keys: str) -> None:
    first, second = (start("--session-secret-file", keys, "--require-session") for _ in range(2))
    ident = ask(first.port, GREETING).headers["mcp-session-id"]
    for child in (first, second):
        assert ask(child.port, PING, Mcp_Session_Id=ident).json["result"] == {}
        assert ask(child.port, PING).status == 400
        assert ask(child.port, PING, MCP_Protocol_Version="2025-11-25").status == 400
        found = ask(child.port, PING, Mcp_Session_Id=ident[:-1])
        assert (found.status, found.json["id"]) == (404, 1)
        # the session's revision holds, whichever served one the field names
        assert ask(child.port, PING, Mcp_Session_Id=ident, MCP_Protocol_Version="2025-06-18").status == 200
        assert ask(child.port, modern("tools/list"), Mcp_Session_Id="stale").status == 200
    assert ask(first.port, b"", method="DELETE", Mcp_Session_Id=ident).status == 204
    for _ in range(2):
        assert ask(first.port, PING, Mcp_Session_Id=ident).status == 404
        assert ask(first.port, b"", method="DELETE", Mcp_Session_Id=ident).status == 404
    assert ask(first.port, b"", method="DELETE").status == 400
    assert ask(first.port, b"", method="DELETE", MCP_Protocol_Version=MODERN).headers["allow"] == "POST"
    assert ask(first.port, b"", method="GET").headers["allow"] == "POST, DELETE"
    assert "mcp-session-id" in ask(first.port, GREETING, Mcp_Session_Id=ident).headers
    assert b"Traceback" not in first.errors


def test_a_reply_counts_only_in_the_session_that_was_asked(start: Start, keys: str) -> None:
    child = start("--fail-closed", "ask", "--session-secret-file", keys, "--human-timeout", "60")
    mine, other = (ask(child.port, GREETING).headers["mcp-session-id"] for _ in range(2))
    asking = Connection(child.port)
    message = {**PING, "method": "tools/call", "params": {"name": "gate", "arguments": {"command": "npm install x"}}}
    asking.send(request(message, Mcp_Session_Id=mine))
    seen = b""
    while b"elicitation/create" not in seen:
        seen += asking.socket.recv(1 << 16)
    question = json.loads(re.findall(rb"data: (.*)\n\n", seen)[0])
    reply = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"decision": "approve"}}}
    for fields in ({}, {"Mcp_Session_Id": other}):
        assert ask(child.port, reply, **fields).status == 202
    assert ask(child.port, {**reply, "id": "phocinae-1"}, Mcp_Session_Id=mine).status == 202
    assert ask(child.port, reply, Mcp_Session_Id=mine).status == 202
    while b'"result"' not in seen:
        seen += asking.socket.recv(1 << 16)
    last = json.loads(re.findall(rb"data: (.*)\n\n", seen)[-1])
    assert last["result"]["structuredContent"]["decision"] == "allow"
    asking.close()


def test_who_does_not_answer_a_question_is_answered_all_the_same(start: Start, keys: str) -> None:
    child = start("--fail-closed", "ask", "--session-secret-file", keys, "--human-timeout", "0.3")
    ident = ask(child.port, GREETING).headers["mcp-session-id"]
    message = {**PING, "method": "tools/call", "params": {"name": "gate", "arguments": {"command": "npm install x"}}}
    found = ask(child.port, message, Mcp_Session_Id=ident)
    kinds = [json.loads(data) for data in re.findall(rb"data: (.*)\n\n", found.body)]
    assert [one.get("method") for one in kinds] == ["elicitation/create", "notifications/cancelled", None]
    assert kinds[-1]["result"]["structuredContent"]["decision"] == "ask"
    slow = start("--fail-closed", "ask", "--session-secret-file", keys)
    waiting = Connection(slow.port)
    waiting.send(request(message, Mcp_Session_Id=ident))
    while b"elicitation/create" not in waiting.socket.recv(1 << 16):
        pass
    assert slow.end()[0] == 0
    waiting.close()


def test_sessions_that_are_required_need_keys() -> None:
    done = subprocess.run([*SERVE, "--require-session"], capture_output=True, timeout=60, check=False)
    assert done.returncode == 3
    assert b"needs serve.session_secret_file as well" in done.stderr
