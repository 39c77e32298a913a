"""The words of one command of cmd: what the command itself divides, and what is left to a program.

A built-in command gets its words divided at blanks, commas, semicolons, equals signs and
switches.  Any other program gets the line and divides it itself, nearly always by the rules
of Microsoft's C runtime.

Sources: Microsoft, "cmd" and "Parsing C command-line arguments".
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..shell import Gap, Part, PartKind, Word
from .cmd_lexer import BLANKS, DELIMITERS, Char
from .cmd_variables import DECLARED, LOOP

BUILT_IN = frozenset(
    (
        "assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit ftype goto keys md mkdir "
        "mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver "
        "verify vol"
    ).split()
)
_GLUED = re.compile(r"(?i)([a-z]+)(?=[/\\.:+\[\](\"]|\Z)")
_NO_FILE = re.compile(r"(?i)[a-z]+[.\\]*|echo:|(?:call|goto):\w+")
"""Names with signs behind them that no program is named like."""
_RAW = frozenset(["echo", "set", "title", "prompt", "path", "assoc", "ftype"])
"""Commands that take the rest of the line as it stands."""
_FOLDERS = frozenset(["cd", "chdir"])
"""Commands that take blanks as a part of the one name behind the switches."""
_SWITCH = re.compile(r"/[A-Za-z?]{1,2}(?=[/:\0]|\Z)|(?<=/[A-Za-z])\0")
_CMD = re.compile(r"(?i)(?:.*[\\/])?cmd(?:\.exe)?\Z")
_CARRIES = re.compile(rf"(?i)[{BLANKS}]*(?:/(?![ckr])[a-z]+(?::[^\s/]*)?[{BLANKS}]*)*/[ckr]")
_WILD = "*?"


def words(chars: list[Char], gaps: list[Gap]) -> tuple[Word, ...]:
    """Return the words of a command without its redirections; the first one is the program."""
    begin = _skip(chars, 0, DELIMITERS + "@")
    end = _token(chars, begin)
    if begin == end:
        return ()
    text = "".join(char.text for char in chars[begin:end] if not _is_quote(char))
    known = not any(char.name for char in chars[begin:end])
    glued = _GLUED.match(text) if known else None
    if glued is not None and glued[1].lower() in BUILT_IN:
        name = glued[1].lower()
        if _may_be_file(chars[begin:end]):
            gaps.append(Gap(chars[begin].start, chars[end - 1].end, "a file of that name would be run first"))
        end = _behind(chars, begin, len(name))
        place = Word((_literal(name),), chars[begin].start, chars[end - 1].end)
        return (place, *_own(name, chars[end:]))
    slash = text.find("/")
    if known and slash > 0 and not set(text[:slash]) & set("\\:."):  # as in ``ipconfig/all``
        end = _behind(chars, begin, slash)
    rest = chars[_skip(chars, end, DELIMITERS) :] if end < len(chars) and chars[end].text in ",;=" else chars[end:]
    arguments = _carried(rest, gaps) if known and _CMD.match(text[: slash if slash > 0 else None]) else None
    return (single(chars[begin:end]), *(_arguments(rest, gaps) if arguments is None else arguments))


def _may_be_file(chars: list[Char]) -> bool:
    """Return whether what begins with the name of a built-in command may as well be the name of a file.

    A dot, a backslash or a colon ends such a name only where no file is found; a slash or a bracket ends it at once.
    """
    ending = next((at for at, char in enumerate(chars) if char.text in ("/", "(") and not char.quoted), len(chars))
    text = "".join(char.text for char in chars[:ending] if not _is_quote(char))
    return not set(text).isdisjoint(".\\:") and _NO_FILE.fullmatch(text) is None


def single(chars: list[Char]) -> Word:
    """Return these characters as one word, without their quotes."""
    return Word(_parts(chars), chars[0].start, chars[-1].end)


def divided(chars: list[Char]) -> list[Word]:
    """Return what delimiters divide, as in the list of a loop."""
    found: list[Word] = []
    at = _skip(chars, 0, DELIMITERS + "\n")
    while at < len(chars):
        end = _token(chars, at, DELIMITERS + "\n")
        found.append(single(chars[at:end]))
        at = _skip(chars, end, DELIMITERS + "\n")
    return found


def _behind(chars: list[Char], at: int, count: int) -> int:
    """Return the place behind `count` characters of a name, quotes not counted."""
    while count:
        count -= not _is_quote(chars[at])
        at += 1
    return at + 1 if at < len(chars) and _is_quote(chars[at]) and not chars[at].quoted else at


def _is_quote(char: Char) -> bool:
    return char.text == '"' and not char.escaped


def _is_delimiter(char: Char, delimiters: str) -> bool:
    return not char.quoted and not char.escaped and char.text != "" and char.text in delimiters


def _skip(chars: list[Char], at: int, delimiters: str) -> int:
    while at < len(chars) and _is_delimiter(chars[at], delimiters):
        at += 1
    return at


def _token(chars: list[Char], at: int, delimiters: str = DELIMITERS) -> int:
    while at < len(chars) and not _is_delimiter(chars[at], delimiters):
        at += 1
    return at


def _trimmed(chars: list[Char], delimiters: str) -> list[Char]:
    end = len(chars)
    while end and _is_delimiter(chars[end - 1], delimiters):
        end -= 1
    return chars[:end]


def _own(name: str, chars: list[Char]) -> list[Word]:
    """Return the words behind the name of a built-in command."""
    if name in _RAW:
        rest = chars[1:] if name == "echo" and chars and not chars[0].name else chars[_skip(chars, 0, BLANKS) :]
        rest = rest if name == "echo" else _trimmed(rest, BLANKS)
        return [Word(_parts(rest, quotes=True), rest[0].start, rest[-1].end)] if rest else []
    chars = _trimmed(chars, DELIMITERS)
    found: list[Word] = []
    at = _skip(chars, 0, DELIMITERS)
    while at < len(chars):
        end = len(chars) if name in _FOLDERS and chars[at].text != "/" else _token(chars, at)
        for piece in _switches(chars[at:end]):
            found.append(single(piece))
        at = _skip(chars, end, DELIMITERS)
    return found


def _switches(chars: list[Char]) -> list[list[Char]]:
    """Return a word of a built-in command divided where a switch begins, as in ``/s/q`` and ``build/s``."""
    text = "".join("\0" if char.quoted or len(char.text) != 1 else char.text for char in chars)
    places = [match.start() for match in _SWITCH.finditer(text) if match.start()]
    bounds = [0, *places, len(chars)]
    return [chars[start:end] for start, end in pairwise(bounds)]


def _arguments(chars: list[Char], gaps: list[Gap]) -> list[Word]:
    """Return the arguments of a program that is none of cmd's own."""
    found: list[Word] = []
    at = _skip(chars, 0, BLANKS)
    while at < len(chars):
        word, at = _argument(chars, at, gaps)
        found.append(word)
        at = _skip_plain(chars, at)
    return found


def _carried(chars: list[Char], gaps: list[Gap]) -> list[Word] | None:
    """Return the arguments of cmd with the text behind ``/c`` as one word, from which it drops the outer quotes."""
    match = _CARRIES.match("".join(char.text if len(char.text) == 1 else "\0" for char in chars))
    if match is None:
        return None
    words = _arguments(chars[: match.end()], gaps)
    text = _undeclared(chars[_skip(chars, match.end(), BLANKS) :])
    if text and _is_quote(text[0]):
        last = max((at for at, char in enumerate(text) if _is_quote(char)), default=0)
        text = text[1:last] + text[last + 1 :] if last else text[1:]
    return [*words, Word(_parts(text, quotes=True), text[0].start, text[-1].end)] if text else words


def _undeclared(chars: list[Char]) -> list[Char]:
    """Return carried text in which the variables of its own loops are spelled out again."""
    own = {LOOP + letter for letter in DECLARED.findall("".join(char.text for char in chars))}
    return [char._replace(name="") if char.name in own else char for char in chars]


def _skip_plain(chars: list[Char], at: int) -> int:
    while at < len(chars) and chars[at].text and chars[at].text in BLANKS:
        at += 1
    return at


def _argument(chars: list[Char], at: int, gaps: list[Gap]) -> tuple[Word, int]:
    """Return the argument at `at` and the place behind it: a backslash counts only in front of a quote."""
    kept: list[Char] = []
    begin, quoted = at, False
    while at < len(chars):
        char = chars[at]
        if char.text == '"':
            slashes = 0
            while slashes < len(kept) and kept[-1 - slashes].text == "\\":
                slashes += 1
            follower = chars[at + 1].text if at + 1 < len(chars) else " "
            if slashes % 2 and follower and follower in BLANKS:  # as in "C:\", where people mean a folder
                gaps.append(Gap(char.start, char.end, "a backslash in front of a quote hides its end"))
            elif slashes % 2:
                kept[-1] = char._replace(quoted=True, escaped=True)
                at += 1
                continue
            elif slashes:
                del kept[-(slashes // 2) :]
            quoted = not quoted
        elif not quoted and char.text and char.text in BLANKS:
            break
        else:
            kept.append(char if char.quoted is quoted else char._replace(quoted=quoted))
        at += 1
    parts = _parts(kept)
    return Word(parts, chars[begin].start, chars[at - 1].end), at


def _parts(chars: list[Char], *, quotes: bool = False) -> tuple[Part, ...]:
    """Return characters as the parts of a word; `quotes` keeps the quotes in it."""
    parts: list[Part] = []
    text = ""
    for char in chars:
        wild = not quotes and char.text != "" and char.text in _WILD and not char.quoted
        if not char.name and not wild:
            text += "" if _is_quote(char) and not quotes else char.text
            continue
        if text:
            parts.append(_literal(text))
        text = ""
        parts.append(Part(kind=PartKind.GLOB, text=char.text) if wild else _variable(char))
    if text or not parts:
        parts.append(_literal(text))
    return tuple(parts)


def _literal(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=True)


def _variable(char: Char) -> Part:
    if char.name == "HOME":
        return Part(kind=PartKind.TILDE)
    return Part(kind=PartKind.PARAMETER, text=char.name, quoted=char.quoted or not char.name.startswith(LOOP))
