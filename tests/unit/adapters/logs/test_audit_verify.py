from __future__ import annotations

import os
from pathlib import Path

import pytest

from phocinae.adapters.logs import audit_read, audit_verify
from phocinae.adapters.logs.audit_files import AuditFiles
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.adapters.logs.audit_verify import head, verify
from phocinae.domain.audit_chain import LINE_LIMIT, Head
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.errors import AuditFailed

VERDICT = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="fine")


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "audit.jsonl")
    write(path, 3)
    return path


def write(path: str, count: int, size: int = 10, **options: int) -> None:
    log = JsonLinesAudit(path, **options)  # type: ignore[arg-type]  # only numbers are passed
    for number in range(count):
        log.record(0.0, GateRequest(f"echo {number} ".ljust(size, "x")), VERDICT)


def test_where_a_log_stands_is_an_anchor_for_later(path: str) -> None:
    stands = head(path)
    assert stands == Head(seq=3, mac=stands.mac, size=os.path.getsize(path))
    write(path, 2)
    report = verify(path, anchors={3: stands.mac})
    assert report.intact
    assert (report.records, report.files, report.first, report.last, report.mac) == (5, 1, 1, 5, head(path).mac.hex())


def test_a_log_that_was_written_anew_with_its_own_key_does_not_hold_the_anchor(path: str) -> None:
    stands = head(path)
    for name in (path, AuditFiles(path).head):
        os.unlink(name)
    write(path, 5)
    assert [fault.kind for fault in verify(path).faults] == ["restarted"]
    report = verify(path, anchors={3: stands.mac})
    assert [(fault.kind, fault.seq) for fault in report.faults] == [("restarted", 1), ("anchor", 3)]


def test_an_older_state_that_was_put_back_as_a_whole_does_not_hold_the_anchor(path: str) -> None:
    files = AuditFiles(path)
    old = {name: Path(name).read_bytes() for name in (path, files.head)}
    write(path, 2)
    stands = head(path)
    for name, content in old.items():
        Path(name).write_bytes(content)
    assert verify(path).intact
    assert "ends before it" in verify(path, anchors={5: stands.mac}).faults[0].text


def test_a_log_without_a_head_is_checked_as_far_as_it_goes(path: str) -> None:
    files = AuditFiles(path)
    os.unlink(files.head)
    report = verify(path)
    assert ([fault.kind for fault in report.faults], report.records) == (["head"], 3)
    assert "is missing" in report.faults[0].text
    with pytest.raises(AuditFailed, match=r"the head .* is missing"):
        head(path)
    Path(files.head).write_bytes(b"nonsense")
    assert "is broken" in verify(path).faults[0].text


def test_another_key_is_named(path: str) -> None:
    Path(AuditFiles(path).key).write_text("0123456789abcdef" * 4 + "\n", encoding="ascii")
    report = verify(path)
    assert [fault.kind for fault in report.faults] == ["head", "key"]
    assert "sealed with another key" in report.faults[0].text
    with pytest.raises(AuditFailed, match="another key"):
        head(path)


def test_what_cannot_be_checked_at_all_says_why(path: str, tmp_path: Path) -> None:
    with pytest.raises(AuditFailed, match="there is no decision log"):
        verify(str(tmp_path / "other.jsonl"))
    assert not (tmp_path / "other.key").exists()
    os.unlink(AuditFiles(path).key)
    with pytest.raises(AuditFailed, match=r"the key .*audit\.key is missing"):
        verify(path)
    with pytest.raises(AuditFailed, match=r"the key .*audit\.key is missing"):
        head(path)
    assert not (tmp_path / "audit.key").exists()
    with pytest.raises(AuditFailed, match="null"):
        verify(path + "\0")


def test_a_log_that_is_gone_is_missed(path: str) -> None:
    os.unlink(path)
    assert [fault.kind for fault in verify(path).faults] == ["missing", "shortened"]


def test_verifying_changes_nothing_and_leaves_nothing_open(path: str, tmp_path: Path) -> None:
    def state() -> list[tuple[str, bytes, int]]:
        return [(one.name, one.read_bytes(), one.stat().st_mtime_ns) for one in sorted(tmp_path.iterdir())]

    before, opened = state(), len(os.listdir("/proc/self/fd"))
    verify(path)
    head(path)
    assert (state(), len(os.listdir("/proc/self/fd"))) == (before, opened)


def test_a_file_that_is_removed_as_too_old_meanwhile_is_not_missed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, 40, 9_000, max_size=65_536, keep=3)
    real, turns = audit_read.lines_until, list[int]()

    def slow(files: AuditFiles, in_use: int, size: int | None) -> object:
        turns.append(in_use)
        if len(turns) == 1:
            write(path, 14, 9_000, max_size=65_536, keep=3)
        return real(files, in_use, size)

    monkeypatch.setattr(audit_verify, "lines_until", slow)
    assert verify(path).intact
    assert len(turns) == 2


@pytest.mark.parametrize("length", [10, LINE_LIMIT - 1, LINE_LIMIT, LINE_LIMIT + 70_000])
def test_a_foreign_last_line_with_an_end_is_a_fault_however_long(tmp_path: Path, length: int) -> None:
    path = tmp_path / "audit.jsonl"
    JsonLinesAudit(str(path)).record(0.0, GateRequest("ls"), VERDICT)
    with path.open("ab") as file:
        file.write(b"x" * length + b"\n")
    assert not verify(str(path)).intact
