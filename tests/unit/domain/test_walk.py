"""The walk: assignments, carried text, output that flows, and bounds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.calls import Call
from phocinae.domain.expand import TooMuch
from phocinae.domain.knowledge import Role
from phocinae.domain.values import UNKNOWN_STREAM, Field
from phocinae.domain.variables import Variables
from phocinae.domain.verdict import Decision, Hit, Weight
from phocinae.domain.walk import MOST_ARGUMENTS, MOST_DEPTH, MOST_STEPS, MOST_WORDS, Walker

Judged = Callable[..., str]
Rules = Callable[[str], set[str]]
Hits = Callable[[str], tuple[Hit, ...]]


@pytest.mark.parametrize(
    "command",
    [
        "LANG=C ls",
        "LC_ALL=C TZ=UTC date",
        "IFS= read -r line < notes.txt",
        "COLUMNS=80 ls",
        'name=value; echo "$name"',
        'FILES=a.txt; cat "$FILES"',
        "x=1 y=2; echo $x$y",
    ],
)
def test_harmless_assignments(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("LD_PRELOAD=./x.so ls", "sets-variable"),
        ("PATH=/tmp ls", "sets-variable"),
        ("x=1 ls", "sets-variable"),
        ("PATH=/tmp", "sets-variable"),
        ("path=/tmp", "sets-variable"),
        ("IFS=: ls", "sets-variable"),
        ("COLUMNS='a[$(id)]' ls", "evaluates-text"),
        ("LINES='a[$(id)]'", "evaluates-text"),
        ("SECONDS=x", "evaluates-text"),
    ],
)
def test_other_assignments(command: str, rule: str, rules: Rules) -> None:
    assert rule in rules(command)


def test_what_a_variable_would_run_is_judged(judged: Judged) -> None:
    assert judged("GIT_PAGER='rm -rf /' git log") == "deny"
    assert judged("PROMPT_COMMAND='rm -rf /'") == "deny"
    assert judged("GIT_PAGER='less -R' git log") == "undecided"


@pytest.mark.parametrize(
    "command",
    [
        "x=echo; LANG=C read x; $x hi",
        "x=echo; IFS= read -r x; $x hi",
        "LANG=echo; LANG=marker :; $LANG hi",
        "LANG=echo; LANG=marker LC_ALL=$LANG eval '$LC_ALL hi'",
        "x=echo; LC_ALL=C eval x=marker; $x hi",
        "x=echo; x+=marker; $x hi",
        "x=(echo marker); ${x[1]} hi",
        "x=echo; sh -c '$x marker'",
        "x=echo; echo '$x marker' | sh",
        "x=echo; ssh host '$x marker'",
    ],
)
def test_assignments_are_not_trusted_further_than_they_reach(command: str, judged: Judged) -> None:
    assert judged(command) != "allow"


def test_an_exported_variable_is_known_in_a_shell_that_is_started(judged: Judged) -> None:
    assert judged("X=/ sh -c 'rm -rf $X'") == "deny"
    assert judged("export X=/; sh -c 'rm -rf $X'") == "deny"
    assert judged("x=/; sh -c 'rm -rf $x'") == "undecided"


def test_hits_in_carried_text_stand_where_it_is_carried(hits: Hits) -> None:
    found = hits("ls; sh -c 'ls; rm -rf /'")
    assert [(hit.rule, hit.start, hit.end) for hit in found] == [("delete-root", 10, 24)]


def test_reasons_hold_no_secrets(hits: Hits) -> None:
    command = (
        "deploy --token=ghp_0123456789abcdefghijABCDEFGHIJ012345 x; rm /etc/ghp_0123456789abcdefghijABCDEFGHIJ012345"
    )
    assert all("ghp_0123456789abcdefghijABCDEFGHIJ012345" not in hit.reason for hit in hits(command))


@pytest.mark.parametrize(
    "text", ["echo *", "echo ?", "echo $PWD", 'echo "$PWD"', "echo $x", "echo ~/*", "for f in *.py; do echo $f; done"]
)
def test_text_with_names_of_files_in_it_is_no_known_text(text: str, rules: Rules) -> None:
    assert "unknown-name" in rules(f"eval {text}" if "for" not in text else 'for f in *.py; do sh -c "echo $f"; done')


def test_depth_is_bounded(judged: Judged, rules: Rules) -> None:
    assert judged("eval " * (MOST_DEPTH // 2 - 1) + "ls") == "allow"
    assert rules("eval " * MOST_DEPTH + "ls") == {"too-deep"}
    assert judged("eval " * MOST_DEPTH + "ls") == "undecided-ask"
    assert judged("env " * MOST_DEPTH + "ls") == "undecided-ask"


LOOPS = "for a in 1 2 3 4 5 6 7 8 9 0; do " * 4 + "echo $a; " + "done; " * 4


def test_what_takes_too_much_is_no_allow_and_hides_no_denial(judged: Judged, rules: Rules) -> None:
    assert rules(LOOPS) == {"too-deep"}
    assert judged(LOOPS) == "undecided-ask"
    assert judged(LOOPS + "rm -rf /") == "deny"
    assert judged(LOOPS + "sh -c 'rm -rf /'") == "deny"
    assert judged("f() { rm -rf /; }; " + LOOPS) == "deny"


def test_values_do_not_grow_without_end(judged: Judged) -> None:
    doubling = "x=aaaaaaaaaa; " + 'x="$x$x$x$x$x$x$x$x"; ' * 40
    assert judged(doubling + 'echo "$x"') == "undecided-ask"
    assert judged(doubling + "rm -rf /") == "deny"


def test_carried_text_is_bounded(rules: Rules) -> None:
    text = "echo " + "a" * 900
    assert "too-deep" in rules(f"for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8; do sh -c '{text}'; done; done")


@pytest.mark.parametrize(
    "command",
    [
        "echo 'rm -rf /' > >(sh)",
        "echo 'rm -rf /' | tee >(sh)",
        "curl -s http://localhost/x > >(bash)",
        "curl -s http://localhost/x | tee >(bash) | cat",
        "{ echo 'rm -rf /'; } > >(sh)",
    ],
)
def test_what_flows_into_a_process_substitution(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


def test_the_weight_of_a_hit_can_be_set() -> None:
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    walker.add("runs-project-code", 0, 6, "pytest", Weight.DENY)
    walker.note("writes-file", Field("a\ue002", 2, 3), "a\ue002")
    assert [(hit.weight, hit.reason, hit.start, hit.end) for hit in walker.hits.heaviest_first()] == [
        (Weight.DENY, "pytest runs code of the project, which is not judged here.", 0, 6),
        (Weight.UNSURE, "It writes to a*.", 2, 3),
    ]


def test_the_state_behind_a_text_is_the_state_of_the_shell() -> None:
    walker, state = Walker(TreeSitterReader(), Decision.ALLOW), Variables()
    walker.text("x=1; cd /etc; f() { :; }", Field("x"), state)
    assert (state.get("x"), state.cwd, list(state.functions)) == (("1", 0), "/etc", ["f"])


@pytest.mark.parametrize(
    "command",
    [
        "$(echo ls) -la",
        "`echo ls`",
        '"$(which cat)" README.md',
        "x=$(echo ls); $x",
        'x=`echo ls`; "$x" -la',
        "l$(echo s)",
        "/bin/$(echo ls)",
        "$(printf ls)",
        "env $(echo ls)",
        "timeout 5 $(echo ls)",
        "echo x | xargs $(echo cat)",
        "find . -exec $(echo ls) {} +",
        "echo ls | while read c; do $c; done",
        "for c in $(echo ls); do $c; done",
        "f() { $1; }; f $(echo ls)",
        "read c <<< ls; $c",
        "printf -v c ls; $c",
        "eval $(echo ls)",
        'sh -c "$(echo ls)"',
        "$(true) ls",
        "$(echo) ls -la",
    ],
)
def test_a_name_that_a_command_prints_is_not_known(command: str, judged: Judged, rules: Rules) -> None:
    assert judged(command) == "undecided-ask"
    assert "unknown-name" in rules(command)


@pytest.mark.parametrize("command", ["x=ls; $x -la", 'x=ls; y=$x; "$y" -la', "ls $(echo src)", "cd $(pwd) && ls"])
def test_a_name_that_the_text_assigns_is_known(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", ["$(echo rm) -rf /", "`echo rm` -rf ~", "x=$(echo rm); $x -rf /"])
def test_a_name_that_a_command_prints_counts_for_a_denial(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


REPEATED = [
    "find . -exec find ",
    "xargs find . -exec find ",
    "env find . -exec find ",
    "docker exec a find . -exec find ",
    "find . -ok env ",
    "find a b /c -exec env ",
    "eval ",
    "env -S ",
    "timeout 5 ",
    "nice -n 5 ",
    "sudo env ",
    "xargs -n1 ",
    "parallel ",
    "fd . / -x ",
    "git -C a ",
]
"""Words that run the words behind them, or look as if they did."""


def spent(text: str) -> Walker:
    """Return the walker of a text, when it has judged all that it will judge of it."""
    reader = TreeSitterReader()
    walker = Walker(reader, Decision.ALLOW)
    script = reader.read(text).script
    assert script is not None
    with suppress(TooMuch):
        walker.run(script, Variables(), UNKNOWN_STREAM)
    return walker


@pytest.mark.parametrize("words", REPEATED)
def test_repeated_words_cost_no_more_calls_and_words_than_the_limits(words: str) -> None:
    text = words * (20_000 // len(words))
    walker = spent(text)
    assert walker.steps <= MOST_STEPS + 1
    assert walker.words <= MOST_WORDS + len(text.split())


@pytest.mark.parametrize("words", REPEATED)
def test_twice_the_words_cost_about_twice_as_much(words: str) -> None:
    few, many = spent(words * 50), spent(words * 100)
    assert many.words <= 3 * few.words
    assert many.steps <= 3 * few.steps


def test_equal_operands_are_weighed_once(monkeypatch: pytest.MonkeyPatch, judged: Judged) -> None:
    taken: list[str] = []
    take = Call.take

    def counted(call: Call, role: Role, field: Field) -> None:
        taken.append(field.text)
        take(call, role, field)

    monkeypatch.setattr(Call, "take", counted)
    assert judged("cat a b a b a .env .env") == "undecided-ask"
    assert taken == ["a", "b", ".env"]


def test_many_starting_points_are_no_more_than_a_question(judged: Judged) -> None:
    assert judged("find " + " ".join(f"a{number}" for number in range(100))) == "allow"
    assert judged("find " + " ".join(f"a{number}" for number in range(300))) == "undecided"


def test_words_past_the_most_that_are_judged_end_an_allow(judged: Judged, rules: Rules) -> None:
    words = " ".join(f"a{number}" for number in range(MOST_ARGUMENTS))
    assert judged(f"ls {words[: words.rindex(' ')]}") == "allow"
    assert judged(f"ls {words} b") == "undecided-ask"
    assert "too-many-words" in rules(f"ls {words} b")
    assert judged(f"rm -rf / {words} b") == "deny"
    assert judged(f"echo {words} b | sh") == "undecided-ask"
