"""Signs by which a text may be in a language of Windows, although nobody said so.

Sources: about_Commands ("Approved verbs"), about_Aliases; the Windows command reference.
"""

from __future__ import annotations

import re

_SIGN = re.compile(
    r"""(\$\{?env:|\$ps(?:versiontable|home)\b|\]::|%(?:user(?:profile|name|domain)|home(?:path|drive)|system(?:root|drive)|windir|(?:local)?appdata|program(?:files|data|w6432)|te?mp|path|comspec|public|computername|allusersprofile|cd)[%:(]|(?<![a-z0-9])[a-z]:[\\/]|\\\\[?.]\\)"""
    r"""|(?:\A|[;|&(){}"'`=\n])[ \t]*+([a-z]+(?:-[a-z]+)?)""",
    re.I,
)
"""Drives and variables of Windows, and words in front of which a command may end in some language."""
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


def may_be_windows(text: str) -> bool:
    """Return whether a text shows signs of PowerShell or of cmd; one without costs no more than this look."""
    return any(not name or is_sign(name.lower()) for _, name in _SIGN.findall(text))


def words_in_front(text: str) -> set[str]:
    """Return the names of a text, in lower case, by which it may be in a language of Windows."""
    return {match[2].lower() for match in _SIGN.finditer(text) if match[2] and is_sign(match[2].lower())}


def is_sign(name: str) -> bool:
    """Return whether a name in lower case is one of commands of Windows, and of no program of POSIX."""
    return name in _NAMES or ("-" in name and name.partition("-")[0] in _VERBS)
