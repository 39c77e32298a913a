"""What must hold for every command: wrapping, joining and quoting never make a verdict milder."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.hits import MOST_OF_A_WEIGHT, Hits
from phocinae.domain.l0 import OfflineJudge, verdict_on
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Command
from phocinae.domain.verdict import (
    Decision,
    Hit,
    ReadingStatus,
    Undecided,
    Verdict,
    Weight,
    strictest,
)

READER = TreeSitterReader()
JUDGE = OfflineJudge(READER)
CORPUS = Path(__file__).parents[2] / "corpus" / "corpus.jsonl"
ENTRIES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def some_of_each(entries: list[dict[str, str]], most: int) -> list[str]:
    """Return the first commands of each label and kind."""
    seen: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        seen.setdefault((entry["label"], entry["kind"]), []).append(entry["command"])
    return [command for commands in seen.values() for command in commands[:most]]


COMMANDS = some_of_each(ENTRIES, 4)


def strictness(command: str) -> int:
    """Return 0 for an allow, 1 and 2 for undecided without and with a person, 3 for a denial."""
    answer = JUDGE(GateRequest(command))
    if isinstance(answer, Verdict):
        return {Decision.ALLOW: 0, Decision.ASK: 2, Decision.DENY: 3}[answer.decision]
    return 1 if answer.ceiling is Decision.ALLOW else 2


def rules_of(command: str) -> set[str]:
    """Return the rules that a command hits."""
    return {hit.rule for hit in JUDGE(GateRequest(command)).hits}


def is_words(command: str) -> bool:
    """Return whether a command is nothing but a program with its words, so that a program can stand before it."""
    script = READER.read(command).script
    return (
        isinstance(script, Command)
        and not script.assignments
        and not script.redirections
        and bool(script.words)
        and (script.start, script.end) == (0, len(command))
        and script.words[0].start == 0
    )


def is_readable(command: str) -> bool:
    """Return whether the reader saw all of a command, and nothing in it reaches behind its end."""
    return READER.read(command).status is ReadingStatus.COMPLETE and not {"<<", "#", "{rm"} & {
        part for part in ("<<", "#", "{rm") if part in command
    }


PREFIXES = [
    "sudo", "sudo -u root --", "doas", "env", "env -i", "env -u X", "env LANG=C", "nice", "nice -n 5", "ionice -c3",
    "nohup", "timeout 5", "timeout -k 1 5", "stdbuf -oL", "setsid", "setsid -w", "command", "command -p", "exec",
    "time", "time -p", "builtin", "busybox", "chroot /", "taskset 1", "flock /tmp/lock", "chrt 1", "unbuffer",
    "strace", "caffeinate -i", "systemd-run", "xargs", "watch", "watch -x", "coproc", "!", "LANG=C", "chronic",
    "setarch x86_64", "firejail", "su -s /bin/sh root -c", "env -S",
]  # fmt: skip
REREADS = {"watch"}
PLAIN_WORDS = re.compile(r"[A-Za-z0-9 ./:=,@%+~*-]+\Z")
TEXT_PREFIXES = {"su -s /bin/sh root -c", "env -S"}

SHELLS: dict[str, Callable[[str], str]] = {
    "sh -c": lambda text: f"sh -c {shlex.quote(text)}",
    "bash -lc": lambda text: f"bash -lc {shlex.quote(text)}",
    "zsh -ec": lambda text: f"zsh -ec {shlex.quote(text)}",
    "fish -c": lambda text: f"fish -c {shlex.quote(text)}",
    "eval": lambda text: f"eval {shlex.quote(text)}",
    "watch": lambda text: f"watch {shlex.quote(text)}",
    "sudo sh -c": lambda text: f"sudo sh -c {shlex.quote(text)}",
    "su -c": lambda text: f"su -c {shlex.quote(text)}",
    "script -c": lambda text: f"script -qc {shlex.quote(text)} /dev/null",
    "flock -c": lambda text: f"flock /tmp/lock -c {shlex.quote(text)}",
    "ssh": lambda text: f"ssh host {shlex.quote(text)}",
    "trap": lambda text: f"trap {shlex.quote(text)} EXIT",
    "parallel": lambda text: f"parallel ::: {shlex.quote(text)}",
    "xargs sh -c": lambda text: f"echo x | xargs -I%% sh -c {shlex.quote(text)}",
    "printf | sh": lambda text: f"printf %s {shlex.quote(text)} | sh",
    "here-string": lambda text: f"bash <<< {shlex.quote(text)}",
    "here-document": lambda text: f"bash <<'END-OF-TEXT'\n{text}\nEND-OF-TEXT",
}

AROUND: dict[str, Callable[[str], str]] = {
    "$( )": lambda text: f"echo $( {text}\n)",
    '"$( )"': lambda text: f'echo "$( {text}\n)"',
    "<( )": lambda text: f"cat <( {text}\n)",
    ">( )": lambda text: f"echo x > >( {text}\n)",
    "assignment": lambda text: f"x=$( {text}\n)",
    "subshell": lambda text: f"( {text}\n)",
    "group": lambda text: f"{{ {text}\n}}",
    "if": lambda text: f"if true; then {text}\nfi",
    "if condition": lambda text: f"if {text}\nthen true; fi",
    "else": lambda text: f"if true; then true; else {text}\nfi",
    "for": lambda text: f"for i in 1 2; do {text}\ndone",
    "while": lambda text: f"while true; do {text}\ndone",
    "until condition": lambda text: f"until {text}\ndo true; done",
    "case": lambda text: f"case x in y) {text}\n;; esac",
    "function": lambda text: f"work() {{ {text}\n}}; work",
    "and": lambda text: f"true && {{ {text}\n}}",
    "or": lambda text: f"true || {{ {text}\n}}",
    "list": lambda text: f"true; {text}",
    "before": lambda text: f"{text}\ntrue",
    "pipe": lambda text: f"ls | {{ {text}\n}}",
    "background": lambda text: f"true & {text}",
    "backgrounded": lambda text: f"{{ {text}\n}} &",
    "negated": lambda text: f"! ( {text}\n)",
    "redirected": lambda text: f"{{ {text}\n}} > /dev/null 2>&1",
    "default": lambda text: f'echo "${{x:-$( {text}\n)}}"',
}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_wrapped_program_never_gets_a_milder_verdict(prefix: str) -> None:
    milder = []
    for command in filter(is_words, COMMANDS):
        if prefix in REREADS and not PLAIN_WORDS.match(command):
            continue  # other quotes would be needed
        if prefix == "xargs" and "feeds-interpreter" in rules_of(command):
            continue  # what reads code from its input gets an empty one
        words = shlex.quote(command) if prefix in TEXT_PREFIXES else command
        if strictness(f"{prefix} {words}") < strictness(command):
            milder.append(command)
    assert milder == []


@pytest.mark.parametrize("wrapper", SHELLS)
def test_a_text_for_another_shell_never_gets_a_milder_verdict(wrapper: str) -> None:
    wrap = SHELLS[wrapper]
    milder = [command for command in COMMANDS if strictness(wrap(command)) < strictness(command)]
    assert milder == []


@pytest.mark.parametrize("compound", AROUND)
def test_a_command_in_another_never_gets_a_milder_verdict(compound: str) -> None:
    wrap = AROUND[compound]
    milder = [command for command in filter(is_readable, COMMANDS) if strictness(wrap(command)) < strictness(command)]
    assert milder == []


@pytest.mark.parametrize("command", [entry["command"] for entry in ENTRIES if strictness(entry["command"]) == 3])
def test_a_denied_command_is_denied_before_and_behind_others(command: str) -> None:
    assert strictness(f"ls\n{command}") == 3
    assert strictness(f"{command}\nls") == 3


@pytest.mark.parametrize(
    "other", [command for command in COMMANDS if is_readable(command) and not command.endswith("&")]
)
def test_what_stands_around_does_not_lift_a_denial(other: str) -> None:
    assert strictness(f"{other}; rm -rf /") == 3
    assert strictness(f"rm -rf /; {other}") == 3
    assert strictness(f"{other}\nrm -rf /") == 3


# --- strictest, hits and weights

decisions = st.lists(st.sampled_from(Decision), max_size=6)


@given(decisions, decisions)
def test_strictest_does_not_mind_order_or_grouping(left: list[Decision], right: list[Decision]) -> None:
    assert strictest(left + right) == strictest(right + left)
    if left and right:
        assert strictest(left + right) == strictest([strictest(left), strictest(right)])


@given(decisions)
def test_strictest_is_one_of_its_inputs_and_never_looser_than_any(given_decisions: list[Decision]) -> None:
    answer = strictest(given_decisions)
    assert all(answer >= decision for decision in given_decisions)
    assert answer in given_decisions or (answer is Decision.DENY and not given_decisions)


def test_strictest_of_none_is_deny() -> None:
    assert strictest([]) is Decision.DENY


weights = st.lists(st.sampled_from(Weight), max_size=12)


def rank(found: list[Weight]) -> int:
    """Return how strict the answer on hits of these weights is."""
    kept = Hits()
    for place, weight in enumerate(found):
        kept.add(Hit(rule="x", weight=weight, reason=str(place), start=place, end=place))
    answer = verdict_on(kept.heaviest_first(), ReadingStatus.COMPLETE, "")
    if isinstance(answer, Verdict):
        return 0 if answer.decision is Decision.ALLOW else 3
    return 1 if answer.ceiling is Decision.ALLOW else 2


@given(weights, st.data())
def test_a_heavier_hit_never_makes_a_verdict_milder(found: list[Weight], data: st.DataObject) -> None:
    if not found:
        return
    place = data.draw(st.integers(0, len(found) - 1))
    heavier = data.draw(st.sampled_from([weight for weight in Weight if weight >= found[place]]))
    assert rank([*found[:place], heavier, *found[place + 1 :]]) >= rank(found)


@given(weights, st.sampled_from(Weight))
def test_one_hit_more_never_makes_a_verdict_milder(found: list[Weight], another: Weight) -> None:
    assert rank([*found, another]) >= rank(found)


def test_many_light_hits_do_not_crowd_out_a_heavy_one() -> None:
    assert rank([Weight.UNSURE] * (MOST_OF_A_WEIGHT * 2) + [Weight.DENY]) == 3


@pytest.mark.parametrize("order", list(permutations(["echo $x", "cat .env", "rm -rf /"])))
def test_the_order_of_commands_does_not_matter(order: tuple[str, ...]) -> None:
    assert strictness("; ".join(order)) == 3


# --- any text

TOKENS = st.sampled_from(
    [
        *r"""echo cat rm -rf / ~ $x ${x:-y} $( ) ` ' " ; & && || | > < >> 2>&1 << EOF { } ( )""".split(),
        *r"""if then fi for in do done while case esac x=1 export eval sh -c [ ] [[ ]] (( ))""".split(),
        *r"""! time function f() \ # * ? {a,b} $'a' $((1+x)) <( >( @ = == -eq sudo env xargs -I{}""".split(),
        "\n",
        "\t",
        " ",
    ]
)
texts = st.one_of(
    st.text(max_size=80), st.lists(TOKENS, max_size=20).map(" ".join), st.lists(TOKENS, max_size=20).map("".join)
)


@given(texts, st.one_of(st.none(), st.text(max_size=20), st.just("/etc"), st.just("/")))
def test_any_text_gets_an_answer(text: str, cwd: str | None) -> None:
    answer = JUDGE(GateRequest(text, cwd))
    assert isinstance(answer, Verdict | Undecided)
    assert all(0 <= hit.start <= hit.end <= len(text) for hit in answer.hits)


@given(texts)
def test_what_is_not_read_to_the_end_is_never_allowed(text: str) -> None:
    if READER.read(text).status is not ReadingStatus.COMPLETE:
        assert strictness(text) >= 2


@given(texts, st.one_of(st.just("/"), st.just("/home/me"), st.just("/etc"), st.just("/srv/project")))
def test_the_directory_that_a_caller_claims_never_makes_a_verdict_milder(text: str, cwd: str) -> None:
    claimed = JUDGE(GateRequest(text, cwd))
    if strictness(text) == 3:
        assert isinstance(claimed, Verdict)
        assert claimed.decision is Decision.DENY
    elif strictness(text) > 0:
        assert not (isinstance(claimed, Verdict) and claimed.decision is Decision.ALLOW)


data_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=120)


@given(st.one_of(data_texts, st.lists(TOKENS, max_size=12).map(" ".join)))
def test_quoted_text_is_data(text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    assert strictness(f"echo {quoted}") == 0
    assert strictness(f"grep -n -e {quoted} README.md") == 0
    assert strictness(f"printf '%s\\n' {quoted}") == 0


@given(st.lists(TOKENS, max_size=12).map(" ".join))
def test_what_a_comment_says_does_not_count(text: str) -> None:
    assert strictness("ls # " + text.replace("\n", " ")) == 0


@given(st.lists(TOKENS, max_size=10).map(" ".join))
def test_any_readable_text_leaves_a_denial_before_it(text: str) -> None:
    if READER.read(text).status is ReadingStatus.COMPLETE:
        assert strictness(f"rm -rf /; {text}") == 3 or READER.read(f"rm -rf /; {text}").script is None
