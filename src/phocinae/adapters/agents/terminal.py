"""Whether this process belongs to a terminal, for agents whose payload does not tell if a person is there."""

from __future__ import annotations

import os


def present() -> bool:
    """Tell whether there is a controlling terminal; without one nobody can be asked."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
