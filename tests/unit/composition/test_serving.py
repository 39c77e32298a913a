"""A server that a program has put together is served as our own is."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import transcripts
from phocinae import InvalidSettings, Settings, build_gate, build_server, serve_http

PROGRAM = """
from phocinae import Settings, build_gate, build_server, {serve}

settings = Settings(audit=False, port=0)
server = build_server(settings, build_gate(settings), name="mine", builtin=False)

@server.tool()
def hello(call):
    print("not for the client")
    call.log("error", "said hello")
    return "Hello"

{serve}(server{more})
"""

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "hello"}}


def start(serve: str, more: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(serve=serve, more=more)],
        cwd=folder,
        env=transcripts.environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_over_standard_input_and_output(tmp_path: Path) -> None:
    with start("serve_stdio", "", tmp_path) as child:
        out, err = child.communicate(json.dumps(CALL) + "\n", timeout=60)
    replies = [json.loads(line) for line in out.splitlines()]
    assert [reply["method"] if "method" in reply else reply["id"] for reply in replies] == ["notifications/message", 1]
    assert replies[-1]["result"]["content"] == [{"type": "text", "text": "Hello"}]
    assert "not for the client" in err
    assert "phocinae-mcp[error]: handler: said hello" in err
    assert child.returncode == 0


def test_over_http_until_it_is_told_to_stop(tmp_path: Path) -> None:
    with start("serve_http", ", settings", tmp_path) as child:
        assert child.stderr is not None
        found = re.search(r"mine serves MCP at http://127\.0\.0\.1:(\d+)/mcp", child.stderr.readline())
        assert found
        client = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        client.request("POST", "/mcp", json.dumps(CALL), {"Content-Type": "application/json", "Accept": "*/*"})
        body = client.getresponse().read().decode()
        client.close()
        assert '"text":"Hello"' in body
        child.terminate()
        child.communicate(timeout=60)
    assert child.returncode == 0


def test_no_other_machine_is_served() -> None:
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings))
    with pytest.raises(InvalidSettings, match="this machine alone"):
        serve_http(server, Settings(host="0.0.0.0"))
