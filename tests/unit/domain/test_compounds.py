"""Compound commands: every side of a branch is taken, and loops go round until nothing changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[..., str]
Rules = Callable[[str], set[str]]

STALE = [
    "x=echo; if true; then x=marker; fi; $x hi",
    "x=echo; if x=marker; then true; fi; $x hi",
    "x=echo; false || x=marker; $x hi",
    "x=echo; true && x=marker; $x hi",
    "x=echo; true && x=marker && x=echo; $x hi",
    "x=echo; { x=marker; }; $x hi",
    "x=echo; eval x=marker; $x hi",
    "x=echo; for x in marker; do :; done; $x hi",
    "for x in a b; do :; done; $x hi",
    "x=echo; while x=marker; do :; done; $x hi",
    "x=echo; until x=marker; do :; done; $x hi",
    "x=echo; case a in b) x=marker;; esac; $x hi",
    "x=echo; y=echo; case a in b) y=marker;& c) $y hi;; esac",
    "x=echo; while :; do x=marker; break; x=echo; done; $x hi",
    "x=echo; while :; do x=marker; continue; x=echo; done; $x hi",
    "x=echo; for i in 1 2; do if test -f a; then x=marker; break; fi; done; $x hi",
    "a=echo; b=echo; c=echo; while :; do $a hi; a=$b; b=$c; c=marker; done",
    "a=echo; b=echo; c=echo; d=echo; e=echo; f=echo; g=echo; h=echo; "
    "while :; do $a hi; a=$b; b=$c; c=$d; d=$e; e=$f; f=$g; g=$h; h=marker; done",
    "x=echo; printf marker | read x; $x hi",
    "x=echo; true | x=marker; $x hi",
    "x=echo; x=marker && ls 2>&1 | cat; $x hi",
    "x=$(false && echo echo); $x marker",
    "x=$(exit; echo echo); $x marker",
    "select x in echo; do $x marker; done",
    "cd '; marker;' |& sh",
    "x=echo; [[ marker =~ m.* ]]; match=echo; [[ marker =~ m.* ]]; $match hi",
]
"""Texts that run the program ``marker`` in some shell, by way of a variable that looks as if it held ``echo``."""


@pytest.mark.parametrize("command", STALE)
def test_no_stale_value_is_trusted(command: str, judged: Judged) -> None:
    assert judged(command) != "allow"


@pytest.mark.parametrize(
    "command",
    [
        "x=marker; (x=echo; $x hi)",
        "x=echo; (x=marker); $x hi",
        "x=echo; x=marker & $x hi",
        "if x=echo; then $x hi; fi",
        "x=a && x=echo && $x hi",
        "for x in echo printf; do $x hi; done",
        "for i in 1 2 3; do x=echo; $x $i; done",
        "i=0; while [ $i -lt 5 ]; do i=$((i+1)); echo $i; done",
        "case $x in a) echo 1;; *) echo 2;; esac",
        'while read -r line; do echo "$line"; done < notes.txt',
        "true && { echo a; echo b; } || echo c",
        'for f in *.py; do wc -l "$f"; done',
        "sleep 1 & wait",
        "! true",
        "ls |& head -1",
        'select x in a b; do echo "$x"; done',
    ],
)
def test_what_is_known_is_used(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("name", ["PATH", "IFS", "LD_PRELOAD", "path"])
def test_the_variable_of_a_loop_is_set_like_any_other(name: str, rules: Rules) -> None:
    assert "sets-variable" in rules(f"for {name} in a b; do echo hi; done")


@pytest.mark.parametrize(
    "command",
    [
        'for d in /; do rm -rf "$d"; done',
        "for d in build /; do rm -rf $d; done",
        'for d in /*; do rm -rf "$d"; done',
        "for d in /*; do rm -rf $d; done",
        'for d in *; do rm -rf "$d"; done',
        "for d in /; do cd $d; rm -rf *; done",
        "if true; then cd /; rm -rf *; fi",
        "cd /tmp/..; rm -rf *",
        "true | { cd /; rm -rf *; }",
        "case x in x) cd /; rm -rf *;; esac",
        "x=/; if test -f a; then rm -rf $x; fi",
        'f() { rm -rf "$1"; }; f /',
        "f() { cd /; return; cd /tmp; }; f; true && f && cd / && rm -rf *",
        'if test -f a; then f() { echo; }; else f() { rm -rf "$1"; }; fi; f /',
    ],
)
def test_denials_follow_values_through_compounds(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


def test_known_words_of_a_loop_are_judged_one_by_one(judged: Judged) -> None:
    assert judged("for f in a.txt b.txt; do cat $f; done") == "allow"
    assert judged("for f in a.txt .env; do cat $f; done") == "undecided-ask"


def test_a_long_loop_is_judged_with_an_unknown_word(judged: Judged, rules: Rules) -> None:
    many = " ".join(f"f{place}.txt" for place in range(40))
    assert judged(f'for f in {many}; do echo "$f"; done') == "allow"
    assert "may-read-secret" in rules(f'for f in {many}; do cat "$f"; done')


def test_a_loop_over_unknown_words_keeps_where_they_came_from(judged: Judged) -> None:
    assert judged('for l in $(curl -s http://localhost/x); do eval "$l"; done') == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "while :; do sleep 1000 & done",
        "while true; do (sleep 100 &); done",
        "until false; do sleep 9 & done",
        "for ((;;)); do sleep 1 & done",
        "while :; do bash -c 'sleep 100' & done",
        "while :; do bash -c 'sleep 100 &'; done",
        "while :; do eval 'sleep 5 &'; done",
        "while sleep 1; do { date & }; done",
        "while :; do for i in 1 2; do sleep 9 & done; done",
        "while read l; do sleep 100 & done < list",
        'for f in *; do wc -l "$f" & done',
        "for i in $(seq 100000); do sleep 100 & done",
        "while :; do setsid -f sleep 100; done",
        "seq 100000 | xargs -P0 -n1 sleep",
        "seq 100000 | xargs -P 5000 -n1 sleep",
        "seq 100000 | xargs --max-procs=0 sleep",
    ],
)
def test_jobs_without_a_known_number(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize(
    "command",
    [
        "for i in 1 2 3; do sleep 1 & done; wait",
        "for i in {1..3}; do sleep 1 & done; wait",
        'for f in a b; do wc -l "$f" & done; wait',
        "sleep 1 & wait",
        "while :; do sleep 1; done",
        "while :; do date; break; done; sleep 1 &",
        'for f in *; do wc -l "$f"; done &',
        "seq 10 | xargs -P4 -n1 echo",
    ],
)
def test_jobs_of_a_known_number(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", [":(){ :|:& };:", "f() { f | f & }; f", "bomb() { bomb & bomb; }; bomb"])
def test_a_function_that_forks_itself(command: str, rules: Rules) -> None:
    assert "fork-bomb" in rules(command)


@pytest.mark.parametrize("command", ["f() { f2 | cat; }; f", "f() { echo | cat; }; f", "f() { f; }; f"])
def test_other_functions_are_no_fork_bombs(command: str, rules: Rules) -> None:
    assert "fork-bomb" not in rules(command)


def test_a_function_that_calls_itself_is_followed_to_an_end(judged: Judged) -> None:
    assert judged("f() { f; f; f; }; f") == "undecided-ask"
    assert judged('f() { rm -rf "$1"; f /; }; f x') == "deny"


@pytest.mark.parametrize(
    ("command", "noted"),
    [
        ("[[ -v a ]]", True),
        ("[[ -t 1 ]]", False),
        ("[[ -t 'a[0]' ]]", True),
        ("[[ $? -eq 0 ]]", False),
        ("[[ $x -eq 0 ]]", True),
        ("[[ 0 -lt $x ]]", True),
        ("[[ $x == a* ]]", False),
        ("[[ -f $x && -n $y ]]", False),
        ("(( 1 ))", True),
    ],
)
def test_what_a_condition_evaluates(command: str, noted: bool, rules: Rules) -> None:
    assert ("evaluates-text" in rules(command)) is noted


def test_what_several_commands_read_is_known_to_none_of_them(judged: Judged) -> None:
    assert judged("echo 'echo hi' | sh") == "allow"
    assert judged("printf 'echo \"\\nmarker\\n\"' | { read x; sh; }") != "allow"
    assert judged("echo 'rm -rf /' | { read x; sh; }") == "deny"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("true && { echo hi; } > /dev/null", "allow"),
        ("x=$(true || { echo hi; } 2>&1)", "allow"),
        ("( true && ( ls ) > /dev/null ) | cat", "allow"),
        ("{ true && ls; } > out.txt", "undecided"),
        ("sh && { true; } <<< 'echo hi'", "undecided-ask"),
        ("true && { ls; } > /etc/hosts", "deny"),
        ("true | { sh; } <<< 'rm -rf /'", "deny"),
    ],
)
def test_redirections_behind_a_list(command: str, answer: str, judged: Judged) -> None:
    assert judged(command) == answer


GONE_THROUGH = [
    "for f in $(git ls-files '*.py'); do wc -l \"$f\"; done",
    "for f in $(git ls-files '*.py'); do wc -l $f; done",
    "for f in $(git ls-files); do head -3 $f; done",
    "for f in $(git diff --name-only | grep '\\.py$'); do wc -l \"$f\"; done",
    "for f in $(find src -name '*.py'); do head -5 $f; done",
    "for f in $(find . -name '*.py'); do grep -n foo $f; done",
    "for f in $(find . -name '*.py' -printf '%p\\n' | sort); do cat \"$f\"; done",
    "for f in $(ls *.md); do wc -w $f; done",
    "while read -r f; do wc -l \"$f\"; done < <(git ls-files '*.py')",
    "git ls-files '*.py' | while read -r f; do wc -l \"$f\"; done",
    "head -3 $(git ls-files '*.md')",
]
NOT_GONE_THROUGH = [
    # nothing is known of the names, or not of all of them
    'for f in $(cat list); do head "$f"; done',
    'for f in $(cat list).py; do head "$f"; done',
    'for f in $(ls); do head "$f"; done',
    'for f in $x.py; do head "$f"; done',
    'for f in "$x.py"; do wc -l $f; done',
    "for f in $(git ls-files '*.py') $(cat list); do head \"$f\"; done",
    'for f in $(find . -type f); do head "$f"; done',
    "for f in $(find . -name '.env*'); do head \"$f\"; done",
    "for f in $(find . -name '*.py' -printf '.env\\n'); do head \"$f\"; done",
    "for f in $(find . -name '*.py' -print -o -name '.e*' -print); do head \"$f\"; done",
    "for f in $(git ls-files .env '*.py'); do head \"$f\"; done",
    "for f in $(git ls-files '*env'); do head \"$f\"; done",
    'for f in $(git diff --name-only -- .env); do head "$f"; done',
    # a piece of a name may be anything but that, and stand for several names
    "for f in $(git ls-files '*.py'); do find $f; done",
    "for f in $(git ls-files '*.py'); do find \"$f\"; done",
    "for f in $(git ls-files '*.py'); do sed -n 1p \"$f\"; done",
    "for f in $(git ls-files '*.txt'); do uniq $f; done",
    "for f in $(git ls-files '*.py'); do $f; done",
    "for f in $(git ls-files '*.py'); do [[ $f -gt 3 ]]; done",
    "for f in $(git ls-files '*.py'); do cat ~/$f; done",
    # and the variable may get another value, or be divided at other characters
    "for f in $(git ls-files '*.py'); do f=\"$x\"; cat $f; done",
    "for f in $(git ls-files '*.py'); do read f; cat $f; done",
    "for f in $(git ls-files '*.py'); do IFS=/; cat $f; done",
    "IFS=/; for f in $(git ls-files '*.py'); do cat $f; done",
]


@pytest.mark.parametrize("text", GONE_THROUGH)
def test_names_from_a_source_that_names_no_secret_are_gone_through(text: str, judged: Judged) -> None:
    assert judged(text) == "allow"


@pytest.mark.parametrize("text", NOT_GONE_THROUGH)
def test_other_names_are_not_gone_through(text: str, judged: Judged) -> None:
    assert judged(text).startswith("undecided")


@pytest.mark.parametrize(
    "text",
    [
        "for f in $(find / -name '*.log'); do rm -rf $f; done",
        "for f in $(ls /); do rm -rf /$f; done",
        "rm -rf $(find / -name '*')",
    ],
)
def test_what_is_ruinous_for_listed_names_is_denied(text: str, judged: Judged) -> None:
    assert judged(text) == "deny"
