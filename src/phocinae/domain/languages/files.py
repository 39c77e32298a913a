"""What functions do to files: only what is denied leaves a hit, because code is a matter for a person anyway."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from .. import effects
from ..values import HOME, Field, Stream, Taint
from .values import UNKNOWN, Value
from .weighing import MOST_RUNS, Weighing

if TYPE_CHECKING:
    pass

_WRITES = re.compile(r"[rbtU]*[wax]|[rbt]+\+")
_FLAGS = re.compile(r"O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)")
ADDRESS = re.compile(r"(?i)(?:https?|ftp)://")


class Files(Weighing):
    """The weighing of what is done to files."""

    def _paths(self, values: list[Value]) -> list[Field]:
        fields = [self.place.with_text(tilde(value.text)) for value in values if value.text]
        return [Field(field.text, field.start, field.end) for field in fields][:MOST_RUNS]

    # --- files

    def delete(self, _receiver: Value | None, arguments: Value) -> None:
        """Files, one by one."""
        for field in self._paths(arguments.words()):
            self._denied(partial(effects.delete, self.call.walker, field, self.call.state, recursive=False))

    def tree(self, _receiver: Value | None, arguments: Value) -> None:
        """A folder with all in it."""
        words = arguments.words() if arguments.items else []
        for field in self._paths(words):
            self._denied(
                partial(effects.delete, self.call.walker, field, self.call.state, recursive=True), "destroys-code"
            )

    def perhaps_tree(self, _receiver: Value | None, arguments: Value) -> None:
        """A file, or a folder with all in it if that is asked for."""
        entries = [*arguments.fields, *(entry for item in arguments.items or () for entry in item.fields)]
        if any(key == "recursive" for key, _ in entries):
            self.tree(None, Value(items=(arguments.items or ())[:1]))
        else:
            self.delete(None, Value(items=(arguments.items or ())[:1]))

    def write(self, _receiver: Value | None, arguments: Value) -> None:
        """A file is created or changed."""
        for field in self._paths((arguments.items or ())[0].words() if arguments.items else []):
            self._denied(partial(effects.write, self.call.walker, field, self.call.state))

    def write_behind(self, _receiver: Value | None, arguments: Value) -> None:
        """R: the file is the second argument, or one that is named."""
        named = arguments.field("file") or arguments.field("con")
        self.write(None, Value(items=(named,) if named is not None else (arguments.items or ())[1:2]))

    def rights(self, _receiver: Value | None, arguments: Value) -> None:
        """The rights or the owner of files."""
        for field in self._paths(arguments.words()):
            if not field.text.isdigit():
                self._denied(partial(effects.open_up, self.call.walker, field, self.call.state))

    rights_behind = rights

    def copy(self, _receiver: Value | None, arguments: Value) -> None:
        """The second argument is written."""
        self.write(None, Value(items=(arguments.items or ())[1:2]))

    def move(self, _receiver: Value | None, arguments: Value) -> None:
        """The first argument goes away, and the second is written."""
        self.delete(None, Value(items=(arguments.items or ())[:1]))
        self.copy(None, arguments)

    def _own(self, receiver: Value | None, arguments: Value) -> Value:
        own = Value(text=receiver.text) if receiver is not None else UNKNOWN
        return Value(items=(own, *(arguments.items or ())), fields=arguments.fields)

    def own_delete(self, receiver: Value | None, _arguments: Value) -> None:
        """The file that the object stands for."""
        self.delete(None, self._own(receiver, Value()))

    def own_tree(self, receiver: Value | None, _arguments: Value) -> None:
        """The folder that the object stands for."""
        self.tree(None, self._own(receiver, Value()))

    def own_write(self, receiver: Value | None, _arguments: Value) -> None:
        """The file that the object stands for is changed."""
        self.fill(receiver, _arguments)
        self.write(None, self._own(receiver, Value()))

    own_link = own_write

    def own_rights(self, receiver: Value | None, _arguments: Value) -> None:
        """The rights of the file that the object stands for."""
        self.rights(None, self._own(receiver, Value()))

    def own_move(self, receiver: Value | None, arguments: Value) -> None:
        """The file that the object stands for gets another name."""
        self.move(None, self._own(receiver, arguments))

    def open_own(self, receiver: Value | None, arguments: Value) -> Value:
        """The file that the object stands for is opened."""
        return self.open(None, self._own(receiver, arguments))

    def open(self, _receiver: Value | None, arguments: Value) -> Value:
        """A file is opened, to be changed if the mode or the flags say so."""
        items = arguments.items or ()
        path = items[0].text if items else None
        if path is None:
            return Value(ref="open()", taint=items[0].taint if items else 0)
        if path[:1] == "|" and self.language in ("ruby", "perl"):
            return self._run([Value(text=path[1:])])
        mode = items[1] if len(items) > 1 else arguments.field("mode") or arguments.field("flags") or UNKNOWN
        if (mode.text is not None and _WRITES.match(mode.text)) or _FLAGS.search(mode.ref) or _asks_to_write(arguments):
            self.write(None, Value(items=items[:1]))
        remote = Taint.REMOTE if ADDRESS.match(path) else Taint.NONE
        if path in ("0", "-", "/dev/stdin", "/dev/fd/0"):
            remote = self.call.stdin.taint
        return Value(text=path, ref="open()", taint=remote | self._written(path))

    def fill(self, receiver: Value | None, arguments: Value) -> None:
        """What is written into a file that is open."""
        for value in (arguments.items or ())[:1]:
            if receiver is not None and receiver.text:
                self.call.wrote(self.place.with_text(receiver.text), Stream(value.text, value.taint))

    def perl_open(self, _receiver: Value | None, arguments: Value) -> Value:
        """``open(F, ">file")``, ``open(F, ">", file)``, and commands at a pipe; rule: perlfunc(1)."""
        items = arguments.items or ()
        texts = [item.text or "" for item in items[1:]]
        first = texts[0].strip() if texts else ""
        if first.strip("+<>")[:1] == "&":
            self.hands = self.hands or first[:1] == ">"
        elif first in ("-|", "|-"):
            return self._run(list(items[2:]))
        elif first[:1] == "|" or first[-1:] == "|":
            return self._run([Value(text=first.strip("|"))])
        elif first[:1] == ">" or first[:2] == "+<":
            path = first.lstrip("+<> ") or (texts[1] if len(texts) > 1 else "")
            self.write(None, Value(items=(Value(text=path),)))
        return Value(ref="open()")

    def read_file(self, _receiver: Value | None, arguments: Value) -> Value:
        """The contents of a file, or of an address."""
        path = (arguments.items or (UNKNOWN,))[0].text or ""
        if path in ("php://stdin", "/dev/stdin", "0"):
            return Value(taint=self.call.stdin.taint)
        return Value(taint=Taint.REMOTE if ADDRESS.match(path) else self._written(path))


def _asks_to_write(arguments: Value) -> bool:
    return any(
        key in ("write", "append", "create", "truncate") for item in arguments.items or () for key, _ in item.fields
    )


def tilde(text: str) -> str:
    """Return a path whose tilde most likely stands for the home."""
    return HOME + text[1:] if text[:1] == "~" and text[1:2] in ("", "/") else text
