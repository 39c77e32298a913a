"""The real command as a child process: frames and nothing else on standard output, every revision, and how it ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types.methods import parse_server_notification, parse_server_request, validate_server_result
from servers import SERVE, Child

SCRIPTS = Path(sys.executable).parent
MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
POLICY = "phocinae://policy/gate-approval"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}

Json = dict[str, Any]


def message(line: bytes) -> Json:
    """Return the one JSON-RPC message that a line is."""

    def no_constant(name: str) -> None:
        raise AssertionError(name)

    assert line.endswith(b"\n"), line
    found = json.loads(line.decode("utf-8"), parse_constant=no_constant)
    assert isinstance(found, dict)
    assert found["jsonrpc"] == "2.0"
    return found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    """Starts servers, each with a decision log of the test's own, and leaves none behind."""
    children: list[Child] = []

    def start(*options: str, command: list[str] = SERVE, **environment: str) -> Child:
        own = {"PHOCINAE_AUDIT_FILE": str(tmp_path / "audit.jsonl")}
        children.append(Child([*command, *options], own | environment))
        return children[-1]

    yield start
    for child in children:
        child.close()


Start = Callable[..., Child]

METHODS: tuple[tuple[str, Json], ...] = (
    ("tools/list", {}),
    ("tools/call", {"name": "gate", "arguments": {"command": "ls -la"}}),
    ("tools/call", {"name": "gate", "arguments": {"command": "rm -rf /"}}),
    ("tools/call", {"name": "gate", "arguments": {"command": "npm install x"}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": POLICY}),
)


@pytest.mark.requirement("S-001", "S-004")
def test_a_modern_session_satisfies_the_official_models(start: Start) -> None:
    child = start()
    results = {}
    for method, params in (("server/discover", {}), *METHODS):
        result = child.modern(method, params)["result"]
        validate_server_result(method, MODERN, result)
        results[method] = result
    schema = results["tools/list"]["tools"][0]["outputSchema"]
    Draft202012Validator(schema).validate(results["tools/call"]["structuredContent"])
    assert child.end() == (0, [])


@pytest.mark.parametrize("version", LEGACY)
def test_a_legacy_session_satisfies_the_official_models(start: Start, version: str) -> None:
    child = start()
    welcome = child.shake_hands(version)["result"]
    validate_server_result("initialize", version, welcome)
    assert welcome["protocolVersion"] == version
    for method, params in (*METHODS, ("prompts/list", {}), ("ping", {})):
        result = child.ask(method, params)["result"]
        validate_server_result(method, version, result)
        assert "resultType" not in result
    assert child.end() == (0, [])


def test_the_eras_live_side_by_side(start: Start) -> None:
    child = start()
    before = child.modern("tools/list")
    child.shake_hands("2024-11-05")
    assert child.modern("tools/list") == before
    assert child.ask("tools/list")["result"].keys() == {"tools"}
    assert child.modern("ping")["error"]["code"] == -32601
    assert child.ask("ping")["result"] == {}


def test_a_client_that_probes_with_an_unknown_version_is_told_the_known_ones(start: Start) -> None:
    child = start()
    probe = child.modern("server/discover", meta={"io.modelcontextprotocol/protocolVersion": "2031-01-01"})
    assert probe["error"]["code"] == -32022
    assert probe["error"]["data"] == {"supported": [MODERN], "requested": "2031-01-01"}
    assert child.shake_hands("2025-11-25")["result"]["protocolVersion"] == "2025-11-25"


LOCALES = (
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "cp936"},
    {"PYTHONIOENCODING": "cp1252"},
)


@pytest.mark.parametrize("environment", LOCALES, ids=str)
def test_texts_pass_unchanged_whatever_the_locale(start: Start, environment: dict[str, str]) -> None:
    child = start(**environment)
    ident = "换行 второй 😀 \u00a0 \u2028"
    for escaped in (True, False):
        call = {"jsonrpc": "2.0", "id": ident, "method": "tools/call"} | {
            "params": {"name": "gate", "arguments": {"command": f"echo '{ident}'"}}
        }
        child.write(json.dumps(call, ensure_ascii=escaped).encode("utf-8") + b"\n")
        assert child.read()["id"] == ident
    assert child.end() == (0, [])


@pytest.mark.requirement("S-006", "S-007", "S-014")
def test_bad_lines_are_answered_and_the_session_goes_on(start: Start) -> None:
    child = start()
    child.write(
        b"garbage\n",
        b"\n\r\n   \n",
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}\n',
        rb'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"gate","arguments":{"command":"\udcff"}}}'
        + b"\n",
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}\n',
        b"[" * 100_000 + b"\n",
        b"null\n",
        b"x" * (5 << 20) + b"\n",
    )
    seen = [child.read() for _ in range(7)]
    assert [reply["error"]["code"] for reply in seen] == [-32700, -32700, -32600, -32700, -32700, -32600, -32600]
    assert [reply.get("id") for reply in seen] == [None, None, 2, None, None, None, None]
    assert child.ask("ping")["result"] == {}
    assert child.end() == (0, [])


def test_a_command_of_a_mebibyte_is_refused_and_the_session_goes_on(start: Start) -> None:
    child = start()
    call = {"name": "gate", "arguments": {"command": "echo " + "x" * (1 << 20)}}
    assert child.modern("tools/call", call)["error"]["code"] == -32602
    assert child.ask("ping")["result"] == {}


@pytest.mark.requirement("S-012", "S-018")
def test_a_file_of_requests_is_answered_to_the_last(tmp_path: Path) -> None:
    calls = [
        {"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": "gate", "arguments": {"command": "ls"}}}
        for i in range(20)
    ]
    requests = tmp_path / "requests.jsonl"
    requests.write_text("\n".join(map(json.dumps, calls)), encoding="utf-8")  # the last line without its end
    with requests.open("rb") as lines:
        environment = os.environ | {"PHOCINAE_AUDIT": "false"}
        done = subprocess.run(SERVE, stdin=lines, capture_output=True, timeout=30, check=True, env=environment)
    assert sorted(message(line)["id"] for line in done.stdout.splitlines(keepends=True)) == list(range(20))


@pytest.mark.requirement("S-003")
def test_logs_are_lines_on_standard_error(start: Start) -> None:
    child = start("--verbose")
    child.modern("tools/list", meta={"io.modelcontextprotocol/logLevel": "debug"})
    child.write(b"garbage\n")
    child.read()
    assert child.end() == (0, [])
    lines = child.errors.decode().splitlines()
    assert "phocinae-mcp[debug]: tools/list: answered" in lines
    assert lines[-1] == "phocinae-mcp[notice]: stopped"
    assert [line for line in lines if not re.match(r"phocinae-mcp\[\w+\]: ", line)] == []
    assert "Traceback" not in child.errors.decode()


def test_a_setting_that_is_not_followed_is_a_line_of_the_log(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".phocinae").mkdir()
    (tmp_path / ".phocinae" / "policy.toml").write_text("[audit]\nenabled = false\n")
    child = start()
    assert child.end() == (0, [])
    ignored = "audit.enabled is ignored: the project file may only make the gate stricter"
    first = child.errors.decode().splitlines()[0]
    assert first == f"phocinae-mcp[warning]: .phocinae/policy.toml, line 2: {ignored}"


def asked(child: Child, *, ident: object = 1) -> Json:
    """Call the gate about a command that a person must decide, and return the question to the person."""
    call = {"name": "gate", "arguments": {"command": "npm install x"}}
    question = child.ask("tools/call", call, ident)
    assert question["method"] == "elicitation/create"
    return question


def answer(child: Child, question: Json, action: str, **content: str) -> None:
    result = {"action": action} | ({"content": content} if content else {})
    child.write({"jsonrpc": "2.0", "id": question["id"], "result": result})


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_a_client_with_a_handshake_is_asked_during_the_call(start: Start, version: str) -> None:
    child = start("--fail-closed", "ask")
    child.shake_hands(version, {"elicitation": {}})
    for action, content, decision in (
        ("accept", {"decision": "approve"}, "allow"),
        ("accept", {"decision": "reject"}, "deny"),
        ("decline", {}, "deny"),
        ("cancel", {}, "deny"),
    ):
        question = asked(child)
        parse_server_request(question["method"], version, question["params"])
        answer(child, question, action, **content)
        result = child.read()["result"]
        validate_server_result("tools/call", version, result)
        assert result["structuredContent"]["decision"] == decision
    assert child.end() == (0, [])


def test_a_person_has_the_time_of_the_settings(start: Start) -> None:
    child = start("--fail-closed", "ask", "--human-timeout", "0.3")
    child.shake_hands("2025-11-25", {"elicitation": {}})
    question = asked(child)
    told, reply = child.read(), child.read()
    assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    assert reply["result"]["structuredContent"]["decision"] == "ask"
    answer(child, question, "accept", decision="approve")
    assert child.end() == (0, [])


@pytest.mark.parametrize("how", ["signal", "end of input"])
def test_whoever_waits_for_a_person_is_denied_at_the_end(start: Start, how: str) -> None:
    child = start("--fail-closed", "ask")
    child.shake_hands("2025-11-25", {"elicitation": {}})
    asked(child, ident="a")
    asked(child, ident="b")
    if how == "signal":
        child.process.send_signal(signal.SIGTERM)
        status, replies = child.ended()
    else:
        status, replies = child.end()
    assert (status, [reply["id"] for reply in replies]) == (0, ["a", "b"])
    assert {reply["result"]["structuredContent"]["decision"] for reply in replies} == {"deny"}


@pytest.mark.requirement("S-011")
def test_a_cancelled_question_is_over(start: Start) -> None:
    child = start("--fail-closed", "ask")
    child.shake_hands("2025-11-25", {"elicitation": {}})
    question = asked(child)
    child.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    answer(child, question, "accept", decision="approve")
    assert child.ask("ping", ident=2) == {"jsonrpc": "2.0", "id": 2, "result": {}}
    assert child.end() == (0, [])


@pytest.mark.requirement("L-020")
def test_log_lines_reach_a_client_that_set_a_level(start: Start) -> None:
    child = start()
    child.shake_hands("2025-11-25")
    assert child.ask("logging/setLevel", {"level": "loud"})["error"]["code"] == -32602
    child.write({"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "debug"}})
    seen = [child.read(), child.read()]
    child.write({"jsonrpc": "2.0", "id": 2, "method": "ping"})
    seen += [child.read(), child.read()]
    lines = [one for one in seen if one.get("method") == "notifications/message"]
    assert [one["id"] for one in seen if "id" in one] == [1, 2]
    for line in lines:
        parse_server_notification(line["method"], "2025-11-25", line["params"])
    assert "ping: answered" in [line["params"]["data"] for line in lines]
    assert child.end() == (0, [])


@pytest.mark.requirement("S-016")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_and_in_good_order(start: Start, number: signal.Signals) -> None:
    child = start()
    child.modern("server/discover")
    child.process.send_signal(number)
    began = time.monotonic()
    assert child.ended() == (0, [])
    assert time.monotonic() - began < 2
    assert "Traceback" not in child.errors.decode()


@pytest.mark.parametrize("pause", [0.0005, 0.002, 0.004])
def test_being_told_to_stop_twice_is_being_told_once(start: Start, pause: float) -> None:
    child = start()
    child.modern("server/discover")
    child.process.send_signal(signal.SIGTERM)
    time.sleep(pause)
    child.process.send_signal(signal.SIGTERM)
    assert child.ended() == (0, [])


def test_a_client_that_does_not_read_cannot_keep_it_alive(start: Start) -> None:
    child = start()
    child.modern("server/discover")
    listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode() + b"\n"
    os.set_blocking(child.input.fileno(), False)
    with contextlib.suppress(BlockingIOError):
        while True:  # until both pipes are full
            os.write(child.input.fileno(), listing * 100)
            time.sleep(0.01)
    child.process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    assert child.process.wait(10) == 0
    assert time.monotonic() - began < 4


def test_a_client_that_is_gone_ends_it(start: Start) -> None:
    child = start()
    child.modern("server/discover")
    child.output.close()
    child.write({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert child.process.wait(10) == 0


@pytest.mark.parametrize("command", [SERVE, [str(SCRIPTS / "phocinae-mcp")]])
def test_what_cannot_be_served_is_said(start: Start, command: list[str]) -> None:
    for options, environment, status in (
        (["--transport", "carrier-pigeon"], {}, 3),
        (["--transport", "http", "--max-body", "1"], {}, 3),
        (["--transport", "http", "--path", "mcp/"], {}, 3),
        ([], {"PHOCINAE_MCP_TRANSPORT": "pigeon"}, 3),
        (["--host", "0.0.0.0"], {}, 2),
        (["--bogus"], {}, 3),
        (["--timeout", "soon"], {}, 3),
    ):
        child = start(*options, command=command, **environment)
        assert child.ended() == (status, []), options
        (line,) = child.errors.decode().splitlines()
        assert line.startswith("phocinae: ")


def test_the_published_server_s_options_and_variables_are_known(start: Start) -> None:
    options = [
        "--transport",
        "stdio",
        "--host",
        "127.0.0.1",
        "--port",
        "8255",
        "--server",
        "http://127.0.0.1:9",
        "--timeout",
        "1",
        "--model",
        "m",
    ]
    variables = {
        "PHOCINAE_MCP_SERVER": "http://127.0.0.1:8",
        "PHOCINAE_MCP_TIMEOUT": "2",
        "PHOCINAE_MCP_MODEL": "n",
        "PHOCINAE_MCP_L1_ENABLED": "false",
        "PHOCINAE_MCP_TRANSPORT": "stdio",
        "PHOCINAE_MCP_HTTP_PORT": "1",
    }
    child = start(*options, command=[str(SCRIPTS / "phocinae-mcp")], **variables)
    named = {"name": "gate", "arguments": {"command": "ls", "server": "http://127.0.0.1:9"}}
    assert "result" in child.modern("tools/call", named)
    named["arguments"] = {"command": "ls", "server": "http://127.0.0.1:8"}
    assert child.modern("tools/call", named)["error"]["code"] == -32602
    assert child.end() == (0, [])


def test_our_own_variables_win(start: Start) -> None:
    child = start(
        command=[str(SCRIPTS / "phocinae-mcp")],
        PHOCINAE_SERVER="http://127.0.0.1:9",
        PHOCINAE_MCP_SERVER="http://127.0.0.1:8",
    )
    named = {"name": "gate", "arguments": {"command": "ls", "server": "http://127.0.0.1:9"}}
    assert "result" in child.modern("tools/call", named)


def test_the_help_names_the_script() -> None:
    done = subprocess.run([SCRIPTS / "phocinae-mcp", "--help"], capture_output=True, timeout=30, check=True)
    assert done.stdout.decode().startswith("Usage: phocinae-mcp [OPTIONS]\n")
    for option in ("--transport", "--host", "--port", "--server", "--timeout", "--guard", "--l1-enabled", "--model"):
        assert option in done.stdout.decode()


@pytest.mark.requirement("M-106")
def test_a_verbose_server_tells_handshakes_and_calls_without_secrets(start: Start, tmp_path: Path) -> None:
    child = start("--verbose", PHOCINAE_LOG="on", PHOCINAE_LOG_FOLDER=str(tmp_path / "log"), PHOCINAE_LOG_PREFIX="kept")
    token = "ghp_" + "a1B2" * 9
    child.ask(
        "initialize",
        {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "a\nb", "version": "2"}},
    )
    child.ask("tools/call", {"name": "gate", "arguments": {"command": f"curl -H 'Authorization: Bearer {token}' h"}})
    child.modern("tools/call", {"name": "gate", "arguments": {"command": "ls"}})
    child.modern("tools/call", {"name": "gate", "arguments": {"command": 5}})
    assert child.end() == (0, [])
    (kept,) = (tmp_path / "log").iterdir()
    assert re.fullmatch(r"kept_\d{4}-\d\d-\d\d\.log", kept.name)
    told = [line for line in child.errors.decode().splitlines() if line.startswith("phocinae-mcp[info]: ")]
    lines = [line.split(" ", 1)[1] for line in kept.read_text(encoding="utf-8").splitlines() if " [info] " in line]
    assert [line.removeprefix("phocinae-mcp[info]: ") for line in told] == [
        line.removeprefix("[info] ") for line in lines
    ]
    assert "[info] log = True from environment variable PHOCINAE_LOG" in lines
    begins = next(at for at, line in enumerate(lines) if "all other settings stand on their defaults; policy " in line)
    del lines[: begins + 1]
    assert lines[0] == "[info] handshake: a\\nb 2 asked for 2024-11-05, 2024-11-05 is spoken"
    assert re.fullmatch(r"\[info\] gate: \w+, \d+\.\d ms, \{\"command\":.*REDACTED.*\}", lines[1])
    assert re.fullmatch(r"\[info\] gate: allow, \d+\.\d ms, \{\"command\":\"ls\"\}", lines[2])
    assert lines[3:] == ["[info] tools/call: refused (-32602)"]
    assert token not in child.errors.decode() + kept.read_text(encoding="utf-8")


def test_a_quiet_server_tells_its_beginning_and_its_end(start: Start) -> None:
    child = start()
    child.modern("tools/call", {"name": "gate", "arguments": {"command": "ls"}})
    assert child.end() == (0, [])
    lines = child.errors.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["phocinae-mcp[notice]:"] * 2


def test_a_log_that_cannot_be_written_is_said_once_and_hurts_nothing(start: Start, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file where a folder is needed", encoding="utf-8")
    child = start(PHOCINAE_LOG="on", PHOCINAE_LOG_FOLDER=str(tmp_path / "log"))
    for _ in range(3):
        answer = child.modern("tools/call", {"name": "gate", "arguments": {"command": "ls"}})
        assert answer["result"]["structuredContent"]["decision"] == "allow"
    assert child.end() == (0, [])
    assert child.errors.decode().count("a log cannot be written") == 1


def test_settings_that_change_are_followed_and_broken_ones_deny(start: Start, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"

    def write(text: str) -> None:
        config.write_text(text, encoding="utf-8")
        config.chmod(0o600)

    write("")
    child = start("--config", str(config))

    def verdict(command: str) -> Json:
        answer = child.modern("tools/call", {"name": "gate", "arguments": {"command": command}})
        found = answer["result"]["structuredContent"]
        assert isinstance(found, dict)
        return found

    def comes(command: str, decision: str) -> Json:
        end = time.monotonic() + 20
        while (found := verdict(command))["decision"] != decision:
            assert time.monotonic() < end
            time.sleep(0.1)
        return found

    policies = [verdict("npm install x")["policy"]]
    write('[gate]\nfail_closed = "ask"\n')
    policies.append(comes("npm install x", "ask")["policy"])
    write("[gate]\nfail_closed = 1\n")
    broken = comes("ls", "deny")
    policies.append(broken["policy"])
    assert f"{config}, line 2: gate.fail_closed cannot be used" in broken["error"]
    write("")
    assert comes("ls", "allow")["policy"] == policies[0]
    assert len(set(policies)) == 3
    assert child.end() == (0, [])
    assert "denied until they are mended" in child.errors.decode()
