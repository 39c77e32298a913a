"""Programs that are there to send files and text: mail, FTP, paste and drop services, stores of objects, HTTP clients.

Sources: mail(1), mutt(1), sendmail(8), swaks(1), ftp(1), tftp(1), lftp(1), the manuals of rclone, s3cmd, mc and
gsutil, httpie.io (HTTPie), magic-wormhole, croc, pastebinit(1), websocat, grpcurl.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import NO_STREAM, Stream, Taint
from . import sending
from .outlines import Descriptions, Judge, Outline, only_help, outline


def _mail(call: Call, usage: Usage) -> Stream:
    call.note("uses-network")
    for field in usage.values("-a", "-A", "--attach"):
        call.send(field)
    sending.words(call, call.args)
    sending.from_stdin(call)
    return NO_STREAM


def _swaks(call: Call, usage: Usage) -> Stream:
    """An argument that starts with an at sign names a file, and so may that of an attachment (swaks(1))."""
    call.note("uses-network")
    sending.words(call, call.args)
    for word in call.args:
        sending.file(call, word.with_text(word.text.removeprefix("@")))
    return NO_STREAM


def _ftp(call: Call, usage: Usage) -> Stream:
    """Commands come in by standard input, behind an option, or stand in the words as for tftp."""
    call.note("uses-network")
    sending.words(call, call.args)
    for word in call.args:
        sending.script(call, word, word.text)
    sending.script(call, call.word, " ".join(word.text for word in call.args).replace("-c ", "\n"))
    if call.stdin.text:
        sending.script(call, call.word, call.stdin.text)
    if any(word.text in ("-u", "--upload") for word in call.args) or call.name == "ncftpput":
        for word in call.args:
            call.send(word)
    return Stream(None, Taint.REMOTE)


_ITEM = re.compile(r"[\w.\[\]-]*(?::?=)?@(.+)", re.S)
_FLAGS_SIGNING_IN = ("-a", "--auth")


def _http(call: Call, usage: Usage) -> Stream:
    """Judge HTTPie: items behind the address are fields, headers, and files behind an at sign."""
    call.note("uses-network")
    if len(call.args) == 1 and call.args[0].text in ("--version", "--help"):
        return NO_STREAM
    addresses = [word for word in call.args if sending.is_near(word) or word.text.startswith(":")]
    for before, word in zip([None, *call.args], call.args, strict=False):
        match = _ITEM.match(word.text)
        if match is not None and "://" not in word.text:
            file = word.with_text(match[1])
            call.read(file, prints=False) if addresses else sending.file(call, file)
        elif not addresses and (before is None or before.text not in _FLAGS_SIGNING_IN):
            sending.headers(call, [word])
    if not addresses:
        sending.from_stdin(call)
    return Stream(None, Taint.REMOTE)


def _drops(*commands: str) -> Judge:
    """Return a judge for a program whose operands are files to send, behind one of `commands` if there are any."""

    def judge(call: Call, usage: Usage) -> Stream:
        call.note("uses-network")
        sending.words(call, call.args)
        sending.from_stdin(call)
        given = [word for word in call.args if word.text[:1] != "-" or word.text == "-"]
        if not commands or (given and given[0].text in commands):
            for word in given:
                sending.file(call, word)
        return Stream(None, Taint.REMOTE)

    return judge


_STORE = re.compile(r"(?:s3|gs|az|https?)://")
_RCLONE_REMOTE = re.compile(r":|[\w.+@-][\w.+@ -]*:")


def _stores(distant: re.Pattern[str]) -> Judge:
    """Return a judge for a program that copies between this machine and a store of objects."""

    def judge(call: Call, usage: Usage) -> Stream:
        alone = [word.text for word in call.args]
        if alone in (["version"], ["--version"]) or only_help(usage):
            return NO_STREAM
        call.note("uses-cloud")
        sending.copies(call, call.args, distant)
        if any(text in ("rcat", "-", "pipe") for text in alone):
            sending.from_stdin(call)
        return Stream(None, Taint.REMOTE)

    return judge


def _minio(call: Call, usage: Usage) -> Stream:
    """Judge the client of MinIO, whose stores have names like folders."""
    call.note("uses-cloud")
    if call.args and call.args[0].text in ("cp", "mv", "mirror", "put"):
        for word in call.args[1:-1]:
            sending.file(call, word)
    sending.from_stdin(call)
    return Stream(None, Taint.REMOTE)


def _tells(judge: Judge) -> Outline:
    """Return an outline of a program whose judge reads all of its words."""
    return outline("", "text*", style=Style.NONE, judge=judge)


PROGRAMS = Descriptions(
    {
        "mail mailx mutt sendmail msmtp": outline(
            "-s:text -a:text -A:text --attach:text -c:text -b:text -r:text -t -i -v -f:text", "text*", judge=_mail
        ),
        "swaks": _tells(_swaks),
        "ftp tftp lftp ncftpput": _tells(_ftp),
        "http https xh xhs httpie": _tells(_http),
        "wormhole magic-wormhole": _tells(_drops("send", "tx")),
        "ffsend": _tells(_drops("upload", "u", "up")),
        "croc transfer pastebinit wgetpaste gist": _tells(_drops()),
        "websocat grpcurl": _tells(_drops("")),
        "rclone": _tells(_stores(_RCLONE_REMOTE)),
        "gsutil s3cmd": _tells(_stores(_STORE)),
        "mc": _tells(_minio),
    }
)
