"""What only texts and paths of Windows need; loaded when one occurs."""

from __future__ import annotations

from importlib import import_module

from ..shell import Dialect, Reading


def read(text: str, dialect: Dialect) -> Reading:
    """Return what a text says in a dialect of Windows, read by the module of that name."""
    reading: Reading = import_module(f"{__name__}.{dialect.value}").read(text)
    return reading
