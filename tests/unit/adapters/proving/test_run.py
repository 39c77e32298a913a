from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from phocinae.adapters.proving.run import OUTPUT_LIMIT, run

PYTHON = (sys.executable, "-I", "-c")


def test_a_command_gets_the_payload_and_gives_its_outputs_and_status(tmp_path: Path) -> None:
    program = "import sys; print(sys.stdin.read().upper()); print('no', file=sys.stderr); sys.exit(2)"
    done = run([*PYTHON, program], b"payload", cwd=str(tmp_path), timeout=60)
    assert (done.status, done.stdout, done.stderr, done.failure) == (2, b"PAYLOAD\n", b"no\n", "")
    assert done.seconds > 0


def test_it_runs_in_the_folder_and_with_the_variables(tmp_path: Path) -> None:
    program = "import os; print(os.getcwd(), os.environ.get('A'), os.environ.get('HOME'))"
    done = run([*PYTHON, program], b"", cwd=str(tmp_path), environment={"A": "b"}, timeout=60)
    assert done.stdout.decode().split() == [str(tmp_path), "b", "None"]


@pytest.mark.parametrize("words", [["/nonexistent/python"], ["\0"]])
def test_a_command_that_does_not_start_is_a_failure(words: list[str], tmp_path: Path) -> None:
    done = run(words, b"", cwd=str(tmp_path), timeout=60)
    assert done.status is None
    assert done.failure.startswith("it does not start: ")


def test_a_command_that_reads_nothing_is_no_failure(tmp_path: Path) -> None:
    assert run([*PYTHON, "pass"], b"x" * 1_000_000, cwd=str(tmp_path), timeout=60).status == 0


def test_a_command_that_gives_no_answer_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time; time.sleep(2); open({str(mark)!r}, 'w')"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-I', '-c', {child!r}])"
    done = run([*PYTHON, program], b"", cwd=str(tmp_path), timeout=0.7)
    assert (done.status, done.failure) == (None, "it gave no answer within 0.7 s")
    assert run([*PYTHON, "import time; time.sleep(2.5)"], b"", cwd=str(tmp_path), timeout=60).status == 0
    assert not mark.exists()


def test_outputs_are_cut(tmp_path: Path) -> None:
    done = run([*PYTHON, f"print('x' * {OUTPUT_LIMIT * 2})"], b"", cwd=str(tmp_path), timeout=60)
    assert len(done.stdout) == OUTPUT_LIMIT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no sessions to leave")
@pytest.mark.parametrize("ends", [True, False])
def test_a_child_in_a_session_of_its_own_that_holds_the_outputs_is_not_waited_for(tmp_path: Path, ends: bool) -> None:
    child = (
        "import os, time; open('pid.new', 'w').write(str(os.getpid())); os.rename('pid.new', 'pid'); time.sleep(300)"
    )
    program = f"""
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-I", "-c", {child!r}], start_new_session=True)
while not os.path.exists("pid"):
    time.sleep(0.01)
time.sleep(0 if {ends} else 300)
"""
    done = run([*PYTHON, program], b"", cwd=str(tmp_path), timeout=3.0)
    child_id = int((tmp_path / "pid").read_text())
    os.kill(child_id, signal.SIGKILL)  # raises if it was waited for until its end
    assert (done.status, done.failure) == (None, "it gave no answer within 3 s")
