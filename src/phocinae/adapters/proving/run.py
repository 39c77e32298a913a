"""Runs the command of an installed hook with one payload, as an agent does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from time import monotonic

from attrs import frozen

OUTPUT_LIMIT = 64 * 1024
"""How much of each output is looked at, in bytes."""

_LAST_WORDS = 1.0


@frozen(kw_only=True)
class Run:
    """What came of it: the exit status, or a sentence in `failure` where it did not come to one; `seconds` it took."""

    status: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    failure: str = ""
    seconds: float = 0.0


def run(
    words: Sequence[str], payload: bytes, *, cwd: str, environment: Mapping[str, str] | None = None, timeout: float
) -> Run:
    """Return what comes of the command `words` when it gets `payload` on standard input; never raise.

    It runs in `cwd` with the variables in `environment`, None standing for those of this process, and with
    all that it has started it is ended after `timeout` seconds.
    """
    began = monotonic()
    try:
        process = subprocess.Popen(
            list(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=None if environment is None else dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a null character in a word
        return Run(failure=f"it does not start: {getattr(error, 'strerror', None) or 'not a command'}")
    try:
        stdout, stderr = process.communicate(payload, timeout)
    except subprocess.TimeoutExpired:
        _end(process)
        return Run(failure=f"it gave no answer within {timeout:g} s", seconds=monotonic() - began)
    return Run(
        status=process.returncode,
        stdout=stdout[:OUTPUT_LIMIT],
        stderr=stderr[:OUTPUT_LIMIT],
        seconds=monotonic() - began,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, and give back what it holds; never wait for a child that left its session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # no process groups here, or it has just ended
        process.kill()
    try:
        process.communicate(timeout=_LAST_WORDS)
    except subprocess.TimeoutExpired:  # such a child holds the outputs open, maybe for ever
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()
