from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain import audit_check
from phocinae.domain.audit_chain import START, Head, digest_of, opening, seal
from phocinae.domain.audit_check import ChainCheck, Report
from phocinae.domain.audit_links import link_of

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
FILE = "audit.jsonl"


def chain(count: int, *, key: bytes = KEY, word: str = "record", before: bytes = START, first: int = 1) -> list[bytes]:
    """Return the lines of a log of `count` records."""
    lines = []
    for seq in range(first, first + count):
        record = b'{"command":"%b %d"}' % (word.encode(), seq)
        if before == START:
            record = opening(record, "chain", "00" * 16, key)
        line, before = seal(key, before, seq, record)
        lines.append(line)
    return lines


def mac(line: bytes) -> bytes:
    link = link_of(line)
    assert link is not None
    return link.mac


def head_of(lines: list[bytes], **changes: Any) -> Head:
    return evolve(Head(seq=len(lines), mac=mac(lines[-1]), size=sum(map(len, lines))), **changes)


def check(lines: Iterable[bytes], head: Head | None, anchors: Mapping[int, bytes] | None = None) -> Report:
    found = ChainCheck(KEY, head, anchors)
    for number, line in enumerate(lines, 1):
        found.feed(FILE, number, line)
    return found.finish()


def kinds(report: Report) -> list[tuple[str, int]]:
    return [(fault.kind, fault.line) for fault in report.faults]


LINES = chain(10)
HEAD = head_of(LINES)


def test_a_log_that_nobody_has_touched_is_intact() -> None:
    assert check(LINES, HEAD) == Report(records=10, files=1, first=1, last=10, mac=mac(LINES[9]).hex())
    assert check(LINES, HEAD).intact
    assert check([], Head()).intact


def without(place: int) -> list[bytes]:
    return LINES[:place] + LINES[place + 1 :]


def swapped(one: int, other: int) -> list[bytes]:
    lines = list(LINES)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def changed(place: int, line: bytes) -> list[bytes]:
    return [*LINES[:place], line, *LINES[place + 1 :]]


def added(place: int, *lines: bytes) -> list[bytes]:
    return [*LINES[:place], *lines, *LINES[place:]]


OTHERS = chain(10, word="another")


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (changed(4, LINES[4].replace(b"record 5", b"record 6")), [("changed", 5)]),
        (changed(9, LINES[9].replace(b"record", b"recorD")), [("changed", 10)]),
        (changed(4, b"\n"), [("changed", 5)]),
        (changed(4, OTHERS[4]), [("changed", 5), ("changed", 6)]),
        (without(4), [("missing", 5)]),
        (without(0), [("missing", 1)]),
        (LINES[:4] + LINES[8:], [("missing", 5)]),
        (LINES[:9], [("shortened", 0)]),
        (LINES[:2], [("shortened", 0)]),
        ([], [("shortened", 0)]),
        (swapped(4, 5), [("moved", 5)]),
        (swapped(2, 7), [("moved", 3)]),
        (added(5, LINES[2]), [("repeated", 6)]),
        (added(5, LINES[4]), [("repeated", 6)]),
        (LINES + LINES, [("repeated", line) for line in range(11, 21)]),
        (added(5, b"{}\n"), [("inserted", 6)]),
        (added(5, b"a\n", b"b\n"), [("inserted", 6)]),
        (added(5, OTHERS[5]), [("changed", 6)]),
        ([*LINES, b"x\n"], [("inserted", 11)]),
        ([*LINES[:9], LINES[9][:30]], [("shortened", 0)]),
        (OTHERS, [("head", 10)]),
    ],
)
def test_what_was_done_to_a_log_is_named_with_the_line_that_shows_it(
    lines: list[bytes], found: list[tuple[str, int]]
) -> None:
    report = check(lines, HEAD)
    assert kinds(report)[: len(found)] == found
    assert {kind for kind, _line in kinds(report)[len(found) :]} <= {"missing", "changed", "moved", "repeated"}


@given(data=st.data())
def test_any_change_of_any_kind_is_found(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(LINES) - 1))
    kind = data.draw(st.sampled_from(["byte", "remove", "swap", "insert", "cut", "split", "copy", "graft"]))
    lines = list(LINES)
    if kind == "byte":
        at = data.draw(st.integers(0, len(lines[place]) - 1))
        byte = data.draw(st.integers(0, 255))
        lines[place] = lines[place][:at] + bytes([byte]) + lines[place][at + 1 :]
    elif kind == "remove":
        del lines[place : data.draw(st.integers(place + 1, len(lines)))]
    elif kind == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == "insert":
        lines.insert(place, data.draw(st.binary(max_size=40)).replace(b"\n", b"") + b"\n")
    elif kind == "split":
        at = data.draw(st.integers(0, len(lines[place]) - 2))
        lines[place : place + 1] = [lines[place][:at] + b"\n", lines[place][at:]]
    elif kind == "copy":
        lines.insert(place, data.draw(st.sampled_from(LINES)))
    elif kind == "graft":
        lines[place] = data.draw(st.sampled_from(OTHERS[1:] + chain(10, key=OTHER)[1:]))
    text = b"".join(lines)
    if kind == "cut":
        text = text[: data.draw(st.integers(0, len(text) - 1))]
    report = check(text.splitlines(keepends=True) if b"\r" not in text else split(text), HEAD)
    assert report.intact == (text == b"".join(LINES))


def split(text: bytes) -> list[bytes]:
    return [line + b"\n" for line in text.split(b"\n")[:-1]] + [part for part in [text.split(b"\n")[-1]] if part]


@pytest.mark.parametrize("ahead", [1, 2])
def test_records_in_flight_may_be_ahead_of_the_head(ahead: int) -> None:
    report = check(LINES, head_of(LINES[:-ahead]))
    assert report.intact
    assert "the head is behind" in report.notes[0]


def test_a_head_that_is_far_behind_is_a_fault() -> None:
    assert kinds(check(LINES, head_of(LINES[:-3]))) == [("head", 0)]


def torn(left: bytes, *, lines: int = 0, key: bytes = KEY) -> list[bytes]:
    """Return a log with `left`, which ends with its line, after the third record, and the event that says so."""
    digest = digest_of(key)
    digest.update(left)
    found = {"bytes": len(left), "lines": lines, "digest": digest.hexdigest()}
    event = json.dumps({"event": "recovered", "torn": found}, separators=(",", ":")).encode()
    line, before = seal(KEY, mac(LINES[2]), 4, event)
    return [*LINES[:3], *split(left), line, *chain(3, before=before, first=5)]


def test_what_a_crash_left_is_in_order_where_a_later_record_says_so() -> None:
    lines = torn(b'{"seq":4,"comm\n')
    report = check(lines, head_of(lines, seq=7))
    assert report.intact
    assert report.records == 7
    assert "audit.jsonl, line 4: torn by a crash" in report.notes[0]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (torn(b"a\nb\n", lines=1), "inserted"),
        ([line.replace(b"torn piece", b"torn peace") for line in torn(b"a torn piece\n")], "changed"),
        ([line for line in torn(b"a torn piece\n") if not line.startswith(b"a torn")], "changed"),
        (torn(b"a\n", key=OTHER), "changed"),
    ],
)
def test_what_a_later_record_says_of_a_crash_must_be_what_stands_there(lines: list[bytes], kind: str) -> None:
    assert kinds(check(lines, head_of(lines, seq=7)))[:1] == [(kind, 4 + (kind == "changed" and len(lines) == 8))]


def test_a_last_line_without_an_end_is_what_a_crash_leaves() -> None:
    report = check([*LINES, LINES[3][:40]], HEAD)
    assert report.intact
    assert "line 11: torn" in report.notes[0]


def rotated(before: bytes, seq: int, key: bytes = KEY) -> bytes:
    return seal(key, before, seq, opening(b'{"event":"rotated"}', "before", before.hex(), key))[0]


def files(*parts: list[bytes], head: Head) -> Report:
    found = ChainCheck(KEY, head)
    for index, part in enumerate(parts):
        for number, line in enumerate(part, 1):
            found.feed(f"file {index}", number, line)
    return found.finish()


SECOND = [rotated(mac(LINES[9]), 11)]
SECOND += chain(4, before=mac(SECOND[0]), first=12)
THIRD = [rotated(mac(SECOND[-1]), 16)]
THIRD += chain(2, before=mac(THIRD[0]), first=17)
LAST = Head(seq=18, mac=mac(THIRD[-1]))


def test_a_chain_goes_on_over_files_and_may_begin_where_older_ones_are_not_kept() -> None:
    assert files(LINES, SECOND, THIRD, head=LAST).intact
    report = files(SECOND, THIRD, head=evolve(LAST, oldest=11))
    assert report.intact
    assert (report.first, report.last, report.files, report.notes) == (
        11,
        18,
        2,
        ("records before 11 are no longer kept",),
    )
    assert files(LINES, SECOND, THIRD, head=evolve(LAST, oldest=11)).intact


@pytest.mark.parametrize(
    ("parts", "oldest", "found"),
    [
        ((SECOND, THIRD), 1, ("missing", 0)),
        ((LINES, THIRD), 1, ("missing", 1)),
        ((LINES, SECOND), 1, ("shortened", 0)),
        ((SECOND, LINES, THIRD), 11, ("repeated", 1)),
        ((LINES, THIRD, SECOND), 1, ("moved", 1)),
        ((SECOND[1:], THIRD), 11, ("missing", 1)),
        ((LINES[:5], SECOND, THIRD), 1, ("missing", 1)),
        ((LINES, SECOND[:3], THIRD), 1, ("missing", 1)),
    ],
)
def test_whole_files_that_are_missing_or_moved_are_found(
    parts: tuple[list[bytes], ...], oldest: int, found: tuple[str, int]
) -> None:
    assert kinds(files(*parts, head=evolve(LAST, oldest=oldest)))[0] == found


def test_a_first_record_that_was_changed_is_one_fault_wherever_the_log_begins() -> None:
    first = [SECOND[0].replace(b"rotated", b"rotateD"), *SECOND[1:]]
    assert kinds(files(first, THIRD, head=evolve(LAST, oldest=11))) == [("changed", 1)]
    assert kinds(check(changed(0, LINES[0].replace(b"record 1", b"record 2")), HEAD)) == [("changed", 1)]
    assert kinds(check(without(0), HEAD)) == [("missing", 1)]


def restarted(seq: int, after: str = "null", key: bytes = KEY) -> bytes:
    record = b'{"event":"restarted","why":"the head was gone","after":%b}' % after.encode()
    return seal(key, START, seq, opening(record, "chain", "11" * 16, key))[0]


def test_a_new_chain_is_a_fault_that_says_why() -> None:
    lines = [*LINES[:5], restarted(9, '{"seq":8,"mac":""}')]
    lines += chain(2, before=mac(lines[-1]), first=10)
    report = check(lines, head_of(lines, seq=11))
    assert kinds(report) == [("restarted", 6)]
    assert report.faults[0].text == (
        "a new chain begins with record 9: the head was gone; 3 records before it are missing"
    )
    assert report.last == 11


def test_records_of_another_key_are_one_fault() -> None:
    old = chain(5, key=OTHER)
    lines = [*old, restarted(6)]
    lines += chain(2, before=mac(lines[-1]), first=7)
    report = check(lines, head_of(lines, seq=8))
    assert kinds(report) == [("key", 1), ("restarted", 6)]
    assert kinds(check(old, None)) == [("key", 1)]


@pytest.mark.parametrize("seq", [1, 5, 10])
def test_an_anchor_must_be_in_the_log(seq: int) -> None:
    assert check(LINES, HEAD, {seq: mac(LINES[seq - 1])}).intact
    report = check(OTHERS, head_of(OTHERS), {seq: mac(LINES[seq - 1])})
    assert [(fault.kind, fault.seq) for fault in report.faults] == [("anchor", seq)]
    assert "written anew" in report.faults[0].text


def test_an_anchor_outside_of_what_is_kept_says_so() -> None:
    assert "ends before it" in check(LINES[:5], head_of(LINES[:5]), {6: mac(LINES[5])}).faults[0].text
    found = ChainCheck(KEY, evolve(LAST, oldest=16), {3: mac(LINES[2])})
    for number, line in enumerate(THIRD, 1):
        found.feed(FILE, number, line)
    assert "no longer kept" in found.finish().faults[0].text


def test_faults_are_counted_past_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_check, "FAULT_LIMIT", 3)
    report = check(LINES + LINES, HEAD)
    assert (len(report.faults), report.more) == (3, 7)


def test_many_lines_out_of_place_are_kept_in_mind_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_check, "_UNPLACED_LIMIT", 3)
    assert not check([LINES[0], *reversed(LINES[1:])], HEAD).intact
