"""A guard program in its child process: whatever it does, there is an answer of its own, a failure, and no harm."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import guards
import pytest

from phocinae.adapters.backends import guard_process
from phocinae.adapters.backends.guard_file import GuardJudge, read_guard
from phocinae.adapters.backends.guard_process import GuardProcess
from phocinae.domain.request import GateRequest
from phocinae.errors import GuardFailed

PATIENCE = 30.0
"""Seconds that a program gets that is going to answer, on a busy machine."""

Start = Callable[..., GuardProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Make the process for a program of the given source; its child is gone afterwards, with all that it started."""
    made: list[GuardProcess] = []
    before = guards.children()

    def process(source: str = guards.PLAIN) -> GuardProcess:
        program = read_guard(guards.write(tmp_path, source))
        made.append(GuardProcess(program.path, program.source))
        return made[-1]

    yield process
    for one in made:
        one.close()
    assert guards.eventually(lambda: guards.children() <= before)


def fails(process: GuardProcess, command: str, seconds: float = PATIENCE) -> str:
    """Return why a program gave no answer."""
    with pytest.raises(GuardFailed) as failure:
        process.ask(command, "", seconds)
    return str(failure.value)


def said(process: GuardProcess, command: str = guards.HURT) -> Any:
    """Return the reason that a program gave, which is JSON."""
    return json.loads(process.ask(command, "", PATIENCE)["reason"])


def test_one_child_answers_command_after_command(start: Start) -> None:
    process = start(guards.hurting("return {'decision': 'ask', 'reason': json.dumps(os.getpid())}"))
    found = process.ask("bad\n\u2028\U0001f600'\"\\", "/srv", PATIENCE)
    assert found == {"id": 2, "decision": "deny", "layer": "L0", "reason": "bad\n\u2028\U0001f600'\"\\"}
    assert said(process) == said(process) != os.getpid()


def test_the_longest_command_reaches_the_program(start: Start) -> None:
    process = start(guards.hurting("return {'decision': 'deny', 'reason': json.dumps([len(command), len(cwd)])}"))
    text = guards.HURT + "\U0001f600" * 19_996
    assert json.loads(process.ask(text, "\u2028" * 4_096, PATIENCE)["reason"]) == [20_000, 4_096]


# --- failures, each followed by an answer as if nothing had been


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("raise KeyError('x')", "it failed: KeyError: 'x'"),
        ("raise BaseException('x')", "it failed: BaseException: x"),
        ("raise KeyboardInterrupt", "it failed: KeyboardInterrupt: "),
        ("sys.exit(0)", "it failed: SystemExit: 0"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})", "it failed: Odd"),
        ("decide(command, cwd, config)", "it failed: RecursionError"),
        ("return None", "it failed: TypeError"),
        ("return {}", "it failed: KeyError: 'decision'"),
        ("return 'allow'", "it failed: TypeError"),
        ("return {'decision': {'allow'}}", "it failed: TypeError"),
        ("return {'decision': 'allow', 'reason': config.setdefault('self', config)}", "it failed: ValueError"),
        ("return {'decision': 'allow', 'reason': 'x' * 10 ** 6}", "its answer is longer than 65536 bytes"),
        ("os._exit(0)", "it ended"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "it ended"),
        ("os.kill(os.getpid(), signal.SIGTERM)", "it ended"),
        ("os.closerange(3, 64)", "it ended"),
    ],
)
def test_a_program_that_fails_is_named_and_goes_on(statement: str, why: str, start: Start) -> None:
    process = start(guards.hurting(statement))
    for _ in range(2):
        assert fails(process, guards.HURT).startswith(why)
        assert process.ask("bad", "", PATIENCE)["decision"] == "deny"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "what it wrote cannot be read"),
        (b"\xff", "what it wrote cannot be read"),
        (b"[" * 30_000, "what it wrote cannot be read"),
        (b'{"id": 2, "decision": "allow"}\n{"id": 3}', "what it wrote cannot be read"),
        (b'{"id": 1, "decision": "allow"}', "what it wrote is no answer"),
        (b'{"id": true, "decision": "allow"}', "what it wrote is no answer"),
        (b'{"id": 2.0, "decision": "allow"}', "what it wrote is no answer"),
        (b'{"decision": "allow"}', "what it wrote is no answer"),
        (b"x" * 70_000, "its answer is longer"),
    ],
)
def test_a_program_that_writes_into_the_pipe_itself_is_no_wiser(line: bytes, why: str, start: Start) -> None:
    writes = f"line = {line!r} + b'\\n'\nwhile line:\n    line = line[os.write(int(sys.orig_argv[-1]), line):]\n"
    process = start(guards.hurting(writes + "os.kill(os.getpid(), signal.SIGSTOP)"))
    assert fails(process, guards.HURT).startswith(why)
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise ValueError('boom')", "it cannot be loaded: ValueError: boom"),
        ("def", "it cannot be loaded: SyntaxError: "),
        ("\0", "it cannot be loaded: "),
        ("import sys; sys.exit(3)", "it cannot be loaded: SystemExit: 3"),
        ("import os; os._exit(0)", "it ended"),
        ("import no_such_module_of_anybody", "it cannot be loaded: ModuleNotFoundError"),
        ("import attrs", "it cannot be loaded: ModuleNotFoundError"),
        ("x = 1", "it cannot be loaded: AttributeError"),
        (guards.PLAIN.replace("l0_table", "other"), "it cannot be loaded: "),
        ("raise ValueError('\\x1b[31m' + '\\n' * 2000)", r"it cannot be loaded: ValueError: \x1b[31m\n\n"),
    ],
)
def test_a_program_that_cannot_be_loaded_is_named(source: str, why: str, start: Start) -> None:
    found = fails(start(source), "ls")
    assert found.startswith(why)
    assert len(found) < 250
    assert found.isprintable()


@pytest.mark.parametrize(
    "statement",
    [
        "time.sleep(600)",
        "while True: pass",
        "import re; re.match('(a+)+$', 'a' * 60 + 'b')",  # holds the interpreter's lock all the time
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
        "if os.fork(): os._exit(0)\ntime.sleep(600)",
    ],
)
def test_a_program_that_hangs_is_cut_off(statement: str, start: Start) -> None:
    process = start(guards.hurting(statement))
    process.ask("ls", "", PATIENCE)
    began = time.monotonic()
    assert fails(process, guards.HURT, 0.3) == "it did not answer within 0.3 s"
    assert time.monotonic() - began < PATIENCE
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"


def test_a_program_that_hangs_while_it_is_loaded_is_cut_off(start: Start) -> None:
    assert fails(start("import time; time.sleep(600)"), "ls", 0.3) == "it did not answer within 0.3 s"


def test_a_program_that_does_not_read_is_cut_off(start: Start) -> None:
    process = start(
        guards.hurting("threading.Thread(target=time.sleep, args=(600,)).start()\nreturn plain('', '', {})")
    )
    process.ask(guards.HURT, "", PATIENCE)  # with a thread that would keep an interpreter from its end
    stops = "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGSTOP)).start()"
    process = start(guards.hurting(stops, "return {'decision': 'ask', 'reason': json.dumps(os.getpid())}"))
    child = said(process)
    assert guards.eventually(lambda: guards.state(child) == "T")
    assert fails(process, "\U0001f600" * 20_000, 0.3) == "it did not answer within 0.3 s"


def test_what_it_has_started_ends_with_it(start: Start) -> None:
    process = start(
        guards.hurting(
            "pid = os.fork()",
            "if not pid: time.sleep(600)",
            "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])",
            "return {'decision': 'ask', 'reason': json.dumps([os.getpid(), pid, other.pid])}",
        )
    )
    pids = said(process)
    assert [pid for pid in pids if guards.runs(pid)] == pids
    process.close()
    assert guards.eventually(lambda: not any(map(guards.runs, pids)))


# --- starting anew


def test_a_program_that_fails_again_and_again_is_left_alone(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = "import os; os.close(os.open(f'{os.path.dirname(__file__)}/{os.getpid()}', os.O_CREAT | os.O_WRONLY))\n"
    monkeypatch.setattr(guard_process, "WINDOW", 1000.0)  # the starts themselves may take long
    process = start(count + guards.hurting("os._exit(1)"))
    for _ in range(guard_process.MOST_STARTS):
        assert fails(process, guards.HURT) == "it ended"
    for _ in range(50):
        assert fails(process, "ls").startswith("it failed 5 times within 1000 s, and is left alone for ")
    assert len(list(tmp_path.iterdir())) == 1 + guard_process.MOST_STARTS
    monkeypatch.setattr(guard_process, "WINDOW", 0.0)
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"


def test_no_child_is_started_for_a_failure_that_the_program_survives(start: Start) -> None:
    process = start(guards.hurting("raise ValueError"))
    for _ in range(20):
        assert fails(process, guards.HURT).startswith("it failed: ValueError")
    assert process.ask("ls", "", PATIENCE)["id"] == 22


def test_what_was_read_is_what_runs(start: Start, tmp_path: Path) -> None:
    process = start()
    guards.write(tmp_path, guards.PLAIN.replace("deny", "allow"))
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"
    process.close()
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"


def test_an_interruption_leaves_no_answer_for_the_next_question(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start()
    process.ask("ls", "", PATIENCE)

    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            process.ask("bad", "", PATIENCE)
    assert process.ask("odd", "", PATIENCE)["reason"] == "odd"


def test_a_machine_that_gives_no_process_is_a_failure(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start()
    open_before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert fails(process, "ls") == "no process can be started for it: No such file or directory"
    monkeypatch.setattr(sys, "executable", "")
    assert fails(process, "ls").startswith("no process can be started for it")
    assert len(os.listdir("/proc/self/fd")) == open_before


# --- many at once


def test_threads_get_the_answers_to_their_own_questions(start: Start) -> None:
    process = start()
    commands = [f"{word} {number}" for number in range(40) for word in ("bad", "odd", "fine")]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda command: process.ask(command, "", PATIENCE), commands))
    assert [answer["reason"] for answer in answers] == commands
    assert sorted(answer["id"] for answer in answers) == list(range(2, len(commands) + 2))


def test_nobody_gets_the_answer_to_a_question_of_others_while_children_die(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard_process, "WINDOW", 0.0)
    process = start(guards.hurting("os._exit(1)"))

    def reason(command: str) -> str:
        try:
            return str(process.ask(command, "", PATIENCE)["reason"])
        except GuardFailed as failure:
            return str(failure)

    commands = [f"bad {number}{guards.HURT if number % 7 == 0 else ''}" for number in range(140)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(reason, commands))
    assert answers == ["it ended" if guards.HURT in command else command for command in commands]


def test_a_wait_for_others_counts(start: Start, tmp_path: Path) -> None:
    process = start(guards.hurting(f"while not os.path.exists('{tmp_path}/go'): time.sleep(0.01)"))
    process.ask("ls", "", PATIENCE)
    slow = Thread(target=process.ask, args=(guards.HURT, "", PATIENCE))
    slow.start()
    try:
        assert guards.eventually(process._lock.locked)
        assert fails(process, "ls", 0.1) == "other commands kept it busy for 0.1 s"
    finally:
        (tmp_path / "go").touch()
        slow.join()
    assert process.ask("ls", "", PATIENCE)["decision"] == "allow"


def test_two_first_questions_share_one_child(tmp_path: Path) -> None:
    judge = GuardJudge(read_guard(guards.write(tmp_path)), PATIENCE)
    before = guards.children()
    try:
        with ThreadPoolExecutor(8) as pool:
            assert len(list(pool.map(judge, [GateRequest(f"bad {number}") for number in range(16)]))) == 16
        assert len(guards.children() - before) == 1
    finally:
        judge.close()


# --- what it can reach


def test_nothing_that_it_prints_is_seen(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    noisy = (
        "print('NOISE'); print('NOISE', file=sys.stderr)",
        "os.write(1, b'NOISE'); os.write(2, b'NOISE'); print('NOISE', file=sys.__stdout__)",
        "subprocess.run([sys.executable, '-c', 'print(\"NOISE\"); import os; os.write(2, b\"NOISE\")'])",
        "sys.stdout = sys.stderr = open(os.devnull, 'w')",
    )
    process = start("print('NOISE'); import os; os.write(1, b'NOISE')\n" + guards.hurting(*noisy))
    assert process.ask(guards.HURT, "", PATIENCE)["decision"] == "allow"
    process.close()
    assert capfd.readouterr() == ("", "")


WITHOUT_STREAMS = """\
import os, sys
for descriptor in map(int, sys.argv[2:]):
    os.close(descriptor)
from phocinae.adapters.backends.guard_file import read_guard
from phocinae.adapters.backends.guard_process import GuardProcess
program = read_guard(sys.argv[1])
os._exit(GuardProcess(program.path, program.source).ask("odd", "", 30.0)["decision"] != "ask")
"""


@pytest.mark.parametrize("closed", [(0,), (2,), (0, 1, 2)])
def test_standard_streams_that_are_closed_take_no_pipe_from_it(closed: tuple[int, ...], tmp_path: Path) -> None:
    start = [sys.executable, "-c", WITHOUT_STREAMS, guards.write(tmp_path), *map(str, closed)]
    assert subprocess.run(start, timeout=60, check=False).returncode == 0


def test_functions_that_it_replaces_are_not_those_that_answer(start: Start) -> None:
    process = start(
        guards.hurting(
            "os.write = os.read = os._exit = json.dumps = json.loads = print",
            "sys.stdout = sys.stdin = sys.stderr = None",
            "sys.modules['json'] = sys.modules['os'] = None",
        )
    )
    for _ in range(2):
        assert process.ask(f"bad {guards.HURT}", "", PATIENCE)["decision"] == "deny"


def test_it_sees_no_key_and_no_terminal(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = tmp_path / "secret.key"
    key.write_text("KEY")
    monkeypatch.setenv("PHOCINAE_TOKEN", "TOKEN")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(key))
    sees = (
        "fds = [f'/proc/self/fd/{fd}' for fd in os.listdir('/proc/self/fd')]",
        "open_files = [os.readlink(fd) for fd in fds if os.path.lexists(fd)]",
        "seen = [dict(os.environ), os.getcwd(), sys.stdin.read(), sys.path, open_files, os.getsid(0) == os.getpid()]",
        "return {'decision': 'ask', 'reason': json.dumps(seen)}",
    )
    with key.open() as file:
        os.set_inheritable(file.fileno(), True)
        environment, cwd, typed, path, files, leads = said(start(guards.hurting(*sees)))
    assert environment == {"LC_ALL": "C.UTF-8"}
    assert (cwd, typed, leads) == ("/", "", True)
    assert str(key) not in files
    assert {one for one in files if not one.startswith(("pipe:", "/proc/"))} == {os.devnull}
    assert sum(one.startswith("pipe:") for one in files) == 2
    assert [folder for folder in path if "site-packages" in folder or folder in ("", str(tmp_path))] == []
    assert os.path.dirname(guard_process.CHILD) not in path


def test_what_it_starts_gets_none_of_the_pipes(start: Start) -> None:
    lists = (
        "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in range(3, 20) if os.path.exists(f'/dev/fd/{n}')])"
    )
    statement = f"done = subprocess.run([sys.executable, '-c', {lists!r}], close_fds=False, stdout=subprocess.PIPE)"
    process = start(guards.hurting(statement, "return {'decision': 'ask', 'reason': json.dumps(done.stdout.decode())}"))
    assert "pipe:" not in said(process)


def test_one_command_cannot_spoil_the_rules_for_the_next(start: Start) -> None:
    process = start(
        guards.hurting("config[str(len(config))] = 1\nreturn {'decision': 'ask', 'reason': json.dumps(len(config))}")
    )
    assert [said(process) for _ in range(2)] == [3, 3]


def test_nothing_is_written(start: Start, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("x = 1\n")
    writes = (
        "import importlib; sys.path.insert(0, os.path.dirname(__file__)); import helper",
        "try:",
        "    with open(os.path.join(os.path.dirname(__file__), 'new'), 'w') as file: file.write('x')",
        "except OSError as error: return {'decision': 'ask', 'reason': json.dumps(error.strerror)}",
    )
    assert said(start(guards.hurting(*writes))) == "File too large"
    assert {path.name: path.stat().st_size > 0 for path in tmp_path.iterdir()} == {
        "guard.py": True, "helper.py": True, "new": False,
    }  # fmt: skip


def test_it_is_told_to_ask_no_service_and_to_keep_no_record(start: Start) -> None:
    source = guards.hurting("return {'decision': 'ask', 'reason': json.dumps([config, cwd, __name__, __file__])}")
    source = source.replace('return {"l0_table": ""}', 'return {**given, "l0_table": "t"}').replace("{}", "[path]", 1)
    process = start(source)
    config, cwd, name, file = said(process)
    assert config == {
        "l1_enabled": False, "fail_closed": "deny", "audit_path": "off", "l0_table": "t", "l0_table_data": ["t"],
    }  # fmt: skip
    assert (cwd, name, Path(file).name) == ("", "phocinae_guard_program", "guard.py")


# --- its end

HOST = """
import os, signal, sys, threading, time
from phocinae.adapters.backends.guard_process import GuardProcess
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
path = sys.argv[1]
process = GuardProcess(path, open(path, "rb").read())
ask = lambda command, seconds=30.0: process.ask(command, "", seconds)["reason"]
print(ask("pid"), flush=True)
"""


def host(path: str, *statements: str) -> subprocess.Popen[str]:
    """Start a program that asks the guard program `path` for its process, prints that, and goes on."""
    script = "\n".join([HOST, *statements])
    return subprocess.Popen([sys.executable, "-I", "-c", script, path], stdout=subprocess.PIPE, text=True)


PID = guards.hurting("time.sleep(600)").replace('"reason": command', '"reason": str(os.getpid())')
"""A program that names its process."""


@pytest.mark.parametrize(
    "end",
    [
        "",
        "sys.exit(3)",
        "os._exit(0)",
        "os.kill(os.getpid(), signal.SIGKILL)",
        "threading.Thread(target=ask, args=('hurt', 0.5), daemon=True).start(); time.sleep(0.2); os._exit(0)",
        "del process, ask; time.sleep(600)",
    ],
)
def test_the_child_ends_with_its_parent(end: str, tmp_path: Path) -> None:
    with host(guards.write(tmp_path, PID), end) as parent:
        try:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            assert guards.eventually(lambda: not guards.runs(child))
        finally:
            parent.kill()


def test_the_child_of_one_that_was_forked_is_its_own(tmp_path: Path) -> None:
    forks = (
        "child = os.fork()",
        "if not child:",
        "    print(ask('pid'), ask('pid'), flush=True)",
        "    sys.exit()",
        "os.waitpid(child, 0)",
        "print(ask('pid'), flush=True)",
    )
    with host(guards.write(tmp_path, PID), *forks) as parent:
        assert parent.stdout is not None
        first, forked, again, last = map(int, parent.stdout.read().split())
    assert parent.returncode == 0
    assert first == last
    assert forked == again != first
    assert guards.eventually(lambda: not guards.runs(first) and not guards.runs(forked))


def test_one_that_is_let_go_takes_its_child_along(tmp_path: Path) -> None:
    program = read_guard(guards.write(tmp_path))
    before = guards.children()
    process = GuardProcess(program.path, program.source)
    process.ask("ls", "", PATIENCE)
    (child,) = guards.children() - before
    del process
    gc.collect()
    assert guards.eventually(lambda: not guards.runs(child))


def test_a_child_that_is_already_gone_can_be_closed(start: Start) -> None:
    process = start()
    before = guards.children()
    process.ask("ls", "", PATIENCE)
    (child,) = guards.children() - before
    os.kill(child, signal.SIGKILL)
    assert guards.eventually(lambda: not guards.runs(child))
    process.close()
    process.close()
    assert process.ask("bad", "", PATIENCE)["decision"] == "deny"
