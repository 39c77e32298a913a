"""Other programs and built-ins that run the same command: wrappers, shells, `eval`, `xargs`, `find`.

Sources: the manual pages of the wrappers; POSIX XCU 2.14 and bash(1) for the built-ins.
"""

from __future__ import annotations

import re
from random import Random

from .kinds import Base, Kind, Make
from .words import Plain, double, single

_ENV_TEXT = re.compile(r"[A-Za-z0-9 ./:=,@%+~-]+\Z")
_READS_INPUT = frozenset("xargs sh bash tee cat python3 perl socat nc sort wc".split())


def _in_front(*wrappers: str) -> Make:
    """Return a way to write one of these in front of a program, behind its assignments."""

    def make(base: Base, rng: Random) -> str | None:
        found = base.plain
        if found is None or not found.is_program or found.words[0].raw.startswith("\\"):
            return None
        return found.text([rng.choice(wrappers), *(word.raw for word in found.words)])

    return make


def _env_text(base: Base, rng: Random) -> str | None:
    """Return the command as one word that ``env -S`` splits; rule: the GNU coreutils manual, "env"."""
    found = base.plain
    if found is None or not found.is_program or not all(word.plain for word in found.words) or found.assignments:
        return None
    text = found.text()
    if not _ENV_TEXT.match(text):
        return None
    return rng.choice(["env -S ", "env --split-string=", "/usr/bin/env -S", "env -iS "]) + rng.choice(
        [single(text), double(text)]
    )


def _command(base: Base, rng: Random) -> str | None:
    found = base.plain
    if found is None or not found.name or found.words[0].raw.startswith("\\"):
        return None
    wrapper = rng.choice(["command", "command --", "command -p", "builtin command", "command command"])
    return found.text([wrapper, *(word.raw for word in found.words)])


_BUILT_IN = frozenset("echo printf cd : true false pwd type test [ command eval exec source . kill trap set".split())


def _builtin(base: Base, rng: Random) -> str | None:
    found = base.plain
    if found is None or found.name not in _BUILT_IN:
        return None
    return found.text(["builtin", *(word.raw for word in found.words)])


def _time(base: Base, rng: Random) -> str | None:
    if base.plain is None or base.plain.words[0].raw.startswith("\\"):
        return None
    return f"{rng.choice(['time', 'time -p', 'time --'])} {base.text.lstrip()}"


def _carried(base: Base, rng: Random) -> str:
    """Return the command's text as one word."""
    return double(base.text) if rng.random() < 0.3 and "!" not in base.text else single(base.text)


def _bash(base: Base, rng: Random) -> str | None:
    start = rng.choice(
        ["bash -c", "bash -lc", "bash -ec", "bash --norc -c", "/bin/bash -c", "env bash -c", "bash -xc", "bash -c --"]
    )
    return f"{start} {_carried(base, rng)}{rng.choice(['', ' name', ' x y z'])}"


def _sh(base: Base, rng: Random) -> str | None:
    if base.plain is None or "$'" in base.text or "{" in base.text:
        return None
    return f"{rng.choice(['sh -c', 'dash -c', 'sh -ec', '/bin/sh -c', 'exec sh -c'])} {_carried(base, rng)}"


def _nested_shells(base: Base, rng: Random) -> str | None:
    return f"bash -c {single(f'bash -c {_carried(base, rng)}')}"


def _eval(base: Base, rng: Random) -> str | None:
    found = base.plain
    if found is not None and not found.assignments and all(word.plain for word in found.words) and rng.random() < 0.4:
        return f"eval {rng.choice(['', '-- '])}{found.text()}"
    name = base.unused(rng)
    carried = _carried(base, rng)
    return rng.choice([f"eval {carried}", f"builtin eval {carried}", f'{name}={carried}; eval "${name}"'])


def _shell_from_variable(base: Base, rng: Random) -> str | None:
    name = base.unused(rng)
    return rng.choice(
        [f'{name}={_carried(base, rng)}; bash -c "${name}"', f"bash -c 'eval \"$1\"' x {_carried(base, rng)}"]
    )


def _last_word(found: Plain | None) -> tuple[list[str], str] | None:
    """Return the words in front of the last one, and the value of that, which must be an operand."""
    if found is None or not found.is_program or found.assignments or len(found.words) < 2 or "--" in found.text():
        return None
    value = found.words[-1].value
    if not value or value.startswith(("-", "+")) or any(char in value for char in "'\"\\ \n\t{}%"):
        return None
    return [word.raw for word in found.words[:-1]], value


def _xargs(base: Base, rng: Random) -> str | None:
    """Return the command with its last word handed over by xargs."""
    found = _last_word(base.plain)
    if (
        found is None
        or "{}" in base.text
        or (base.plain and base.plain.name in ("less", "man", "bash", "python", "python3"))
    ):
        return None
    words, value = found
    front = " ".join(words)
    feed = rng.choice([f"printf '%s\\n' {single(value)}", f"echo {single(value)}", f"printf %s {single(value)}"])
    runs = rng.choice(["xargs", "xargs -n1", "xargs -r", "xargs -t", "xargs --", "xargs -I{}", "xargs -L 1"])
    return f"{feed} | {runs} {front}{' {}' if runs.endswith('{}') else ''}"


def _xargs_null(base: Base, rng: Random) -> str | None:
    """Return the command with all its arguments handed over by ``xargs -0``."""
    found = base.plain
    if found is None or not found.is_program or found.assignments or found.name in ("bash", "python", "python3"):
        return None
    values = [word.value for word in found.words[1:]]
    if not values or any(not value or "\n" in value for value in values):
        return None
    items = " ".join(single(value) for value in values if value)
    return f"printf '%s\\0' {items} | xargs -0 {found.words[0].raw}"


def _find(base: Base, rng: Random) -> str | None:
    """Return the command with its last word found by ``find -maxdepth 0``."""
    found = _last_word(base.plain)
    if (
        found is None
        or base.plain is None
        or base.plain.name not in ("rm", "cat", "ls", "chmod", "chown", "wc", "head", "stat", "shred")
    ):
        return None
    words, value = found
    if not value.startswith(("/", "./", "../")) and value not in (".", ".."):
        return None
    end = rng.choice(["\\;", "';'", "+"])
    return f"find {value} -maxdepth 0 -exec {' '.join(words)} {{}} {end}"


def _find_once(base: Base, rng: Random) -> str | None:
    """Return the command run once for a place that is always there."""
    found = base.plain
    if (
        found is None
        or not found.is_program
        or found.assignments
        or any(word.raw in ("+", ";", "{}") for word in found.words)
    ):
        return None
    return f"find / -maxdepth 0 -exec {found.text()} \\;"


_OTHERS = (
    "chroot /", "strace -f", "unbuffer", "taskset 1", "chrt 1", "flock /tmp/lock", "systemd-run --scope", "watch -x",
    "caffeinate -i", "firejail", "setarch x86_64",
)  # fmt: skip
_OTHER_SHELLS = (
    "su -c {}", "su root -c {}", "script -qc {} /dev/null", "flock /tmp/lock -c {}", "watch {}", "ssh localhost {}",
    "busybox sh -c {}", "parallel ::: {}", "sudo bash -c {}", "find . -maxdepth 0 -exec bash -c {} \\;", "zsh -c {}",
    "env bash -c {}", "timeout 5 bash -c {}", "xargs -I% bash -c {} <<< x", "runuser -u root -- bash -c {}",
)  # fmt: skip


def _other_shell(base: Base, rng: Random) -> str | None:
    if "%" in base.text or "{}" in base.text:
        return None  # what parallel, xargs and find replace
    return rng.choice(_OTHER_SHELLS).replace("{}", single(base.text))


KINDS = (
    Kind(
        name="env",
        make=_in_front(
            "env", "env -i", "env --", "env -u NO_COLOR", "env LANG=C", "/usr/bin/env", "env -u TZ LC_ALL=C", "env env"
        ),
    ),
    Kind(name="env-split", make=_env_text),
    Kind(name="command", make=_command),
    Kind(name="builtin", make=_builtin),
    Kind(name="exec", make=_in_front("exec", "exec --", "exec -c")),
    Kind(
        name="exec-renamed",
        make=_in_front("exec -a name", "exec -aname", "exec -cla name --"),
        ends="some programs decide by the name that they are given what they do",
    ),
    Kind(
        name="nohup",
        make=_in_front("nohup", "nohup --", "/usr/bin/nohup"),
        ends="on a terminal it writes what the command prints to nohup.out",
    ),
    Kind(
        name="nice", make=_in_front("nice", "nice -n 5", "nice -n5", "nice --adjustment=3", "nice -n 19 --", "nice -10")
    ),
    Kind(
        name="timeout",
        make=_in_front(
            "timeout 5", "timeout -k 1 5", "timeout -s KILL 5s", "timeout --signal=TERM 1m", "timeout --foreground 5"
        ),
    ),
    Kind(name="time", make=_time),
    Kind(name="stdbuf", make=_in_front("stdbuf -o0", "stdbuf -oL -eL", "stdbuf --output=0", "stdbuf -o 0 -i0")),
    Kind(name="setsid", make=_in_front("setsid", "setsid -w", "setsid --fork", "setsid --")),
    Kind(name="ionice", make=_in_front("ionice -c3", "ionice -c 2 -n 7", "ionice")),
    Kind(
        name="wrappers-in-wrappers",
        make=_in_front(
            "env nice timeout 5", "command env", "nice -n 5 stdbuf -o0 env", "timeout 9 setsid -w", "exec env nice"
        ),
    ),
    Kind(
        name="sudo",
        make=_in_front("sudo", "sudo -n", "sudo -u root", "sudo -E --", "doas", "sudo -H env"),
        denied_only=True,
    ),
    Kind(name="other-wrappers", make=_in_front(*_OTHERS), denied_only=True),
    Kind(name="text-for-other-programs", make=_other_shell, denied_only=True),
    Kind(name="bash-c", make=_bash),
    Kind(name="sh-c", make=_sh),
    Kind(name="shell-in-shell", make=_nested_shells),
    Kind(name="eval", make=_eval),
    Kind(name="shell-from-variable", make=_shell_from_variable),
    Kind(name="xargs", make=_xargs),
    Kind(name="xargs-null", make=_xargs_null),
    Kind(name="find-exec-operand", make=_find),
    Kind(name="find-exec", make=_find_once),
)
