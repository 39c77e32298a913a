"""PowerShell as other shells start it, and its command for evaluating text, which some texts for it begin with."""

from __future__ import annotations

from ..knowledge import Program
from .cmdlets_code import HOST

PROGRAMS: dict[str, Program] = dict.fromkeys(
    "powershell powershell.exe pwsh pwsh.exe pwsh-preview powershell_ise powershell_ise.exe".split(), HOST
)
