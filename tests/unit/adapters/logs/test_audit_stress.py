"""A small run of the tool that stresses the decision log."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

import audit_stress


@pytest.mark.parametrize("max_size", [10**9, 65_536])
def test_writers_that_are_killed_lose_at_most_the_record_in_flight(tmp_path: Path, max_size: int) -> None:
    options = Namespace(size=2_000, max_size=max_size, kills=6)
    assert audit_stress.killed(str(tmp_path / "audit.jsonl"), options) == []
