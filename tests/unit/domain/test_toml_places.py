from __future__ import annotations

import re
import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.toml_places import MOST_PARTS, fault, keys, parts, places

# Ways to write "the key x of the table t is the number N"; each sign @ stands for the line in which it stands.
SPELLINGS = (
    "[t]\nx = @\n",
    "[t] # [u]\nx = @ # y = 1\n",
    "[ \"t\" ]\n'x' = @\n",
    "['t']\n\t\"x\"\t=\t@\n",
    '["\\u0074"]\n"\\u0078" = @\n',
    "t.x = @\n",
    't . "x" = @\n',
    "t = {x = @}\n",
    "t = { y = [1,\n 2, # }\n ], x = @ }\n",
    't = { y = """\nx = 1\n""", "x" = @, z = {x = 1} }\n',
    "t = { y = [{x = 1}, {x = 2}], x = @ }\n",
    "[t]\ny = [\n  'x = 1', # ]\n  [\"]\"],\n]\nx = @\n",
    '[t]\ny = """\nx = 1\n\\"""\n""\n"""""\nx = @\n',
    "[t]\ny = '''\nx = 1\n'' \\\n'''''\nx = @\n",
    "[t.u]\nx = 1\n[t]\nx = @\n",
    "[[u]]\nx = 1\n[[u]]\nx = 2\n[t]\nx = @\n",
    '[t]\n"y" = "\\""\n"y#" = "#"\nx = @\n',
    "[t]\ny = 1979-05-27 07:32:00Z\nx = @\n",
    "[t]\ny = '\u2028\x85'\n# \u2028\x85\nx = @\n",
)
FILLERS = ("", "\n", "# x = 1\n", "  # [t]\n\t\n", "#\u2029\n")


def numbered(text: str) -> str:
    return "\n".join(line.replace("@", str(number)) for number, line in enumerate(text.split("\n"), 1))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("filler", FILLERS)
def test_a_key_is_found_in_its_line_however_it_is_written(spelling: str, filler: str, end: str) -> None:
    text = numbered(filler + spelling)
    line = tomllib.loads(text)["t"]["x"]
    assert places(text.replace("\n", end))["t", "x"] == line


NAMES = st.text(st.sampled_from("ab-_.\"'\\ \té#=[]{}\n"), max_size=4)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.integers() | st.booleans() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def quoted(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(sign, sign) for sign in text) + '"'


def written(value: Any, gap: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{gap}" + "".join(f"{written(one, gap)},{gap}" for one in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(name)} = {written(one, gap)}" for name, one in value.items()) + "}"
    return quoted(value) if isinstance(value, str) else str(value)


@given(
    st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=4), max_size=4),
    st.sampled_from(["", " ", "\n", "# ]}\n\n"]),
)
def test_every_key_of_a_text_is_found_in_the_line_where_it_was_written(tables: dict[str, Any], gap: str) -> None:
    lines: dict[tuple[str, ...], int] = {}
    text = ""
    for table, content in tables.items():
        lines[(table,)] = text.count("\n") + 1
        text += f"[{quoted(table)}]\n"
        for name, value in content.items():
            lines[table, name] = text.count("\n") + 1
            text += f"{quoted(name)} = {written(value, gap)}\n"
    assert tomllib.loads(text) == tables
    found = places(text)
    assert {path: line for path, line in found.items() if len(path) <= 2} == lines


@given(st.text(st.sampled_from("ax=.[]{}\"'\\#,\n\r\t 1"), max_size=40))
def test_no_text_is_too_much(text: str) -> None:
    for path, line in keys(text):
        assert path
        assert 1 <= line <= text.count("\n") + 1
    try:
        tomllib.loads(text)
        said = "line 1"
    except tomllib.TOMLDecodeError as error:
        said = fault(text, str(error))
    assert said.startswith("line ")


@pytest.mark.parametrize(
    "text",
    [
        "#x\n" * 300_000,
        "[gate]\nx = [" + "'a',\n" * 150_000 + "]\n",
        'x = """' + 'a"' * 400_000 + '"""',
        "x = " + "[" * 900_000,
        "a.b=" * 200_000,
        "x = {" + "a=1," * 200_000 + "}",
        "a." * 400_000 + "b = 1",
        "[" + "a." * 200_000 + "b]\n" + "x=1\n" * 100_000,
        "x = " + "{a=" * 250_000,
        '"' * 900_000,
        '"\\' * 400_000,
    ],
    ids=range(11),
)
def test_the_cost_is_linear_for_hostile_texts_as_well(text: str) -> None:
    started = time.process_time()
    places(text)
    # quadratic ones take minutes, or all the memory
    assert time.process_time() - started < 20


def test_a_long_name_is_cut() -> None:
    assert [len(name) for name, _ in keys("a." * 100 + "b = {c = 1}")] == [MOST_PARTS, MOST_PARTS]


@pytest.mark.parametrize(
    ("written_name", "path"),
    [
        ("a", ("a",)),
        ("a . b\t.c", ("a", "b", "c")),
        ('\'a.b\'."c.\\"d"', ("a.b", 'c."d')),
        ('"\\q"', ('"\\q"',)),
    ],
)
def test_a_name_has_parts(written_name: str, path: tuple[str, ...]) -> None:
    assert parts(written_name) == path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x=1\nx=2", "line 2, column 4 is not TOML: Cannot overwrite a value; x stands in line 1 already"),
        ("[a]\nx=1\n\nx=[\n2\n]", "; a.x stands in line 2 already"),
        ("[a]\nx=1\r\n[a]\n", "line 3, column 3 is not TOML: .*; a stands in line 1 already"),
        ("a={x=1,x=2}\n", "line 1, column 11 is not TOML: .*; a.x stands in line 1 already"),
        ("a={x=1}\na.y=2\n", "line 2, column 6 is not TOML: .*, at a.y in line 2"),
        ("\ufeffx=1", "line 1, column 1 is not TOML: it begins with a byte order mark; save it as UTF-8 without one"),
        ("a=1\nx=1\ry=2", "line 2, column 4 is not TOML: a carriage return stands alone; .*, at x in line 2"),
        ("# a\rb\n", "line 1, column 4 is not TOML: a carriage return stands alone; end lines with LF"),
        ("x=1\r\ny=", "line 2, column 3 is not TOML: Invalid value, at y in line 2"),
        ('x="a', "line 1, column 5 is not TOML: Unterminated string, at x in line 1"),
        ("[l]\nx=[1,\n2\n\n", "line 4, column 1 is not TOML: Unclosed array, at l.x in line 2"),
        ("[l]\n\nx=" + "1" * 5000 + "\n", "line 3, column 3 is not TOML: a number has too many digits"),
        ("[a", "line 1, column 3 is not TOML: "),
        ("a.b=1\na=2\nc=1", "line 2, column 4 is not TOML: Cannot overwrite a value, at a in line 2"),
    ],
)
def test_what_is_no_toml_is_told_with_line_and_column_and_key(text: str, words: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the number has no class of its own
        tomllib.loads(text)
    said = fault(text, str(caught.value))
    assert re.search(words, said), said
