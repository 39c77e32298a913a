"""What becomes of a decision that cannot be recorded, in both modes, with real files where there are the means."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phocinae.adapters.logs import file_lock
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.adapters.logs.audit_read import records
from phocinae.adapters.logs.audit_verify import verify
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.service.gate import GateService

NOBODY = 65_534
STRICT = pytest.mark.parametrize("strict", [False, True])
BIG = "x" * 9_000


def decided(path: str, decision: Decision, strict: bool, said: list[str], command: str = "ls") -> Verdict:
    verdict = Verdict(decision=decision, layer=Layer.L0, reason="so it is")
    gate = GateService(
        offline=lambda _request: verdict,
        audit=JsonLinesAudit(path, warn=said.append),
        audit_strict=strict,
        clock=lambda: 0.0,
        warn=said.append,
    )
    return gate.decide(command)


def check_unrecorded(path: str, strict: bool) -> None:
    """Check that decisions which cannot be recorded at `path` are what they should be, and said."""
    said: list[str] = []
    for decision in Decision:
        verdict = decided(path, decision, strict, said)
        expected = Decision.DENY if strict and decision is Decision.ALLOW else decision
        assert (verdict.decision, verdict.error) == (expected, "not recorded")
    assert len(said) == len(Decision)
    assert all("could not be recorded" in line for line in said)


def in_a_child(work: Callable[[], None]) -> None:
    """Run `work` in a process of its own, which may give up rights for it."""
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    assert child.exitcode == 0


def as_somebody() -> None:
    if os.geteuid() == 0:  # whom no mode of a file stops
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """Yield a folder that the user of `as_somebody` owns and can reach."""
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    above = [tmp_path, *tmp_path.parents[:3]]
    modes = [one.stat().st_mode & 0o7777 for one in above]
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        for one, mode in zip(above, modes, strict=True):
            one.chmod(mode | 0o011)
    yield folder
    for one, mode in zip(above, modes, strict=True):
        one.chmod(mode)


@STRICT
def test_a_folder_that_cannot_be_written_to(own: Path, strict: bool) -> None:
    own.chmod(0o500)

    def work() -> None:
        as_somebody()
        check_unrecorded(str(own / "audit.jsonl"), strict)

    in_a_child(work)
    assert list(own.iterdir()) == []


@STRICT
@pytest.mark.parametrize("name", ["audit.jsonl", "audit.head", "audit.key"])
@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_something_else_in_the_place_of_a_file(tmp_path: Path, name: str, kind: str, strict: bool) -> None:
    path, target = tmp_path / name, tmp_path / "target"
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        target.write_text("precious\n", encoding="ascii")
        path.symlink_to(target)
    else:
        os.mkfifo(path)
    check_unrecorded(str(tmp_path / "audit.jsonl"), strict)
    assert kind != "link" or target.read_text(encoding="ascii") == "precious\n"


@STRICT
def test_no_home(strict: bool) -> None:
    check_unrecorded("", strict)


@STRICT
def test_a_lock_that_somebody_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strict: bool) -> None:
    import fcntl

    monkeypatch.setattr(file_lock, "LOCK_SECONDS", 0.05)
    path = str(tmp_path / "audit.jsonl")
    decided(path, Decision.DENY, strict, [])
    with (tmp_path / "audit.head").open() as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        check_unrecorded(path, strict)
    assert verify(path).records == 1


def check_full(path: str, strict: bool, make_room: Callable[[], None]) -> None:
    """Check what happens when there is less and less room for the log at `path`, and then some again."""
    said: list[str] = []
    kept = 0
    while not said:
        assert decided(path, Decision.ALLOW, strict, said, BIG).error == ("not recorded" if said else "")
        kept += not said
    assert 1 < kept < 100
    assert decided(path, Decision.ALLOW, strict, said, BIG).decision is (Decision.DENY if strict else Decision.ALLOW)
    assert [entry for entry in records(path) if entry.record is None] == []
    report = verify(path)
    assert (report.intact, report.records) == (True, kept)
    make_room()
    assert decided(path, Decision.ALLOW, strict, [], BIG).error == ""
    report = verify(path)
    assert (report.intact, report.records, report.notes) == (True, kept + 1, ())


@STRICT
def test_a_file_that_may_not_grow(tmp_path: Path, strict: bool) -> None:
    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        check_full(str(tmp_path / "audit.jsonl"), strict, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before))

    in_a_child(work)


@STRICT
def test_a_device_that_is_full(tmp_path: Path, strict: bool) -> None:
    place = tmp_path / "device"
    place.mkdir()
    try:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=128k,mode=0700", "none", str(place)], capture_output=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode(errors='replace').strip()}")
    try:
        ballast = place / "ballast"
        ballast.write_bytes(bytes(32_768))
        check_full(str(place / "audit.jsonl"), strict, ballast.unlink)
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_record_past_the_longest_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from phocinae.adapters.logs import audit_jsonl

    monkeypatch.setattr(audit_jsonl, "LINE_LIMIT", 2_000)
    path, said = str(tmp_path / "audit.jsonl"), list[str]()
    assert decided(path, Decision.ALLOW, True, said, BIG).decision is Decision.DENY
    assert "longer than 1488 bytes" in said[0]
    assert decided(path, Decision.ALLOW, True, said).error == ""


def test_the_lock_of_windows_is_used_where_that_of_posix_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    held: set[int] = set()

    class Locks:
        LK_NBLCK, LK_UNLCK = 2, 0

        @staticmethod
        def locking(descriptor: int, mode: int, _count: int) -> None:
            place = os.lseek(descriptor, 0, os.SEEK_CUR)
            assert place > 1_000_000
            if mode == Locks.LK_UNLCK:
                held.remove(place)
            elif place in held:
                raise PermissionError(13, "Permission denied")
            else:
                held.add(place)

    monkeypatch.setattr(file_lock, "fcntl", None)
    monkeypatch.setattr(file_lock, "msvcrt", Locks)
    monkeypatch.setattr(file_lock, "LOCK_SECONDS", 0.05)
    with Path(sys.executable).open("rb") as file:
        file_lock.lock(file.fileno())
        with pytest.raises(OSError, match="held the lock"):
            file_lock.lock(file.fileno())
        file_lock.unlock(file.fileno())
        file_lock.lock(file.fileno())
