from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from phocinae.cli import gate as gate_command
from phocinae.cli.entry import run
from phocinae.cli.options import GATE, help_text
from phocinae.composition import gate as composition
from phocinae.domain.verdict import Decision
from phocinae.settings import VERSION, Settings

Feed = Callable[[bytes], None]
Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("built")


def gate(*arguments: str) -> int:
    return run(["gate", *arguments])


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["allow it"], 0, "allow: It says allow in None.\n"),
        (["deny it"], 1, "deny: It says deny in None.\n  instead: echo instead\n"),
        (["ask it"], 2, "ask: It says ask in None.\n"),
        (["ask it", "--confirm"], 0, "allow: A person approved the command.\n"),
        (["deny it", "--confirm"], 1, "deny: It says deny in None.\n  instead: echo instead\n"),
        (["allow it", "--cwd", "/srv"], 0, "allow: It says allow in /srv.\n"),
        (["allow it", "--layer", "l0"], 0, "allow: It says allow in None.\n"),
        (["other", "--layer=l0"], 2, "undecided: Nothing is known of it.\n"),
        (["--", "allow it"], 0, "allow: It says allow in None.\n"),
        (["--", "-"], 1, None),
        (["-"], 1, None),
        (["other"], 1, None),
        (["other", "--fail-closed", "ask"], 2, None),
        (["other", "--fail-closed", "ask", "--confirm"], 0, None),
        (["crash"], 1, None),
    ],
)
def test_the_answer_and_its_exit_status(arguments: list[str], status: int, words: str | None, capsys: Capture) -> None:
    assert gate(*arguments) == status
    captured = capsys.readouterr()
    assert captured.err == ""
    if words is not None:
        assert captured.out == words
    assert "secret" not in captured.out


def test_json_is_the_wire_form(capsys: Capture) -> None:
    assert gate("--json", "deny\nit") == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == {
        "decision": "deny",
        "layer": "L0",
        "reason": "It says deny in None.",
        "hits": [
            {"rule": "first-word", "start": 0, "end": 4, "reason": "It begins with deny.", "remedy": "echo instead"}
        ],
        "ceiling": "allow",
        "reading": "complete",
        "policy": "p",
        "engine": "l0",
    }


def test_explain_adds_the_parts_to_the_json_object(capsys: Capture) -> None:
    assert gate("--explain", "--json", "deny ; it") == 1
    wire = json.loads(capsys.readouterr().out)
    assert wire["parts"] == [
        {"start": 0, "end": 4, "decision": "deny"},
        {"start": 7, "end": 9, "decision": "allow"},
    ]
    assert gate("--json", "deny ; it") == 1
    assert "parts" not in json.loads(capsys.readouterr().out)


def test_a_command_that_was_not_judged_has_no_parts(capsys: Capture) -> None:
    assert gate("--explain", "--json", "if true") == 1
    assert json.loads(capsys.readouterr().out)["parts"] == []


def test_explain_shows_the_command_with_carets(capsys: Capture) -> None:
    assert gate("--explain", "ask \x1b[2J") == 2
    assert capsys.readouterr().out.splitlines()[3:] == [
        "  1 | ask \\x1b[2J",
        "    | ^^^^^^^^^^^ ask",
        "    | ^^^ first-word: It begins with ask.",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["git", "status"], "quotes around it"),
        ([""], "the command is empty"),
        ([" \n"], "the command is empty"),
        (["--cwd", "", "x"], "--cwd needs a directory"),
        (["--batch", "x"], "standard input"),
        (["--batch", "--confirm"], "do not go together"),
        (["--batch", "--explain"], "do not go together"),
        (["--layer", "l0", "--confirm", "x"], "do not go together"),
        (["--layer", "l1", "x"], "must be l0"),
        (["--dialect", "bash", "x"], "must be auto or posix or powershell or cmd"),
        (["--nope", "x"], "there is no option --nope"),
        (["x", "--timeout", "soon"], "option --timeout cannot be used; give seconds from 0.01 to 600"),
        (["x", "--server", "http://bob:hunter2@h"], "option --server cannot be used"),
        (["x", "--config", "none.toml"], "none.toml does not exist"),
        (["--cwd", "\udcff", "x"], "not UTF-8"),
        (["x", "--config", ""], "--config needs a FILE"),
    ],
)
def test_a_call_that_cannot_be_used_says_so_in_one_line(arguments: list[str], message: str, capsys: Capture) -> None:
    assert gate(*arguments) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("phocinae: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert "hunter2" not in captured.err


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"allow it\n", 0),
        (b"allow it", 0),
        (b"deny \xff\n", 1),
        (b"ask\r\n", 2),
        (b"", 3),
        (b"\n", 3),
        (b" \n\n", 3),
    ],
)
def test_standard_input_holds_the_command(data: bytes, status: int, feed: Feed, capsys: Capture) -> None:
    feed(data)
    assert gate() == status
    assert capsys.readouterr().err.count("\n") == (status == 3)


def test_standard_input_is_read_as_utf8_and_loses_one_line_end(feed: Feed, capsys: Capture) -> None:
    feed("統\xe9\n\n".encode() + b"\r\n\n")
    assert gate("--json") == 1
    hit = json.loads(capsys.readouterr().out)["hits"][0]
    assert hit["reason"] == "It begins with 統é."


def test_bytes_on_standard_input_keep_their_places(feed: Feed) -> None:
    seen: list[str] = []
    feed("統\n\n".encode() + b"\xff\xed\xa0\x80\r\n\n")
    assert sys.stdin is not None
    seen.append(gate_command.read_text(sys.stdin.buffer))
    assert seen == ["統\n\n\udcff\udced\udca0\udc80\r\n"]


NO_TEXT = [b"allow \xff", b"allow '\xff'", b'allow "\xc3"', b"allow \xed\xa0\x80", b"\xfe", b"allow\x80\nallow"]


@pytest.mark.parametrize("options", [(), ("--confirm",), ("--fail-closed", "ask"), ("--layer", "l0"), ("--json",)])
@pytest.mark.parametrize("command", NO_TEXT)
def test_bytes_that_are_no_text_are_never_allowed(
    command: bytes, options: tuple[str, ...], feed: Feed, capsys: Capture
) -> None:
    feed(command)
    assert gate(*options) == 1
    piped = capsys.readouterr()
    assert gate(*options, "--", os.fsdecode(command)) == 1
    assert capsys.readouterr() == piped
    assert piped.err == ""
    assert "not UTF-8 text" in piped.out
    if "--json" in options:
        answer = json.loads(piped.out)
        assert (answer["layer"], answer["error"]) == ("fail_closed", "not UTF-8 text")


@pytest.mark.parametrize("text", ["allow '\ufffd'", "allow é", "allow \U0001f600"])
def test_text_that_is_utf8_is_judged_whatever_is_in_it(text: str, feed: Feed) -> None:
    feed(text.encode())
    assert gate() == 0
    assert gate(text) == 0


def test_standard_input_that_is_endless_or_closed_is_refused(
    feed: Feed, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(gate_command, "INPUT_LIMIT", 10)
    feed(b"x" * 11)
    assert gate() == 3
    assert "longer than 10 bytes" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    assert gate() == 3
    assert gate("--batch") == 3
    assert "standard input is closed" in capsys.readouterr().err


def test_streams_that_cannot_be_used_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Broken(io.BytesIO):
        def isatty(self) -> bool:
            return True

        def read(self, _size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Broken()))
    assert gate() == 3
    assert capsys.readouterr().err == (
        "phocinae: reading the command from standard input; end it with Ctrl-D\n"
        "phocinae: standard input cannot be read: Input/output error\n"
    )
    monkeypatch.setattr(sys, "stdout", None)
    assert gate("allow") == 3
    assert capsys.readouterr().err == "phocinae: standard output is closed, so nobody could read the answer\n"


def test_help_and_version(capsys: Capture) -> None:
    for option in ("-h", "--help"):
        assert gate("x", option) == 0
        assert capsys.readouterr().out == help_text(GATE)
    assert gate("--version") == 0
    assert capsys.readouterr().out == f"phocinae {VERSION}\n"


def batch(feed: Feed, capsys: Capture, data: bytes, *arguments: str) -> list[dict[str, Any]]:
    feed(data)
    assert gate("--batch", *arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def test_a_batch_answers_every_line_in_order(feed: Feed, capsys: Capture) -> None:
    data = b'{"command": "allow"}\n{"cwd": "/a", "command": "ask"}\r\n{"command": "x", "cwd": null}'
    answers = batch(feed, capsys, data, "--cwd", "/b")
    assert [answer["decision"] for answer in answers] == ["allow", "ask", "deny"]
    assert [answer["reason"] for answer in answers[:2]] == ["It says allow in /b.", "It says ask in /a."]


def test_a_batch_of_the_offline_layer(feed: Feed, capsys: Capture) -> None:
    answers = batch(feed, capsys, b'{"command": "x"}\n{"command": "deny"}\n{"command": "crash"}\n', "--layer", "l0")
    assert [answer["decision"] for answer in answers] == ["undecided", "deny", "deny"]
    assert answers[2]["layer"] == "fail_closed"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"", "not JSON"),
        (b"   ", "not JSON"),
        (b"allow", "not JSON"),
        (b'{"command": "allow"', "not JSON"),
        (b'{"command": "allow"} {"command": "allow"}', "not JSON"),
        (b"[]", "not an object"),
        (b'"allow"', "not an object"),
        (b"{}", "not an object"),
        (b'{"cmd": "allow"}', "not an object"),
        (b'{"command": "allow", "confirm": true}', "keys beside"),
        (b'{"command": "deny", "command": "allow"}', "a key occurs twice"),
        (b'{"command": "allow", "cwd": "/", "cwd": "/"}', "a key occurs twice"),
        (b'{"command": "allow \xff"}', "not UTF-8"),
        (b'\xef\xbb\xbf{"command": "allow"}', "not JSON"),
        (b'{"command": 7}', "not a text"),
        (b'{"command": NaN}', "not JSON: NaN"),
        (b'{"command": "allow", "cwd": -Infinity}', "not JSON: -Infinity"),
        (b'{"command": "allow \\udcff"}', "not UTF-8"),
        (b'{"command": null}', "not a text"),
        (b'{"command": ["allow"]}', "not a text"),
        (b'{"command": "allow", "cwd": 7}', "not a text"),
        (b'{"command": ""}', "empty command"),
        (b'{"command": " "}', "empty command"),
        (b'{"command": ' + b"1" * 5000 + b"}", "unusable line: an integer in it is too long"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"command": "' + b"x" * 20_001 + b'"}', "command too long"),
    ],
)
def test_a_line_that_cannot_be_used_is_denied_and_the_rest_go_on(
    line: bytes, error: str, feed: Feed, capsys: Capture
) -> None:
    answers = batch(feed, capsys, b'{"command": "allow"}\n' + line + b'\n{"command": "allow"}\n')
    assert [answer["decision"] for answer in answers] == ["allow", "deny", "allow"]
    assert answers[1]["layer"] == "fail_closed"
    assert error in answers[1]["error"]
    assert answers[1]["policy"] == "p"


def test_a_line_past_the_limit_is_denied_as_a_whole(
    feed: Feed, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_command, "INPUT_LIMIT", 30)
    fitting = b'{"command": "allow          "}'
    assert len(fitting) == 30
    answers = batch(feed, capsys, b"x" * 29 + b"\n" + b"x" * 95 + b"\n" + b'{"command": "allow"}\n' + b"y" * 30)
    assert ["longer than" in answer.get("error", "") for answer in answers] == [False, True, False, True]
    assert answers[2]["decision"] == "allow"


def test_an_empty_batch_has_no_answers(feed: Feed, capsys: Capture) -> None:
    assert batch(feed, capsys, b"") == []


def test_the_settings_reach_the_gate(built: list[Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOCINAE_MODEL", "m")
    assert gate("allow", "--fail-closed", "ask", "--timeout", "2.5") == 0
    assert built == [Settings(fail_closed=Decision.ASK, timeout=2.5, model="m")]


def test_a_project_file_that_would_loosen_is_named_and_not_followed(
    built: list[Settings], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / ".phocinae").mkdir()
    (tmp_path / ".phocinae" / "policy.toml").write_text('[gate]\nfail_closed = "ask"\nproject_code = "deny"\n')
    assert gate("other") == 1
    assert built == [Settings(project_code=Decision.DENY)]
    assert "by the project file" not in capsys.readouterr().out


def test_what_is_ignored_is_said(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / ".phocinae").mkdir()
    (tmp_path / ".phocinae" / "policy.toml").write_text("[audit]\nenabled = false\n")
    assert gate("allow") == 0
    assert capsys.readouterr().err == (
        "phocinae: .phocinae/policy.toml, line 2: audit.enabled is ignored: "
        "the project file may only make the gate stricter\n"
    )


def test_verbose_says_what_is_in_force(capsys: Capture) -> None:
    assert gate("allow", "-v", "--fail-closed", "ask") == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "phocinae: fail_closed = ask from option --fail-closed\n"
        "phocinae: all other settings stand on their defaults; policy p\n"
    )
    assert captured.out == "allow: It says allow in None.\n"


@pytest.mark.parametrize("arguments", [["allow"], ["allow", "--json"], ["--batch"]])
def test_a_failure_of_the_program_itself_is_a_denial(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(_settings: Settings, **_: object) -> None:
        raise OSError("secret")

    monkeypatch.setattr(composition, "build_gate", fail)
    assert gate(*arguments) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "secret" not in captured.out
    if arguments == ["allow"]:
        assert captured.out == "deny: The gate failed (OSError), so it denies.\n  error: internal error: OSError\n"
    else:
        answer = json.loads(captured.out)
        assert (answer["decision"], answer["layer"]) == ("deny", "fail_closed")


def test_the_exit_status_has_every_answer() -> None:
    assert set(gate_command.STATUS) == {*(decision.wire for decision in Decision), "undecided"}
