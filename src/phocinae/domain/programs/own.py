"""This gate's own commands: looking is harmless, moving its trust is for a person, loosening the gate is denied.

Source: docs/cli.md of this project.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Stream

_LOOKS = frozenset(
    [
        ("info",),
        ("tools",),
        ("doctor",),
        ("policy", "check"),
        ("policy", "test"),
        ("policy", "show"),
        ("policy", "diff"),
        ("audit", "show"),
        ("audit", "verify"),
        ("audit", "stats"),
        ("audit", "head"),
        ("config", "show"),
        ("config", "schema"),
    ]
)
_TEMPLATE = ("config", "init")
"""It writes no file with ``--print``."""
_LOOSENS = frozenset([("approve",), ("uninstall",), _TEMPLATE])
_OPTIONS = (
    "--json --full -v --verbose --explain --layer:text --cwd:text --dialect:text --hook --print -h "
    "-n:text --last:text --follow --file:read --since:text --until:text --decision:text --rule:text --agent:text "
    "--tool:text --program:text --grep:text --top:text --anchor:text"
)
"""Options of the commands that look. Those of ``doctor`` for another home are not among them: it runs the hook there."""
_MOVES = ("--server", "--guard", "--config", "--backend", "--state-key-file")
"""Options that say who is asked, what is run beside it, which settings hold and which key seals approvals."""

_COMMANDS = frozenset(words[0] for words in _LOOKS | _LOOSENS) | {
    "gate",
    "serve",
    "hook",
    "install",
    "classify",
    "route",
    "score",
}


_SWITCHES_OFF = frozenset(["--off", "--observe"])
_MILDER = frozenset([("--fail-closed", "ask"), ("--unattended", "ask"), ("--on-allow", "allow")])
"""Options of which one value answers more mildly than the other."""


def _loosening(call: Call) -> None:
    """Weigh options that switch the gate off, or make its answers milder."""
    texts = [word.text for word in call.args]
    for at, word in enumerate(call.args):
        if word.text == "--":
            return
        name, _, value = word.text.partition("=")
        if word.text in _SWITCHES_OFF:
            call.note("write-gate", word)
        elif (name, value or "".join(texts[at + 1 : at + 2])) in _MILDER:
            call.note("moves-gate", word)


def _own(call: Call, usage: Usage) -> Stream | None:
    for value in usage.values(*_MOVES):
        call.note("moves-gate", value)
    _loosening(call)
    words = tuple(word.text for word in usage.operands)
    start = next((place for place, word in enumerate(words) if word in _COMMANDS), 0)  # the values of unknown options
    if words == _TEMPLATE and usage.has("--print"):
        return None
    if words[start : start + 1] in _LOOSENS or words[start : start + 2] in _LOOSENS:
        call.note("write-gate", usage.operands[start], f"{call.name} {words[start]}")
    elif words[start : start + 1] == ("install",):
        call.note("changes-agent", usage.operands[start], f"{call.name} install")
    elif words[:1] == ("doctor",) and words[1:] and not usage.operands[-1].unknown:
        pass  # the agents that it is to prove
    elif words[:1] != ("gate",) and words and words not in _LOOKS:
        call.note("unknown-subcommand", usage.operands[0])
    elif words[:1] == ("gate",) and len(words) > 2:
        call.note("too-many-operands", usage.operands[2])
    return None


PROGRAMS: dict[str, Program] = dict.fromkeys(
    ["phocinae", "phocinae-mcp"],
    program(" ".join([_OPTIONS, *(f"{name}:text" for name in _MOVES)]), style=Style.GNU, judge=_own),
)
