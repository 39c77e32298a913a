"""The decision log that the settings ask for, for a gate and for whoever records without one."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from ..adapters import settings_sources

if TYPE_CHECKING:
    from ..adapters.logs.audit_jsonl import JsonLinesAudit
    from ..settings import Settings

AUDIT_FILE = "audit.jsonl"
"""The name of the decision log in the state folder."""


def audit_file(settings: Settings) -> str:
    """Return where the decisions are recorded, or the empty text where the account has no place for them."""
    if settings.audit_file:
        return settings.audit_file
    folder = settings_sources.state_folder()
    return os.path.join(folder, AUDIT_FILE) if folder else ""


def build_audit(settings: Settings) -> JsonLinesAudit | None:
    """Return the decision log, or None where none is to be kept."""
    if not settings.audit:
        return None
    from ..adapters.logs.audit_jsonl import JsonLinesAudit

    return JsonLinesAudit(
        audit_file(settings),
        key_file=settings.audit_key_file,
        max_size=settings.audit_max_size,
        keep=settings.audit_keep,
        warn=_warn,
    )


def _warn(message: str) -> None:
    from ..service.gate import warn_on_stderr  # a hook that is off has no service, and seldom a warning

    warn_on_stderr(message)
