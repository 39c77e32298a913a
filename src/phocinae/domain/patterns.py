"""Regular expressions that are compiled when they are first used.

To compile a large one takes as long as dozens of judgements, and a gate that starts once per
command needs few of them.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    def __init__(self, pattern: str, flags: int) -> None:
        self._of = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Return a method of the pattern, and keep it, so that this is asked once for each."""
        method = getattr(re.compile(*self._of), name)  # re keeps what it has compiled
        setattr(self, name, method)
        return method


def lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what stands for a compiled pattern: the same methods, and the work at the first use of one."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
