"""Values of every setting that make the gate milder, and stricter; tests walk them over all sources."""

from __future__ import annotations

from typing import Any

# For each field a value that makes the gate milder than `stricter`, or reaches for what a project has no business
# with; `stricter` is None where every change is of that kind.
LOOSER: dict[str, Any] = {
    "enabled": False,
    "mode": "observe",
    "fail_closed": "ask",
    "project_code": "allow",
    "dialect": "posix",
    "l1_enabled": True,
    "server": "http://127.0.0.1:9",
    "allowed_servers": ["http://127.0.0.1:9", "https://[::1]:8443/base"],
    "timeout": 1.0,
    "model": "another",
    "backend": "mock",
    "token_file": "/run/token",
    "window": 8192,
    "l1_ceiling": "allow",
    "guard": "/opt/guard.py",
    "score_deny": 9,
    "score_ask": 5,
    "noul_deny": 0.1,
    "noul_allow": 0.5,
    "on_allow": "allow",
    "unattended": "ask",
    "hook_deadline": 12.0,
    "audit": False,
    "audit_file": "/tmp/elsewhere.jsonl",
    "audit_key_file": "/tmp/elsewhere.key",
    "audit_max_size": 99_999_999,
    "audit_keep": 1,
    "audit_strict": False,
    "transport": "http",
    "host": "localhost",
    "port": 1,
    "path": "/elsewhere",
    "allow_host": ["gate.example"],
    "allow_origin": ["https://tools.example:8443"],
    "auth_token_file": "/run/token",
    "max_body": 8_388_608,
    "session_secret_file": "/run/session.keys",
    "session_ttl": 60.0,
    "require_session": True,
    "state_key_file": "/tmp/state.key",
    "human_timeout": 60.0,
    "spent_tokens_file": "/tmp/elsewhere.sqlite",
    "log": True,
    "log_folder": "/tmp/elsewhere",
    "log_level": "emergency",
    "log_prefix": "gate",
}
STRICTER: dict[str, Any] = {
    "enabled": True, "mode": "enforce", "on_allow": "silent", "unattended": "deny",
    "fail_closed": "deny", "project_code": "deny", "l1_ceiling": "ask", "audit": True, "audit_strict": True,
}  # fmt: skip
