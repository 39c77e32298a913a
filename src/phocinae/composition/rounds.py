"""The one place where interrupted calls get their seal and their memory of used tokens."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ..adapters import settings_sources
from ..adapters.hmac_codec import HOW, KEY_BYTES, HmacCodec, read_keys
from ..adapters.spent_tokens import MemorySpentTokens, SqliteSpentTokens
from ..errors import InvalidSettings
from ..service.rounds import RoundTrips
from ..settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ports import Clock, SpentTokens

SPENT_TOKENS_FILE = "spent_tokens.sqlite"
"""The name of the memory of used tokens in the state folder."""


def _say_nothing(_message: str) -> None:
    pass


def build_rounds(
    settings: Settings,
    policy: Callable[[], str],
    *,
    clock: Clock = time.time,
    warn: Callable[[str], None] = _say_nothing,
) -> RoundTrips:
    """Return the rounds of a server whose fingerprint is `policy` at every moment.

    Without a key file the key is drawn for this process alone, and so is the memory.
    `warn` is told of a file of used tokens that refuses everything for a while.

    Raises:
        InvalidSettings: the key file or the file of used tokens cannot be used.
    """
    return RoundTrips(
        codec=HmacCodec(_keys(settings)),
        spent=_spent(settings, clock, warn),
        policy=policy,
        clock=clock,
        random=os.urandom,
    )


def _keys(settings: Settings) -> tuple[bytes, ...]:
    return keys_in(settings.state_key_file) if settings.state_key_file else (os.urandom(KEY_BYTES),)


def keys_in(path: str) -> tuple[bytes, ...]:
    """Return the keys in the file `path`, the first of which seals.

    Raises:
        InvalidSettings: it is missing, somebody else can read it or replace it, or it holds no keys.
    """
    if not os.path.lexists(path):
        raise InvalidSettings(f"{path} does not exist; {HOW}")
    settings_sources.check_way(path)
    return read_keys(settings_sources.secret_file(path), path)


def _spent(settings: Settings, clock: Clock, warn: Callable[[str], None]) -> SpentTokens:
    if not settings.state_key_file:
        return MemorySpentTokens(clock)
    return SqliteSpentTokens(settings.spent_tokens_file or _own_file(), clock, warn=warn)


def _own_file() -> str:
    folder = settings_sources.state_folder()
    if not folder:
        raise InvalidSettings(
            "this account has no home in the password database for the used tokens; name a file with "
            "serve.spent_tokens_file"
        )
    return os.path.join(folder, SPENT_TOKENS_FILE)
