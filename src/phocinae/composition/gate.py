"""The one place where a gate is put together; tests and embedders pass parts of their own through the same door."""

from __future__ import annotations

import time
import zlib
from typing import TYPE_CHECKING

from ..adapters import settings_sources
from ..domain.verdict import Decision
from ..service.gate import GateService
from ..settings import VERSION, Settings, check, merge
from .audit import build_audit
from .files import own_places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..adapters.backends.guard_file import GuardProgram
    from ..domain.shell import Reading
    from ..ports import AuditLog, Clock, DecisionBackend, Judge, ShellReader


def build_gate(
    settings: Settings | None = None,
    *,
    backend: DecisionBackend | None = None,
    audit: AuditLog | None = None,
    reader: ShellReader | None = None,
    clock: Clock = time.time,
    own: Sequence[str] = (),
) -> GateService:
    """Return a gate that works as `settings` say; None takes them from the files and the environment.

    `backend` is asked where `settings.l1_enabled` is on, and never otherwise; None builds
    the one that the settings name.  `audit`
    replaces the log of the settings, `reader` the shell reader.  `own` are files of this
    gate that no setting names, such as the settings file; commands must not change them.

    Raises:
        InvalidSettings: a setting cannot be used, or asks for a part that is not there.
    """
    from ..domain.l0 import OfflineJudge
    from ..domain.shell import Dialect

    settings = merge(settings_sources.gather()).settings if settings is None else check(settings)
    program = _guard_program(settings)
    policy = fingerprint(settings, program.fingerprint if program else "")
    offline = OfflineJudge(
        _reader() if reader is None else reader,
        project_code=settings.project_code,
        policy=policy,
        dialect=None if settings.dialect == "auto" else Dialect(settings.dialect),
        own=own_places(settings, own),
    )
    return GateService(
        offline=offline,
        later=_later(settings, backend, offline.reading, policy),
        tightening=_tightening(program, settings, policy),
        fail_closed=settings.fail_closed,
        audit=audit if audit is not None else build_audit(settings),
        audit_strict=settings.audit_strict,
        observing=settings.mode == "observe",
        policy=policy,
        clock=clock,
    )


def fingerprint(settings: Settings, guard: str = "") -> str:
    """Return eight hexadecimal digits that name what decides: the version and the settings that a verdict depends on.

    `guard` names the guard program that is asked as well, by its place and content.
    It tells policies apart, for a person who reads a log.  It is no seal: where a
    fingerprint must not be forged, the token that carries it is authenticated.
    """
    parts: list[object] = [VERSION, settings.fail_closed.wire, settings.project_code.wire, settings.audit_strict]
    if settings.dialect != "auto":
        parts.append(settings.dialect)
    if settings.l1_enabled:
        parts += [settings.server, settings.model, settings.score_deny, settings.score_ask]
        parts += [settings.noul_deny, settings.noul_allow]
        parts += [settings.backend, settings.window, settings.l1_ceiling.wire]
    if guard:
        parts.append(guard)
    # not hashlib: loading it takes 3 ms, in a program that runs once per command
    return f"{zlib.crc32(repr(parts).encode()):08x}"


def read_as(gate: GateService, command: str) -> Reading:
    """Return how a gate reads a command, for an explanation; as a POSIX shell where its offline layer is not ours."""
    from ..domain.l0 import OfflineJudge

    offline = gate.offline if isinstance(gate.offline, OfflineJudge) else OfflineJudge(_reader())
    return offline.reading(command)


def _reader() -> ShellReader:
    from ..adapters.shell_tree_sitter import TreeSitterReader

    return TreeSitterReader()


def _guard_program(settings: Settings) -> GuardProgram | None:
    if not settings.guard:
        return None
    from ..adapters.backends.guard_file import read_guard

    return read_guard(settings.guard)


def _tightening(program: GuardProgram | None, settings: Settings, policy: str) -> tuple[Judge, ...]:
    if program is None:
        return ()
    from ..adapters.backends.guard_file import GuardJudge

    return (GuardJudge(program, settings.timeout, policy),)


def _later(
    settings: Settings, backend: DecisionBackend | None, read: Callable[[str], Reading], policy: str
) -> tuple[Judge, ...]:
    if not settings.l1_enabled:
        return ()
    from ..domain.l1 import Thresholds
    from ..domain.shell import Dialect
    from ..service.l1 import L1Judge
    from .backend import build_backend

    thresholds = Thresholds(
        score_deny=settings.score_deny,
        score_ask=settings.score_ask,
        noul_deny=settings.noul_deny,
        noul_allow=settings.noul_allow,
    )
    # whatever the thresholds are: made-up answers that anybody can switch on must never allow anything
    made_up = backend is None and settings.backend == "mock"
    judge = L1Judge(
        backend=build_backend(settings) if backend is None else backend,
        read=read,
        thresholds=thresholds,
        timeout=settings.timeout,
        window=settings.window,
        ceiling=Decision.ASK if made_up else settings.l1_ceiling,
        dialect=None if settings.dialect == "auto" else Dialect(settings.dialect),
        policy=policy,
    )
    return (judge,)
