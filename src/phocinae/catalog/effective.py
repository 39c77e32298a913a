"""The policy in force as JSON, for programs: the settings that decide, and every rule of the offline layer."""

from __future__ import annotations

import json
from typing import Any

from ..domain.rules import RULES, Rule
from ..domain.verdict import Weight
from ..service.live import Live, LiveSource
from ..settings import VERSION, Settings
from .resources import PERSONAL, Resource

URI = "phocinae://policy/effective"

_WEIGHTS = {
    Weight.NOTE: "says something and hinders nothing",
    Weight.UNSURE: "the offline layer does not vouch for the command; a later layer may",
    Weight.PERSON: "only a person may allow it",
    Weight.DENY: "nobody may allow it",
}


def effective_resource(live: LiveSource) -> Resource:
    """Return the resource with the policy that is in force when it is read."""
    return Resource(
        uri=URI,
        name="effective-policy",
        title="Policy in force",
        description="The settings that decide about commands, and every rule: its id, its weight, its reason and what "
        "to do instead. The heaviest rule that a command meets decides.",
        mime_type="application/json",
        read=lambda: json.dumps(effective(live()), ensure_ascii=False, indent=2),
        freshness=PERSONAL,
    )


def effective(live: Live) -> dict[str, Any]:
    """Return what decides, as JSON; it names no path, no address and no secret.

    While the settings cannot be used, `usable` is false, every command is denied, and
    `settings` are the last ones that could be.
    """
    return {
        "policy": live.gate.policy,
        "version": VERSION,
        "usable": live.usable,
        "settings": _settings(live.settings),
        "weights": {weight.name.lower(): meaning for weight, meaning in _WEIGHTS.items()},
        "rules": [_rule(rule) for rule in RULES.values()],
    }


def _settings(settings: Settings) -> dict[str, Any]:
    """Return the settings that a verdict depends on, by their names in a settings file; places are left out."""
    return {
        "gate": {
            "enabled": settings.enabled,
            "mode": settings.mode,
            "fail_closed": settings.fail_closed.wire,
            "project_code": settings.project_code.wire,
            "dialect": settings.dialect,
        },
        "l1": {
            "enabled": settings.l1_enabled,
            "backend": settings.backend,
            "model": settings.model,
            "timeout": settings.timeout,
            "window": settings.window,
            "ceiling": settings.l1_ceiling.wire,
            "score_deny": settings.score_deny,
            "score_ask": settings.score_ask,
            "noul_deny": settings.noul_deny,
            "noul_allow": settings.noul_allow,
            "guard": bool(settings.guard),
        },
        "audit": {"enabled": settings.audit, "strict": settings.audit_strict},
    }


def _rule(rule: Rule) -> dict[str, str]:
    """Return one rule; ``{it}`` in its reason stands for the part of the command that it is about."""
    wire = {"id": rule.id, "weight": rule.weight.name.lower(), "reason": rule.reason}
    return wire | {"remedy": rule.remedy} if rule.remedy else wire
