"""What subcommands of git print, where other commands take it for their words.

Sources: git-rev-parse(1), git-rev-list(1), git-log(1), git-merge-base(1), git-describe(1), git-ls-files(1), git-check-ref-format(1).
"""

from __future__ import annotations

from .. import secrets
from ..calls import Call
from ..usage import Usage
from ..values import HOLE, NUMBER, STAR, Field, Stream
from .judging import glob, names_secret

TRACKED = HOLE + ".tracked"
"""The name of a file that the repository holds: unknown, and no more secret than the repository."""
OBJECT_NAME = "…"
"""Stands for the name of an object: none is an option, a path or several words."""
ONE_WORD = HOLE
"""The name of a branch or tag: unknown, but one word (git-check-ref-format(1))."""


_REVISION = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@{}^~-")
"""Characters of a revision that is one word, and no pattern, even if it comes out as it went in."""


def rev_parse(call: Call, usage: Usage) -> Stream | None:
    """A revision comes out as an object's name, or as it went in if it is none; a top folder is the working one."""
    if usage.names == {"--show-toplevel"} and not usage.operands:
        return Stream(None, call.taint, call.guess(call.state.cwd))
    given = usage.operands[0].static if len(usage.operands) == 1 else None
    if given is None or usage.unlisted or secrets.is_secret(given) or not _REVISION.issuperset(given):
        return None
    if usage.names <= {"--verify", "-q", "--quiet", "--short"}:
        return Stream(OBJECT_NAME + "\n", call.taint)
    if usage.names <= {"--abbrev-ref", "--symbolic-full-name"}:
        return Stream(ONE_WORD, call.taint)
    return None


_SELECTS_COMMITS = frozenset(
    "-n --max-count --skip --since --after --until --before --author --committer --grep --all --branches --tags --remotes --first-parent "
    "--no-merges --merges --reverse --not --no-walk --date-order --topo-order -i -E -F -1 -2 -3 -4 -5 -6 -7 -8 -9 -0".split()
)


def _single(usage: Usage) -> bool:
    counts = [value.text for value in usage.values("-n", "--max-count")]
    return (counts == ["1"] and not usage.has(*"-0 -2 -3 -4 -5 -6 -7 -8 -9".split())) or (
        not counts and [option.name for option, _ in usage.options if option.name[1:].isdigit()] == ["-1"]
    )


def rev_list(call: Call, usage: Usage) -> Stream | None:
    """Names of commits come out, one on a line, or their number."""
    if usage.unlisted or not usage.names <= _SELECTS_COMMITS | {"--count"}:
        return None
    if usage.has("--count"):
        return Stream(NUMBER + "\n", call.taint)
    return Stream(OBJECT_NAME + "\n" if _single(usage) else None, call.taint, item=OBJECT_NAME)


def commit_names(call: Call, usage: Usage) -> Stream | None:
    """With ``--format=%H`` the name of each commit comes out, and nothing else."""
    formats = [value.text for value in usage.values("--format", "--pretty")]
    if formats not in (["%H"], ["%h"], ["format:%H"], ["format:%h"]) or usage.unlisted:
        return None
    if not usage.names <= _SELECTS_COMMITS | {"--format", "--pretty"}:
        return None
    return Stream(OBJECT_NAME + "\n" if _single(usage) else None, call.taint, item=OBJECT_NAME)


def merge_base(call: Call, usage: Usage) -> Stream | None:
    """One object's name comes out, or nothing."""
    return Stream(OBJECT_NAME + "\n", call.taint) if not usage.names else None


def ref_name(call: Call, usage: Usage) -> Stream | None:
    """A name of a reference comes out, with a mark behind it if one is asked for."""
    marked = usage.values("--dirty", "--broken")  # any text, which is put behind the name
    return None if marked else Stream(ONE_WORD, call.taint)


_MORE_THAN_NAMES = (
    "-o --others -i --ignored -s --stage -u --unmerged -t -v -f --eol --debug --format -k --killed --resolve-undo"
).split()


def ls_files(call: Call, usage: Usage) -> Stream | None:
    """Names of files that the repository holds come out, one on a line or behind one null character."""
    if usage.has(*_MORE_THAN_NAMES):
        return None
    if names_secrets(usage.operands):
        return None
    plain = not usage.has("--full-name") and not any(word.text.startswith(":") for word in usage.operands)
    return Stream(None, call.taint, item=_listed(usage.operands) if plain else TRACKED)


def names_secrets(words: tuple[Field, ...]) -> bool:
    """Return whether one of these pathspecs names secrets; a wildcard in it matches a leading dot, too (gitglossary(7))."""
    patterns = [glob(word.text) for word in words]
    return any(names_secret(one) or secrets.is_secret("." + one.lstrip(STAR)) for one in patterns)


def _listed(patterns: tuple[Field, ...]) -> str:
    """Return what each name matched by these pathspecs is: its folder and its ending, as far as they all agree."""
    endings = {word.text.rpartition("*.")[2] for word in patterns}
    ending = endings.pop() if len(endings) == 1 else ""
    folder = ""
    if len(patterns) == 1 and patterns[0].text[:1].isalnum():
        folder = patterns[0].text.partition("*")[0].rpartition("/")[0]
    name = f"{HOLE}.{ending}" if ending.isalnum() and ending.isascii() and "*." in patterns[0].text else TRACKED
    return f"{folder}/{name}" if folder and not folder.startswith("-") else name
