"""Signs by which a text may be in a language of Windows, although nobody said so.

This is looked for in every text, and so with no more than one small regular expression as a
rule, since to compile a large one takes longer than to judge a command.  What is found is only a suspicion;
`phocinae.domain.dialects` looks closer.
Sources: about_Commands ("Approved verbs"), about_Aliases; the Windows command reference.
"""

from __future__ import annotations

import re

from .patterns import lazily

_MARKS = ("env:", "]::", "$ps", "$profile", "\\\\?\\", "\\\\.\\", "hklm", "hkcu", "hkcr", "hku\\", ">nul", "> nul")
"""Each holds one of > : $ \\ and hk."""
_MARK = re.compile("|".join(map(re.escape, _MARKS)))
_WORD = re.compile(r"""[^\s;|&(){}"'`=]+""")
_HYPHEN = re.compile("[a-z]-")
_VERBS = frozenset(
    "add clear complete compress connect convert convertfrom convertto copy debug disable disconnect dismount enable "
    "enter exit expand export find foreach format get grant group hide import initialize install invoke join limit "
    "lock measure merge mount move new open optimize out ping pop protect publish push read receive register remove "
    "rename repair reset resize resolve restart restore resume revoke save search select send set show sort split "
    "start step stop submit suspend switch tee test trace unblock undo uninstall unlock unprotect unregister update "
    "use wait watch where write".split()
)
"""The first halves of the names of cmdlets (about_Commands, "Approved verbs")."""
_NAMES = frozenset(
    "ac clc cli clv copy del ebp epal epcsv erase fl ft fw gal gbp gc gci gcm gdr ghy gi gjb gl gm gmo gp gps "
    "gsv gu gv gwmi icm iex ihy ii ipal ipcsv ipmo irm iwmi iwr md mi move nal ndr ni nmo nv ogv oh rd "
    "ren ri rjb rmo rni rp rv rvpa rwmi sajb sal saps sasv si sl sp spjb spps spsv sv cls".split()
)
"""Names of commands by which a text is taken to be perhaps in a language of Windows."""
_OF_CMD = frozenset(
    "type exist defined errorlevel vssadmin wbadmin bcdedit net reg sc wmic schtasks netsh diskpart wevtutil fsutil "
    "auditpol taskkill certutil mshta expand".split()
)
"""Words that cmd has a meaning for, if they stand where it looks for them."""
_ALONE = _NAMES | _OF_CMD
_LONG_SWITCHES = frozenset(f"/{name[:length]}" for name in ("output", "offline") for length in range(2, len(name) + 1))
"""With them sort writes a file, and find is the one of Windows."""
_SHARE = lazily(r"""(?<![^\s"'=,:])\\\\[a-z0-9][\w.-]*\\""")
"""The name of another machine, where a path begins."""
_FIRST_WORD = (
    r"""(?:\A|[;|&(){}"'`\n]|(?:\$[\w:.{}[\]]++|@\{[ \t]*+\w++)[ \t]*+[-+*/%]?=)"""
    r"""[ \t]*+([a-z]++(?:-[a-z]++)?+)(?![\w:-]|["']++\w)"""
)
"""A quote that joins a letter makes it a piece of another name; only what PowerShell assigns is a command."""


def may_be_windows(text: str) -> bool:
    """Return whether a text may show signs of PowerShell or of cmd."""
    low = text.lower()
    if (">" in low or ":" in low or "$" in low or "\\" in low or "hk" in low) and _MARK.search(low):
        return True
    if (":" in low and _has_drive(low)) or ("^" in low and _has_caret(low)):
        return True
    if "\\\\" in low and _SHARE.search(low):
        return True
    if "%" in low and (" in " in low or re.search(r"%\w{3,}[%:]", low)):
        return True
    words: list[str] = _WORD.findall(low)
    if not _ALONE.isdisjoint(words):
        return True
    if "/" not in low and not _HYPHEN.search(low):
        return False
    for word in words:  # noqa: SIM110 - `any` with a generator takes twice as long
        if ("-" in word or "/" in word) and word[0] != "-" and _is_suspicious(word):
            return True
    return False


def _has_drive(low: str) -> bool:
    at = low.find(":", 1)
    while at > 0:
        if low[at + 1 : at + 2] in ("\\", "/") and low[at - 1].isalpha() and (at == 1 or not low[at - 2].isalnum()):
            return True
        at = low.find(":", at + 1)
    return False


def _has_caret(low: str) -> bool:
    """Return whether a caret stands within a word, or escapes another."""
    at = low.find("^", 1)
    while at > 0:
        if low[at + 1 : at + 2].isalpha() and (low[at - 1].isalpha() or low[at - 1] == "^"):
            return True
        at = low.find("^", at + 1)
    return False


def _is_suspicious(word: str) -> bool:
    """Return whether a word with a hyphen or a slash inside is the name of a cmdlet, a switch of cmd, or a drive."""
    if word[0] == "/":
        return len(word) == 2 or word[2:3] in ("/", ":") or word in _LONG_SWITCHES
    if "/" in word:
        return word[word.index("/") + 1 :][:1] in ("s", "q", "f") and word.partition("/")[0] in _NAMES
    return is_sign(word)


def words_in_front(text: str) -> set[str]:
    """Return the words of a text in front of which a command may end in some language, if they are names of Windows."""
    return {name for name in re.findall(_FIRST_WORD, text.lower()) if is_sign(name)}


def is_sign(name: str) -> bool:
    """Return whether a name in lower case is one of commands of Windows, and of no program of POSIX."""
    return name in _NAMES or (name.count("-") == 1 and name.partition("-")[0] in _VERBS)
