"""The one place where classify, route and score are put together with the service that answers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..adapters import settings_sources
from ..service.inference import InferenceService
from ..settings import Settings, check, merge
from .backend import build_backend

if TYPE_CHECKING:
    from ..ports import DecisionBackend


def build_inference(settings: Settings | None = None, *, backend: DecisionBackend | None = None) -> InferenceService:
    """Return a service that asks as `settings` say; None takes them from the files and the environment.

    `backend` is asked in the place of the one that the settings name.  Whether L1 is
    switched on does not matter: that is about commands.

    Raises:
        InvalidSettings: a setting cannot be used.
    """
    settings = merge(settings_sources.gather()).settings if settings is None else check(settings)
    return InferenceService(
        backend=build_backend(settings) if backend is None else backend,
        timeout=settings.timeout,
        window=settings.window,
    )
