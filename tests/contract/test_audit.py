"""One body over all adapters of the port `AuditLog`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.adapters.logs.audit_record import to_record
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Hit, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.ports import AuditLog
from phocinae.service.gate import GateService


@frozen
class ListAudit:
    """Keeps the records in memory."""

    records: list[dict[str, Any]] = field(factory=list)

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        self.records.append(to_record(at, request, verdict))


@frozen
class Arm:
    """An adapter, and how to read what it has recorded."""

    log: AuditLog
    read: Callable[[], list[dict[str, Any]]]


@pytest.fixture(params=["list", "jsonl"])
def arm(request: pytest.FixtureRequest, tmp_path: Path) -> Arm:
    if request.param == "list":
        kept = ListAudit()
        return Arm(kept, lambda: list(kept.records))
    path = tmp_path / "state" / "phocinae" / "audit.jsonl"
    return Arm(
        JsonLinesAudit(str(path)),
        lambda: [plain(line) for line in path.read_text("ascii").splitlines()] if path.exists() else [],
    )


def plain(line: str) -> dict[str, Any]:
    """Return a record without what links it to the one before it."""
    return {name: value for name, value in json.loads(line).items() if name not in ("seq", "chain", "key", "mac")}


VERDICT = Verdict(
    decision=Decision.DENY,
    layer=Layer.L0,
    reason="It deletes the root directory.",
    hits=(Hit(rule="delete", weight=Weight.DENY, reason="all of it", start=0, end=8, remedy="rm -r ./build"),),
    ceiling=Decision.ALLOW,
    reading=ReadingStatus.COMPLETE,
    policy="12ab",
)
AT = 1_790_000_000.25


def test_a_record_is_time_command_cwd_and_the_wire_form(arm: Arm) -> None:
    arm.log.record(AT, GateRequest("rm -rf /", "/srv"), VERDICT)
    assert arm.read() == [
        {"time": "2026-09-21T14:13:20.250Z", "command": "rm -rf /", "cwd": "/srv"} | VERDICT.to_wire()
    ]


def test_records_stay_in_order(arm: Arm) -> None:
    for number in range(5):
        arm.log.record(AT, GateRequest(f"echo {number}"), VERDICT)
    assert [record["command"] for record in arm.read()] == [f"echo {number}" for number in range(5)]


def test_secrets_are_in_no_part_of_a_record(arm: Arm) -> None:
    secret = "hunter2hunter2"
    text = f"TOKEN={secret}"
    verdict = Verdict(
        decision=Decision.ASK,
        layer=Layer.L0,
        reason=f"It sets {text}.",
        hits=(Hit(rule="r", weight=Weight.PERSON, reason=f"It sets {text}.", remedy=f"unset {text}"),),
        error=f"failed at {text}",
    )
    arm.log.record(AT, GateRequest(f"{text} run", f"/srv/{text}"), verdict)
    (record,) = arm.read()
    assert secret not in json.dumps(record)
    assert record["command"] == "TOKEN=REDACTED run"
    assert verdict.hits[0].reason == f"It sets {text}."  # the verdict itself is untouched


@pytest.mark.parametrize(
    "command",
    ["a\nb", "\x1b[2J\u202e", '"\\', "\ud800 and \udc80", "😀" * 100, "\u2028", "\0", "x" * 20_000],
)
def test_any_text_is_recorded_on_one_line(arm: Arm, command: str) -> None:
    arm.log.record(AT, GateRequest(command), VERDICT)
    (record,) = arm.read()
    assert record["command"] == command.encode("utf-8", "backslashreplace").decode()


def test_a_command_past_the_limit_is_cut_and_measured(arm: Arm) -> None:
    arm.log.record(AT, GateRequest("x" * 50_000), VERDICT)
    (record,) = arm.read()
    assert len(record["command"]) == 20_000
    assert record["command_length"] == 50_000


def test_threads_lose_nothing(arm: Arm) -> None:
    def work(name: int) -> None:
        for number in range(50):
            arm.log.record(AT, GateRequest(f"echo {name} {number}"), VERDICT)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    commands = [record["command"] for record in arm.read()]
    assert sorted(commands) == sorted(f"echo {name} {number}" for name in range(8) for number in range(50))


def test_the_gate_records_every_decision(arm: Arm) -> None:
    undecided = Undecided(reason="Not known.", ceiling=Decision.ALLOW)
    gate = GateService(offline=lambda _request: undecided, audit=arm.log, clock=lambda: AT)
    verdicts = [gate.decide("npm install"), gate.decide(""), gate.decide(7)]  # type: ignore[arg-type]  # a hostile caller
    assert [record["decision"] for record in arm.read()] == ["deny"] * 3
    assert [record["command"] for record in arm.read()] == ["npm install", "", None]
    assert [verdict.error for verdict in verdicts] == ["", "empty command", "not a text"]
