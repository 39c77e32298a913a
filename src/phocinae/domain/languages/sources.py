"""What functions return: paths, downloads, decoded texts, connections."""

from __future__ import annotations

from ..values import CWD, HOME, STAR, Stream, Taint, active
from . import strings
from .files import Files, tilde
from .values import UNKNOWN, Value


class Sources(Files):
    """The following of values out of one code's calls."""

    # --- what is followed

    def list(self, _receiver: Value | None, arguments: Value) -> Value:
        """The names in a folder, or those that a pattern matches."""
        first = (arguments.items or (Value(text=CWD),))[0]
        return self._listed(first.text)

    def own_list(self, receiver: Value | None, arguments: Value) -> Value:
        """The files in the folder that the object stands for."""
        folder = None if receiver is None else receiver.text
        pattern = (arguments.items or (UNKNOWN,))[0].text
        return self._listed(folder if folder is None or not pattern else f"{folder}/{active(pattern)}", "Path()")

    def _listed(self, folder: str | None, ref: str = "") -> Value:
        if folder is None:
            return Value(ref=ref)
        pattern = active(folder) if "*" in folder or STAR in folder else f"{folder.rstrip('/')}/{STAR}"
        return Value(text=tilde(pattern), ref=ref)

    def path(self, _receiver: Value | None, arguments: Value) -> Value:
        """An object that stands for a file."""
        made = self.join(None, arguments)
        return Value(text=made.text, ref="File()" if self.language == "groovy" else "Path()", taint=made.taint)

    def address(self, _receiver: Value | None, _arguments: Value) -> Value:
        """An object that stands for an address."""
        return Value(ref="URL()")

    def join(self, _receiver: Value | None, arguments: Value) -> Value:
        """A path from its parts."""
        return strings.path(arguments.words() if arguments.items else [])

    def join_own(self, receiver: Value | None, arguments: Value) -> Value:
        """A path below the object's own."""
        return Value(text=strings.path(self._own(receiver, arguments).words()).text, ref="Path()")

    def same_path(self, receiver: Value | None, _arguments: Value) -> Value:
        """The same file, written in another way."""
        return Value(text=None if receiver is None or receiver.text is None else tilde(receiver.text), ref="Path()")

    def home(self, _receiver: Value | None, _arguments: Value) -> Value:
        """The home of the user."""
        return Value(text=HOME, ref="Path()")

    def here(self, _receiver: Value | None, _arguments: Value) -> Value:
        """The working directory."""
        return Value(text=CWD, ref="Path()")

    def home_of(self, _receiver: Value | None, arguments: Value) -> Value:
        """A path whose tilde is resolved."""
        text = (arguments.items or (UNKNOWN,))[0].text
        return Value(text=None if text is None else tilde(text.replace("$HOME", HOME)))

    def environment(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """A variable of the environment."""
        name = (arguments.items or (UNKNOWN,))[0].text
        return Value(text=HOME) if name in ("HOME", "USERPROFILE") else Value(text=CWD) if name == "PWD" else None

    def fetch(self, _receiver: Value | None, _arguments: Value) -> Value:
        """What another machine sends."""
        return Value(taint=Taint.REMOTE)

    def fetch_to(self, _receiver: Value | None, arguments: Value) -> Value:
        """What another machine sends, into a file."""
        for value in (arguments.items or ())[1:2]:
            if value.text:
                self.call.wrote(self.place.with_text(value.text), Stream(None, Taint.REMOTE))
        return Value(text=(arguments.items or (UNKNOWN, UNKNOWN))[-1].text, taint=Taint.REMOTE)

    def input(self, _receiver: Value | None, _arguments: Value) -> Value:
        """A line of standard input."""
        return Value(text=self.call.stdin.text, taint=self.call.stdin.taint)

    def socket(self, _receiver: Value | None, _arguments: Value) -> Value:
        """A connection to another machine."""
        self.sockets = True
        return Value(ref="socket()", taint=Taint.SOCKET)

    def plain(self, _receiver: Value | None, _arguments: Value) -> Value:
        """What is no data from a connection."""
        return UNKNOWN

    def dup(self, _receiver: Value | None, _arguments: Value) -> None:
        """A standard stream becomes a connection."""
        self.hands = True

    def decode(self, receiver: Value | None, arguments: Value) -> Value:
        """A text from another alphabet."""
        first = (arguments.items or (receiver or UNKNOWN,))[0]
        return Value(text=strings.decoded(first.text, ""), taint=first.taint | Taint.DECODED)

    def buffer(self, _receiver: Value | None, arguments: Value) -> Value:
        """``Buffer.from(text, alphabet)``."""
        items = arguments.items or (UNKNOWN,)
        alphabet = items[1].text if len(items) > 1 else None
        if alphabet in ("base64", "hex", "base64url"):
            return Value(text=strings.decoded(items[0].text, alphabet), taint=items[0].taint | Taint.DECODED)
        return items[0]

    def pack_format(self, _receiver: Value | None, _arguments: Value) -> Value:
        """``pack("H*", text)``."""
        return Value(taint=Taint.DECODED)

    pack = pack_format

    def unpack(self, _receiver: Value | None, arguments: Value) -> Value | None:
        """``text.unpack1("m")``, which decodes."""
        return Value(taint=Taint.DECODED) if (arguments.items or (UNKNOWN,))[0].text in ("m", "m0", "u") else None

    def kill_all(self, _receiver: Value | None, arguments: Value) -> None:
        """A signal to every process."""
        words = [item.text for item in arguments.items or ()]
        if words[:1] == ["-1"] or (self.language == "ruby" and words[1:2] == ["-1"]):
            self._note("kills-everything")
