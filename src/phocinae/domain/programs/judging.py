"""Judges that several families share: what filters hand on, what is counted, what may be an option.

Rules: POSIX XCU 2.13 (patterns), and the manual pages that the families name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import effects, expand, places, secrets
from ..calls import Call
from ..knowledge import Program, Role, Style, program
from ..places import Place
from ..usage import Usage
from ..values import ANY, CWD, HOLE, HOME, NUMBER, SPLIT, STAR, Field, Stream, Taint, hides, together

DIGITS = "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 "
"""Options that are digits, so that a number behind a hyphen is read."""

_OBSOLETE = re.compile(r"[-+]\d+[A-Za-z]")
_SPECIAL = re.compile(r"\\(.)|(\*|\{[^{}]*\})|\?|\[[!^]?\]?[^]\[]*\]", re.S)
_WILD = re.compile(f"[{STAR}{ANY}]")


def shows_secret(call: Call, _usage: Usage | None = None) -> Stream:
    """Keep the hit that a stored secret comes out, and return it: one may be there to sign in with."""
    call.note("prints-secret")
    return Stream(None, call.taint | Taint.PRIVATE)


def words(judge: object) -> Program:
    """Return a description of a program that reads its words by a grammar of its own."""
    return program("", "text*", style=Style.NONE, judge=judge)


def names_secret(pattern: str) -> bool:
    """Return whether a pattern names secrets by its letters, and not only because it matches all names.

    Searching and counting all files of a folder is no question about one of them.
    """
    name = pattern.rpartition("/")[2]
    hidden = name[:1] in (".", ANY) and name.strip(ANY + STAR) != "" and secrets.is_secret(pattern)
    return hidden or any(secrets.is_secret(_WILD.sub(filler, pattern)) for filler in ("", "x"))


def glob(text: str) -> str:
    """Return as a value a pattern that a program is given to match names with; rule: POSIX XCU 2.13.1."""
    return _SPECIAL.sub(_live, text)


def _live(match: re.Match[str]) -> str:
    escaped, many = match.groups()
    return escaped if escaped is not None else (STAR if many else ANY)


def settled(text: str) -> str:
    """Return code in which the paths and numbers that only the shell knows are some path and some number."""
    return text.replace(HOME, "/home/user").replace(CWD, "/home/user").replace(NUMBER, "1")


def code_file(call: Call, field: Field) -> Field | None:
    """Return the code in a file that a program runs, if it comes in by a known stream; else keep a hit."""
    stream = field.stream
    if stream is None and field.text in ("-", "/dev/stdin", "/dev/fd/0"):
        stream = call.stdin
    if stream is None:
        call.note("runs-code", field)
    elif stream.text is None:
        call.feed(stream, field, "code")
    else:
        return Field(stream.text, field.start, field.end, stream.taint)
    return None


def scan(call: Call, field: Field) -> None:
    """Weigh that files are searched or counted; a pattern counts if its letters name secrets."""
    if not field.globbed or field.stream is not None:
        call.read(field, prints=False)
    elif names_secret(places.resolve(field.text, call.state.cwd)):
        call.note("reads-secret", field)
        call.taint |= Taint.SECRET


def further(call: Call, known: Program, value: Field) -> None:
    """Weigh the words behind the first one that an option's argument may stand for: they are operands, or options."""
    if not value.many and (
        known.style in (Style.CMDLET, Style.WINDOWS)  # whose shells leave patterns to the programs
        or not any(value is word for word in call.args)  # all begin like the option
        or not expand.several(call.walker.words_of, value, call.state)
    ):
        return
    in_place = known.style is Style.POSIX or known.subcommands is not None
    if (in_place or value.may_be_option) and not known.safe_options:
        call.note("unclear-word", value)
    for role in dict.fromkeys(known.operands):
        call.take(role, value)


def unclear(call: Call, usage: Usage) -> None:
    """Keep a hit on unknown words that may be options; the names that a pattern matches are taken as names.

    For programs whose worst option shows in which places files of the project lie.
    """
    for word in usage.unclear:
        if word.text[:1] == HOLE or SPLIT in word.text:
            call.note("unclear-word", word)


def distinct(fields: Iterable[Field]) -> list[Field]:
    """Return fields without those that repeat an earlier one, so that a long list costs no more than it says."""
    kept: dict[tuple[str, Stream | None], Field] = {}
    for field in fields:
        kept.setdefault((field.text, field.stream), field)
    return list(kept.values())


def unpacks_into(call: Call, folders: list[Field]) -> None:
    """Weigh that unknown files are written, some levels below the folders, or below the working directory."""
    call.note("changes-files")
    for folder in folders or [call.word.with_text(call.state.cwd)]:
        kind = places.place(folder.text, call.state.cwd)
        if kind is Place.ROOT or effects.of_gate(call.walker, places.resolve(folder.text, call.state.cwd)):
            call.take(Role.WRITE, folder)
        elif folders or kind is Place.SYSTEM:
            call.take(Role.WRITE, folder.with_text(f"{folder.text.rstrip('/')}/{HOLE}/{HOLE}"))


def scans(call: Call, usage: Usage) -> None:
    """Weigh operands of which only counts and checksums come out."""
    unclear(call, usage)
    for field in distinct(usage.operands):
        scan(call, field)


def obsolete(call: Call, _usage: Usage | None = None) -> None:
    """Keep a hit on ``-5c`` and the like, where letters behind a number are not options (POSIX XCU tail, history)."""
    for word in call.args:
        if _OBSOLETE.match(word.text):
            call.note("unknown-option", word)


def copied(call: Call, usage: Usage) -> Stream:
    """Return the output of a filter that changes nothing: of its input, or of the one file that it names."""
    if not usage.operands or all(field.text in ("-", "/dev/stdin") for field in usage.operands):
        return Stream(call.stdin.text, call.taint, call.stdin.item)
    only = usage.operands[0].stream if len(usage.operands) == 1 else None
    if only is None and (written := call.contents(usage.operands[0])):
        only = together(written).perhaps()
    if only is not None:
        return Stream(only.text, call.taint, only.item)
    return Stream(None, call.taint)


def selected(call: Call, usage: Usage) -> Stream:
    """Return the output of a filter that drops some lines and leaves the others as they are."""
    kept = moved(call, usage)
    return Stream(kept.text, kept.taint, narrowed(kept.item))


def narrowed(item: str) -> str:
    """Return the names that are left of `item` when some are dropped: not all of a folder any more."""
    name = item.rpartition("/")[2]
    return item + HOLE if name and not name.strip(STAR + ANY) else item


def moved(call: Call, usage: Usage) -> Stream:
    """Return the output of a filter that moves whole lines, or drops repeated ones, and leaves them as they are.

    One known line stays known; of several lines it is open which ones are left, and in which order.
    """
    whole = copied(call, usage)
    if whole.text is None or not (hides(whole.text) or "\n" in whole.text.rstrip("\n")):
        return whole
    return Stream(None, whole.taint, whole.item)


def decoded(call: Call, _usage: Usage | None = None) -> Stream:
    """Return the output of a filter that rewrites its input; only a second look decodes it."""
    walker, text = call.walker, call.stdin.text
    walker.guessable = walker.guessable or text is not None
    if walker.guesses and text is not None:
        from .. import decoding

        text = decoding.decoded(call.name, [word.text for word in call.args], text)
    return Stream(text if walker.guesses else None, call.taint | Taint.DECODED)


def rearranged(call: Call, usage: Usage) -> Stream:
    """Return the output of a filter that cuts or joins lines: a known text that it takes apart is rewritten."""
    if call.stdin.text is not None and not usage.operands:
        return decoded(call)
    return Stream(None, call.taint)


def no_lists(call: Call, usage: Usage) -> None:
    """Keep a hit on a leading at sign, which to some programs names a file of further words.

    Such are those of binutils (expandargv), java, ruff and pytest.  It is read before the options are, and so
    in the place of an option's argument, too.
    """
    for field in call.args:
        if field.text.startswith("@"):
            call.note("not-harmless", field)


def reads(call: Call, fields: Iterable[Field]) -> None:
    """Weigh that the contents of these files may be printed."""
    for field in distinct(fields):
        call.take(Role.READ, field)
