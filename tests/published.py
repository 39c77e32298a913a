"""The published packages, in environments of their own, that some contract tests talk to.

``sh tools/peers FOLDER`` makes the environments, and the variable PHOCINAE_TEST_PEERS
names FOLDER.  Without it those tests are skipped, and say so.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_FOLDER = os.environ.get("PHOCINAE_TEST_PEERS", "")  # read once: no test keeps a variable of that prefix


def interpreter(name: str) -> Path:
    """Return the Python of the environment `name`, ``guard`` or ``server``; skip the test where there is none.

    A folder that is named and holds no such environment fails the test: it was meant to be there.
    """
    if not _FOLDER:
        pytest.skip("PHOCINAE_TEST_PEERS names no folder; make one with: sh tools/peers FOLDER")
    python = Path(_FOLDER).resolve() / name / "bin" / "python"
    assert python.exists(), f"{python} is not there; run: sh tools/peers {_FOLDER}"
    return python
