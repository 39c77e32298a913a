"""The offline judge: the heaviest hit decides, and an allow is what is left."""

from __future__ import annotations

import pytest
from attrs import frozen

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import ALLOWED, ALLOWED_BUT, OfflineJudge, verdict_on
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Command, Gap, Part, PartKind, Reading, Word
from phocinae.domain.verdict import Decision, Hit, Layer, ReadingStatus, Undecided, Verdict, Weight

JUDGE = OfflineJudge(TreeSitterReader(), policy="p1")


def hit(weight: Weight) -> Hit:
    return Hit(rule="r", weight=weight, reason=f"because of {weight.name}")


def test_an_allow_is_what_is_left() -> None:
    assert JUDGE(GateRequest("ls -la")) == Verdict(
        decision=Decision.ALLOW, layer=Layer.L0, reason=ALLOWED, reading=ReadingStatus.COMPLETE, policy="p1"
    )


def test_an_allow_says_what_it_does_not_vouch_for() -> None:
    note = "pytest runs code of the project, which is not judged here."
    assert JUDGE(GateRequest("pytest -q && pytest -x")).reason == f"{ALLOWED_BUT} {note}"
    runners = ["pytest", "ruff check", "mypy src", "eslint src"]
    assert JUDGE(GateRequest("; ".join(runners))).reason.count("which is not judged") == 3


def test_a_denial_says_why_where_and_what_instead() -> None:
    found = JUDGE(GateRequest("ls; rm -rf /"))
    assert isinstance(found, Verdict)
    assert found.to_wire() == {
        "decision": "deny",
        "layer": "L0",
        "reason": "It deletes /, the root of the file system or all that is in it.",
        "hits": [
            {
                "rule": "delete-root",
                "start": 11,
                "end": 12,
                "reason": "It deletes /, the root of the file system or all that is in it.",
                "remedy": "delete one named folder, as in: rm -r ./build",
            }
        ],
        "ceiling": "deny",
        "reading": "complete",
        "policy": "p1",
        "engine": "l0",
    }


@pytest.mark.parametrize(
    ("weights", "decision", "ceiling"),
    [
        ([], Decision.ALLOW, Decision.ALLOW),
        ([Weight.NOTE], Decision.ALLOW, Decision.ALLOW),
        ([Weight.UNSURE, Weight.NOTE], None, Decision.ALLOW),
        ([Weight.PERSON, Weight.UNSURE], None, Decision.ASK),
        ([Weight.DENY, Weight.PERSON], Decision.DENY, Decision.DENY),
    ],
)
def test_the_heaviest_hit_decides(weights: list[Weight], decision: Decision | None, ceiling: Decision) -> None:
    hits = [hit(weight) for weight in weights]
    found = verdict_on(hits, ReadingStatus.COMPLETE, "p")
    assert (getattr(found, "decision", None), found.ceiling, found.hits) == (decision, ceiling, tuple(hits))
    assert decision is Decision.ALLOW or found.reason == hits[0].reason


def test_nothing_is_allowed_that_was_not_read_to_the_end() -> None:
    for status in (ReadingStatus.UNKNOWN, ReadingStatus.REFUSED):
        assert isinstance(verdict_on([], status, ""), Undecided)


@frozen
class FixedReader:
    """A reader with one answer."""

    reading: Reading

    def read(self, text: str) -> Reading:  # noqa: ARG002  # the method of the port has this argument
        return self.reading


LS = Command((), (Word((Part(kind=PartKind.LITERAL, text="ls"),), 0, 2),), (), 0, 2)


def test_a_gap_is_a_hit_for_a_person() -> None:
    reading = Reading(status=ReadingStatus.UNKNOWN, script=LS, gaps=(Gap(1, 2, "a dark corner"),))
    found = OfflineJudge(FixedReader(reading))(GateRequest("ls"))
    assert found == Undecided(
        reason="The text cannot be read to the end: a dark corner.",
        ceiling=Decision.ASK,
        hits=(
            Hit(
                rule="unread",
                weight=Weight.PERSON,
                reason="The text cannot be read to the end: a dark corner.",
                start=1,
                end=2,
            ),
        ),
        reading=ReadingStatus.UNKNOWN,
    )


def test_a_refused_text_is_for_a_person() -> None:
    reading = Reading(status=ReadingStatus.REFUSED, gaps=(Gap(0, 2, "too dark"),))
    found = OfflineJudge(FixedReader(reading))(GateRequest("ls"))
    assert isinstance(found, Undecided)
    assert (found.ceiling, [one.rule for one in found.hits]) == (Decision.ASK, ["does-not-parse"])


@pytest.mark.parametrize("command", ["", " ", "\n", "\t \n"])
def test_nothing_at_all_is_not_allowed(command: str) -> None:
    found = JUDGE(GateRequest(command))
    assert isinstance(found, Undecided)
    assert found.ceiling is Decision.ASK


def test_a_directory_is_a_claim_that_can_only_make_it_stricter() -> None:
    def decide(command: str, cwd: str | None) -> str:
        found = JUDGE(GateRequest(command, cwd))
        return found.decision.wire if isinstance(found, Verdict) else "undecided"

    assert decide("rm -rf build", None) == "undecided"
    assert decide("rm -rf build", "/srv/project") == "undecided"
    assert decide("rm -rf etc", "/") == "deny"
    assert decide("echo x > passwd", "/etc") == "deny"
    assert decide("rm -rf *", "/srv/project") == "deny"
    assert decide("cat config", "/home/ann/.ssh") == "undecided"
    assert decide("cat config", "relative/.ssh") == "allow"
    assert decide("rm -rf .", "/tmp/x") == "deny"


@pytest.mark.parametrize("command", ["type config", "cat config", "more config", "type id_work", "gc config", "dir"])
@pytest.mark.parametrize("folder", ["C:\\Users\\u\\.ssh", "C:/Users/u/.ssh", "d:\\users\\u\\.ssh\\", "C:\\work"])
def test_a_directory_on_a_drive_is_one_of_windows(command: str, folder: str) -> None:
    found = JUDGE(GateRequest(command, folder))
    secret = ".ssh" in folder and command != "dir"
    assert ("reads-secret" in [hit.rule for hit in found.hits]) is secret
    if secret:
        assert found.ceiling is Decision.ASK


@pytest.mark.parametrize("command", ["ls -la", "git status", "find . -name '*.py'", "date +%F", "wc -l *.md", "dir"])
def test_a_directory_on_a_drive_says_nothing_against_what_has_no_sign_of_windows(command: str) -> None:
    assert JUDGE(GateRequest(command, "C:\\work\\project")) == JUDGE(GateRequest(command))


def test_marks_in_the_text_are_no_marks() -> None:
    home, number = "\ue004", "\ue006"
    assert isinstance(JUDGE(GateRequest(f"cat {home}/x")), Undecided)
    assert isinstance(JUDGE(GateRequest(f"[ {number} -eq 1 ]")), Undecided)
    assert isinstance(JUDGE(GateRequest(f"rm -rf {home}")), Undecided)


def test_offsets_are_code_points() -> None:
    found = JUDGE(GateRequest("echo é𝄞; rm -rf /"))
    assert [(one.start, one.end) for one in found.hits] == [(16, 17)]


def test_little_stack_is_no_exception() -> None:
    def deep(levels: int) -> Verdict | Undecided:
        return deep(levels - 1) if levels else JUDGE(GateRequest("{ " * 60 + "rm -rf /; " + "}; " * 60))

    for levels in (0, 500, 850):
        found = deep(levels)
        assert not (isinstance(found, Verdict) and found.decision is Decision.ALLOW)
