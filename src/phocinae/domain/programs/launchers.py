"""Programs that start the command in their words, and are not vouched for themselves.

Sources: setarch(8), prlimit(1), runcon(1), sg(1), tmux(1), screen(1), gdb(1), valgrind(1),
setlock(8), chpst(8), s6-setuidgid, run0(1), systemd-inhibit(1), daemonize(1), cgexec(1), aa-exec(1), trickle(1),
faketime(1), arch(1) of macOS, toolbox-run(1), schroot(1), systemd-nspawn(1), xterm(1),
perf(1), hyperfine(1), start-stop-daemon(8), firejail(1), bwrap(1), direnv(1), sshpass(1).
"""

from __future__ import annotations

import re

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


_BWRAP_TWO = re.compile(
    r"--(?:(?:ro-|dev-)?bind(?:-try|-data|-fd)?|ro-bind-(?:try|data|fd)|dev-bind-try|symlink|setenv|file|chmod|overlay-src-dest|ro-bind-fd)\Z"
)
_BWRAP_ONE = re.compile(
    r"--(?:args|argv0|chdir|unsetenv|uid|gid|hostname|lock-file|sync-fd|remount-ro|exec-label|file-label|proc|dev|tmpfs|mqueue|dir|perms"
    r"|size|seccomp|add-seccomp-fd|block-fd|userns-block-fd|info-fd|json-status-fd|cap-add|cap-drop|userns2?|pidns|overlay-src|tmp-overlay"
    r"|ro-overlay)\Z"
)


def _bwrap(call: Call, usage: Usage) -> Stream | None:
    """Run what stands behind the options, which take up to two words each (bwrap(1))."""
    at, words = 0, call.args
    while at < len(words) and words[at].text.startswith("--"):
        text = words[at].text
        at += 3 if _BWRAP_TWO.match(text) else 2 if _BWRAP_ONE.match(text) else 1
        if text == "--":
            break
    return call.run(words[at:])


def _architecture(call: Call, usage: Usage) -> Stream | None:
    """``arch`` names the machine's kind, or on macOS runs a command as another one (arch(1))."""
    if usage.operands:
        call.note("not-harmless")
        return call.run(list(usage.operands))
    return None


def _distrobox(call: Call, usage: Usage) -> Stream | None:
    """``distrobox enter name -- words``, and ``-e`` in place of the hyphens in older versions (distrobox-enter(1))."""
    texts = [word.text for word in call.args]
    mark = next((mark for mark in ("--", "-e", "--exec") if mark in texts), None)
    return None if mark is None else call.run(call.args[texts.index(mark) + 1 :])


_TOOLBOX = program(
    "-c:text --container:text -d:text --distro:text -r:text --release:text --preserve-fds:text", style=Style.POSIX
)


def _toolbox(call: Call, usage: Usage) -> Stream | None:
    """``toolbox run [options] words`` (toolbox-run(1))."""
    from ..usage import read

    place = next((at for at, word in enumerate(call.args) if word.text == "run"), None)
    return None if place is None else call.run(list(read(_TOOLBOX, call.args[place + 1 :]).operands))


def _terminal(call: Call, usage: Usage) -> Stream | None:
    """A terminal runs what stands behind ``-e``, ``-x`` or ``--``: words, or one text."""
    texts = [word.text for word in call.args]
    mark = next((mark for mark in ("--", "-e", "-x", "--command", "--execute") if mark in texts), None)
    rest = [] if mark is None else call.args[texts.index(mark) + 1 :]
    return call.shell(rest[0]) if len(rest) == 1 else call.run(rest)


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
        "proxytunnel isolate softlimit".split(),
        _launcher("-e -v -s -g -a:text -b:text -t:text"),
    ),
    "firejail": _launcher("--quiet --noprofile --private?text --net?text --profile?text"),
    "bwrap": program("", "", style=Style.NONE, rule="not-harmless", judge=_bwrap),
    "setlock": _launcher("-n -N -x -X", _behind_one),
    "s6-setlock": _launcher("-n -N -r -w -t:text -d:text", _behind_one),
    **dict.fromkeys(
        "s6-setuidgid setuidgid envuidgid s6-envuidgid".split(), _launcher("", _behind_one, rule="as-another-user")
    ),
    **dict.fromkeys(["envdir", "s6-envdir"], _launcher("", _behind_one)),
    "chpst": _launcher(
        "-u:text -U:text -b:text -e:text -/:text -n:text -l:text -L:text -m:text -d:text -o:text -p:text -f:text -c:text -r:text -t:text "
        "-v -V -P -0 -1 -2",
        rule="as-another-user",
    ),
    "run0": _launcher(
        "-u:text --user:text -g:text --group:text -D:text --chdir:text --nice:text --unit:text --property:text --description:text "
        "--slice:text --slice-inherit --setenv:text --background:text --machine:text --pty --pipe --via-shell --no-ask-password",
        rule="as-another-user",
    ),
    "systemd-inhibit": _launcher(
        "--what:text --who:text --why:text --mode:text --list --no-pager --no-legend --no-ask-password"
    ),
    "daemonize": _launcher("-a -c:text -e:write -E:text -l:text -o:write -p:text -u:text -v"),
    "cgexec": _launcher("-g:text --sticky"),
    "aa-exec": _launcher(
        "-p:text --profile:text -n:text --namespace:text -f:text -i --immediate -v --verbose -d --debug"
    ),
    "trickle": _launcher("-d:text -u:text -s -h -v -w:text -t:text -l:text -n:text -p:text -P:text -V"),
    "faketime": _launcher("-m -f -p:text --exclude-monotonic", _behind_one),
    "arch": program(
        "-x86_64 -x86_64h -arm64 -arm64e -i386 -ppc -32 -64 -c -arch:text -d:text -e:text",
        style=Style.POSIX,
        judge=_architecture,
    ),
    **dict.fromkeys(
        ["distrobox", "distrobox-enter"], program("", "", style=Style.NONE, rule="not-harmless", judge=_distrobox)
    ),
    "toolbox": program("", "", style=Style.NONE, rule="not-harmless", judge=_toolbox),
    "flatpak-spawn": _launcher(
        "--host --clear-env --sandbox --no-network --env:text --directory:text --watch-bus --latest-version"
    ),
    "schroot": _launcher(
        "-c:text --chroot:text -u:text --user:text -d:text --directory:text -p --preserve-environment -q"
    ),
    "systemd-nspawn": _launcher(
        "-D:text --directory:text -M:text --machine:text -u:text --user:text -a --as-pid2 -b --boot -q --quiet --bind:text --bind-ro:text "
        "-x --ephemeral -E:text --setenv:text --chdir:text",
    ),
    **dict.fromkeys(
        ["xterm", "alacritty", "konsole", "x-terminal-emulator"],
        program("", "", style=Style.NONE, rule="not-harmless", judge=_terminal),
    ),
    "gnome-terminal": program("", "", style=Style.NONE, rule="not-harmless", judge=_terminal),
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
