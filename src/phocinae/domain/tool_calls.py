"""What an agent is about to do, as its hook tells, and what can be answered: values without any agent's format."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from .shell import Dialect
from .verdict import Decision


class Answer(Enum):
    """What a hook answers; NO_OPINION leaves the call to the agent's own rules, as if there were no hook."""

    NO_OPINION = "no opinion"
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class ToolKind(Enum):
    """What a tool of an agent does, as far as a gate has something to say about it."""

    SHELL = "shell"
    FILES = "files"


class Asking(Enum):
    """How a person comes to be asked: by the hook's answer, by its silence, or not at all."""

    ANSWER = "answer"
    SILENCE = "silence"
    NEVER = "never"


@frozen(kw_only=True, slots=False)  # frozen slots are filled by a call for each
class ToolCall:
    """One call of a tool that a gate judges.

    `command` is the exact text for a tool of the kind SHELL, `dialect` the language that this tool runs,
    or None where that is not known; `files` are the paths that one of the kind FILES is about to write, as
    they were named.  `cwd` is the working directory that the agent claims.  `mode` is the agent's own word
    for how much it asks a person, and `asking` how one comes to be asked in that mode.
    """

    tool: str
    kind: ToolKind
    command: str = ""
    dialect: Dialect | None = None
    files: tuple[str, ...] = ()
    cwd: str | None = None
    mode: str = ""
    asking: Asking


def settle(decision: Decision, asking: Asking, *, unattended: Decision = Decision.DENY, speak: bool = False) -> Answer:
    """Return how a hook answers a call that was decided on.

    What is allowed is left to the agent's own rules, unless the hook is to `speak`.  Where a person would
    have to be asked and none is, `unattended` (DENY or ASK) is the answer, and ASK means that the agent does
    what it does without a hook.
    """
    if decision is Decision.DENY:
        return Answer.DENY
    if decision is Decision.ALLOW:
        return Answer.ALLOW if speak else Answer.NO_OPINION
    if asking is Asking.ANSWER:
        return Answer.ASK
    if asking is Asking.SILENCE or unattended is Decision.ASK:
        return Answer.NO_OPINION
    return Answer.DENY
