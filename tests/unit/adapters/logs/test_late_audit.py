"""Decisions that are recorded once their answers have left."""

from __future__ import annotations

import threading

from phocinae.adapters.logs.late_audit import LateRecords
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.errors import AuditFailed

VERDICT = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="it is harmless")


class Kept:
    """A log that keeps commands, and fails for those that it is told to fail for."""

    def __init__(self, failing: dict[str, Exception] | None = None) -> None:
        self.commands: list[str] = []
        self.failing = failing or {}

    def record(self, _at: float, request: GateRequest, _verdict: Verdict) -> None:
        if request.command in self.failing:
            raise self.failing[request.command]
        self.commands.append(request.command)


def test_a_decision_is_recorded_by_the_next_write_and_once() -> None:
    kept, late = Kept(), LateRecords(lambda _message: None)
    log = late.behind(kept)
    log.record(1.0, GateRequest("ls"), VERDICT)
    log.record(2.0, GateRequest("pwd"), VERDICT)
    assert kept.commands == []
    late.write()
    late.write()
    assert kept.commands == ["ls", "pwd"]


def test_each_decision_goes_to_the_log_that_it_was_given_to() -> None:
    one, two, late = Kept(), Kept(), LateRecords(lambda _message: None)
    late.behind(one).record(1.0, GateRequest("ls"), VERDICT)
    late.behind(two).record(1.0, GateRequest("pwd"), VERDICT)
    late.write()
    assert (one.commands, two.commands) == (["ls"], ["pwd"])


def test_a_record_that_fails_is_told_and_loses_no_other() -> None:
    told: list[str] = []
    kept = Kept({"ls": AuditFailed("/x: No space left on device"), "pwd": RuntimeError("a secret")})
    late = LateRecords(told.append)
    log = late.behind(kept)
    for command in ("ls", "pwd", "id"):
        log.record(1.0, GateRequest(command), VERDICT)
    late.write()
    assert kept.commands == ["id"]
    assert told == [
        "the decision could not be recorded: /x: No space left on device",
        "the decision could not be recorded: RuntimeError",
    ]


def test_threads_that_write_at_once_write_each_decision_once() -> None:
    kept, late = Kept(), LateRecords(lambda _message: None)
    log = late.behind(kept)
    commands = [f"ls {number}" for number in range(2_000)]
    for command in commands:
        log.record(1.0, GateRequest(command), VERDICT)
    threads = [threading.Thread(target=late.write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kept.commands) == sorted(commands)
