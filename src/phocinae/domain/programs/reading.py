"""Programs that print what is in files, as it is or as a dump.

Sources: the GNU coreutils manual (cat, tac, nl, head, tail, od), their manual pages of BSD, less(1),
more(1), bat(1), strings(1), xxd(1), hexdump(1), gzip(1), xz(1), zstd(1), and the manual pages
of zless and its like.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Stream
from .judging import DIGITS, copied, decoded, moved, no_lists, obsolete, reads, rearranged, selected, unclear
from .outlines import Descriptions, outline

_CAT = (
    "-A -b -e -E -l -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs "
    "--show-nonprinting"
)
_HEAD = "-c:text -n:text -q -v -z --bytes:text --lines:text --quiet --silent --verbose --zero-terminated "
_TAIL = (
    "-b:text -c:text -f -F -n:text -q -r -s:text -v -z --bytes:text --follow?text --lines:text "
    "--max-unchanged-stats:text "
    "--pid:text --quiet --silent --retry --sleep-interval:text --verbose --zero-terminated "
)
_NL = (
    "-b:text -d:text -f:text -h:text -i:text -l:text -n:text -p -s:text -v:text -w:text --body-numbering:text "
    "--section-delimiter:text --footer-numbering:text --header-numbering:text --line-increment:text "
    "--join-blank-lines:text "
    "--number-format:text --no-renumber --number-separator:text --starting-line-number:text --number-width:text"
)
_LESS = (
    "-a -A -b:text -B -c -C -d -e -E -f -F -g -G -h:text -i -I -j:text -J -K -L -m -M -n -N -o:write "
    "-O:write -p:text "
    "-q -Q -r -R -s -S -t:risk -T:scan -u -U -V -w -W -x:text -X -y:text -z:text -~ -#:text "
    "--search-skip-screen --auto-buffers "
    "--clear-screen --quit-at-eof --QUIT-AT-EOF --force --quit-if-one-screen --hilite-search --HILITE-SEARCH "
    "--max-back-scroll:text --ignore-case --IGNORE-CASE --jump-target:text --status-column --quit-on-intr "
    "--no-lessopen "
    "--long-prompt --LONG-PROMPT --line-numbers --LINE-NUMBERS --log-file:write --LOG-FILE:write "
    "--pattern:text --quiet "
    "--QUIET --silent --SILENT --raw-control-chars --RAW-CONTROL-CHARS --squeeze-blank-lines --chop-long-lines "
    "--tabs:text --no-init --window:text --tilde --shift:text --no-keypad --follow-name --incsearch --mouse "
    "--use-color --rscroll:text --header:text --wordwrap --redraw-on-quit --save-marks --lesskey-file:risk "
    "-k:risk -P:risk "
    "--prompt:risk --tag:risk -D:text --color:text " + DIGITS
)
_MORE = (
    "-d -f -l -c -e -i -s -u -n:read --silent --logical --exit-on-eof --no-pause --print-over "
    "--clean-print --squeeze "
    "--plain --lines:text " + DIGITS
)
_BAT = (
    "-A --show-all --nonprintable-notation:text --binary:text -p --plain -l:text --language:text -H:text "
    "--highlight-line:text "
    "--file-name:text --tabs:text --wrap:text -S --chop-long-lines --terminal-width:text -n --number --color:text "
    "--italic-text:text --decorations:text -f --force-colorization --paging:text --pager:program -P "
    "--no-pager -m:text "
    "--map-syntax:text --ignored-suffix:text --theme:text --theme-dark:text --theme-light:text --list-themes -s "
    "--squeeze-blank --squeeze-limit:text --style:text -r:text --line-range:text -L --list-languages -u --unbuffered "
    "--strip-ansi:text --no-config --no-custom-assets --no-lessopen --config-file --config-dir --cache-dir "
    "--diagnostic -h"
)
_STRINGS = (
    "-a -d -f -n:text -o -t:text -e:text -T:text -w -s:text -U:text -v -V --all --data --print-file-name "
    "--bytes:text --radix:text "
    "--encoding:text --target:text --include-all-whitespace --output-separator:text --unicode:text " + DIGITS
)
_OD = (
    "-A:text -j:text -N:text -S?text -t:text -v -w?text -a -b -B -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -x -X "
    "--address-radix:text --endian:text --skip-bytes:text --read-bytes:text --strings?text --format:text "
    "--output-duplicates "
    "--width?text --traditional"
)
_XXD = (
    "-a -autoskip -b -bits -c:text -cols:text -C -capitalize -d -e -E -EBCDIC -g:text -groupsize:text -h -i "
    "-include -l:text "
    "-len:text -n:text -name:text -o:text -p -ps -plain -postscript -r -revert -R:text -s:text -seek:text -u "
    "-uppercase "
    "-upper -v -version -t"
)
_HEXDUMP = (
    "-b -c -C -d -e:text -f:read -n:text -o -s:text -v -x -X -L?text --one-byte-octal --one-byte-char "
    "--canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format:text --format-file:read "
    "--length:text --no-squeezing --skip:text --color?text"
)
_ZCAT = "-c -d -f -h -k -l -L -n -N -q -t -v -V --stdout --force --quiet --verbose --list --test --keep --decompress "
_LESS_NUMBERS = ("-b", "-h", "-j", "-x", "-y", "-z", "-#")
_LESS_NUMBER = re.compile(r"[-+.,0-9]*\Z")
_COMMAND = re.compile(r"\+{1,2}(?:[FGg]|\d+[gGp%]?|[/?][^\x00-\x1f\ue000-\ue00f]*)?\Z")


def _cat(call: Call, usage: Usage) -> Stream | None:
    if usage.names <= {"-u"}:
        return copied(call, usage)
    return rearranged(call, usage)


def _first_or_last(call: Call, usage: Usage) -> Stream | None:
    obsolete(call)
    if usage.has("-c", "--bytes", "-b", "-r"):
        return rearranged(call, usage)
    return selected(call, usage)


def _reversed(call: Call, usage: Usage) -> Stream | None:
    return rearranged(call, usage) if usage.names else moved(call, usage)


def _pager(call: Call, usage: Usage) -> Stream | None:
    """Weigh the words of less and more: one behind a plus sign is a command of the pager.

    Options may follow in the same word behind the end of a number, and behind a dollar sign in a text (less(1)).
    """
    texts = usage.values("-p", "-D")
    for field in usage.values(*_LESS_NUMBERS):
        if not _LESS_NUMBER.match(field.text):
            call.note("unknown-option", field)
    for field in texts:
        if "$" in field.text[:-1]:
            call.note("unknown-option", field)
    for field in usage.operands:
        if not field.text.startswith("+"):
            call.take(Role.READ, field)
        elif not _COMMAND.match(field.text):
            call.note("not-harmless", field)
            if field.text.lstrip("+")[:1] == "!":  # a command of the shell
                call.shell(field.with_text(field.text.lstrip("+!")))
    for field in usage.values("-p", "--pattern"):
        if not _COMMAND.match("+/" + field.text):
            call.note("not-harmless", field)
    return copied(call, usage)


def _bat(call: Call, usage: Usage) -> Stream | None:
    if usage.operands and usage.operands[0].text == "cache":
        call.note("not-harmless", usage.operands[0])
    reads(call, usage.operands)
    return copied(call, usage)


def _strings(call: Call, usage: Usage) -> Stream | None:
    unclear(call, usage)
    no_lists(call, usage)
    return rearranged(call, usage)


_CATS = outline(_CAT, "read*", safe_options=True, judge=_cat)
_UNPACKS = outline(_ZCAT, "read*", safe_options=True, judge=decoded)
_PAGES = outline(_LESS, judge=_pager)

PROGRAMS = Descriptions(
    {
        "cat gcat": _CATS,
        "tac gtac": outline(
            "-b -r -s:text --before --regex --separator:text", "read*", safe_options=True, judge=_reversed
        ),
        "nl gnl": outline(_NL, "read*", safe_options=True, judge=rearranged),
        "head ghead": outline(_HEAD + DIGITS, "read*", safe_options=True, judge=_first_or_last),
        "tail gtail": outline(_TAIL + DIGITS, "read*", safe_options=True, judge=_first_or_last),
        "less zless bzless xzless zstdless": _PAGES,
        "more zmore bzmore xzmore": outline(_MORE, judge=_pager),
        "bat batcat": outline(_BAT, judge=_bat),
        "strings gstrings": outline(_STRINGS, "read*", safe_options=True, judge=_strings),
        "od god": outline(_OD, "read*", safe_options=True, judge=rearranged),
        "xxd": outline(_XXD, "read write", style=Style.POSIX, judge=decoded),
        "hexdump hd": outline(_HEXDUMP, "read*", judge=decoded),
        "zcat gzcat bzcat bz2cat xzcat lzcat": _UNPACKS,
        "zstdcat lz4cat": outline(_ZCAT, "read*", judge=decoded),
    }
)
