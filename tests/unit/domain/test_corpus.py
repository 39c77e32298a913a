"""The offline judge on the labelled data: no false answer, and enough true ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "corpus"
LEAST_ALLOWED, LEAST_DENIED = 0.85, 0.80
"""Shares of the harmless that must be allowed, and of the ruinous that must be denied."""

STRICTNESS = ["allow", "undecided", "undecided-ask", "deny"]

Judged = Callable[..., str]


def entries(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


CORPUS = entries("corpus.jsonl")
REPORTS = entries("field_reports.jsonl")


def answers(judged: Judged, label: str) -> list[tuple[str, str]]:
    return [(entry["command"], judged(entry["command"])) for entry in CORPUS if entry["label"] == label]


def test_the_corpus_is_the_whole_corpus() -> None:
    assert Counter(entry["label"] for entry in CORPUS) == {"allow": 228, "deny": 307, "grey": 313}


def test_nothing_is_allowed_that_should_not_be(judged: Judged) -> None:
    false = [command for label in ("deny", "grey") for command, answer in answers(judged, label) if answer == "allow"]
    assert false == []


def test_nothing_is_denied_that_should_not_be(judged: Judged) -> None:
    false = [command for label in ("allow", "grey") for command, answer in answers(judged, label) if answer == "deny"]
    assert false == []


def test_enough_of_the_harmless_is_allowed(judged: Judged) -> None:
    found = answers(judged, "allow")
    assert sum(answer == "allow" for _, answer in found) / len(found) >= LEAST_ALLOWED


def test_enough_of_the_ruinous_is_denied(judged: Judged) -> None:
    found = answers(judged, "deny")
    assert sum(answer == "deny" for _, answer in found) / len(found) >= LEAST_DENIED


def test_no_statement_hides_a_program(judged: Judged) -> None:
    markers = entries("markers.jsonl")
    assert len(markers) > 200
    assert [entry["statement"] for entry in markers if judged(entry["statement"]) == "allow"] == []


NEIGHBOURS = entries("neighbours.jsonl")


@pytest.mark.parametrize("about", sorted({entry["about"] for entry in NEIGHBOURS}))
def test_what_is_near_to_each_other_is_told_apart(about: str, judged: Judged) -> None:
    group = [entry for entry in NEIGHBOURS if entry["about"] == about]
    answered = [(entry, judged(entry["command"], entry.get("cwd")).removesuffix("-ask")) for entry in group]
    assert [(entry["command"], answer) for entry, answer in answered if answer != entry["verdict"]] == []


@pytest.mark.parametrize("entry", REPORTS, ids=lambda entry: entry["id"])
def test_what_users_of_other_gates_reported(entry: dict[str, str], judged: Judged) -> None:
    answer = judged(entry["command"])
    if entry["want"] == "allow":
        assert answer == "allow"
    elif entry["want"] == "not-allow":
        assert answer != "allow"
    elif entry["want"] == "no-l0-deny":
        assert answer != "deny"
    else:
        assert (entry["want"], answer) == ("same-as", judged(entry["ref"]))


PLAIN = {
    "rm -rf ~/demo": [
        "ls; {}",
        "{} | grep x",
        "false || {}",
        "echo `{}`",
        "eval '{}'",
        "bash -c '{}'",
        "cat <<END\n$({})\nEND",
    ],
    "git push --force origin main": ["cd other && {}", "ls\n{}", "env -S '{}'", "su -c '{}'"],
    "rm -rf ~": ["cat <<END; {}\nhi\nEND", "cat <<END\n`{}`\nEND", "# one\n# two\necho removing\n{}\necho done"],
    "rm -rf build": ['sudo bash -c "{}"', "runuser -u demo -- {}", "find . -exec {} \\;", "ls\n{}\nls"],
}


@pytest.mark.parametrize(("plain", "hidden"), [(plain, form) for plain, forms in PLAIN.items() for form in forms])
def test_a_hidden_command_is_never_judged_milder_than_the_plain_one(plain: str, hidden: str, judged: Judged) -> None:
    assert STRICTNESS.index(judged(hidden.format(plain))) >= STRICTNESS.index(judged(plain))
