"""The measured figures as one file, `results.json`, and as the table in the READMEs.

Each benchmark replaces its own section with ``--write``.  The table between the markers
of a README is written from that file by ``python benchmarks/figures.py`` and compared with it by
a test, so that no figure stands there that nobody measured.
"""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results.json"

Section = dict[str, Any]


def load(path: Path = RESULTS) -> dict[str, Section]:
    """Return all sections that were measured; empty when nothing was."""
    if not path.is_file():
        return {}
    sections: dict[str, Section] = json.loads(path.read_text(encoding="utf-8"))
    return sections


def write(name: str, figures: Section, path: Path = RESULTS) -> None:
    """Replace the section `name`, and add when and on which Python it was measured."""
    sections = load(path)
    stamp = {"measured": datetime.now(UTC).strftime("%Y-%m-%d"), "python": platform.python_version()}
    sections[name] = stamp | figures
    path.write_text(json.dumps(dict(sorted(sections.items())), indent=2) + "\n", encoding="utf-8", newline="\n")


def percent(pair: list[int]) -> str:
    """Return a pair of hits and total as a share in percent, rounded down so that it never flatters."""
    hits, total = pair
    return f"{int(1000 * hits / total) / 10:.1f} % ({hits} of {total})"
