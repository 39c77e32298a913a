"""What the commands about the settings themselves do; `install` makes the user's file through the same door."""

from __future__ import annotations

from ..adapters import settings_file, settings_sources
from ..errors import InvalidSettings
from ..settings.template import template


def settings_place(path: str | None = None) -> str:
    """Return where the settings file is or would be: `path`, or with None the place of the user's own.

    Raises:
        InvalidSettings: the account has no home, or the path is empty.
    """
    place = settings_sources.user_file() if path is None else path
    if not place:
        raise InvalidSettings(
            "the name of the settings file is empty; give a FILE"
            if path is not None
            else "this account has no home for a settings file; name a FILE"
        )
    return place


def create_settings_file(path: str) -> bool:
    """Write a settings file of comments, which changes no setting, and tell whether there was none at `path`.

    It has mode 600, and folders that are made for it 700.  A file that is there is left as it is.

    Raises:
        InvalidSettings: it cannot be written; nothing is left behind then.
    """
    return settings_file.create(path, template())
