"""Code of Lisps: lists whose first element is a function, or of Emacs' own kinds.

Sources: the Emacs Lisp manual (files, processes), the Guile and Racket references, clojure.java.shell, and
the ASDF manual (UIOP).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..values import HOME, plain
from .statements import MOST_DEPTH
from .syntax import MOST_TOKENS, unescaped
from .values import UNKNOWN, Value, joined

if TYPE_CHECKING:
    from .acts import Acts

_TOKEN = re.compile(r"[\s'`,]+|;[^\n]*+|\"((?:[^\"\\]|\\(?s:.))*+)(?:\"|\Z)|([()\[\]])|([^\s()\[\]\";']+)")
_FUNCTIONS = {
    "shell": (
        "shell-command shell-command-to-string async-shell-command system system* shell clojure.java.shell/sh sh "
        "run-program uiop:run-program sb-ext:run-program ext:shell compile process-lines call-process-shell-command "
        "start-process-shell-command process-file-shell-command"
    ),
    "tree": (
        "delete-directory delete-directory/files delete-directory-tree uiop:delete-directory-tree fs/delete-tree "
        "babashka.fs/delete-tree"
    ),
    "delete": "delete-file io/delete-file clojure.java.io/delete-file cl:delete-file",
    "write": "write-file spit open-output-file with-output-to-file call-with-output-file with-temp-file",
    "copy": "copy-file make-symbolic-link add-name-to-file copy-directory",
    "move": "rename-file rename-file-or-directory",
}
_KINDS: dict[str, tuple[str, tuple[int, ...]]] = {
    **{name: (kind, ()) for kind, names in _FUNCTIONS.items() for name in names.split()},
    **dict.fromkeys(["call-process", "process-file"], ("shell", (1, 2, 3))),
    **dict.fromkeys(["start-process", "start-file-process"], ("shell", (0, 1))),
    "write-region": ("write", (0, 1)),
    "make-network-process": ("socket", ()),
}
"""What functions do, and the places of the arguments that do not matter."""
_BINDS = frozenset(["setq", "define", "def", "defvar", "setf", "let", "let*", "defparameter", "set!"])


class Lisp:
    """The reading of one code."""

    def __init__(self, code: str, acts: Acts) -> None:
        self.tokens = [match for match in _TOKEN.finditer(code) if match.lastgroup is not None or match.lastindex][
            :MOST_TOKENS
        ]
        self.at = 0
        self.acts = acts
        self.names: dict[str, Value] = {}

    def read(self, depth: int = 0) -> None:
        """Go through code."""
        while self.at < len(self.tokens):
            self._form(depth)

    def _form(self, depth: int) -> Value:
        match = self.tokens[self.at]
        self.at += 1
        text, bracket, word = match.groups()
        if text is not None:
            return Value(text=plain(unescaped(text)))
        if word is not None:
            return self.names.get(word) or Value(ref=word)
        if bracket in ")]" or depth >= MOST_DEPTH:
            return UNKNOWN
        items: list[Value] = []
        while self.at < len(self.tokens) and self.tokens[self.at][2] not in (")", "]"):
            items.append(self._form(depth + 1))
            if len(items) == 3 and items[0].ref in _BINDS and items[1].ref:
                self.names[items[1].ref] = items.pop()
                items.pop()
        self.at += 1
        return self._called(items)

    def _called(self, items: list[Value]) -> Value:
        name = items[0].ref if items else ""
        if name in ("concat", "string-append", "str", "format"):
            value = Value(text="")
            for item in items[1:]:
                value = joined(value, item)
            return value
        if name in ("getenv", "System/getenv", "uiop:getenv") and items[1:] and items[1].text == "HOME":
            return Value(text=HOME)
        if name in ("expand-file-name", "list", "file-name-as-directory"):
            return items[1] if len(items) == 2 else Value(items=tuple(items[1:]))
        if len(items) == 2 and not name and items[0].text is None and items[1].text is not None and items[0].ref:
            self.names[items[0].ref] = items[1]
        kind, skipped = _KINDS.get(name, ("", ()))
        if kind:
            given = tuple(item for place, item in enumerate(items[1:]) if place not in skipped)
            return getattr(self.acts, kind)(None, Value(items=given)) or UNKNOWN
        if len(items) == 2 and name and items[1].text is not None and "-" not in name and "." not in name:
            self.names.setdefault(name, items[1])  # a binding of let, which looks like a call
        return Value(items=tuple(items))
