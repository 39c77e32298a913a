"""PowerShell's cmdlets that run something: text, blocks, programs, code on other machines; and PowerShell itself.

Source: PowerShell's help of each cmdlet; about_PowerShell_exe, about_Pwsh, about_Scopes.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from functools import partial

from ..calls import Call, joined
from ..hits import Hits
from ..knowledge import Program, Role, Style, program
from ..shell import Dialect
from ..usage import Usage
from ..values import UNKNOWN_STREAM, Field, Stream, Taint, plain
from ..windows.parameters import cmdlet
from .cmdlets_system import does
from .outlines import Descriptions, Judge, Outline

CLIENT = "a connection"
"""The name under which a state remembers that the text has opened a connection to another machine."""


def evaluate(call: Call, text: Field, *, here: bool = False, vouched: bool = False) -> Stream:
    """Judge PowerShell text that is run, in the scope of the call or in one of its own.

    Where it is `vouched` for that this very text is run, its own verdict is that of the call.
    """
    if not vouched:
        call.note("feeds-interpreter")
    if text.taint & Taint.SOCKET or (call.state.get(CLIENT) is not None and text.unknown):
        call.note("reverse-shell")
    elif text.taint & Taint.REMOTE:
        call.note("remote-code")
    elif text.taint & Taint.DECODED:
        call.note("decoded-code")
    state = call.state if here else call.state.child()
    return call.walker.text(text.text, text, state, Dialect.POWERSHELL)


def _expression(call: Call, usage: Usage) -> Stream | None:
    found = usage.values("-command")
    if not found:
        stream = call.stdin
        found = [
            Field(stream.text if stream.text is not None else stream.item, call.word.start, call.word.end, stream.taint)
        ]
    for field in found:
        evaluate(call, field, here=True)
    return None


def _elsewhere(call: Call, usage: Usage) -> None:
    """Invoke-Command: the block is judged where it stands."""
    if usage.has("-computername", "-cn", "-session", "-hostname", "-vmname", "-connectionuri"):
        call.note("uses-network")
    for field in usage.values("-filepath"):
        call.take(Role.SCRIPT, field)
    call.note("runs-code")
    if call.stdin is not UNKNOWN_STREAM and call.stdin.taint & Taint.SECRET and usage.has("-computername"):
        call.note("sends-secret")


def _starts(call: Call, usage: Usage) -> None:
    call.note("runs-code")
    if any(field.text.lower() == "runas" for field in usage.values("-verb")):
        call.note("as-another-user")
    names = usage.values("-filepath")
    arguments = [
        field.with_text(text) for field in usage.values("-argumentlist", "-args") for text in field.text.split() or [""]
    ]
    if names:
        call.run([names[0], *arguments])


def _aliases(call: Call, usage: Usage) -> None:
    call.note("changes-shell")
    for name, value in zip(usage.values("-name"), usage.values("-value"), strict=False):
        call.state.set("alias " + name.text.lower(), (value.text, value.taint))


def _variables(call: Call, usage: Usage) -> None:
    call.note("not-harmless")
    for field in usage.values("-name"):
        if field.static is None:
            call.state.forget_all()
        else:
            given = usage.values("-value")
            value = (given[0].text, given[0].taint) if len(given) == 1 else ("\ue000", Taint.NONE)
            call.state.set(field.text.lower(), value)


def _creates(call: Call, usage: Usage) -> Stream:
    """New-Object: what counts is its type; one of a connection is remembered."""
    for field in usage.values("-comobject"):
        call.note("not-harmless", field)
    taint = call.taint
    for field in usage.values("-typename"):
        name = field.text.lower().removeprefix("system.")
        if name.startswith(("net.sockets.tcpclient", "net.sockets.udpclient", "net.sockets.socket")):
            call.note("uses-network", field)
            call.state.set(CLIENT, ("", Taint.SOCKET))
            taint |= Taint.SOCKET
        elif not _PLAIN_TYPE.match(name):
            call.note("not-harmless", field)
    return Stream(None, taint)


_PLAIN_TYPE = re.compile(
    r"(?:psobject|object|string|datetime|timespan|version|uri|guid|random|net\.webclient|text\.(?:ascii|utf8|unicode|utf7)?encoding"
    r"|text\.stringbuilder|io\.stringreader|diagnostics\.stopwatch|collections\.(?:arraylist|hashtable|queue|stack|generic\..*)"
    r"|management\.automation\.psobject|(?:string|int|byte|char|object)\[\])\Z"
)


def _says(spec: str, judge: Judge) -> Outline:
    return partial(cmdlet, spec, judge=judge)


PROGRAMS = Descriptions(
    {
        "invoke-expression": _says("Command:text", _expression),
        "invoke-command": _says(
            "ScriptBlock:text ComputerName:text -Cn:text -Session:text -HostName:text -VMName:text -ConnectionUri:text "
            "-FilePath:text -ArgumentList:text -Args:text -Credential:text -AsJob -JobName:text -InputObject:text "
            "-ThrottleLimit:text -NoNewScope -UseSSL -Port:text -HideComputerName",
            _elsewhere,
        ),
        "start-job start-threadjob": _says(
            "ScriptBlock:text -FilePath:text -Name:text -ArgumentList:text -InitializationScript:text -InputObject:text "
            "-RunAs32 -WorkingDirectory:path -PSVersion:text",
            _elsewhere,
        ),
        "start-process": _says(
            "FilePath:text ArgumentList:text -Args:text -Verb:text -Wait -NoNewWindow -nnw -WindowStyle:text -PassThru "
            "-WorkingDirectory:path -RedirectStandardOutput:write -RedirectStandardError:write -RedirectStandardInput:read "
            "-RSO:write -RSE:write -RSI:read -Credential:text -LoadUserProfile -UseNewEnvironment -Environment:text",
            _starts,
        ),
        "set-alias new-alias": _says(
            "Name:text Value:text -Description:text -Option:text -Scope:text -Force -PassThru", _aliases
        ),
        "set-variable new-variable": _says(
            "Name:text Value:text -Description:text -Option:text -Scope:text -Visibility:text -Force -PassThru",
            _variables,
        ),
        "new-object": _says(
            "TypeName:text ArgumentList:text -Args:text -Property:text -ComObject:text -Strict", _creates
        ),
        "add-type import-module import-clixml invoke-history update-typedata update-formatdata import-alias invoke-item new-module "
        "import-pssession add-pssnapin register-objectevent register-wmievent register-engineevent invoke-cimmethod "
        "invoke-wmimethod new-ciminstance set-ciminstance set-psdebug "
        "set-psbreakpoint": does("feeds-interpreter"),
        "clear-variable remove-variable set-strictmode remove-module export-modulemember read-host wait-job receive-job "
        "remove-job stop-job": does("changes-shell"),
        "new-pssession enter-pssession connect-pssession new-cimsession": does("uses-network"),
    }
)

# --- PowerShell as a program

_VALUED = frozenset(
    "version psconsolefile inputformat outputformat windowstyle executionpolicy configurationname configurationfile "
    "settingsfile workingdirectory custompipename encodedarguments ex ep w wd wo if of inp o config".split()
)
_SWITCHES = frozenset(
    "nologo noexit sta mta noprofile noninteractive interactive login help noprofileloadtime sshservermode i l h ? nop noni".split()
)
_CARRIES = {
    "command": "command",
    "c": "command",
    "encodedcommand": "encoded",
    "e": "encoded",
    "ec": "encoded",
    "file": "file",
    "f": "file",
}


def _parameter(text: str) -> str:
    """Return what a word is to the program: the role of a parameter, or nothing."""
    if text[:1] not in ("-", "/") or len(text) < 2:
        return ""
    name = text.lstrip("-/").lower().partition(":")[0]
    if name in _CARRIES:
        return _CARRIES[name]
    if name in _SWITCHES or name in _VALUED:
        return "switch" if name in _SWITCHES else "valued"
    for known in ("encodedcommand", "command", "file"):
        if known.startswith(name):
            return _CARRIES[known]
    if any(known.startswith(name) for known in _SWITCHES):
        return "switch"
    return "valued" if any(known.startswith(name) for known in _VALUED) else ""


_PLAIN_SWITCHES = frozenset("-noprofile -nop -noninteractive -noni -nologo -nol".split())
_VERSION = (["-version"], ["-v"], ["--version"], ["-help"], ["-h"], ["-?"], ["--help"])


def _host(call: Call, _usage: Usage) -> Stream | None:
    """Judge how PowerShell is started: a text behind ``-Command`` is judged as that of ``sh -c`` is.

    Profiles are loaded without ``-NoProfile``, as those of a login shell are (about_Profiles).
    """
    words = list(call.args)
    if call.name.startswith("pwsh") and [word.text.lower() for word in words] in _VERSION:
        return None
    vouched = True
    while words:
        word = words.pop(0)
        role = _parameter(word.text)
        if role == "command" and word.text.lower() in ("-c", "-command"):
            return _text(call, words, vouched=vouched)
        vouched = vouched and word.text.lower() in _PLAIN_SWITCHES
        if role == "valued":
            del words[:1]
        elif role not in ("switch", "valued"):
            call.note("feeds-interpreter")
            return _other(call, role, word, words)
    call.note("feeds-interpreter")
    _input(call)
    return None


def _other(call: Call, role: str, word: Field, words: list[Field]) -> Stream | None:
    if role == "encoded":
        _decoded(call, words[0] if words else word)
        return None
    if role == "file":
        return _file(call, words[0]) if words else _input(call)
    return _text(call, words if role else [word, *words])


def _text(call: Call, words: list[Field], *, vouched: bool = False) -> Stream | None:
    """Judge the words behind ``-Command``."""
    if not words or words[0].text == "-":
        call.note("feeds-interpreter")
        return _input(call)
    if words[0].text.lower().endswith(".ps1"):
        _file(call, words[0])
    text = joined(words, call.word)
    return evaluate(call, text, vouched=vouched and _without_quotes(call, text)).perhaps()


def _without_quotes(call: Call, text: Field) -> bool:
    """Return whether a text may lose its quotes: Windows PowerShell hands them on to programs without escaping them."""
    walker = call.walker
    if '"' not in text.text or not (walker.any_dialect or walker.dialect is Dialect.POWERSHELL):
        return True
    before, walker.hits = walker.hits, Hits()
    try:
        walker.text(text.text.replace('"', ""), text, call.state.child(), Dialect.POWERSHELL)
        return walker.hits.allow()
    finally:
        walker.hits = before


def _input(call: Call) -> Stream | None:
    if call.stdin is not UNKNOWN_STREAM:
        stream = call.stdin
        text = stream.text if stream.text is not None else ""
        evaluate(call, Field(text, call.word.start, call.word.end, stream.taint))
    return None


def _file(call: Call, field: Field) -> Stream | None:
    if field.text == "-":
        return _input(call)
    call.script(field)
    return None


def _decoded(call: Call, field: Field) -> None:
    """Judge a command in Base64 of UTF-16, which nobody can read as it stands."""
    call.note("decoded-code")
    try:
        text = a2b_base64(field.text.encode("ascii"), strict_mode=False).decode("utf-16-le")
    except (Error, UnicodeError, ValueError):
        return
    evaluate(call, field.with_text(plain(text)))


HOST: Program = program("", "text*", style=Style.NONE, judge=_host)
