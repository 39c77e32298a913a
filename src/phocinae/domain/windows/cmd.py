"""Reads the language of cmd.exe into the model of `phocinae.domain.shell`.

A text passes through four modules: `cmd_variables` puts values in the place of variables,
`cmd_lexer` resolves quotes and carets, `cmd_parser` and `cmd_compounds` find the commands,
and `cmd_words` divides each into words.

Source: Microsoft, "cmd", with the pages on "for", "if", "set", "call" and "goto".
"""

from __future__ import annotations

import re

from ..shell import Gap, Reading
from ..verdict import ReadingStatus
from . import cmd_lexer
from .cmd_parser import Parser, TooDeep
from .cmd_variables import Expansion, TooLong

LONGEST_LINE = 8_191
"""Characters that cmd takes in one line (Microsoft, "Command prompt line string limitation")."""


def read(text: str) -> Reading:
    """Return what the text says; never raise for any text."""
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        return _refused(text, "a line is longer than cmd takes")
    try:
        expanded = Expansion(text)
        gaps = list(expanded.gaps)
        script = Parser(cmd_lexer.read(expanded.raw, gaps), gaps).script()
    except TooLong:
        return _refused(text, "the values of its variables make it too long")
    except (TooDeep, RecursionError):  # the caller may have left little of the stack
        return _refused(text, "commands stand too deep in each other")
    status = ReadingStatus.UNKNOWN if gaps else ReadingStatus.COMPLETE
    return Reading(status=status, script=script, gaps=tuple(gaps))


def _refused(text: str, why: str) -> Reading:
    return Reading(status=ReadingStatus.REFUSED, gaps=(Gap(0, len(text), why),))


_OWN = (
    "rd|rmdir|del|erase|dir|copy|move|ren|rename|md|mkdir|mklink|type|cls|ver|vol|assoc|ftype|attrib|xcopy|robocopy|"
    "findstr|where|tree|start|call|tasklist|taskkill|schtasks|sc|net|net1|reg|regedit|netsh|wmic|vssadmin|wbadmin|"
    "bcdedit|diskpart|format|cipher|takeown|icacls|cacls|certutil|bitsadmin|mshta|rundll32|regsvr32|wevtutil|fsutil|"
    "auditpol|dism|sfc|systeminfo|ipconfig|getmac|shutdown|forfiles|cscript|wscript|msiexec|setx|fc|comp|choice|cd|chdir|cmd|wsl|runas"
)
_LOUD = (
    "VSSADMIN|WBADMIN|BCDEDIT|NET|REG|SC|WMIC|SCHTASKS|NETSH|DISKPART|WEVTUTIL|FSUTIL|AUDITPOL|TASKKILL|CERTUTIL|MSHTA"
)
"""Programs that a POSIX shell knows in lower case only."""
_PLAUSIBLE = re.compile(
    rf"""(?ix)
    (?: \A | [&|(@\n] | \bdo\b | \belse\b ) [\s@(,;=]{{0,20}}+ (?:
        (?:{_OWN}) (?:\.exe|\.com)? (?: \s* /[a-z?]
          | [\s,;=]+ [^&|(@\n]{{0,200}} (?: (?<=[\s,;=]) /[a-z?]+\b | \\ | (?<!\w)[a-z]: | %\w ) )
      | (?:rd|md|del|erase|ren|cls|ver|vol|copy|move|assoc|ftype|systeminfo|tasklist|ipconfig|findstr) (?=[\s/.&|]|\Z)
      | (?:{_LOUD}) \s
      | (?:cd|chdir|md|dir) [\\.]
      | type \s+ [^\s|&]* [.\\]
      | sort \s [^&|\n]{{0,200}} (?<=\s) /o[a-z]{{0,5}} (?![\w/.])
      | find \s (?=[^&|\n]{{0,200}}") [^&|\n]{{0,200}} (?<=\s) /(?:[vcni]|off(?:line)?) (?![\w/.])
      | expand \s [^&|\n]{{0,200}} (?: \.cab\b | \.\w\w_(?!\w) | (?<=\s)[-/](?:[rd]\b|f:) )
      | (?:find|more|sort) \s [^&|\n]{{0,200}} (?<=[\s"]) \\\\ [a-z0-9]
      | for \s+ (?:/[dlrf]\b[^%\n]{{0,200}})? %%?[a-z] \s+ in
      | if \s+ (?:/i\s+)? (?:not\s+)? (?: exist | defined | errorlevel | "?%\w
          | [^\s\[(]{{1,200}} \s* (?:==|\s(?:equ|neq|lss|leq|gtr|geq)\s) )
      | set \s+ (?:/[ap]\s+)? "?\w+=
      | rem\s | :: | echo\s+(?:on|off)\b | echo[.:(]
      | [a-z^"]{{0,40}} \^ [a-z"^]
      | %\w+ (?: :[^%\n]* )? %
    )
    | %(?: userprofile | homepath | homedrive | systemroot | systemdrive | windir | comspec | appdata | localappdata
         | programfiles(?:\(x86\))? | programdata | temp | tmp | username | computername | cd | path | errorlevel )
      (?: :[^%\n]* )? %
    | (?-i: %[A-Z][A-Z0-9_]{{2,}} (?: :[^%\n]*=[^%\n]* )? % ) | %\w+:~
    | %(?=[a-z_])\w{{0,40}} (?: token | secret | passw | passphrase | api_?key | access_?key | credential ) \w{{0,40}}
      (?: :[^%\n]* )? %
    | [12]?>>? \s* nul\b
    """
)


def plausible(text: str) -> bool:
    """Return whether a text shows signs of cmd: its own commands, variables and escapes."""
    return _PLAUSIBLE.search(text) is not None
