"""A machine whose name server never answers: the program `phocinae` in it, or the process of a test for a while.

usage: python no_names.py ARGUMENTS-OF-PHOCINAE...
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch


@contextlib.contextmanager
def no_names() -> Iterator[None]:
    """Let every look-up of a name hang as long as the block lasts; addresses in figures need none."""
    real, over = socket.getaddrinfo, threading.Event()

    def look_up(
        host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[tuple[Any, ...]]:
        try:
            return list(real(host, port, family, type, proto, flags | socket.AI_NUMERICHOST))
        except socket.gaierror:
            if not flags & socket.AI_NUMERICHOST:
                over.wait()
            raise

    with patch("socket.getaddrinfo", look_up):
        try:
            yield
        finally:
            over.set()


if __name__ == "__main__":
    from phocinae.cli.entry import main

    sys.argv[0] = "phocinae"
    with no_names():
        main()
