"""The tables of the pages that are written from the code: the settings, and who may loosen them.

usage: python tools/reference.py [--write]

Without ``--write`` it names every table that differs from the code, and ends with status 1
if there is one; with it, the page gets the right one.  A table stands between the comments
``<!-- generated: NAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from phocinae.cli.commands import COMMANDS
from phocinae.settings import KEYS, Settings
from phocinae.settings.meaning import MEANINGS, TABLES, literal, may_loosen

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
MARKED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options_of(field: str) -> list[str]:
    """Return the options that set a field, in the order of the commands."""
    options = (option for command in COMMANDS for option in command.options() if option.field == field)
    return list(dict.fromkeys(option.names[-1] for option in options))


def settings_table() -> str:
    """Return a table of all settings."""
    head = ("setting", "option", "variables", "default", "values", "a project file may")
    rows = [
        (
            f"`{key.toml}`",
            _quoted(options_of(key.field)),
            _quoted(key.environment),
            f"`{literal(getattr(Settings(), key.field))}`",
            key.expects,
            may_loosen(key),
        )
        for key in KEYS
    ]
    return _table(head, rows)


def meanings() -> str:
    """Return what each setting is for, table by table."""
    parts = []
    for table, keys in groupby(KEYS, key=lambda key: key.table):
        rows = [f"- `{key.toml}`: {MEANINGS[key.field]}" for key in keys]
        parts.append("\n".join((f"### `{table}`", "", TABLES[table], "", *rows)))
    return "\n" + "\n\n".join(parts) + "\n\n"


def _quoted(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return (
        "\n"
        + "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |").replace("|  |", "| |") for line in lines)
        + "\n"
    )


GENERATED: dict[str, Callable[[], str]] = {"settings": settings_table, "meanings": meanings}
"""What writes each table, by the name in its comment."""


def corrected(page: str) -> str:
    """Return the text of a page with every marked table as the code has it; KeyError for a name that is not known."""
    return MARKED.sub(lambda found: found[1] + GENERATED[found[2]]() + found[3], page)


def main() -> None:
    """Check or rewrite the page."""
    parser = argparse.ArgumentParser(description="compare the reference with the code")
    parser.add_argument("--write", action="store_true", help="put the right tables into the page")
    write = parser.parse_args().write
    page = PAGE.read_text(encoding="utf-8")
    if corrected(page) == page:
        return
    print(f"{PAGE.name}: {'rewritten' if write else 'differs from the code'}")
    if write:
        PAGE.write_text(corrected(page), encoding="utf-8")
    sys.exit(0 if write else 1)


if __name__ == "__main__":
    main()
