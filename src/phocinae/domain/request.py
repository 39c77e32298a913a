"""What is asked of a judge: one command text, and where the caller says that it will run."""

from __future__ import annotations

from attrs import frozen

COMMAND_LIMIT = 20_000
"""The longest command that is judged, in code points; a longer one is denied."""

CWD_LIMIT = 4_096
"""The longest working directory that is accepted, in code points."""


@frozen(kw_only=True, slots=False)
class Caller:
    """The agent's tool that is about to run or write something, as its hook tells; kept for the record.

    `files` are the paths that a tool for files is about to write, as the agent named them.  `unasked` is what an
    ask comes to where nobody is asked by it: ``deny`` or ``no opinion``, and empty where somebody is.
    """

    agent: str
    tool: str
    files: tuple[str, ...] = ()
    unasked: str = ""


@frozen(slots=False)  # frozen slots are filled by a call for each
class GateRequest:
    """One command to be judged.

    `command` is the exact text that a shell would get; it is empty where a tool writes
    files, which `caller` names.  `cwd` is the caller's claim about the working directory,
    or None; a claim can only make a verdict stricter.
    """

    command: str
    cwd: str | None = None
    caller: Caller | None = None
