"""Texts in every writing pass a server process unchanged, whatever the locale, in both eras and in all spellings."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from servers import SERVE, Child

Json = dict[str, Any]

LOCALES = tuple(
    {"LC_ALL": locale, "PYTHONIOENCODING": encoding, "PYTHONUTF8": utf8}
    for locale, encoding in (
        ("C", ""),
        ("POSIX", "ascii"),
        ("C", "cp1252"),
        ("zh_CN.GBK", "cp936"),
        ("en_US", "cp1252"),
    )
    for utf8 in ("0", "1")
)
TEXTS = (
    "安装 软件包 并「重启」",
    "😀 👩‍👩‍👧 🏳️‍🌈",
    "שלום עולם مرحبا \u202eabc\u202c \u200f",
    "naïve ÿ € Ω \u00a0\u2028\u2029\u0085",
    "𠮷𝔘 \U0010fffd \ufffd",
)


@pytest.fixture(params=LOCALES, ids=lambda locale: "-".join(locale.values()))
def child(request: pytest.FixtureRequest, surroundings: dict[str, str]) -> Iterator[Child]:
    """A server that asks, under one locale."""
    environment = surroundings | {"PHOCINAE_AUDIT": "false"} | request.param
    found = Child([*SERVE, "--fail-closed", "ask", "--backend", "mock", "--verbose"], environment)
    yield found
    found.close()


def written(message: Json, *, escaped: bool) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | message, ensure_ascii=escaped).encode("utf-8") + b"\n"


@pytest.mark.requirement("S-001", "S-003", "J-007")
def test_texts_come_back_unchanged(child: Child) -> None:
    child.shake_hands("2025-11-25", {"elicitation": {}})
    for text in TEXTS:
        for escaped in (True, False):
            labels = {"state": text, "labels": [text, "other"]}
            classify = {"id": text, "method": "tools/call", "params": {"name": "classify", "arguments": labels}}
            child.write(written(classify, escaped=escaped))
            reply = child.read()
            assert reply["id"] == text
            assert reply["result"]["structuredContent"]["label"] == text
            assert json.loads(reply["result"]["content"][0]["text"])["label"] == text
            child.write(written({"id": 1, "method": "resources/read", "params": {"uri": text}}, escaped=escaped))
            assert child.read()["error"]["data"] == {"uri": text}
    status, rest = child.end()
    assert (status, rest) == (0, [])
    errors = child.errors.decode("utf-8")
    assert [line for line in errors.splitlines() if not line.startswith(("phocinae-mcp[", "phocinae: "))] == []


@pytest.mark.requirement("S-001")
def test_a_person_is_shown_the_command_as_it_is(child: Child) -> None:
    child.shake_hands("2025-11-25", {"elicitation": {}})
    for number, text in enumerate(TEXTS[:2]):
        call = {"name": "gate", "arguments": {"command": f"npm install '{text}'"}}
        child.write(written({"id": number, "method": "tools/call", "params": call}, escaped=False))
        question = child.read()
        assert text.split()[0] in question["params"]["message"]
        child.write({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})
        assert child.read()["id"] == number


@pytest.mark.requirement("S-007", "S-012", "S-013", "S-004", "S-018")
def test_lines_may_end_in_two_ways_and_blank_ones_are_skipped(surroundings: dict[str, str]) -> None:
    ping = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'
    sent = b"\r\n\n  \t\n" + ping % 1 + b"\r\n\r\n" + ping % 2 + b"\n" + b"  " + ping % 3 + b" \r\n" + ping % 4
    environment = os.environ | surroundings | {"PHOCINAE_AUDIT": "false"}
    done = subprocess.run(SERVE, input=sent, capture_output=True, timeout=60, check=True, env=environment)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"jsonrpc": "2.0", "id": number, "result": {}} for number in (1, 2, 3, 4)
    ]
    assert b"\r" not in done.stdout
