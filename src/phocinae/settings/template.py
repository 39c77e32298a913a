"""The settings file that ``config init`` writes: every key on its default, commented out and explained."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from . import KEYS, Settings
from .keys import Key
from .meaning import MEANINGS, TABLES, literal

_HEAD = """\
# Settings of phocinae.
#
# Each key stands on its default. To change one, take away the # in front of it.
# What is in force, and where it comes from: phocinae config show
#
# This file must be yours and not writable by others. A managed file comes before it,
# environment variables and options after it. Project files, and the environment of a
# hook, can only make the gate stricter, and change nothing else.
"""

_BOUND = {True: "may only make it stricter", False: "cannot change it"}


def template() -> str:
    """Return the text of the file, in TOML; as it is, it sets nothing."""
    defaults = Settings()
    lines = [_HEAD]
    for table, keys in groupby(KEYS, key=lambda key: key.table):
        lines += [f"\n# {TABLES[table]}\n[{table}]\n"]
        lines += [line for key in keys for line in _entry(key, defaults)]
    return "".join(lines)


def _entry(key: Key, defaults: Settings) -> Iterator[str]:
    yield f"\n# {MEANINGS[key.field]}\n"
    variable = f" Variable: {key.environment[0]}." if key.environment else ""
    yield f"# Give {key.expects}.{variable}\n"
    yield f"# A project file or the environment of a hook {_BOUND[key.can_tighten]}.\n"
    yield f"#{key.name} = {literal(getattr(defaults, key.field))}\n"
