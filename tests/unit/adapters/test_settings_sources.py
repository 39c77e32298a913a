from __future__ import annotations

import os
import pwd
import stat
import sys
import tomllib
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from phocinae.adapters import settings_sources
from phocinae.adapters.settings_sources import account_home, bearer_token, from_environment, from_file, gather
from phocinae.domain import toml_places
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidSettings
from phocinae.settings import Given, Settings, Source, merge


def write(path: Path, text: str | bytes, mode: int = 0o600) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return str(path)


def rows(given: list[Given]) -> list[tuple[str, object]]:
    return [(one.field, one.value) for one in given]


GOOD = """\
# settings
[gate]
fail_closed = "ask"

[l1]
timeout = 2
"score_ask" = 5
[audit]
strict = true
"""


def test_a_file_yields_its_values_with_their_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "c.toml", GOOD)
    given = from_file(path, Source.USER)
    assert rows(given) == [("fail_closed", "ask"), ("timeout", 2), ("score_ask", 5), ("audit_strict", True)]
    assert [one.where for one in given] == [
        f"{path}, line 3: gate.fail_closed",
        f"{path}, line 6: l1.timeout",
        f"{path}, line 7: l1.score_ask",
        f"{path}, line 9: audit.strict",
    ]
    assert {one.source for one in given} == {Source.USER}


def test_a_file_that_spells_its_keys_with_dots_is_the_same(tmp_path: Path) -> None:
    given = from_file(write(tmp_path / "c.toml", 'gate.fail_closed = "ask"\nl1 = { timeout = 2 }\n'), Source.USER)
    assert rows(given) == [("fail_closed", "ask"), ("timeout", 2)]
    assert "line 1" in given[0].where


def test_a_file_without_a_name_is_an_error_and_not_the_user_file_left_out() -> None:
    with pytest.raises(InvalidSettings, match="--config needs a FILE"):
        gather(config="", environment={}, managed="/nowhere")


def test_missing_files_are_fine_unless_named(tmp_path: Path) -> None:
    missing = str(tmp_path / "no" / "c.toml")
    assert from_file(missing, Source.USER) == []
    with pytest.raises(InvalidSettings, match=r"c\.toml does not exist"):
        from_file(missing, Source.USER, required=True)
    beside_a_file = os.path.join(write(tmp_path / "file", ""), "c.toml")
    assert from_file(beside_a_file, Source.USER) == []


@pytest.mark.parametrize("source", [Source.USER, Source.MANAGED, Source.PROJECT])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate\n", "line 1, column 6 is not TOML"),
        (b"\xff", "line 1 is not UTF-8 text"),
        (b"# a\n# b\n\n#\xff\n", "line 4 is not UTF-8 text"),
        ("[gates]\n", r"line 1: unknown key gates; the tables are audit, gate, hook, l1, log, serve"),
        ("\n[gate]\n\nfail_close = 1\n", r"line 4: unknown key gate\.fail_close; there are .*gate\.fail_closed"),
        ("gate = 1\n", r"line 1: gate must be a table"),
        ("[[gate]]\n", r"gate must be a table"),
        ("enabled = false\n", r"line 1: unknown key enabled"),
        ('[gate]\nfail_closed = "ask"\nfail_closed = "deny"\n', "is not TOML"),
        ("a = " + "[" * 100_000, "is (not TOML|nested too deeply)"),
        (b"#" * (settings_sources.SIZE_LIMIT + 1), "is larger than"),
    ],
)
def test_a_broken_file_is_an_error(tmp_path: Path, source: Source, text: str | bytes, message: str) -> None:
    path = write(tmp_path / "c.toml", text)
    with pytest.raises(InvalidSettings, match=message) as caught:
        from_file(path, source)
    assert str(caught.value).startswith(path)


@pytest.mark.parametrize("value", ['"deny "', "1", '["deny"]', "true", "1979-05-27"])
def test_a_value_of_the_wrong_kind_names_file_line_and_key(tmp_path: Path, value: str) -> None:
    path = write(tmp_path / "c.toml", f"[gate]\nfail_closed = {value}\n")
    with pytest.raises(InvalidSettings) as caught:
        merge(from_file(path, Source.USER))
    assert str(caught.value) == f'{path}, line 2: gate.fail_closed cannot be used; give "deny" or "ask"'


def test_hostile_names_cannot_drive_a_terminal(tmp_path: Path) -> None:
    path = write(tmp_path / "\x1b[2J.toml", '["\\u001b[31m\\u202e' + "x" * 5000 + '"]\n')
    with pytest.raises(InvalidSettings) as caught:
        from_file(path, Source.PROJECT)
    message = str(caught.value)
    assert message.isprintable() or "…" in message
    assert "\x1b" not in message
    assert "\u202e" not in message
    assert len(message) < 1000


@pytest.mark.parametrize("source", [Source.USER, Source.MANAGED, Source.PROJECT])
def test_what_is_no_regular_file_is_an_error(tmp_path: Path, source: Source) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidSettings, match="is not a regular file"):
        from_file(str(tmp_path / "folder"), source)
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(InvalidSettings, match="is not a regular file"):
        from_file(str(tmp_path / "pipe"), source)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InvalidSettings, match="link"):
        from_file(str(tmp_path / "dangling"), source)


def test_a_path_that_is_none_is_an_error() -> None:
    with pytest.raises(InvalidSettings, match="cannot be read"):
        from_file("/a\0b", Source.USER)


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "c.toml", GOOD, mode=0)
    with pytest.raises(InvalidSettings, match="cannot be read"):
        from_file(path, Source.USER)


def test_a_read_error_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "c.toml", GOOD)

    def refuse(*_args: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InvalidSettings, match=r"c\.toml cannot be read: Permission denied"):
        from_file(path, Source.USER)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666, 0o664])
@pytest.mark.parametrize("source", [Source.USER, Source.MANAGED])
def test_a_file_that_others_can_write_is_an_error(tmp_path: Path, mode: int, source: Source) -> None:
    path = write(tmp_path / "c.toml", GOOD, mode=mode)
    if source is Source.MANAGED and os.getuid() != 0:
        pytest.skip("only root can own a managed file")
    with pytest.raises(InvalidSettings, match="can be written by others"):
        from_file(path, source)


def test_a_project_file_may_belong_to_anyone(tmp_path: Path) -> None:
    path = write(tmp_path / "policy.toml", '[gate]\nproject_code = "ask"\n', mode=0o666)
    assert rows(from_file(path, Source.PROJECT)) == [("project_code", "ask")]


@pytest.mark.parametrize(
    ("source", "owner", "reader", "fine"),
    [
        (Source.USER, 1000, 1000, True),
        (Source.USER, 0, 1000, True),
        (Source.USER, 1001, 1000, False),
        (Source.USER, 1000, 0, False),
        (Source.MANAGED, 0, 1000, True),
        (Source.MANAGED, 1000, 1000, False),
        (Source.PROJECT, 1001, 1000, True),
    ],
)
def test_who_may_own_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Source, owner: int, reader: int, fine: bool
) -> None:
    path = write(tmp_path / "c.toml", GOOD)
    real = os.fstat

    def owned(descriptor: int) -> os.stat_result:
        fields = list(real(descriptor))
        fields[4] = owner
        return os.stat_result(fields)

    monkeypatch.setattr(os, "fstat", owned)
    monkeypatch.setattr(os, "getuid", lambda: reader)
    if fine:
        assert from_file(path, source)
    else:
        with pytest.raises(InvalidSettings, match="must belong to"):
            from_file(path, source)


def test_ours_win_over_the_published_variables_and_empty_is_unset() -> None:
    given = from_environment(
        {
            "PHOCINAE_SERVER": "http://127.0.0.1:1",
            "PHOCINAE_MCP_SERVER": "http://127.0.0.1:2",
            "PHOCINAE_MCP_HTTP_PORT": "99",
            "PHOCINAE_MODEL": "",
            "PHOCINAE_MCP_MODEL": "other",
            "PHOCINAE_UNKNOWN": "x",
        }
    )
    assert rows(given) == [("server", "http://127.0.0.1:1"), ("model", "other"), ("port", "99")]
    assert given[2].where == "environment variable PHOCINAE_MCP_HTTP_PORT"


def test_homes_come_from_the_password_database_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    home = pwd.getpwuid(os.getuid()).pw_dir
    monkeypatch.setenv("HOME", "/elsewhere")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/elsewhere")
    monkeypatch.setenv("XDG_STATE_HOME", "/elsewhere")
    assert account_home() == home
    assert settings_sources.user_file() == f"{home}/.config/phocinae/config.toml"
    assert settings_sources.state_folder() == f"{home}/.local/state/phocinae"


def test_an_account_without_an_entry_has_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)
    assert account_home() is None
    assert settings_sources.user_file() is None
    assert settings_sources.state_folder() is None
    assert gather(environment={}, managed="/none", folders=()) == ()


def test_gather_reads_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / ".phocinae" / "policy.toml", '[gate]\nproject_code = "ask"\n')
    write(tmp_path / "claimed" / ".phocinae" / "policy.toml", '[gate]\nproject_code = "deny"\n')
    config = write(tmp_path / "c.toml", '[gate]\nfail_closed = "ask"\n')
    flag = Given(Source.FLAG, "timeout", "7", "option --timeout")
    given = gather(
        [flag], config=config, folders=("", "claimed"), environment={"PHOCINAE_PORT": "1"}, managed="/none/policy.toml"
    )
    assert merge(given).settings == Settings(timeout=7.0, fail_closed=Decision.ASK, port=1, project_code=Decision.DENY)
    first_project = next(one for one in given if one.source is Source.PROJECT)
    assert first_project.where == ".phocinae/policy.toml, line 2: gate.project_code"


def test_the_user_file_is_found_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_sources, "account_home", lambda: str(tmp_path))
    monkeypatch.chdir(tmp_path)
    write(tmp_path / ".config" / "phocinae" / "config.toml", "[serve]\nport = 12\n")
    assert rows(list(gather(environment={}, managed="/none"))) == [("port", 12)]


def test_a_project_file_is_not_followed_through_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real.toml", GOOD)
    (tmp_path / "policy.toml").symlink_to(tmp_path / "real.toml")
    with pytest.raises(InvalidSettings, match="cannot be read"):
        from_file(str(tmp_path / "policy.toml"), Source.PROJECT)
    assert from_file(str(tmp_path / "policy.toml"), Source.USER)


@pytest.mark.parametrize("text", ["abc.DEF-1_2~+/=", "x" * 4096, "  abc\n", "\tabc\r\n"])
def test_a_token_is_what_stands_in_the_file_or_the_variable(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "token", text)
    assert bearer_token(path, {}) == text.strip()
    assert bearer_token("", {"PHOCINAE_TOKEN": text}) == text.strip()
    assert bearer_token(path, {"PHOCINAE_TOKEN": "other"}) == "other"
    assert bearer_token(path, {"PHOCINAE_TOKEN": ""}) == text.strip()


def test_without_a_token_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bearer_token("", {}) == ""
    monkeypatch.setenv("PHOCINAE_TOKEN", "of-the-process")
    assert bearer_token("") == "of-the-process"


SECRET = "s3cret"


@pytest.mark.parametrize(
    "text", ["", " \n", f"{SECRET}\nX-Other: 1", f"{SECRET}\r\nx", f"a {SECRET}", f"{SECRET}é", f"{SECRET}\0",
             b"\xff" * 9, SECRET * 700]
)  # fmt: skip
def test_what_is_no_token_is_refused_and_not_repeated(tmp_path: Path, text: str | bytes) -> None:
    path = write(tmp_path / "token", text)
    with pytest.raises(InvalidSettings, match="holds no token") as caught:
        bearer_token(path, {})
    assert path in str(caught.value)
    assert SECRET not in str(caught.value)
    if isinstance(text, str) and text.strip():
        with pytest.raises(InvalidSettings, match=r"PHOCINAE_TOKEN holds no token") as caught:
            bearer_token("", {"PHOCINAE_TOKEN": text})
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "message"),
    [(0o640, "can be read by others"), (0o604, "mode 600|chmod 600"), (0o620, "chmod go-w"), (0o666, "go-w")],
)
def test_a_token_that_others_can_reach_is_refused(tmp_path: Path, mode: int, message: str) -> None:
    with pytest.raises(InvalidSettings, match=message) as caught:
        bearer_token(write(tmp_path / "token", SECRET, mode), {})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o601])
@pytest.mark.parametrize(("owner", "user", "advised"), [(1000, 1000, True), (0, 1000, False), (0, 0, False)])
def test_only_who_owns_a_file_is_told_to_change_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, owner: int, user: int, advised: bool
) -> None:
    path, fstat = write(tmp_path / "token", SECRET, mode), os.fstat

    def owned(descriptor: int) -> os.stat_result:
        facts = list(fstat(descriptor))
        facts[stat.ST_UID] = owner
        return os.stat_result(facts)

    monkeypatch.setattr(os, "fstat", owned)
    monkeypatch.setattr(os, "getuid", lambda: user)
    with pytest.raises(InvalidSettings) as caught:
        bearer_token(path, {})
    assert (f"run: chmod 600 {path}" in str(caught.value)) is advised
    assert ("name a file of mode 600" in str(caught.value)) is not advised


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
def test_nobody_is_told_to_lock_the_system_up() -> None:
    with pytest.raises(InvalidSettings, match="can be read by others; name a file of mode 600") as caught:
        bearer_token("/etc/passwd", {})
    assert "chmod 600 /etc" not in str(caught.value)


def test_a_token_file_is_a_regular_file_that_is_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, message in ((tmp_path / "pipe", "not a regular file"), (tmp_path, "not a regular file"),
                          (tmp_path / "none", "does not exist")):  # fmt: skip
        with pytest.raises(InvalidSettings, match=message):
            bearer_token(str(path), {})


def test_a_token_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "token", SECRET)
    owner = os.stat(path).st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    if owner:
        with pytest.raises(InvalidSettings, match="must belong to you or root"):
            bearer_token(path, {})
    else:
        assert bearer_token(path, {}) == SECRET


LINES = st.sampled_from([
    "[gate]", "[ gate ]", "['gate']", "[gate] # ]", "[[t]]", "mode = 1", "mode=2", "\"mode\" = 3", "a.b = 4",
    "x = [", "]", "x = [1]",
    "y = {z = 1}", "y = \"\"\"", "\"\"\"", "z = '''", "'''", "", "# [l1]", "  w = '#'", "[l1]\r", "k = 1\r",
    "k = '\u2028'",
    "[a.b]", "1 = 2", "-_ = 3",
])  # fmt: skip


@hypothesis.given(st.lists(LINES, max_size=8).map("\n".join))
def test_a_plain_file_is_read_as_any_other(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        hypothesis.reject()
    found = settings_sources._places(text)
    assert found == {path: toml_places.places(text)[path] for path in found}
    assert {path for path, _ in toml_places.keys(text)} <= set(found)
