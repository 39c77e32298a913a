"""Secrets in the words of commands: behind names, options, headers, and the programs that take them.

One pass over the text, which need not be a valid command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .masking_names import NAME_LIMIT, sounds_secret
from .masking_programs import KNOWN_PROGRAMS, OPERANDS, PASSWORD_OPTIONS, SUBCOMMANDS
from .masking_tokens import looks_random, mixes_kinds

_PIECE = r"[\"';|&\n]|[^\s\"'`;|&()<>,{}]++"
"""A quote, an end of a command, or a chunk: a run in which neither shell nor JSON text has a boundary."""

_KEYWORD = r"pass|pwd|pw|token|secret|key|auth|cred|bearer|cookie|session|sig|pat|otp|jwt|psk|mnemonic|pin|hmac|seed"
"""A chunk without one of these, which is no option, names no secret."""

NAME = r"(?<![\w.\-])([\w.\-]*+)\+?[=:]"
"""A name and the sign after it, in a chunk; tried where a name can begin, and not again at each of its characters."""

_REFERENCE = r"(?:(?:bearer|basic|token)\s+)?\$(?:env:)?(?:\w+|\{\w+\})"
"""A value that is only the name of a variable, and no secret."""

_BARE = r"(?:\\.|[^\s\"'`;|&<>()\\])++"

_BLANK = r"(?:\s|\\\r?\n)*+"

_TO_VALUE = rf"\\?[\"']?,?{_BLANK}"
"""What may stand between an option and its value."""

_TO_MEMBER = r"\\?[\"']?\]?\s*+(?::(?!//)|=(?!=))\s*+"
"""What stands between a name and its value in JSON, YAML and assignments with blanks."""

_SCHEME = re.compile(r"(?:bearer|basic|token|digest|negotiate|apikey)\Z", re.IGNORECASE)
"""What may stand in front of the secret in a header (RFC 9110 section 11.1)."""

_PRINTED = re.compile(r"\$\((?:echo|printf)\s+(?:-[neE]+\s+)?(?:[\"']?%s(?:\\n)?[\"']?\s+)?")
"""A command substitution of a text that stands in it."""

_LITERAL = "--from-literal"
"""The option of ``kubectl create secret`` with a name and a secret value behind it."""

_USER_OPTIONS = ("-u", "-U", "--user", "--proxy-user", "--cert")
"""Options whose value may be ``user:password``, or ``user%password``."""

_USER = r"([\"']?)=?[^:%\s\"']{1,64}[:%]"

_CURL_BUNDLE = re.compile(r"-[#0-4679aBfgGiIjJklLMnNOpqRsSvZ]{1,40}u")
"""Options of curl that take no value, and -u at the end of them (curl(1))."""

_NUMBERS = r"\d{1,10}:\d{0,10}"
"""A user and a group, as ``docker run -u`` takes them."""

_OFTEN_SECRET = ("-p", "-t", "-k", "-s", "-a", "-P", "--key", "--pin", "--id")
"""Options that take a secret in some programs: one that looks random is taken for it."""

_SETS = ("set", "setx", "setenv", "config:set", "--arg")
"""Commands with the name of a variable and then its value."""

_LONGEST_LIST = 2_000

Span = tuple[int, int]


def spans(text: str) -> Iterator[Span]:
    """Yield where in `text` a secret is that a word of it names."""
    return _Scan(text).spans()


class _Scan:
    """One pass over the chunks of a text, which knows the quote that it is in and the program that it saw last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.quote = ""
        self._begin()

    def spans(self) -> Iterator[Span]:
        done = 0
        for match in re.finditer(_PIECE, self.text):
            start, end = match.span()
            sign = self.text[start]
            if sign in "\"'":
                self._see_quote(start, sign)
            elif sign in ";|&\n":
                if sign != "\n" or start == 0 or self.text[start - 1] != "\\":
                    self._begin()
            elif start >= done:
                chunk = self.text[start:end]
                named = re.search(_KEYWORD, chunk, re.IGNORECASE) is not None
                found = self._secret(start, end, chunk, named=named) if named or self._may_matter(chunk) else None
                self._see(chunk)
                if found is not None:
                    yield found
                    done = found[1]

    def _begin(self) -> None:
        """Forget the command that has ended."""
        self.program, self.before = "", ""
        self.setting, self.pairs, self.configuring = False, False, False
        self.operands = 0
        """How many operands on the secret one is; 0 when there is none."""

    def _may_matter(self, chunk: str) -> bool:
        """Tell whether a chunk that names no secret may be one, or stand in front of one, all the same."""
        return chunk[0] in "-/?" or self.program != "" or self.pairs or "ey=" in chunk

    def _see(self, chunk: str) -> None:
        """Remember what a chunk says about those behind it."""
        option = chunk[0] == "-"
        self.configuring = self.configuring or chunk == "config"
        self.setting = chunk.lower() in _SETS or self.configuring or (self.setting and option)
        self.pairs = self.pairs or chunk == "config:set" or (chunk == "set" and self.before == "secrets")
        name = chunk.rpartition("/")[2]
        if name in KNOWN_PROGRAMS:
            self.program = name
            self.operands = OPERANDS.get(name, 0)
        elif name in SUBCOMMANDS.get(self.program, ()):
            self.program += " " + name
            self.operands = OPERANDS.get(self.program, 0)
            self.pairs = self.pairs or self.program in ("vault put", "vault write")
        elif self.program == "htpasswd" and option and "b" in chunk:
            self.operands = 2 if "n" in chunk else 3
        elif self.operands and not option:
            self.operands -= 1
        elif self.operands == 1 and "=" not in chunk:
            self.operands = 0  # the next word may be the value of this option
        self.before = chunk

    def _see_quote(self, at: int, sign: str) -> None:
        escaped = self.quote != "'" and at > 0 and self.text[at - 1] == "\\"
        if not escaped and self.quote in ("", sign):
            self.quote = "" if self.quote else sign

    def _secret(self, start: int, end: int, chunk: str, *, named: bool) -> Span | None:
        """Return the span of the secret that the chunk names or holds, or None."""
        return (
            (self._assigned(start, chunk) if named else None)
            or self._literal(start, end, chunk)
            or self._user(start, end, chunk)
            or self._of_program(start, end, chunk)
            or (self._named(end, chunk) if named else None)
            or self._random(start, end, chunk)
        )

    def _assigned(self, start: int, chunk: str) -> Span | None:
        """``NAME=value``, ``--name=value``, ``?name=value``, ``name:value``, and ``Name: …`` to the line's end."""
        for match in re.finditer(NAME, chunk):
            at = match.end() - 1
            if not sounds_secret(match.group(1)[-NAME_LIMIT:]):
                continue
            if chunk.startswith(("==", "://"), at):
                continue
            behind = chunk[at + 1 :]
            if (chunk[at] == ":" and not behind) or (len(behind) < 12 and _SCHEME.match(behind)):
                return self._line(start + at + 1)
            return self._value(start + at + 1, self.quote)
        return None

    def _named(self, end: int, chunk: str) -> Span | None:
        """``--name value``, ``"name": "value"`` and ``Bearer value``."""
        name = chunk.rstrip("\\")
        if name.lower() != "bearer" and not (name.strip("-") and sounds_secret(name[-NAME_LIMIT:])):
            return None
        bare = name.startswith("-") or name.lower() == "bearer" or self.setting  # as in: npm config set NAME VALUE
        pattern = _TO_VALUE if bare else _TO_MEMBER
        gap = re.compile(pattern).match(self.text, end)
        if gap is None or gap.end() == end or self.text.startswith("--", gap.end()):
            return None
        return self._value(gap.end(), "" if self.quote and self.quote in gap.group() else self.quote)

    def _literal(self, start: int, end: int, chunk: str) -> Span | None:
        """``--from-literal=name=value`` and ``--from-literal name=value``."""
        if not chunk.startswith(_LITERAL):
            return None
        at = start + len(_LITERAL) + 1 if chunk != _LITERAL else self._after(end)
        name = re.compile(r"([\"']?)[\w.\-]{1,80}+=").match(self.text, at)
        if name is None:
            return None
        stop = self._value_end(at, self.quote)
        closed = name.group(1) and self.text[stop - 1] == name.group(1) and stop > name.end()
        return self._unless_reference(name.end(), stop - 1 if closed else stop)

    def _user(self, start: int, end: int, chunk: str) -> Span | None:
        options = (*_USER_OPTIONS, "-E") if self.program == "curl" else _USER_OPTIONS
        option = next((option for option in options if chunk.startswith(option)), None)
        if option is None and self.program == "curl" and (bundle := _CURL_BUNDLE.match(chunk)):
            option = bundle.group()
        if option is None:
            return None
        at = start + len(option) if chunk != option else self._after(end)
        pair = re.compile(_USER).match(self.text, at)  # before the end is sought: what is not masked is read again
        if pair is None:
            return None
        numbers = re.compile(_NUMBERS).match(self.text, at)
        if numbers is not None and self._value_end(numbers.end(), self.quote) == numbers.end():
            return None
        stop = self._value_end(at, self.quote)
        if stop <= pair.end():
            return None
        closing = pair.group(1) if self.text[stop - 1] == pair.group(1) else ""
        return pair.end(), stop - len(closing)

    def _of_program(self, start: int, end: int, chunk: str) -> Span | None:
        """Return the secret that only the program makes one: an operand, a value of a pair, or that of an option."""
        if self.pairs and "=" in chunk and chunk[0] != "-":
            return self._value(start + chunk.index("=") + 1, self.quote)
        if self.operands == 1 and chunk[0] != "-":
            return self._value(start - (self.text[start - 1] in "\"'" and start > 0), "")
        if self.program == "openssl" and chunk in ("-k", "-K"):
            return self._value(self._after(end), self.quote)
        for option in PASSWORD_OPTIONS.get(self.program, "").split():
            equals = "=" if option.startswith("--") else ""
            if chunk == option:
                return self._value(self._after(end), self.quote)
            if chunk.startswith(option + equals):
                return self._value(start + len(option + equals), self.quote)
        return None

    def _random(self, start: int, end: int, chunk: str) -> Span | None:
        """Return the value of an option that takes a secret in some programs, and of ``key=``, if it looks random."""
        name, equals, _ = chunk.rpartition("=")
        if equals and name.lower().endswith("key"):
            at = start + len(name) + 1
        elif chunk in _OFTEN_SECRET:
            at = self._after(end)
        else:
            return None
        span = self._value(at, self.quote)
        if span is None or not 10 <= span[1] - span[0] <= _LONGEST_LIST:
            return None
        value = self.text[span[0] : span[1]]
        return span if value.isalnum() and (looks_random(value) or mixes_kinds(value)) else None

    def _after(self, end: int) -> int:
        gap = re.compile(_BLANK).match(self.text, end)
        return gap.end() if gap else end

    def _line(self, at: int) -> Span | None:
        """Return the rest of a header line: up to the quote that it stands in, or the end of the line."""
        start = self._after(at)
        if not self.quote and self.text[start : start + 1] in ('"', "'"):
            return self._value(start, "")
        stop = r"\n" if not self.quote else r"\n|" + self.quote
        found = re.compile(stop if self.quote else r"[\n\"']").search(self.text, start)
        end = found.start() if found else len(self.text)
        if end - start < 4 and self.text[start : start + 1] in ("|", ">"):
            end = self._block_end(at, end)
        return self._unless_reference(start, end)

    def _block_end(self, at: int, end: int) -> int:
        """Return where a block of YAML ends, whose lines are indented further than the one of its name."""
        indent = _indent(self.text, self.text.rfind("\n", 0, at) + 1)
        while end < len(self.text) and (
            _indent(self.text, end + 1) > indent or self.text[end + 1 : end + 2] in ("\n", "")
        ):
            following = self.text.find("\n", end + 1)
            end = len(self.text) if following < 0 else following
        return end

    def _value(self, at: int, quote: str) -> Span | None:
        sign = self.text[at : at + 1]
        if sign == "[":
            end = self.text.find("]", at, at + _LONGEST_LIST)
            return at + 1, end if end > 0 else min(len(self.text), at + _LONGEST_LIST)
        if sign in ("(", "{"):
            return None
        if sign == "$" and self.text.startswith("$(", at):
            printed = _PRINTED.match(self.text, at)
            return None if printed is None else self._value(printed.end(), quote)
        return self._unless_reference(at, self._value_end(at, quote))

    def _unless_reference(self, start: int, end: int) -> Span | None:
        value = self.text[start:end]
        for mark in ('\\"', "\\'", '"', "'"):
            if value.startswith(mark) and value.endswith(mark) and value.count(mark[-1]) == 2:
                start, end, value = start + len(mark), end - len(mark), value[len(mark) : -len(mark)]
                break
        if not value or (len(value) < 200 and re.fullmatch(_REFERENCE, value, re.IGNORECASE)):
            return None
        return start, end

    def _value_end(self, at: int, quote: str) -> int:
        """Return where the word that begins at `at` ends; `quote` is the quote that it stands in."""
        text = self.text
        while at < len(text):
            escaped = text[at] == "\\" and text[at + 1 : at + 2] in ('"', "'")
            sign = text[at + escaped]
            if sign in "\"'" and (escaped or sign != quote):
                closing = re.compile(r"(?:\\.|[^\"\\])*+" if sign == '"' and not (escaped or quote) else f"[^{sign}]*+")
                inside = closing.match(text, at + escaped + 1)
                at = (inside.end() if inside else at) + 1
                if quote or escaped:
                    break  # in a text within a text, such as JSON, nothing is glued to a closing quote
                continue
            bare = re.compile(_BARE, re.DOTALL).match(text, at)
            if bare is None:
                break
            at = bare.end()
        return min(at, len(text))


def _indent(text: str, at: int) -> int:
    """Return how many blanks and tabs stand at `at`, up to a hundred."""
    return len(text[at : at + 100]) - len(text[at : at + 100].lstrip(" \t"))
