"""The examples of the documents run as they stand, and print what they are meant to show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import transcripts

EXAMPLES = transcripts.ROOT / "docs" / "examples"

PRINTED = {
    "decision_service.py": """\
allow L0 l0 git status
allow L1 mock make docs
deny L1 mock make deploy
deny fail_closed mock make release
"make docs"
{'choice': 0, 'label': 'bug', 'model': 'mock', 'engine': 'mock', 'truncated': False}
no answer: the service is down
""",
    "embed.py": """\
would run echo hello
not run, deny
not run, ask
allow L0 echo hello
deny L0 shutdown now
ask L1 npm install left-pad
""",
    "embed_async.py": """\
may run:     git status
may not run: git push --force origin main
may not run: make deploy
""",
}


SERVERS = {"notes_server.py"}
"""The examples that serve on standard input and output."""


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED) | SERVERS


def test_the_server_for_notes_answers(tmp_path: Path) -> None:
    def call(ident: int, method: str, **params: object) -> str:
        return json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    form: dict[str, Any] = {"elicitation": {}}
    hello = {"protocolVersion": "2025-11-25", "capabilities": form, "clientInfo": {"name": "test", "version": "1"}}
    requests = (
        call(1, "initialize", **hello),
        call(2, "tools/call", name="write", arguments={"name": "cat", "text": "Feed the cat."}),
    )
    first = served("notes_server.py", requests, tmp_path)
    assert first[2]["content"] == [{"type": "text", "text": "Written."}]
    answers = served(
        "notes_server.py",
        (
            call(1, "tools/call", name="count"),
            call(2, "initialize", **hello),
            call(3, "prompts/get", name="remind", arguments={"name": "milk"}),
            call(4, "resources/read", uri="notes://by-name/tax"),
            call(5, "completion/complete", ref={"type": "ref/prompt", "name": "remind"}, argument=PARTIAL),
            call(6, "tools/list"),
        ),
        tmp_path,
    )
    assert answers[1]["content"] == [{"type": "text", "text": '{"words":5}'}]
    assert answers[3]["messages"][0]["content"]["text"] == "Remind me of this tomorrow: Buy milk."
    assert answers[4]["contents"][0]["text"] == "Pay the tax."
    assert answers[5]["completion"]["values"] == ["milk"]
    assert [tool["name"] for tool in answers[6]["tools"]] == ["write", "count", "clear"]


PARTIAL = {"name": "name", "value": "m"}


def served(name: str, requests: tuple[str, ...], folder: Path) -> dict[int, Any]:
    """Return the results of `requests` to the server of an example, by their ids."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)],
        cwd=folder,
        env=transcripts.environment(folder),
        input="\n".join(requests) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    return {reply["id"]: reply["result"] for reply in replies if "result" in reply}


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_an_example_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)],
        cwd=tmp_path,
        env=transcripts.environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", PRINTED[name])


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_the_page_on_embedding_names_the_example(name: str) -> None:
    page = (transcripts.ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    assert f"(examples/{name})" in page


@pytest.mark.parametrize("name", sorted(SERVERS))
def test_the_page_on_extending_names_the_example(name: str) -> None:
    page = (transcripts.ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    assert f"(examples/{name})" in page
