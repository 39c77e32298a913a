from __future__ import annotations

import json
import multiprocessing
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from phocinae.adapters.logs import file_lock
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.adapters.logs.audit_read import records
from phocinae.adapters.logs.audit_verify import verify
from phocinae.domain.request import COMMAND_LIMIT, CWD_LIMIT, Caller, GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.errors import AuditFailed
from phocinae.service.gate import GateService

VERDICT = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="fine")
AT = 0.0


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def record(path: Path, command: str = "ls") -> None:
    JsonLinesAudit(str(path)).record(AT, GateRequest(command), VERDICT)


def commands(path: Path) -> list[str]:
    """Return the command of each record, or the name of the event that it is."""
    records = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    return [one.get("event") or one["command"] for one in records]


def test_file_and_folder_are_for_the_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        record(tmp_path / "a" / "b" / "c" / "log")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a" / "b" / "c" / "log") == 0o600
    made = [tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"]
    assert [mode(folder) for folder in made] == [0o700] * 3


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o755)
    (tmp_path / "a").chmod(0o755)
    record(tmp_path / "a" / "b" / "log")
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b")) == (0o755, 0o700)


NO_TEXT: list[Any] = [float("nan"), float("inf"), 7, 0, False, b"/", b"", [], {}, ["/"], object(), Decision.ALLOW]


@pytest.mark.parametrize("wrong", NO_TEXT)
def test_the_denial_of_what_is_no_text_is_recorded_with_null(tmp_path: Path, wrong: Any) -> None:
    gate = GateService(offline=lambda _request: VERDICT, audit=JsonLinesAudit(str(tmp_path / "log")), clock=lambda: AT)
    assert gate.decide("ls", wrong).error == gate.decide(wrong, "/").error == gate.decide(wrong, wrong).error
    records = [json.loads(line) for line in (tmp_path / "log").read_text("ascii").splitlines()]
    assert [(one["command"], one["cwd"]) for one in records] == [("ls", None), (None, "/"), (None, None)]
    assert {(one["decision"], one["error"]) for one in records} == {("deny", "not a text")}


def test_what_is_too_long_is_cut_with_its_length_beside_it(tmp_path: Path) -> None:
    log, path = JsonLinesAudit(str(tmp_path / "log")), tmp_path / "log"
    for command, cwd in ((COMMAND_LIMIT, CWD_LIMIT), (COMMAND_LIMIT + 1, CWD_LIMIT), (1, CWD_LIMIT + 1), (9**6, 9**6)):
        log.record(AT, GateRequest("c" * command, "d" * cwd), VERDICT)
        found = json.loads(path.read_text("ascii").splitlines()[-1])
        assert (len(found["command"]), len(found["cwd"])) == (min(command, COMMAND_LIMIT), min(cwd, CWD_LIMIT))
        assert found.get("command_length", command) == command
        assert found.get("cwd_length", cwd) == cwd
        assert ("command_length" in found, "cwd_length" in found) == (command > COMMAND_LIMIT, cwd > CWD_LIMIT)


@pytest.mark.parametrize(
    ("at", "confidence"), [(float("nan"), None), (float("inf"), None), (1e300, None), (AT, {"a": float("nan")})]
)
def test_a_decision_that_is_no_json_fails_like_any_other(
    tmp_path: Path, at: float, confidence: dict[str, float] | None
) -> None:
    with pytest.raises(AuditFailed, match="log: the decision is no JSON"):
        JsonLinesAudit(str(tmp_path / "log")).record(at, GateRequest("ls"), evolve(VERDICT, confidence=confidence))


@pytest.mark.parametrize(
    ("about", "fields"),
    [
        (None, {}),
        (GateRequest("A_TOKEN=hunter2hunter2 x", "/srv"), {"command": "A_TOKEN=REDACTED x", "cwd": "/srv"}),
        (Caller(agent="a", tool="Shell", files=("/f",)), {"agent": "a", "tool": "Shell", "files": ["/f"]}),
        (
            GateRequest("", None, Caller(agent="a", tool="\ud800")),
            {"command": "", "cwd": None, "agent": "a", "tool": "\\ud800", "files": []},
        ),
    ],
)
def test_an_event_is_a_record_with_its_name_in_the_place_of_a_verdict(
    tmp_path: Path, about: GateRequest | Caller | None, fields: dict[str, Any]
) -> None:
    path = tmp_path / "log"
    JsonLinesAudit(str(path)).event(AT, "off", about)
    found = json.loads(path.read_text("ascii"))
    assert [name for name in found if name in ("seq", "chain", "key", "mac")] == ["seq", "chain", "key", "mac"]
    own = {name: found[name] for name in found if name not in ("seq", "chain", "key", "mac")}
    assert own == {"time": "1970-01-01T00:00:00.000Z", "event": "off"} | fields


def test_an_event_that_cannot_be_written_fails_like_a_decision(tmp_path: Path) -> None:
    with pytest.raises(AuditFailed, match="the event is no JSON"):
        JsonLinesAudit(str(tmp_path / "log")).event(float("nan"), "off")
    with pytest.raises(AuditFailed, match=r"name a file with audit\.file"):
        JsonLinesAudit("").event(AT, "off")


def test_a_file_that_others_can_read_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.touch()
    path.chmod(0o644)
    record(path)
    assert mode(path) == 0o600


@pytest.mark.parametrize("torn", ['{"command": "to', '{"command": "torn"}', "\0\0\0"])
def test_a_torn_last_line_does_not_eat_the_next_record(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "log"
    record(path, "first")
    with path.open("a") as file:
        file.write(torn)
    record(path, "second")
    record(path, "third")
    lines = path.read_text("ascii").splitlines()
    assert lines[1] == torn
    assert [json.loads(lines[index])["command"] for index in (0, 3, 4)] == ["first", "second", "third"]
    event = json.loads(lines[2])
    assert (event["event"], event["torn"]["bytes"], event["torn"]["lines"]) == ("recovered", len(torn) + 1, 0)
    assert len(lines) == 5
    report = verify(str(path))
    assert report.intact
    assert "line 2: torn by a crash" in report.notes[0]


def test_links_are_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("precious\n")
    (tmp_path / "log").symlink_to(target)
    with pytest.raises(AuditFailed, match="log: "):
        record(tmp_path / "log")
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "folder").symlink_to(real)
    with pytest.raises(AuditFailed):
        record(tmp_path / "folder" / "log")
    (tmp_path / "dangling").symlink_to(tmp_path / "new")
    with pytest.raises(AuditFailed):
        record(tmp_path / "dangling")
    assert target.read_text() == "precious\n"
    assert list(real.iterdir()) == []
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", ["directory", "fifo", "device", "below a file", "null character", "no home"])
def test_a_place_that_cannot_be_written_fails_and_says_where(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "log"
    shown = str(path)
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/full")
        shown = "/dev/full"
    elif kind == "below a file":
        path.touch()
        shown = str(path / "log")
    elif kind == "null character":
        shown = f"{path}\0"
    else:
        shown = ""
    with pytest.raises(AuditFailed) as caught:
        JsonLinesAudit(shown).record(AT, GateRequest("ls"), VERDICT)
    assert (shown or "audit.file") in str(caught.value)


@pytest.mark.parametrize("can_take_back", [True, False])
def test_a_write_in_part_fails_and_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_take_back: bool
) -> None:
    real = os.write
    path = tmp_path / "log"
    record(path, "first")

    def refused(*_args: Any) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:10]))
    if not can_take_back:
        monkeypatch.setattr(os, "ftruncate", refused)
    with pytest.raises(AuditFailed, match="in part only"):
        record(path, "lost")
    monkeypatch.undo()
    record(path, "next")
    if can_take_back:
        assert commands(path) == ["first", "next"]
    else:
        assert path.read_text("ascii").splitlines()[1] == '{"seq":2,"'
    assert verify(str(path)).intact


def test_a_full_device_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(AuditFailed, match="log: No space left on device"):
        record(tmp_path / "log")


def test_a_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fstat

    def owned(descriptor: int) -> os.stat_result:
        fields = list(real(descriptor))
        fields[4] = 4_000_000
        return os.stat_result(fields)

    monkeypatch.setattr(os, "fstat", owned)
    with pytest.raises(AuditFailed, match="another user"):
        record(tmp_path / "log")


def test_a_lock_that_is_held_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(file_lock, "LOCK_SECONDS", 0.05)
    path = tmp_path / "log"
    record(path)
    with (tmp_path / "log.head").open() as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(AuditFailed, match=r"held the lock for 0\.05 s"):
            record(path)
    record(path)
    assert len(commands(path)) == 2


def test_without_locks_a_record_is_still_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "fcntl", None)
    monkeypatch.setattr(os, "supports_dir_fd", frozenset())
    record(tmp_path / "a" / "log", "first")
    record(tmp_path / "a" / "log", "second")
    assert commands(tmp_path / "a" / "log") == ["first", "second"]


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        record(tmp_path / "log")
        with pytest.raises(AuditFailed):
            record(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_one_log_keeps_its_file_open_and_gives_it_back(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    log = JsonLinesAudit(str(tmp_path / "log"))
    for _ in range(5):
        log.record(AT, GateRequest("ls"), VERDICT)
    assert len(os.listdir("/proc/self/fd")) == before + 2
    del log
    assert len(os.listdir("/proc/self/fd")) == before
    assert len(commands(tmp_path / "log")) == 5


@pytest.mark.parametrize("change", ["moved", "deleted", "replaced", "readable", "folder"])
def test_a_file_that_is_no_longer_the_one_is_opened_anew(tmp_path: Path, change: str) -> None:
    folder = tmp_path / "state"
    path = folder / "log"
    log = JsonLinesAudit(str(path))
    log.record(AT, GateRequest("first"), VERDICT)
    if change == "moved":
        path.rename(tmp_path / "kept")
    elif change == "deleted":
        path.unlink()
    elif change == "replaced":
        path.unlink()
        path.write_text("", encoding="ascii")
    elif change == "folder":
        folder.rename(tmp_path / "kept")
    else:
        path.chmod(0o644)
    log.record(AT, GateRequest("second"), VERDICT)
    assert commands(path) == (["first", "second"] if change == "readable" else ["restarted", "second"])
    assert mode(path) == 0o600


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    path, target = tmp_path / "log", tmp_path / "target"
    log = JsonLinesAudit(str(path))
    log.record(AT, GateRequest("first"), VERDICT)
    path.rename(target)
    path.symlink_to(target)
    with pytest.raises(AuditFailed):
        log.record(AT, GateRequest("second"), VERDICT)
    assert commands(target) == ["first"]


def test_threads_and_a_fork_share_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = JsonLinesAudit(str(path))

    def write(name: int) -> None:
        for number in range(50):
            log.record(AT, GateRequest(f"{name} {number} ".ljust(SIZE, "x")), VERDICT)

    write(0)
    children = [multiprocessing.get_context("fork").Process(target=write, args=(name,)) for name in (1, 2)]
    for child in children:
        child.start()
    threads = [threading.Thread(target=write, args=(name,)) for name in range(3, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0]
    found = commands(path)
    assert {len(command) for command in found} == {SIZE}
    assert sorted(tuple(map(int, command.split()[:2])) for command in found) == [
        (name, number) for name in range(7) for number in range(50)
    ]


def test_a_thread_that_holds_the_log_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "LOCK_SECONDS", 0.05)
    log = JsonLinesAudit(str(tmp_path / "log"))
    with log._threads, pytest.raises(AuditFailed, match=r"held the lock for 0\.05 s"):
        log.record(AT, GateRequest("ls"), VERDICT)
    log.record(AT, GateRequest("ls"), VERDICT)


def test_a_gate_that_cannot_record_says_so_and_denies_when_it_must(tmp_path: Path) -> None:
    said: list[str] = []
    for strict, decision in ((False, Decision.ALLOW), (True, Decision.DENY)):
        gate = GateService(
            offline=lambda _request: VERDICT,
            audit=JsonLinesAudit(str(tmp_path)),
            audit_strict=strict,
            clock=lambda: AT,
            warn=said.append,
        )
        verdict = gate.decide("ls")
        assert verdict.decision is decision
        assert verdict.error == "not recorded"
    assert all(str(tmp_path) in line for line in said)
    assert len(said) == 2


PROCESSES, RECORDS, SIZE = 16, 50, 20_000


def _write_many(path: str, name: int, max_size: int) -> None:
    log = JsonLinesAudit(path, max_size=max_size, keep=1000)
    for number in range(RECORDS):
        log.record(AT, GateRequest(f"{name} {number} ".ljust(SIZE, "x")), VERDICT)


@pytest.mark.parametrize("max_size", [10**9, 1_000_000])
def test_many_processes_write_whole_lines(tmp_path: Path, max_size: int) -> None:
    path = tmp_path / "log"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_many, args=(str(path), name, max_size)) for name in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    expected = {(name, number) for name in range(PROCESSES) for number in range(RECORDS)}
    entries = list(records(str(path)))
    assert [entry for entry in entries if entry.record is None] == []
    found = [entry.record["command"] for entry in entries if entry.record and "event" not in entry.record]
    assert len(found) == len(expected)
    assert {len(command) for command in found} == {SIZE}
    assert {tuple(map(int, command.split()[:2])) for command in found} == expected
    events = [entry.record["event"] for entry in entries if entry.record and "event" in entry.record]
    assert set(events) == (set() if max_size > SIZE * len(expected) else {"rotated"})
    report = verify(str(path))
    assert (report.intact, report.records, report.notes) == (True, len(entries), ())


def test_after_a_wait_in_vain_nobody_waits_again_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    waits: list[bool] = []
    real = file_lock.lock

    def lock(descriptor: int, *, wait: bool = True) -> None:
        waits.append(wait)
        real(descriptor, wait=wait)

    monkeypatch.setattr(file_lock, "LOCK_SECONDS", 0.01)
    monkeypatch.setattr(file_lock, "lock", lock)
    path = tmp_path / "log"
    log = JsonLinesAudit(str(path))

    def held_up() -> None:
        with pytest.raises(AuditFailed, match="held the lock"):
            log.record(AT, GateRequest("ls"), VERDICT)

    log.record(AT, GateRequest("first"), VERDICT)
    with (tmp_path / "log.head").open() as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        held_up()
        held_up()
        held_up()
        monkeypatch.setattr(log, "_no_wait_before", 0.0)  # the respite is over
        held_up()
    log.record(AT, GateRequest("second"), VERDICT)
    assert waits == [True, True, False, False, True, False]
    assert commands(path) == ["first", "second"]


@pytest.mark.parametrize("same_files", [True, False])
@pytest.mark.parametrize("link", [True, False])
def test_a_folder_that_is_replaced_under_a_log_is_judged_as_by_a_new_process(
    tmp_path: Path, link: bool, same_files: bool
) -> None:
    folder, moved, other = tmp_path / "state", tmp_path / "moved", tmp_path / "other"
    log = JsonLinesAudit(str(folder / "log"))
    log.record(AT, GateRequest("first"), VERDICT)
    folder.rename(moved)
    other.mkdir()
    if same_files:
        for file in moved.iterdir():
            (other / file.name).hardlink_to(file)
    if link:
        folder.symlink_to(moved if same_files else other)
        with pytest.raises(AuditFailed):
            log.record(AT, GateRequest("second"), VERDICT)
        assert commands(moved / "log") == ["first"]
        assert not (other / "log").exists() or same_files
        folder.unlink()
        moved.rename(folder)
    else:
        other.rename(folder)
    log.record(AT, GateRequest("third"), VERDICT)
    assert commands(folder / "log")[-1] == "third"
