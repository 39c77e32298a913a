"""Which decision service is asked, as the settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..adapters.settings_sources import bearer_token
from ..settings import Settings

if TYPE_CHECKING:
    from ..ports import DecisionBackend


def build_backend(settings: Settings, *, token: bool = True) -> DecisionBackend:
    """Return the decision service that `settings` name, or the mock; nothing is connected before it is asked.

    Without `token` none is sent: it is for the origin that it was configured with.

    Raises:
        InvalidSettings: the address or the token cannot be used.
    """
    if settings.backend == "mock":
        from ..adapters.backends.scripted import ScriptedBackend

        return ScriptedBackend()
    from ..adapters.backends.http import HttpBackend

    return HttpBackend(settings.server, model=settings.model, token=bearer_token(settings.token_file) if token else "")
