"""Sessions over HTTP for clients of the handshake revisions: what was agreed on comes back in the id itself.

A server needs no memory for that, and forgets nobody when it starts again.  It keeps in
memory what changes in the course of a session, the log level, and which sessions were
ended before their time; both are bounded, and other processes with the same key do not
know them.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from attrs import frozen

from ..domain import strict_json
from ..domain.levels import Level
from ..errors import StateRejected
from ..ports import Clock, TokenCodec
from .http_rules import Fields, HttpRefusal
from .legacy import read_initialize
from .operations import Initialize

HEADER = "mcp-session-id"

LONGEST = 4_096
"""The longest id, in characters: it comes with each request, in a head that is not much longer."""

REMEMBERED = 10_000
"""How many sessions there are at most whose level, or whose early end, is kept in memory."""

UNKNOWN = HttpRefusal(404, "Not found: there is no such session, or it has ended; begin a new one with initialize")
MISSING = HttpRefusal(400, "Bad request: Mcp-Session-Id is missing; begin a session with initialize")

_KIND = "mcp session"  # nothing else that is sealed with the same key is taken for one
_KEPT = ("elicitation", "sampling", "roots")


@frozen(kw_only=True)
class Session:
    """One session: what was agreed on, and the mark that tells it from every other one."""

    agreed: Initialize
    mark: str


class Sessions:
    """Begins, finds and ends sessions; safe to share between threads."""

    def __init__(
        self, codec: TokenCodec, *, life: float, required: bool, clock: Clock, random: Callable[[int], bytes]
    ) -> None:
        """Let a session live for `life` seconds; without one, nobody is served where it is `required`."""
        self._codec = codec
        self._life = life
        self._required = required
        self._clock = clock
        self._random = random
        self._lock = Lock()
        self._levels: dict[str, Level] = {}
        self._ended: dict[str, float] = {}

    def begin(self, agreed: Initialize) -> str | None:
        """Return the id of a new session, or None where what the client says of itself is too much for one."""
        mark = self._random(16).hex()
        capabilities = {name: agreed.capabilities[name] for name in _KEPT if name in agreed.capabilities}
        about = {name: text for name in ("name", "version") if isinstance(text := agreed.client.get(name), str)}
        params = {"protocolVersion": agreed.revision.date, "capabilities": capabilities, "clientInfo": about}
        content = {"kind": _KIND, "mark": mark, "until": self._clock() + self._life, "params": params}
        try:
            ident = self._codec.seal(strict_json.write(content).encode())
        except ValueError:
            return None
        return ident if len(ident) <= LONGEST else None

    def find(self, fields: Fields) -> Session | HttpRefusal | None:
        """Return the session that a request names, why it cannot, or None where it names none and needs none."""
        given = fields.all(HEADER)
        if not given:
            return MISSING if self._required else None
        try:
            content = self._opened(given[0]) if len(given) == 1 else {}
        except (StateRejected, strict_json.Unreadable):
            return UNKNOWN
        mark, until = content.get("mark"), content.get("until", 0.0)
        if content.get("kind") != _KIND or not isinstance(mark, str) or self._clock() >= until:
            return UNKNOWN
        agreed = read_initialize(content["params"])
        with self._lock:
            ended = mark in self._ended
        return UNKNOWN if ended or not isinstance(agreed, Initialize) else Session(agreed=agreed, mark=mark)

    def end(self, session: Session) -> None:
        """Serve `session` no longer."""
        with self._lock:
            _remember(self._ended, session.mark, self._clock() + self._life)
            self._levels.pop(session.mark, None)

    def level(self, session: Session) -> Level | None:
        """Return the level from which the client wants log lines, or None if it has set none."""
        with self._lock:
            return self._levels.get(session.mark)

    def keep_level(self, session: Session, level: Level) -> None:
        """Send the client log lines from `level` on."""
        with self._lock:
            _remember(self._levels, session.mark, level)

    def _opened(self, ident: str) -> dict[str, Any]:
        content = strict_json.read(self._codec.open(ident)) if len(ident) <= LONGEST else None
        return content if isinstance(content, dict) else {}


def _remember(memory: dict[str, Any], mark: str, value: object) -> None:
    """Keep `value`, and forget the oldest one where there is no more room."""
    memory.pop(mark, None)
    memory[mark] = value
    if len(memory) > REMEMBERED:
        del memory[next(iter(memory))]
