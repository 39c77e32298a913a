"""Programs of Windows that run others, or what they fetch: cmd itself, start, forfiles, and those that load code.

Sources: the Windows command reference, pages of the programs; cmd, "Remarks" on quotes behind ``/c``.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role
from ..shell import Dialect
from ..usage import Usage
from ..values import ANY, STAR, UNKNOWN_STREAM, Field, Stream, Taint, taint_of
from .outlines import Descriptions, by_hand
from .windows_files import switched
from .windows_system import in_words

_SWITCH = re.compile(
    r"(?i)/+(?:([ckr])(?![a-z]*:)|(?:[qdsauxy]|[teyfv](?::[^/\s]*)?|e(?:xtensions)?:\w+)(?=/|\Z))", re.S
)
_SPECIAL = re.compile(r"[\s&|<>()^,;=]")


def quoted(word: Field) -> str:
    """Return a word as it must stand in a text for cmd to be one word again."""
    return f'"{word.text}"' if _SPECIAL.search(word.text) or not word.text else word.text


def cmd_text(call: Call, text: Field) -> Stream:
    """Judge text that cmd runs in a shell of its own; a wildcard in it has been expanded only by a POSIX shell."""
    value = text.text
    if call.walker.dialect is not Dialect.POSIX:
        value = value.replace(STAR, "*").replace(ANY, "?")
    return call.walker.text(value, text, call.state.child(), Dialect.CMD)


def batch(call: Call) -> None:
    """Judge a file that is run by its name, as far as the text itself has written it."""
    names = [call.word.text, *(call.word.text + ending for ending in (".bat", ".cmd", ".exe"))]
    for content in [content for name in names for content in call.contents(call.word.with_text(name))]:
        if content.text is not None and not content.taint:
            cmd_text(call, call.word.with_text(content.text))
        else:
            call.feed(content, call.word)


def _texts(words: list[Field], place: Field) -> list[Field]:
    """Return the texts that words may be for cmd: it drops the outer quotes in most cases, and keeps them in some."""
    if not words:
        return []
    start, end, taint = words[0].start, words[-1].end, taint_of(words)
    found = dict.fromkeys([" ".join(word.text for word in words), " ".join(map(quoted, words))])
    if len(words) == 1 or words[0].text.strip() != words[0].text:
        found = dict.fromkeys([" ".join(word.text for word in words)])
    return [Field(text, start, end or place.end, taint) for text in found]


def _cmd(call: Call, _usage: Usage) -> Stream | None:
    words = list(call.args)
    while words:
        word = words.pop(0)
        at = 0
        text = "/" + word.text[1:] if word.text[:2].lower() in ("-c", "-k") else word.text
        while (match := _SWITCH.match(text, at)) is not None:
            at = match.end()
            if match[1] in ("k", "K"):  # it stays, and reads on from its input
                _input(call)
            if match[1]:
                rest = [word.with_text(text[at:])] if text[at:].strip() else []
                return _runs(call, [*rest, *words])
        if at != len(text):  # cmd passes over what it does not know
            call.note("not-harmless", word)
    if call.args == [] or call.stdin is not UNKNOWN_STREAM:
        return _input(call)
    call.note("feeds-interpreter")
    return None


def _runs(call: Call, words: list[Field]) -> Stream | None:
    texts = _texts(words, call.word)
    if not texts:
        call.note("feeds-interpreter")
        return None
    if texts[0].taint & (Taint.REMOTE | Taint.SOCKET):
        call.note("remote-code")
    outputs = [cmd_text(call, text) for text in texts]
    return outputs[0].perhaps()


def _input(call: Call) -> Stream | None:
    """Judge what cmd reads as commands when it is given none."""
    stream = call.stdin
    if stream.taint & (Taint.REMOTE | Taint.SOCKET):
        call.note("remote-code" if stream.taint & Taint.REMOTE else "reverse-shell")
    elif stream.text is not None and stream.text:
        cmd_text(call, call.word.with_text(stream.text))
    call.note("feeds-interpreter")
    return None


_START = re.compile(
    r"(?i)/(?:min|max|wait|b|i|low|normal|high|realtime|abovenormal|belownormal|separate|shared)\Z"
    r"|/(?P<value>d|node|affinity|machine)(?::?(?P<rest>.*))?\Z",
    re.S,
)


def _start(call: Call, _usage: Usage) -> Stream | None:
    """Start: a title in quotes, switches, then a program or a document."""
    call.note("not-harmless")
    words = list(call.args)
    while words:
        match = _START.match(words[0].text)
        if match is None and not (words[0].text == "" or (" " in words[0].text and len(words) > 1)):
            break
        word = words.pop(0)
        if match is not None and match["value"] and not match["rest"] and not word.text[3:] and words:
            words.pop(0)
    if words and re.match(r"(?i)https?:", words[0].text):
        call.note("uses-network", words[0])
        return None
    for text in _texts(words, call.word)[-1:]:
        cmd_text(call, text)
    return None


def _each_file(call: Call, usage: Usage) -> None:
    """Forfiles: its command runs for each file below a folder, whose names stand for signs in it."""
    call.note("windows-command")
    folder = next(iter(usage.values("/p")), call.word.with_text("."))
    mask = next(iter(usage.values("/m")), call.word.with_text("*"))
    path = f"{folder.text.rstrip(chr(92))}\\{mask.text.replace(STAR, '*')}"
    for field in usage.values("/c"):
        text = re.sub(r"(?i)@(?:path|file)", lambda _match: f'"{path}"', field.text)
        cmd_text(call, field.with_text(text.replace('""', '"')))


_URL = re.compile(r"(?i)(?:.*[=:,;\"'\s])?(?:https?|ftp|file)://|(?:/[a-z]+:)?(?:\\\\(?![?.]\\)[^\\\s]|//[^/\s]+/)")
_SCRIPTLET = re.compile(r"(?i)\"?(?:javascript|vbscript|about):")


def _loads(call: Call, _usage: Usage) -> None:
    """Mshta, rundll32, regsvr32 and their like: code from an address or from the command line itself."""
    text = in_words(call)
    if any(_URL.match(word.text) for word in call.args) or _SCRIPTLET.match(text):
        call.note("remote-code")
    elif re.search(r"(?i)comsvcs(?:\.dll)?.*(?:minidump|#24)", text):
        call.note("reads-secret")
    call.note("runs-code")


def _installs(call: Call, _usage: Usage) -> None:
    call.note("installs")
    if any(_URL.match(word.text) for word in call.args):
        call.note("remote-code")


_CERTUTIL_LOOKS = frozenset(["/hashfile", "/dump", "/store", "/asn", "/?", "/v", "/user", "/enterprise", "/silent"])
_DECODES = ("/decode", "/decodehex", "/encode", "/encodehex")


def _certificates(call: Call, _usage: Usage) -> Stream | None:
    """Certutil: it shows certificates and sums, and copies files from addresses or out of encodings."""
    words = [word.text.lower().replace("-", "/", 1) for word in call.args]
    files = [field for field in call.args if field.text[:1] not in ("-", "/")]
    if "/urlcache" in words or "/verifyctl" in words or "/url" in words or any(_URL.match(word) for word in words):
        call.note("uses-network")
        for field in files[1:2]:
            call.take(Role.WRITE, field)
            call.wrote(field, Stream(None, Taint.REMOTE))
        return Stream(None, Taint.REMOTE)
    if any(word in _DECODES for word in words):
        call.note("changes-files")
        for field in files[1:2]:
            call.take(Role.WRITE, field)
            call.wrote(field, Stream(None, Taint.DECODED))
    elif not {word for word in words if word.startswith("/")} <= _CERTUTIL_LOOKS:
        call.note("windows-command")
    return None


def _transfers(call: Call, _usage: Usage) -> None:
    words = [word.text.lower() for word in call.args]
    if words and words[0] in ("/list", "/info", "/?"):
        return
    call.note("uses-network")
    for field in call.args[-1:]:
        call.take(Role.WRITE, field)
        call.wrote(field, Stream(None, Taint.REMOTE))
    if "/setnotifycmdline" in words:
        call.note("write-startup")


_WSL_VALUES = frozenset(["-d", "--distribution", "-u", "--user", "--cd", "--shell-type", "--distribution-id"])
_WSL_LOOKS = frozenset(
    ["-l", "--list", "-v", "--verbose", "--status", "--version", "--help", "-q", "--quiet", "--running", "--all"]
)


def _linux(call: Call, _usage: Usage) -> Stream | None:
    """Wsl: the words behind its options are a command of a Linux shell."""
    words, looks = list(call.args), False
    while words and words[0].text[:1] in ("-", "~"):
        word = words.pop(0)
        if word.text in _WSL_VALUES:
            words = words[1:]
        elif word.text in ("--", "-e", "--exec", "~"):
            break
        elif word.text not in _WSL_LOOKS:
            call.note("changes-system", word)
            return None
        else:
            looks = True
    if not words:
        if not looks:
            call.note("feeds-interpreter")
        return None
    text = " ".join(quoted(word) if "'" in word.text or " " in word.text else word.text for word in words)
    return call.walker.text(text, words[0], call.state.child()).perhaps()


def _as_user(call: Call, _usage: Usage) -> None:
    call.note("as-another-user")
    words = [word for word in call.args if word.text[:1] not in ("/", "-")]
    for text in _texts(words, call.word)[:1]:
        cmd_text(call, text)


PROGRAMS = Descriptions(
    {
        "cmd cmd.exe": by_hand(_cmd),
        "start start.exe": by_hand(_start),
        "forfiles forfiles.exe": switched("/p:text /m:text /s /c:text /d:text", judge=_each_file),
        "mshta mshta.exe rundll32 rundll32.exe regsvr32 regsvr32.exe wscript wscript.exe cscript cscript.exe "
        "installutil installutil.exe msbuild.exe regasm regasm.exe hh hh.exe": by_hand(_loads),
        "msiexec msiexec.exe": by_hand(_installs),
        "certutil certutil.exe": by_hand(_certificates),
        "bitsadmin bitsadmin.exe": by_hand(_transfers),
        "wsl wsl.exe": by_hand(_linux),
        "runas runas.exe": by_hand(_as_user),
    }
)
