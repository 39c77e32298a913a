"""The table of families: every name that it lists has a description, and belongs to one family."""

from __future__ import annotations

from collections import Counter

import pytest

from phocinae.domain import programs
from phocinae.domain.knowledge import Program


@pytest.mark.parametrize("family", programs.FAMILIES)
def test_every_listed_name_is_described(family: str) -> None:
    for name in programs.FAMILIES[family].split():
        assert isinstance(programs.find(name), Program), name


def test_no_name_stands_in_two_families() -> None:
    names = Counter(name for names in programs.FAMILIES.values() for name in names.split())
    assert [name for name, times in names.items() if times > 1] == []


def test_an_unknown_name_is_not_described() -> None:
    assert programs.find("no-such-program") is None
