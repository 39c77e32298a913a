"""sed: a filter whose script may read, write and run.

Sources: the GNU sed manual, sed(1) of BSD.
"""

from __future__ import annotations

from .. import code as any_code
from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import Field, Stream
from . import sed_script
from .judging import code_file, decoded, distinct, reads, selected, settled
from .outlines import Descriptions, outline

_SED = (
    "-n -e:text -f:text -E -r -s -z -u -l?text -i?text -I?text -b -a -H --quiet --silent --expression:text "
    "--file:text "
    "--regexp-extended --separate --null-data --unbuffered --line-length:text --in-place?text --debug "
    "--posix --sandbox "
    "--follow-symlinks --binary --zero-terminated "
)
_MOST = 50
"""Files and commands of one script that are judged; a script with more is not harmless."""


def _script(call: Call, script: Field, where: Field, *, sandbox: bool) -> bool:
    """Weigh a script; return whether it rewrites its input."""
    text = settled(script.text)
    if Field(text).static is None:
        call.note("unclear-word", where, script.text)
        return True
    effects = sed_script.read(text)
    if effects is None:
        call.note("not-harmless", where, script.text)
        return True
    if sandbox:
        return effects.rewrites
    if len(effects.reads) + len(effects.writes) + len(effects.commands) > _MOST:
        call.note("not-harmless", where, script.text)
    for path in effects.reads[:_MOST]:
        call.take(Role.READ, where.with_text(path))
    for path in effects.writes[:_MOST]:
        call.take(Role.WRITE, where.with_text(path))
    for command in effects.commands[:_MOST]:
        call.note("runs-code", where, command or script.text)
        if command:
            call.shell(where.with_text(command))
    if effects.runs_input:
        call.note("runs-code", where, script.text)
        for command in effects.likely_commands[:_MOST]:
            any_code.runs(call, command, where)
        if call.stdin.text or call.stdin.taint:
            call.feed(call.stdin, where)
    return effects.rewrites or bool(effects.reads)


def _sed(call: Call, usage: Usage) -> Stream | None:
    files = list(usage.operands)
    pieces = [
        value
        for option, value in usage.options
        if value is not None and option.name in ("-e", "--expression", "-f", "--file")
    ]
    if not pieces:
        pieces, files = files[:1], files[1:]
    for option, value in usage.options:
        if option.name == "-l" and (value is None or not value.numeric):  # to GNU the next word is its argument
            call.note("unknown-option")
    sandbox = usage.has("--sandbox")
    for path in usage.values("-f", "--file"):
        call.read(path)
        code = None if sandbox else code_file(call, path)
        if code is not None:
            _script(call, code, code, sandbox=False)
    scripts = usage.values("-f", "--file")
    inline = [piece for piece in pieces if piece not in scripts[:_MOST]]
    rewrites = bool(scripts)
    if inline:
        whole = inline[0].with_text("\n".join(piece.text for piece in inline))
        rewrites = _script(call, whole, inline[0], sandbox=sandbox) or rewrites
    elif not pieces:
        call.note("unknown-option")
    if usage.has("-i", "-I", "--in-place"):
        for field in distinct(files):
            call.take(Role.WRITE, field)
        if not files:
            call.note("changes-files")
        return None
    reads(call, files)
    return decoded(call) if rewrites else selected(call, Usage(operands=tuple(files)))


PROGRAMS = Descriptions({"sed gsed": outline(_SED, judge=_sed)})
