"""Other ways to write the same words: quotes, escapes, blanks, joined lines, comments, redirections."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .kinds import Base, Kind
from .words import Plain, Word, double, single

_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-"


def _each(base: Base, rng: Random, spell: Callable[[str, Random], str], *, least: int = 1) -> str | None:
    """Return the command with some of its certain words spelled anew."""
    if base.plain is None:
        return None
    words = base.plain.words
    certain = [place for place, word in enumerate(words) if word.value is not None]
    if not certain:
        return None
    chosen = set(rng.sample(certain, rng.randint(least, len(certain))))
    spelled = [spell(word.value or "", rng) if at in chosen else word.raw for at, word in enumerate(words)]
    return base.plain.text(spelled)


def _escaped(value: str, rng: Random) -> str:
    if not value or "\n" in value:
        return single(value)
    return "".join(char if char in _SAFE and rng.random() < 0.6 else "\\" + char for char in value)


def _in_pieces(value: str, rng: Random) -> str:
    """Return a value of which each stretch is quoted in another way, or not at all."""
    if not value:
        return rng.choice(["''", '""'])
    pieces, at = [], 0
    while at < len(value):
        size = rng.randint(1, 3)
        piece, at = value[at : at + size], at + size
        bare = all(char in _SAFE for char in piece)
        pieces.append(rng.choice([single(piece), double(piece), piece if bare else single(piece)]))
    return "".join(pieces)


def _with_empties(value: str, rng: Random) -> str:
    if not value or any(char not in _SAFE for char in value):
        return double(value)
    at = rng.randint(0, len(value))
    return value[:at] + rng.choice(["''", '""']) + value[at:]


def _ansi(value: str, rng: Random) -> str:
    """Return a value between ``$'`` and ``'``; rule: bash manual, "ANSI-C Quoting"."""
    return "$'" + "".join(_ansi_char(char, rng) for char in value) + "'"


def _ansi_char(char: str, rng: Random) -> str:
    code = ord(char)
    if code > 126 or code < 32:
        return f"\\u{code:04x}"
    return rng.choice(
        [
            f"\\x{code:02x}",
            f"\\{code:03o}",
            f"\\u{code:04x}",
            f"\\U{code:08x}",
            "\\" + char if char in "\\'" else char,
        ]
    )


def _joined_lines(base: Base, rng: Random) -> str | None:
    """Return the command with a backslash and a newline between words."""
    if base.plain is None:
        return None
    return base.plain.text(between=rng.choice([" \\\n", " \\\n  ", "\\\n ", "\t\\\n\t"]))


def _joined_word(base: Base, rng: Random) -> str | None:
    """Return the command with a backslash and a newline within a word."""
    if base.plain is None:
        return None
    words = [word.raw for word in base.plain.words]
    plain = [at for at, word in enumerate(base.plain.words) if word.plain and len(word.raw) > 1]
    if not plain:
        return None
    at = rng.choice(plain)
    cut = rng.randint(1, len(words[at]) - 1)
    words[at] = words[at][:cut] + "\\\n" + words[at][cut:]
    return base.plain.text(words)


def _blanks(base: Base, rng: Random) -> str | None:
    front = rng.choice(["", " ", "\t", "\n", " \n\t"])
    if base.plain is None:
        return front + " " + base.text
    between = rng.choice(["  ", "\t", " \t ", "   "])
    return front + base.plain.text(between=between) + rng.choice(["", " ", "\t", "\n"])


def _comment(base: Base, rng: Random) -> str | None:
    said = rng.choice(["tidy up", "it's safe", 'a "quoted" word', "$(not run)", "ls; pwd"])
    if rng.random() < 0.5:
        return f"# {said}\n{base.text}"
    ends_open = base.end == "\n"
    return f"{base.text}{chr(10) if ends_open else ' '}# {said}"


_REDIRECTIONS = ("2>/dev/null", "2>&1", "</dev/null", ">/dev/null 2>&1", "2>>/dev/null", ">&2", "&>/dev/null")


def _redirected(base: Base, rng: Random) -> str | None:
    redirection = rng.choice(_REDIRECTIONS)
    if base.plain is None:
        return f"{base.grouped} {redirection.replace('</dev/null', '2>&1')}"
    words = [word.raw for word in base.plain.words]
    form = rng.randrange(3)
    if form == 0 and not redirection.startswith("&"):
        return f"{redirection} {base.plain.text()}"
    if form == 1 and len(words) > 1 and not redirection.startswith("&"):
        return base.plain.text([words[0], redirection, *words[1:]])
    return f"{base.plain.text()} {redirection}"


_HARMLESS = ("LC_ALL=C", "LANG=C", "TZ=UTC", "NO_COLOR=1", "TERM=dumb", "CI='1'", "LC_ALL=C TZ=")


def _assigned(base: Base, rng: Random) -> str | None:
    return f"{rng.choice(_HARMLESS)} {base.text}" if base.plain and base.plain.is_program else None


def _home(base: Base, rng: Random) -> str | None:
    """Return the command with the home directory spelled otherwise."""
    if base.plain is None:
        return None
    found = False
    words = []
    for word in base.plain.words:
        tail = _behind_home(word)
        found = found or tail is not None
        spelled = rng.choice(['"$HOME"', "${HOME}", "$HOME", '"${HOME}"', "~"]) if tail is not None else ""
        words.append(word.raw if tail is None else spelled + tail)
    return base.plain.text(words) if found else None


def _behind_home(word: Word) -> str | None:
    for start in ("~", "$HOME", "${HOME}"):
        if word.raw == start or word.raw.startswith(start + "/"):
            return word.raw[len(start) :]
    return None


_IN_BIN = frozenset(
    "rm ls cat cp mv ln dd tee chmod chown shred head tail wc sort uniq cut grep sed awk find du df stat date id whoami hostname "
    "uptime git python3 bash sh env nice nohup timeout stdbuf xargs rev base64 sha256sum diff cmp file basename dirname "
    "readlink tar curl wget nc passwd free ps mkfs.ext4 seq tr comm join nl od strings column tree jq".split()
)


def _full_path(base: Base, rng: Random) -> str | None:
    """Return the command with the whole path of its program."""
    if base.plain is None or base.plain.name not in _IN_BIN:
        return None
    folder = rng.choice(["/bin/", "/usr/bin/"])
    path = rng.choice(
        [folder + base.plain.name, single(folder + base.plain.name), folder + _in_pieces(base.plain.name, rng)]
    )
    return base.plain.text([path, *(word.raw for word in base.plain.words[1:])])


_TAKE_PATHS = frozenset("rm ls cat cp mv ln tee chmod chown shred head tail wc stat du touch mkdir".split())


def _a_path(base: Base, rng: Random) -> tuple[Plain, int, str] | None:
    """Return an absolute path that is an operand: the command, its place and itself."""
    found = base.plain
    if found is None or found.name not in _TAKE_PATHS:
        return None
    places = [at for at, word in enumerate(found.words) if at and word.plain and word.raw.startswith("/")]
    if not places:
        return None
    place = rng.choice(places)
    return found, place, found.words[place].raw


def _path(base: Base, rng: Random) -> str | None:
    """Return the command with a path that leads to the same file by another way."""
    path = _a_path(base, rng)
    if path is None:
        return None
    found, place, value = path
    words = [word.raw for word in found.words]
    if rng.random() < 0.3 and value.rstrip("/").count("/") == 1 and len(words) - place == 1 and len(value) > 1:
        words[place] = "./" + value[1:]
        return f"cd / && {found.text(words)}"
    words[place] = rng.choice(["/." + value, "/" + value, "/./." + value, "/tmp/.." + value, value.replace("/", "//")])
    return found.text(words)


def _pattern(base: Base, rng: Random) -> str | None:
    """Return the command with a path of which one letter stands in brackets; it is there, so that it matches itself."""
    path = _a_path(base, rng)
    if path is None:
        return None
    found, place, value = path
    letters = [at for at, char in enumerate(value) if char.isalnum()]
    if not letters:
        return None
    at = rng.choice(letters)
    words = [word.raw for word in found.words]
    words[place] = f"{value[:at]}[{value[at]}]{value[at + 1 :]}"
    return found.text(words)


def _name_only(base: Base, rng: Random) -> str | None:
    """Return the command with a backslash before its name, which keeps an alias from being used."""
    found: Plain | None = base.plain
    if found is None or not found.words[0].plain:
        return None
    rest = [word.raw for word in found.words[1:]]
    return found.text([rng.choice(["\\" + found.name, single(found.name), double(found.name)]), *rest])


KINDS = (
    Kind(name="single-quotes", make=lambda base, rng: _each(base, rng, lambda value, _: single(value))),
    Kind(name="double-quotes", make=lambda base, rng: _each(base, rng, lambda value, _: double(value))),
    Kind(name="quotes-within", make=lambda base, rng: _each(base, rng, _in_pieces)),
    Kind(name="empty-quotes", make=lambda base, rng: _each(base, rng, _with_empties)),
    Kind(name="name-quoted", make=_name_only),
    Kind(name="backslashes", make=lambda base, rng: _each(base, rng, _escaped)),
    Kind(name="ansi-c", make=lambda base, rng: _each(base, rng, _ansi)),
    Kind(name="joined-lines", make=_joined_lines),
    Kind(
        name="joined-word",
        make=_joined_word,
        ends="the parser takes the two halves for two words, so that the reading is not complete",
    ),
    Kind(name="blanks", make=_blanks),
    Kind(name="comment", make=_comment),
    Kind(name="redirected", make=_redirected),
    Kind(name="assignment-in-front", make=_assigned),
    Kind(name="home", make=_home),
    Kind(name="full-path", make=_full_path),
    Kind(name="path", make=_path),
    Kind(name="bracket-pattern", make=_pattern),
)
