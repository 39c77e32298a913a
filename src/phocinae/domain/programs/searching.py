"""Programs that search what is in files: they read many, and print the lines that match.

Searching a folder is harmless, though some file in it may hold secrets; searching a file of
secrets, or printing every line of a folder, is not.

Sources: the GNU grep manual, grep(1) of BSD, rg(1), ag(1), ack(1), and zgrep(1).
"""

from __future__ import annotations

import re

from .. import places, secrets
from ..calls import Call
from ..knowledge import Role
from ..places import Place
from ..usage import Usage
from ..values import HOLE, HOME, NUMBER, SPLIT, STAR, Field, Stream, hides
from .judging import DIGITS, distinct, glob, names_secret, narrowed, rearranged, scan
from .outlines import Descriptions, Judge, outline

_GREP = (
    "-a -A:text -b -B:text -c -C:text -d:text -D:text -e:text -E -f:scan -F -G -h -H -i -I -l -L -m:text -n "
    "-o -O -p -P -q -r -R -s -S -T -u -U -v -w -x -y -z -Z --extended-regexp --fixed-strings --basic-regexp "
    "--perl-regexp --regexp:text --file:scan --ignore-case --no-ignore-case --invert-match --word-regexp "
    "--line-regexp --count --color?text --colour?text --files-without-match --files-with-matches "
    "--max-count:text --only-matching --quiet --silent --no-messages --byte-offset --with-filename "
    "--no-filename --label:text --line-number --initial-tab --null --after-context:text "
    "--before-context:text --context?text --text --binary-files:text --devices:text --directories:text "
    "--exclude:text --exclude-from:scan --exclude-dir:text --include:text --include-dir:text --recursive "
    "--dereference-recursive --line-buffered --unix-byte-offsets --binary --null-data "
)
_RG = (
    "-A:text -B:text -C:text -E:text -F -H -I -L -M:text -N -P -S -T:text -U -V -a -b -c -d:text -e:text "
    "-f:scan -g:text -h -i -j:text -l -m:text -n -o -p -q -r:text -s -t:text -u -v -w -x -. -0 "
    "--after-context:text --auto-hybrid-regex --before-context:text --binary --block-buffered --byte-offset "
    "--case-sensitive --color:text --colors:text --column --context:text --context-separator:text --count "
    "--count-matches --crlf --debug --dfa-size-limit:text --encoding:text --engine:text "
    "--field-context-separator:text --field-match-separator:text --file:scan --files --files-with-matches "
    "--files-without-match --fixed-strings --follow --glob:text --glob-case-insensitive --heading "
    "--no-heading --hidden --no-hidden --hyperlink-format:text --iglob:text --ignore-case --ignore-file:scan "
    "--ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number "
    "--line-regexp --max-columns:text --max-columns-preview --max-count:text --max-depth:text "
    "--maxdepth:text --max-filesize:text --mmap --no-mmap --multiline --multiline-dotall --no-config "
    "--no-filename --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global "
    "--no-ignore-messages --no-ignore-parent --no-ignore-vcs --ignore-vcs --no-line-number --no-messages "
    "--no-pcre2-unicode --no-require-git --no-unicode --null --null-data --one-file-system --only-matching "
    "--passthru --path-separator:text --pcre2 --pcre2-version --pretty --quiet --regex-size-limit:text "
    "--regexp:text --replace:text --smart-case --sort:text --sortr:text --sort-files --stats --no-stats "
    "--stop-on-nonmatch --text --threads:text --trace --trim --no-trim --type:text --type-add:text "
    "--type-clear:text --type-list --type-not:text --unrestricted --vimgrep --with-filename --word-regexp "
    "--no-pre --pre:program --pre-glob:text --hostname-bin:program "
)
_AG = (
    "-A?text -B?text -C?text -a -c -D -f -F -g:text -G:text -h -H -i -l -L -m:text -n -o -p:scan -Q -r -R -s "
    "-S -t -u -U -v -V -w -W:text -0 --ackmate --after?text --before?text --break --nobreak --color "
    "--nocolor --color-line-number:text --color-match:text --color-path:text --column --context?text --count "
    "--debug --depth:text --filename --nofilename --files-with-matches --files-without-matches "
    "--filename-pattern:text --file-search-regex:text --fixed-strings --follow --nofollow --group --nogroup "
    "--heading --noheading --hidden --ignore:text --ignore-case --ignore-dir:text --invert-match "
    "--line-numbers --numbers --nonumbers --list-file-types --literal --match --max-count:text --no-recurse "
    "--recurse --no-numbers --null --one-device --only-matching --pager:program --nopager --parallel "
    "--passthrough --passthru --path-to-ignore:scan --print-long-lines --print0 --print-all-files --all-text "
    "--all-types --search-binary --search-files --silent --skip-vcs-ignores --smart-case --case-sensitive "
    "--stats --stats-only --unrestricted --vimgrep --width:text --word-regexp --workers:text "
    "--cc --cpp --css --go --html --java --js --json --kotlin --less --lua --make --markdown --perl --php --python "
    "--ruby --rust --sass --scala --shell --sql --swift --ts --vim --xml --yaml "
)
_ACK = (
    "-A:text -B:text -C?text -c -f -g:text -h -H -i -I -k -l -L -m:text -n -o -p:text -P -Q -r -R -s -S "
    "-t:text -T:text -v -w -x -1 --after-context:text --before-context:text --context?text --break --nobreak "
    "--bar --cathy --color --nocolor --colour --nocolour --color-filename:text --color-match:text --column "
    "--nocolumn --count --create-ackrc --dump --env --noenv --files-from:scan --files-with-matches "
    "--files-without-matches --filter --nofilter --flush --follow --nofollow --group --nogroup --heading "
    "--noheading --help-types --ignore-case --no-ignore-case --smart-case --ignore-dir:text "
    "--ignore-directory:text --noignore-dir:text --ignore-file:text --invert-match --known-types --literal "
    "--match:text --max-count:text --man --no-filename --not:text --and:text --or:text --pager:program "
    "--nopager --passthru --print0 --proximate:text --recurse --no-recurse --show-types --sort-files "
    "--thpppt --type:text --underline --with-filename --word-regexp --js --python --perl --ruby --php --java "
    "--go --rust --css --html --json --yaml --shell --make --md --xml --cpp --cc "
)

_NAMES = ("-l", "-L", "--files-with-matches", "--files-without-match", "--files-without-matches", "--files")
_QUIET = ("-c", "-q", "--count", "--quiet", "--silent", "--count-matches", *_NAMES)
_INVERTED = ("-v", "--invert-match", "--passthru", "--passthrough")
_EVERY_LINE = frozenset(
    ["", ".", ".*", "^", "$", "^.*$", ".+", "..*", "^.*", ".*$", "^.", ".?", "()", "[^ ]*", r"\.*", "^^"]
)
_NEUTRAL = frozenset(
    "-i -E -F -G -P -w -x -e -v -s -h -I -a -m -S --ignore-case --extended-regexp --fixed-strings --regexp "
    "--invert-match --no-messages --line-buffered --max-count".split()
)
_GLOBS = ("-g", "--glob", "--iglob", "--include", "-G", "--file-search-regex")
_WIDE = (Place.HOME, Place.ROOT)
_OPEN = (Place.HOME, Place.ROOT, Place.WORKING, Place.PARENT)
_ENDINGS = {
    name: "." + ending
    for name, ending in (
        pair.split(":")
        for pair in "py:py python:py js:js ts:ts typescript:ts rust:rs go:go java:java c:c cpp:cpp html:html css:css "
        "ruby:rb md:md markdown:md sh:sh php:php".split()
    )
}
"""Endings of the files of some of the types that rg knows."""


def shows_every_line(usage: Usage, patterns: list[Field]) -> bool:
    """Return whether a search with these patterns prints lines whatever is in them."""
    return usage.has(*_INVERTED) or any(field.text in _EVERY_LINE for field in patterns)


def _looks_into_hidden(call: Call, usage: Usage) -> bool:
    """Return whether a search that passes hidden files over by itself is told to look into them."""
    unrestricted = sum(option.name in ("-u", "--unrestricted") for option, _ in usage.options)
    if usage.has("--hidden", "-.") or unrestricted > (call.name == "rg"):
        return True
    return call.name == "rg" and any(_names_hidden(name) for name in _globbed(usage))  # a glob overrides all else


_PROCESSES = re.compile(r"/proc(?:/[^/]+(?:/task(?:/[^/]+)?)?)?\Z|/dev(?:/(?!shm/).*)?\Z")
_SETTINGS = re.compile(
    f"(?:{HOME}|/home/[^/]+|/Users/[^/]+|/root)/"
    r"(?:\.config|\.local(?:/share)?|Library(?:/Application Support)?)\Z"
)


def _holds_secrets(call: Call, folder: Field | None) -> bool:
    """Return whether a search meets devices, the environments of processes, or the settings of all programs."""
    path = places.resolve("." if folder is None else folder.text, call.state.cwd)
    return _PROCESSES.match(path) is not None or _SETTINGS.match(path) is not None


def search_folder(call: Call, usage: Usage, folder: Field | None, every_line: bool) -> None:
    """Weigh the search of a folder: of a whole home, or one that prints every line, only a person may allow it."""
    if usage.has(*_QUIET):
        return
    _whole_paths(call, usage, folder, below=True)
    place = places.place("." if folder is None else folder.text, call.state.cwd)
    if (
        place in _WIDE
        or _holds_secrets(call, folder)
        or ((every_line or _looks_into_hidden(call, usage)) and place in _OPEN and not _spares_secrets(usage))
    ):
        call.note("may-read-secret", folder, "." if folder is None else folder.text)


def _whole_paths(call: Call, usage: Usage, field: Field | None, *, below: bool) -> None:
    """Ask a person where a pattern, or a folder that is searched, reaches secrets that lie in one usual place."""
    full = places.resolve("." if field is None else field.text, call.state.cwd)
    if not usage.has(*_QUIET) and secrets.meets_well_known(full, below=below) and not _spares_secrets(usage):
        call.note("may-read-secret", field, "." if field is None else field.text)


_BRACES = re.compile(r"\{([^{}]*)\}")
_ENDS_IN = re.compile(r"[.*^\w/-]*\\(\.\w+)\$\Z")
_MOST_CHOICES = 50


def _alternatives(text: str) -> list[str]:
    """Return what a glob with one pair of braces stands for."""
    match = _BRACES.search(text)
    if match is None or text.count("{") > 1 or match[1].count(",") > _MOST_CHOICES:
        return [text]
    return [text[: match.start()] + choice + text[match.end() :] for choice in match[1].split(",")]


def _globbed(usage: Usage) -> list[str]:
    """Return the names of globs as values with asterisks for what is open; all in a folder count as its name."""
    found = []
    for field in usage.values("-g", "--glob", "--iglob", "--include"):
        for text in () if field.text.startswith("!") else _alternatives(field.text.lower()):
            folder, _, name = text.removeprefix("./").removesuffix("/").rpartition("/")
            literal = folder and Field(glob(folder)).static is not None
            found.append(folder if literal and not name.strip("*") else glob(name))
    return [name.replace(HOLE, STAR).replace(SPLIT, STAR) for name in found]


def _names(usage: Usage) -> list[str]:
    """Return the patterns of all names to which a search is confined."""
    found = _globbed(usage)
    for field in usage.values("-G", "--file-search-regex"):
        ending = _ENDS_IN.match(field.text)
        found.append(STAR if ending is None else STAR + ending[1])
    return found + [STAR + _ENDINGS.get(field.text, "") for field in usage.values("-t", "--type")]


def _names_hidden(name: str) -> bool:
    """Return whether a hidden file of secrets may match: programs match a leading dot with an asterisk, too."""
    return name[:1] == STAR and secrets.is_secret("." + name)


def _spares_secrets(usage: Usage) -> bool:
    """Return whether a search is confined to files that are not named like secrets."""
    names = _names(usage)
    if not names or usage.has("--type-add"):
        return False
    return not any(secrets.is_secret(name) or _names_hidden(name) for name in names)


def _pattern(field: Field) -> str:
    return glob(field.text.rpartition("/")[2]).rstrip("$")


def _globs(usage: Usage) -> list[str]:
    """Return the patterns of names to which a search is confined."""
    found = [_pattern(field) for field in usage.values(*_GLOBS) if not field.text.startswith("!")]
    return found + [STAR + _ENDINGS.get(field.text, HOLE) for field in usage.values("-t", "--type")]


def _item(files: list[Field], globs: list[str], *, recursive: bool) -> str:
    """Return what a list of matching files consists of."""
    if len(files) > 1:
        return SPLIT
    if not recursive:
        return files[0].text if files else SPLIT
    ending = HOLE
    if len(globs) == 1 and globs[0].startswith(STAR) and not secrets.is_secret("x" + globs[0][1:]):
        ending = (HOLE if len(globs[0]) > 1 else STAR) + globs[0][1:].replace(STAR, HOLE)
    return f"{files[0].text.rstrip('/')}/{ending}" if files else STAR + ending


def _numbers(call: Call, usage: Usage) -> None:
    """Keep a hit on what should be a number, since some implementations take an attached number only."""
    for field in usage.values("-A", "-B", "-C", "-m"):
        if field.static is not None and not field.numeric:
            call.note("unknown-option", field)


def _several(call: Call, usage: Usage) -> None:
    """Ask a person about an open word that may be several: ``-e . .env`` among them would print a secret."""
    if usage.has(*_QUIET):
        return
    for field in usage.operands:
        if field.text.startswith(SPLIT):
            call.note("may-read-secret", field)
    for _, value in usage.options:
        if value is not None and value.many:
            call.note("may-read-secret", value)


def _file(call: Call, usage: Usage, field: Field, every_line: bool) -> None:
    """Weigh the search of a file, or of all that a pattern matches."""
    if every_line and not usage.has(*_QUIET):
        call.take(Role.READ, field)
    scan(call, field)
    if field.globbed:
        _whole_paths(call, usage, field, below=False)


def _searcher(given: tuple[str, ...], *, always_recursive: bool) -> Judge:
    """Return a judge; `given` are the options with which the first operand is no pattern."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        files = list(usage.operands)
        patterns = usage.values("-e", "--regexp", "--match")
        _numbers(call, usage)
        if not usage.has(*given):
            patterns, files = patterns + files[:1], files[1:]
        if usage.has("--files") or (call.name != "rg" and usage.has("-g")):
            return Stream(None, call.taint, _item(files, _globs(usage) or [STAR], recursive=True))
        recursive = _recurses(call, usage, files, always_recursive=always_recursive)
        _several(call, usage)
        every_line = shows_every_line(usage, patterns)
        for field in distinct(files):
            _file(call, usage, field, every_line)
            if recursive:
                search_folder(call, usage, field, every_line)
        if recursive and not files:
            scan(call, call.word.with_text("."))
            search_folder(call, usage, None, every_line)
        for field in distinct(usage.values(*_GLOBS)):
            if names_secret(_pattern(field)) and not field.text.startswith("!"):
                call.note("reads-secret", field)
        if usage.has(*_NAMES):
            return Stream(None, call.taint, _item(files, _globs(usage), recursive=recursive))
        one = not files or (len(files) == 1 and not files[0].many and not files[0].globbed)
        if usage.has("-c", "--count") and one and not recursive and not usage.has("-H", "--with-filename"):
            return Stream(NUMBER + "\n", call.taint, NUMBER)
        return Stream(None, call.taint) if files or recursive else _matches(call, usage, patterns)

    return judge


def _picks_secret(pattern: str) -> bool:
    """Return whether the names that a pattern picks from a list may be those of secrets, by the letters in it."""
    letters = pattern.strip("^$").replace("\\", "")
    return len(letters) > 2 and secrets.is_secret(f"{STAR}{letters}{STAR}")


def _recurses(call: Call, usage: Usage, files: list[Field], *, always_recursive: bool) -> bool:
    if always_recursive:
        return bool(files) or call.stdin.text is None
    if call.name == "rgrep" or usage.has("-r", "-R", "--recursive", "--dereference-recursive"):
        return True
    return any(field.text == "recurse" for field in usage.values("-d", "--directories"))


def _matches(call: Call, usage: Usage, patterns: list[Field]) -> Stream:
    """Return the lines of the input that match; they are as they were where nothing is added or cut."""
    if not usage.names <= _NEUTRAL:
        return rearranged(call, Usage())
    text = call.stdin.text
    if text is not None and (hides(text) or "\n" in text.rstrip("\n")):
        text = None
    known = not call.stdin.item.startswith(SPLIT)
    picked = not usage.has(*_INVERTED) and any(_picks_secret(field.text) for field in patterns)
    return Stream(text, call.taint, f"./{HOLE}" if picked and known else narrowed(call.stdin.item))


_GREPS = outline(
    _GREP + DIGITS, safe_options=True, judge=_searcher(("-e", "-f", "--regexp", "--file"), always_recursive=False)
)
_ZGREPS = outline(_GREP + DIGITS, judge=_searcher(("-e", "-f", "--regexp", "--file"), always_recursive=False))

PROGRAMS = Descriptions(
    {
        "grep egrep fgrep rgrep ggrep": _GREPS,
        "zgrep zegrep zfgrep bzgrep xzgrep zstdgrep": _ZGREPS,
        "rg": outline(
            _RG + DIGITS,
            judge=_searcher(
                ("-e", "-f", "--regexp", "--file", "--files", "--type-list", "--pcre2-version"), always_recursive=True
            ),
        ),
        "ag": outline(_AG + DIGITS, judge=_searcher(("-g", "--list-file-types"), always_recursive=True)),
        "ack ack-grep": outline(
            _ACK + DIGITS,
            judge=_searcher(
                ("-f", "-g", "--match", "--help-types", "--known-types", "--show-types", "--dump"),
                always_recursive=True,
            ),
        ),
    }
)
