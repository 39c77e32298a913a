"""Services as child processes: started, killed without warning, started again where they were."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from .replies import MODEL

TESTS = Path(__file__).resolve().parent.parent
REAL_ROUTES = Path(__file__).resolve().with_name("real_routes.py")


def figures_of(word: str) -> dict[str, Any]:
    """Return the figures that belong to a unique word: those of every second command are mild enough for an allow."""
    kind = crc32(word.encode()) % 4
    return {"noul": (0.95, 0.9, 0.5, 0.1)[kind], "score": (2, 3, 2, 3)[kind]}


class ServiceProcess:
    """A service in a process of its own, which says its port on the first line and keeps it over `kill` and `start`."""

    port = 0

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The base address of the service."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> Sequence[str]:
        """Return the words that start it on `port`, or on a free one if that is 0."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it and wait until it serves."""
        self._process = subprocess.Popen(
            self.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=TESTS,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self.port = int(self._line())

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

    def freeze(self) -> None:
        """Let it do nothing until `thaw`; what is sent to it waits, and connections still come about."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on where it was."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def _line(self) -> str:
        assert self._process
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the service ended with status {self._process.wait()}")
        return line

    def _say(self, order: object) -> Any:
        assert self._process
        assert self._process.stdin
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return json.loads(self._line())


class StubProcess(ServiceProcess):
    """The stub; `arguments` are those of ``python -m decision_service``, `log` the file of its answers, if any."""

    def __init__(self, *arguments: str, log: Path | None = None) -> None:
        super().__init__()
        self.arguments, self.log = arguments, log

    def command(self) -> Sequence[str]:
        logged = ("--log", str(self.log)) if self.log else ()
        return [sys.executable, "-m", "decision_service", "--port", str(self.port), *logged, *self.arguments]

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


class RealService(ServiceProcess):
    """The routes of the published phocinae-server, run by `python`, with an engine that answers what it is told.

    `token` is the bearer token that it demands.  Not `ready`, it refuses as while its model is loading.
    """

    def __init__(
        self, python: Path, *, token: str = "", extensions: bool = True, ready: bool = True, max_body: int = 2**21
    ) -> None:
        super().__init__()
        self.python, self.ready = python, ready
        self.environment = {
            "PHOC_MODEL_NAME": MODEL,
            "PHOC_BEARER_TOKEN": token,
            "PHOC_EXTENSIONS": str(int(extensions)),
            "PHOC_MAX_BODY": str(max_body),
        }

    def command(self) -> Sequence[str]:
        options = json.dumps({"ready": self.ready, "environment": self.environment})
        return [str(self.python), "-I", str(REAL_ROUTES), str(self.port), options]

    def tell(self, **figures: Any) -> None:
        """Replace what the engine answers: ``noul``, ``score``, ``choice``, ``delay`` in seconds, ``fails``."""
        self._say(figures)

    def calls(self) -> list[dict[str, Any]]:
        """Return what has reached the engine: ``state``, ``questions`` and ``perm`` of each call."""
        calls: list[dict[str, Any]] = self._say(None)
        return calls
