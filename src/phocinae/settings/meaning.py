"""What each setting is for, in a sentence: the one text that the template, the schema, the page and `show` are made of.

Only what explains settings loads this module; a gate needs none of it.
"""

from __future__ import annotations

import json

from ..domain.verdict import Decision
from .keys import Key

TABLES: dict[str, str] = {
    "gate": "What the gate answers, and whether it binds.",
    "l1": "The decision service and the guard program, for what the rules leave open.",
    "hook": "How a hook in an agent answers.",
    "audit": "The decision log.",
    "serve": "The MCP server. From host to require_session it is about HTTP, and of no effect on stdio.",
    "log": "The log file of an MCP server.",
}
"""What the keys of each table are about."""

MEANINGS: dict[str, str] = {
    "enabled": "Whether hooks judge at all; with false they have no opinion on anything, and nothing is blocked.",
    "mode": 'Whether what is denied is blocked; in "observe" hooks only record what they would have answered.',
    "fail_closed": "The answer where nobody decided; a hook asks there unless a source sets this.",
    "project_code": "The answer on commands that run code of the project, such as its tests.",
    "dialect": 'The language that commands are written in; "auto" judges each one that a command may plausibly be in.',
    "l1_enabled": "Whether the decision service is asked about what the rules leave open.",
    "server": "The address of the decision service.",
    "allowed_servers": "Decision services that a caller over MCP may name beside the configured one.",
    "timeout": "How long one answer of the decision service, or of the guard program, may take in all.",
    "model": "The model that the decision service is to use.",
    "backend": "Who answers for the decision service: itself, or a mock with made-up answers, which allows nothing.",
    "token_file": "The file with the bearer token for the decision service; the variable PHOCINAE_TOKEN counts first.",
    "window": "How much of a state the model is sure to read; a longer command is not sent, and asked about.",
    "l1_ceiling": 'The mildest answer that the decision service may give; "ask" takes its allow away.',
    "guard": 'A guard program to ask as well, which can only make answers stricter; "auto" looks beside the package.',
    "score_deny": "The risk from which on the answer is deny.",
    "score_ask": "The risk from which on the answer is ask.",
    "noul_deny": "The probability that a command may run without a person, up to which the answer is deny.",
    "noul_allow": "The probability that a command may run without a person, below which the answer is ask.",
    "on_allow": 'What a hook says of what is allowed: "silent" leaves it to the agent\'s own rules, "allow" says so.',
    "unattended": "The answer of a hook where a person would have to be asked and nobody is there.",
    "hook_deadline": "How long a hook may take in all before it blocks; the agent's own limit must be longer.",
    "audit": "Whether each decision is recorded.",
    "audit_file": "The decision log; empty stands for audit.jsonl in the account's folder for state.",
    "audit_key_file": "The key of the chain that seals the log; empty stands for a key beside the log.",
    "audit_strict": "Whether an allow that cannot be recorded becomes a denial.",
    "audit_max_size": "The size from which on the log is set aside and a new one begun.",
    "audit_keep": "How many logs that were set aside are kept.",
    "transport": "How clients reach the server.",
    "host": "The address that the server listens on; it is for this machine alone.",
    "port": "The port that the server listens on; 0 picks a free one and prints it on standard error.",
    "path": "Where the endpoint of the server is.",
    "allow_host": "Names that a proxy has for the server.",
    "allow_origin": "Web origins whose pages may call the server (CORS).",
    "auth_token_file": "The file with the bearer token that every client must send; empty asks for none.",
    "max_body": "The longest message that is read.",
    "session_secret_file": "The file with the keys that sign sessions of handshake revisions; empty gives no sessions.",
    "session_ttl": "How long a session lives.",
    "require_session": "Whether requests of handshake revisions without a session are refused.",
    "state_key_file": "The key that seals questions to a person, for servers that share them; empty makes a new one.",
    "spent_tokens_file": "Where answered questions are remembered by servers that share a key; empty is the own place.",
    "human_timeout": "How long a person has who is asked in the middle of a call.",
    "log": "Whether a server writes a log file beside what it says on standard error.",
    "log_folder": "The folder of the log files; empty stands for the account's folder for state.",
    "log_level": "The mildest kind of line that is logged.",
    "log_prefix": "How the names of the log files begin.",
}
"""What each field of `phocinae.settings.Settings` is for."""


def literal(value: object) -> str:
    """Return a value of a setting as TOML writes it."""
    # for these kinds of values TOML is written as JSON is (https://toml.io/en/v1.0.0)
    return json.dumps(value.wire if isinstance(value, Decision) else value)


def may_loosen(key: Key) -> str:
    """Return what a project file, and the environment of a hook, may do with the setting."""
    return "make it stricter" if key.can_tighten else "nothing"
