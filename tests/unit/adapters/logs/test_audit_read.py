from __future__ import annotations

import os
from pathlib import Path

import pytest

from phocinae.adapters.logs import audit_read
from phocinae.adapters.logs.audit_files import AuditFiles
from phocinae.adapters.logs.audit_read import Entry, lines, lines_until, records


def log(folder: Path, **files: bytes) -> str:
    for name, content in files.items():
        (folder / f"{name.replace('_', '-')}.jsonl").write_bytes(content)
    return str(folder / "audit.jsonl")


def test_records_come_from_all_files_in_order_with_their_places(tmp_path: Path) -> None:
    path = log(tmp_path, audit_0000000010=b'{"n":2}\n', audit_0000000002=b'{"n":0}\n{"n":1}\n', audit=b'{"n":3}\n')
    log(tmp_path, audit_2=b"x\n", audit_00000000003=b"x\n", other_0000000001=b"x\n", audit_00000000x1=b"x\n")
    old, new = (str(tmp_path / f"audit-{first:010d}.jsonl") for first in (2, 10))
    assert [(one.file, one.line, one.raw, one.record) for one in records(path)] == [
        (old, 1, b'{"n":0}', {"n": 0}),
        (old, 2, b'{"n":1}', {"n": 1}),
        (new, 1, b'{"n":2}', {"n": 2}),
        (path, 1, b'{"n":3}', {"n": 3}),
    ]


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b'{"a":1', "not JSON"),
        (b'{"a":1,"a":2}', "a key stands twice in one object"),
        (b"[1]", "not a JSON object"),
        (b"", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"\0\0", "not JSON"),
        (b"[" * 100, "nested deeper than 64 levels"),
    ],
)
def test_a_line_that_is_no_record_says_why_and_the_rest_go_on(tmp_path: Path, raw: bytes, fault: str) -> None:
    path = log(tmp_path, audit=raw + b'\n{"n":1}\n')
    assert list(records(path)) == [
        Entry(file=path, line=1, raw=raw, record=None, fault=fault),
        Entry(file=path, line=2, raw=b'{"n":1}', record={"n": 1}),
    ]


def test_a_last_line_without_an_end_is_no_record(tmp_path: Path) -> None:
    path = log(tmp_path, audit=b'{"n":1}\n{"n":2}')
    assert [(one.line, one.fault) for one in records(path)] == [(1, ""), (2, "the line has no end")]


def test_a_line_that_is_too_long_is_cut_and_the_next_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_read, "LINE_LIMIT", 10)
    monkeypatch.setattr(audit_read, "_CHUNK", 4)
    path = log(tmp_path, audit=b"x" * 35 + b'\n{"n":1}\n' + b"y" * 35)
    assert [(one.line, len(one.raw), one.fault) for one in records(path)] == [
        (1, 10, "longer than 10 bytes"),
        (2, 7, ""),
        (3, 11, "longer than 10 bytes"),
    ]
    found = list(lines(AuditFiles(path)))
    assert [(line.at, line.end, line.raw.endswith(b"\n")) for line in found] == [
        (0, 36, True),
        (36, 44, True),
        (44, 79, False),
    ]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 8, 9, 100])
def test_lines_do_not_hang_on_where_a_read_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(audit_read, "_CHUNK", chunk)
    path = log(tmp_path, audit=b'{"n":1}\n\n{"n":22}\n\n')
    assert [(line.at, line.raw) for line in lines(AuditFiles(path))] == [
        (0, b'{"n":1}\n'),
        (8, b"\n"),
        (9, b'{"n":22}\n'),
        (18, b"\n"),
    ]
    descriptor = os.open(path, os.O_RDONLY)
    assert [line.raw for line in lines_until(AuditFiles(path), descriptor, 11)] == [b'{"n":1}\n', b"\n", b'{"']
    os.close(descriptor)


def test_a_log_that_is_set_aside_while_it_is_read_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(tmp_path, audit_0000000001=b'{"n":0}\n', audit=b'{"n":1}\n')
    real = AuditFiles.set_aside

    def listed(files: AuditFiles) -> list[int]:
        os.rename(path, files.aside(2))
        log(tmp_path, audit=b'{"n":2}\n')
        return real(files)

    monkeypatch.setattr(AuditFiles, "set_aside", listed)
    assert [one.record for one in records(path)] == [{"n": 0}, {"n": 1}]


def test_a_file_that_is_no_longer_kept_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(tmp_path, audit_0000000001=b'{"n":0}\n', audit=b'{"n":1}\n')
    monkeypatch.setattr(AuditFiles, "set_aside", lambda _files: [1, 7])
    assert [one.record for one in records(path)] == [{"n": 0}, {"n": 1}]


def test_a_log_between_two_files_is_read(tmp_path: Path) -> None:
    path = log(tmp_path, audit_0000000001=b'{"n":0}\n')
    assert [one.record for one in records(path)] == [{"n": 0}]


def test_nothing_is_made_or_changed_by_reading(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(records(str(tmp_path / "audit.jsonl")))
    assert list(tmp_path.iterdir()) == []
    path = Path(log(tmp_path, audit=b'{"n":1}\n'))
    path.chmod(0o644)
    assert len(list(records(str(path)))) == 1
    assert path.stat().st_mode & 0o777 == 0o644


def test_links_are_not_followed(tmp_path: Path) -> None:
    path = log(tmp_path, audit=b'{"n":1}\n')
    (tmp_path / "audit-0000000001.jsonl").symlink_to(path)
    with pytest.raises(OSError, match="symbolic"):
        list(records(path))


def test_no_descriptor_is_left_open_by_a_reader_that_stops(tmp_path: Path) -> None:
    path = log(tmp_path, audit_0000000001=b'{"n":0}\n', audit=b'{"n":1}\n')
    before = len(os.listdir("/proc/self/fd"))
    for number in range(3):
        found = records(path)
        for _ in range(number):
            next(found)
        found.close()  # type: ignore[attr-defined]  # a generator is what it is
    assert len(os.listdir("/proc/self/fd")) == before
