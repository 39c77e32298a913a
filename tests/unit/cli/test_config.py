"""``phocinae config``: what holds, where it came from, and a file to write settings in."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters import settings_sources
from phocinae.cli import config
from phocinae.cli.entry import run
from phocinae.cli.options import help_text
from phocinae.settings import KEYS, VERSION
from phocinae.settings.schema import settings_schema
from phocinae.settings.template import template

Capture = pytest.CaptureFixture[str]
COMMANDS = (config.SHOW, config.INIT, config.SCHEMA)


def written(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def shown(capsys: Capture, *arguments: str) -> Any:
    assert run(["config", "show", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def origins(wire: Any) -> dict[str, tuple[Any, str, str]]:
    return {
        one["name"]: (one["value"], one["source"], one["where"])
        for one in wire["settings"]
        if one["source"] != "default"
    }


def reasons(wire: Any) -> list[tuple[str, str, str]]:
    return [(one["name"], one["where"], one["why"]) for one in wire["unused"]]


def test_every_setting_is_shown_with_its_value(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PHOCINAE_AUDIT_FILE", raising=False)
    wire = shown(capsys)
    assert [one["name"] for one in wire["settings"]] == [key.toml for key in KEYS]
    assert {one["source"] for one in wire["settings"]} == {"default"}
    assert wire["unused"] == []
    assert run(["config", "show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(KEYS)]] == [key.toml for key in KEYS]
    assert all(line.endswith(" default") for line in lines[: len(KEYS)])


def test_each_source_is_named_with_its_place(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    managed = written(tmp_path / "managed.toml", "[gate]\nproject_code = 'ask'\n")
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", managed)
    user = written(tmp_path / "user.toml", "\n[audit]\nstrict = true\n[l1]\nwindow = 400\ntimeout = 4\n")
    here = written(tmp_path / ".phocinae" / "policy.toml", "gate.mode = 'observe'\nl1.ceiling = 'ask'\n")
    there = written(tmp_path / "claimed" / ".phocinae" / "policy.toml", "gate.project_code = 'deny'\n")
    monkeypatch.setenv("PHOCINAE_TIMEOUT", "3")
    wire = shown(capsys, "--config", user, "--cwd", str(tmp_path / "claimed"), "--port", "9")
    found = origins(wire)
    found.pop("audit.file", None)
    assert found == {
        "gate.project_code": ("deny", "project file", f"{there}, line 1"),
        "l1.timeout": (3.0, "environment", "environment variable PHOCINAE_TIMEOUT"),
        "l1.window": (400, "user file", f"{user}, line 5"),
        "l1.ceiling": ("ask", "project file", ".phocinae/policy.toml, line 2"),
        "audit.strict": (True, "user file", f"{user}, line 3"),
        "serve.port": (9, "option", "option --port"),
    }
    assert reasons(wire) == [
        ("gate.project_code", f"{managed}, line 2", f"{there}, line 1 is stricter"),
        ("l1.timeout", f"{user}, line 6", "environment variable PHOCINAE_TIMEOUT comes later"),
        ("gate.mode", ".phocinae/policy.toml, line 1", "the project file may only make the gate stricter"),
    ]
    assert [(one["source"], one["path"], one["exists"]) for one in wire["files"]] == [
        ("managed file", managed, True),
        ("user file", user, True),
        ("project file", here, True),
        ("project file", there, True),
    ]


def test_for_a_hook_the_environment_only_tightens(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MODE": "observe", "PROJECT_CODE": "deny", "AUDIT": "1", "UNATTENDED": "ask"}.items():
        monkeypatch.setenv(f"PHOCINAE_{name}", value)
    monkeypatch.delenv("PHOCINAE_AUDIT_FILE", raising=False)
    plain, hook = shown(capsys), shown(capsys, "--hook")
    assert (plain["hook"], hook["hook"]) == (False, True)
    assert {name for name, _ in origins(plain).items()} >= {"gate.mode", "gate.project_code", "hook.unattended"}
    assert origins(hook) == {"gate.project_code": ("deny", "environment", "environment variable PHOCINAE_PROJECT_CODE")}
    bound = "the environment may only make the gate stricter"
    assert reasons(hook) == [
        ("gate.mode", "environment variable PHOCINAE_MODE", bound),
        ("hook.unattended", "environment variable PHOCINAE_UNATTENDED", bound),
        ("audit.enabled", "environment variable PHOCINAE_AUDIT", "it says what holds anyway"),
    ]


def test_a_hook_asks_where_nobody_decided_unless_a_source_says_deny(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_closed(*arguments: str) -> str:
        (one,) = [one for one in shown(capsys, *arguments)["settings"] if one["name"] == "gate.fail_closed"]
        return str(one["value"])

    assert fail_closed() == "deny"
    assert fail_closed("--hook") == "ask"
    assert fail_closed("--hook", "--fail-closed", "deny") == "deny"
    monkeypatch.setenv("PHOCINAE_FAIL_CLOSED", "deny")
    assert fail_closed("--hook") == "deny"


def test_a_secret_is_shown_by_its_path_alone(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = written(tmp_path / "token", "hunter2hunter2\n")
    fields = [key for key in KEYS if key.field.endswith(("token_file", "secret_file", "key_file"))]
    assert len(fields) == 5
    user = written(tmp_path / "c.toml", "".join(f"{key.toml} = '{secret}'\n" for key in fields))
    monkeypatch.setenv("PHOCINAE_TOKEN", "hunter2hunter2")
    for arguments in ([], ["--json"]):
        assert run(["config", "show", "--config", user, *arguments]) == 0
        out, err = capsys.readouterr()
        assert out.count(f'"{secret}"') == len(fields)
        assert "hunter2" not in out + err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate]\n\nmode = 'off'\n", 'line 3: gate.mode cannot be used; give "enforce" or "observe"'),
        ("[gate]\nmodes = 1\n", "line 2: unknown key gate.modes"),
        ("[l1]\nallowed_servers = [\n'http://h',\n'x']\n", "line 2: l1.allowed_servers cannot be used"),
        ("[gate]\nmode = 'observe'\nmode = 'observe'\n", "gate.mode stands in line 2 already"),
    ],
)
def test_a_wrong_value_is_named_by_file_line_and_key(text: str, message: str, capsys: Capture, tmp_path: Path) -> None:
    user = written(tmp_path / "c.toml", text)
    assert run(["config", "show", "--config", user]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"phocinae: {user}, line ")
    assert message in err


def test_a_hostile_name_cannot_drive_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    user = written(tmp_path / "\x1b[2J.toml", 'audit.file = "/\\u001b[2J\\u202e王"\n')
    assert run(["config", "show", "--config", user]) == 0
    out = capsys.readouterr().out
    assert "王" in out
    assert out.replace("\n", "").isprintable()


def test_a_file_is_written_once_and_changes_nothing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "home" / "config.toml"
    monkeypatch.setattr(settings_sources, "user_file", lambda: str(place))
    assert run(["config", "init"]) == 0
    assert capsys.readouterr().out == f"{place} is written; it changes nothing until you edit it\n"
    assert place.read_text(encoding="utf-8") == template()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place, place.parent)] == [0o600, 0o700]
    place.write_text("[gate]\nmode = 'observe'\n")
    assert run(["config", "init"]) == 3
    assert "is there already and was left as it is" in capsys.readouterr().err
    assert place.read_text() == "[gate]\nmode = 'observe'\n"


def test_a_named_file_is_written_there(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["config", "init", "a b.toml"]) == 0
    assert str(tmp_path / "a b.toml") in capsys.readouterr().out
    assert run(["config", "show", "--config", "a b.toml"]) == 0


def test_the_file_can_be_printed_and_then_none_is_written(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings_sources, "user_file", lambda: str(tmp_path / "c.toml"))
    assert run(["config", "init", "--print"]) == 0
    assert capsys.readouterr().out == template()
    assert run(["config", "init", "--print", "c.toml"]) == 3
    assert not (tmp_path / "c.toml").exists()


def test_the_schema_is_printed(capsys: Capture) -> None:
    assert run(["config", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == settings_schema()


@pytest.mark.parametrize(
    "arguments",
    [["show", "x"], ["show", "--cwd", ""], ["show", "--config", ""], ["init", "a", "b"], ["init", ""], ["schema", "x"]],
)
def test_a_call_that_cannot_be_used_is_a_usage_error(arguments: list[str], capsys: Capture) -> None:
    assert run(["config", *arguments]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("phocinae: ")


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_without_a_second_word_there_is_the_list_of_them(arguments: list[str], capsys: Capture) -> None:
    status = run(["config", *arguments])
    out, err = capsys.readouterr()
    assert (status, bool(out), bool(err)) == ((0, True, False) if arguments else (3, False, True))
    assert all(f"  {name} " in out + err for name in ("show", "init", "schema"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_and_version(command: Any, capsys: Capture) -> None:
    words = command.name.split()
    assert run([*words, "--help"]) == 0
    assert capsys.readouterr().out == help_text(command)
    assert run([*words, "--version"]) == 0
    assert capsys.readouterr().out == f"phocinae {VERSION}\n"


def test_the_printed_file_is_toml(capsys: Capture) -> None:
    assert run(["config", "init", "--print"]) == 0
    assert set(tomllib.loads(capsys.readouterr().out)) == {key.table for key in KEYS}
