"""Shells, and the built-ins that run words or text as commands.

Sources: POSIX XCU 2.14 (special built-ins) and ``sh``; bash(1), "INVOCATION" and "SHELL
BUILTIN COMMANDS"; zshall(1).
"""

from __future__ import annotations

from ..calls import Call, joined
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Stream


def _shell(call: Call, usage: Usage) -> Stream | None:
    operands = list(usage.operands)
    if usage.has("-c"):
        if not operands:
            return None
        state = call.state.copy()
        state.positional = operands[2:]
        return call.shell(operands[0], state)
    if usage.has("-i", "-l", "--login") and not operands and call.stdin.text is None and not call.stdin.taint:
        call.note("changes-shell")
        return None
    if usage.has("-s") or not operands:
        return call.feed(call.stdin, call.word)
    if usage.has("-n") and not usage.has("-i"):
        call.read(operands[0], prints=False)
        return None
    call.script(operands[0])
    return None


_SHELL = program(
    "-c -e -x -u -n -v -l -i -s -E -f -h -m -o:text --login --posix --norc --noprofile --verbose --rcfile:script "
    "--init-file:script -O:risk -p -r",
    style=Style.POSIX,
    judge=_shell,
)


def _eval(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        return None
    return call.shell(joined(list(usage.operands), call.word), call.state)


def _source(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-shell")
    if usage.operands:
        call.script(usage.operands[0])
    return None


def _command(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-v", "-V") or not usage.operands:
        return None
    return call.walker.call(list(usage.operands), call.state, call.stdin)


def _exec(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        call.note("changes-shell")
        return None
    return call.run(list(usage.operands))


def _time(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands)) if usage.operands else None


def _builtin(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        return None
    return call.walker.call(list(usage.operands), call.state, call.stdin)


_EVERY_SHELL = dict.fromkeys("sh bash zsh dash ksh mksh ash fish rbash".split(), _SHELL)

PROGRAMS: dict[str, Program] = {
    **_EVERY_SHELL,
    "eval": program(style=Style.POSIX, judge=_eval),
    "source": program(style=Style.POSIX, judge=_source),
    ".": program(style=Style.POSIX, judge=_source),
    "command": program("-v -V -p", style=Style.POSIX, judge=_command),
    "builtin": program(style=Style.POSIX, judge=_builtin),
    "exec": program("-c -l -a:text", style=Style.POSIX, judge=_exec),
    "time": program(
        "-p -v -f:text --format:text -o:write --output:write -a --append -q --quiet --verbose --portability",
        style=Style.POSIX,
        judge=_time,
    ),
    "coproc": program(style=Style.POSIX, judge=_exec),
}
