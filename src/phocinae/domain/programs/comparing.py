"""Programs that compare files or sum them up.

Sources: the manuals of GNU diffutils, wdiff and coreutils, diff(1) and md5(1) of BSD, shasum(1), colordiff(1),
zdiff(1), dwdiff(1), and the help of icdiff.
"""

from __future__ import annotations

from .. import places
from ..calls import Call
from ..places import Place
from ..usage import Usage
from ..values import Stream
from .judging import DIGITS, reads, scans
from .outlines import Descriptions, outline

_DIFF = (
    "-a -b -B -c -C:text -d -D:text -e -E -f -F:text -H -i -I:text -L:text -n -N -p -P -q -r -s -S:text -t "
    "-T -u -U:text -v -w -W:text -x:text -X:scan -y -Z --brief --changed-group-format:text "
    "--unchanged-group-format:text --old-group-format:text --new-group-format:text --color?text "
    "--context?text --ed --exclude:text --exclude-from:scan --expand-tabs --forward-ed --from-file:read "
    "--to-file:read --horizon-lines:text --ifdef:text --ignore-all-space --ignore-blank-lines --ignore-case "
    "--ignore-file-name-case --no-ignore-file-name-case --ignore-matching-lines:text --ignore-space-change "
    "--ignore-tab-expansion --ignore-trailing-space --initial-tab --label:text --left-column "
    "--line-format:text --old-line-format:text --new-line-format:text --unchanged-line-format:text --minimal "
    "--new-file --no-dereference --normal --palette:text --rcs --recursive --report-identical-files "
    "--show-c-function --show-function-line:text --side-by-side --speed-large-files --starting-file:text "
    "--strip-trailing-cr --suppress-blank-empty --suppress-common-lines --tabsize:text --text "
    "--unidirectional-new-file --unified?text --width:text "
)
_SDIFF = (
    "-a -b -B -d -E -H -i -I:text -l -o:write -s -t -v -w:text -W -Z --diff-program:program --expand-tabs "
    "--ignore-all-space --ignore-blank-lines --ignore-case --ignore-matching-lines:text "
    "--ignore-space-change --ignore-tab-expansion --ignore-trailing-space --left-column --minimal "
    "--output:write --speed-large-files --strip-trailing-cr --suppress-common-lines --tabsize:text --text "
    "--width:text"
)
_DIFF3 = (
    "-3 -a -A -e -E -i -L:text -m -T -v -x -X --diff-program:program --easy-only --ed --initial-tab "
    "--label:text --merge --overlap-only --show-all --show-overlap --strip-trailing-cr --text"
)
_CMP = (
    "-b -h -i:text -l -n:text -s -v -x -z --print-bytes --ignore-initial:text --verbose --bytes:text --quiet --silent"
)
_SUM = (
    "-a:text -b -c -C:text -d -l:text -p -q -r -s:scan -t -U -w -x -z -0 -1 --algorithm:text --base64 --raw "
    "--untagged --binary --check --debug --ignore-missing --length:text --quiet --status --strict --tag "
    "--text --warn --UNIVERSAL --01 --portable --zero"
)


_WIDE = (Place.HOME, Place.ROOT, Place.WORKING, Place.PARENT)


def _two_files(call: Call, usage: Usage) -> Stream | None:
    reads(call, usage.operands)
    if usage.has("-r", "--recursive") and not usage.has("-q", "--brief"):  # any line of any file may come out
        for field in usage.operands:
            if places.place(field.text, call.state.cwd) in _WIDE:
                call.note("may-read-secret", field)
    for field in usage.operands[2:]:
        if not usage.has("--from-file", "--to-file"):
            call.note("too-many-operands", field)
    return None


_SUMS = outline(_SUM, safe_options=True, judge=scans)

PROGRAMS = Descriptions(
    {
        "diff gdiff": outline(_DIFF + DIGITS, safe_options=True, judge=_two_files),
        "colordiff": outline(_DIFF + "--difftype:text --fakeexitcode " + DIGITS, judge=_two_files),
        "zdiff bzdiff xzdiff": outline(_DIFF, judge=_two_files),
        "sdiff": outline(_SDIFF, "read read"),
        "diff3": outline(_DIFF3, "read read read"),
        "wdiff dwdiff": outline(
            "-1 -2 -3 -c?text -C:text -d -i -I -l -L -n -p -P -s -t -u -w:text -x:text -y:text -z:text --color?text "
            "--ignore-case --no-common --no-deleted --no-inserted --line-numbers?text --statistics --start-delete:text "
            "--end-delete:text --start-insert:text --end-insert:text --less-mode --printer --diff-input",
            "read read",
        ),
        "icdiff": outline(
            "-h -H -N -r -s -t -u -U:text -W -L:text --cols:text --line-numbers --recursive --whole-file --unified:text "
            "--no-headers --no-bold --numlines:text --show-all-spaces --strip-trailing-cr --tabsize:text --label:text",
            "read read",
            judge=_two_files,
        ),
        "cmp gcmp zcmp": outline(_CMP, "read read text text"),
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 sha1 sha256 sha512 "
        "gmd5sum gsha256sum xxhsum xxh64sum crc32": _SUMS,
    }
)
