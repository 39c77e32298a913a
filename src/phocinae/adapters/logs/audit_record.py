"""What the decision log says of a decision, and of an event that is none: JSON objects on one line, secrets masked."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any

from ...domain.masking import MASK, mask, may_hold_secret, secrets_in
from ...domain.request import COMMAND_LIMIT, CWD_LIMIT, Caller, GateRequest
from ...domain.verdict import Decision, Verdict

_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


def to_line(at: float, request: GateRequest, verdict: Verdict) -> bytes:
    """Return `to_record` as one line of JSON in ASCII, without its end."""
    plain = {"time": _time(at), "command": request.command, "cwd": request.cwd} | verdict.to_wire()
    as_it_is = (
        request.caller is None
        and _fits(request.command, COMMAND_LIMIT)
        and (request.cwd is None or _fits(request.cwd, CWD_LIMIT))
    )
    line = _dumps(plain) if as_it_is and not _may_hold_secret(request, verdict) else ""
    if not line or "\\ud" in line:
        line = _dumps(to_record(at, request, verdict))
    return line.encode("ascii")


def _may_hold_secret(request: GateRequest, verdict: Verdict) -> bool:
    if may_hold_secret(request.command) or (request.cwd and may_hold_secret(request.cwd)):
        return True
    texts = [verdict.reason, verdict.error]
    for hit in verdict.hits:
        texts += (hit.reason, hit.remedy)
    return any(text and _known(text) for text in texts)


@lru_cache(maxsize=256)
def _known(text: str) -> bool:
    """Return whether a text of ours may hold a secret; most of them come again and again."""
    return may_hold_secret(text)


def _dumps(record: dict[str, Any]) -> str:
    return _WRITER.encode(record)


def to_record(at: float, request: GateRequest, verdict: Verdict) -> dict[str, Any]:
    """Return the JSON object of one decision: time, command, working directory, then the verdict's wire form.

    Secrets are masked in every text, so offsets of hits are those of the command before
    that.  A command or working directory past its limit is cut, with its length beside
    it; one that is no text is null.  Where an ask of a hook reaches nobody, `outcome` says what became of it.
    """
    record = {"time": _time(at)} | _request(request) | verdict.to_wire()
    if verdict.decision is Decision.ASK and request.caller is not None and request.caller.unasked:
        record["outcome"] = f"would {request.caller.unasked}" if verdict.observed else request.caller.unasked
    command = request.command
    secrets = secrets_in(command[:COMMAND_LIMIT]) if isinstance(command, str) else []
    for holder in (record, *record["hits"]):
        for name in ("reason", "remedy", "error"):
            if name in holder:
                for secret in secrets:  # a reason may hold a word whose neighbours alone say that it is one
                    holder[name] = holder[name].replace(secret, MASK)
                holder[name] = _masked(holder[name])
    return record


def event_line(at: float, name: str, about: GateRequest | Caller | None = None, **details: object) -> bytes:
    """Return a record of something that is no decision, as one line of JSON in ASCII, without its end.

    In the place of a verdict's fields it has `event`, which is `name`.  `about` is what
    the event was about to be asked, or who asked; `details` are JSON values of ours, which are
    written as they are.

    Raises:
        TypeError, ValueError, OverflowError: a detail is no JSON value, or `at` no time.
    """
    record: dict[str, Any] = {"time": _time(at), "event": name}
    if isinstance(about, GateRequest):
        record |= _request(about)
    elif about is not None:
        record |= _caller(about)
    return _dumps(record | details).encode("ascii")


def _request(request: GateRequest) -> dict[str, Any]:
    record: dict[str, Any] = {"command": _text(request.command), "cwd": _text(request.cwd, CWD_LIMIT)}
    for name, value, limit in (("command", request.command, COMMAND_LIMIT), ("cwd", request.cwd, CWD_LIMIT)):
        if isinstance(value, str) and len(value) > limit:
            record[f"{name}_length"] = len(value)
    return record if request.caller is None else record | _caller(request.caller)


def _caller(caller: Caller) -> dict[str, Any]:
    return {"agent": caller.agent, "tool": _text(caller.tool), "files": [_text(file) for file in caller.files]}


def _fits(value: object, limit: int) -> bool:
    return isinstance(value, str) and len(value) <= limit


def _text(value: object, limit: int = COMMAND_LIMIT) -> str | None:
    """Return text fit to be written down; None for what is no text, which a caller may well have passed."""
    if not isinstance(value, str):
        return None
    # a lone surrogate is legal in JSON as an escape, but many readers refuse the line
    return mask(value[:limit]).encode("utf-8", "backslashreplace").decode("utf-8")


@lru_cache(maxsize=256)
def _masked(text: str) -> str | None:
    """Return a text of ours fit to be written down; most of them come again and again."""
    return _text(text)


def _time(at: float) -> str:
    """Return ISO 8601 in UTC with milliseconds; the datetime module is not worth its start-up time here."""
    milliseconds = int(at * 1000)
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


@lru_cache(maxsize=2)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))
