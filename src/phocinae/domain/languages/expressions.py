"""Follows values through code: from literals, through names and operators, into the calls of functions.

It is no interpreter.  Code is gone through once from top to bottom, branches and bodies included, and a name
holds what it was last given.  What a function is called with is known in its body, because code that defines
functions is gone through a second time.  All that is not understood is an unknown value.
"""

from __future__ import annotations

from ..values import active, plain
from .statements import DEFINES, LOOPS, MOST_DEPTH, Statements
from .syntax import Token, tokens
from .values import MOST_ITEMS, UNKNOWN, Value, joined

_CONTROLS = frozenset(["while", "if", "unless", "until", "elif", "elsif", "switch", "catch", "when", "return"])
_BINDS = frozenset(["=", ":=", "<-"])
_ADDS = frozenset(["+=", ".=", "..=", "<<", "||=", "??=", "|="])
_OTHERS = frozenset(
    "== != === !== < > <= >= && || and or ? ?? <=> =~ !~ is not in if unless else | ** // % - / * + & ^ xor".split()
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = frozenset(
    "await new not ! - + & * \\ ... return yield const let var my our local val "
    "def async typeof void scalar @ do then".split()
)
_ENDS = frozenset(
    [
        ")",
        "]",
        "}",
        ",",
        ";",
        "then",
        "do",
        "end",
        "if",
        "unless",
        "for",
        "while",
        "until",
        "else",
        ":",
        "=>",
        "|",
        "as",
    ]
)


class Reader(Statements):
    """Goes through the tokens of one code, and tells calls, reads of names and backquoted commands to `act`."""

    def read(self, code: str) -> None:
        """Go through code."""
        self.all = tokens(code, self.syntax)
        self._through()
        if self.bodies and any(name in self.calls for name in self.bodies):
            self._through()

    def _through(self) -> None:
        self.at = 0
        while self.at < len(self.all):
            before = self.at
            self.expression()
            self.at = max(self.at, before + 1)

    def expression(self) -> Value:
        """Read an expression with its operators, and return its value."""
        if self.depth >= MOST_DEPTH:
            self.at += 1
            return UNKNOWN
        self.depth += 1
        try:
            return self._operators(self._operand())
        finally:
            self.depth -= 1

    def _operators(self, value: Value) -> Value:
        while True:
            token = self._peek()
            if token.kind == "string" and self.syntax.adjacent and value.text is not None:
                value = joined(value, self._operand())
            elif token.kind not in ("op", "name") or token.text not in _OTHERS | self.syntax.joins:
                return value
            elif token.text in self.syntax.joins:
                self.at += 1
                self._lines()
                value = joined(value, self._operand())
            elif token.text in ("if", "unless", "not", "in", "is", "else", "|") or (
                token.text == "*" and self._is(":", ",", ahead=1)
            ):
                return value
            else:
                self.at += 1
                self._lines()
                value = self._other(token.text, value)

    def _other(self, operator: str, left: Value) -> Value:
        """Return what an operator makes of two operands that are no strings in a row."""
        right = self._operand()
        made = self.act(operator, left, Value(items=(right,)))
        if made is not None:
            return made
        if operator in ("or", "||", "??", "?"):
            return right if left.text is None and left.items is None else left
        return Value(taint=left.taint | right.taint)

    def _operand(self) -> Value:
        while self._is(*_SKIPPED) and self._peek().kind != "string" and self.at < len(self.all) - 1:
            if self._is("-") and self._peek(1).kind == "number" and self._peek(1).near:
                self.at += 2
                return Value(text=f"-{self._peek(-1).text}")
            if self._is("def") or (self._is("do") and self.syntax.name == "applescript"):
                break
            self.at += 1
        token = self._peek()
        self.at += 1
        if token.kind in ("string", "command", "globbed"):
            value = self._text(token)
            return self._behind(
                self.act("`", None, Value(items=(value,))) or UNKNOWN if token.kind == "command" else value
            )
        if token.kind == "number":
            return Value(text=token.text if token.text.isdigit() else None)
        if token.kind == "name":
            return self._name(token)
        if token.kind == "pattern":
            return self._behind(UNKNOWN)
        if token.kind == "op" and token.text in _CLOSING:
            return self._bracket(token.text)
        return UNKNOWN

    def _bracket(self, opening: str) -> Value:
        if opening == "(":
            inside = self._arguments(")", keys=False)
            items = inside.items or ()
            if self._is("=>"):
                self._arrow([item.ref for item in items if item.ref])
                return self.expression()
            alone = items[0] if len(items) == 1 and not inside.fields else inside
            return self._behind(alone)
        inside = self._arguments(_CLOSING[opening])
        if opening == "{" and self.syntax.name == "javascript":
            self._destructured(inside)
        return self._behind(inside)

    def _text(self, token: Token) -> Value:
        """Return the value of a string, with the values of the expressions in it."""
        if token.kind == "globbed":
            return Value(text=active(plain(token.text)))
        value = Value(text="")
        for part in token.parts:
            value = joined(value, Value(text=plain(part)) if isinstance(part, str) else self._within(part[0]))
        return value

    def _within(self, code: str) -> Value:
        """Return the value of an expression that stands within a string."""
        if self.depth >= MOST_DEPTH:
            return UNKNOWN
        kept, self.all, self.at = (self.all, self.at), tokens(code, self.syntax), 0
        try:
            return self.expression()
        finally:
            self.all, self.at = kept

    # --- names

    def _name(self, token: Token) -> Value:
        name = token.text
        if name in LOOPS and self._peek().kind != "string":
            return self._loop()
        if name in _CONTROLS:
            return UNKNOWN
        if name in DEFINES:
            return self._define()
        if self.syntax.name == "python" and name in ("import", "from") and self._peek().kind == "name":
            self._python_import(name)
            return UNKNOWN
        if self.syntax.name == "javascript" and name == "import":
            self._script_import()
        if name in ("do", "set") and self.syntax.name == "applescript":
            return self._applescript(name)
        if self._is("=>"):  # a parameter of a callback
            self.names[name] = self.subject
            self.at += 1
            return self.expression()
        value = self.names.get(name) or self._starred(name) or self.act(f"@{name}", None, UNKNOWN) or Value(ref=name)
        if self.syntax.name == "python" and self._is(":") and self._peek(1).kind == "name" and self._is("=", ahead=2):
            self.at += 2
        return self._assigned(name, self._behind(value, name))

    def _assigned(self, name: str, value: Value) -> Value:
        """Read what a name is given, if that follows, and keep it."""
        operator = self._peek().text if self._peek().kind == "op" else ""
        if operator in _BINDS and not (operator == "=" and self._peek(1).text == "=" and self._peek(1).near):
            self.at += 1
            self._lines()
            self.defined = name if self._is("(", "async") else ""
            given = self.expression()
            self.defined = ""
            if value.ref.endswith("()") or "." in value.ref:
                self.act(value.ref + "=", value, Value(items=(given,)))
            else:
                self.names[name] = given
            return given
        if operator in _ADDS:
            self.at += 1
            self._lines()
            given = self.expression()
            self.names[name] = joined(self.names.get(name, Value(text="")), given)
            return self.names[name]
        if self._is("as") and self._peek(1).kind == "name":
            self.names[self._peek(1).text] = value
            self.at += 2
        return value

    def _behind(self, value: Value, name: str = "") -> Value:
        """Read what follows an operand: attributes, arguments, subscripts."""
        while True:
            token = self._peek()
            attribute = self._attribute(token, value)
            if attribute is not None:
                value = attribute
            elif token.text == "(" and token.kind == "op" and (token.near or self.knows(value.ref)):
                self.at += 1
                value = self._call(value, name)
            elif token.text == "[" and token.kind == "op" and token.near:
                self.at += 1
                start = self.at
                value = self._subscript(value, self._arguments("]"), start)
            elif token.text == "{" and token.near and self.syntax.name == "perl":
                self.at += 1
                inside = self._arguments("}")
                words = tuple(Value(text=item.text or item.ref or None) for item in inside.items or ())
                value = self._subscript(value, Value(items=words))
            elif token.text in ("{", "do") and self._is("|", ahead=1):
                self.at += 1
                self._block_parameters(self.act("callback", value, UNKNOWN) or value)
            elif token.kind == "string" and token.near and self.syntax.backtick == "template" and value.ref:
                self.at += 1
                value = self.act(value.ref + "`", None, Value(items=(self._text(token),))) or UNKNOWN
            elif self.syntax.commands and self._begins_command(token, value):
                value = self.called(value, self._listed(), name)
            else:
                return value

    def _attribute(self, token: Token, value: Value) -> Value | None:
        dots = ("->", "::", "?.") if not self.syntax.dotted else (".", "::", "&.", "?.", ":")
        if token.kind == "end" and self._is(".", ahead=1) and self.syntax.dotted and self._peek(2).kind == "name":
            self.at += 1
            token = self._peek()
        if token.kind != "op" or token.text not in dots or self._peek(1).kind != "name" or not self._peek(1).near:
            if token.text == "." and self._is("!", "!!", ahead=1):  # Scala
                self.at += 2
                return self.act("!", value, UNKNOWN) or UNKNOWN
            return None
        if token.text == ":" and (self.syntax.name not in ("lua", "erlang") or not token.near):
            return None
        name = self._peek(1).text
        self.at += 2
        found = self.act(f"@{value.ref}.{name}", value, UNKNOWN)
        return found or Value(
            ref=f"{value.ref}.{name}", text=value.text, items=value.items, taint=value.taint, fields=value.fields
        )

    def _subscript(self, value: Value, inside: Value, start: int = 0) -> Value:
        key = (inside.items or (UNKNOWN,))[0]
        if value.ref == "Dir":
            return self.act("Dir.[]", None, inside) or UNKNOWN
        written = "".join(token.text for token in self.all[start : self.at - 1])
        if start and ":" in written:
            return self.act("[:]", value, Value(text=written)) or Value(taint=value.taint)
        if value.ref and value.items is None and value.text is None and key.text is not None:
            named = f"{value.ref}.{key.text}"
            return self.act(f"@{named}", value, UNKNOWN) or Value(ref=named, taint=value.taint)
        return self.act("[]", value, inside) or Value(taint=value.taint)

    # --- calls

    def _call(self, value: Value, name: str) -> Value:
        outer, self.subject = self.subject, self.act("callback", value, UNKNOWN) or value
        try:
            arguments = self._arguments(")")
        finally:
            self.subject = outer
        return self.called(value, arguments, name)

    def called(self, value: Value, arguments: Value, name: str) -> Value:
        self.calls[name] = arguments
        method = value.ref.rpartition(".")[2]
        if method in ("append", "push", "extend", "concat") and name in self.names and arguments.items:
            self.names[name] = joined(self.names[name], Value(items=tuple(arguments.words())))
        if not value.ref and value.text is not None and self.syntax.name != "php":  # it is known what the call gives
            return value
        ref = value.ref or (value.text or "" if self.syntax.name == "php" else "")
        return self.act(ref, value, arguments) or Value(
            ref=ref + "()" if ref else "", taint=value.taint | _taint(arguments)
        )

    def _begins_command(self, token: Token, value: Value) -> bool:
        """Return whether arguments without parentheses follow a function that is known."""
        if token.near and token.text != "{":
            return False
        begins = (
            token.kind in ("string", "globbed", "command", "number")
            or (token.kind == "name" and token.text not in _ENDS | _OTHERS)
            or (token.kind == "op" and token.text in ("[", "{", "$", "(", "\\"))
        )
        if not begins or not value.ref or not (self.knows(value.ref) or value.ref in self.bodies):
            return False
        return token.text != "{" or self.syntax.name == "perl"

    def _listed(self) -> Value:
        """Return the arguments of a call without parentheses, up to the end of the line."""
        items: list[Value] = []
        fields: list[tuple[str, Value]] = []
        juxtaposed = self.syntax.name in ("haskell", "applescript")
        while self.at < len(self.all) and self._peek().kind != "end" and not self._is(*_ENDS):
            before = self.at
            if self._peek().kind == "name" and self._is(":", ahead=1) and self._peek(1).near:
                key = self._peek().text
                self.at += 2
                fields.append((key, self.expression()))
            else:
                items.append(self.expression())
            if self._is(",", "=>"):
                self.at += 1
                self._lines()
            elif not (
                juxtaposed
                or (self.syntax.name == "perl" and len(items) == 1 and self._peek().kind in ("string", "globbed"))
            ):
                break
            self.at = max(self.at, before + 1)
        return Value(items=tuple(items[:MOST_ITEMS]), fields=tuple(fields))

    def _arguments(self, closing: str, *, keys: bool = True) -> Value:
        """Read what stands between brackets, behind the opening one."""
        items: list[Value] = []
        fields: list[tuple[str, Value]] = []
        while self.at < len(self.all):
            self._lines()
            if self._is(closing):
                self.at += 1
                break
            if self._is("]", ")", "}"):  # another bracket's, in code that is broken
                break
            before = self.at
            key = self._key(closing) if keys else ""
            value = self._function() if self._is("function") else self.expression()
            if key:
                fields.append((key, value))
            elif self.at > before:
                items.append(value)
            if self._is("for", "foreach") and closing in (")", "]"):
                self._comprehension(before)
            if self._is(",", ";", "=>"):
                self.at += 1
            self.at = max(self.at, before + 1)
        return Value(items=tuple(items[:MOST_ITEMS]), fields=tuple(fields[:MOST_ITEMS]))

    def _key(self, closing: str) -> str:
        """Return the name of a named argument or an entry, and go behind it."""
        token, behind = self._peek(), self._peek(1)
        named = (
            behind.text in ("=", ":") if token.kind == "name" else behind.text in (":", "=>") and token.kind == "string"
        )
        if not named or behind.kind != "op" or (behind.text == "=" and self._is("=", ahead=2) and self._peek(2).near):
            return ""
        if behind.text == "=" and closing == "}":
            return ""
        if behind.text == ":" and (self.syntax.name in ("lua", "erlang", "python") and token.kind == "name"):
            return ""
        self.at += 2
        if token.kind == "name" and behind.text == "=":
            self.names.setdefault(token.text, UNKNOWN)
        return token.text

    def _comprehension(self, start: int) -> None:
        """Read ``f(x) for x in values``: the names first, and then the element once more."""
        self.at += 1
        self._loop()
        end, self.at = self.at, start
        if self.depth < MOST_DEPTH // 2:
            self.expression()
        self.at = max(end, self.at)


def _taint(arguments: Value) -> int:
    taint = arguments.taint
    for value in (*(arguments.items or ()), *(value for _, value in arguments.fields)):
        taint |= value.taint
    return taint
