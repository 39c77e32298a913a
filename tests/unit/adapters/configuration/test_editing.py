"""Entries are put into configuration files and taken out of them again as if they had never been there."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from phocinae.adapters.configuration.editing import entries, put, take_out
from phocinae.adapters.configuration.place import BOM, CannotEdit, Place

HOOKS = Place(("hooks", "PreToolUse"), listed=True)
SERVERS = Place(("mcpServers", "phocinae"), listed=False)
TOML_HOOKS = Place(("hooks", "PreToolUse"), listed=True)
TOML_SERVERS = Place(("mcp_servers", "phocinae"), listed=False)
HOOK = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/p -m phocinae hook x", "timeout": 15}]}
OLD_HOOK = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/old -m phocinae hook x"}]}
SERVER = {"command": "/p", "args": ["-m", "phocinae", "serve", "é"]}
OTHER = {"matcher": "*", "hooks": [{"type": "command", "command": "other"}]}


def mine(value: Mapping[str, Any]) -> bool:
    return "phocinae" in json.dumps(value)


def both(raw: bytes | None, kind: str = "json") -> bytes:
    """Return the file with both entries."""
    hooks, servers = (HOOKS, SERVERS) if kind == "json" else (TOML_HOOKS, TOML_SERVERS)
    return put(put(raw, kind, hooks, HOOK, mine), kind, servers, SERVER, mine)


def neither(raw: bytes, kind: str = "json") -> bytes | None:
    """Return the file without both entries."""
    hooks, servers = (HOOKS, SERVERS) if kind == "json" else (TOML_HOOKS, TOML_SERVERS)
    rest = take_out(raw, kind, servers, mine)
    return None if rest is None else take_out(rest, kind, hooks, mine)


# --- properties

LINE_ENDS = st.sampled_from(["\n", "\r\n"])
SCALARS = st.sampled_from(
    ["1", "1.50e+10", "-0", "true", "null", '"\\u00e9 \\ud83d\\ude00"', '"é // x"', '"/* {"', "1e400"]
)
GAPS = st.sampled_from(["", "", " ", "\n", "\n  ", "\t", " /* c */ ", " // c }\n", "\n\n", "\n    // [\n    "])
NAMES = st.sampled_from(["a", "b", "hooks", "PreToolUse", "mcpServers", "other", "\\u0061b", "é"])


def objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.tuples(GAPS, NAMES, GAPS, GAPS, values, GAPS).map(lambda one: '{}"{}"{}:{}{}{}'.format(*one))
    return st.tuples(st.lists(member, max_size=4), GAPS).map(lambda one: "{" + (",".join(one[0]) or one[1]) + "}")


def lists(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.tuples(GAPS, values, GAPS).map("".join)
    return st.tuples(st.lists(member, max_size=3), GAPS).map(lambda one: "[" + (",".join(one[0]) or one[1]) + "]")


ANYTHING = st.recursive(SCALARS, lambda inner: objects(inner) | lists(inner), max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """JSON objects with the containers of our entries in them, or some, or none; comments, blanks, odd numbers."""

    def gap() -> str:
        return draw(GAPS)

    def member(name: str, value: str) -> str:
        return f'{gap()}"{name}"{gap()}:{gap()}{value}{gap()}'

    def held(members: list[str], brackets: str) -> str:
        order = draw(st.permutations(members))
        return brackets[0] + (",".join(order) or gap()) + brackets[1]

    def some(*names: str) -> list[str]:
        return [member(name, draw(ANYTHING)) for name in names if draw(st.booleans())]

    hooks = some("PostToolUse", "é")
    if draw(st.booleans()):
        listed = [gap() + json.dumps(OTHER) + gap() for _ in range(draw(st.integers(0, 2)))]
        hooks.append(member("PreToolUse", held(listed, "[]")))
    top = some("a", "\\u0062", "env")
    if draw(st.booleans()):
        top.append(member("hooks", held(hooks, "{}")))
    if draw(st.booleans()):
        top.append(member("mcpServers", held(some("x", "y"), "{}")))
    text = gap() + held(top, "{}") + gap()
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from([b"", b"", BOM])) + text.encode()


@given(documents())
def test_a_json_file_is_as_before_when_the_entries_are_taken_out(raw: bytes) -> None:
    installed = both(raw)
    assert neither(installed) == raw
    assert both(installed) == installed
    assert [value for value, _ in entries(installed, "json", HOOKS) if mine(value)] == [HOOK]
    assert [value for value, _ in entries(installed, "json", SERVERS)] == [SERVER]


@given(documents())
def test_the_order_of_taking_out_does_not_matter(raw: bytes) -> None:
    assume(b"/" not in raw)  # blanks around comments may move
    rest = take_out(both(raw), "json", HOOKS, mine)
    assert rest is not None
    assert take_out(rest, "json", SERVERS, mine) == raw


@given(documents())
def test_an_older_entry_is_replaced_where_it_stands(raw: bytes) -> None:
    old = put(raw, "json", HOOKS, OLD_HOOK, mine)
    assert neither(both(old)) == raw
    assert [value for value, _ in entries(both(old), "json", HOOKS) if mine(value)] == [HOOK]


TOML_LINES = st.sampled_from(
    [
        "# comment",
        "",
        "   ",
        "model = 'x' # [y]",
        'text = """\n[hooks]\n"""',
        "when = 1979-05-27T07:32:00Z",
        "number = 0xdead_beef",
        "nan = nan",
        "dotted.key = 1",
        "table = { a = 1, b = [ 2, # c\n 3 ] }",
    ]
)
TOML_TABLES = st.sampled_from(
    [
        "[features]\nhooks = true",
        "[[hooks.PreToolUse]]\nmatcher = '*'\n[[hooks.PreToolUse.hooks]]\ncommand = 'other'\n# c",
        "[mcp_servers.other]\ncommand = 'x' # c\n\n[mcp_servers.other.env]\nA = '1'",
        "['quoted name'.x]",
        '[projects."/a.b"]\ntrust_level = "trusted"\n',
        "[hooks.state]\nx = 1",
    ]
)


@st.composite
def toml_documents(draw: st.DrawFn) -> bytes:
    top = draw(st.lists(TOML_LINES, max_size=4, unique=True))
    tables = draw(st.lists(TOML_TABLES, max_size=4, unique=True))
    text = "\n".join([*top, *tables]) + draw(st.sampled_from(["", "\n", "\n\n", " ", "\n# end", "\n\n\n  \n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from([b"", b"", BOM])) + text.encode()


@given(toml_documents())
def test_a_toml_file_is_as_before_when_the_entries_are_taken_out(raw: bytes) -> None:
    installed = both(raw, "toml")
    assert neither(installed, "toml") == raw
    assert both(installed, "toml") == installed
    data = tomllib.loads(installed.removeprefix(BOM).decode())
    assert data["hooks"]["PreToolUse"][-1] == HOOK
    assert data["mcp_servers"]["phocinae"] == SERVER


def test_the_file_that_is_made_for_the_entries_goes_with_them() -> None:
    for kind in ("json", "toml"):
        assert neither(both(None, kind), kind) is None


@pytest.mark.parametrize("kind", ["json", "toml"])
@pytest.mark.parametrize("raw", [b"", b"\n", b" ", BOM, b"\r\n\r\n"])
def test_a_file_without_content_stays_as_it_is(raw: bytes, kind: str) -> None:
    assert neither(both(raw, kind), kind) == raw


def test_a_file_of_comments_stays_as_it_is() -> None:
    assert neither(both(b"// nothing yet")) == b"// nothing yet"
    assert neither(both(b"# nothing yet", "toml"), "toml") == b"# nothing yet"


def test_an_entry_stands_in_the_style_of_its_file() -> None:
    raw = b'{\n\t"model": "x", // mine\n\t"env": {}\n}\n'
    assert put(raw, "json", SERVERS, {"command": "phocinae"}, mine) == (
        b'{\n\t"model": "x", // mine\n\t"env": {},\n\t"mcpServers": {\n\t\t"phocinae": {\n'
        b'\t\t\t"command": "phocinae"\n\t\t}\n\t}\n}\n'
    )
    assert put(b'{"a":1,"b":2}', "json", SERVERS, {"command": "phocinae"}, mine) == (
        b'{"a":1,"b":2,"mcpServers": {"phocinae": {"command": "phocinae"}}}'
    )


def test_what_another_program_has_written_anew_is_emptied_of_ours() -> None:
    rewritten = json.dumps(json.loads(both(b'{"hooks": {}, "x": [1]}')), indent=4).encode()
    assert neither(rewritten) == b'{\n    "x": [\n        1\n    ]\n}'
    assert neither(json.dumps(json.loads(both(None)), indent=4).encode()) is None


def test_entries_of_others_keep_their_order() -> None:
    raw = json.dumps({"hooks": {"PreToolUse": [OTHER, OLD_HOOK, OTHER, OLD_HOOK]}}, indent=2).encode()
    data = json.loads(put(raw, "json", HOOKS, HOOK, mine))
    assert data == {"hooks": {"PreToolUse": [OTHER, HOOK, OTHER]}}
    rest = take_out(raw, "json", HOOKS, mine)
    assert rest == json.dumps({"hooks": {"PreToolUse": [OTHER, OTHER]}}, indent=2).encode()


def test_a_person_s_keys_of_the_server_stay() -> None:
    own = {"command": "/old", "env": {"A": "1"}, "args": ["-m", "phocinae", "serve"]}
    raw = json.dumps({"mcpServers": {"phocinae": own}}).encode()
    entry = json.loads(put(raw, "json", SERVERS, SERVER, mine))["mcpServers"]["phocinae"]
    assert entry == {**own, **SERVER}
    toml = b"[mcp_servers.phocinae]\ncommand = '/old' # mine\nargs = ['-m', 'phocinae', 'serve']\n\n"
    toml += b"[mcp_servers.phocinae.env]\nA = '1'\n"
    changed = put(toml, "toml", TOML_SERVERS, SERVER, mine)
    assert tomllib.loads(changed.decode())["mcp_servers"]["phocinae"] == {**own, **SERVER}
    assert b"# mine" in changed
    assert take_out(changed, "toml", TOML_SERVERS, mine) in (b"", None)


def test_an_entry_of_toml_with_tables_below_it_is_taken_out_as_a_whole() -> None:
    ours = b"[[hooks.PreToolUse]]\nmatcher = 'Bash'\n[[hooks.PreToolUse.hooks]]\ncommand = 'phocinae'\n"
    theirs = b"[[hooks.PreToolUse]]\nmatcher = 'x'\n[[hooks.PreToolUse.hooks]]\ncommand = 'y'\n# end\n"
    assert take_out(theirs + ours + b"[a]\n", "toml", TOML_HOOKS, mine) == theirs + b"[a]\n"
    assert take_out(ours + theirs, "toml", TOML_HOOKS, mine) == theirs
    assert tomllib.loads(put(ours + theirs, "toml", TOML_HOOKS, HOOK, mine).decode())["hooks"]["PreToolUse"][0] == HOOK


@pytest.mark.parametrize(
    ("raw", "kind", "line", "why"),
    [
        (b'{\n  "hooks" []\n}', "json", 2, "not JSON"),
        (b'{\n  "hooks": []\n}', "json", 2, "hooks must be an object"),
        (b'{"hooks": {\n"PreToolUse": {}}}', "json", 2, "hooks.PreToolUse must be a list"),
        (b'{"hooks": {},\n\n"hooks": {}}', "json", 3, "hooks stands in it twice"),
        (b'{"hooks": {},\n"\\u0068ooks": {}}', "json", 2, "hooks stands in it twice"),
        (b"[]", "json", 1, "no JSON object"),
        (b'{"a": NaN}', "json", 0, "not JSON"),
        (b'{"a": 1} {}', "json", 1, "not JSON"),
        (b"\xff", "json", 0, "not JSON"),
        (b"[" * 100_000, "json", 0, "not JSON"),
        (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000, "json", 0, "not JSON"),
        (b"a = 1\na = 2\n", "toml", 0, "not TOML"),
        (b"\nhooks = 1\n", "toml", 2, "hooks must be a table"),
        (b"[hooks]\nPreToolUse = [{ matcher = 'x' }]\n", "toml", 0, "is not written as [[hooks.PreToolUse]]"),
        (b"hooks = {}\n", "toml", 0, "cannot be changed safely"),
        (b"\xff", "toml", 0, "not UTF-8"),
    ],
)
def test_what_cannot_be_edited_is_refused(raw: bytes, kind: str, line: int, why: str) -> None:
    with pytest.raises(CannotEdit) as refusal:
        put(raw, kind, HOOKS, HOOK, mine)
    assert why in str(refusal.value)
    assert refusal.value.line == line


def test_a_server_of_that_name_that_is_not_ours_is_not_overwritten() -> None:
    raw = b'{"mcpServers": {"phocinae": {"command": "other"}}}'
    with pytest.raises(CannotEdit, match="there already"):
        put(raw, "json", SERVERS, SERVER, lambda _value: False)
