"""Where a hook is put together: a gate for the language of the tool, and a judge of the files that it writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from ..domain.request import Caller
from ..errors import AuditFailed
from ..settings import Settings
from .audit import build_audit
from .files import build_file_judge

if TYPE_CHECKING:
    from ..domain.shell import Dialect
    from ..service.hook import HookService

SHARE = 0.75
"""The part of a hook's time that may be spent on waiting for others, so that their own failure is told in time."""


def build_hook(
    settings: Settings, agent: str, dialect: Dialect | None, warn: Callable[[str], None], own: Sequence[str] = ()
) -> HookService:
    """Return what answers the calls of `agent` in its tools' language; `warn` is told what goes wrong beside.

    `own` are files of this gate that no setting names; tools must not write to them.

    Raises:
        InvalidSettings: a setting cannot be used, or asks for a part that is not there.
    """
    from ..service.hook import HookService
    from .gate import build_gate

    settings = capped(settings)
    if dialect is not None:
        settings = evolve(settings, dialect=dialect.value)
    gate = evolve(build_gate(settings, own=own), warn=warn)
    return HookService(
        agent=agent,
        gate=gate,
        files=build_file_judge(settings, gate.policy, own),
        unattended=settings.unattended,
        speak=settings.on_allow == "allow",
    )


def capped(settings: Settings) -> Settings:
    """Return the settings with so little time for the decision service and the guard that both fit into the hook's."""
    asked = settings.l1_enabled + bool(settings.guard)
    return evolve(settings, timeout=min(settings.timeout, settings.hook_deadline * SHARE / max(asked, 1)))


def record_off(settings: Settings, agent: str) -> str:
    """Record that `agent` met a gate that is off; return why that could not be done, or the empty text."""
    try:
        audit = build_audit(settings)
        if audit is not None:
            audit.event(time.time(), "off", Caller(agent=agent, tool=""))
    except AuditFailed as error:
        return f"this could not be recorded: {error}"
    return ""
