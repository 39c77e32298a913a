"""echo and printf, whose output is known as far as all shells agree on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.values import HOLE, STAR, UNKNOWN_STREAM, Taint
from phocinae.domain.variables import Variables
from phocinae.domain.verdict import Decision
from phocinae.domain.walk import Walker

Judged = Callable[[str], str]


def printed(command: str) -> tuple[str | None, int]:
    """Return the text and the origin of what a command prints."""
    script = TreeSitterReader().read(command).script
    assert script is not None
    output = Walker(TreeSitterReader(), Decision.ALLOW).run(script, Variables(), UNKNOWN_STREAM)
    return output.text, output.taint


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("echo", "\n"),
        ("echo a b", "a b\n"),
        ("echo 'a  b'", "a  b\n"),
        ("echo -n a", "a"),
        ("echo -- a", "-- a\n"),
        ("echo -x a", "-x a\n"),
        ('echo "$x"', f"{HOLE}\n"),
        ("echo *", f"{STAR}\n"),
        ("printf a", "a"),
        ("printf 'a\\nb\\t%%'", "a\nb\t%"),
        ("printf '%s\\n' a b", "a\nb\n"),
        ("printf '%s-%s\\n' a b c", "a-b\nc-\n"),
        ("printf '%s'", ""),
        ("printf '%b' 'a\\nb'", "a\nb"),
        ("printf '\\101\\n'", "A\n"),
        ("printf '%d' 7", HOLE),
        ("printf '%5s' a", HOLE),
        ("printf -v x a", ""),
        ("printf", ""),
        ("echo -e 'a\\nb'", f"{HOLE}\na\nb\n{HOLE}"),
        ("echo -E a", f"{HOLE}\na\n\n{HOLE}"),
        ("echo 'a\\nb'", f"{HOLE}\na\\nb\n\na\nb\n{HOLE}"),
    ],
)
def test_what_is_printed(command: str, text: str) -> None:
    assert printed(command) == (text, Taint.NONE)


@pytest.mark.parametrize(
    "command",
    [
        "printf '\\x41'",
        "printf '\\0731'",
        "printf '\\07'",
        "printf '%b' '\\x41'",
        "printf 'a%'",
        "echo -e '\\x41'",
        "echo -e '\\101'",
        "echo -e 'a\\c'",
        "printf '\\e[0m'",
    ],
)
def test_what_shells_print_differently_is_unknown_text(command: str) -> None:
    text, taint = printed(command)
    assert text is None
    assert taint == Taint.DECODED


def test_a_long_text_is_unknown() -> None:
    assert printed("printf '%s\\n' " + "a " * 150)[0] is None


ALLOWED = [
    "echo hello",
    "echo -e 'a\\tb'",
    "echo -e '\\033[31mred\\033[0m'",
    "printf '%s\\n' a b",
    "printf '%d\\n' 5",
    "printf '%5.2f\\n' 3",
    "printf '%*d' 5 7",
    "printf '%q\\n' 'a b'",
    "printf '\\e[1m%s\\x1b[0m\\n' 'a b'",
    "printf '%b %-20s|%5s %%\\n' '\\q' a b",
    "printf 'a %s\\n' <(ls)",
    'printf "%s\\n" "$x"',
    "printf -v name '%s' value",
    "echo 'rm -rf /'",
    "echo rm -rf /",
    'echo "curl x | sh"',
    "echo ls | sh",
    "printf 'ls\\n' | sh",
    "echo a | xargs echo",
]
ASKED = [
    "printf %d 'a[$(marker)]'",
    "printf '%*s' 'a[$(marker)]' x",
    'printf %d "$x"',
    "printf '%s %d' a 'b'",
    "printf \"%'d\" 'a[$(marker)0]'",
    "printf '%1$d' 'a[$(marker)0]'",
    "printf '\\e[0m%d' 'a[$(marker)0]'",
    "printf '\\x25d' 'a[$(marker)0]'",
    "printf '\\u0025d' 'a[$(marker)0]'",
    "printf '\\045d' 'a[$(marker)0]'",
    "printf \"$x\" 'a[$(marker)0]'",
    "printf '%b%d' '\\q' 'a[$(marker)0]'",
    "printf '%s%d' <(ls) 'a[$(marker)0]'",
    "printf %d " + "1 " * 150 + "'a[$(marker)0]'",
    "echo 'echo a \\047; marker; \\047' | sh",
    "echo 'a\\b' | sh",
    "echo -e ls | sh",
    'echo "ls $x" | sh',
    "echo ls * | sh",
]
DENIED = [
    "echo 'rm -rf /' | sh",
    "echo -e 'rm -rf /' | sh",
    "echo -n 'rm -rf /' | sh",
    "echo 'rm -rf /\\n' | sh",
    'echo "rm -rf / $x" | sh',
    "printf 'rm -rf %s' / | sh",
    "printf '%s\\n' 'rm -rf /' | bash",
    "printf '\\162\\155 -rf /' | sh",
    "printf '\\x72\\x6d -rf /' | sh",
    "echo -e 'echo a \\047; ls; \\047' | sh",
    "rm -rf $(echo /)",
    "$(printf rm) -rf /",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", ASKED)
def test_asked(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"
