"""Statements that give names their meaning: imports, loops, functions and their parameters."""

from __future__ import annotations

from collections.abc import Callable

from .syntax import SYNTAXES, Syntax, Token
from .values import UNKNOWN, Act, Value

MOST_DEPTH = 25
"""Parentheses within parentheses, and code within strings, that are followed."""
_END = Token(kind="end", text="")


LOOPS = frozenset(["for", "foreach", "each"])
DEFINES = frozenset(["def", "function", "sub", "func", "fn", "fun", "defp"])


class Statements:
    """A place among the tokens of one code, and what its names hold."""

    def __init__(self, language: str, act: Act, knows: Callable[[str], bool]) -> None:
        self.syntax: Syntax = SYNTAXES[language]
        self.act = act
        self.knows = knows
        self.names: dict[str, Value] = {}
        self.bodies: dict[str, list[str]] = {}
        self.calls: dict[str, Value] = {}
        self.subject: Value = UNKNOWN
        self.depth = 0
        self.defined = ""
        self.at = 0
        self.all: tuple[Token, ...] = ()

    def expression(self) -> Value:
        """Read an expression, and return its value."""
        raise NotImplementedError

    def called(self, value: Value, arguments: Value, name: str) -> Value:
        """Tell a call, and return what it gives."""
        raise NotImplementedError

    # --- tokens

    def _peek(self, ahead: int = 0) -> Token:
        return self.all[self.at + ahead] if self.at + ahead < len(self.all) else _END

    def _is(self, *texts: str, ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return token.text in texts and token.kind in ("op", "name")

    def _lines(self) -> None:
        while self._peek().kind == "end" and self.at < len(self.all):
            self.at += 1

    # --- statements

    def _each(self, value: Value) -> Value:
        """Return what stands for every element of a value: the first that matters, since one is enough."""
        found = self.act("each", value, Value(items=()))
        return found or value

    def _loop(self) -> Value:
        """Read the head of a loop, and bind its names to the elements it goes over."""
        names: list[str] = []
        opened = self._is("(")
        self.at += 1 if opened else 0
        while (self._peek().kind == "name" and not self._is("in", "of")) or self._is(",", "(", ")"):
            if self._is("("):
                break
            token = self._peek()
            self.at += 1
            if token.text in ("const", "let", "var", "my", "our"):
                continue
            if self._is(".", "->") or (self._is("(") and self.syntax.name != "perl"):  # php: the values come first
                self.at -= 1
                break
            names.append(token.text)
        if self._is("in", "of", "=", "<-", ":"):
            self.at += 1
        elif not names and not opened:
            return UNKNOWN
        values = self.expression()
        if self._is("as"):
            self.at += 1
            names = [self._peek().text]
        for name in names or ["_"]:
            self.names[name] = self._each(values)
        return values

    def _define(self) -> Value:
        """Read the head of a function; its parameters hold what it is called with."""
        name = self._peek().text if self._peek().kind == "name" else ""
        if not name:
            return UNKNOWN
        self.at += 1
        while self._is(".") and self._peek(1).kind == "name":
            name = self._peek(1).text
            self.at += 2
        parameters: list[str] = []
        if self._is("("):
            self.at += 1
            while self.at < len(self.all) and not self._is(")"):
                if self._peek().kind == "name":
                    parameters.append(self._peek().text)
                    default = self._is("=", ahead=1)
                    self.names.pop(parameters[-1], None)
                    if default:
                        self.expression()
                        continue
                self.at += 1
        self.bind(name, parameters)
        return UNKNOWN

    def bind(self, name: str, parameters: list[str]) -> None:
        """Give the parameters of a function what it is called with."""
        self.bodies[name] = parameters
        given = self.calls.get(name)
        if given is not None and not parameters and self.syntax.name == "perl":
            self.names["_"] = Value(items=given.items)
        for place, parameter in enumerate(parameters if given is not None else ()):
            named = given.field(parameter) if given is not None else None
            items = given.items or () if given is not None else ()
            if named is not None or place < len(items):
                self.names[parameter] = named or items[place]

    def _script_import(self) -> None:
        """Read ``import name from "module"`` and ``import * as name from "module"``."""
        at = 2 if self._is("*") and self._is("as", ahead=1) else 0
        if self._peek(at).kind == "name" and self._is("from", ahead=at + 1) and self._peek(at + 2).kind == "string":
            self.names[self._peek(at).text] = Value(ref=self._peek(at + 2).text.removeprefix("node:"))
            self.at += at + 3

    def _python_import(self, word: str) -> None:
        module = self._dotted() if word == "from" else ""
        if word == "from" and not self._is("import"):
            return
        self.at += 1 if word == "from" else 0
        while self._peek().kind == "name" or self._is("(", ",", "*"):
            if self._is("(", ",", "*"):
                if self._is("*"):
                    self.names["*"] = Value(ref=module)
                self.at += 1
                self._lines()
                continue
            name = self._dotted()
            full = f"{module}.{name}" if module else name
            if self._is("as"):
                self.names[self._peek(1).text] = self.act(f"@{full}", None, UNKNOWN) or Value(ref=full)
                self.at += 2
            elif module:
                self.names[name] = self.act(f"@{full}", None, UNKNOWN) or Value(ref=full)

    def _dotted(self) -> str:
        name = self._peek().text
        self.at += 1
        while self._is(".") and self._peek(1).kind == "name" and not self._is("import", ahead=1):
            name += "." + self._peek(1).text
            self.at += 2
        return name

    def _applescript(self, word: str) -> Value:
        if word == "set" and self._is("to", ahead=1):
            name = self._peek().text
            self.at += 2
            self.names[name] = self.expression()
            return self.names[name]
        if word == "do" and self._is("shell") and self._is("script", ahead=1):
            self.at += 2
            return self.called(Value(ref="doShellScript"), Value(items=(self.expression(),)), "")
        return UNKNOWN

    def _starred(self, name: str) -> Value | None:
        """Return what a name is if ``from module import *`` has brought it in."""
        star = self.names.get("*")
        return Value(ref=f"{star.ref}.{name}") if star is not None and self.knows(f"{star.ref}.{name}") else None

    def _destructured(self, names: Value) -> None:
        """Read what ``{a, b: c}`` is taken from, by ``=`` or ``from``, and bind the names."""
        if not self._is("=", "from"):
            return
        imported = self._is("from")
        self.at += 1
        source = self.expression()
        module = (source.text or "").removeprefix("node:") if imported else source.ref
        for key, value in (*((item.ref, item) for item in names.items or ()), *names.fields):
            if key and value.ref:
                self.names[value.ref] = Value(ref=f"{module}.{key}", taint=source.taint)

    def _block_parameters(self, given: Value) -> None:
        """Read ``|a, b|``; the parameters hold what the block is called with."""
        self.at += 1
        while self.at < len(self.all) and not self._is("|"):
            if self._peek().kind == "name":
                self.names[self._peek().text] = given
            self.at += 1
        self.at += 1

    def _arrow(self, parameters: list[str]) -> None:
        """Go behind the arrow of a function; a callback is given what it is a callback for."""
        self.at += 1
        if self.defined:
            self.bind(self.defined, parameters)
            self.defined = ""
        else:
            self.names.update(dict.fromkeys(parameters, self.subject))

    def _function(self) -> Value:
        """Read ``function (a, b) { … }`` as an argument: its parameters hold what it is a callback for."""
        self.at += 1
        while self.at < len(self.all) and not self._is("{"):
            if self._peek().kind == "name":
                self.names[self._peek().text] = self.subject
            self.at += 1
        return self.expression()
