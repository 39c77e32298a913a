from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from attrs import fields

from phocinae.adapters.settings_sources import from_file
from phocinae.settings import KEYS, Settings, Source, merge
from phocinae.settings.meaning import MEANINGS, TABLES
from phocinae.settings.template import template

ENTRY = re.compile(r"^#(\w+ = )", re.MULTILINE)


def loaded(text: str, folder: Path) -> Settings:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return merge(from_file(str(path), Source.USER)).settings


def test_every_field_and_every_table_has_a_meaning() -> None:
    assert list(MEANINGS) == [attribute.name for attribute in fields(Settings)]
    assert list(TABLES) == list(dict.fromkeys(key.table for key in KEYS))


@pytest.mark.parametrize("text", [*MEANINGS.values(), *TABLES.values()])
def test_a_meaning_is_one_line_of_a_sentence(text: str) -> None:
    assert text.isascii()
    assert text.isprintable()
    assert text.endswith(".")
    assert len(text) < 120


def test_the_template_sets_nothing() -> None:
    assert tomllib.loads(template()) == {table: {} for table in TABLES}


def test_every_key_is_there_once_and_on_its_default(tmp_path: Path) -> None:
    text = ENTRY.sub(r"\1", template())
    assert [f"{table}.{name}" for table, keys in tomllib.loads(text).items() for name in keys] == [
        key.toml for key in KEYS
    ]
    assert loaded(text, tmp_path) == Settings()


@pytest.mark.parametrize("number", range(len(KEYS)))
def test_each_line_alone_can_be_uncommented(number: int, tmp_path: Path) -> None:
    pieces = re.split(r"^#(?=\w+ = )", template(), flags=re.MULTILINE)
    text = "#".join(pieces[: number + 1]) + "#".join(pieces[number + 1 :])
    (table,) = [table for table, keys in tomllib.loads(text).items() if keys]
    assert f"{table}.{next(iter(tomllib.loads(text)[table]))}" == KEYS[number].toml
    assert loaded(text, tmp_path) == Settings()


def test_each_key_says_who_may_loosen_it() -> None:
    said = re.findall(r"hook (may only make it stricter|cannot change it)\.\n#(\w+) = ", template())
    assert [(words == "may only make it stricter", name) for words, name in said] == [
        (key.can_tighten, key.name) for key in KEYS
    ]
