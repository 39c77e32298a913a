"""Claude Code: its hooks in ``settings.json``, and the server's entry in ``~/.claude.json``.

Two events carry commands: PreToolUse, and PreSkillShellCommand for those in the text of a skill, which are no tool
calls.  Claude Code runs the call whenever a hook fails in another way than by exit status 2, unless the entry says
``onFailure``; a denial in JSON counts whatever the exit status is, and status 2 blocks whatever the answer is.

Seen live on Linux: the payloads of Bash, Monitor, Write and a skill, every answer in every mode with and without a
person, and every failure with and without ``onFailure``.  From its published types and documentation: PowerShell,
Edit, MultiEdit (older versions), NotebookEdit, and that versions before 2.1.295 do not know ``onFailure``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ...domain.shell import Dialect
from ...domain.strict_json import write as json_text
from ...domain.tool_calls import Answer, Asking, ToolCall, ToolKind
from .entries import server, server_words
from .payload import is_event, table, text
from .shape import Agent, Entry, Facts, Reply, Switch, explained

EVENT = "PreToolUse"
SKILL_EVENT = "PreSkillShellCommand"
OTHER_EVENTS = frozenset(
    {
        "ConfigChange", "CwdChanged", "DirectoryAdded", "Elicitation", "ElicitationResult", "FileChanged",
        "InstructionsLoaded", "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest", "PostCompact",
        "PostModelSwitch", "PostToolBatch", "PostToolUse", "PostToolUseFailure", "PreCompact", "PreModelSwitch",
        "SessionEnd", "SessionStart", "Setup", "Stop", "StopFailure", "SubagentStart",
        "SubagentStop", "TaskCompleted", "TaskCreated", "TeammateIdle", "UserPromptExpansion", "UserPromptSubmit",
        "WorktreeCreate", "WorktreeRemove",
    }
)  # fmt: skip
MONITOR = "Monitor"
# on Windows, Bash is Git Bash; what a monitor is run by there is not known
SHELLS = {"Bash": Dialect.POSIX, "PowerShell": Dialect.POWERSHELL, MONITOR: None}
WRITERS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
# each asks a person, if there is one, and blocks otherwise; so does dontAsk, whose name says that nobody wants it
ATTENDED = frozenset({"default", "acceptEdits", "plan", "auto", "bypassPermissions"})
TIMEOUT = 15.0

# longer texts are cut by Claude Code, and this leaves room for what it puts around them
_LONGEST_REASON = 9_000


def read(payload: Mapping[str, Any]) -> ToolCall | None:
    """Return the call that Claude Code is about to make, or None for a tool or an event that is not judged.

    Nobody is asked about a command of a skill: an ask blocks it.

    Raises:
        UnknownPayload: the payload is not one of Claude Code.
    """
    in_skill = payload.get("hook_event_name") == SKILL_EVENT
    if not in_skill and not is_event(payload, EVENT, OTHER_EVENTS):
        return None
    tool = text(payload, "tool_name")
    if tool not in SHELLS and tool not in WRITERS:
        return None
    given = table(payload, "tool_input")
    if tool == MONITOR and "command" not in given and "ws" in given:  # it listens to a socket and runs nothing
        return None
    mode = text(payload, "permission_mode") if "permission_mode" in payload else ""
    return ToolCall(
        tool=tool,
        kind=ToolKind.SHELL if tool in SHELLS else ToolKind.FILES,
        command=text(given, "command") if tool in SHELLS else "",
        dialect=SHELLS.get(tool),
        files=(text(given, WRITERS[tool]),) if tool in WRITERS else (),
        cwd=text(payload, "cwd"),
        mode=mode,
        asking=Asking.ANSWER if mode in ATTENDED and not in_skill else Asking.NEVER,
    )


def sample(tool: str, content: str, cwd: str) -> Mapping[str, Any]:
    """Return a payload as Claude Code sends it: `content` is a command, or the path of a file that is written."""
    if tool in SHELLS:
        given = {"command": content, "description": "Do it"}
    else:
        given = {WRITERS[tool]: content, "old_string": "a", "new_string": "b"}
    return {
        "session_id": "00000000-0000-4000-8000-000000000001",
        "transcript_path": "/home/user/.claude/projects/project/00000000-0000-4000-8000-000000000001.jsonl",
        "cwd": cwd,
        "permission_mode": "default",
        "hook_event_name": EVENT,
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "toolu_01",
    }


def write(answer: Answer, reason: str) -> Reply:
    """Return the reply for an answer; no opinion is no output at all.

    An allow that names PreToolUse does not stop a command of a skill.
    """
    if answer is Answer.NO_OPINION:
        return Reply()
    why = explained(reason)[:_LONGEST_REASON]
    decision = {"hookEventName": EVENT, "permissionDecision": answer.value, "permissionDecisionReason": why}
    stdout = json_text({"hookSpecificOutput": decision}) + "\n"
    return Reply(stdout=stdout, stderr=why + "\n", status=2) if answer is Answer.DENY else Reply(stdout=stdout)


def _hook(words: Sequence[str], tools: Collection[str] = (*SHELLS, *WRITERS)) -> Mapping[str, Any]:
    """Return the entry with the words as they are, which no shell reads."""
    handler = {"type": "command", **server(words), "timeout": int(TIMEOUT), "onFailure": "block"}
    return {"matcher": "|".join(tools), "hooks": [handler]}


def _skill_hook(words: Sequence[str]) -> Mapping[str, Any]:
    return _hook(words, ("Bash", "PowerShell"))


def _hook_words(group: Mapping[str, Any]) -> tuple[str, ...] | None:
    handlers = group.get("hooks")
    if not isinstance(handlers, list) or len(handlers) != 1 or not isinstance(handlers[0], Mapping):
        return None
    handler = handlers[0]
    if handler.get("type") != "command" or not isinstance(handler.get("command"), str):
        return None
    return server_words(handler) if "args" in handler else ("sh", "-c", handler["command"])


def _server(words: Sequence[str]) -> Mapping[str, Any]:
    return {"type": "stdio", **server(words)}


def _entry(event: str, value: Callable[[Sequence[str]], Mapping[str, Any]]) -> Entry:
    """Return an entry; that of a project is in the file that is not shared, since it holds paths of one machine."""
    return Entry(
        user=".claude/settings.json",
        project=".claude/settings.local.json",
        keys=("hooks", event),
        listed=True,
        value=value,
        command=_hook_words,
    )


AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    facts=Facts.LIVE,
    checked="2026-12-01",
    version="2.1.332",
    tools=(*SHELLS, *WRITERS),
    can_allow=True,
    can_ask=True,
    timeout=TIMEOUT,
    guarantee=(
        "If the gate cannot start, crashes, is removed or is late past its timeout, Claude Code blocks the call; "
        "versions before 2.1.295 run it."
    ),
    read=read,
    sample=sample,
    write=write,
    hook=_entry(EVENT, _hook),
    further=(_entry(SKILL_EVENT, _skill_hook),),
    mcp=Entry(
        user=".claude.json",
        project=".mcp.json",
        keys=("mcpServers", "phocinae"),
        listed=False,
        value=_server,
        command=server_words,
    ),
    moved_by=("CLAUDE_CONFIG_DIR",),
    switches=(
        Switch(
            user=".claude/settings.json",
            project=".claude/settings.json",
            keys=("disableAllHooks",),
            stops=lambda value: value is True,
        ),
        Switch(
            user="",
            project=".claude/settings.local.json",
            keys=("disableAllHooks",),
            stops=lambda value: value is True,
        ),
    ),
    next_step="Start Claude Code anew; /hooks shows what it has read.",
)
