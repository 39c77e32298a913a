"""A command keeps its verdict however it is spelled; `benchmarks/respelled.py` says so of very many."""

from __future__ import annotations

import getopt
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Verdict
from respelled import bases, unreadable
from respeller import KINDS, Kind, is_posix, variants
from respeller import options as option_kinds
from respeller.option_tables import TABLES, Table
from respeller.words import BUILTINS, RESERVED, plain

VALID = Path(__file__).parents[1] / "corpus" / "valid.jsonl"
FOLDER = Path(__file__).parent
SAMPLE = [base for at, base in enumerate(bases("allow", "deny", "grey")) if at % 60 == 0]
VARIANTS = list(variants(SAMPLE, seed=1, most=1))


@pytest.fixture(scope="session")
def decided() -> Callable[[str], Decision | None]:
    """A function that returns the decision on a command, or None."""
    judge = OfflineJudge(TreeSitterReader())

    def decide(command: str) -> Decision | None:
        found = judge(GateRequest(command))
        return found.decision if isinstance(found, Verdict) else None

    return decide


def test_enough_is_respelled_and_bash_can_read_all_of_it() -> None:
    assert len(VARIANTS) > 400
    assert len({variant.kind.name for variant in VARIANTS}) > len(KINDS) - 8
    assert list(unreadable([variant.text for variant in VARIANTS])) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_respelling_turns_a_verdict_round(kind: Kind, decided: Callable[[str], Decision | None]) -> None:
    other = {"allow": [Decision.DENY], "deny": [Decision.ALLOW], "grey": [Decision.ALLOW, Decision.DENY]}
    turned = [v.text for v in VARIANTS if v.kind is kind and decided(v.text) in other[v.base.label]]
    assert turned == []


@pytest.mark.parametrize("label", ["allow", "deny"])
def test_nearly_all_respellings_keep_their_verdict(label: str, decided: Callable[[str], Decision | None]) -> None:
    firm = [v.text for v in VARIANTS if v.base.label == label and not (label == "allow" and v.kind.ends)]
    lost = [text for text in firm if decided(text) is not label_value(label)]
    assert len(lost) <= len(firm) * 0.05, lost


def label_value(label: str) -> Decision:
    """Return the decision that a label stands for."""
    return {"allow": Decision.ALLOW, "deny": Decision.DENY}[label]


# --- the respeller itself


def test_it_knows_nothing_of_the_gate() -> None:
    sources = [path for path in FOLDER.glob("*.py") if not path.name.startswith("test_")]
    assert len(sources) > 7
    assert not [path.name for path in sources if re.search(r"^\s*(?:from|import)\s+phocinae", path.read_text(), re.M)]


def test_the_same_seed_gives_the_same_texts_and_another_one_others() -> None:
    some = SAMPLE[:2]
    first = [variant.text for variant in variants(some, seed=1, most=2)]
    assert first == [variant.text for variant in variants(some, seed=1, most=2)]
    assert first != [variant.text for variant in variants(some, seed=2, most=2)]


def test_a_kind_gives_no_text_twice_and_never_the_command_itself() -> None:
    texts = [(v.kind.name, v.text) for v in variants(SAMPLE, seed=1, most=3)]
    assert len(texts) == len(set(texts))
    assert not [v.text for v in VARIANTS if v.text == v.base.text]


def test_windows_commands_are_left_out() -> None:
    assert not is_posix("Remove-Item x -Recurse")
    assert list(variants([("Get-ChildItem -Recurse", "allow")], seed=1, most=1)) == []


@pytest.mark.parametrize(
    "text",
    [json.loads(line)["command"] for line in VALID.read_text(encoding="utf-8").splitlines()]
    + [text for text, _ in bases("allow", "deny", "grey")],
)
def test_certain_words_are_those_that_shlex_reads(text: str) -> None:
    found = plain(text)
    if re.search(r"\\[$`\n]", text):
        return  # shlex keeps a backslash in double quotes that a shell takes away
    if found is not None and all(word.value is not None for word in found.words):
        assert [*found.assignments, *(word.value for word in found.words)] == [
            *found.assignments,
            *shlex.split(text)[len(found.assignments) :],
        ]


@pytest.mark.parametrize(
    "text",
    ["ls; pwd", "ls | cat", "ls > x", "$(ls)", "`ls`", "a && b", "ls &", "(ls)", "ls # x", "ls\npwd", "X=1", "'open", '"open']
    + [f"{word} x" for word in sorted(RESERVED)],
)  # fmt: skip
def test_what_is_no_plain_command_is_given_up(text: str) -> None:
    assert plain(text) is None


@pytest.mark.parametrize(
    "text", ["ls ~", "ls *", "ls a?", "ls [ab]", "ls {a,b}", "ls $x", 'ls "$x"', "ls ${x}", "ls $'a'"]
)
def test_the_value_of_an_expansion_is_not_certain(text: str) -> None:
    found = plain(text)
    assert found is not None
    assert [word.value for word in found.words] == ["ls", None]


@pytest.mark.parametrize("name", ["cd", "eval", "export", "set", "trap", "type", "."])
def test_what_only_a_shell_knows_is_no_program(name: str) -> None:
    assert name in BUILTINS


@pytest.mark.parametrize("program", TABLES)
def test_an_abbreviation_means_one_option_only(program: str) -> None:
    table = TABLES[program]
    for name in table.names:
        for cut in table.shortened(name):
            assert [other for other in (*table.names, "help", "version") if other.startswith(cut)] == [name]


CALLS = [
    "rm -rf /srv/x ./y",
    "rm -r --force -v a b",
    "ls -la -h src",
    "ls --all --size -I '*.o' x y",
    "cut -d, -f1 data.csv",
    "cut -d ',' -f 1 a b",
    "head -n 5 -q a b",
    "grep -rn TODO src",
    "grep -i -A3 --max-count=2 x y z",
    "sort -k2 -rn a",
    "cp -a x y",
    "git push -fu origin main",
    "git push --force -n origin main",
    "git branch -vv -a",
]


def parsed(text: str, program: str, table: Table) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options, sorted and under one name each, and the operands of a call, as getopt reads them."""
    words = shlex.split(text.removeprefix(program))
    short = "".join(letter + (":" if letter in table.with_value else "") for letter in sorted(table.letters))
    long = [name + ("=" if name in table.with_value else "") for name in table.names]
    found, operands = getopt.gnu_getopt(words, short, long)
    names = [(name.lstrip("-"), value) for name, value in found]
    return sorted((table.long_of.get(name, name), value) for name, value in names), operands


@pytest.mark.parametrize("call", CALLS)
def test_getopt_reads_the_same_options_in_every_spelling(call: str) -> None:
    program = next(name for name in sorted(TABLES, reverse=True) if call.startswith(name + " "))
    want = parsed(call, program, TABLES[program])
    found = [
        variant.text for variant in variants([(call, "allow")], seed=1, most=6) if variant.kind in option_kinds.KINDS
    ]
    assert len(found) > 4
    assert [text for text in found if parsed(text, program, TABLES[program]) != want] == []
