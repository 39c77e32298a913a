"""What PowerShell's expressions call: operators, casts, members of objects and of types of .NET.

A member is named ``.name`` or ``[type]::name``, with ``()`` behind it where it is called;
its operands are the object, if any, and the arguments.
Source: about_Operators, about_Methods, about_Calling_Generic_Methods; the .NET API reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .. import effects
from ..calls import Call
from ..knowledge import Program, Role, Style, program
from ..shell import Dialect
from ..usage import Usage
from ..values import HOLE, Stream, Taint
from ..variables import SECRET_NAME
from ..windows.parameters import path, plain
from .cmdlets_code import CLIENT, evaluate
from .cmdlets_system import SHADOWS

_REWRITES = frozenset(["-join", "-replace", "-split", "-f", "-bxor", "-times"])
_CASTS = frozenset(
    "int int32 int64 long byte sbyte short uint16 uint32 uint64 double single float decimal bool switch string datetime timespan "
    "array object void guid uri version regex ipaddress net.ipaddress pscustomobject psobject ordered hashtable xml bigint "
    "char text.encoding io.fileinfo io.directoryinfo fileinfo int[] string[] object[] char[] byte[] collections.arraylist "
    "math convert io.path io.file io.directory environment".split()
)
_DECODES = frozenset(["char", "char[]"])
_PLAIN_TYPES = re.compile(
    r"\[(?:math|string|datetime|datetimeoffset|timespan|guid|regex|version|uri|int|int32|int64|long|double|decimal|bool|byte|char|array"
    r"|globalization\.cultureinfo|text\.encoding|bitconverter|stringcomparer|stringcomparison|io\.searchoption|io\.fileattributes"
    r"|runtime\.interopservices\.(?:runtimeinformation|osplatform|architecture)|threading\.thread|diagnostics\.stopwatch"
    r"|io\.path|consolecolor|dayofweek|net\.securityprotocoltype|net\.httpstatuscode)\]::(?!gettempfilename)\w+(?:\(\))?\Z"
)
_METHODS = frozenset(
    "tostring trim trimstart trimend tolower toupper tolowerinvariant toupperinvariant contains startswith endswith indexof "
    "lastindexof padleft padright compareto equals gethashcode gettype tochararray containskey getenumerator adddays addhours "
    "addminutes addmonths addseconds addyears addmilliseconds addticks subtract toshortdatestring tolongdatestring "
    "toshorttimestring tolongtimestring touniversaltime tolocaltime tofiletime where foreach getvalue match matches ismatch "
    "getbytes getstring split substring replace insert remove format join reverse sort toarray getelementsbytagname "
    "selectnodes selectsinglenode getfiles getdirectories enumeratefiles next getlength".split()
)
_REWRITING = frozenset(
    "tochararray split substring replace insert remove format join reverse getstring getbytes trim".split()
)
_OWN_PATH = frozenset(
    [
        "fullname",
        "path",
        "pspath",
        "providerpath",
        "value",
        "name",
        "currentuserallhosts",
        "currentusercurrenthost",
        "allusersallhosts",
        "alluserscurrenthost",
    ]
)


def is_harmless_member(name: str) -> bool:
    """Return whether a member of this name changes nothing, called or not."""
    low = name.lower()
    return low in _METHODS or low in _PROPERTIES


_PROPERTIES = frozenset(
    "name fullname length count basename extension path directory directoryname lastwritetime creationtime lastaccesstime mode id "
    "cpu ws handles processname status displayname line linenumber filename pattern key value values keys version major minor "
    "year month day hour minute second ticks definition source commandtype".split()
)


def find(name: str) -> Program | None:
    """Return the description of an operator, a cast, a member, or of the operator that calls."""
    if name == "&":
        return _judged(_calls)
    if name == ".":
        return _judged(_sources)
    if name[0] == "-":
        return _judged(_rewriting if name in _REWRITES else _operator)
    if name[0] == "[" and "]::" not in name:
        return _judged(_cast)
    if name in _MEMBERS:
        return _judged(_MEMBERS[name])
    if name == ".=":
        return program("", "text*", style=Style.NONE, rule="not-harmless")
    if name[0] == ".":
        return _judged(_method if name.endswith("()") else _property)
    return _judged(_static)


def _judged(judge: Callable[[Call], Stream | None]) -> Program:
    def judged(call: Call, _usage: Usage) -> Stream | None:
        call.args = [plain(word) for word in call.args]
        return judge(call)

    return program("", "text*", style=Style.NONE, judge=judged)


def _operator(call: Call) -> Stream:
    return Stream(None, call.taint, HOLE)


def _rewriting(call: Call) -> Stream:
    return Stream(None, call.taint | Taint.DECODED, HOLE)


def _cast(call: Call) -> Stream:
    name = call.name[1:-1]
    text = call.args[0].text if len(call.args) == 1 else None
    if name == "scriptblock" and text is not None:
        evaluate(call, call.args[0])
    elif name not in _CASTS and call.args:
        call.note("not-harmless")
    taint = call.taint | (Taint.DECODED if name in _DECODES else Taint.NONE)
    return Stream(text if name == "string" else None, taint, HOLE)


def _property(call: Call) -> Stream:
    target = call.args[0] if call.args else call.word
    kept = call.name[1:] in _OWN_PATH and len(call.args) == 1 and bool(target.text)
    return Stream(target.text if kept and not target.globbed else None, call.taint, target.text if kept else HOLE)


def _method(call: Call) -> Stream:
    name = call.name[1:-2]
    if name not in _METHODS:
        call.note("not-harmless")
        if call.taint & Taint.SOCKET:
            call.state.set(CLIENT, ("", Taint.SOCKET))
    taint = call.taint | (Taint.DECODED if name in _REWRITING else Taint.NONE)
    return Stream(None, taint, HOLE)


def _static(call: Call) -> Stream:
    if not _PLAIN_TYPES.match(call.name):
        call.note("not-harmless")
    rewrites = call.name.startswith(("[string]::", "[regex]::", "[char]::", "[bitconverter]::", "[array]::"))
    return Stream(None, call.taint | (Taint.DECODED if rewrites else Taint.NONE), HOLE)


# --- members that do more than compute


def _take(role: Role, *places: int) -> Callable[[Call], Stream | None]:
    """Return a judge that weighs arguments at these places by a role."""

    def judge(call: Call) -> Stream | None:
        for place in places:
            for field in call.args[place : place + 1]:
                call.take(role, path(field))
        return Stream(None, call.taint, HOLE)

    return judge


def _is_on(call: Call, place: int) -> bool:
    return any(field.text.lower() not in ("false", "0", "") for field in call.args[place : place + 1])


def _deletes(call: Call) -> Stream | None:
    """Weigh what is deleted: the first argument, or the object itself, as in ``(Get-Item path).Delete($true)``."""
    for field in call.args[:1]:
        if SHADOWS in field.text.lower():
            call.note("destroys-windows", shown=field.text)
        effects.delete(call.walker, path(field), call.state, recursive=_is_on(call, 1))
    return None


def _deletes_tree(call: Call) -> Stream | None:
    for field in call.args[1:2]:
        effects.delete(call.walker, path(field), call.state, recursive=True)
    return None


def _downloads(call: Call) -> Stream:
    call.note("uses-network")
    return Stream(None, call.taint | Taint.REMOTE, HOLE)


def _download_file(call: Call) -> Stream:
    call.note("uses-network")
    from .cmdlets_system import downloaded

    for field in call.args[2:3]:
        call.take(Role.WRITE, path(field))
        downloaded(call, [path(field)])
    return Stream("")


def _uploads(call: Call) -> Stream:
    call.note("uses-network")
    if call.taint & Taint.SECRET:
        call.note("sends-secret")
    if "file" in call.name:
        for field in call.args[2:]:
            call.take(Role.SEND, path(field))
    return Stream(None, Taint.REMOTE, HOLE)


def _decodes(call: Call) -> Stream:
    return Stream(None, call.taint | Taint.DECODED, HOLE)


def _script(call: Call) -> Stream | None:
    for field in call.args[:1]:
        evaluate(call, field)
    return None


def _invokes(call: Call) -> Stream | None:
    """``.Invoke()``, ``.InvokeScript(text)``: runs what the object is, or the text."""
    call.note("feeds-interpreter")
    for field in call.args:
        if field.taint & (Taint.REMOTE | Taint.DECODED | Taint.SOCKET) or (field.static and call.name != ".invoke()"):
            evaluate(call, field)
    return None


def _runs(call: Call) -> Stream | None:
    """Start a program: ``[Diagnostics.Process]::Start``, ``.Run`` and ``.Exec`` of a scripting host."""
    call.note("runs-code")
    words = call.args if call.name[0] == "[" else call.args[1:]
    if words:
        text = " ".join(field.text for field in words)
        call.walker.text(text, words[0], call.state.child(), Dialect.CMD)
    return None


def _environment(call: Call) -> Stream | None:
    for field in call.args[:1]:
        if field.static is None or SECRET_NAME.search(field.text.upper()):
            call.note("prints-secret", field)
            call.taint |= Taint.SECRET
    return Stream(None, call.taint, HOLE)


def _whole_environment(call: Call) -> Stream:
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.SECRET, HOLE)


def _connects(call: Call) -> Stream:
    call.note("uses-network")
    call.state.set(CLIENT, ("", Taint.SOCKET))
    return Stream(None, call.taint | Taint.SOCKET, HOLE)


def _nothing(call: Call) -> Stream:
    return Stream(None, call.taint, HOLE)


_MEMBERS: dict[str, Callable[[Call], Stream | None]] = {
    "[io.directory]::delete()": _deletes,
    "[io.file]::delete()": _deletes,
    "[microsoft.visualbasic.fileio.filesystem]::deletedirectory()": _deletes,
    ".delete()": _deletes,
    ".deletefolder()": _deletes_tree,
    **dict.fromkeys(
        [
            f"[io.file]::{name}()"
            for name in ("readalltext", "readalllines", "readallbytes", "readlines", "openread", "opentext")
        ],
        _take(Role.READ, 0),
    ),
    **dict.fromkeys(
        [
            f"[io.file]::{name}()"
            for name in (
                "writealltext writealllines writeallbytes appendalltext appendalllines create createtext openwrite "
                "appendtext setattributes setaccesscontrol"
            ).split()
        ],
        _take(Role.WRITE, 0),
    ),
    **dict.fromkeys(
        ["[io.file]::copy()", "[io.file]::move()", "[io.file]::replace()", "[io.directory]::move()"],
        _take(Role.WRITE, 1),
    ),
    **dict.fromkeys(
        [f"[io.{kind}]::exists()" for kind in ("file", "directory")]
        + [
            f"[io.directory]::{name}()"
            for name in ("getfiles", "getdirectories", "getfilesystementries", "getcurrentdirectory", "enumeratefiles")
        ],
        _nothing,
    ),
    "[io.directory]::createdirectory()": _take(Role.WRITE, 0),
    "[environment]::getenvironmentvariable()": _environment,
    "[environment]::getenvironmentvariables()": _whole_environment,
    **dict.fromkeys(
        [
            f"[environment]::{name}"
            for name in (
                "osversion processorcount newline is64bitoperatingsystem is64bitprocess machinename username userdomainname version "
                "currentdirectory systemdirectory tickcount getfolderpath()"
            ).split()
        ],
        _nothing,
    ),
    "[convert]::frombase64string()": _decodes,
    **dict.fromkeys(
        [
            f"[convert]::{name}()"
            for name in ("tobase64string", "toint32", "toint64", "tostring", "todouble", "todatetime")
        ],
        _decodes,
    ),
    "[scriptblock]::create()": _script,
    "[diagnostics.process]::start()": _runs,
    ".run()": _runs,
    ".exec()": _runs,
    ".shellexecute()": _runs,
    **dict.fromkeys(
        [
            f".{name}()"
            for name in (
                "downloadstring",
                "downloaddata",
                "downloadstringtaskasync",
                "openread",
                "getstringasync",
                "getresponse",
                "getasync",
            )
        ],
        _downloads,
    ),
    ".downloadfile()": _download_file,
    **dict.fromkeys(
        [f".{name}()" for name in ("uploadstring", "uploaddata", "uploadfile", "uploadvalues", "postasync")], _uploads
    ),
    **dict.fromkeys(
        [
            f".{name}()"
            for name in ("invoke", "invokescript", "addscript", "begininvoke", "invokereturnasis", "invokecommand")
        ],
        _invokes,
    ),
    **dict.fromkeys([f"[net.sockets.{name}]::new()" for name in ("tcpclient", "udpclient", "socket")], _connects),
    "[net.webclient]::new()": _nothing,
}


# --- the operators that call


def _calls(call: Call) -> Stream | None:
    """``& name words``: what is called may be a block, which is judged where it stands, or a name from anywhere."""
    if not call.args:
        return None
    name = call.args[0]
    if name.text.startswith("{"):
        return Stream(None, call.taint, HOLE)
    if name.text[:1] in ("[", "-", "&") or (name.text[:1] == "." and name.text[1:2] not in (".", "/", "\\")):
        call.note("unknown-name", name)
        return None
    return call.walker.call([name, *call.args[1:]], call.state, call.stdin)


def _sources(call: Call) -> Stream | None:
    call.note("changes-shell")
    for field in call.args[:1]:
        if field.text.startswith("{"):
            return Stream(None, call.taint, HOLE)
        if re.search(r"[./\\]", field.text):
            call.script(field)
        else:
            return call.walker.call(call.args, call.state, call.stdin)
    return None
