from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters.logs import audit_resume
from phocinae.adapters.logs.audit_files import AuditFiles
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.adapters.logs.audit_verify import head, verify
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.errors import AuditFailed

VERDICT = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="fine")
AT = 0.0
NAME = "audit.jsonl"


def write(folder: Path, *commands: str, said: list[str] | None = None, **options: Any) -> None:
    """Write records as one process does that has not written before."""
    log = JsonLinesAudit(str(folder / NAME), warn=None if said is None else said.append, **options)
    for command in commands:
        log.record(AT, GateRequest(command), VERDICT)


def lines(folder: Path) -> list[str]:
    """Return the command or the event of each line of the file in use; what is neither as it is."""
    found = []
    for line in (folder / NAME).read_text("ascii").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            found.append(line)
        else:
            found.append(record.get("event") or record["command"])
    return found


def kinds(folder: Path) -> list[str]:
    return [fault.kind for fault in verify(str(folder / NAME)).faults]


def older_head(folder: Path, *commands: str) -> None:
    """Write records, and put the head back that was there before them: a crash before it was written."""
    path = folder / "audit.head"
    before = path.read_bytes()
    write(folder, *commands)
    path.write_bytes(before)


@pytest.mark.parametrize("count", [1, 2])
def test_records_that_the_head_does_not_know_yet_are_taken_up(tmp_path: Path, count: int) -> None:
    write(tmp_path, "first")
    older_head(tmp_path, *["ahead"] * count)
    assert verify(str(tmp_path / NAME)).intact
    write(tmp_path, "next")
    assert lines(tmp_path) == ["first", *["ahead"] * count, "next"]
    assert verify(str(tmp_path / NAME)).notes == ()
    assert head(str(tmp_path / NAME)).seq == count + 2


def test_a_head_that_was_put_back_is_said(tmp_path: Path) -> None:
    write(tmp_path, "first")
    older_head(tmp_path, *"abc")
    write(tmp_path, "next")
    assert lines(tmp_path) == ["first", "a", "b", "c", "recovered", "next"]
    assert kinds(tmp_path) == ["head"]


def test_a_record_in_flight_that_is_torn_costs_no_other(tmp_path: Path) -> None:
    write(tmp_path, "first")
    older_head(tmp_path, "whole")
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"seq":3,"time"')
    write(tmp_path, "next")
    assert lines(tmp_path) == ["first", "whole", '{"seq":3,"time"', "recovered", "next"]
    assert verify(str(tmp_path / NAME)).intact


def test_lines_of_others_are_said_and_left_as_they_are(tmp_path: Path) -> None:
    said: list[str] = []
    write(tmp_path, "first")
    with (tmp_path / NAME).open("ab") as file:
        file.write(b"mine\nmine too")
    write(tmp_path, "next", said=said)
    assert lines(tmp_path) == ["first", "mine", "mine too", "recovered", "next"]
    assert kinds(tmp_path) == ["inserted"]


def shorten(folder: Path) -> None:
    path = folder / NAME
    os.truncate(path, path.stat().st_size - 20)


def cut(folder: Path) -> None:
    path = folder / NAME
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])


def replace(folder: Path) -> None:
    path = folder / NAME
    path.write_bytes(b"x" * (path.stat().st_size - 1) + b"\n")


def empty(folder: Path) -> None:
    os.truncate(folder / NAME, 0)


def lose_all_but_key(folder: Path) -> None:
    (folder / NAME).rename(folder / AuditFiles(str(folder / NAME)).aside(1))
    (folder / "audit.head").unlink()


def other_key(folder: Path) -> None:
    (folder / "audit.key").write_text("12" * 16 + "34" * 16 + "\n", encoding="ascii")


def spoil(name: str, content: bytes) -> Callable[[Path], None]:
    def spoiled(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return spoiled


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


LOSSES: list[tuple[Callable[[Path], None], str]] = [
    (remove(NAME), "it is missing or empty"),
    (empty, "it is missing or empty"),
    (shorten, "it is shorter than its head says"),
    (cut, "it is shorter than its head says"),
    (replace, "it does not go on from where its head says"),
    (remove("audit.head"), "its head is missing"),
    (spoil("audit.head", b""), "its head is missing"),
    (lose_all_but_key, "its head is missing"),
    (spoil("audit.head", b"x"), "its head is broken"),
    (spoil("audit.head", b"x" * 4096), "its head is broken"),
    (remove("audit.key"), "its key is missing"),
    (other_key, "its key was changed"),
]


UNSEEN = ("it does not go on from where its head says",)
"""What a process that keeps the log open does not look at, as long as head and length are what it left."""


@pytest.mark.parametrize(
    ("harm", "why", "kept_open"),
    [(*loss, False) for loss in LOSSES] + [(*loss, True) for loss in LOSSES if loss[1] not in UNSEEN],
)
def test_a_log_that_does_not_go_on_is_begun_anew_loudly_and_nothing_is_overwritten(
    tmp_path: Path, harm: Callable[[Path], None], why: str, kept_open: bool
) -> None:
    said: list[str] = []
    log = JsonLinesAudit(str(tmp_path / NAME), warn=said.append)
    for command in ("first", "second"):
        log.record(AT, GateRequest(command), VERDICT)
    if not kept_open:
        log = JsonLinesAudit(str(tmp_path / NAME), warn=said.append)
    harm(tmp_path)
    left = (tmp_path / NAME).read_bytes() if (tmp_path / NAME).exists() else b""
    log.record(AT, GateRequest("third"), VERDICT)
    assert said == [f"the decision log {tmp_path / NAME} was begun anew: {why}; see `phocinae audit verify`"]
    content = (tmp_path / NAME).read_bytes()
    assert content.startswith(left)
    event, third = (json.loads(line) for line in content.splitlines()[-2:])
    assert (event["event"], event["why"]) == ("restarted", f"the log was begun anew: {why}")
    assert (event["seq"], third["seq"], third["command"]) == (3, 4, "third")
    assert "restarted" in kinds(tmp_path)
    said.clear()
    write(tmp_path, "fourth", said=said)
    log.record(AT, GateRequest("fifth"), VERDICT)
    assert said == []
    assert lines(tmp_path)[-3:] == ["third", "fourth", "fifth"]
    assert head(str(tmp_path / NAME)).seq == 6


@pytest.mark.parametrize("harm", [remove("audit.key"), other_key])
def test_processes_agree_on_a_new_key_after_one_that_is_gone(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    log = JsonLinesAudit(str(tmp_path / NAME))
    log.record(AT, GateRequest("first"), VERDICT)
    harm(tmp_path)
    log.record(AT, GateRequest("second"), VERDICT)
    write(tmp_path, "third")
    log.record(AT, GateRequest("fourth"), VERDICT)
    write(tmp_path, "fifth")
    assert lines(tmp_path) == ["first", "restarted", "second", "third", "fourth", "fifth"]
    assert kinds(tmp_path) == ["key", "restarted"]


def test_a_key_that_is_none_is_left_alone_and_no_record_is_written_without_one(tmp_path: Path) -> None:
    write(tmp_path, "first")
    key = tmp_path / "audit.key"
    for content in (b"", b"secret words", b"00" * 32, b"zz" * 32, b"ab" * 33):
        key.write_bytes(content)
        with pytest.raises(AuditFailed, match="move it away") as caught:
            write(tmp_path, "second")
        assert "secret words" not in str(caught.value)
        assert key.read_bytes() == content
    assert lines(tmp_path) == ["first"]


def test_a_sequence_number_that_somebody_wrote_does_not_use_them_up(tmp_path: Path) -> None:
    write(tmp_path, "first")
    with (tmp_path / NAME).open("ab") as file:
        file.write((tmp_path / NAME).read_bytes().replace(b'"seq":1,', b'"seq":999999999999999,'))
    (tmp_path / "audit.head").unlink()
    write(tmp_path, "second")
    assert json.loads((tmp_path / NAME).read_bytes().splitlines()[-1])["seq"] == 3


SMALL = 65_536
BIG = "x" * 9_500


def fill(folder: Path, count: int = 7) -> None:
    write(folder, *[BIG] * count, max_size=SMALL)


def test_a_file_that_is_full_is_set_aside_and_the_chain_goes_on(tmp_path: Path) -> None:
    for _ in range(6):
        fill(tmp_path)
    files = AuditFiles(str(tmp_path / NAME))
    aside = files.set_aside()
    assert len(aside) >= 4
    assert aside[0] == 1
    for first in aside:
        assert Path(files.aside(first)).stat().st_size <= SMALL
        assert json.loads(Path(files.aside(first)).read_bytes().splitlines()[0])["seq"] == first
        assert Path(files.aside(first)).stat().st_mode & 0o777 == 0o600
    report = verify(str(tmp_path / NAME))
    assert (report.intact, report.notes, report.files) == (True, (), len(aside) + 1)
    assert report.records == report.last == 42 + len(aside)


@pytest.mark.parametrize("keep", [1, 2, 3])
def test_files_past_the_number_to_keep_are_removed_and_the_head_knows(tmp_path: Path, keep: int) -> None:
    write(tmp_path, *[BIG] * 60, max_size=SMALL, keep=keep)
    aside = AuditFiles(str(tmp_path / NAME)).set_aside()
    assert len(aside) == keep
    report = verify(str(tmp_path / NAME))
    assert report.intact
    assert report.first == aside[0] == head(str(tmp_path / NAME)).oldest
    assert report.notes == (f"records before {aside[0]} are no longer kept",)
    os.unlink(AuditFiles(str(tmp_path / NAME)).aside(aside[0]))
    assert kinds(tmp_path) == ["missing"]


@pytest.mark.parametrize("behind", [1, 10, 10**9])
def test_files_that_somebody_else_put_there_push_out_none_of_the_log(tmp_path: Path, behind: int) -> None:
    write(tmp_path, *[BIG] * 30, max_size=SMALL, keep=3)
    files = AuditFiles(str(tmp_path / NAME))
    before, last = files.set_aside(), verify(str(tmp_path / NAME)).last
    for number in range(3):
        Path(files.aside(last + behind + number)).touch(0o600)
    write(tmp_path, *[BIG] * 6, max_size=SMALL, keep=3)
    assert files.set_aside()[:2] == before[1:]
    assert verify(str(tmp_path / NAME)).first == before[1]


@pytest.mark.parametrize("stage", ["renamed", "empty", "written", "written and torn"])
def test_a_crash_in_the_middle_of_setting_aside_loses_nothing(tmp_path: Path, stage: str) -> None:
    fill(tmp_path, 6)
    before = (tmp_path / "audit.head").read_bytes()
    path, said = tmp_path / NAME, list[str]()
    if stage in ("renamed", "empty"):
        path.rename(AuditFiles(str(path)).aside(1))
        if stage == "empty":
            path.touch(mode=0o600)
    else:
        fill(tmp_path, 1)
        (tmp_path / "audit.head").write_bytes(before)
        if stage == "written and torn":
            os.truncate(path, path.stat().st_size - 100)
    assert AuditFiles(str(path)).set_aside() == [1]
    write(tmp_path, "next", said=said, max_size=SMALL)
    assert said == []
    assert lines(tmp_path)[0] == "rotated"
    assert lines(tmp_path)[-1] == "next"
    report = verify(str(path))
    assert report.intact
    assert report.records == 8 + (stage == "written") + (stage == "written and torn")


def test_a_file_that_cannot_be_renamed_goes_on_and_is_set_aside_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, said = list[str](), list[str]()

    def held(old: str, _new: str) -> None:
        tried.append(old)
        raise PermissionError(13, "The process cannot access the file because another process has opened it")

    log = JsonLinesAudit(str(tmp_path / NAME), max_size=SMALL, warn=said.append)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", held)
        for _ in range(20):
            log.record(AT, GateRequest(BIG), VERDICT)
    assert 2 <= len(tried) <= 14
    assert AuditFiles(str(tmp_path / NAME)).set_aside() == []
    log.record(AT, GateRequest(BIG), VERDICT)
    log.record(AT, GateRequest("next"), VERDICT)
    assert AuditFiles(str(tmp_path / NAME)).set_aside() == [1]
    assert said == []
    assert verify(str(tmp_path / NAME)).records == 23


def test_a_name_that_is_taken_is_never_overwritten(tmp_path: Path) -> None:
    taken = Path(AuditFiles(str(tmp_path / NAME)).aside(1))
    fill(tmp_path, 5)
    taken.write_bytes(b"precious\n")
    fill(tmp_path, 5)
    assert taken.read_bytes() == b"precious\n"
    assert len(lines(tmp_path)) == 10


def test_too_much_behind_the_head_is_not_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_resume, "WALK_LIMIT", 1000)
    write(tmp_path, "first")
    older_head(tmp_path, BIG)
    write(tmp_path, "next")
    assert lines(tmp_path) == ["first", BIG, "restarted", "next"]


def test_two_logs_may_share_a_key_and_their_records_cannot_be_swapped(tmp_path: Path) -> None:
    key = str(tmp_path / "keys" / "key")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, "one", "two", "three", key_file=key)
        assert not (tmp_path / name / "audit.key").exists()
        assert verify(str(tmp_path / name / NAME), key_file=key).intact
    one, other = ((tmp_path / name / NAME).read_bytes().splitlines(keepends=True) for name in ("a", "b"))
    for place in range(3):
        mixed = [*one[:place], other[place], *one[place + 1 :]]
        (tmp_path / "a" / NAME).write_bytes(b"".join(mixed))
        assert not verify(str(tmp_path / "a" / NAME), key_file=key).intact


def lose_log_and_head(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name != "audit.key":
            path.unlink()


def test_a_key_alone_is_what_is_left_of_a_log_that_was_removed(tmp_path: Path) -> None:
    write(tmp_path, "first", "second")
    lose_log_and_head(tmp_path)
    said: list[str] = []
    write(tmp_path, "third", said=said)
    why = "there is a key for it, and no log and no head"
    assert said == [f"the decision log {tmp_path / NAME} was begun anew: {why}; see `phocinae audit verify`"]
    assert lines(tmp_path) == ["restarted", "third"]
    assert kinds(tmp_path) == ["restarted"]
    write(tmp_path, "fourth", said=said)
    assert len(said) == 1


@pytest.mark.parametrize("left", [["audit.head"], ["audit.head", "audit.key"], ["audit.head", "audit.key", NAME]])
def test_a_crash_before_the_first_record_is_no_loss(tmp_path: Path, left: list[str]) -> None:
    write(tmp_path, "first")
    for path in tmp_path.iterdir():
        if path.name not in left:
            path.unlink()
        elif path.name != "audit.key":
            path.write_bytes(b"")
    said: list[str] = []
    write(tmp_path, "second", said=said)
    assert (said, lines(tmp_path), kinds(tmp_path)) == ([], ["second"], [])
