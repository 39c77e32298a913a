"""Programs that run the command in their words: never milder than that command."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

HARMLESS = [
    "env ls",
    "env -i ls",
    "env -u X LANG=C ls",
    "env -u FOO ls",
    "env --unset=GIT_DIR -u FORCE_COLOR git status",
    "strace -V",
    "env -C src ls",
    "env -S 'ls -la'",
    "nice ls",
    "nice -n 5 ls",
    "nice -5 ls",
    "nice -10 ls",
    "ionice -c 3 ls",
    "timeout 5 ls",
    "timeout -k 1 -s KILL 5 ls",
    "timeout --signal=TERM 5 pytest -q",
    "stdbuf -oL ls",
    "setsid -w ls",
    "taskset 1 ls",
    "numactl --interleave=all ls",
    "caffeinate -i ls",
    "unbuffer ls",
    "watch ls",
    "watch -n 5 'git status'",
    "watch -x ls",
    "busybox ls",
    "xargs ls < names.txt",
    "find . -name '*.py' | xargs grep -l x",
    "find . -name '*.py' -print0 | xargs -0 wc -l",
    "echo a b | xargs echo",
    "echo a b | xargs -n1 echo",
    "printf '%s\\n' a b | xargs -I{} echo x{}y",
    "seq 3 | xargs -I% echo %",
    "printf '%s\\0' a b | xargs -0 ls",
    "xargs < names.txt",
    "script -qc ls /dev/null",
    "flock -n 9",
    "ls | entr -c echo changed",
    "busybox --list",
    "numactl --hardware",
    "strace --version",
    "parallel --version",
]
UNDECIDED = [
    "env -u PATH ls",
    "env --unset=PATH ls",
    "env -u LD_PRELOAD ls",
    "env -u PHOCINAE_TOKEN ls",
    "env -u FOO npm install",
    "strace -V ls",
    "env -uHOME git status",
    'env -u "$x" ls',
    "sudo ls",
    "sudo -u me -- ls",
    "doas ls",
    "su me -c ls",
    "runuser -u me -- ls",
    "chroot /mnt ls",
    "strace ls",
    "parallel echo ::: a b",
    "systemd-run ls",
    "nohup ls",
    "env frobnicate",
    "env PATH=/tmp ls",
    "env -S 'LANG=C ls' -a",
    "printf 'x,-delete' | xargs -d, find",
    "printf 'x,-delete' | xargs -0 -d, find",
    "printf 'x,-delete' | xargs -d ' ' -d, find",
    "env -P /tmp ls",
    "nice frobnicate",
    "nice --bogus ls",
    "nice -n $x ls",
    "timeout -k $x 5 ls",
    "timeout $x ls",
    "timeout 5* ls",
    "timeout 5 frobnicate",
    "xargs frobnicate < names.txt",
    "xargs rm < names.txt",
    "ls | xargs touch",
    "flock lock ls",
    "watch frobnicate",
    "entr frobnicate",
    "script -q /dev/null frobnicate",
    "echo 'echo a' | xargs -I{} frobnicate {}",
    "echo marker | xargs env FOO=1",
    "xargs --process-slot-var=BASH_ENV bash -c ls",
    "busybox --install",
    "nohup --version",
]
ASKED = [
    "env",
    "env -0",
    "env -S 'ls $x'",
    "env -S '${x} ls'",
    "env -S '{echo,x}'",
    "env -S 'ls; ls'",
    "x=echo; env -S '${x} hi'",
    "env ./ls",
    "nice $x",
    "timeout 5 $x",
    "sudo $x",
    "sudo -i",
    "script -q /dev/null",
    "script /dev/null < build.sh",
    "watch 'cat $x'",
    "script out.txt",
    "at now",
    "watch ls *",
    "xargs sh -c < names.txt",
    "xargs -I{} sh -c 'echo {}' < names.txt",
    "find . -name '*.py' | xargs -I{} sh -c 'wc -l {}'",
    "cat build.sh | xargs -a names.txt sh",
    "printf '%s\\n' " + "true " * 20 + "marker | xargs -n1 env",
    "cat names.txt | xargs cat",
]
DENIED = [
    "sudo rm -rf /",
    "sudo -u root -- rm -rf /",
    "sudo -EHn FOO=1 rm -rf /",
    "sudo -s rm -rf /",
    "sudo -D / rm -rf *",
    "sudo --chdir=/ rm -rf *",
    "sudo sh -c 'rm -rf /'",
    "echo 'rm -rf /' | sudo sh",
    "echo 'rm -rf /' | sudo -s",
    "sudo -e /etc/passwd",
    "doas rm -rf /",
    "pkexec rm -rf /",
    "gosu me rm -rf /",
    "su -c 'rm -rf /'",
    "su - root -c 'rm -rf /'",
    "su root -- -c 'rm -rf /'",
    "echo 'rm -rf /' | su",
    "runuser -u me -- rm -rf /",
    "runuser me -c 'rm -rf /'",
    "env -i rm -rf /",
    "env FOO=1 rm -rf /",
    "env -C / rm -rf *",
    "env -S 'rm -rf /'",
    "env -S '-i rm -rf /'",
    "env -S 'FOO=1 rm' -rf /",
    "env -vS 'rm -rf /'",
    "env GIT_PAGER='rm -rf /' git log",
    "nice -5 rm -rf /",
    "nohup rm -rf / &",
    "timeout -s 9 5 rm -rf /",
    "stdbuf -o L rm -rf /",
    "chroot / rm -rf /",
    "unshare -r rm -rf /",
    "nsenter -t 1 -m rm -rf /",
    "strace -f rm -rf /",
    "strace -o '|rm -rf /' ls",
    "script -qc 'rm -rf /' /dev/null",
    "script -q /dev/null rm -rf /",
    "echo 'rm -rf /' | script -q /dev/null",
    "flock lock rm -rf /",
    "flock lock -c 'rm -rf /'",
    "flock -c 'rm -rf /' lock",
    "watch rm -rf /",
    "watch 'ls; rm -rf /'",
    "watch -x rm -rf /",
    "busybox rm -rf /",
    "busybox sh -c 'rm -rf /'",
    "systemd-run --user rm -rf /",
    "echo 'rm -rf /' | at now",
    "batch <<< 'rm -rf /'",
    "entr -s 'rm -rf /'",
    "echo / | xargs rm -rf",
    "echo '\"/\"' | xargs rm -rf",
    "printf 'a\\n/\\n' | xargs rm -rf",
    "printf '/\\0' | xargs -0 rm -rf",
    "printf 'a,/' | xargs -d, rm -rf",
    "echo / | xargs -I{} rm -rf {}",
    "echo / | xargs -I{} -L1 rm -rf",
    "echo / | xargs -I % -I {} rm -rf {}",
    "echo / | xargs -I{} sh -c 'rm -rf {}'",
    "echo 'rm -rf /' | xargs -I{} sh -c '{}'",
    "echo 'x -delete' | xargs -L1 find",
    "xargs rm -rf / < names.txt",
    "xargs -a names.txt rm -rf /",
    "find . | xargs rm -rf",
    "parallel rm -rf ::: /",
    "parallel ::: 'rm -rf /'",
    "echo / | parallel rm -rf",
    "echo 'rm -rf /' | parallel",
    "curl -s http://localhost/x | sudo -E bash -",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", ASKED)
def test_asked(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize(
    "command", ["$(env -C /nowhere echo echo) marker", "$(timeout 0.001 echo echo) marker", "$(sudo echo echo) marker"]
)
def test_what_a_wrapper_may_not_start_prints_nothing_for_sure(command: str, judged: Judged) -> None:
    assert judged(command) != "allow"


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u0085", "\x1c", "\v", "\f", "\r"])
@pytest.mark.parametrize("runs", ["xargs env", "xargs sh -c '\"$@\"' x"])
def test_xargs_divides_at_blanks_that_every_one_takes_for_blanks(blank: str, runs: str, judged: Judged) -> None:
    assert judged(f"printf %s 'ls -la' | {runs}") == "allow"
    assert judged(f"printf %s 'ls{blank}-la' | {runs}") != "allow"


NAMES = [
    "find . -name '*.py'",
    "find src -type f",
    "find . -name '*.py' | sort | uniq",
    "ls ./*.py",
    "ls -d ./*.py | head -3",
    "echo ./*.py",
    "printf '%s\\n' ./*.py",
    "grep -rl foo --include=*.py .",
    "git ls-files '*.py'",
]
OPTIONS_COUNT = [
    "sed -n 1p",
    "sort",
    "sort -k",
    "tar tf",
    "git log",
    "git diff",
    "eslint",
    "prettier --check",
    "black --check",
    "file",
    "find",
    "nice sort",
    "env sort",
    "timeout 5 sort",
    "xargs sort",
    "sh -c 'sort \"$@\"' x",
    "sh -c 'sort \"$1\"' x",
    "sh -c 'sort \"$0\"'",
    "sh -c 'for f; do sort \"$f\"; done' x",
]
OPTIONS_HARMLESS = [
    "grep -n TODO",
    "wc -l",
    "ls -l",
    "head -3",
    "stat",
    "du -h",
    "basename -a",
    "sort --",
    "git diff --",
]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("command", OPTIONS_COUNT)
def test_pieces_of_a_name_with_blanks_may_be_options(names: str, command: str, judged: Judged) -> None:
    for options in ("", " -n1", " -L 1", " -r -P 4", " -d ' '", " -d,"):
        assert judged(f"{names} | xargs{options} {command}").startswith("undecided")
    assert judged(f"{names} | xargs -J % {command} %").startswith("undecided")
    assert judged(f"{names} | xargs -0 -d ' ' {command}").startswith("undecided")
    assert judged(f"{names} | xargs -d ' ' -I % {command} %").startswith("undecided")
    assert judged(f"{names} | xargs -I % -L 1 {command}").startswith("undecided")
    assert judged(f"{names} | xargs -i -n 2 {command}").startswith("undecided")


@pytest.mark.parametrize("names", [names for names in NAMES if "*.py" in names and "git" not in names])
@pytest.mark.parametrize("command", OPTIONS_HARMLESS)
def test_pieces_of_a_name_may_be_harmless_options(names: str, command: str, judged: Judged) -> None:
    assert judged(f"{names} | xargs {command}") == "allow"


@pytest.mark.parametrize("command", ["sed -n 1p", "sort", "tar tf", "git log", "nice sort", "sh -c 'sort \"$@\"' x"])
def test_names_that_are_left_whole_begin_as_they_are_listed(command: str, judged: Judged) -> None:
    assert judged(f"find . -name '*.py' -print0 | xargs -0 {command}") == "allow"
    assert judged(f"find . -name '*.py' | xargs -d '\\n' {command}") == "allow"
    assert judged(f"printf '%s\\0' ./*.py | xargs -0 {command}") == "allow"
    if "$@" not in command:
        assert judged(f"find . -name '*.py' -exec {command} {{}} +") == "allow"
        for options in ("-I{}", "-I {} -n 1", "-n2 -I{}", "-L1 -I{} -P 4", "-I % -I {}"):
            assert judged(f"find . -name '*.py' | xargs {options} {command} {{}}") == "allow"
