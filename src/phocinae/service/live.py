"""What answers while a server runs, as one value that is replaced as a whole when the settings change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from ..settings import Settings
from .gate import GateService
from .inference import InferenceService


@frozen(kw_only=True, eq=False)
class Live:
    """The settings in force, and what was built from them; a call takes one and keeps to it.

    `elsewhere` returns the same for an address out of `settings.allowed_servers`, whose
    service is asked in the place of the configured one.  `usable` is False while the
    settings are broken, and everything is denied for that; `settings` are then the last
    ones that were not.
    """

    settings: Settings
    gate: GateService
    inference: InferenceService
    elsewhere: Callable[[str], Live]
    usable: bool = True


LiveSource: TypeAlias = Callable[[], Live]
"""Returns what is in force at the moment; safe to be called by many threads, for each call anew."""
