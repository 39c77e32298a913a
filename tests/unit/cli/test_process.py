"""The real program in a process of its own: exit statuses, closed and broken streams, bytes that are no text."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import isolation

GATE = [sys.executable, "-I", "-m", "phocinae", "gate"]
HARMLESS = "echo hello"
DEADLY = "rm -rf /"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which the decisions are recorded in the test's own folder."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
        "PHOCINAE_AUDIT_FILE": str(tmp_path / "log" / "audit.jsonl"),
    }


@pytest.fixture
def config(tmp_path: Path) -> str:
    """A settings file of the test's own, so that the one in the home does not count."""
    path = tmp_path / "config.toml"
    path.write_text("")
    path.chmod(0o600)
    return str(path)


Result = subprocess.CompletedProcess[bytes]


@pytest.fixture
def run(environment: dict[str, str], config: str, tmp_path: Path) -> Any:
    """Return a function that runs ``phocinae gate`` with arguments and standard input, and what it printed."""

    def gate(*arguments: str | bytes, data: bytes = b"", **more: Any) -> Result:
        return subprocess.run(
            [*GATE, "--config", config, *arguments],
            input=data,
            capture_output=True,
            env=environment | more.pop("env", {}),
            cwd=tmp_path,
            timeout=60,
            **more,
        )

    return gate


@pytest.mark.parametrize(
    ("arguments", "status", "decision"),
    [
        ([HARMLESS], 0, "allow"),
        (["git status"], 0, "allow"),
        ([DEADLY], 1, "deny"),
        (["npm install left-pad"], 1, "deny"),
        (["--fail-closed", "ask", "npm install left-pad"], 2, "ask"),
        (["--layer", "l0", "npm install left-pad"], 2, "undecided"),
        (["--confirm", "--fail-closed", "ask", "npm install left-pad"], 0, "allow"),
        (["--confirm", DEADLY], 1, "deny"),
    ],
)
def test_answers(run: Any, arguments: list[str], status: int, decision: str, tmp_path: Path) -> None:
    done = run("--json", *arguments)
    assert (done.returncode, done.stderr) == (status, b"")
    assert json.loads(done.stdout)["decision"] == decision
    human = run(*arguments)
    assert human.returncode == status
    assert human.stdout.decode().startswith(f"{decision}: ")
    log = tmp_path / "log" / "audit.jsonl"
    records = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    assert [record["decision"] for record in records] == ([] if decision == "undecided" else [decision] * 2)


@pytest.mark.parametrize(
    ("data", "status"),
    [(HARMLESS.encode() + b"\n", 0), (DEADLY.encode(), 1), (b"", 3), (b"\n", 3), (b"echo \xff", 1), (b"\xff", 1)],
)
def test_standard_input(run: Any, data: bytes, status: int) -> None:
    done = run(data=data)
    assert done.returncode == status
    assert (b"phocinae: " in done.stderr) == (status == 3)


@pytest.mark.parametrize("text", [b"echo \xff", b"echo '\xff'", b'echo "\xc3"', b"\xff"])
def test_bytes_that_are_no_text_are_denied_on_standard_input_and_as_an_argument(run: Any, text: bytes) -> None:
    for done in (run(data=text), run(text), run("--", text)):
        assert (done.returncode, done.stderr) == (1, b"")
        assert done.stdout.startswith(b"deny: The command is not UTF-8 text")


@pytest.mark.parametrize(
    "arguments",
    [["git", "status"], ["--nope"], [""], ["--layer"], ["--fail-closed", "allow", "ls"], ["--guard", "/nowhere", "ls"],
     ["--backend", "none", "ls"], ["--batch", "ls"], ["--config", "", "ls"], [b"--cwd=\xff", b"ls"], [b"--\xff"]],
)  # fmt: skip
def test_usage_errors_exit_3_with_one_line(run: Any, arguments: list[str | bytes]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"phocinae: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}])
def test_the_locale_changes_nothing(environment: dict[str, str], config: str, locale: dict[str, str]) -> None:
    command = "echo größe 統 \u202e"
    outputs = set()
    for arguments, data in (([command], b""), ([], command.encode())):
        done = subprocess.run(
            [isolation.PROGRAM, "gate", "--config", config, "--json", *map(os.fsencode, arguments)],
            input=data, capture_output=True, env=environment | locale, timeout=60,
        )  # fmt: skip
        outputs.add((done.returncode, done.stdout))
    assert len(outputs) == 1
    explained = subprocess.run(
        [isolation.PROGRAM, "gate", "--config", config, "--explain", os.fsencode(command)],
        capture_output=True, env=environment | locale, timeout=60,
    )  # fmt: skip
    assert b"Traceback" not in explained.stderr
    assert b"\\u202e" in explained.stdout


def test_hostile_text_does_not_reach_the_terminal(run: Any) -> None:
    command = "echo \x1b]0;owned\x07 \u202e\u200b; rm -rf / #\r\n```"
    for arguments in ([], ["--explain"], ["--json"], ["-v", "--explain"]):
        done = run(*arguments, command)
        assert done.returncode == 1
        shown = (done.stdout + done.stderr).decode().replace("\n", "")
        assert shown.isprintable()
        assert "\u202e" not in shown


@pytest.mark.parametrize("command", [HARMLESS, DEADLY])
def test_closed_streams_are_usage_errors(command: str) -> None:
    for stream in (0, 1):
        arguments = [] if stream == 0 else [command]
        done = subprocess.run(
            ["/bin/sh", "-c", f'exec "$@" {stream}{"<" if stream == 0 else ">"}&-', "sh", *GATE, *arguments],
            capture_output=True,
            timeout=60,
            env={**os.environ, "PHOCINAE_AUDIT": "0"},
        )
        assert (done.returncode, done.stdout) == (3, b"")
        assert done.stderr.startswith(b"phocinae: ")
        assert b"closed" in done.stderr
        assert done.stderr.count(b"\n") == 1


def test_closed_standard_error_loses_the_complaint_alone(run: Any) -> None:
    done = run("--nope", preexec_fn=lambda: os.close(2))
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    done = run("--json", HARMLESS, preexec_fn=lambda: os.close(2))
    assert done.returncode == 0
    assert json.loads(done.stdout)["decision"] == "allow"


def test_a_broken_pipe_is_a_usage_error(environment: dict[str, str], config: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*GATE, "--config", config, HARMLESS], stdout=writer, stderr=subprocess.PIPE, env=environment, timeout=60
        )
    finally:
        os.close(writer)
    assert done.returncode == 3
    assert done.stderr.startswith(b"phocinae: the answer could not be written")
    assert done.stderr.count(b"\n") == 1


def test_a_full_device_is_a_usage_error(environment: dict[str, str], config: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*GATE, "--config", config, HARMLESS], stdout=full, stderr=subprocess.PIPE, env=environment, timeout=60
        )
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1


def line_of(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the next line of the process, which must come without more input."""
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], 30)[0]
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def test_a_batch_answers_each_line_before_the_next_and_an_interruption_ends_it(
    environment: dict[str, str], config: str
) -> None:
    with subprocess.Popen(
        [*GATE, "--config", config, "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        for command, decision in ((HARMLESS, "allow"), (DEADLY, "deny"), (HARMLESS, "allow")):
            process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
            process.stdin.flush()
            assert line_of(process)["decision"] == decision
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 3
        assert process.stderr.read() == b"phocinae: interrupted\n"


def test_on_a_terminal_it_says_what_it_waits_for(environment: dict[str, str], config: str) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [*GATE, "--config", config], stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stderr is not None
        assert b"end it with Ctrl-D" in process.stderr.readline()
        os.write(controller, HARMLESS.encode() + b"\n\x04")
        assert process.wait(30) == 0
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate]\nfail_closed = 1\n", b"config.toml, line 2: gate.fail_closed cannot be used"),
        ("[gate]\nfail_close = 1\n", b"config.toml, line 2: unknown key gate.fail_close"),
        ("[gate\n", b"is not TOML"),
    ],
)
def test_a_broken_settings_file_ends_in_3(run: Any, config: str, text: str, message: bytes) -> None:
    Path(config).write_text(text)
    done = run(HARMLESS)
    assert (done.returncode, done.stdout) == (3, b"")
    assert message in done.stderr


def test_a_broken_project_file_ends_in_3(run: Any, tmp_path: Path) -> None:
    (tmp_path / ".phocinae").mkdir()
    (tmp_path / ".phocinae" / "policy.toml").write_text("[gate]\nfail_closed = false\n")
    assert run(HARMLESS).returncode == 3


def test_a_log_that_cannot_be_written_is_loud_and_changes_no_deny(run: Any, tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    for strict, command, status in (("0", HARMLESS, 0), ("1", HARMLESS, 1), ("0", DEADLY, 1), ("1", DEADLY, 1)):
        done = run("--json", command, env={"PHOCINAE_AUDIT_STRICT": strict})
        assert done.returncode == status
        assert json.loads(done.stdout)["error"] == "not recorded"
        assert b"could not be recorded" in done.stderr
        assert str(tmp_path / "log").encode() in done.stderr


def test_secrets_are_not_in_the_log(run: Any, tmp_path: Path) -> None:
    secret = "hunter2hunter2"
    for command in (f"TOKEN={secret} ls", f"x --password {secret}", f"curl -u me:{secret} https://h"):
        run(command)
    text = (tmp_path / "log" / "audit.jsonl").read_text()
    assert text.count("\n") == 3
    assert secret not in text


def test_the_home_is_that_of_the_password_database(tmp_path: Path) -> None:
    (tmp_path / ".config" / "phocinae").mkdir(parents=True)
    (tmp_path / ".config" / "phocinae" / "config.toml").write_text("broken")
    done = subprocess.run(
        [*GATE, "--json", DEADLY],
        capture_output=True,
        timeout=60,
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / ".config"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "PHOCINAE_AUDIT": "0",
        },
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["decision"] == "deny"
    assert not (tmp_path / "state").exists()


def test_the_files_that_this_call_uses_are_the_gates_own(run: Any, config: str, tmp_path: Path) -> None:
    for path in (config, tmp_path / "log" / "audit.jsonl", tmp_path / "log" / "audit.key"):
        done = run("--json", "--layer", "l0", f"rm {path}")
        assert done.returncode == 1
        assert json.loads(done.stdout)["hits"][0]["rule"] == "write-gate"
    assert run("--layer", "l0", f"rm {tmp_path}/other").returncode == 2
