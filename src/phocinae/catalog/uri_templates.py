"""URI templates of RFC 6570, level 1: literal text and ``{variables}``, matched in one pass.

A variable stands for at least one character of those that a simple expansion gives
(section 3.2.2): unreserved ones, and others percent-encoded.  It takes as little as it can, up to the
literal text behind it, so that there is one reading and the time is linear.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from attrs import field, frozen

from ..errors import InvalidRegistration

LONGEST = 8_192
"""The longest URI that is looked at, in characters."""

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_VARIABLE = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")
_EXPANDED = re.compile(r"(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+")


@frozen
class UriTemplate:
    """One template, ready to be matched; `literals` stand before, between and after the variables."""

    text: str
    variables: tuple[str, ...] = field(init=False)
    literals: tuple[str, ...] = field(init=False)

    @variables.default
    def _read_variables(self) -> tuple[str, ...]:
        return tuple(_EXPRESSION.findall(self.text))

    @literals.default
    def _read_literals(self) -> tuple[str, ...]:
        return tuple(_EXPRESSION.split(self.text)[::2])

    def __attrs_post_init__(self) -> None:
        """Refuse a template that would be another level's, or could be read in two ways."""
        wrong = next((name for name in self.variables if not _VARIABLE.fullmatch(name)), None)
        if not self.variables or any("{" in text or "}" in text for text in self.literals):
            raise InvalidRegistration(f"the template {self.text!r} needs variables such as {{id}}, each in braces")
        if wrong is not None:
            raise InvalidRegistration(
                f"the template {self.text!r} has the expression {{{wrong}}}; only plain names such as {{id}} are served"
            )
        if len(set(self.variables)) < len(self.variables):
            raise InvalidRegistration(f"the template {self.text!r} names a variable twice; give each its own name")
        if not all(self.literals[1:-1]):
            raise InvalidRegistration(f"the template {self.text!r} needs text between two variables")

    def match(self, uri: str) -> dict[str, str] | None:
        """Return what each variable stands for in `uri`, percent-decoded, or None where it does not match."""
        if len(uri) > LONGEST or not uri.startswith(self.literals[0]):
            return None
        place, found = len(self.literals[0]), {}
        for index, name in enumerate(self.variables):
            following, is_last = self.literals[index + 1], index + 1 == len(self.variables)
            end = len(uri) - len(following) if is_last else uri.find(following, place + 1)
            if end <= place or not uri.startswith(following, end):
                return None
            value = _decoded(uri[place:end])
            if value is None:
                return None
            found[name] = value
            place = end + len(following)
        return found


def _decoded(expanded: str) -> str | None:
    if not _EXPANDED.fullmatch(expanded):
        return None
    try:
        return unquote_to_bytes(expanded).decode("utf-8")
    except UnicodeDecodeError:
        return None
