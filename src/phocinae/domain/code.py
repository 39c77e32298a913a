"""A look into code of other languages: not a judgement of it, only a search for what is plainly ruinous.

Code is cut into string literals and the rest.  Where the rest calls for a shell, each
literal is judged as shell text; where it calls for a recursive deletion, each literal is
judged as a path.  Code that is merely unread stays a matter for a person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import effects, places
from .hits import Hits
from .patterns import lazily
from .places import Place
from .values import HOME, Field, Taint

if TYPE_CHECKING:
    from .calls import Call

_LITERAL = lazily(
    r"\"((?:[^\"\\\n]|\\.)*+)(?:\"|\\?\Z|(?=\n))|'((?:[^'\\\n]|\\.)*+)(?:'|\\?\Z|(?=\n))|`((?:[^`\\]|\\.)*+)(?:`|\\?\Z)"
    r"|(?:qx|%x)(?:\(([^)]{0,200})\)|\{([^}]{0,200})\}|\[([^\]]{0,200})\]|/([^/]{0,200})/|\|([^|]{0,200})\||!([^!]{0,200})!)",
    re.S,
)
"""A literal ends at the latest with the line or the text, so that looking for its end never starts anew."""
_WORD = re.compile(r"\w+")
_RUNS_SHELL = frozenset(
    (
        "system popen exec execl execlp execv execvp execve execSync spawn spawnSync execFile execFileSync "
        "execute subprocess shell_exec passthru proc_open getoutput pty qx Open3 check_call check_output"
    ).split()
)
_DELETES = frozenset(
    (
        "rmtree rm_rf rm_r remove_dir removedirs rmSync rmdirSync rimraf remove_tree emptyDir emptyDirSync "
        "removeSync remove_entry_secure"
    ).split()
)
_CHANGES = frozenset(
    (
        "open fopen openSync Path write writeFile writeFileSync appendFile appendFileSync "
        "truncate truncateSync chmod chmodSync chown createWriteStream file_put_contents unlink unlinkSync "
        "remove rm delete"
    ).split()
)
_WHOLE_HOME = lazily(
    r"\b(?:rmtree|rm_rf|rm_r|remove_tree|rmSync|rmdirSync|rimraf|emptyDirSync|emptyDir|removeSync|removedirs)\s*\(\s*"
    r"(?:process\.env\.HOME|(?:os\.)?homedir\(\)|(?:pathlib\.)?Path\.home\(\)|Dir\.(?:home|pwd)|os\.getcwd\(\)|process\.cwd\(\))\s*[,)]"
)
"""A recursive deletion of a home or of the working directory, neither of which need be a literal."""
_LOOPS = frozenset(["while", "until", "loop", "for", "forever"])
_DOWNLOADS = frozenset(("urlopen urllib requests httpx LWP HTTP fetch file_get_contents curl_exec").split())
_EVALUATES = frozenset(["exec", "eval", "compile", "instance_eval"])
_SOCKETS = frozenset(["socket", "Socket", "TCPSocket", "fsockopen", "createConnection"])
_HANDS_SHELL = frozenset(["dup2", "spawn", "sh", "bash", "zsh", "dash", "subprocess"])


def judge(call: Call, text: str, place: Field) -> None:
    """Keep the hits for what is plainly ruinous in `text`, code of any language."""
    literals = [next(group for group in match.groups() if group is not None) for match in _LITERAL.finditer(text)]
    rest = _LITERAL.sub('""', text)
    words = _WORD.findall(rest)
    found = set(words)
    if "fork" in found and _near_loop(words):
        call.note("fork-bomb", place, call.name)
    if found & _SOCKETS and not _HANDS_SHELL.isdisjoint(_WORD.findall(text)):
        call.note("reverse-shell", place, call.name)
    if found & _EVALUATES and (found & _DOWNLOADS or _reads_download(call, literals)):
        call.note("remote-code", place, call.name)
    if call.name in _TCL:
        literals += [match[1] for match in _SPAWNED.finditer(text)][:_MOST_PATHS]
    if (
        found & _RUNS_SHELL or call.name in _TCL or "do shell script" in text or "`" in text or "%x" in text
    ) and _any_denied(call, literals, place):
        call.note("destroys-code", place, call.name)
    if found & _CHANGES:
        _files(call, text, place)
    if found & _DELETES and (any(_is_ruinous(literal) for literal in literals) or _WHOLE_HOME.search(rest)):
        call.note("destroys-code", place, call.name)


_TCL = frozenset(["expect", "tclsh", "wish"])
_SPAWNED = re.compile(r"\b(?:spawn|exec)\s+(?:-\w+\s+)*([^\n;\]]+)")
"""A program that code of Tcl starts, whose words need no quotes."""
_MOST_PATHS = 50
_CHANGED = lazily(
    r"\b(?:(File\.write|(?:write|append)File(?:Sync)?|truncate(?:Sync)?|chmod(?:Sync)?|chown|createWriteStream|file_put_contents)"
    r"|(?:unlink|rm)(?:Sync)?|remove|File\.delete|(open|fopen|openSync|Path)(?:\s*\(\w+,)?)\s*\(?[^'\"`;,\n]{0,60}\Z"
)
"""What stands in front of a path that is written (first group), deleted, or opened (second group)."""
_MODE = lazily(r"\)*\s*,\s*(?:mode\s*=\s*)?['\"](?:[rbtU]*[wax]|[rbt]+\+)|\)\s*\.\s*(?:write|touch|chmod|(unlink))")
_OPENED = re.compile(r"\+?>{1,2}\s*(.+)", re.S)


def _files(call: Call, text: str, place: Field) -> None:
    """Weigh the files that code opens for writing, writes at once, or deletes by a path that stands in it."""
    for match in list(_LITERAL.finditer(text))[:_MOST_PATHS]:
        path = next(group for group in match.groups() if group is not None)
        found = _CHANGED.search(text, max(match.start() - 100, 0), match.start())
        if found is None or not path:
            continue
        written, deleted = found[1] is not None, found[1] is None and found[2] is None
        if found[2] is not None:
            mode, perl = _MODE.match(text, match.end()), _OPENED.match(path)
            path = path if perl is None else perl[1]
            written, deleted = mode is not None or perl is not None, mode is not None and mode[1] is not None
        if path[:1] == "~" or text[: match.start()].rstrip().endswith("+"):  # joined to what is most likely the home
            path = HOME + path.lstrip("~")
        if deleted:
            effects.delete(call.walker, place.with_text(path), call.state, recursive=False)
        elif written:
            effects.write(call.walker, place.with_text(path), call.state)


def _reads_download(call: Call, literals: list[str]) -> bool:
    """Return whether one of the paths is a file into which the text itself has downloaded something."""
    kept = (call.walker.files.of(literal, call.state.cwd) for literal in literals[:_MOST_PATHS])
    return any(content.taint & Taint.REMOTE for contents in kept for content in contents)


def shell_literals(call: Call, text: str, place: Field) -> None:
    """Keep the hit for code that runs shell commands, one of which is denied."""
    literals = [next(group for group in match.groups() if group is not None) for match in _LITERAL.finditer(text)]
    if _any_denied(call, literals, place):
        call.note("destroys-code", place, call.name)


def _near_loop(words: list[str]) -> bool:
    """Return whether ``fork`` stands within six words of a loop's keyword."""
    forks = [place for place, word in enumerate(words) if word == "fork"]
    return any(_LOOPS & set(words[max(place - 6, 0) : place + 6]) for place in forks[:50])


def _any_denied(call: Call, literals: list[str], place: Field) -> bool:
    """Return whether one of the texts, or all of them as one command, is denied as shell text."""
    walker = call.walker
    texts = [literal for literal in literals if literal.strip()]
    if len(texts) > 1:
        texts.append(" ".join(texts))
    before, walker.hits = walker.hits, Hits()
    try:
        for text in texts[:20]:
            walker.text(text, place, call.state.copy())
        return walker.hits.denies()
    finally:
        walker.hits = before


def _is_ruinous(path: str) -> bool:
    path = HOME + path[1:] if path.startswith("~") else path
    return bool(path) and places.place(path) not in (Place.ORDINARY, Place.WORKING, Place.PARENT)
