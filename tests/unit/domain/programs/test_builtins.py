"""Built-in commands of the shell that do not run others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "cd src",
    "cd",
    "cd -",
    "cd ..",
    "cd -P /tmp",
    "pushd src",
    "popd",
    "dirs -v",
    "true",
    ":",
    ": ignored",
    "false || true",
    "exit 0",
    "exit",
    "exit $?",
    "return 1",
    "while true; do break; done",
    "times",
    "test -f notes.txt",
    "[ -d src ]",
    "[ a = b ]",
    '[ -n "$x" ]',
    "[ 1 -lt 2 ]",
    "[ $# -gt 0 ]",
    "[ -t 1 ]",
    "test ! -e x -a -r y",
    "export LANG=C",
    "export NO_COLOR=1 CI=1",
    "declare name=value",
    "declare -a list",
    "declare -A map",
    "local name=value",
    "typeset name=value",
    "unset name",
    "read -r line < notes.txt",
    "read -r -p 'name? ' name < notes.txt",
    "read -t 0.5 -n 1 key < notes.txt",
    "mapfile -t lines < notes.txt",
    "readarray -t lines < notes.txt",
    "alias",
    "alias ll",
    "trap",
    "trap -p",
    "umask",
    "ulimit -a",
    "hash",
    "type ls",
    "type -a git",
    "jobs -l",
    "wait",
    "wait 1234",
    "shift",
    "shift 2",
    "sleep 1",
    "clear",
    "tput cols",
    "tput setaf 1",
    "expr 1 + 2",
    "help cd",
    "set -o | grep pipefail",
    "set +o",
    "shopt",
    "shopt -p",
    "shopt -q login_shell && echo login",
    "ulimit -n",
    "ulimit -Sn",
    "hash -t git",
    'cd "$(git rev-parse --show-toplevel)" && ls',
    'cd "$dir" && git status',
    'pushd "$dir" >/dev/null',
    "for ((i=0; i<3; i++)); do echo $i; done",
    'for ((n = 1; n <= 10; n += 2)); do echo "$n"; done',
    'while IFS=: read -r user _ uid _; do echo "$user $uid"; done < /etc/passwd',
]

UNDECIDED = [
    "FOO=/tmp",
    "unset FOO",
    "read FOO < notes.txt",
    "declare FOO=/tmp",
    "cd a b",
    "cd --frobnicate",
    "declare -u name",
    "tput init",
    "tput reset",
    "tput -T xterm cols",
    "wait -p name",
    "jobs -x frobnicate",
]

ASKED = [
    "cd ~/.s*; cat config",
    "for d in ~/.*; do cd $d; cat config; done",
    "cd ~/.ssh && pushd /tmp && popd && cat config",
    "pushd ~/.ssh; pushd /tmp; cat ~1/config",
    "PATH=/tmp",
    "unset PATH",
    "read PATH < notes.txt",
    "mapfile PATH < notes.txt",
    "declare PATH=/tmp",
    "history -d 5",
    "history -d 3-9",
    "export PATH=/tmp:$PATH",
    "export FOO=bar",
    "export -f ls",
    "declare -x FOO=bar",
    "readonly name=value",
    "declare -r name=value",
    "export",
    "export -p",
    "declare",
    "declare -p",
    "declare -p GITHUB_TOKEN",
    "typeset GITHUB_TOKEN",
    "set",
    "set -e",
    "set -- a b",
    "set -o pipefail",
    "shopt -s globstar",
    "setopt extendedglob",
    "enable -n echo",
    "hash -p /tmp/ls ls",
    "hash -r",
    "alias ll='ls -l'",
    "unalias ll",
    "trap 'echo bye' EXIT",
    "trap cleanup EXIT",
    "umask 022",
    "ulimit -n 5",
    "disown",
    "getopts ab name",
    "history",
    "history 10",
    "history -c",
    "history -cw",
    "fc -l",
    "bind -p",
    "complete -p",
    "unset -f f",
    "let 1+1",
    "set -o pipefail",
    "shopt -s globstar",
    "shopt -u -q x",
    "ulimit -n 4096",
    "hash -p /tmp/x ls",
]

EVALUATED = [
    "while read -r x; do [ $x = a ]; done < notes.txt",
    "while read -r x; do test -f $x; done < notes.txt",
    "let 'a[$(marker)]'",
    "declare -i x",
    "declare -i x='a[$(marker)]'",
    "declare -i x; x='a[$(marker)]'",
    "declare -F x='a[$(marker)]'",
    "declare -n r=PATH",
    "typeset -E x=y",
    "declare 'a[$(marker)]=1'",
    "read 'a[$(marker)]' < notes.txt",
    "printf -v 'a[$(marker)]' x",
    "unset 'a[$(marker)]'",
    "[ -v 'a[$(marker)]' ]",
    "[ 'a[$(marker)]' -eq 1 ]",
    "test 1 -lt 'a[$(marker)]'",
    "[ -t 'a[$(marker)]' ]",
    '[ "$x" -eq 1 ]',
    "exit 'a[$(marker)]'",
    "return 'a[$(marker)]'",
    "break 'a[$(marker)]'",
    "shift 'a[$(marker)]'",
    "read -t 'a[$(marker)]' x < notes.txt",
    "export COLUMNS='a[$(marker)]'",
    "for COLUMNS in 'path[$(marker)]'; do echo x; done",
    "read LINES < notes.txt",
    "mapfile COLUMNS < notes.txt",
    "declare -a x='($(marker))'",
    "declare -A x='([$(marker)]=1)'",
    "declare x='($(marker))'",
    "y='($(marker))'; local x=\"$y\"",
    "read -a x < notes.txt; declare x=$(head -n 1 notes.txt)",
    "declare -a x=$(head -n 1 notes.txt)",
]

DENIED = [
    "alias x='rm -rf /'",
    "trap 'rm -rf /' EXIT",
    "trap 'rm -rf /' 0 1 2",
    "trap -- 'rm -rf /' EXIT",
    "export PROMPT_COMMAND='rm -rf /'",
    "declare PROMPT_COMMAND='rm -rf /'",
    "mapfile -C 'rm -rf /' -c 1 lines",
    "jobs -x rm -rf /",
    "compgen -C 'rm -rf /'",
    "complete -C 'rm -rf /' ls",
    "bind -x '\"a\": rm -rf /'",
    "cd / && rm -rf *",
    "cd /; rm -rf *",
    "cd ~; rm -rf *",
    "cd; rm -rf *",
    "pushd / && rm -rf *",
    "cd /tmp; cd ..; rm -rf *",
    "cd /tmp/.. && rm -rf *",
    'cd "$HOME/x/.."; rm -rf *',
    "builtin cd /; rm -rf *",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", ASKED)
def test_asked(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


@pytest.mark.parametrize("command", EVALUATED)
def test_what_some_shell_evaluates(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize(
    "setter",
    [
        "read x < notes.txt",
        "IFS= read -r x < notes.txt",
        "mapfile x < notes.txt",
        "printf -v x marker",
        "unset x",
        "declare x=marker",
        "export x=marker",
        "declare x+=marker",
        "local x=marker",
        "getopts ab x",
        "set -- marker; x=$1",
        "eval x=marker",
        "wait; x=$REPLY",
    ],
)
def test_what_a_built_in_assigns_is_not_what_was_there(setter: str, judged: Judged) -> None:
    assert judged(f"x=echo; {setter}; $x hi") != "allow"


@pytest.mark.parametrize("setter", ["read _ <<< echo", "for _ in echo; do", "printf -v _ echo;", "_=echo;"])
def test_the_last_word_is_never_what_the_text_gave_it(setter: str, judged: Judged) -> None:
    end = " done" if setter.startswith("for") else ""
    separator = "" if setter.endswith((";", "do")) else ";"
    assert judged(f"{setter}{separator} true marker; $_;{end}".rstrip(";")) == "undecided-ask"


@pytest.mark.parametrize("input_", ["<<< '.en\\v'", "<<< '\\.env'"])
def test_a_backslash_in_a_line_that_is_read_is_taken_away(input_: str, judged: Judged) -> None:
    assert judged(f'read name {input_}; cat "$name"') == "undecided-ask"
    assert judged("read -r name <<< 'a\\b.md'; cat \"$name\"") == "allow"


@pytest.mark.parametrize("move", ['cd "$x"', "cd -", "cd +1", "pushd", "pushd +1", "popd", "cd *"])
def test_behind_a_move_that_is_not_known_nothing_is_the_working_folder(move: str, judged: Judged) -> None:
    assert judged(f"{move}; rm -rf *") in ("undecided", "undecided-ask")
