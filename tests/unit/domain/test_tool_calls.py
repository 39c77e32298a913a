from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.tool_calls import Answer, Asking, settle
from phocinae.domain.verdict import Decision

ASKINGS = st.sampled_from(Asking)
UNATTENDED = st.sampled_from([Decision.DENY, Decision.ASK])


@given(ASKINGS, UNATTENDED, st.booleans())
def test_what_is_denied_stays_denied(asking: Asking, unattended: Decision, speak: bool) -> None:
    assert settle(Decision.DENY, asking, unattended=unattended, speak=speak) is Answer.DENY


@given(ASKINGS, UNATTENDED)
def test_what_is_allowed_is_left_to_the_agent_unless_the_hook_is_to_speak(asking: Asking, unattended: Decision) -> None:
    assert settle(Decision.ALLOW, asking, unattended=unattended) is Answer.NO_OPINION
    assert settle(Decision.ALLOW, asking, unattended=unattended, speak=True) is Answer.ALLOW


@pytest.mark.parametrize(
    ("asking", "unattended", "answer"),
    [
        (Asking.ANSWER, Decision.DENY, Answer.ASK),
        (Asking.ANSWER, Decision.ASK, Answer.ASK),
        (Asking.SILENCE, Decision.DENY, Answer.NO_OPINION),
        (Asking.SILENCE, Decision.ASK, Answer.NO_OPINION),
        (Asking.NEVER, Decision.DENY, Answer.DENY),
        (Asking.NEVER, Decision.ASK, Answer.NO_OPINION),
    ],
)
@given(speak=st.booleans())
def test_a_person_is_asked_in_the_way_that_reaches_one(
    asking: Asking, unattended: Decision, answer: Answer, speak: bool
) -> None:
    assert settle(Decision.ASK, asking, unattended=unattended, speak=speak) is answer
