"""Filters that sort, cut, join, count and convert text.

Sources: the GNU coreutils manual, the manual pages of BSD for the same names, column(1), iconv(1),
look(1), col(1), uudecode(1), rev(1).
"""

from __future__ import annotations

from .. import secrets
from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import HOLE, NUMBER, SPLIT, Stream, Taint
from .judging import DIGITS, copied, decoded, distinct, moved, reads, rearranged, scan, selected
from .outlines import Descriptions, outline

_SORT = (
    "-b -c -C -d -f -g -h -H -i -k:text -m -M -n -o:write -r -R -s -S:text -t:text -T:risk -u -V -z "
    "--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting "
    "--month-sort --human-numeric-sort --numeric-sort --random-sort --random-source:scan --reverse "
    "--sort:text --version-sort --batch-size:text --check?text --compress-program:program --debug "
    "--files0-from:read --key:text --merge --output:write --stable --buffer-size:text --field-separator:text "
    "--temporary-directory:risk --parallel:text --unique --zero-terminated --mmap --qsort --mergesort "
    "--heapsort --radixsort"
)
_UNIQ = (
    "-c -d -D -f:text -i -s:text -u -w:text -z --count --repeated --all-repeated?text --group?text "
    "--skip-fields:text --ignore-case --skip-chars:text --unique --zero-terminated --check-chars:text "
)
_CUT = (
    "-b:text -c:text -d:text -f:text -n -s -w -z --bytes:text --characters:text --delimiter:text "
    "--fields:text --complement --only-delimited --output-delimiter:text --zero-terminated"
)
_JOIN = (
    "-a:text -e:text -i -j:text -o:text -t:text -v:text -1:text -2:text -z --check-order --nocheck-order "
    "--header --ignore-case --zero-terminated"
)
_COLUMN = (
    "-c:text -C:text -d -e -E:text -H:text -i:text -J -l:text -L -m -n:read -N:text -o:text -O:text -p:text "
    "-r:text -R:text -s:text -S:text -t -T:text -W:text -x --json --output-width:text --fillrows --table "
    "--table-name:text --table-columns:text --table-columns-limit:text --table-column:text "
    "--table-noextreme:text --table-noheadings --table-order:text --table-hide:text --table-right:text "
    "--table-truncate:text --table-wrap:text --table-maxout --table-empty-lines --keep-empty-lines "
    "--output-separator:text --separator:text --tree:text --tree-id:text --tree-parent:text"
)
_PR = (
    "-a -c -d -D:text -e?text -f -F -h:text -i?text -J -l:text -L:text -m -n?text -N:text -o:text -p -r "
    "-s?text -S?text -t -T -v -w:text -W:text --across --columns:text --date-format:text --double-space "
    "--expand-tabs?text --form-feed --header:text --indent:text --join-lines --length:text --merge "
    "--no-file-warnings --number-lines?text --omit-header --omit-pagination --pages:text --separator?text "
    "--show-control-chars --width:text --page-width:text "
)
_NUMFMT = (
    "-d:text -z --debug --delimiter:text --field:text --format:text --from:text --from-unit:text --grouping "
    "--header?text --invalid:text --padding:text --round:text --suffix:text --to:text --to-unit:text "
    "--zero-terminated "
)
_BASE = (
    "-d -D -i -w:text -b:text -o:write -h --decode --ignore-garbage --wrap:text --break:text --input:read "
    "--output:write --base64 --base64url --base58 --base32 --base32hex --base16 --base2msbf --base2lsbf --z85"
)
_ICONV = (
    "-c -f:text -l -o:write -s -t:text --from-code:text --list --output:write --silent --to-code:text "
    "--verbose --unicode-subst:text --byte-subst:text --widechar-subst:text"
)
_WC = "-c -l -L -m -w -h --libxo --bytes --chars --files0-from:read --lines --max-line-length --words --total:text"


def _sort(call: Call, usage: Usage) -> Stream | None:
    for names in usage.values("--files0-from"):  # holds the names of the files that are printed
        call.note("may-read-secret", names)
    return None if usage.has("-o", "--output", "-c", "-C", "--check") else moved(call, usage)


def _uniq(call: Call, usage: Usage) -> Stream | None:
    return rearranged(call, usage) if usage.has("-c", "--count", "--group") else moved(call, usage)


def _shuf(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-e", "--echo"):
        return None
    reads(call, usage.operands)
    return selected(call, usage) if not usage.has("-i", "--input-range") else None


def _wc(call: Call, usage: Usage) -> Stream | None:
    """Return a number where one thing is counted in the input.

    The worst option prints the lines of a file that it names, and so does no more than a program that prints files.
    """
    for word in usage.unclear:
        if SPLIT in word.text or (word.text[:1] == HOLE and not secrets.ends_harmlessly(word.text)):
            call.note("unclear-word", word)
    for field in distinct(usage.operands):
        scan(call, field)
    if not usage.operands and len(usage.names) == 1 and usage.has(*_COUNTS):
        return Stream(NUMBER + "\n", call.taint & ~(Taint.SECRET | Taint.PRIVATE), NUMBER)
    return None


_COUNTS = ("-c", "-l", "-m", "-w", "-L", "--bytes", "--chars", "--lines", "--words", "--max-line-length")


def _tr(call: Call, usage: Usage) -> Stream:
    """Return the output of tr; taking carriage returns away is no rewriting."""
    if (
        call.stdin.text is None
        and usage.names <= {"-d", "--delete"}
        and [field.text for field in usage.operands] in (["\\r"], ["\\015"])
    ):
        return Stream(None, call.taint, call.stdin.item)
    return decoded(call)


def _tee(call: Call, usage: Usage) -> Stream | None:
    """A hyphen names a file of that name to some, and standard output to others (POSIX XCU tee)."""
    for field in usage.operands:
        call.wrote(field, call.stdin)
        if field.text == "-":
            call.note("writes-file", field)
    return Stream(call.stdin.text, call.taint, call.stdin.item)


def _seq(call: Call, usage: Usage) -> Stream | None:
    plain = not usage.names - {"-w"} and all(field.text.isdigit() for field in usage.operands)
    return Stream(None, call.taint, "1") if plain else None


def _yes(call: Call, usage: Usage) -> Stream | None:
    text = " ".join(field.text for field in usage.operands) or "y"
    known = HOLE not in text and SPLIT not in text
    return Stream(text + "\n", call.taint, text).perhaps() if known else Stream(None, call.taint)  # without end


def _uudecode(call: Call, usage: Usage) -> Stream:
    if not usage.has("-p", "-o", "--output-file"):
        call.note("changes-files")
    return decoded(call)


_BASES = outline(_BASE, "read", judge=decoded)

PROGRAMS = Descriptions(
    {
        "sort gsort": outline(_SORT, "read*", judge=_sort),
        "uniq guniq": outline(_UNIQ + DIGITS, "read write", style=Style.POSIX, safe_options=True, judge=_uniq),
        "cut gcut": outline(_CUT, "read*", safe_options=True, judge=rearranged),
        "tr gtr": outline(
            "-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1",
            "text text",
            style=Style.POSIX,
            safe_options=True,
            judge=_tr,
        ),
        "paste": outline(
            "-d:text -s -z --delimiters:text --serial --zero-terminated", "read*", safe_options=True, judge=rearranged
        ),
        "join": outline(_JOIN, "read read", safe_options=True, judge=rearranged),
        "comm": outline(
            "-1 -2 -3 -f -i -z --check-order --nocheck-order --output-delimiter:text --total --zero-terminated",
            "read read",
            safe_options=True,
        ),
        "column": outline(_COLUMN, "read*", safe_options=True, judge=rearranged),
        "fold gfold": outline(
            "-b -c -s -w:text --bytes --characters --spaces --width:text " + DIGITS,
            "read*",
            safe_options=True,
            judge=rearranged,
        ),
        "fmt": outline(
            "-c -d:read -g:text -l:read -m -n -p:read -s -t:read -u -w:text --crown-margin --prefix:text "
            "--split-only --tagged-paragraph --uniform-spacing --width:text --goal:text " + DIGITS,
            "read*",
            judge=rearranged,
        ),
        "expand unexpand": outline(
            "-a -i -t:text --all --first-only --initial --tabs:text " + DIGITS,
            "read*",
            safe_options=True,
            judge=rearranged,
        ),
        "rev": outline("-0 --zero", "read*", safe_options=True, judge=decoded),
        "shuf gshuf": outline(
            "-e -i:text -n:text -o:write -r -z --echo --input-range:text --head-count:text --output:write "
            "--random-source:scan --repeat --zero-terminated",
            judge=_shuf,
        ),
        "datamash gdatamash": outline(
            "-f -g:text -H -i -s -t:text -W -z -C -R:text -c:text --full --group:text --header-in --header-out --headers "
            "--ignore-case --sort --field-separator:text --whitespace --narm --round:text --format:text --filler:text "
            "--output-delimiter:text --no-strict --skip-comments --zero-terminated",
            "text*",
            judge=rearranged,
        ),
        "wc gwc": outline(_WC, safe_options=True, judge=_wc),
        "tee gtee": outline("-a -i -p --append --ignore-interrupts --output-error?text", "write*", judge=_tee),
        "look": outline("-a -b -d -f -t:text --alternative --alphanum --ignore-case --terminate:text", "text read"),
        "seq gseq": outline(
            "-f:text -s:text -t:text -w --equal-width --format:text --separator:text " + DIGITS,
            "text text text",
            style=Style.POSIX,
            safe_options=True,
            judge=_seq,
        ),
        "yes": outline("", "text*", style=Style.POSIX, safe_options=True, judge=_yes),
        "factor gfactor": outline("-h --exponents", "text*"),
        "numfmt gnumfmt": outline(_NUMFMT + DIGITS, "text*"),
        "pr": outline(_PR + DIGITS, "read*", safe_options=True, judge=rearranged),
        "base64 gbase64 base32 basenc": _BASES,
        "iconv": outline(_ICONV, "read*", judge=decoded),
        "col": outline(
            "-b -f -h -l:text -p -x --no-backspaces --fine --spaces --tabs --pass --lines:text", judge=copied
        ),
        "colrm": outline("", "text text", judge=rearranged),
        "tsort": outline("-q -l -w", "read", judge=rearranged),
        "uudecode": outline("-c -i -m -p -r -s -o:write --output-file:write", "read*", judge=_uudecode),
        "rot13": outline("", "text*", judge=decoded),
    }
)
