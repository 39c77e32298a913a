"""The stub as a child process: started, killed without warning, started again where it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import crc32

TESTS = Path(__file__).resolve().parent.parent


def figures_of(word: str) -> dict[str, Any]:
    """Return the figures that belong to a unique word: one command in four is mild enough to be allowed."""
    kind = crc32(word.encode())
    return {"noul": (0.95, 0.9, 0.5, 0.1)[kind % 4], "score": (2, 8, 2, 3)[kind % 4]}


class StubProcess:
    """The stub in a process of its own; `arguments` are those of ``python -m decision_service``.

    It keeps its port over `kill` and `start`.  `log` is the file of its answers, if it was given one.
    """

    def __init__(self, *arguments: str, log: Path | None = None) -> None:
        self.arguments, self.log = arguments, log
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The base address of the service."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it and wait until it listens."""
        logged = ("--log", str(self.log)) if self.log else ()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "decision_service", "--port", str(self.port), *logged, *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=TESTS,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the stub ended with status {self._process.wait()}")
        self.port = int(line)

    def kill(self) -> None:
        """Kill it as the operating system does, in whatever it is doing."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream
            stream.close()
        self._process = None

    def answered(self) -> dict[str, list[dict[str, Any]]]:
        """Return what was answered, by the unique word of the command; a line that a kill cut is left out."""
        by_word: dict[str, list[dict[str, Any]]] = {}
        assert self.log, "no log was kept"
        for line in self.log.read_text("utf-8").splitlines() if self.log.exists() else ():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            by_word.setdefault(entry["word"], []).append(entry)
        return by_word
