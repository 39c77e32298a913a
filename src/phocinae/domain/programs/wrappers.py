"""Programs that run the command in their words: with other rights, limits, inputs or times.

Sources: the GNU coreutils and findutils manuals, sudo(8), doas(1), su(1), flock(1), script(1),
watch(1), strace(1), parallel(1), busybox(1), systemd-run(1), at(1).
"""

from __future__ import annotations

import re

from .. import expand, places
from ..assignments import lives_on, of_gate
from ..calls import Call, joined
from ..knowledge import Program, Role, Style, program
from ..shell import Command
from ..usage import Usage
from ..values import HOLE, NO_STREAM, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint, hides, together


def _runs(call: Call, usage: Usage) -> Stream | None:
    """Run the operands as a command."""
    return call.run(list(usage.operands)) if usage.operands else None


def _setsid(call: Call, usage: Usage) -> Stream | None:
    """Run the operands, with ``-f`` without waiting for them (setsid(1))."""
    if usage.has("-f", "--fork"):
        call.walker.starts_job(call.word, call.name)
    return _runs(call, usage)


def _moves(call: Call, *folders: Field) -> None:
    """Go to another working directory before the command is run."""
    for folder in folders:
        unclear = folder.unknown or folder.globbed
        call.state.cwd = HOLE if unclear else places.resolve(folder.text, call.state.cwd)


def _sudo(call: Call, usage: Usage) -> Stream | None:
    words = call.without_assignments(list(usage.operands))
    _moves(call, *usage.values("-D", "--chdir"))
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
    _moves(call, *usage.values("-C", "--chdir"))
    for text in usage.values("-S", "--split-string")[:1]:  # its words stand where it stood, and may be options
        place = next(at for at, word in enumerate(call.args) if word.text.endswith(text.text))
        words = _split_string(call, text)
        return call.run([call.word, *words, *call.args[place + 1 :]]) if words else None
    words = call.without_assignments(list(usage.operands))
    for name in usage.values("-a", "--argv0"):
        call.run([name, *words[1:]])
    for name in usage.values("-u", "--unset"):  # no verdict counts on a variable being there
        if not name.static or lives_on(name.text) or of_gate(name.text):
            call.note("sets-variable", name)
    if words:
        return call.run(words)
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.SECRET)


_PLAIN_WORDS = re.compile(r"[A-Za-z0-9_./:=@%+,^ \t'\"-]*\Z")


def _split_string(call: Call, text: Field) -> list[Field]:
    """Return the words of ``env -S``; what env reads otherwise than a shell does is judged as shell text as well."""
    script = None if text.unknown else call.walker.reader.read(text.text).script
    if not isinstance(script, Command) or script.redirections or not _PLAIN_WORDS.match(text.text):
        call.note("unknown-name", text)
        call.shell(text)
        if not isinstance(script, Command):
            return []
    state = call.state.child()
    split = [
        text.with_text(f"{item.name}=" + "".join(expand.single(call.walker, word, state).text for word in item.words))
        for item in script.assignments
    ]
    for word in script.words:
        split += [text.with_text(field.text) for field in expand.fields(call.walker, word, state)]
    return split


def _timeout(call: Call, usage: Usage) -> Stream | None:
    """Run the words behind the first, which says how long, where or as whom."""
    for word in usage.operands[:1]:
        if word.globbed:
            call.note("unclear-word", word)
    return call.run(list(usage.operands[1:]))


def _su(call: Call, usage: Usage) -> Stream | None:
    for text in usage.values("-c", "--command"):
        call.shell(text)
    rest = list(usage.operands[1:])
    if rest and rest[0].text.startswith("-"):  # words for the shell
        return call.run([Field("sh", call.word.start, call.word.end), *rest])
    if not usage.has("-c", "--command") and call.stdin is not UNKNOWN_STREAM:
        return call.feed(call.stdin, call.word)
    return None


def _runuser(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-u", "--user"):
        return call.run(list(usage.operands))
    return _su(call, usage)


def _script(call: Call, usage: Usage) -> Stream | None:
    """Run a command, or a shell on standard input, and write all that it prints to a file.

    BSD takes the command from the operands; GNU's takes it from an option.
    """
    texts = usage.values("-c", "--command")
    for text in texts:
        call.shell(text)
    for word in usage.operands[:1]:
        call.take(Role.WRITE, word)
    if not usage.operands:
        call.note("writes-file", shown="typescript")
    if len(usage.operands) > 1:
        place = next(at for at, word in enumerate(call.args) if word is usage.operands[0])
        return call.run(call.args[place + 1 :])
    return None if texts else call.feed(call.stdin, call.word)


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
    for number in usage.values("-P", "--max-procs"):
        if call.stdin.text is None and number.static is not None and not _FEW.match(number.text):
            call.note("not-harmless", number)
    items = _items(call, usage)
    stdin = call.stdin if usage.has("-a", "--arg-file", "-o", "--open-tty") else NO_STREAM
    few = items if len(items) <= _MOST_RUNS else [*items[: _MOST_RUNS - 1], call.word.with_text(SPLIT)]
    marks = usage.values("-I", "-i", "--replace", "-J")
    if marks or usage.has("-i", "--replace"):
        mark = marks[-1].text if marks else "{}"
        outputs = [call.run([_replaced(word, mark, item) for word in words], stdin) for item in few]
        given = [(option.name, "" if value is None else value.text) for option, value in usage.options]
        last = [name for name, text in given if name in _ONE_COUNTS and (name, text) != ("-n", "1")][-1]
        if last in _ONE_COUNTS[4:]:
            call.note("unknown-option")
            outputs.append(call.run(words + items, stdin))
        return together([*outputs, NO_STREAM])
    size = usage.values("-n", "--max-args", "-L", "-l", "--max-lines", "-s", "--max-chars")
    outputs = [call.run(words + items, stdin)]
    if any(item.many for item in items):  # there may be none
        outputs.append(call.run(words, stdin))
    if size:  # a few at a time, so that each may come first
        outputs += [call.run([*words, item], stdin) for item in few]
    return together(outputs)


_FEW = re.compile(r"0*[1-9][0-9]?\Z")
"""Processes that a machine may well start at a time; nought means as many as there is input for (xargs(1), ``-P``)."""
_ONE_COUNTS = "-I -i --replace -J -L -l --max-lines -n --max-args".split()
"""Options of which the last one takes the others' effect away, but for ``-n 1`` (GNU findutils manual, "xargs options")."""
_MOST_RUNS = 16
_MOST_ITEMS = 50
_ENDS_OF_NAMES = ("\\n", "\n", "\\0")
"""Delimiters that leave the names whole which a listing prints."""
_QUOTED = re.compile(r"'([^'\n]*)'|\"([^\"\n]*)\"|\\(.)|([^'\"\\ \t\n\r\v\f]+)|([ \t\n]+)|(.)", re.S)


def _items(call: Call, usage: Usage) -> list[Field]:
    """Return what xargs appends: the words of a known input, or one field that stands for all of them."""
    stream = call.stdin
    files = usage.values("-a", "--arg-file")
    if files:
        if files[-1].stream is None:
            return [Field(SPLIT, call.word.start, call.word.end, call.taint)]
        stream = files[-1].stream
    ends = usage.values("-d", "--delimiter")
    lines = usage.has("-I", "-i", "--replace")
    whole = (lines or usage.has("-0", "--null") or ends) and all(end.text in _ENDS_OF_NAMES for end in ends)
    if stream.text is None:
        found = [stream.item]
    elif not ends and usage.has("-0", "--null"):
        found = stream.text.split("\0")
    elif ends:
        delimiter = {"\\n": "\n", "\\t": "\t", "\\0": "\0"}.get(ends[-1].text, ends[-1].text)
        found = stream.text.split(delimiter) if len(delimiter) == 1 and not usage.has("-0", "--null") else [SPLIT]
    else:
        found = _unquoted(stream.text, lines)
    if stream.text is not None:
        found = [item.replace(HOLE, SPLIT) for item in found if item]
    if len(found) > _MOST_ITEMS:
        found = [*found[:_MOST_ITEMS], SPLIT]
    start, stop = call.word.start, call.word.end
    return [Field(item, start, stop, stream.taint, divided=not whole and hides(item)) for item in found]


def _unquoted(text: str, lines: bool) -> list[str]:
    """Return the items of an input as xargs reads them: quotes and backslashes are taken away."""
    found = [""]
    for match in _QUOTED.finditer(text):
        single, double, escaped, plain, blank, odd = match.groups()
        if odd:  # a quote without an end, or a blank that not every xargs takes for one
            return [SPLIT]
        if blank is not None and ("\n" in blank or not lines):
            found.append("")
        else:
            found[-1] += next(piece for piece in (single, double, escaped, plain, blank) if piece is not None)
    return [item.strip(" \t\n") for item in found] if lines else found


def _replaced(word: Field, mark: str, item: Field) -> Field:
    if mark not in word.text:
        return word
    text, taint = word.text.replace(mark, item.text), word.taint | item.taint
    return Field(text, word.start, word.end, taint, divided=item.divided)


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


def _traces(call: Call, usage: Usage) -> Stream | None:
    if [word.text for word in call.args] == ["-V"]:
        return None
    call.note("not-harmless")
    for word in usage.values("-o"):
        if word.text.startswith("|"):
            call.names_program(word.with_text(word.text[1:]))
        else:
            call.take(Role.WRITE, word)
    return _runs(call, usage)


def _entr(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-s"):
        for word in usage.operands[:1]:
            call.shell(word)
        return None
    return _runs(call, usage)


_SUDO = (
    "-A -B -b -E -e -H -i -K -k -l -n -P -S -s -V -v -C:text -D:text -g:text -h:text -p:text -R:text -r:text -T:text -t:text -U:text "
    "-u:text --askpass --background --preserve-env?text --edit --set-home --login --remove-timestamp --reset-timestamp --list "
    "--non-interactive --preserve-groups --stdin --shell --validate --user:text --group:text --host:text --prompt:text "
    "--chdir:text --chroot:text --close-from:text --role:text --type:text --other-user:text --command-timeout:text"
)
_XARGS = (
    "-0 --null -a:read --arg-file:read -d:text --delimiter:text -E:text -e?text --eof?text -I:text -i?text --replace?text "
    "-J:text -L:text -l?text --max-lines?text -n:text --max-args:text -o --open-tty -P:text --max-procs:text -p --interactive "
    "--process-slot-var:risk -R:text -r --no-run-if-empty -S:text -s:text --max-chars:text --show-limits -t --verbose -x --exit"
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
        "-i --ignore-environment -0 --null -a:risk --argv0:risk -u:text --unset:text -C:text --chdir:text -S:text --split-string:text -v --debug -P:risk "
        "--block-signal?text --default-signal?text --ignore-signal?text --list-signal-handling",
        _env,
    ),
    "nice": _wrapper("-n:text --adjustment:text -0 -1 -2 -3 -4 -5 -6 -7 -8 -9"),
    "ionice": _wrapper("-c:text --class:text -n:text --classdata:text -t --ignore -p:risk -P:risk -u:risk"),
    "nohup": _wrapper("", _nohup),
    "timeout": _wrapper(
        "-s:text --signal:text -k:text --kill-after:text --preserve-status --foreground -v --verbose -p -f", _timeout
    ),
    "gtimeout": _wrapper("-s:text --signal:text -k:text --kill-after:text --preserve-status --foreground -v", _timeout),
    "stdbuf": _wrapper("-i:text -o:text -e:text --input:text --output:text --error:text"),
    "unbuffer": _wrapper("-p"),
    "setsid": _wrapper("-c --ctty -f --fork -w --wait", _setsid),
    "chrt": _wrapper("-b -d -f -i -o -r -a -v -m", _timeout, rule="changes-system"),
    "taskset": _wrapper("-a -c", _timeout),
    "numactl": _wrapper(
        "-a --all -i:text --interleave:text -N:text --cpunodebind:text -m:text --membind:text -l --localalloc -H --hardware -s --show -C:text --physcpubind:text"
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
        "-c -C -d -f -ff -h -i -k -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -a:text -e:text -o:text -O:text -s:text -S:text -u:text -E:risk -p:risk -I:text -b:text -P:text",
        _traces,
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
    "busybox": _wrapper("--list --list-full"),
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
    "entr": _wrapper("-a -c -d -n -p -r -s -x -z", _entr),
}
