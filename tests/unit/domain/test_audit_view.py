from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain import audit_view
from phocinae.domain.audit_view import UNKNOWN, UNREAD, Wanted, count, instant, most

NOW = 1_785_240_000.0  # 2026-07-28T12:00:00Z

RECORD = {
    "time": "2026-07-28T11:30:00.000Z",
    "command": "git push | tee x",
    "cwd": "/srv/Work",
    "decision": "deny",
    "outcome": "would deny",
    "layer": "L0",
    "reason": "It says so.",
    "hits": [{"rule": "a"}, {"rule": "b"}, {"rule": "a"}],
    "agent": "codex",
    "tool": "shell",
}


def programs(command: str) -> list[str]:
    return audit_view.programs(TreeSitterReader().read(command).script)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2h", "2026-07-28T10:00:00.000Z"),
        ("90s", "2026-07-28T11:58:30.000Z"),
        ("3d", "2026-07-25T12:00:00.000Z"),
        ("1w", "2026-07-21T12:00:00.000Z"),
        ("2026-07-28", "2026-07-28T00:00:00.000Z"),
        ("2026-07-28T09:15", "2026-07-28T09:15:00.000Z"),
        ("2026-07-28T09:15:01.5Z", "2026-07-28T09:15:01.500Z"),
        ("2026-07-28T09:15+02:00", "2026-07-28T07:15:00.000Z"),
        ("0001-02-03T04:05:06.0009Z", "0001-02-03T04:05:06.000Z"),
    ],
)
def test_a_time_is_written_as_records_write_it(text: str, at: str) -> None:
    assert instant(text, NOW) == at


@pytest.mark.parametrize("text", ["", "h", "2", "2y", "-2h", "2h ", "yesterday", "2026-13-01", "999999w", "٢h"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ISO 8601"):
        instant(text, NOW)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (Wanted(), True),
        (Wanted(decision="deny"), True),
        (Wanted(decision="would deny"), True),
        (Wanted(decision="allow"), False),
        (Wanted(layer="L0", agent="codex", tool="shell"), True),
        (Wanted(layer="L1"), False),
        (Wanted(rule="b"), True),
        (Wanted(rule="c"), False),
        (Wanted(since="2026-07-28T11:30:00.000Z"), True),
        (Wanted(since="2026-07-28T11:30:00.001Z"), False),
        (Wanted(until="2026-07-28T11:30:00.000Z"), False),
        (Wanted(text="WORK"), True),
        (Wanted(text="says"), True),
        (Wanted(text="nowhere"), False),
        (Wanted(program="tee", programs=programs), True),
        (Wanted(program="rm", programs=programs), False),
    ],
)
def test_a_record_is_wanted_when_it_has_all_that_is_asked_for(wanted: Wanted, fits: bool) -> None:
    assert wanted(RECORD) is fits
    assert wanted.anything() is (wanted == Wanted())


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("git status", ["git"]),
        ("A=$(cat x) /usr/bin/env y | sort && sort z", ["env", "cat", "sort"]),
        ("$x y", [UNKNOWN]),
        ("for i in 1; do echo $(date); done", ["echo", "date"]),
        ("TOKEN=REDACTED curl https://u:REDACTED@host", ["curl"]),
        ("echo 'a", [UNREAD]),
    ],
)
def test_programs_are_those_that_the_shell_reader_sees(command: str, names: list[str]) -> None:
    assert sorted(programs(command)) == sorted(names)


def test_things_are_counted_once_for_each_record() -> None:
    counts = count([RECORD, RECORD, {"event": "off"}], programs)
    assert counts.records == 3
    assert counts.by["decision"] == {"would deny": 2, "off": 1}
    assert counts.by["rule"] == {"a": 2, "b": 2}
    assert counts.by["program"] == {"git": 2, "tee": 2}
    assert counts.by["agent"] == {"codex": 2}


def test_the_most_frequent_come_first_and_equals_in_order() -> None:
    assert most(Counter({"b": 2, "a": 2, "c": 5, "d": 1}), 3) == [("c", 5), ("a", 2), ("b", 2)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(RECORD)), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from([*RECORD, "files", "event", "rule"]), JSON, max_size=6))
def test_nothing_of_a_record_is_believed_to_be_there(record: dict[str, object]) -> None:
    wanted = Wanted(rule="a", text="x", since="2026", until="2027", program="git", programs=lambda _command: [])
    assert wanted(record) in (True, False)
    assert count([record], lambda _command: ["x"]).records == 1
