"""What must hold for the description of every agent."""

from __future__ import annotations

import pytest

from phocinae.adapters.agents import MODULES, agent, terminal
from phocinae.domain.tool_calls import Asking


@pytest.mark.parametrize("name", sorted(MODULES))
def test_whether_a_person_can_be_asked_is_what_its_usual_payloads_say(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "present", lambda: True)
    known = agent(name)
    calls = [known.read(known.sample(tool, "/", "/")) for tool in known.tools]
    assert any(call is not None and call.asking is not Asking.NEVER for call in calls) == known.can_ask
