"""Programs that copy, move, link, create and cut files: never harmless, and denied in places of the system.

Sources: the GNU coreutils manual (cp, mv, ln, install, mkdir, touch, truncate, mktemp, split, csplit), their manual
pages of BSD, patch(1), rename(1), sponge(1), dos2unix(1), ditto(1).
"""

from __future__ import annotations

import re

from .. import effects, places
from ..calls import Call
from ..knowledge import Role
from ..places import Place
from ..usage import Usage
from ..values import HOLE, Field, Stream, Taint
from .judging import DIGITS, distinct, scan, unpacks_into
from .outlines import Descriptions, does, outline

_CP = (
    "-a -b -c -d -f -H -i -l -L -n -N -p -P -r -R -s -S:text -t:path -T -u -v -x -X -Z --archive "
    "--attributes-only --backup?text --copy-contents --context?text --debug --dereference --exchange --force "
    "--interactive --keep-directory-symlink --link --no-clobber --no-copy --no-dereference "
    "--no-preserve:text --no-target-directory --one-file-system --parents --preserve?text --recursive "
    "--reflink?text --remove-destination --sparse:text --strip-trailing-slashes --suffix:text "
    "--symbolic-link --target-directory:path --update?text --verbose "
)
_LN = (
    "-b -d -f -F -h -i -L -n -P -r -s -S:text -t:path -T -v -w --backup?text --directory --force "
    "--interactive --logical --no-dereference --no-target-directory --physical --relative --suffix:text "
    "--symbolic --target-directory:path --verbose "
)
_INSTALL = (
    "-b -B:text -c -C -d -D -f:text -g:text -m:text -M -o:text -p -s -S -t:path -T -U -v -Z --backup?text "
    "--compare --directory --group:text --mode:text --owner:text --preserve-timestamps --strip "
    "--strip-program:program --suffix:text --target-directory:path --no-target-directory --verbose "
    "--context?text "
)
_SPLIT = (
    "-a:text -b:text -C:text -d -e -l:text -n:text -p:text -t:text -u -x --suffix-length:text "
    "--additional-suffix:text --bytes:text --line-bytes:text --numeric-suffixes?text --hex-suffixes?text "
    "--elide-empty-files --filter:shell --lines:text --number:text --separator:text --unbuffered --verbose "
)
_PATCH = (
    "-b -B:text -c -d:path -D:text -e -E -f -F:text -g:text -i:scan -l -n -N -o:write -p:text -r:write -R -s "
    "-t -T -u -v -V:text -x:text -Y:text -z:text -Z --backup --binary --context --directory:path --dry-run "
    "--ed --force --forward --fuzz:text --ignore-whitespace --input:scan --merge?text --normal "
    "--output:write --posix --quiet --quoting-style:text --reject-file:write --reject-format:text --reverse "
    "--silent --strip:text --unified --verbose --follow-symlinks "
)
_SYSTEM_PROGRAM = re.compile(r"(?:/usr(?:/local)?)?/s?bin/[\w.+-]+\Z")
_SETS_ID = re.compile(r"0*[2-7][0-7]{3}\Z|.*[ug+=,][rwxX]*s")
_FOLDERS = (Place.HOME, Place.WORKING, Place.PARENT)


def _inside(folder: Field, source: Field) -> Field:
    """Return the path that a source gets when it is put into a folder."""
    name = source.text.rstrip("/").rpartition("/")[2]
    if source.globbed or name in ("", ".", ".."):
        name = HOLE
    return folder.with_text(f"{folder.text.rstrip('/')}/{name}")


def _lands(call: Call, target: Field, sources: list[Field], *, folder: bool) -> None:
    """Weigh that sources are written to a target, which is a folder if `folder` says so or the path shows it."""
    kind = places.place(target.text, call.state.cwd)
    paths = [_inside(target, source) for source in sources]
    folder = folder or target.text.endswith("/") or len(sources) > 1 or kind in _FOLDERS
    if kind is Place.ROOT or not paths:
        call.take(Role.WRITE, target)
    elif folder or (kind is Place.SYSTEM and places.place(paths[0].text, call.state.cwd) is Place.ORDINARY):
        for path in paths:
            call.take(Role.WRITE, path)
    else:
        call.take(Role.WRITE, target)
        for path in paths:
            full = places.resolve(path.text, call.state.cwd)
            if places.is_startup(full) or effects.of_gate(call.walker, full):
                call.take(Role.WRITE, path)


def _split_operands(call: Call, usage: Usage) -> tuple[list[Field], Field | None, bool]:
    """Return sources and target, and whether the target is named by an option, which makes it a folder."""
    operands = list(usage.operands)
    target = operands[-1:]
    operands = [*distinct(operands[:-1]), *target]
    named = usage.values("-t", "--target-directory")
    if named:
        return operands, named[-1], True
    if len(operands) < 2:
        return operands, None, False
    return operands[:-1], operands[-1], False


def _cp(call: Call, usage: Usage) -> Stream | None:
    sources, target, folder = _split_operands(call, usage)
    if target is not None:
        _lands(call, target, sources, folder=folder)
    _carries(call, sources, target)
    call.note("changes-files")
    return None


def _carries(call: Call, sources: list[Field], target: Field | None) -> None:
    """Weigh that sources are read; remember that what is in one is then in the target, or in a file below it.

    Of that is known what the text has written there, and whether it is a secret.
    """
    for source in sources:
        known = [Stream(f'{source.text} "$@"')] if _SYSTEM_PROGRAM.match(source.text) else call.contents(source)
        before, call.taint = call.taint, Taint.NONE
        scan(call, source)
        if call.taint & Taint.SECRET:
            known = [*known, Stream(None, Taint.SECRET)]
        call.taint |= before
        for place in () if target is None else (target, _inside(target, source)):
            for content in known:
                call.wrote(place, content)


def _mv(call: Call, usage: Usage) -> Stream | None:
    sources, target, _ = _split_operands(call, usage)
    lost = target is not None and target.text == "/dev/null"
    for source in sources:
        full = places.resolve(source.text, call.state.cwd)
        kind = places.place(source.text, call.state.cwd)
        whole = kind in (Place.ROOT, Place.HOME) or effects.holds_gate(call.walker, full)
        effects.delete(call.walker, source, call.state, recursive=lost or whole)
    return _cp(call, usage)


def _ln(call: Call, usage: Usage) -> Stream | None:
    sources, target, folder = _split_operands(call, usage)
    if target is None and sources:
        sources, target, folder = sources, sources[0].with_text("."), True
    if target is not None:
        _lands(call, target, sources, folder=folder)
    _carries(call, sources, target)
    call.note("changes-files")
    return None


def _install(call: Call, usage: Usage) -> Stream | None:
    for mode in usage.values("-m", "--mode"):
        if _SETS_ID.match(mode.text):
            call.note("sets-uid", usage.operands[-1] if usage.operands else mode)
    if usage.has("-d", "--directory"):
        call.note("changes-files")
        return None
    return _cp(call, usage)


def _touch(call: Call, usage: Usage) -> Stream | None:
    """Weigh new and touched files: what is in them stays, so that only places of the system are out of bounds."""
    for field in usage.operands:
        if places.is_startup(places.resolve(field.text, call.state.cwd)):
            call.note("changes-files")
        else:
            call.take(Role.WRITE, field)
    if not usage.operands:
        call.note("changes-files")
    return None


def _renames(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-files")
    for field in usage.operands[1:]:
        effects.delete(call.walker, field, call.state, recursive=False)
    return None


def _pieces(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[:1]:
        scan(call, field)
    prefix = usage.operands[1:2] if call.name.endswith("csplit") is False else usage.values("-f", "--prefix")
    for field in prefix:
        call.take(Role.WRITE, field.with_text(field.text + HOLE))
    call.note("changes-files")
    return None


def _writes(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        call.take(Role.WRITE, field)
        if call.name == "sponge":
            call.wrote(field, call.stdin)
    call.note("changes-files")
    return None


def _patch(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[:1]:
        call.take(Role.WRITE, field)
    unpacks_into(call, usage.values("-d", "--directory"))
    return None


def _mktemp(call: Call, usage: Usage) -> Stream | None:
    """Print a name of which enough is known to tell it from others."""
    call.note("changes-files")
    return Stream(f"/tmp/tmp.{HOLE}{call.word.start}\n", call.taint)


_CHANGES = does("changes-files")


def _pipes(call: Call, usage: Usage) -> Stream | None:
    """Make named pipes: what comes out of one is what another command puts in, perhaps a later one of the text."""
    call.note("changes-files")
    for word in usage.operands[:1] if call.name == "mknod" else usage.operands:
        effects.write(call.walker, word, call.state)
        call.wrote(word, Stream(None, Taint.PIPE))
    return None


PROGRAMS = Descriptions(
    {
        "cp gcp ditto": outline(_CP, judge=_cp),
        "mv gmv": outline(_CP, judge=_mv),
        "ln gln": outline(_LN, judge=_ln),
        "link": outline("", judge=_ln),
        "install ginstall": outline(_INSTALL, judge=_install),
        "mkdir gmkdir": outline(
            "-m:text -p -v -Z --context?text --mode:text --parents --verbose", "path*", judge=_CHANGES
        ),
        "mkfifo mknod": outline("-m:text -Z --context?text --mode:text", judge=_pipes),
        "touch gtouch": outline(
            "-a -A:text -c -d:text -f -h -m -r:path -t:text --no-create --date:text --no-dereference "
            "--reference:path --time:text",
            judge=_touch,
        ),
        "truncate gtruncate fallocate": outline(
            "-c -o -r:path -s:text -l:text -n -d -z -v --no-create --io-blocks --reference:path --size:text "
            "--length:text",
            judge=_writes,
        ),
        "mktemp gmktemp": outline(
            "-d -p:path -q -t -u --directory --dry-run --quiet --suffix:text --tmpdir?path", "text*", judge=_mktemp
        ),
        "split gsplit": outline(_SPLIT + DIGITS, judge=_pieces),
        "csplit gcsplit": outline(
            "-b:text -f:text -k -n:text -q -s -z --suffix-format:text --prefix:text --keep-files "
            "--suppress-matched --digits:text --quiet --silent --elide-empty-files",
            judge=_pieces,
        ),
        "patch": outline(_PATCH + DIGITS, judge=_patch),
        "sponge": outline("-a", judge=_writes),
        "rename prename": outline("-d -e:text -E:text -f -i -l -n -o -p -s -v -V", "text path*", judge=_renames),
        "dos2unix unix2dos mac2unix unix2mac": outline("-k -o -n -q -f -b -c:text -l -m -r -s -u -v -e", judge=_writes),
    }
)
