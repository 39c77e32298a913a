"""Programs that look into binaries, documents and source trees, calculate, or say something about a file.

Sources: the GNU binutils manual, GNU bc and dc, acl(5) and attr(5), bc(1) of BSD, and the help of hexyl, glow, mdcat,
pygmentize, delta, diffstat, tokei, scc and cloc.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import Stream, Taint, hides
from .judging import DIGITS, copied, no_lists, reads, rearranged, scans
from .outlines import Descriptions, outline

_NM = (
    "-a -A -B -C -D -e -f:text -g -h -j -l -n -o -p -P -r -s -S -t:text -u -U -v -V -W -X:text --debug-syms "
    "--defined-only --demangle?text --no-demangle --dynamic --extern-only --format:text --line-numbers --no-sort "
    "--numeric-sort --portability --print-armap --print-file-name --print-size --radix:text --reverse-sort "
    "--size-sort --special-syms --synthetic --undefined-only --without-symbols --with-symbol-versions "
)
_OBJDUMP = (
    "-a -b:text -C -d -D -e -f -F -g -G -h -H -i -I:path -j:text -l -L?text -m:text -M:text -p -P:text -r -R -s "
    "-S -t -T -v -w -W?text -x -z --all-headers --archive-headers --architecture:text --demangle?text "
    "--disassemble?text --disassemble-all --disassembler-options:text --disassembler-color:text --dwarf?text "
    "--dynamic-reloc --dynamic-syms --file-headers --full-contents --headers --line-numbers --no-addresses "
    "--no-show-raw-insn --private-headers --reloc --section:text --section-headers --show-raw-insn --source "
    "--start-address:text --stop-address:text --syms --wide --visualize-jumps?text "
)
_READELF = (
    "-a -A -c -C -D -d -e -g -h -H -I -l -n -N -p:text -P -r -R:text -s -S -t -T -u -v -V -w?text -W -x:text -X "
    "-z --all --arch-specific --archive-index --debug-dump?text --demangle?text --dyn-syms --dynamic "
    "--file-header --headers --hex-dump:text --histogram --notes --program-headers --relocs --section-details "
    "--section-headers --sections --segments --string-dump:text --symbols --syms --unwind --use-dynamic "
    "--version-info --wide --lto-syms "
)
_PYGMENTIZE = "-l:text -f:text -g -O:text -P:text -o:write -s -S:text -L -N:text -C -v -V -H:text -F:text -a:text "
_DELTA = (
    "-n -s -w:text --side-by-side --line-numbers --dark --light --no-gitconfig --paging:text --pager:program "
    "--color-only --diff-highlight --diff-so-fancy --width:text --features:text --syntax-theme:text "
    "--keep-plus-minus-markers --navigate --hyperlinks --raw --relative-paths --tabs:text --list-languages "
    "--list-syntax-themes --show-config --true-color:text "
)
_CLOC = (
    "--by-file --by-file-by-lang --by-percent:text --csv --csv-delimiter:text --exclude-content:text "
    "--exclude-dir:text --exclude-ext:text --exclude-lang:text --fullpath --hide-rate --include-content:text "
    "--include-ext:text --include-lang:text --json --match-d:text --match-f:text --md --not-match-d:text "
    "--not-match-f:text --progress-rate:text --quiet --show-ext?text --show-lang?text --skip-uniqueness "
    "--sum-one --timeout:text --xml --yaml --no-recurse --follow-links "
)
_TOKEI = (
    "-C -c:text -e:text -f -l -n:text -o:text -s:text -t:text -v -V --columns:text --compact --exclude:text "
    "--files --hidden --languages --no-ignore --no-ignore-dot --no-ignore-parent --no-ignore-vcs "
    "--num-format:text --output:text --sort:text --types:text "
)
_SCC = (
    "-a -c -f:text -i:text -M:text -n:text -o:write -p -s:text -u -v -w -x:text --by-file --ci --count-as:text "
    "--exclude-dir:text --exclude-ext:text --exclude-file:text --format:text --include-ext:text --languages "
    "--no-cocomo --no-complexity --no-duplicates --no-gen --no-min --not-match:text --output:write --sort:text "
    "--wide "
)
_BC = (
    "-c -C -e:text -f:scan -g -h -i -l -L -P -q -R -s -S:text -v -w -x -z --expression:text --file:scan "
    "--interactive --mathlib --quiet --standard --warn --scale:text "
)


def _binaries(call: Call, usage: Usage) -> Stream | None:
    no_lists(call, usage)
    reads(call, usage.operands)
    return None


_DC_ESCAPES = re.compile(r"!(?![<=>])|\?")


_DC_COMMAND = re.compile(r"!(?![<=>])([^\n]+)")


def _dc(call: Call, usage: Usage) -> Stream | None:
    """Judge dc, in which an exclamation mark runs a command and a question mark what is read."""
    expressions = usage.values("-e", "--expression")
    for field in usage.operands:
        call.note("runs-code", field)
    if not expressions and not usage.operands:
        text = call.stdin.text
        if text is None or hides(text) or _DC_ESCAPES.search(text):
            call.note("runs-code")
    for field in expressions:
        if hides(field.text) or _DC_ESCAPES.search(field.text):
            call.note("runs-code", field)
            for command in _DC_COMMAND.findall(field.text):
                call.shell(field.with_text(command))
    return rearranged(call, usage)


_SYSTEM_BINARY = re.compile(r"/(?:usr/(?:local/)?)?(?:s?bin|lib(?:exec|32|64)?)/[^\x00-\x1f\ue000-\ue00f]+\Z")


def _ldd(call: Call, usage: Usage) -> Stream | None:
    """Weigh the programs whose libraries are listed: one from elsewhere may be run for that (ldd(1), "Security")."""
    for field in usage.operands:
        if not _SYSTEM_BINARY.match(field.text) or ".." in field.text:
            call.note("runs-code", field)
    return None


def _capsh(call: Call, usage: Usage) -> Stream | None:
    """Judge capsh, which starts a shell behind two hyphens and itself behind two equals signs (capsh(1))."""
    for word in call.args:
        if word.text in ("--", "=="):
            call.note("feeds-interpreter", word)
    return None


def _media(call: Call, usage: Usage) -> Stream | None:
    """Weigh addresses, and a template of the output that stands in a file (MediaInfo help)."""
    for field in usage.operands:
        if "://" in field.text or field.unknown:
            call.note("uses-network", field)
    for field in usage.values("--Output"):
        if field.text.lower().startswith("file:"):
            call.take(Role.READ, field.with_text(field.text[5:].removeprefix("//")))
    return None


def _pygmentize(call: Call, usage: Usage) -> Stream | None:
    """Weigh the options of formatters and lexers, of which some name files (pygments documentation, "Formatters")."""
    for field in usage.values("-O", "-P", "-F"):
        if "file" in field.text or field.unknown:
            call.note("unknown-option", field)
    return None


_GLOW_COMMANDS = frozenset(["config", "stash", "completion", "help", "man"])


def _glow(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands[:1]:
        if field.text in _GLOW_COMMANDS:
            call.note("unknown-subcommand", field)
    return _documents(call, usage)


def _documents(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        if "://" in field.text or field.text.startswith(("github.com", "gitlab.com")) or field.unknown:
            call.note("uses-network", field)
    reads(call, usage.operands)
    return None


def _envsubst(call: Call, usage: Usage) -> Stream | None:
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.SECRET)


PROGRAMS = Descriptions(
    {
        "nm gnm llvm-nm": outline(_NM, judge=_binaries),
        "objdump gobjdump llvm-objdump": outline(_OBJDUMP, judge=_binaries),
        "readelf greadelf llvm-readelf": outline(_READELF, judge=_binaries),
        "size gsize": outline("-A -B -d -G -m -o -t -x --common --format:text --radix:text --totals", judge=_binaries),
        "otool": outline(
            "-a -A -c -C -d -D -f -F -G -h -H -I -j -l -L -M -o -p:text -P -q -Q -r -R -s:text -S -t -T -v -V -X",
            judge=_binaries,
        ),
        "c++filt": outline(
            "-_ -i -n -p -r -s:text -t --format:text --no-params --no-strip-underscore --types", "text*", judge=no_lists
        ),
        "addr2line": outline(
            "-a -b:text -C -e:scan -f -i -j:text -p -s --addresses --basenames --demangle?text --exe:scan "
            "--functions --inlines --pretty-print --section:text",
            "text*",
            judge=no_lists,
        ),
        "hexyl": outline(
            "-n:text -s:text -c:text -b:text -o:text -p -v -C --length:text --skip:text --bytes:text "
            "--block-size:text --display-offset:text --color:text --border:text --plain --no-squeezing "
            "--no-characters --no-position --panels:text --base:text --group-size:text",
            "read",
        ),
        "pdfinfo": outline(
            "-box -dest -enc:text -f:text -isodates -js -l:text -listenc -meta -rawdates -struct "
            "-struct-text -custom -v -h",
            "read",
        ),
        "mediainfo": outline("-f --Full --Output:text --Language:text --Info-Parameters", "scan*", judge=_media),
        "pygmentize": outline(_PYGMENTIZE, "read", judge=_pygmentize),
        "glow": outline("-s:text -w:text -a -l -n -t --style:text --width:text --all --local", judge=_glow),
        "mdcat": outline(
            "-l -c --local --no-colour --columns:text --fail --ansi --detect-terminal --paginate:risk", judge=_documents
        ),
        "delta": outline(_DELTA, "read read", judge=copied),
        "diffstat": outline(
            "-b -c -C -d -f:text -h -k -K -l -m -n:text -N:text -p:text -q -r:text -R -s -t -T -u -v -V -w:text",
            "read*",
        ),
        "cloc": outline(_CLOC, "path*"),
        "tokei loc": outline(_TOKEI, "path*"),
        "scc": outline(_SCC, "path*"),
        "bc": outline(_BC, "read*", judge=rearranged),
        "dc": outline("-e:text -h -V --expression:text", judge=_dc),
        "units": outline(
            "-1 -c -d:text -e -h -q -s -S -t -v -V -o:text --compact --digits:text --exponential --one-line "
            "--quiet --strict --terse --verbose " + DIGITS,
            "text text",
        ),
        "getfacl": outline(
            "-a -d -c -e -E -s -R -L -P -t -p -n --access --default --omit-header --all-effective "
            "--no-effective --skip-base --recursive --logical --physical --tabular --absolute-names --numeric",
            "path*",
        ),
        "getcap": outline("-h -n -r -v", "path*"),
        "capsh": outline("--print --supports:text --decode:text", judge=_capsh),
        "ldd": outline("-v -u -d -r --verbose --unused --data-relocs --function-relocs", judge=_ldd),
        "choose": outline("-c -f:text -i:read -n -o:text -x --exclusive --non-greedy --character-wise", "text*"),
        "lsattr": outline("-R -V -a -d -l -p -v", "path*"),
        "getfattr": outline(
            "-n:text -d -e:text -h -m:text -R -L -P --name:text --dump --encoding:text --no-dereference "
            "--match:text --absolute-names --only-values --recursive",
            "path*",
        ),
        "namei": outline("-l -m -n -o -v -x --long --modes --nosymlinks --owners --vertical --mountpoints", "path*"),
        "pathchk": outline("-p -P --portability", "text*"),
        "b3sum sha3sum": outline(
            "-c -l:text --check --quiet --num-threads:text --length:text --no-mmap --no-names --raw --tag -a:text",
            safe_options=True,
            judge=scans,
        ),
        "uuidgen uuid mcookie": outline("-r -t -h -V -4 -1 -m --random --time"),
        "pv": outline(
            "-p -t -e -r -a -b -n -q -W -l -0 -i:text -w:text -H:text -N:text -f -L:text -s:text -8 "
            "--progress --timer --eta --rate --average-rate --bytes --numeric --quiet --line-mode "
            "--interval:text --width:text --name:text --force --rate-limit:text --size:text",
            "read*",
            judge=copied,
        ),
        "ts": outline("-r -i -s -m", "text", judge=rearranged),
        "envsubst": outline("-v --variables", "text", judge=_envsubst),
        "figlet": outline("-c -k -l -r -w:text -f:text -t -h", "text*"),
        "lolcat": outline("-f -F:text -p:text -S:text -t", "read*", judge=copied),
        "systemd-detect-virt": outline("-c -v -r -q --container --vm --chroot --private-users --quiet --list"),
    }
)
