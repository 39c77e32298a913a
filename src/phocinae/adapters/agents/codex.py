"""Codex CLI: the hook PreToolUse, its entry in ``hooks.json``, and the server's entry in ``config.toml``.

Codex lets the call run whenever a hook fails, and counts a hook as failed that answers with anything but
a denial or nothing: a bare allow, an ask, a denial without a reason, exit status 2 with an empty error output.
So nothing but a denial with a reason is ever printed here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.strict_json import write as json_text
from ...domain.tool_calls import Answer, Asking, ToolCall, ToolKind
from .entries import hook_text, hooks, server, server_words
from .payload import is_event, table, text
from .shape import Agent, Entry, Facts, Reply, Switch, Trust, UnknownPayload, explained

EVENT = "PreToolUse"
OTHER_EVENTS = frozenset(
    {
        "Interrupt", "PermissionRequest", "PostCompact", "PostToolUse", "PreCompact", "SessionEnd", "SessionStart",
        "Stop", "SubagentStart", "SubagentStop", "UserPromptSubmit",
    }
)  # fmt: skip
SHELL = "Bash"
PATCH = "apply_patch"
TIMEOUT = 15.0

_PATCHED = re.compile(r"^\s*\*\*\* (?:Add File|Delete File|Update File|Move to): (.*)$", re.MULTILINE)


def read(payload: Mapping[str, Any]) -> ToolCall | None:
    """Return the call that Codex is about to make, or None for a tool or an event that is not judged.

    The mode is ``permission_mode``: ``bypassPermissions`` where Codex never asks, and ``default`` where the
    model decides when to ask, so that a command runs unasked all the same.  No mode counts as attended.

    Raises:
        UnknownPayload: the payload is not one of Codex.
    """
    if not is_event(payload, EVENT, OTHER_EVENTS):
        return None
    tool = text(payload, "tool_name")
    if tool not in (SHELL, PATCH):
        return None
    command = text(table(payload, "tool_input"), "command")
    return ToolCall(
        tool=tool,
        kind=ToolKind.SHELL if tool == SHELL else ToolKind.FILES,
        command=command if tool == SHELL else "",
        files=() if tool == SHELL else _patched(command),
        cwd=text(payload, "cwd"),
        mode=text(payload, "permission_mode"),
        asking=Asking.NEVER,
    )


def sample(tool: str, content: str, cwd: str) -> Mapping[str, Any]:
    """Return a payload as Codex sends it: `content` is a command, or the path of a file that is added."""
    patch = f"*** Begin Patch\n*** Add File: {content}\n+text\n*** End Patch"
    return {
        "session_id": "00000000-0000-7000-8000-000000000001",
        "turn_id": "00000000-0000-7000-8000-000000000002",
        "transcript_path": None,
        "cwd": cwd,
        "hook_event_name": EVENT,
        "model": "model",
        "permission_mode": "default",
        "tool_name": tool,
        "tool_input": {"command": patch if tool == PATCH else content},
        "tool_use_id": "call-1",
    }


def write(answer: Answer, reason: str) -> Reply:
    """Return the reply for an answer; whatever is no opinion and no allow is a denial."""
    if answer in (Answer.NO_OPINION, Answer.ALLOW):
        return Reply()
    why = explained(reason)
    decision = {"hookEventName": EVENT, "permissionDecision": "deny", "permissionDecisionReason": why}
    return Reply(stdout=json_text({"hookSpecificOutput": decision}) + "\n", stderr=why + "\n", status=2)


def _patched(patch: str) -> tuple[str, ...]:
    """Return the paths that a patch names, in order: as Codex reads them, from behind one blank to the last sign."""
    paths = tuple(path for found in _PATCHED.findall(patch) if (path := found.rstrip()))
    if not paths:
        raise UnknownPayload("the patch names no file")
    return paths


def _hook(words: Sequence[str]) -> Mapping[str, Any]:
    return hooks(f"^({SHELL}|{PATCH})$", words, timeout=int(TIMEOUT))


def _trust_name(path: str, number: int) -> str:
    return f"{path}:pre_tool_use:{number}:0"


def _trusted(state: object, group: Mapping[str, Any]) -> bool:
    """Tell whether a hook is switched on and has the fingerprint that it had when a person trusted it.

    Found by comparing what Codex 0.171.0 writes: SHA-256 of the entry as JSON with sorted keys.
    """
    from hashlib import sha256  # slow to import, and no hook needs it

    if not isinstance(state, Mapping) or state.get("enabled") is False:
        return False
    handlers = [{"async": False, **handler} for handler in group.get("hooks", ())]
    identity = {"event_name": "pre_tool_use", **group, "hooks": handlers}
    digest = sha256(json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
    return state.get("trusted_hash") == f"sha256:{digest.hexdigest()}"


def _hook_words(group: Mapping[str, Any]) -> tuple[str, ...] | None:
    shell_text = hook_text(group)
    return None if shell_text is None else ("sh", "-c", shell_text)


AGENT = Agent(
    name="codex",
    title="Codex CLI",
    facts=Facts.LIVE,
    checked="2026-12-01",
    version="0.171.0",
    tools=(SHELL, PATCH),
    can_allow=False,
    can_ask=False,
    timeout=TIMEOUT,
    guarantee=(
        "If the gate cannot start, crashes or is removed, the installed command blocks the call; "
        "if it is not done within its timeout, or not trusted in Codex yet, Codex runs the call."
    ),
    read=read,
    sample=sample,
    write=write,
    hook=Entry(
        user=".codex/hooks.json",
        project=".codex/hooks.json",
        keys=("hooks", EVENT),
        listed=True,
        value=_hook,
        command=_hook_words,
    ),
    mcp=Entry(
        user=".codex/config.toml",
        project=".codex/config.toml",
        keys=("mcp_servers", "phocinae"),
        listed=False,
        value=server,
        command=server_words,
        format="toml",
    ),
    moved_by=("CODEX_HOME",),
    switches=(
        Switch(
            user=".codex/config.toml",
            project=".codex/config.toml",
            keys=("features", "hooks"),
            stops=lambda value: value is False,
            format="toml",
        ),
    ),
    trust=Trust(user=".codex/config.toml", keys=("hooks", "state"), name=_trust_name, given=_trusted, format="toml"),
    next_step="Start Codex anew and trust the hook when it asks, or with /hooks: until then it is not run.",
)
