"""The policy as JSON holds what decides, every rule, and nothing that is nobody's business."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import evolve

from phocinae.catalog.effective import URI, effective_resource
from phocinae.catalog.resources import PERSONAL
from phocinae.composition.live import build_live
from phocinae.domain.rules import RULES
from phocinae.domain.verdict import Decision
from phocinae.settings import KEYS, VERSION, Settings

FULL = Settings(
    audit_file="/home/someone/audit.jsonl",
    server="http://10.1.2.3:8155",
    allowed_servers=("http://10.1.2.4",),
    log_folder="/home/someone/log",
    fail_closed=Decision.ASK,
    l1_enabled=True,
    score_deny=9,
)
PLACES = {"server", "allowed_servers", "token_file", "audit_file", "audit_key_file", "audit_max_size", "audit_keep"}
"""What a verdict, or its record, depends on and is nobody's business, and how long records are kept."""


def read(settings: Settings, *, usable: bool = True) -> Any:
    live = evolve(build_live(settings), usable=usable)
    return json.loads(effective_resource(lambda: live).read())


def test_it_is_json_that_is_kept_by_one_user_only() -> None:
    resource = effective_resource(lambda: build_live(FULL))
    assert (resource.uri, resource.mime_type, resource.freshness) == (URI, "application/json", PERSONAL)
    found = json.loads(resource.read())
    assert found["policy"] == build_live(FULL).gate.policy
    assert (found["version"], found["usable"]) == (VERSION, True)


def test_it_says_when_the_settings_cannot_be_used() -> None:
    assert read(FULL, usable=False)["usable"] is False


def test_every_setting_that_decides_is_there_under_its_own_name() -> None:
    found = read(FULL)["settings"]
    written = {f"{table}.{name}": value for table, row in found.items() for name, value in row.items()}
    expected = {key.toml: key.field for key in KEYS if key.toml.partition(".")[0] in ("gate", "l1", "audit")}
    assert written.keys() == {toml for toml, field in expected.items() if field not in PLACES}
    for toml, value in written.items():
        of_settings = getattr(FULL, expected[toml])
        assert value == (bool(of_settings) if toml == "l1.guard" else getattr(of_settings, "wire", of_settings))


def test_every_rule_is_there() -> None:
    found = read(FULL)
    assert [rule["id"] for rule in found["rules"]] == list(RULES)
    for rule in found["rules"]:
        known = RULES[rule["id"]]
        assert (rule["weight"], rule["reason"]) == (known.weight.name.lower(), known.reason)
        assert rule.get("remedy", "") == known.remedy
        assert (rule["weight"] == "deny") == ("remedy" in rule)
    assert {rule["weight"] for rule in found["rules"]} == found["weights"].keys()


@pytest.mark.parametrize("secret", ["10.1.2.3", "10.1.2.4", "/home/someone"])
def test_no_address_and_no_path_is_told(secret: str) -> None:
    assert secret not in effective_resource(lambda: build_live(FULL)).read()


def test_a_guard_is_told_of_and_not_where_it_is() -> None:
    live = build_live(FULL)
    guarded = evolve(live, settings=evolve(FULL, guard="/home/someone/guard.py"))
    text = effective_resource(lambda: guarded).read()
    assert json.loads(text)["settings"]["l1"]["guard"] is True
    assert "someone" not in text
