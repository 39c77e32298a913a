"""The JSON Schema of a settings file (draft 2020-12), read from `KEYS`: for editors, and for whoever writes such files.

What it refuses does not load.  What it takes loads too, apart from what `REST` names.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

from ..domain.verdict import Decision
from . import KEYS, Settings, kinds
from .keys import Key
from .meaning import MEANINGS, TABLES

Schema = dict[str, Any]

REST = (
    "Beyond this schema, gate and server check that l1.score_ask is not above l1.score_deny and l1.noul_deny not above "
    "l1.noul_allow, that a whole number is written without a point, that an IPv6 address is one, that the name of "
    "a model can be printed, and that no number is nan."
)
"""What a schema cannot say, or can only say at length."""

_END = r"$(?![\s\S])"  # in some dialects of regular expressions $ alone lets a line end follow
_PATH = rf"^(?:/[^\u0000]*)?{_END}" if os.path.sep == "/" else rf"^[^\u0000]*{_END}"
_PORT = r"(?!0+(?![0-9]))(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[0-5][0-9]{4}|[0-9]{1,4})(?![0-9])"
_URL_HOST = r"(?:[A-Za-z0-9._-]*[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])"
_URL = rf"""^https?://{_URL_HOST}(?::{_PORT})?(?:/(?:(?![@?#\\"'<>])[!-~])*)?{_END}"""
_NAME = rf"^[^\u0000-\u001f\u007f-\u00a0]+{_END}"
_PREFIX = rf"^[A-Za-z0-9][A-Za-z0-9._-]*{_END}"


def settings_schema() -> Schema:
    """Return the schema of a settings file as it is in JSON; every table and the file itself are closed."""
    defaults = Settings()
    tables = {
        table: {
            "type": "object",
            "description": TABLES[table],
            "properties": {key.name: _property(key, defaults) for key in keys},
            "additionalProperties": False,
        }
        for table, keys in groupby(KEYS, key=lambda key: key.table)
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of phocinae",
        "description": REST,
        "type": "object",
        "properties": tables,
        "additionalProperties": False,
    }


def _property(key: Key, defaults: Settings) -> Schema:
    value = getattr(defaults, key.field)
    bound = "may only make it stricter" if key.can_tighten else "cannot change it"
    return {
        "description": f"{MEANINGS[key.field]} A project file or the environment of a hook {bound}.",
        **of_check(key.check),
        "default": value.wire if isinstance(value, Decision) else list(value) if isinstance(value, tuple) else value,
    }


def of_check(check: Callable[[object], Any]) -> Schema:
    """Return the schema of what a check of `kinds` takes from a file; raise KeyError for one that is not known here."""
    if isinstance(check, partial):
        return _LIMITED[check.func](*check.args)
    return dict(_PLAIN[check])


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item, "maxItems": kinds.MOST_URLS}


def _path() -> Schema:
    return {"type": "string", "maxLength": 4096, "pattern": _PATH}


def _url() -> Schema:
    return {"type": "string", "maxLength": 2048, "pattern": _URL}


def _text(length: int, pattern: str) -> Schema:
    return {"type": "string", "maxLength": length, "pattern": pattern}


_LIMITED: dict[Callable[..., Any], Callable[..., Schema]] = {
    kinds.is_whole: lambda low, high: {"type": "integer", "minimum": low, "maximum": high},
    kinds.is_number: lambda low, high: {"type": "number", "minimum": low, "maximum": high},
    kinds.is_word: lambda words: {"type": "string", "enum": list(words)},
    kinds.is_decision: lambda allowed: {"type": "string", "enum": [decision.wire for decision in allowed]},
    kinds.is_path_or: lambda word: {"anyOf": [{"const": word}, _path()]},
}

_PLAIN: dict[Callable[[object], Any], Schema] = {
    kinds.switch: {"type": "boolean"},
    kinds.name: _text(200, _NAME),
    kinds.path: _path(),
    kinds.url: _url(),
    kinds.urls: _list(_url()),
    kinds.url_path: _text(200, rf"^(?:/[A-Za-z0-9_-][A-Za-z0-9._~-]*)+{_END}"),
    kinds.host_names: _list(_text(300, rf"^(?:{kinds.HOST.replace('a-z', 'A-Za-z').replace('a-f', 'A-Fa-f')}){_END}")),
    kinds.origins: _list(_text(300, rf"^https?://(?:{kinds.HOST})(?::[0-9]{{1,5}})?{_END}")),
    kinds.file_prefix: _text(32, _PREFIX),
}
