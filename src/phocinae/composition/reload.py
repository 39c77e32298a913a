"""Keeps what a long-lived server answers with in step with the files that it was built from.

The files are looked at when somebody asks, and at most once a `PAUSE`; they are read only
when the file system says that they changed, or when they could not be used before.  Files
that cannot be used deny every command, with their error, until they are mended.  Whoever
holds the old parts keeps them to the end of the call; after that they close by themselves.
"""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from attrs import evolve, frozen

from ..adapters.backends import guard_file
from ..domain.questions import Answers, Question
from ..domain.request import GateRequest
from ..domain.verdict import Decision, Layer, Verdict
from ..errors import InvalidSettings, Refused
from ..mcp.operations import Level, Log
from ..ports import Clock
from ..service.inference import InferenceService
from ..service.live import Live
from ..settings import Effective, Given, Settings, key_of

PAUSE = 1.0
"""How many seconds lie between two looks at the files, at least."""

UNSETTLED = 2.0
"""How many seconds after a change a file may change again under the same time: some file systems count by two."""

FIXED = (
    "transport", "host", "port", "path", "allow_host", "allow_origin", "auth_token_file", "max_body",
    "session_secret_file", "session_ttl", "require_session",
    "state_key_file", "spent_tokens_file", "human_timeout",
    "log", "log_folder", "log_level", "log_prefix",
)  # fmt: skip
"""The settings that a server which runs keeps as they were when it started."""

Mark: TypeAlias = tuple[int, ...]
"""What the file system says of a file; the content has not changed while this has not."""


class Reloading:
    """A `LiveSource` over files; threads may share it, and none of them waits for another's look."""

    def __init__(
        self,
        load: Callable[[], Effective],
        build: Callable[[Settings], Live],
        files: tuple[str, ...],
        *,
        start: Effective,
        log: Log,
        clock: Clock = time.monotonic,
        now: Clock = time.time,
    ) -> None:
        """Begin with what `start` builds; `files` are those that `load` reads, and `log` tells whoever runs the server.

        `clock` counts seconds, `now` counts them since the epoch.

        Raises:
            InvalidSettings: a setting asks for a part that is not there.
        """
        self._load, self._build, self._files, self._log = load, build, files, log
        self._clock, self._now = clock, now
        self._lock = Lock()
        self._effective = start
        self._seen: tuple[Mark, ...] = ()  # so that the first look reads what may have changed since the start
        self._error = ""
        self._next = clock() + PAUSE
        self._parts = self._part_marks(start.settings)
        self._live = self._good = build(start.settings)

    def __call__(self) -> Live:
        """Return what is in force, after a look at the files if one is due; never raise."""
        if self._clock() >= self._next and self._lock.acquire(blocking=False):
            try:
                self._next = self._clock() + PAUSE
                self._look()
            except Exception as error:  # a marked place: what cannot be read denies
                self._break(f"they could not be read again ({type(error).__name__})")
            finally:
                self._lock.release()
        return self._live

    def _look(self) -> None:
        marks = tuple(map(_mark, self._files)) + self._part_marks(self._effective.settings)
        if marks == self._seen and not self._error:  # what failed may have lain elsewhere, as where files were too many
            return
        # a file that changed a moment ago is read once more, in case that it does so again within the same tick
        self._seen = () if any(_is_fresh(mark, self._now()) for mark in marks) else marks
        try:
            self._take(self._load())
        except InvalidSettings as error:
            self._break(str(error))

    def _take(self, effective: Effective) -> None:
        """Put `effective` in force, unless that is what is in force already."""
        settings = evolve(effective.settings, **{name: getattr(self._good.settings, name) for name in FIXED})
        changed = not _alike(effective, self._effective)
        self._effective, parts = effective, self._part_marks(settings)
        same = settings == self._good.settings and parts == self._parts
        live = self._good if same else self._build(settings)
        self._parts = parts
        if live is not self._live:
            before, self._live, self._good, self._error = self._live.gate.policy, live, live, ""
            self._log(Level.NOTICE, f"the settings were read again; the policy was {before} and is {live.gate.policy}")
        if changed:
            self._report(effective)

    def _report(self, effective: Effective) -> None:
        for warning in filter(None, (effective.standing_down(), *effective.warnings())):
            self._log(Level.WARNING, warning)
        for name in FIXED:
            if getattr(effective.settings, name) != getattr(self._good.settings, name):
                change = f"{key_of(name).toml} has changed, which counts when the server is started again"
                self._log(Level.WARNING, change)

    def _break(self, why: str) -> None:
        if why == self._error:
            return
        self._error, self._live = why, unusable(self._good, why)
        self._log(Level.ERROR, f"the settings cannot be used, so every command is denied until they are mended: {why}")

    def _part_marks(self, settings: Settings) -> tuple[Mark, ...]:
        """Return the marks of the files beside the settings that the parts are built from."""
        paths = guard_file.watched(settings.guard) if settings.guard else ()
        return tuple(map(_mark, (*paths, *([settings.token_file] if settings.token_file else []))))


def unusable(live: Live, why: str) -> Live:
    """Return what is in force in the place of `live` while the settings cannot be used, for the reason `why`."""
    policy = f"{zlib.crc32(why.encode('utf-8', 'replace')):08x}"
    gate = evolve(live.gate, offline=_Denies(why, policy), later=(), tightening=(), policy=policy)
    inference = InferenceService(backend=_Silent(why), timeout=live.inference.timeout)
    settings = evolve(live.settings, allowed_servers=())
    return Live(settings=settings, gate=gate, inference=inference, elsewhere=live.elsewhere, usable=False)


@frozen
class _Denies:
    """A `Judge` that denies everything."""

    why: str
    policy: str

    def __call__(self, _request: GateRequest, /) -> Verdict:
        return Verdict(
            decision=Decision.DENY,
            layer=Layer.FAIL_CLOSED,
            reason=f"The settings cannot be used, so every command is denied until they are mended: {self.why}",
            ceiling=Decision.DENY,
            policy=self.policy,
            error=self.why,
        )


@frozen
class _Silent:
    """A `DecisionBackend` that asks nobody."""

    why: str
    engine = "http"

    def answer(
        self,
        questions: tuple[Question, ...],  # noqa: ARG002  # nobody is asked
        state: str,  # noqa: ARG002
        deadline: float,  # noqa: ARG002
        *,
        average_orders: bool = False,  # noqa: ARG002
    ) -> Answers:
        raise Refused(f"the settings cannot be used: {self.why}")


def _alike(one: Effective, other: Effective) -> bool:
    told = [[_told(given) for given in (*effective.ignored, *effective.withheld)] for effective in (one, other)]
    return one.settings == other.settings and told[0] == told[1]


def _told(given: Given) -> tuple[str, object]:
    return given.where, given.value


def _mark(path: str) -> Mark:
    """Return the mark of the file at `path`, and that of what it links to; a file that is not there has one too."""
    try:
        here = os.lstat(path)
        if not stat.S_ISLNK(here.st_mode):
            return _facts(here)
    except (OSError, ValueError) as error:
        return (getattr(error, "errno", None) or 0,)
    try:
        return _facts(here) + _facts(os.stat(path))
    except OSError as error:
        return (*_facts(here), error.errno or 0)


def _facts(status: os.stat_result) -> Mark:
    return (
        status.st_ctime_ns,
        status.st_mtime_ns,
        status.st_size,
        status.st_ino,
        status.st_dev,
        status.st_mode,
        status.st_uid,
    )


def _is_fresh(mark: Mark, now: float) -> bool:
    return len(mark) > 1 and abs(now - max(mark[:2]) / 1e9) < UNSETTLED
