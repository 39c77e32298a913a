"""Gemini CLI: the hook BeforeTool and the server, both in its ``settings.json``.

Gemini CLI reads JSON on the standard output whatever the exit status is, and looks at the status only where
there is none.  So no opinion prints nothing at all: an empty object before a crash would let the call run.

A hook runs before the policy, which asks or not as the approval mode says; the payload does not tell this mode.
The answer ``ask`` makes Gemini CLI ask in every mode that has the tool.  Without a terminal it would wait for
ever, or end, for an answer that nobody can give: there nobody is asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.shell import Dialect
from ...domain.strict_json import write as json_text
from ...domain.tool_calls import Answer, Asking, ToolCall, ToolKind
from . import terminal
from .entries import hook_text, hooks, server, server_words
from .payload import is_event, table, text
from .shape import Agent, Entry, Facts, Reply, Switch, UnknownPayload, explained

EVENT = "BeforeTool"
OTHER_EVENTS = frozenset(
    {
        "AfterAgent", "AfterModel", "AfterTool", "BeforeAgent", "BeforeModel", "BeforeToolSelection", "Notification",
        "PreCompress", "SessionEnd", "SessionStart",
    }
)  # fmt: skip
SHELL = "run_shell_command"
WRITERS = ("write_file", "replace")
TIMEOUT = 15.0

_SETTINGS = ".gemini/settings.json"
# bash there, and PowerShell on Windows
_DIALECT = Dialect.POSIX if os.name == "posix" else None


def read(payload: Mapping[str, Any]) -> ToolCall | None:
    """Return the call that Gemini CLI is about to make, or None for a tool or an event that is not judged.

    Raises:
        UnknownPayload: the payload is not one of Gemini CLI.
    """
    if not is_event(payload, EVENT, OTHER_EVENTS):
        return None
    tool = text(payload, "tool_name")
    if tool == SHELL:
        return _shell_call(payload)
    if tool in WRITERS:
        return _writing_call(tool, payload)
    return None


def _shell_call(payload: Mapping[str, Any]) -> ToolCall:
    given, cwd = table(payload, "tool_input"), text(payload, "cwd")
    folder = given.get("dir_path")
    if folder is not None and not isinstance(folder, str):
        raise UnknownPayload("dir_path is not a text")
    return ToolCall(
        tool=SHELL,
        kind=ToolKind.SHELL,
        command=text(given, "command"),
        dialect=_DIALECT,
        cwd=os.path.join(cwd, folder) if folder else cwd,
        asking=_asking(),
    )


def _writing_call(tool: str, payload: Mapping[str, Any]) -> ToolCall:
    given, cwd = table(payload, "tool_input"), text(payload, "cwd")
    named = _as_named(text(given, "file_path"))
    if tool == "replace" and given.get("old_string") != "" and not _is_there(named, cwd):
        # Gemini CLI then changes another file of that name, wherever in the project it finds one
        raise UnknownPayload("replace names no file that is there: give the path of the file from the project's folder")
    return ToolCall(tool=tool, kind=ToolKind.FILES, files=_readings(named, cwd), cwd=cwd, asking=_asking())


def _as_named(path: str) -> tuple[str, ...]:
    """Return the paths that Gemini CLI may take a path for: without NUL, and without a leading at sign."""
    plain = path.replace("\0", "")
    named = (plain, plain[1:].lstrip("/\\")) if plain.startswith("@") else (plain,)
    if not plain.strip() or not named[-1].strip():
        raise UnknownPayload("file_path names no file")
    return named


def _readings(named: Sequence[str], cwd: str) -> tuple[str, ...]:
    """Return `named` and what Gemini CLI makes of them in the end: it undoes percent-encoding in the whole path."""
    whole = [os.path.join(cwd, path) for path in named]
    if not any("%" in path for path in whole):
        return tuple(named)
    from urllib.parse import unquote  # slow to import, and hardly ever needed

    return (*named, *map(unquote, whole))


def _is_there(named: Sequence[str], cwd: str) -> bool:
    return os.path.isabs(named[0]) or any(os.path.lexists(os.path.join(cwd, path)) for path in named)


def _asking() -> Asking:
    return Asking.ANSWER if terminal.present() else Asking.NEVER


def sample(tool: str, content: str, cwd: str) -> Mapping[str, Any]:
    """Return a payload as Gemini CLI sends it: `content` is a command, or the path of a file that is written."""
    edit = {"file_path": content, "instruction": "change", "old_string": "", "new_string": "b"}
    inputs = {SHELL: {"command": content}, "write_file": {"file_path": content, "content": "text"}, "replace": edit}
    return {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "transcript_path": "",
        "cwd": cwd,
        "hook_event_name": EVENT,
        "timestamp": "2026-12-01T00:00:00.000Z",
        "tool_name": tool,
        "tool_input": inputs[tool],
    }


def write(answer: Answer, reason: str) -> Reply:
    """Return the reply for an answer; an allow says nothing, because Gemini CLI makes nothing else of it."""
    if answer in (Answer.NO_OPINION, Answer.ALLOW):
        return Reply()
    why = explained(reason)
    if answer is Answer.ASK:
        return Reply(stdout=json_text({"decision": "ask", "reason": why, "systemMessage": why}) + "\n")
    return Reply(stdout=json_text({"decision": "deny", "reason": why}) + "\n", stderr=why + "\n", status=2)


def _hook(words: Sequence[str]) -> Mapping[str, Any]:
    return hooks(f"^({'|'.join(AGENT.tools)})$", words, name="phocinae", timeout=int(TIMEOUT * 1000))


def _hook_words(group: Mapping[str, Any]) -> tuple[str, ...] | None:
    shell_text = hook_text(group)
    return None if shell_text is None else ("bash", "-c", shell_text)


AGENT = Agent(
    name="gemini-cli",
    title="Gemini CLI",
    facts=Facts.LIVE,
    checked="2026-12-01",
    version="0.61.0",
    tools=(SHELL, *WRITERS),
    can_allow=False,
    can_ask=True,
    timeout=TIMEOUT,
    guarantee=(
        "If the gate cannot start, crashes or is removed, the installed command blocks the call; "
        "if it is not done within its timeout, Gemini CLI goes on as if there were no hook."
    ),
    read=read,
    sample=sample,
    write=write,
    hook=Entry(
        user=_SETTINGS,
        project=_SETTINGS,
        keys=("hooks", EVENT),
        listed=True,
        value=_hook,
        command=_hook_words,
    ),
    mcp=Entry(
        user=_SETTINGS,
        project=_SETTINGS,
        keys=("mcpServers", "phocinae"),
        listed=False,
        value=server,
        command=server_words,
    ),
    moved_by=("GEMINI_CLI_HOME",),
    switches=(
        Switch(user=_SETTINGS, project=_SETTINGS, keys=("hooksConfig", "enabled"), stops=lambda value: value is False),
        Switch(
            user=_SETTINGS,
            project=_SETTINGS,
            keys=("hooksConfig", "disabled"),
            stops=lambda value: isinstance(value, list) and "phocinae" in value,
        ),
    ),
    next_step="Start Gemini CLI anew; hooks of a project are run in a trusted folder only.",
)
