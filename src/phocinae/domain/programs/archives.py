"""Programs that pack and unpack: listing and printing an archive is harmless, the rest changes files.

Sources: the GNU tar manual, tar(1) of BSD, zip(1), unzip(1), zipinfo(1), gzip(1), bzip2(1), xz(1), zstd(1), lz4(1),
the help of 7z and unrar, ar(1), cpio(1), jar(1).
"""

from __future__ import annotations

import re

from .. import effects, places
from ..calls import Call
from ..knowledge import Role
from ..places import Place
from ..usage import Usage
from ..values import Field, Stream, Taint
from .judging import DIGITS, decoded, distinct, no_lists, reads, scan, unpacks_into, words
from .outlines import Descriptions, only_help, options_apart, outline

_TAR = (
    "-A -c -d -r -t -u -x --catenate --concatenate --create --diff --compare --append --list --update "
    "--extract --get --delete --test-label -f:path --file:path -C:path --directory:path -v --verbose "
    "--verbose?text -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --lzip --lzma --lzop --zstd -Z --compress "
    "-a --auto-compress --no-auto-compress -O --to-stdout -p --preserve-permissions --same-permissions "
    "--no-same-permissions --same-owner --no-same-owner --numeric-owner -k --keep-old-files --skip-old-files "
    "--keep-newer-files --overwrite --overwrite-dir --no-overwrite-dir -m --touch -P --absolute-names -h "
    "--dereference --hard-dereference -l --check-links -S --sparse -o -R --block-number --totals?text --utc "
    "--full-time -w --interactive --confirmation -i --ignore-zeros -b:text --blocking-factor:text -B "
    "--read-full-records --record-size:text --exclude:text --exclude-from:scan -X:scan --exclude-vcs "
    "--exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-all --exclude-tag:text "
    "--exclude-tag-all:text --exclude-ignore:text --exclude-ignore-recursive:text --wildcards --no-wildcards "
    "--wildcards-match-slash --no-wildcards-match-slash --anchored --no-anchored --ignore-case "
    "--no-ignore-case --recursion --no-recursion --strip-components:text --transform:text --xform:text "
    "--show-transformed-names --show-stored-names --show-omitted-dirs --quoting-style:text --occurrence?text "
    "-n --seek --no-seek -N:scan --newer:text --after-date:text --newer-mtime:text --mtime:text --mode:text "
    "--owner:text --group:text --sort:text --format:text -H:scan --one-file-system --no-xattrs --xattrs "
    "--acls --no-acls --selinux --no-selinux --warning:text --force-local -V:scan --label:text "
    "--index-file:write -g:write --listed-incremental:write -G --incremental -W --verify -U --unlink-first "
    "--recursive-unlink --remove-files --backup?text --suffix:text --null --no-null --verbatim-files-from "
    "--checkpoint?text --no-quote-chars:text --level:text -K:scan --starting-file:text -q --fast-read -y "
    "-I:program --use-compress-program:program --to-command:program -F:program --info-script:program "
    "--new-volume-script:program --rsh-command:program --rmt-command:program --checkpoint-action:text "
    "-T:risk --files-from:risk -M --multi-volume -L:scan --tape-length:text "
)
_TAR_ARGUMENTS = "fCbXNHVgKIFTL"
_TAR_PRINTS = ("-t", "--list", "-d", "--diff", "--compare", "--test-label")
_TAR_EXTRACTS = ("-x", "--extract", "--get")
_TAR_HARMS = (
    "--delete",
    "--remove-files",
    "--recursive-unlink",
    "-U",
    "--unlink-first",
    "-M",
    "--multi-volume",
    "-W",
    "--verify",
)
_MOST_FOLDERS = 4
"""Folders that one call of tar changes to and that are followed."""
_REMOTE = re.compile(r"[^/]*[^/\\]:(?!\\)")

_GZIP = (
    "-c -d -f -h -k -l -L -n -N -q -r -S:text -t -v -V --stdout --to-stdout --decompress --uncompress "
    "--force --keep --list --no-name --name --quiet --recursive --suffix:text --test --verbose --fast --best "
    "--synchronous --rsyncable "
)
_XZ = (
    "-z -d -t -l -k -f -c -S:text -F:text -C:text -T:text -e -q -Q -v -h -H -V -M:text -s -L --compress "
    "--decompress --uncompress --test --list --keep --force --stdout --to-stdout --single-stream --no-sparse "
    "--suffix:text --format:text --check:text --threads:text --extreme --fast --best --quiet --verbose "
    "--no-warn --robot --small --repetitive-best --repetitive-fast --memlimit:text --memory:text "
    "--lzma2?text "
)
_ZSTD = (
    "-d -z -t -l -c -k -f -q -v -V -h -H -r -M?text -D:scan -T?text -o:write -C --decompress --uncompress "
    "--compress --test --list --stdout --keep --force --quiet --verbose --rm --ultra --long?text --fast?text "
    "--adapt --no-check --check --threads:text --single-thread --format:text --no-progress --progress "
    "--sparse --no-sparse --memory:text --no-dictID -m "
)
_UNPACKERS = frozenset("gunzip uncompress bunzip2 unxz unlzma unzstd unlz4 lunzip".split())
_LISTS = ("-l", "-t", "--list", "--test")
_TO_OUTPUT = ("-c", "--stdout", "--to-stdout")

_UNZIP = (
    "-l -v -t -p -c -z -Z -a -aa -b -C -f -j -L -n -o -q -qq -u -U -V -X -K -M -1 -2 -s -m -h -T -P:text -x "
    "-d:text -O:text -I:text -W "
)
_UNZIP_PRINTS = frozenset(["-l", "-v", "-t", "-p", "-c", "-z", "-Z"])
_SEVEN_LISTS = frozenset(["l", "t", "i", "b"])


def _bundled(call: Call) -> list[Field]:
    """Return the words of tar with its old options, which stand without a hyphen, written as new ones.

    Rule: GNU tar manual, "Old Option Style": the arguments follow in the order of the letters.
    """
    first = call.args[0]
    if first.text.startswith("-") or first.static is None:
        return call.args
    rest = call.args[1:]
    front: list[Field] = []
    for letter in first.text:
        front.append(first.with_text("-" + letter))
        if letter in _TAR_ARGUMENTS and rest:
            front.append(rest.pop(0))
    return front + rest


def _tar(call: Call, _usage: Usage) -> Stream | None:
    return call.described(_TAR_WORDS(), _bundled(call)) if call.args else None


def _tar_words(call: Call, usage: Usage) -> Stream | None:
    archives = usage.values("-f", "--file")
    options_apart(call, usage)
    if only_help(usage):
        return None
    for action in usage.values("--checkpoint-action"):
        kind, _, command = action.text.partition("=")
        if kind == "exec":
            call.note("names-program", action)
            call.shell(action.with_text(command))
        elif action.unknown:
            call.note("unclear-word", action)
    for archive in archives if not usage.has("--force-local") else ():
        _elsewhere(call, archive)
    if usage.has(*_TAR_HARMS):
        call.note("changes-files")
    if usage.has("--remove-files"):
        for member in distinct(usage.operands):
            effects.delete(call.walker, member, call.state, recursive=True)
    if usage.has(*_TAR_PRINTS):
        for archive in archives:
            scan(call, archive)
        return None
    if usage.has(*_TAR_EXTRACTS):
        return _extract(call, usage, archives)
    return _create(call, usage, archives)


def _elsewhere(call: Call, archive: Field) -> None:
    """Weigh that a colon before the first slash of an archive's name stands behind that of a machine."""
    if _REMOTE.match(archive.text) or archive.unknown:
        call.note("uses-network", archive)
    elif archive.with_text(archive.text.partition("/")[0]).globbed:
        call.note("not-harmless", archive)


def _extract(call: Call, usage: Usage, archives: list[Field]) -> Stream | None:
    reads(call, archives)
    if usage.has("-O", "--to-stdout"):
        reads(call, usage.operands)
        return decoded(call)
    unpacks_into(call, usage.values("-C", "--directory"))
    if usage.has("-P", "--absolute-names"):
        call.note("not-harmless")
    return None


def _create(call: Call, usage: Usage, archives: list[Field]) -> Stream | None:
    """Weigh that an archive is made; it holds what its members hold."""
    folders = distinct(usage.values("-C", "--directory"))
    if len(folders) > _MOST_FOLDERS:
        call.note("not-harmless", folders[-1])
    secret = Taint.NONE
    for member in distinct(usage.operands):
        scan(call, member)
        for folder in folders[:_MOST_FOLDERS]:
            scan(call, member.with_text(f"{folder.text}/{member.text}"))
        secret |= call.taint & Taint.SECRET
        place = places.place(member.text, call.state.cwd)
        if place in (Place.HOME, Place.ROOT):
            call.taint |= Taint.SECRET
        if place in (Place.HOME, Place.ROOT, Place.WORKING, Place.PARENT) or member.unknown:
            call.note("may-read-secret", member)
    for archive in archives:
        call.take(Role.WRITE, archive)
        call.wrote(archive, Stream(None, secret))
    if not usage.has("-c", "--create") or not archives:
        call.note("changes-files")
    return None


def _packs(call: Call, usage: Usage) -> Stream | None:
    """Judge gzip and its like: each file is replaced, unless the output goes elsewhere."""
    unpacks = call.name in _UNPACKERS or usage.has("-d", "--decompress", "--uncompress")
    if usage.has(*_LISTS) and not (call.name in ("lz4", "unlz4") and usage.has("-l")):  # lz4 packs with that letter
        for field in usage.operands:
            scan(call, field)
        return None
    if usage.has("--rm"):
        call.note("changes-files")
    if usage.operands and not usage.has(*_TO_OUTPUT) and not usage.has("-o"):
        for field in usage.operands:
            call.take(Role.WRITE, field)
        return None
    reads(call, usage.operands)
    if usage.has("-r", "--recursive"):  # all that is in a folder comes out
        for field in usage.operands:
            call.note("may-read-secret", field)
    return decoded(call) if unpacks or usage.operands else Stream(None, call.taint)


def _unzip(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[:1]:
        call.take(Role.READ, field)
    if usage.has("-T") and not usage.has("-Z"):  # sets the time of the archive
        call.note("changes-files")
    if not usage.names.isdisjoint(_UNZIP_PRINTS):
        if not usage.has("-p", "-c"):
            return None
        reads(call, usage.operands[1:])
        return decoded(call)
    unpacks_into(call, usage.values("-d"))
    return None


def _zip(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[1:]:
        scan(call, field)
        if usage.has("-m", "--move"):
            effects.delete(call.walker, field, call.state, recursive=True)
    for field in usage.operands[:1]:
        call.take(Role.WRITE, field)
        call.wrote(field, Stream(None, call.taint & Taint.SECRET))
    if not usage.operands or usage.operands[0].text == "-":
        call.note("changes-files")
    return None


def _seven(call: Call, usage: Usage) -> Stream | None:
    """Judge 7z and unrar, whose first word is a command and whose switches take their values attached."""
    command = usage.operands[0].text if usage.operands else ""
    files = usage.operands[1:]
    if command in _SEVEN_LISTS or (
        call.name in ("unrar", "rar") and command in ("l", "lb", "lt", "v", "vb", "vt", "t", "p")
    ):
        reads(call, files)
        return None
    if command:
        call.note("changes-files")
        for field in files:
            scan(call, field)
        for archive in files[:1]:
            call.wrote(archive, Stream(None, call.taint & Taint.SECRET))
    if command in ("x", "e"):
        folders = [word.with_text(word.text[2:]) for word in call.args if re.match(r"-o.", word.text)]
        unpacks_into(call, folders + [field for field in files[1:] if field.text.endswith("/")])
    return None


def _ar(call: Call, usage: Usage) -> Stream | None:
    no_lists(call, usage)
    letters = usage.operands[0].text.lstrip("-") if usage.operands else ""
    if letters[:1] in ("t", "p") and letters.isalpha():
        reads(call, usage.operands[1:] if letters[0] == "p" else usage.operands[1:2])
        return None
    for field in usage.operands[1:2]:
        call.take(Role.WRITE, field)
    return None


def _cpio(call: Call, usage: Usage) -> Stream | None:
    for archive in usage.values("-F", "--file", "-I", "-O"):
        _elsewhere(call, archive)
    if not usage.has("-t", "--list"):
        call.note("changes-files")
        if usage.has("-o", "--create"):  # the names of what is packed come in
            scan(call, Field(call.stdin.item, call.word.start, call.word.end))
        if usage.has("-i", "--extract"):
            unpacks_into(call, usage.values("-D", "--directory"))
    return None


def _jar(call: Call, usage: Usage) -> Stream | None:
    no_lists(call, usage)
    first = usage.operands[0].text if usage.operands else ""
    if usage.has("-t", "--list") or (first.startswith("t") and set(first) <= set("tvf0")):
        reads(call, usage.operands if usage.has("-t", "--list") else usage.operands[1:])
        return None
    call.note("changes-files")
    return None


_TAR_WORDS = outline(_TAR, judge=_tar_words)
_CPIO = (
    "-t -i -o -p -v -V -d -m -u -c -B -a -0 -L -n -H:text -F:path -I:scan -O:write -E:scan -R:text -D:path --directory:path --list "
    "--extract --create --pass-through --quiet --verbose --make-directories --preserve-modification-time "
    "--unconditional --null --format:text --file:path --to-stdout --no-absolute-filenames --dereference"
)
_ZIP = (
    "-r -R -q -v -9 -0 -1 -2 -3 -4 -5 -6 -7 -8 -j -m -u -f -d -g -e -y -X -D -l -T -i:text -x:text -P:text "
    "-b:path -n:text -s:text -t:text -sf -sd -FS -TT:program -O:write --test --recurse-paths --junk-paths --move "
    "--exclude:text --include:text --show-files --unzip-command:program --out:write"
)

PROGRAMS = Descriptions(
    {
        "tar gtar bsdtar": lambda: words(_tar),
        "gzip gunzip bzip2 bunzip2 pigz lzip lunzip uncompress compress": outline(
            _GZIP + DIGITS + "-s -z --compress --small -b:text -p:text", judge=_packs
        ),
        "xz unxz lzma unlzma": outline(_XZ + DIGITS, judge=_packs),
        "zstd unzstd lz4 unlz4": outline(_ZSTD + DIGITS, judge=_packs),
        "unzip": outline(_UNZIP, judge=_unzip),
        "zipinfo": outline("-1 -2 -s -m -l -v -h -M -t -T -z -C -U -x:text", "read text*"),
        "zip": outline(_ZIP, judge=_zip),
        "7z 7za 7zr 7zz": outline("-ba -slt -r -y -bd -scsUTF-8", judge=_seven),
        "unrar rar": outline("-v -y -c- -p- -idq", judge=_seven),
        "lsar": outline("-l -L -t -j -e:text -p:text", "read text*"),
        "ar": outline("-t -p -v -X32_64", judge=_ar),
        "cpio": outline(_CPIO, judge=_cpio),
        "jar": outline("-t -f:scan -v --list --file:scan --verbose", judge=_jar),
    }
)
