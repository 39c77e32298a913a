"""A service that is killed and started again under many callers; ``tools/outage.py`` does it for longer."""

from __future__ import annotations

import outage
from phocinae import Decision, Layer


def test_no_verdict_is_invented_no_call_hangs_and_the_service_is_found_again() -> None:
    report = outage.run(3.0, timeout=0.5)
    assert report.invented() == []
    assert report.unfinished == 0
    assert report.longest() < report.timeout + 2  # the exact bound is for a machine that does nothing else
    assert max(report.recoveries()) < report.window + 2
    seen = {(call.verdict.layer, call.verdict.decision) for call in report.calls}
    assert {(Layer.L1, decision) for decision in Decision} | {(Layer.FAIL_CLOSED, Decision.DENY)} <= seen
