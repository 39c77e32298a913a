"""find and fd: what they list, and what their expressions do with the files that they find.

Sources: the GNU findutils manual, find(1) of BSD, POSIX XCU find, and fd(1).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .. import effects, places, secrets
from ..calls import Call
from ..knowledge import Role
from ..places import Place
from ..usage import Usage
from ..values import ANY, HOLE, SPLIT, STAR, Field, Stream, Taint
from .judging import glob, names_secret, words
from .outlines import Descriptions, outline

_NAME_TESTS = frozenset(["-name", "-path", "-wholename", "-iname", "-ipath", "-iwholename"])
_NAMED = frozenset(["-regex", "-iregex", "-lname", "-ilname", "-samefile", "-inum", *_NAME_TESTS])
_WEAK = frozenset(
    "-amin -anewer -atime -cmin -cnewer -ctime -mmin -mtime -newer -used -size -links -gid -group -uid -user "
    "-perm -fstype -context -Bmin -Bnewer -Btime -flags -mnewer -since -asince -csince".split()
)  # fmt: skip
_WITH_ARGUMENT = _NAMED | _WEAK | frozenset("-type -xtype -maxdepth -mindepth -regextype -printf -D -f".split())
_WITHOUT = frozenset(
    "-H -L -P -E -X -x -s -d -a -and -not -empty -executable -readable -writable -nouser -nogroup -true "
    "-false -daystart -depth "
    "-follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -warn -nowarn -print -print0 "
    "-prune -quit -ls -sparse -acl -xattr -help --help -version --version -O0 -O1 -O2 -O3".split()
)  # fmt: skip
_IN_FRONT = frozenset(["-H", "-L", "-P", "-E", "-X", "-x", "-s", "-d", "-O0", "-O1", "-O2", "-O3", "--"])
_WRITES = frozenset(["-fprint", "-fprint0", "-fls", "-fprintf"])
_RUNS = frozenset(["-exec", "-execdir", "-ok", "-okdir"])
_TESTS = frozenset(["test", "[", "grep", "egrep", "fgrep", "rg", "cmp", "diff", "git"])
"""Programs that are run to ask something of a file, so that not every file is left behind them."""
_SHELLS = frozenset(["sh", "bash", "zsh", "dash", "ksh", "fish"])
_DELETERS = frozenset(["rm", "unlink", "shred", "srm", "grm"])
_WIDE = (Place.HOME, Place.ROOT)
_DOCUMENTS = frozenset(
    "md rst txt py pyi js jsx ts tsx mjs html css scss c h cc cpp hpp rs go java kt rb php pl lua swift sh "
    "bash zsh sql tex log csv "
    "ipynb vue svelte ex exs hs ml scala clj el vim r jl cs fs dart zig nim".split()
)  # fmt: skip

_KEEPS_DATA = re.compile(r"/var/(?:log|cache|spool|lib|backups)/[^/]+")
"""A folder of one service, in which old files are deleted by their names or ages."""
_MOST_NAMES = 32
"""Alternative patterns that are followed; more count as unknown names."""

_MOST_STARTS = 200
"""Starting points of one call that are followed; a call with more is not harmless."""

EVERY, SOME, NAMED = 0, 1, 2
"""How far tests narrow down what is found: not at all, by times and sizes, by names."""


class Narrowing:
    """What the tests so far say of a found file: how far they narrow, and the patterns of its name, if known."""

    __slots__ = ("level", "names")

    def __init__(self, level: int = EVERY, names: tuple[str, ...] = ()) -> None:
        self.level = level
        self.names = names


class _Group:
    """A parenthesis that is open: what held before it, its alternatives so far, and whether it is negated."""

    __slots__ = ("alternatives", "before", "negated")

    def __init__(self, before: Narrowing, negated: bool) -> None:
        self.before = before
        self.negated = negated
        self.alternatives: list[Narrowing] = []

    def result(self, last: Narrowing) -> Narrowing:
        """Return what holds behind the group, whose last alternative is `last`."""
        if self.negated:
            return self.before
        every = [*self.alternatives, last]
        names = tuple(name for one in every for name in one.names) if all(one.names for one in every) else ()
        return Narrowing(min(one.level for one in every), names if len(names) <= _MOST_NAMES else ())


def found(start: str, narrowing: Narrowing, cwd: str) -> str:
    """Return a value that stands for a path found below `start`; of several names, one of the worst."""
    folder = start if start.endswith("/") else start + "/"
    wide = places.place(start, cwd) in _WIDE
    if folder == "/" and narrowing.level != EVERY:
        folder = f"/{STAR}/"  # in any folder of the system
    if not narrowing.names:
        return folder + (STAR if narrowing.level == EVERY else HOLE)
    paths = [folder + _dotted(name) for name in narrowing.names]
    if len(paths) > 1:
        paths.sort(key=lambda path: (not secrets.is_secret(path), _ending(path) in _DOCUMENTS))
    if wide and _ending(paths[0]) not in _DOCUMENTS and not secrets.is_secret(paths[0]):
        return folder + HOLE  # a harmless name may stand in a folder of secrets
    return paths[0]


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def _dotted(name: str) -> str:
    """Return a pattern; a leading wildcard of find matches a dot as well, so that it may name a hidden file."""
    hidden = "." + name
    if (name[:2] == STAR + "." and name[2:] in _DOCUMENTS) or secrets.is_secret(name):
        return name
    if names_secret(name):
        return "".join("x" if char in (STAR, ANY) else char for char in name)
    return hidden if name[:1] in (STAR, ANY) and secrets.is_secret(hidden) else name


_PRIMARY = re.compile(f"[-(!,){HOLE}{SPLIT}]")


def _only_names(pattern: str) -> bool:
    """Return whether no name that matches is part of an expression: primaries hold no full stop and no slash.

    Behind the first name find takes the others for starting points in the wrong place, and stops.
    """
    return not _PRIMARY.match(pattern) and ("." in pattern or "/" in pattern or pattern[:1] not in (STAR, ANY))


class _Find:
    """Reads the words of find from left to right."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.words: Sequence[Field] = call.args
        self.at = 0
        self.starts: list[Field] = []
        self.groups = [_Group(Narrowing(), negated=False)]
        self.now = Narrowing()
        self.negated = False
        self.printed: Narrowing | None = None
        self.inner: Stream | None = None
        self.kinds: list[Field] | None = None

    def judge(self) -> Stream:
        self._starts()
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            self._one(word)
        final = self.groups[0].result(self.now)
        if self.inner is not None and self.printed is None:
            return Stream(None, self.call.taint | self.inner.taint, self.inner.item)
        listed = final if self.printed is None else self.printed
        item = found(self.starts[0].text, listed, self.call.state.cwd) if len(self._distinct()) == 1 else SPLIT
        taint = self.call.taint if self.inner is None else self.call.taint | self.inner.taint
        return Stream(None, taint, item)

    def _starts(self) -> None:
        """Read the options in front and the starting points."""
        while self.at < len(self.words):
            word = self.words[self.at]
            text = word.text
            if text in ("-D", "-f"):
                self.at += 1
                if text == "-f":
                    self.starts += self.words[self.at : self.at + 1]
            elif text in ("(", ")", "!", ",") or (text.startswith("-") and text not in _IN_FRONT):
                break
            elif not text.startswith("-"):
                if word.may_be_option and (word.many or not (word.globbed and _only_names(word.text))):
                    self.call.note("unclear-word", word)
                    if self.starts:  # behind a starting point it may be a test
                        self.now = Narrowing(NAMED)
                self.starts.append(word)
            self.at += 1
        if not self.starts:
            self.starts = [self.call.word.with_text(".")]
        if len(self.starts) > _MOST_STARTS:
            self.call.note("too-many-operands", self.starts[_MOST_STARTS])
            self.starts = self.starts[:_MOST_STARTS]

    def _one(self, word: Field) -> None:
        """Read one primary or operator of the expression."""
        text = word.text
        negated, self.negated = self.negated, False
        if text in ("!", "-not"):
            self.negated = not negated
        elif text == "(":
            self.groups.append(_Group(self.now, negated))
        elif text == ")":
            if len(self.groups) > 1:
                self.now = self.groups.pop().result(self.now)
        elif text in ("-o", "-or", ","):
            self.groups[-1].alternatives.append(self.now)
            self.now = self.groups[-1].before
        elif text in _WITH_ARGUMENT or (text.startswith("-newer") and len(text) == 8):
            self._test(word, negated)
        elif text in _WITHOUT:
            self._flag(text, negated)
        else:
            self._action(word)

    def _argument(self, word: Field) -> Field | None:
        """Return the next word; a word that may be several or none moves all others, and is unclear."""
        if self.at >= len(self.words):
            self.call.note("unknown-option", word)
            return None
        self.at += 1
        value = self.words[self.at - 1]
        if value.many or (value.globbed and not _only_names(value.text)):
            self.call.note("unclear-word", value)
        return value

    def _test(self, word: Field, negated: bool) -> None:
        value = self._argument(word)
        if value is not None and word.text == "-printf" and value.text not in (r"%p\n", r"%p\0"):
            self.printed = Narrowing(SOME)
        if value is None or negated:
            return
        if word.text in _NAME_TESTS:
            pattern = glob(value.text.lower() if word.text.startswith("-i") else value.text).rpartition("/")[2]
            if glob(value.text.removeprefix("./")).strip(STAR):
                names = self.now.names or ((pattern,) if pattern.strip(STAR + ANY) else ())
                self.now = Narrowing(NAMED, names)
        elif word.text in _NAMED:
            if word.text in ("-regex", "-iregex") and not value.text.strip(".*+?/^$\\()|"):
                return
            self.now = Narrowing(NAMED, self.now.names)
        elif word.text in _WEAK or word.text.startswith("-newer"):
            self.now = Narrowing(max(SOME, self.now.level), self.now.names)

    def _flag(self, text: str, negated: bool) -> None:
        if text in ("-print", "-print0"):
            self.printed = self.now if self.printed is None else Narrowing(SOME)
        elif text == "-ls":
            self.printed = Narrowing(SOME)
        elif text in ("-empty", "-false", "-nouser", "-nogroup") and not negated:
            self.now = Narrowing(max(SOME, self.now.level), self.now.names)
        elif text == "-depth" and self.at < len(self.words) and self.words[self.at].text.lstrip("+-").isdigit():
            self.at += 1

    def _action(self, word: Field) -> None:
        call, text = self.call, word.text
        if text in _RUNS:
            if text.endswith("dir"):  # it takes names from the folder of what is found
                call.note("not-harmless", word)
            self._run(asks=text in ("-ok", "-okdir"))
        elif text == "-delete":
            self._delete(word)
        elif text in _WRITES:
            if (target := self._argument(word)) is not None:
                call.take(Role.WRITE, target)
            if text == "-fprintf":
                self._argument(word)
        elif text == "-files0-from":
            names = self._argument(word)
            if names is not None:
                call.take(Role.READ, names)
                self.starts, self.kinds = [names.with_text(SPLIT)], None
        else:
            call.note("unclear-word" if word.may_be_option else "unknown-option", word)

    def _distinct(self) -> list[Field]:
        """Return starting points, one for each kind of place."""
        if self.kinds is not None:
            return self.kinds
        kinds = {
            (places.place(start.text, self.call.state.cwd), secrets.is_secret(start.text), start.unknown): start
            for start in reversed(self.starts)
        }
        self.kinds = list(kinds.values())
        return self.kinds

    def _delete(self, word: Field) -> None:
        names = self.now.names or (() if self.now.level == NAMED else (STAR,))
        effects.delete_below(self.call.walker, self.starts, names, self.call.state)
        for start in self._distinct():
            kind = places.place(start.text, self.call.state.cwd)
            spared = (
                (self.now.level == NAMED and kind in (Place.HOME, Place.WORKING, Place.PARENT))
                or (self.now.level == SOME and kind in (Place.WORKING, Place.PARENT))
                or (self.now.level != EVERY and _KEEPS_DATA.match(places.resolve(start.text, self.call.state.cwd)))
            )
            if spared:
                self.call.note("deletes-file", word, f'the files that are found below "{start.text}"')
            else:
                whole = self.now.level == EVERY or kind is not Place.ORDINARY
                effects.delete(self.call.walker, start, self.call.state, recursive=whole)

    def _run(self, *, asks: bool) -> None:
        """Judge ``-exec command ;`` and ``-exec command {} +`` for the files that are found."""
        command: list[Field] = []
        ended = False
        while self.at < len(self.words) and not ended:
            word = self.words[self.at]
            self.at += 1
            ended = word.text == ";" or (word.text == "+" and bool(command) and command[-1].text == "{}")
            if not ended:
                command.append(word)
        if not ended or not command:
            self.call.note("unknown-option", command[0] if command else self.call.word)
        marked = any("{}" in word.text for word in command)
        if marked and not asks and command[0].text.rpartition("/")[2] in _DELETERS:
            self._delete(command[0])
        for start in self._distinct() if marked else self.starts[:1]:
            argv = command
            if marked and not self.call.walker.is_full():
                marks = {"{}": found(start.text, self.now, self.call.state.cwd)}
                argv = [put(word, marks) for word in command]
            if argv:
                if argv[0].text.rpartition("/")[2] in _TESTS:
                    self.now = Narrowing(max(SOME, self.now.level), self.now.names)
                output = run(self.call, argv)
                taint = output.taint | (self.inner.taint if self.inner is not None else Taint.NONE)
                self.inner = Stream(None, taint, output.item)


def run(call: Call, argv: list[Field]) -> Stream:
    """Judge the command that runs for what is found; a shell with text of its own is more than a look at files."""
    shell = argv[0].text.rpartition("/")[2] in _SHELLS
    if shell and any(word.text[:1] == "-" and "c" in word.text for word in argv[1:]):
        call.note("not-harmless", argv[0])
    return call.run(argv)


def put(word: Field, marks: dict[str, str]) -> Field:
    """Return a word of a command with found names for the marks in it.

    Within a longer word a name is unknown text, for it may hold what is special there.
    """
    if word.text in marks:
        return word.with_text(marks[word.text])
    text, taint = word.text, word.taint
    for mark, path in marks.items():
        taint |= Taint.SECRET if mark in text and names_secret(path) else Taint.NONE
        text = text.replace(mark, path[: path.rfind("/") + 1] + HOLE)
    return word if text == word.text else Field(text, word.start, word.end, taint, word.stream)


def _find(call: Call, _usage: Usage) -> Stream:
    return _Find(call).judge()


_FD = (
    "-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -h -V -d:text -t:text -e:text -E:text -S:text -o:text -c:text "
    "-j:text -C:text --hidden --no-hidden --no-ignore --ignore --no-ignore-vcs --ignore-vcs --no-ignore-parent "
    "--no-require-git --no-global-ignore-file --unrestricted --case-sensitive --ignore-case --glob --regex "
    "--fixed-strings --literal --and:text --absolute-path --relative-path --list-details --follow --no-follow "
    "--full-path --print0 --max-depth:text --min-depth:text --exact-depth:text --prune --type:text "
    "--extension:text --size:text --changed-within:text --change-newer-than:text --newer:text "
    "--changed-after:text --changed-before:text --change-older-than:text --older:text --owner:text --format:text "
    "--batch-size:text --exclude:text --ignore-file:scan --color:text --hyperlink?text --threads:text "
    "--max-results:text --quiet --show-errors --strip-cwd-prefix?text --one-file-system --path-separator:text "
    "--base-directory:path --search-path:path -x:program -X:program --exec:program --exec-batch:program "
)
_FD_RUNS = ("-x", "-X", "--exec", "--exec-batch")


def _fd(call: Call, _usage: Usage) -> Stream | None:
    """Judge fd: options and patterns in front, and behind ``-x`` a command for each find."""
    at = next((place for place, word in enumerate(call.args) if word.text in _FD_RUNS), None)
    front, command = (call.args, []) if at is None else (call.args[:at], call.args[at + 1 :])
    listed = call.described(_FD_FRONT(), front)
    if at is None:
        return listed
    if command and command[-1].text == ";":
        command = command[:-1]
    if not command or any(word.text == ";" for word in command):
        call.note("unknown-option", call.args[at])
    item = "./" + STAR if listed is None else listed.item
    path = item if "/" in item else "./" + item
    folder, _, name = path.rpartition("/")
    marks = {"{}": path, "{/}": name, "{//}": folder, "{.}": HOLE, "{/.}": HOLE}
    argv = [put(word, marks) for word in command]
    if argv == command and command:
        argv.append(command[-1].with_text(path))
    return run(call, argv) if argv else None


def _fd_front(call: Call, usage: Usage) -> Stream:
    folders = [*usage.operands[1:], *usage.values("--search-path", "--base-directory")]
    names = tuple(STAR + "." + field.text.lstrip(".") for field in usage.values("-e", "--extension"))
    pattern = usage.operands[0].text if usage.operands else ""
    if not names and usage.has("-g", "--glob") and usage.operands:
        names = (glob(pattern),)
    narrowing = Narrowing(NAMED if names or pattern not in ("", ".") else EVERY, names)
    if len(folders) > 1:
        return Stream(None, call.taint)
    path = found(folders[0].text if folders else ".", narrowing, call.state.cwd)
    return Stream(None, call.taint, path if folders else path.removeprefix("./"))


_FD_FRONT = outline(_FD, "text path*", judge=_fd_front)

PROGRAMS = Descriptions(
    {
        "find gfind": lambda: words(_find),
        "fd fdfind": lambda: words(_fd),
    }
)
