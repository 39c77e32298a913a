"""What a call in code comes to: what it does is weighed, and what it returns is followed.

Each kind of function of `phocinae.domain.languages.functions` is a method here.  Only what is denied
leaves a hit, because code is a matter for a person anyway.
"""

from __future__ import annotations

import re

from .. import places
from ..places import Place
from ..values import CWD, HOME, Stream, Taint
from . import functions, strings
from .files import ADDRESS, tilde
from .sources import Sources
from .values import UNKNOWN, Value

_SUSPECT = re.compile(r"\b(?:rm|dd|mkfs\S*|shutdown|reboot|curl|wget|chmod|chown|mv|shred|kill|git|sh)\b")
_CALLBACKS = frozenset(
    "then map each forEach each_with_index each_entry tap filter collect flatMap apply on subscribe pipe".split()
)


class Acts(Sources):
    """The weighing of one code; keeps what only several calls together mean."""

    def __call__(self, ref: str, receiver: Value | None, arguments: Value) -> Value | None:
        """Weigh a call, the reading of a name (``@name``) or an operator; return its value if it is known."""
        if ref[:1] == "@":
            return self._read(ref[1:], receiver)
        if ref in ("callback", "each"):
            return self._callback(receiver) if ref == "callback" else self._each(receiver or UNKNOWN)
        if ref in ("`", "!"):
            return self.shell(None, arguments) if ref == "`" else self.own_shell(receiver, arguments)
        kind = functions.kind(ref, self.language)
        if kind in strings.KINDS:
            return strings.function(kind, receiver, arguments)
        if kind:
            found: Value | None = getattr(self, kind)(receiver, arguments)
            return found
        self._handed(receiver, arguments)
        return strings.made(ref, receiver, arguments)

    def knows(self, ref: str) -> bool:
        """Return whether something is known of a function."""
        return functions.kind(ref, self.language) != ""

    def ends(self) -> None:
        """Weigh what all calls together come to."""
        if self.sockets and self.hands:
            self._note("reverse-shell")

    # --- values

    def _read(self, ref: str, receiver: Value | None) -> Value | None:
        if ref in functions.HOMES:
            return Value(text=HOME)
        if ref in functions.HERE:
            return Value(text=CWD)
        if ref in functions.INPUTS:
            return Value(ref=ref, taint=self.call.stdin.taint)
        if ref in functions.ONE:
            return Value(text=functions.ONE[ref])
        if ref.endswith(("URL().text", "URL().getText")):
            return Value(taint=Taint.REMOTE)
        if ref.endswith("Path().parent") and receiver is not None and receiver.text is not None:
            return Value(text=receiver.text.rstrip("/").rpartition("/")[0] or "/", ref="Path()")
        return None

    def _callback(self, value: Value | None) -> Value | None:
        """Return what the parameters of a callback to this function hold."""
        if value is None:
            return None
        found = functions.kind(value.ref, self.language)
        if found == "fetch":
            return Value(taint=Taint.REMOTE)
        if found == "socket":
            self.sockets = True
            return Value(taint=Taint.SOCKET)
        front, _, last = value.ref.rpartition(".")
        return (
            self._each(Value(text=value.text, items=value.items, ref=front, taint=value.taint))
            if last in _CALLBACKS
            else None
        )

    def _each(self, value: Value) -> Value:
        """Return what stands for every element: the worst, since one is enough."""
        items = value.items or ()
        texts = [" ".join(word.text or "" for word in item.words()) for item in items]
        worst = next((item for item, text in zip(items, texts, strict=True) if self._suspect(text)), None)
        return worst or (items[0] if items else value)

    def _suspect(self, text: str) -> bool:
        return (
            _SUSPECT.search(text) is not None
            or tilde(text) == HOME
            or places.place(text) in (Place.ROOT, Place.HOME, Place.SYSTEM)
        )

    def _handed(self, receiver: Value | None, arguments: Value) -> None:
        """Weigh functions that are handed to another, as ``map`` and ``then`` take them."""
        subject = self._callback(receiver)
        for item in arguments.items or () if subject is not None else ():
            if item.ref and self.knows(item.ref):
                self(item.ref, None, Value(items=(subject or UNKNOWN,)))

    def each_of(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """``array_map("unlink", $files)``."""
        items = arguments.items or ()
        name = (items[0].ref or items[0].text) if len(items) > 1 else None
        if not name:
            return None
        given = tuple(self._each(item) for item in items[1:])
        return self(name, None, Value(items=given))

    # --- commands and code

    def shell(self, _receiver: Value | None, arguments: Value) -> Value:
        """A command as one text, or as a list of words."""
        given = [
            *(arguments.items or ()),
            *(value for key in ("args", "cmd", "command", "argv") if (value := arguments.field(key))),
        ]
        given += [value for item in given for key in ("cmd", "args") if (value := item.field(key))]
        words = [word for value in given if not value.fields or value.text or value.items for word in value.words()]
        if words and words[0].text is not None and " " in words[0].text.strip():  # behind a whole command stand modes
            words = words[:1]
        while len(words) > 1 and words[-1].text is None and not words[-1].taint:
            words.pop()
        given_in = arguments.field("input")
        return self._run(words, None if given_in is None else Stream(given_in.text, given_in.taint))

    def replace(self, _receiver: Value | None, arguments: Value) -> Value:
        """``execvp(file, [name, …])``: the name stands before the words once more."""
        words = [word for value in arguments.items or () for word in value.words()]
        return self._run(words[:1] + words[2:] if self.language == "python" else words)

    def start(self, _receiver: Value | None, arguments: Value) -> Value:
        """``spawnlp(mode, file, name, …)``."""
        return self.replace(None, Value(items=(arguments.items or ())[1:]))

    def own_shell(self, receiver: Value | None, _arguments: Value) -> Value:
        """A command as a method of its text."""
        return self.shell(None, Value(items=(receiver or UNKNOWN,)))

    def eval(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """Code in a text."""
        first = (arguments.items or (UNKNOWN,))[0]
        if not self._tainted(first.taint) and first.text and self.nested is not None:
            self.nested(first.text)
        return Value(text=first.text, taint=first.taint) if first.text else None

    def run_file(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """Code in a file or at an address."""
        for value in (arguments.items or ())[:1]:
            if ADDRESS.match(value.text or ""):
                self._note("remote-code")
            elif not self._tainted(value.taint) and value.text:
                self._tainted(self._written(value.text))
        return None

    def module(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """A module by its name."""
        first = (arguments.items or (UNKNOWN,))[0]
        return Value(ref=first.text.removeprefix("node:")) if first.text else None

    def attribute(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """``getattr(object, "name")``."""
        items = arguments.items or ()
        return Value(ref=f"{items[0].ref}.{items[1].text}") if len(items) > 1 and items[1].text else None

    def method(self, receiver: Value | None, arguments: Value) -> Value | None:
        """``object.send(:name, …)``."""
        items = arguments.items or ()
        front = receiver.ref.rpartition(".")[0] if receiver is not None else ""
        return (
            self(f"{front}.{items[0].text}".lstrip("."), receiver, Value(items=items[1:]))
            if items and items[0].text
            else None
        )
