"""Conversations as text, one file each, held over every arm: what the client sends, and what comes back to the letter.

A line that starts with ``>`` goes to the server, one with ``<`` comes from it, and ``#`` says
what happens.  What differs from run to run has a name: ``$STATE`` is the last state that the
server gave out, ``$POLICY`` the fingerprint of the policy, ``$VERSION`` the server's version
and ``$TEXT`` a text of a resource.  To write what the server says now into the files, which the next diff shows:
PHOCINAE_TEST_UPDATE=1 sh tools/test tests/contract/test_transcripts.py
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from servers import Client, InMemory

from phocinae import __version__

UPDATE = bool(os.environ.get("PHOCINAE_TEST_UPDATE"))  # read once: no test keeps a variable of that prefix
QUESTION = re.compile(r"[0-9a-f]{32}-([0-9]+)")
"""The id of a question over HTTP, which nobody can guess; elsewhere they are ``phocinae-1`` and so on."""
FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))

Json = dict[str, Any]


class Names:
    """Gives what differs from run to run a name, and a name its value."""

    def __init__(self) -> None:
        self.state = ""
        self.questions: dict[str, str] = {}

    def named(self, value: Any, key: str = "") -> Any:
        """Return a message of the server with names in it."""
        if isinstance(value, dict):
            return {name: self.named(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self.named(one) for one in value]
        if key == "id" and isinstance(value, str) and QUESTION.fullmatch(value):
            name = f"phocinae-{len(self.questions) + 1}"
            self.questions[name] = value
            return name
        if key == "requestState":
            self.state = value
            return "$STATE"
        if key == "policy":
            return "$POLICY"
        if key == "version" and value == __version__:
            return "$VERSION"
        if key == "text" and isinstance(value, str):
            return self._of_text(value)
        return value

    def _of_text(self, text: str) -> str:
        """Return a text that repeats a value with the names of that value, and leave out a whole page."""
        if text.startswith("{"):
            return json.dumps(self.named(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
        return "$TEXT" if len(text) > 1_000 else text

    def valued(self, line: str) -> bytes:
        """Return a line of the client with the values of names."""
        for name, ident in self.questions.items():
            line = line.replace(json.dumps(name), json.dumps(ident))
        return line.replace("$STATE", self.state).encode() + b"\n"


def written(message: object) -> str:
    """Return the line of a transcript for a message of the server."""
    return "< " + json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def said(client: Client, names: Names) -> list[str]:
    """Return all that a server says which does one thing after the other."""
    found = []
    client.write({"jsonrpc": "2.0", "id": "what else?", "method": "ping"})
    while (message := client.read()) != {"jsonrpc": "2.0", "id": "what else?", "result": {}}:
        found.append(written(names.named(message)))
    return found


def rewrite(path: Path) -> None:
    """Put into the file what a conversation in this process says."""
    client, names = InMemory(), Names()
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("<"):
            found.append(line)
        if line.startswith("> "):
            client.write(names.valued(line[2:]))
            found += said(client, names)
    path.write_text("\n".join(found) + "\n", encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_conversation_is_as_it_is_written(connect: Callable[[], Client], arm: str, path: Path) -> None:
    if UPDATE:
        if arm == "conversation":
            rewrite(path)
        return
    if arm == "http" and path.stem == "both_eras":
        pytest.skip("over HTTP a request without a handshake and a header is one of 2025-03-26")
    client, names = connect(), Names()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            client.write(names.valued(line[2:]))
        elif line.startswith("< "):
            assert written(names.named(client.read())) == line, "if it is right, PHOCINAE_TEST_UPDATE=1 writes it down"
    assert client.is_silent()


def test_there_is_a_conversation_of_each_era_and_kind() -> None:
    names = {path.stem for path in FILES}
    assert names >= {"modern", "modern_rounds", "bad_lines", "both_eras"}
    assert names >= {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert all(line[:2] in ("> ", "< ", "# ", "") for line in lines), path
        assert any(line.startswith("< ") for line in lines), path
