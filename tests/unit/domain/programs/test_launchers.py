"""Programs that start others and are not vouched for: never milder than what they start."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

FORMS = [
    "setarch x86_64 {}",
    "linux64 {}",
    "prlimit --nofile=1 {}",
    "runcon context {}",
    "chronic {}",
    "eatmydata {}",
    "dumb-init {}",
    "ssh-agent {}",
    "noglob {}",
    "- {}",
    "rlwrap {}",
    "firejail --quiet {}",
    "bwrap --dev /dev {}",
    "cpulimit -l 50 {}",
    "sshpass -p x {}",
    "dotenv run {}",
    "hyperfine '{}'",
    "sg docker -c '{}'",
    "start-stop-daemon --start --exec {}",
    "systemd-inhibit --what=sleep {}",
    "run0 -u bob {}",
    "daemonize -o out.txt /bin/{}",
    "chpst -u bob {}",
    "s6-setuidgid bob {}",
    "envdir ./env {}",
    "setlock -nX lock {}",
    "cgexec -g cpu:x {}",
    "aa-exec -p x -- {}",
    "trickle -s -d 10 {}",
    "faketime -f +1d {}",
    "bwrap --bind / / --dev /dev --unshare-pid --setenv A b {}",
    "bwrap --ro-bind / / -- {}",
    "distrobox enter dev -- {}",
    "toolbox run -c dev {}",
    "flatpak-spawn --host {}",
    "schroot -c sid -- {}",
    "systemd-nspawn -D ./root {}",
    "xterm -e {}",
    "gnome-terminal -- {}",
]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_started_is_judged(form: str, judged: Judged) -> None:
    assert judged(form.format("rm -rf /")) == "deny" or "--exec" in form
    assert judged(form.format("rm -r /etc")) == "deny" or "--exec" in form
    assert judged(form.format("ls")) in ("undecided", "undecided-ask")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("arch", "allow"),
        ("arch -x86_64 ls", "undecided"),
        ("arch -arm64 -e A=b rm -rf /", "deny"),
        ("xterm -e 'rm -rf ~'", "deny"),
    ],
)
def test_a_command_for_another_machine_or_terminal(command: str, answer: str, judged: Judged) -> None:
    assert judged(command) == answer


def test_the_words_behind_an_executable(judged: Judged) -> None:
    assert judged("start-stop-daemon --start --exec /bin/rm -- -rf /") == "deny"
    assert judged("start-stop-daemon --start --exec /usr/sbin/nginx") == "undecided"


@pytest.mark.parametrize("form", FORMS)
def test_without_a_command_it_is_not_vouched_for_either(form: str, judged: Judged) -> None:
    assert judged(form.partition(" ")[0]) in ("undecided", "undecided-ask")


@pytest.mark.parametrize("text", ["gdb -ex 'shell rm -rf /' -batch", "gdb -ex '!rm -rf ~' x"])
def test_a_command_of_the_debugger_may_be_one_of_the_shell(text: str, judged: Judged) -> None:
    assert judged(text) == "deny"


@pytest.mark.parametrize(
    "command",
    ["tmux show-environment", "tmux capture-pane -p", "tmux showb"],
)
def test_what_a_session_holds_is_for_a_person_to_see(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


CODE_DENIED = [
    "gdb -ex 'shell rm -rf /' -ex q",
    "gdb -batch -ex '!rm -rf /'",
    "gdb -batch -ex 'python import os; os.system(\"rm -rf /\")'",
    "gdb -q -nx -ex 'pipe info files | rm -rf /' -ex q",
    "lldb -o 'platform shell rm -rf /' -o q",
    "lldb --batch -o 'script import os; os.system(\"rm -rf /\")'",
]
CODE_DOUBTED = [
    "gdb -batch -ex 'bt' ./a.out",
    "gdb -ex 'print \"rm -rf /\"' ./a.out",
]


@pytest.mark.parametrize("command", CODE_DENIED)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", CODE_DOUBTED)
def test_other_code_is_not_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) != "deny"
