"""What the payloads of several agents have in common, read so that anything unexpected is refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .shape import UnknownPayload


def text(members: Mapping[str, Any], key: str) -> str:
    """Return the text under `key`, which is not blank.

    Raises:
        UnknownPayload: there is none, or it is no text, or it holds only blanks.
    """
    found = members.get(key)
    if not isinstance(found, str) or not found.strip():
        raise UnknownPayload(f"{key} is not a text with something in it")
    return found


def table(members: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object under `key`.

    Raises:
        UnknownPayload: there is none, or it is no object.
    """
    found = members.get(key)
    if not isinstance(found, Mapping):
        raise UnknownPayload(f"{key} is not an object")
    return found


def is_event(payload: Mapping[str, Any], wanted: str, others: Collection[str]) -> bool:
    """Tell whether the payload is of the event `wanted`; False if it is of one of the `others`.

    Raises:
        UnknownPayload: it is of an event that the agent was not known to have.
    """
    event = text(payload, "hook_event_name")
    if event != wanted and event not in others:
        raise UnknownPayload("hook_event_name is not an event of this agent")
    return event == wanted
