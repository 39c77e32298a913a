"""Programs that run the command in their words: with other rights, limits, inputs or times.

Sources: the GNU coreutils and findutils manuals, sudo(8), doas(1), su(1), flock(1), script(1),
watch(1), strace(1), parallel(1), busybox(1), systemd-run(1), at(1).
"""

from __future__ import annotations

import re

from .. import expand
from ..assignments import matters, runs_value
from ..calls import Call, joined
from ..knowledge import Program, Role, Style, program
from ..shell import Command
from ..usage import Usage
from ..values import HOLE, NO_STREAM, SPLIT, Field, Stream, Taint

_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.S)


def _without_assignments(call: Call, words: list[Field]) -> list[Field]:
    """Weigh leading ``NAME=value`` words and return those behind them."""
    while words and (match := _ASSIGNED.match(words[0].text)):
        name, value = match.groups()
        if matters(name, words[1:] or [words[0]]):
            call.note("sets-variable", words[0], name)
            if runs_value(name) and HOLE not in value and SPLIT not in value:
                call.walker.text(value, words[0], call.state.copy())
        words = words[1:]
    return words


def _runs(call: Call, usage: Usage) -> Stream | None:
    """Run the operands as a command."""
    return call.run(list(usage.operands)) if usage.operands else None


def _sudo(call: Call, usage: Usage) -> Stream | None:
    words = _without_assignments(call, list(usage.operands))
    if usage.has("-e", "--edit"):
        for word in words:
            call.take(Role.WRITE, word)
        return None
    if not words:
        if usage.has("-i", "-s", "--login", "--shell"):
            return call.feed(call.stdin, call.word)
        return None
    return call.run(words)


def _env(call: Call, usage: Usage) -> Stream | None:
    words = list(usage.operands)
    for text in usage.values("-S", "--split-string"):
        words = _split_string(call, text) + words
    words = _without_assignments(call, words)
    if words:
        return call.run(words)
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.SECRET)


def _split_string(call: Call, text: Field) -> list[Field]:
    """Return the words of ``env -S``; what is not plainly a list of words is judged as shell text."""
    script = None if text.unknown else call.walker.reader.read(text.text).script
    if isinstance(script, Command) and not script.redirections:
        split = [
            Field(
                f"{item.name}=" + "".join(expand.single(call.walker, word, call.state).text for word in item.words),
                text.start,
                text.end,
            )
            for item in script.assignments
        ]
        for word in script.words:
            split += [
                Field(field.text, text.start, text.end, field.taint)
                for field in expand.fields(call.walker, word, call.state)
            ]
        return split
    call.note("unknown-name", text)
    call.shell(text)
    return []


def _timeout(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands[1:]))


def _su(call: Call, usage: Usage) -> Stream | None:
    for text in usage.values("-c", "--command"):
        call.shell(text)
    return None


def _runuser(call: Call, usage: Usage) -> Stream | None:
    _su(call, usage)
    return call.run(list(usage.operands)) if usage.has("-u", "--user") and usage.operands else None


def _script(call: Call, usage: Usage) -> Stream | None:
    for text in usage.values("-c", "--command"):
        call.shell(text)
    for word in usage.operands[:1]:
        call.take(Role.WRITE, word)
    if not usage.operands:
        call.note("writes-file", shown="typescript")
    return None


def _flock(call: Call, usage: Usage) -> Stream | None:
    for text in usage.values("-c", "--command"):
        call.shell(text)
    if not usage.operands:
        return None
    if not usage.operands[0].numeric:
        call.take(Role.WRITE, usage.operands[0])
    rest = list(usage.operands[1:])
    if rest and rest[0].text in ("-c", "--command"):
        return call.shell(rest[1]) if len(rest) > 1 else None
    return call.run(rest)


def _watch(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        return None
    if usage.has("-x", "--exec"):
        return call.run(list(usage.operands))
    return call.shell(joined(list(usage.operands), call.word))


def _nohup(call: Call, usage: Usage) -> Stream | None:
    call.note("writes-file", shown="nohup.out")
    return _runs(call, usage)


def _xargs(call: Call, usage: Usage) -> Stream | None:
    words = list(usage.operands) or [Field("echo", call.word.start, call.word.end)]
    items = _items(call, usage)
    marks = usage.values("-I", "-i", "--replace")
    if marks or usage.has("-i", "--replace"):
        mark = marks[0].text if marks else "{}"
        output: Stream | None = None
        for item in items:
            output = call.run([_replaced(word, mark, item) for word in words], NO_STREAM)
        return output
    return call.run(words + items, NO_STREAM)


def _items(call: Call, usage: Usage) -> list[Field]:
    """Return what xargs appends: the words of a known input, or one field that stands for all of them."""
    place, stream = call.word, call.stdin
    if usage.has("-a", "--arg-file"):
        return [Field(SPLIT, place.start, place.end)]
    if stream.text is None:
        return [Field(stream.item, place.start, place.end, stream.taint)]
    lines = usage.has("-I", "-i", "--replace", "-L", "-l")
    separator = "\0" if usage.has("-0", "--null") else ("\n" if lines else None)
    found = [item.strip("\"'\\") for item in stream.text.split(separator) if item]
    return [Field(item, place.start, place.end, stream.taint) for item in found[:50]]


def _replaced(word: Field, mark: str, item: Field) -> Field:
    if mark not in word.text:
        return word
    return Field(word.text.replace(mark, item.text), word.start, word.end, word.taint | item.taint)


def _parallel(call: Call, usage: Usage) -> Stream | None:
    words = list(usage.operands)
    marks = [place for place, word in enumerate(words) if word.text in (":::", "::::", ":::+", "::::+")]
    items = (
        words[marks[0] + 1 :] if marks else [Field(call.stdin.item, call.word.start, call.word.end, call.stdin.taint)]
    )
    command = words[: marks[0]] if marks else words
    for item in items[:50]:
        if item.text.startswith(":::"):
            continue
        filled = [_replaced(word, "{}", item) for word in command]
        if filled == command:
            filled = [*command, item]
        call.shell(joined(filled, call.word))
    return None


def _fed(call: Call, usage: Usage) -> Stream | None:
    """Run standard input as shell text (at, batch)."""
    for word in usage.values("-f"):
        call.script(word)
    if not usage.has("-f", "-l", "-r", "-d", "-c"):
        return call.feed(call.stdin, call.word)
    return None


_SUDO = (
    "-A -B -b -E -e -H -i -K -k -l -n -P -S -s -V -v -C:text -D:text -g:text -h:text -p:text -R:text -r:text -T:text -t:text -U:text "
    "-u:text --askpass --background --preserve-env?text --edit --set-home --login --remove-timestamp --reset-timestamp --list "
    "--non-interactive --preserve-groups --stdin --shell --validate --user:text --group:text --host:text --prompt:text "
    "--chdir:text --chroot:text --close-from:text --role:text --type:text --other-user:text --command-timeout:text"
)
_XARGS = (
    "-0 --null -a:read --arg-file:read -d:text --delimiter:text -E:text -e?text --eof?text -I:text -i?text --replace?text "
    "-J:text -L:text -l?text --max-lines?text -n:text --max-args:text -o --open-tty -P:text --max-procs:text -p --interactive "
    "--process-slot-var:text -R:text -r --no-run-if-empty -S:text -s:text --max-chars:text --show-limits -t --verbose -x --exit"
)


def _wrapper(spec: str, judge: object = _runs, *, rule: str = "") -> Program:
    return program(spec, style=Style.POSIX, rule=rule, judge=judge)


PROGRAMS: dict[str, Program] = {
    "sudo": _wrapper(_SUDO, _sudo, rule="as-another-user"),
    "doas": _wrapper("-L -n -s -a:text -C:text -u:text", _sudo, rule="as-another-user"),
    "pkexec": _wrapper("--disable-internal-agent --user:text", rule="as-another-user"),
    "gosu": _wrapper("", _timeout, rule="as-another-user"),
    "su-exec": _wrapper("", _timeout, rule="as-another-user"),
    "su": program(
        "-l --login -c:text --command:text -m -p --preserve-environment -s:program --shell:program -g:text -G:text -P --pty -f",
        "text text*",
        rule="as-another-user",
        judge=_su,
    ),
    "runuser": _wrapper(
        "-l -c:text --command:text -u:text --user:text -g:text -G:text -m -p -s:program -P",
        _runuser,
        rule="as-another-user",
    ),
    "env": _wrapper(
        "-i --ignore-environment -0 --null -u:text --unset:text -C:text --chdir:text -S:text --split-string:text -v --debug -P:risk "
        "--block-signal?text --default-signal?text --ignore-signal?text --list-signal-handling",
        _env,
    ),
    "nice": _wrapper("-n:text --adjustment:text"),
    "ionice": _wrapper("-c:text --class:text -n:text --classdata:text -t --ignore -p:risk -P:risk -u:risk"),
    "nohup": _wrapper("", _nohup),
    "timeout": _wrapper(
        "-s:text --signal:text -k:text --kill-after:text --preserve-status --foreground -v --verbose -p -f", _timeout
    ),
    "gtimeout": _wrapper("-s:text --signal:text -k:text --kill-after:text --preserve-status --foreground -v", _timeout),
    "stdbuf": _wrapper("-i:text -o:text -e:text --input:text --output:text --error:text"),
    "unbuffer": _wrapper("-p"),
    "setsid": _wrapper("-c --ctty -f --fork -w --wait"),
    "chrt": _wrapper("-b -d -f -i -o -r -a -v -m", _timeout, rule="changes-system"),
    "taskset": _wrapper("-a -c", _timeout),
    "numactl": _wrapper(
        "-a --all -i:text --interleave:text -N:text --cpunodebind:text -m:text --membind:text -l --localalloc"
    ),
    "chroot": _wrapper("--groups:text --userspec:text --skip-chdir -u:text -g:text", _timeout, rule="as-another-user"),
    "unshare": _wrapper(
        "-m -u -i -n -p -U -C -r -f --mount --uts --ipc --net --pid --user --map-root-user --fork --mount-proc?text",
        rule="as-another-user",
    ),
    "nsenter": _wrapper(
        "-t:text --target:text -m -u -i -n -p -U -a --all --mount --uts --ipc --net --pid", rule="as-another-user"
    ),
    "setpriv": _wrapper(
        "--reuid:text --regid:text --clear-groups --init-groups --no-new-privs", rule="as-another-user"
    ),
    "fakeroot": _wrapper("-l:risk -f:risk -u -h"),
    "strace": _wrapper(
        "-c -C -d -f -ff -h -i -k -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -a:text -e:text -o:write -O:text -s:text -S:text -u:text -E:risk -p:risk -I:text -b:text -P:text",
        rule="not-harmless",
    ),
    "ltrace": _wrapper(
        "-c -C -f -i -r -S -t -tt -ttt -T -e:text -o:write -s:text -n:text -p:risk -l:text", rule="not-harmless"
    ),
    "script": program(
        "-a --append -c:text --command:text -e --return -f --flush -q --quiet -t?text -T:write --timing:write -E:text -O:write -I:write -B:write -F -k -r",
        judge=_script,
    ),
    "watch": _wrapper(
        "-b -c -C -d?text -e -g -n:text -p -q:text -r -t -w -x --beep --color --differences?text --errexit --exec --chgexit --interval:text --precise --no-title --no-wrap",
        _watch,
    ),
    "flock": _wrapper(
        "-c:text --command:text -E:text -e -x --exclusive -F --no-fork -n --nb --nonblock -o --close -s --shared -u --unlock -w:text --timeout:text --wait:text --verbose",
        _flock,
    ),
    "xargs": _wrapper(_XARGS, _xargs),
    "parallel": _wrapper(
        "-j:text --jobs:text -k --keep-order -0 --null -n:text -N:text -X -m -q --quote -t --verbose --will-cite --bar --eta --halt:text --retries:text --timeout:text --dry-run --no-notice -I:text --colsep:text -a:read",
        _parallel,
        rule="not-harmless",
    ),
    "busybox": _wrapper(""),
    "toybox": _wrapper(""),
    "caffeinate": _wrapper("-d -i -m -s -u -t:text -w:text"),
    "xvfb-run": _wrapper("-a --auto-servernum -s:text --server-args:text -n:text -w:text", rule="not-harmless"),
    "dbus-run-session": _wrapper("", rule="not-harmless"),
    "systemd-run": _wrapper(
        "--user --scope -t --pty -P --pipe -q --quiet --wait -G --collect -u:text --unit:text -p:risk --property:risk --on-calendar:text --on-active:text -E:risk",
        rule="changes-system",
    ),
    "at": program("-f:text -l -r -d -c -m -M -q:text -t:text -v -V", "text*", rule="changes-system", judge=_fed),
    "batch": program("-f:text -m -q:text", "text*", rule="changes-system", judge=_fed),
    "proxychains": _wrapper("-q -f:read", rule="uses-network"),
    "proxychains4": _wrapper("-q -f:read", rule="uses-network"),
    "torsocks": _wrapper("-i -d", rule="uses-network"),
    "entr": _wrapper("-a -c -d -n -p -r -s -x -z"),
}
