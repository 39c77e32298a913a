"""How calls in code are weighed: only what is denied leaves a hit, because code is a matter for a person anyway."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..hits import Hits
from ..values import HOLE, Field, Stream, Taint
from ..verdict import Weight
from .values import UNKNOWN, Value

if TYPE_CHECKING:
    from ..calls import Call

MOST_RUNS = 20
"""Commands of one code, and files of one call, that are judged."""

_BARE_SHELL = re.compile(
    f"(?:\\S*/)?(?:ba|z|da|k|a)?sh(?:\\.exe)?(?:\\s+-[il]+)?(?:\\s*[<>&0-9%ds{HOLE}]+)*\\s*\\Z|(?i:cmd|powershell)(?:\\.exe)?\\Z"
)
_CODE = Taint.REMOTE | Taint.DECODED | Taint.SOCKET


class Weighing:
    """The weighing of one code.

    `sockets` says that it connects to another machine, and `hands` that it starts a bare shell or puts a connection
    in the place of a standard stream.
    """

    def __init__(self, call: Call, place: Field, language: str, nested: Callable[[str], None] | None = None) -> None:
        self.call = call
        self.place = place
        self.language = language
        self.nested = nested
        self.sockets = self.hands = False
        self.runs = 0

    def _note(self, rule: str) -> None:
        self.call.note(rule, self.place, self.call.name)

    def _denied(self, act: Callable[[], object], rule: str = "") -> object:
        """Do what leaves hits; keep those that deny, as `rule` if that is given."""
        walker = self.call.walker
        before, walker.hits = walker.hits, Hits()
        try:
            result = act()
        finally:
            inner, walker.hits = walker.hits, before
        if rule and inner.denies():
            self._note(rule)
        elif not rule:
            walker.hits.add_heavy(inner, Weight.DENY)
        return result

    def _tainted(self, taint: int) -> bool:
        """Keep the hit for code from elsewhere, if `taint` says so."""
        if taint & Taint.SOCKET:
            self._note("reverse-shell")
        elif taint & Taint.REMOTE:
            self._note("remote-code")
        elif taint & Taint.DECODED:
            self._note("decoded-code")
        return bool(taint & _CODE)

    def _run(self, words: list[Value], stdin: Stream | None = None) -> Value:
        self.runs += 1
        if not words or self.runs > MOST_RUNS:
            return UNKNOWN
        first = words[0].text
        if _BARE_SHELL.match(" ".join(word.text or HOLE for word in words)):
            self.hands = True
        if (first is None or first[:1] == HOLE or words[0].taint & Taint.DECODED) and self._tainted(words[0].taint):
            return Value(taint=words[0].taint)
        fields = [
            Field(HOLE if word.text is None else word.text, self.place.start, self.place.end, word.taint)
            for word in words
        ]
        call = self.call
        if len(fields) == 1 and stdin is None:
            output = self._denied(
                partial(call.walker.text, fields[0].text, self.place, call.state.copy()), "destroys-code"
            )
        else:
            output = self._denied(partial(call.run, fields, stdin or Stream()), "destroys-code")
        return Value(taint=output.taint & (Taint.REMOTE | Taint.DECODED) if isinstance(output, Stream) else 0)

    def _written(self, path: str) -> int:
        taint = Taint.NONE
        for content in self.call.contents(self.place.with_text(path)):
            taint |= content.taint
        return taint
