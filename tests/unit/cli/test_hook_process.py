"""The hook in a process of its own: in every locale, with hostile surroundings, and in time whatever it hangs in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import hooks
import pytest
from hooks import DEADLY, HARMLESS

from phocinae.cli.deadline import BLOCKED

NAME = "codex"
Done = subprocess.CompletedProcess[bytes]


@pytest.fixture
def config(tmp_path: Path) -> str:
    return hooks.settings_file(tmp_path)


def encoded(command: str, **more: Any) -> bytes:
    return hooks.encoded(hooks.sample(NAME, command, **more))


def blocked(done: Done, reason: bytes = b"") -> None:
    assert done.returncode == BLOCKED, done
    assert done.stderr.startswith(b"phocinae: ")
    assert reason in done.stderr


def denial(done: Done) -> str:
    """Return the reason in the agent's own form."""
    blocked(done)
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    return str(said["permissionDecisionReason"])


LOCALES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii:strict"},
    {"LC_ALL": "en_US.CP1252", "PYTHONIOENCODING": "cp1252:strict", "PYTHONUTF8": "0"},
    {"LC_ALL": "C.UTF-8"},
]


@pytest.mark.parametrize("isolated", [True, False], ids=["-I", "without -I"])
@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: "-".join(locale.values()))
def test_the_locale_changes_nothing(locale: dict[str, str], isolated: bool, config: str, tmp_path: Path) -> None:
    for command, status in (
        ("echo 你好 ✓ 🦭 größe", 0),
        ("rm -rf ~ # 🦭 你好", BLOCKED),
        ("rm -rf ~/⚙️demo/..", BLOCKED),
    ):
        words = hooks.words(NAME, config)
        if not isolated:
            words.remove("-I")
        done = subprocess.run(
            words, input=encoded(command), capture_output=True, cwd=tmp_path, env=os.environ | locale, timeout=60
        )
        assert done.returncode == status, done
        if status == BLOCKED:
            assert "你好" not in denial(done)
    assert {record["command"] for record in hooks.records(tmp_path)} >= {"echo 你好 ✓ 🦭 größe"}


@pytest.mark.parametrize("text", ["\ud800", "echo \udfff", "\ud83e rm"])
def test_half_a_surrogate_pair_is_blocked(text: str, config: str) -> None:
    as_escape = json.dumps(hooks.sample(NAME, text)).encode()
    assert "surrogate" in denial(hooks.run(NAME, as_escape, config))
    assert "UTF-8" in denial(hooks.run(NAME, encoded(text), config))


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (encoded("x" * 1_000_000), "longer than 20000 is not judged"),
        (encoded(HARMLESS, extra="x" * 1_000_000), ""),
        (encoded(DEADLY, extra="\u4f60" * 400_000), "deletes /"),
        (b"[" * 1_000_000, "nested"),
        (encoded(DEADLY)[:-1] + b', "x": ' + b"9" * 100_000 + b"}", "integer is too long"),
        (b"\x00" * 1_000, "not JSON"),
        (encoded(HARMLESS, extra="x" * (17 << 20)), "longer than 16777216 bytes"),
    ],
    ids=["long command", "long harmless", "long denied", "deep", "long number", "zeros", "past the limit"],
)
def test_a_large_payload_is_answered(payload: bytes, reason: str, config: str) -> None:
    done = hooks.run(NAME, payload, config)
    if reason:
        assert reason in denial(done)
    else:
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def shell(config: str, redirection: str, command: str, *arguments: str) -> Done:
    """Run the hook with a standard stream that a shell redirects or closes; the payload comes from a file."""
    payload = Path(config).with_name("payload.json")
    payload.write_bytes(encoded(command))
    text = f'exec "$@" < {payload} {redirection}'
    return subprocess.run(
        ["/bin/sh", "-c", text, "sh", *hooks.words(NAME, config, *arguments)],
        capture_output=True,
        cwd=payload.parent,
        timeout=60,
    )


@pytest.mark.parametrize("redirection", ["<&-", "< /dev/null"])
def test_a_closed_or_empty_input_is_blocked(redirection: str, config: str) -> None:
    denial(shell(config, redirection, HARMLESS))


@pytest.mark.parametrize("redirection", [">&-", "> /dev/full", "1< /dev/null"])
def test_an_answer_that_cannot_be_written_is_a_block(redirection: str, config: str) -> None:
    blocked(shell(config, redirection, DEADLY), b"deletes /")
    assert shell(config, redirection, HARMLESS).returncode == 0  # nothing was to be written
    assert shell(config, redirection, "", "--help").returncode == BLOCKED


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full", ">&- 2>&-"])
def test_a_denial_needs_no_error_output(redirection: str, config: str, tmp_path: Path) -> None:
    done = shell(config, redirection, DEADLY)
    assert done.returncode == BLOCKED
    assert (b'"deny"' in done.stdout) == (">&- 2>&-" not in redirection)
    # what was meant for the agent stands in no file that took a closed stream's number
    assert [record["decision"] for record in hooks.records(tmp_path)] == ["deny"]


def test_a_pipe_that_nobody_reads_is_a_block_in_time(config: str) -> None:
    reading, writing = os.pipe()
    try:
        os.set_blocking(writing, False)
        while True:
            try:
                os.write(writing, b"x" * 4096)
            except BlockingIOError:
                break
        os.set_blocking(writing, True)
        begun = time.monotonic()
        done = hooks.run(NAME, encoded(DEADLY), config, "--deadline", "1", stdout=writing, stderr=subprocess.DEVNULL)
        assert done.returncode == BLOCKED
        assert time.monotonic() - begun < 10
    finally:
        os.close(reading)
        os.close(writing)


def test_an_input_that_does_not_wait_is_waited_for(config: str) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    child = subprocess.Popen(hooks.words(NAME, config), stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(reading)
    time.sleep(0.3)
    os.write(writing, encoded(DEADLY))
    os.close(writing)
    stdout, stderr = child.communicate(timeout=60)
    assert "deletes /" in denial(Done([], child.returncode, stdout, stderr))


def never(signals: set[signal.Signals] | None = None) -> dict[str, Any]:
    """Return how to start a process with signals that somebody has blocked before."""
    return {"preexec_fn": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, signals or set())}


@pytest.mark.parametrize("signals", [set(), {signal.SIGALRM}, signal.valid_signals()], ids=["none", "alarm", "all"])
def test_an_input_that_never_ends_is_blocked_in_time(signals: set[signal.Signals], config: str) -> None:
    reading, writing = os.pipe()
    begun = time.monotonic()
    try:
        done = hooks.run(NAME, b"", config, "--deadline", "0.5", stdin=reading, **never(signals))
    finally:
        os.close(reading)
        os.close(writing)
    assert "within 0.5 s" in denial(done)
    assert 0.4 < time.monotonic() - begun < 10


def test_a_settings_file_that_is_a_pipe_does_not_hang(config: str) -> None:
    fifo = Path(config).with_name("fifo.toml")
    os.mkfifo(fifo)
    assert "not a regular file" in denial(hooks.run(NAME, encoded(HARMLESS), str(fifo)))


HANG = """
import itertools, sys, time
sys.argv = ["phocinae", "hook", "codex", *sys.argv[1:]]
from phocinae.cli import deadline, entry, hook
deadline.DEADLINE = hook.DEADLINE = {seconds}
def hang(*_):
    {statement}
hook.{place} = hang
entry.main()
"""


def hanging(config: str, place: str, statement: str, *arguments: str) -> tuple[Done, float]:
    begun = time.monotonic()
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            HANG.format(seconds=1.0, place=place, statement=statement),
            "--config",
            config,
            *arguments,
        ],
        input=encoded(HARMLESS),
        capture_output=True,
        cwd=Path(config).parent,
        timeout=60,
    )
    return done, time.monotonic() - begun


@pytest.mark.parametrize("statement", ["time.sleep(60)", "while True: pass", "open(0).read(); time.sleep(60)"])
def test_a_gate_that_hangs_is_a_block_in_time(statement: str, config: str) -> None:
    done, took = hanging(config, "build", statement, "--deadline", "0.5")
    assert "within 0.5 s" in denial(done)
    assert took < 10


@pytest.mark.parametrize("place", ["parse", "_named"])
def test_what_hangs_before_the_settings_are_known_is_a_block_in_time(place: str, config: str) -> None:
    done, took = hanging(config, place, "time.sleep(60)")
    assert "within 1 s" in denial(done)
    assert took < 10


def test_where_python_cannot_run_any_more_the_process_ends_without_an_answer(config: str) -> None:
    """A loop in C that looks for no signal: whatever is no success blocks by the installed command."""
    done, took = hanging(config, "build", "sum(itertools.repeat(0))", "--deadline", "0.5")
    assert done.returncode not in (0, -signal.SIGKILL)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert took < 15


HOSTILE = {
    "PHOCINAE_MODE": "observe",
    "PHOCINAE_ENABLED": "false",
    "PHOCINAE_FAIL_CLOSED": "ask",
    "PHOCINAE_UNATTENDED": "ask",
    "PHOCINAE_ON_ALLOW": "allow",
    "PHOCINAE_AUDIT": "false",
    "PHOCINAE_HOOK_DEADLINE": "12",
    "PHOCINAE_BACKEND": "mock",
    "PHOCINAE_L1_ENABLED": "true",
    "PHOCINAE_PROJECT_CODE": "allow",
    "PHOCINAE_DIALECT": "cmd",
    "PHOCINAE_CONFIG": "/dev/null",
    "PYTHONSTARTUP": "/nonexistent.py",
    "PYTHONINSPECT": "1",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
    "PYTHONIOENCODING": "nonsense",
    "PYTHONHOME": "/nonexistent",
    "PYTHONPATH": "/nonexistent",
    "HOME": "/nonexistent",
    "XDG_CONFIG_HOME": "/nonexistent",
    "XDG_STATE_HOME": "/nonexistent",
    "PATH": "/nonexistent",
    "TMPDIR": "/nonexistent",
}


@pytest.mark.parametrize("name", [*sorted(HOSTILE), "all"])
def test_no_variable_loosens_the_hook(name: str, config: str, tmp_path: Path) -> None:
    environment = os.environ | (HOSTILE if name == "all" else {name: HOSTILE[name]})
    done = hooks.run(NAME, encoded(DEADLY), config, env=environment)
    assert "deletes /" in denial(done)
    if name in ("PHOCINAE_UNATTENDED", "PHOCINAE_FAIL_CLOSED", "all"):
        payload = hooks.encoded(hooks.unattended(NAME, hooks.OPEN))
        blocked(hooks.run(NAME, payload, config, env=environment))
    assert {record["decision"] for record in hooks.records(tmp_path)} >= {"deny"}
    assert {record.get("outcome", "deny") for record in hooks.records(tmp_path)} == {"deny"}


def test_a_variable_that_is_not_followed_is_named(config: str) -> None:
    done = hooks.run(NAME, encoded(HARMLESS), config, env=os.environ | {"PHOCINAE_MODE": "observe"})
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"environment variable PHOCINAE_MODE is ignored" in done.stderr


def test_the_project_may_tighten_and_not_loosen(config: str, tmp_path: Path) -> None:
    claimed, here = tmp_path / "claimed", tmp_path / "here"
    for folder in (claimed, here):
        (folder / ".phocinae").mkdir(parents=True)
    payload = hooks.encoded(hooks.sample(NAME, hooks.OPEN, str(claimed)))
    assert hooks.run(NAME, payload, config, "--unattended", "ask", cwd=here).returncode == 0
    for folder in (claimed, here):
        policy = folder / ".phocinae" / "policy.toml"
        policy.write_text('[gate]\nfail_closed = "deny"\n')
        denial(hooks.run(NAME, payload, config, "--unattended", "ask", cwd=here))
        policy.write_text('[gate]\nenabled = false\nmode = "observe"\n[hook]\nunattended = "ask"\n')
        denying = hooks.encoded(hooks.sample(NAME, DEADLY, str(claimed)))
        done = hooks.run(NAME, denying, config, cwd=here)
        denial(done)
        assert done.stderr.count(b"is ignored") == 3
        policy.write_text("broken")
        assert "policy.toml" in denial(hooks.run(NAME, payload, config, "--unattended", "ask", cwd=here))
        policy.unlink()


def test_a_project_that_enforces_ends_the_observing(config: str, tmp_path: Path) -> None:
    (tmp_path / "claimed" / ".phocinae").mkdir(parents=True)
    (tmp_path / "claimed" / ".phocinae" / "policy.toml").write_text('[gate]\nmode = "enforce"\n')
    for cwd, status in ((hooks.NOWHERE, 0), (str(tmp_path / "claimed"), BLOCKED)):
        payload = hooks.encoded(hooks.sample(NAME, DEADLY, cwd))
        assert hooks.run(NAME, payload, config, "--observe").returncode == status
    outcomes = [record.get("outcome") for record in hooks.records(tmp_path)]
    assert outcomes == ["would deny", None]


def test_a_hook_that_is_off_reads_nothing_and_says_so(config: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        done = hooks.run(NAME, b"", config, "--off", stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"phocinae: OFF, nothing is judged, by option --off\n"
    (record,) = hooks.records(tmp_path)
    assert (record["event"], record["agent"]) == ("off", NAME)


@pytest.mark.parametrize(
    "front", [["--config", "$CONFIG"], ["-v", "--config=$CONFIG"], ["--verbose", "--config", "$CONFIG", "-v"]]
)
def test_options_may_stand_in_front_of_the_word(front: list[str], config: str, tmp_path: Path) -> None:
    words = [word.replace("$CONFIG", config) for word in front]
    done = subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", *words, "hook", NAME],
        input=encoded(DEADLY),
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert "deletes /" in denial(done)
    assert hooks.log(tmp_path).exists()


@pytest.mark.parametrize(
    "arguments",
    [["hook"], ["hook", "nobody"], ["hook", "codex", "gemini-cli"], ["hook", "--nope"], ["hook", "codex", "--config"],
     ["--nope", "hook", "codex"], ["-v", "hook"], ["--config", "hook", "hook", "codex"],
     ["hook", "codex", "--deadline", "x"],
     ["hook", "codex", "--fail-closed", "allow"], ["hook", "codex", "--guard", "auto"], ["hook", "\udcff"]],
)  # fmt: skip
def test_what_cannot_be_used_is_a_block(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", *arguments],
        input=encoded(HARMLESS),
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )
    blocked(done)
    assert done.stderr.count(b"\n") == 1


def test_an_interruption_is_a_block(config: str) -> None:
    reading, writing = os.pipe()
    child = subprocess.Popen(hooks.words(NAME, config), stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=60)
    finally:
        os.close(reading)
        os.close(writing)
    # before our own code runs, an interruption ends Python as it always does: no success either way
    assert child.returncode in (BLOCKED, -signal.SIGINT, 1)
    if stdout:
        denial(Done([], child.returncode, stdout, stderr))
