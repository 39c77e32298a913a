"""How texts from outside stand in a state that a model reads: as JSON on one line, so that none can forge another line.

A model takes what it reads for what it looks like.  Quotes, escapes and line ends of a text
are written as JSON writes them, and so is every character that shows nothing, or turns the
direction of writing, and the beginning of what tokenizers keep for marks of their own, such
as the end of a text; letters of all languages stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from .shell import Command, Node, PartKind, Reading, Redirection, Word
from .verdict import ReadingStatus
from .visible import sign

LONGEST_WORD = 80
"""The most characters that are shown of one word of a command."""

MOST_SHOWN = 2_000
"""The most characters that the list of commands may take."""

UNSHOWN = "…"
"""Stands for what is not known or not shown."""

_MARK = re.compile(r"<(?=[^\s<>]{1,60}>)|\[(?=@?[A-Z]{2,20}@?\])|\u2581")
"""Begins a mark such as <eos>, <|end|> or [SEP], or stands for a blank: tokenizers look for these in the text."""

_WINDOWS_COMMENT = re.compile(r"#|(?<![^\s&|(@,;=])(?:rem(?!\w)|:)", re.IGNORECASE)

_CARRIERS = frozenset(
    (
        "sh bash zsh dash ksh mksh ash rbash fish csh tcsh elvish nu xonsh yash pwsh powershell cmd wsl eval ssh su "
        "sudo doas runuser xargs parallel watch watchexec entr script flock tmux screen hyperfine nodemon concurrently"
    ).split()
)
"""Programs that may run a word, or what they are fed, as a text in a shell's language of its own."""

_DOCUMENTS = frozenset(("<<", "<<<"))


def in_json(value: object) -> str:
    """Return `value`, which is made of texts, lists and objects, as JSON on one line in which everything is visible."""
    text = json.dumps(value, ensure_ascii=False)
    if not text.isascii() or not text.isprintable():
        text = "".join(one if sign(one) == one else json.dumps(one)[1:-1] for one in text)
    return _MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def without_comments(text: str, reading: Reading) -> tuple[str, bool]:
    """Return a command without what no shell runs, and whether that is all of its comments.

    Where the reading has any doubt about what is run, they stay.
    """
    if reading.status is not ReadingStatus.COMPLETE:  # it may not have come to where they stand
        return text, "#" not in text
    if reading.differences:
        return text, not reading.comments
    kept, at, whole = [], 0, True
    for start, end in reading.comments:
        if at <= start < end and text[start] == "#" and "\n" not in text[start:end]:
            kept.append(text[at:start])
            at = end
        else:
            whole = False
    return "".join([*kept, text[at:]]), whole


def may_carry_comment(text: str, reading: Reading) -> bool:
    """Tell whether a command may hand a text on that a shell then reads, with comments of its own in it.

    `text` is the command without the comments that are known.  It is told by the names of
    programs, wherever they stand, and by any ``#``: nothing here reads what is carried.
    """
    words = [word.literal or "" for command in _commands(reading.script) for word in command.words]
    carried = any(word.rpartition("/")[2].removesuffix(".exe") in _CARRIERS for word in words)
    return carried and ("#" in text or "#" in commands_in(reading))  # which may stand there as an escape only


def may_hold_windows_comment(text: str) -> bool:
    """Tell whether a text may hold a comment of PowerShell or cmd (about_Comments; ``rem`` and labels of cmd)."""
    return _WINDOWS_COMMENT.search(text) is not None


def commands_in(reading: Reading) -> str:
    """Return the simple commands of a reading as a JSON array of arrays, with one element for each word.

    A word that is known stands there as a text, one with quotes as ``{"data": …}``, and one
    that a shell would expand as ``{"unknown": …}`` with what of it is written out.
    Assignments are ``{"set": name, "to": …}``, redirections ``{"redirect": operator, "to": …}``, and
    here-documents ``{"input": …}``.  What is left out is ``{"more": true}`` at the end.
    """
    rows: list[str] = []
    left = MOST_SHOWN
    for command in _commands(reading.script):
        row = []
        for element in _elements(command):
            row.append(in_json(element))
            left -= len(row[-1]) + 2
            if left < 0:
                row[-1] = '{"more": true}'
                break
        rows.append(f"[{', '.join(row)}]")
        left -= 4
        if left < 0:
            break
    return f"[{', '.join(rows)}]"


def _commands(node: Node | None) -> Iterator[Command]:
    """Yield the simple commands of a script in the order of the text, each before those in its words."""
    if node is None:
        return
    words = [*node.words, *(redirection.target for redirection in node.redirections)]
    if isinstance(node, Command):
        yield node
        words += [word for assignment in node.assignments for word in assignment.words]
    for script in _scripts(words):
        yield from _commands(script)
    if not isinstance(node, Command):
        for part in node.parts:
            yield from _commands(part)


def _scripts(words: Iterable[Word]) -> Iterator[Node]:
    for word in words:
        for part in word.parts:
            yield from _scripts(part.words)
            if part.script is not None:
                yield part.script


def _elements(command: Command) -> Iterator[object]:
    for assignment in command.assignments:
        yield {"set": assignment.name[:LONGEST_WORD], "to": [_shown(word) for word in assignment.words]}
    for place, word in enumerate(command.words):
        # the name of a program is no data, however it is quoted
        name = word.literal if place == 0 else None
        yield _shown(word) if name is None else _cut(name)
    for redirection in command.redirections:
        yield _redirected(redirection)


def _redirected(redirection: Redirection) -> object:
    if redirection.operator in _DOCUMENTS:
        return {"input": _shown(redirection.target)}
    return {"redirect": redirection.descriptor + redirection.operator, "to": _shown(redirection.target)}


def _shown(word: Word) -> object:
    """Return a word as it is shown: known, quoted, or with an ellipsis in it for what is not known."""
    texts, known, quoted = [], True, False
    for part in word.parts:
        if part.kind is PartKind.LITERAL:
            texts.append(part.text)
            quoted = quoted or part.quoted
        elif part.kind is PartKind.TILDE:
            texts.append(f"~{part.text}")
        else:
            known = False
            texts.append(part.text if part.kind is PartKind.GLOB else _expansion(part.kind, part.text))
    text = _cut("".join(texts))
    if not known:
        return {"unknown": text}
    return {"data": text} if quoted else text


def _expansion(kind: PartKind, text: str) -> str:
    return f"${text}" if kind is PartKind.PARAMETER else UNSHOWN


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_WORD else text[:LONGEST_WORD] + UNSHOWN
