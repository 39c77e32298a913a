"""Secrets that one command prints and another one reads, and those in here-strings and here-documents for it."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from .patterns import lazily

Span = tuple[int, int]

_READS = lazily(
    r"--pass(?:wd|word)(?:-on)?-stdin|--with-token|--passphrase-fd|--data-file=-|-pass(?:in|out)?[ =]stdin"
    r"|\bsecrets?[ \t]+(?:create|put|set|add)\b"
    r"|\b(?:versions|env|variable)[ \t]+(?:add|set)\b"
    r"|(?:(?<![\w/.\-])|(?<=bin/))(?:login|chpasswd|passwd|smbpasswd|vncpasswd|cryptsetup|kinit|secret-tool)(?![\w/.\-])"
    r"|\bread[ \t](?:-\S{1,9}[ \t]){0,5}\w{0,40}?(?i:pass|token|secret|key)"
    r"|\bpass[ \t]+insert\b|\bkeyring[ \t]+set\b|(?:^|\s)su\s|\bsudo[ \t](?:[^|;&]{0,80}?[ \t])?-[A-Za-z]*S"
)
"""A command with one of these reads a secret from its standard input."""

_SUBSTITUTED = lazily(r"<\(([^()\n]{1,4096})\)")
"""A process substitution: a file of what its command prints."""

_READS_FILE = lazily(
    r"(?i)(?:pass(?:wd|word|phrase)?|key|secret|token|cred(?:ential)?s?)[\-_]?files?(?![\w.])"
    r"|-pass(?:in|out)?[ \t]{1,9}file:"
)
"""An option whose value is the file of a secret."""

_PRINTS = lazily(r"\s*(?:sudo\s+)?(?:echo|printf|print|Write-Output|yes)(?=\s)(?:\s+-[neE]+(?=\s))*\s*")
_FORMAT = lazily(r"(?:\"[^\"\s]{0,12}%[^\"\s]{0,12}\"|'[^'\s]{0,12}%[^'\s]{0,12}'|%\S{1,8})\s+")
_VARIABLE = lazily(r"[\"']?\$(?:\w{1,80}|\{\w{1,80}\}|env:\w{1,80})[\"']?\Z")
_PAIR = lazily(r"[\"']?[^\s:\"'/]{1,64}:(?!//)\S")
_HERE_DOCUMENT = lazily(r"<<-?[ \t]*([\"']?)\\?([\w.\-]{1,64})\1")
_HERE_STRING = lazily(r"<<<[ \t]*((?:\"[^\"]*+\"?|'[^']*+'?|[^\s\"'|;&]++)++)")
_ENDS = re.compile(r"\\.|[\"'|;&\n]", re.DOTALL)

_MOST_GROUPED = 50
"""Commands of one group that are looked at."""

_Command = tuple[int, int, str]
"""Where a command begins and ends, and the sign that ends it."""


def spans(text: str) -> Iterator[Span]:
    """Yield what is fed to a command that reads a secret; commands within quotes are read as well."""
    if "|" in text or "<<" in text or "<(" in text:
        yield from _fed(text, _commands(text, quotes=True))
        if '"' in text or "'" in text:
            yield from _fed(text, _commands(text, quotes=False))


def _commands(text: str, *, quotes: bool) -> Iterator[_Command]:
    """Yield the commands of `text`; with `quotes` a sign between quotes ends none."""
    start, quote = 0, ""
    for match in _ENDS.finditer(text):
        sign = match.group()
        if sign[0] == "\\":
            if quote == "'" and sign == "\\'":
                quote = ""
        elif sign in "\"'":
            if quotes and quote in ("", sign):
                quote = "" if quote else sign
        elif not quote:
            yield start, match.start(), sign
            start = match.end()
    yield start, len(text), ""


def _fed(text: str, commands: Iterator[_Command]) -> Iterator[Span]:
    """Yield what each command is fed with by the one in front of it, or by its own redirections."""
    before, ended, done = (0, 0), "", 0
    group: list[Span] = []
    for start, end, sign in commands:
        if start < done:  # it is a line of a here-document
            continue
        reads = (ended == "|" or "<<" in text[start:end]) and _READS.search(text, start, end) is not None
        piped = before if ended == "|" else None
        if "<(" in text[start:end]:
            yield from _substituted(text, start, end)
        if reads and piped and text[slice(*before)].rstrip()[-1:] in (")", "}"):
            for one in group:
                yield from _printed(text, *one)
        if reads:
            done = yield from _input(text, piped, (start, end))
        elif piped and "base64" in text[start:end][:40]:
            yield from (span for span in _printed(text, *piped) if _PAIR.match(text, *span))
        before, ended = (start, end), sign
        group = _grouped(text, before, group)


def _grouped(text: str, command: Span, group: list[Span]) -> list[Span]:
    """Return the commands of the group that `command` begins, goes on or ends, without its brackets."""
    start, end = command
    while start < end and text[start].isspace():
        start += 1
    opens = text[start : start + 1] in ("(", "{")
    closes = text[start:end].rstrip()[-1:] in (")", "}")
    if not opens and not group:
        return []
    if len(group) > _MOST_GROUPED:
        return []
    inner = start + opens, start + len(text[start:end].rstrip()) - closes
    return [inner] if opens else [*group, inner]


def _substituted(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what is printed into a file that the command from `start` to `end` reads a secret from."""
    if _READS.search(text, start, end) is not None or _READS_FILE.search(text, start, end) is not None:
        for match in _SUBSTITUTED.finditer(text, start, end):
            yield from _printed(text, *match.span(1))


def _input(text: str, piped: Span | None, command: Span) -> Generator[Span, None, int]:
    """Yield the input of one command that reads a secret; return where its here-document ends."""
    done = 0
    for start, end in (piped or (0, 0), command):
        for match in _HERE_STRING.finditer(text, start, end):
            yield from _unless_variable(text, *match.span(1))
        document = _HERE_DOCUMENT.search(text, start, end)
        if document is not None and text[document.start() - 1 : document.start()] != "<" and end > start:
            begin = text.find("\n", end - 1 if text[end - 1 : end] == "\n" else end) + 1
            done = _end_of(text, begin, document.group(2)) if begin else len(text)
            yield begin or len(text), done
    if piped:
        yield from _printed(text, *piped)
    return done


def _end_of(text: str, begin: int, word: str) -> int:
    """Return where the here-document that begins at `begin` ends: at the line that is `word`, or with the text."""
    at = begin
    while at < len(text):
        line = text.find("\n", at)
        line = len(text) if line < 0 else line
        if text[at : min(line, at + 200)].strip() == word:
            return at
        at = line + 1
    return len(text)


def _printed(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what is printed by the command from `start` to `end`, if it does nothing else."""
    prints = _PRINTS.match(text, start, end)
    if prints is None:
        return
    at = prints.end()
    form = _FORMAT.match(text, at, end)
    at = form.end() if form else at
    while end > at and text[end - 1].isspace():
        end -= 1
    yield from _unless_variable(text, at, end)


def _unless_variable(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield what stands between the quotes, if there are any, unless it is the name of a variable."""
    if _VARIABLE.match(text, start, end) is not None:
        return
    quote = text[start : start + 1]
    if quote in ("'", '"') and end - start > 1 and text[end - 1] == quote and text.count(quote, start, end) == 2:
        start, end = start + 1, end - 1
    if start < end:
        yield start, end
