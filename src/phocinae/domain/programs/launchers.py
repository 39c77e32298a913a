"""Programs that start the command in their words, and are not vouched for themselves.

Sources: setarch(8), prlimit(1), runcon(1), sg(1), tmux(1), screen(1), gdb(1), valgrind(1),
perf(1), hyperfine(1), start-stop-daemon(8), firejail(1), bwrap(1), direnv(1), sshpass(1).
"""

from __future__ import annotations

from ..calls import Call, joined
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Stream


def _runs(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands))


def _behind_one(call: Call, usage: Usage) -> Stream | None:
    """Run the words behind the first, which names a kind of machine, a context or a group."""
    return call.run(list(usage.operands[1:]))


def _behind_two(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands[2:]))


def _group(call: Call, usage: Usage) -> Stream | None:
    """``sg group -c text``, also without the option."""
    for text in usage.values("-c"):
        call.shell(text)
    for text in usage.operands[1:]:
        call.shell(text)
    return None


def _texts(call: Call, usage: Usage) -> Stream | None:
    """Each operand is a command for a shell of its own."""
    for text in usage.operands:
        call.shell(text)
    return None


_TMUX_RUNS = frozenset(
    "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw respawn-window run run-shell "
    "if if-shell pipep pipe-pane popup display-popup send send-keys".split()
)
_TMUX = program(
    "-d -D -A -P -E -b -h -v -k -I -t:text -s:text -n:text -c:text -e:text -F:text -x:text -y:text -l:text",
    style=Style.POSIX,
)


def _tmux(call: Call, usage: Usage) -> Stream | None:
    words = list(usage.operands)
    if words and words[0].text in ("show-environment", "showenv", "capture-pane", "capturep", "show-buffer", "showb"):
        call.note("prints-secret")
    if not words or words[0].text not in _TMUX_RUNS:
        return None
    from ..usage import read

    behind = list(read(_TMUX, words[1:]).operands)
    return call.shell(joined(behind, call.word)) if behind else None


def _start_daemon(call: Call, usage: Usage) -> Stream | None:
    for name in usage.values("-x", "--exec", "-a", "--startas"):
        call.run([name, *usage.operands])
    return None


def _launcher(
    spec: str = "", judge: object = _runs, *, rule: str = "not-harmless", style: Style = Style.POSIX
) -> Program:
    return program(spec, style=style, rule=rule, judge=judge)


def _debugs(call: Call, usage: Usage) -> Stream | None:
    """Weigh commands of gdb, of which ``shell``, ``!`` and ``pipe`` run a command of the shell, and those of lldb."""
    for command in usage.values("-ex", "-iex", "-eval-command", "--eval-command", "-o", "-O"):
        text = command.text.strip()
        for start in ("shell ", "!", "platform shell "):
            if text.startswith(start):
                call.names_program(command.with_text(text[len(start) :]))
        if text.startswith("pipe ") and "|" in text:
            call.names_program(command.with_text(text.partition("|")[2]))
        for start in ("python ", "py ", "python-interactive ", "script "):
            if text.startswith(start):
                call.source_code(command.with_text(text[len(start) :]))
    return call.run(list(usage.operands)) if usage.operands else None


PROGRAMS: dict[str, Program] = {
    "setarch": _launcher("-R --addr-no-randomize -B -F -I -L -S -T -X -Z -3 -v", _behind_one),
    **dict.fromkeys(["linux32", "linux64", "i386", "i686", "x86_64", "uname26"], _launcher("-R -B -3 -v")),
    "prlimit": _launcher(
        "-p:text --pid:text --nofile?text --core?text --cpu?text --as?text --nproc?text -n?text -c?text"
    ),
    "runcon": _launcher("-c -t:text -u:text -r:text -l:text", _behind_one, rule="as-another-user"),
    "sg": _launcher("-c:text", _group, rule="as-another-user", style=Style.GNU),
    "newgrp": _launcher("", _behind_one, rule="as-another-user"),
    **dict.fromkeys(
        "chronic eatmydata nocache catchsegv dumb-init tini catatonit ssh-agent noglob nocorrect - rlwrap tsocks "
        "proxytunnel isolate setlock softlimit".split(),
        _launcher("-e -v -s -g -a:text -b:text -t:text"),
    ),
    "firejail": _launcher("--quiet --noprofile --private?text --net?text --profile?text"),
    "bwrap": _launcher("--unshare-all --die-with-parent --dev:text --proc:text --tmpfs:text --chdir:text"),
    "cpulimit": _launcher("-l:text --limit:text -p:text -e:text -z -i -f -q"),
    "sshpass": _launcher("-p:text -f:read -e -v -P:text", rule="uses-network"),
    "direnv": _launcher("", _behind_two, rule="runs-code"),
    "dotenv": _launcher("-f:read --file:read", _behind_one),
    "hyperfine": _launcher(
        "-w:text -r:text -m:text -M:text -p:shell -c:shell -s:shell --warmup:text --runs:text --prepare:shell --cleanup:shell",
        _texts,
        style=Style.GNU,
    ),
    "valgrind": _launcher("-q -v --tool?text --leak-check?text --track-origins?text --log-file?text"),
    "perf": _launcher("", _behind_one),
    "gdb": _launcher(
        "--args -args -q -nx -batch --batch -ex:text -iex:text -eval-command:text --eval-command:text -x:script",
        _debugs,
    ),
    "lldb": _launcher("--batch -b -o:text -O:text -s:script", _debugs),
    "start-stop-daemon": _launcher(
        "-S --start -K --stop -b --background -m --make-pidfile -x:text --exec:text -a:text --startas:text -p:text --pidfile:text -n:text -u:text -c:text -d:text",
        _start_daemon,
        style=Style.GNU,
    ),
    "tmux": _launcher("-2 -u -v -L:text -S:text -f:script -c:shell", _tmux),
    "screen": _launcher("-d -D -m -r -R -x -S:text -L -c:script -h:text -t:text -T:text -dm -dmS:text -Sdm:text -md"),
}
