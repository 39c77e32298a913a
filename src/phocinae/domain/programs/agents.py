"""Programs of coding agents: what they run is not judged here; loosening one is a person's, switching its hooks off is denied.

Sources: the reference of the command line of Claude Code, of Codex and of Gemini CLI.
"""

from __future__ import annotations

from ..calls import Call
from ..usage import Usage
from ..values import Field, Stream

_LOOSENS = frozenset(
    "--allow-dangerously-skip-permissions --settings --setting-sources --mcp-config --plugin-dir --bare --safe-mode --yolo --full-auto "
    "--permission-mode --approval-mode --ask-for-approval --sandbox --allowed-tools --allowedtools --config --disable --enable "
    "--profile --policy --admin-policy --extensions --allowed-mcp-server-names --trust --skip-trust".split()
)
_SHORT = {"codex": frozenset(["-a", "-s", "-c", "-p"]), "gemini": frozenset(["-y", "-e"]), "qwen": frozenset(["-y"])}
_CARRY_SETTINGS = frozenset(["-c", "--config", "--settings", "--disable"])
_CHANGES = frozenset("set add remove rm unset add-json disable disable-all uninstall delete".split())
_PARTS = frozenset("mcp config hooks hook features plugin plugins extensions extension trust".split())


def judge(call: Call, usage: Usage) -> Stream | None:
    """Judge a call of an agent: a question is harmless, and nothing else is vouched for."""
    words = [word.text.lower() for word in call.args]
    if len(words) == 1 and words[0] in ("version", "--version", "-v", "--help", "-h", "help"):
        return None
    name = call.name.removesuffix(".exe")
    for at, word in enumerate(call.args):
        option, _, value = words[at].partition("=")
        following = words[at + 1] if at + 1 < len(words) else ""
        if option.startswith("--dangerously") or option in _LOOSENS or option in _SHORT.get(name, ()):
            settings = option in _CARRY_SETTINGS and "hooks" in (value or following)
            call.note("write-gate" if settings else "changes-agent", word)
    _subcommand(call, words)
    call.note("runs-code")
    return None


def _subcommand(call: Call, words: list[str]) -> None:
    """Weigh a subcommand that changes servers, settings, hooks or plugins."""
    parts = [at for at, word in enumerate(words) if word in _PARTS]
    verb = next((at for at, word in enumerate(words) if word in _CHANGES and parts and at > parts[0]), None)
    if verb is None:
        return
    rest: list[Field] = list(call.args[verb:])
    of_hooks = words[parts[0]] in ("hooks", "hook") or any("hook" in word for word in words[verb:])
    own = any(word == "phocinae" for word in words[verb:]) and words[verb] not in ("add", "add-json")
    call.note("write-gate" if of_hooks or own else "changes-agent", rest[-1])
