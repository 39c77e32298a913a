from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from attrs import asdict
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.settings_sources import from_file
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidSettings
from phocinae.settings import KEYS, LOG_LEVELS, Key, Settings, Source, key_of, kinds, merge
from phocinae.settings.meaning import TABLES
from phocinae.settings.schema import of_check, settings_schema

SCHEMA = jsonschema.Draft202012Validator(settings_schema())

TEXTS = [
    "", " ", "/", "/a", "a", "auto", "deny", "ask", "allow", "ALLOW", "http", "mock", "true", "\n", "/a\n", "/a\0",
    "é", "模型", "http://h", "https://h:1", "http://h:0", "http://h:65536", "http://h:65535", "http://h:00080", "http://h:000080",
    "http://h:", "http://H-_.", "http://-_.", "http://", "http:/h", "HTTP://h", "ftp://h", "http://h/a?b",
    "http://h/a b",
    "http://u@h", "http://h#x", "http://h/'", "http://[::1]:9/x", "http://[::1", "http://[]",
    "http://[::1]x", "http://h\n",
    "http://h:9\n", "/mcp/", "//", "/a/.b", "/a/b~c", "/mcp\n", "gate.example", "GATE.example", "-a", "a-",
    "a.b:9", "[::1]",
    "\u212aate.example", "gate.example\n", "https://tools.example:8443", "https://Tools.example", "https://t:123456",
    "http://t/",
    "mcp", ".mcp", "m" * 32, "m" * 33, "m\n", "é", "m" * 200, "m" * 201, "/" + "a" * 4095, "/" + "a" * 4096,
    "http://h/" + "a" * 2039, "http://h/" + "a" * 2040, "\x7f", "a\u00a0", "\u0080", "127.0.0.1", "localhost",
    "::1", "stdio",
    *LOG_LEVELS, "posix", "observe", "enforce", "silent",
]  # fmt: skip
NUMBERS = [-1, 0, 1, 2, 10, 11, 63, 64, 320, 1023, 1024, 65_535, 65_536, 1_000_000, 1_000_001, 67_108_864, 999_999_999]
REALS = [0.0, 0.009, 0.01, 0.35, 0.499, 0.5, 1.0, 1.5, 2.0, 60.0, 60.1, 600.0, 600.5, 3600.0, float("inf"), -0.1]


def values() -> st.SearchStrategy[Any]:
    texts = st.sampled_from(TEXTS) | st.text(st.sampled_from("ah/:.-_[]1 0@\n"), max_size=12).map("http://".__add__)
    texts |= st.text(max_size=5) | st.from_regex(r"\A[a-z/.:\[\]0-9~_-]{0,12}\Z")
    single = texts | st.sampled_from(NUMBERS) | st.sampled_from(REALS) | st.booleans() | st.integers()
    lists = st.lists(texts, max_size=3) | st.lists(single, max_size=2)
    return single | lists | st.just(["http://h"] * 100) | st.just(["http://h"] * 101) | st.just({}) | st.just({"a": 1})


def loads(key: Key, value: object) -> bool:
    try:
        key.check(value)
    except ValueError:
        return False
    return True


def beyond(key: Key, value: object) -> bool:
    """Tell whether a value is one of those that the schema takes and the loader may refuse, as `REST` says."""
    if isinstance(value, float) and value.is_integer() and of_check(key.check).get("type") == "integer":
        return True
    if key.field == "model":
        return isinstance(value, str) and not value.isprintable()
    if key.field in ("server", "allowed_servers"):
        return any("[" in str(one) for one in (value if isinstance(value, list) else [value]))
    return False


@given(st.sampled_from(KEYS), values())
def test_what_the_schema_takes_loads_and_what_does_not_load_it_refuses(key: Key, value: Any) -> None:
    taken = SCHEMA.is_valid({key.table: {key.name: value}})
    if taken != loads(key, value):
        assert taken
        assert beyond(key, value)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.toml)
def test_each_key_is_read_as_the_schema_says(key: Key) -> None:
    pool = [*TEXTS, *NUMBERS, *REALS, True, False, *([text] for text in TEXTS), [], {}, [1]]
    taken = [value for value in pool if SCHEMA.is_valid({key.table: {key.name: value}})]
    loaded = [value for value in pool if loads(key, value)]
    assert [value for value in taken if not beyond(key, value)] == [value for value in loaded if not beyond(key, value)]
    assert all(value in taken for value in loaded)
    assert 0 < len(loaded) < len(pool)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("score_ask", 4.0),
        ("server", "http://[:::]"),
        ("allowed_servers", ["http://[1]"]),
        ("model", "a\u2028"),
    ],
)
def test_what_is_said_to_be_beyond_the_schema_is(field: str, value: object) -> None:
    key = key_of(field)
    assert SCHEMA.is_valid({key.table: {key.name: value}})
    assert not loads(key, value)


def test_the_order_of_thresholds_is_beyond_the_schema(tmp_path: Path) -> None:
    assert SCHEMA.is_valid({"l1": {"score_ask": 9}})
    path = tmp_path / "c.toml"
    path.write_text("[l1]\nscore_ask = 9\n")
    path.chmod(0o600)
    with pytest.raises(InvalidSettings, match="contradict"):
        merge(from_file(str(path), Source.USER))


@pytest.mark.parametrize(
    "document",
    [
        {"gates": {}},
        {"gate": {"modes": "observe"}},
        {"gate": []},
        {"mode": "observe"},
        {"gate": {"fail-closed": "ask"}},
    ],
)
def test_the_file_and_every_table_are_closed(document: dict[str, Any], tmp_path: Path) -> None:
    assert not SCHEMA.is_valid(document)
    if all(isinstance(content, dict) for content in document.values()):
        path = tmp_path / "c.toml"
        path.write_text(
            "".join(f"[{t}]\n" + "".join(f'{k} = "{v}"\n' for k, v in c.items()) for t, c in document.items())
        )
        path.chmod(0o600)
        with pytest.raises(InvalidSettings, match="unknown key"):
            from_file(str(path), Source.USER)


def test_the_schema_is_one_and_its_defaults_fit_it() -> None:
    jsonschema.Draft202012Validator.check_schema(settings_schema())
    settings: dict[str, Any] = {table: {} for table in TABLES}
    for key in KEYS:
        default = settings_schema()["properties"][key.table]["properties"][key.name]["default"]
        settings[key.table][key.name] = default
        assert key.check(default) == asdict(Settings())[key.field]
    assert SCHEMA.is_valid(settings)
    assert json.loads(json.dumps(settings_schema())) == settings_schema()


def test_a_check_that_has_no_schema_is_not_passed_over() -> None:
    with pytest.raises(KeyError):
        of_check(lambda value: value)
    assert of_check(kinds.decision(Decision.ASK)) == {"type": "string", "enum": ["ask"]}
