"""Hits are kept once, and no more than a person reads."""

from __future__ import annotations

from phocinae.domain.hits import MOST_OF_A_WEIGHT, Hits
from phocinae.domain.verdict import Hit, Weight


def hit(weight: Weight, start: int, rule: str = "x") -> Hit:
    return Hit(rule=rule, weight=weight, reason=f"reason {rule}", start=start, end=start + 1)


def test_the_heaviest_come_first_and_then_the_order_of_the_text() -> None:
    found = Hits()
    for one in (hit(Weight.UNSURE, 5), hit(Weight.DENY, 9), hit(Weight.UNSURE, 1), hit(Weight.NOTE, 0)):
        found.add(one)
    assert found.heaviest_first() == [
        hit(Weight.DENY, 9),
        hit(Weight.UNSURE, 1),
        hit(Weight.UNSURE, 5),
        hit(Weight.NOTE, 0),
    ]


def test_the_same_hit_is_kept_once() -> None:
    found = Hits()
    for _ in range(3):
        found.add(hit(Weight.UNSURE, 1))
    found.add(hit(Weight.UNSURE, 1, "y"))
    assert found.heaviest_first() == [hit(Weight.UNSURE, 1), hit(Weight.UNSURE, 1, "y")]


def test_no_weight_takes_the_room_of_another() -> None:
    found = Hits()
    for start in range(MOST_OF_A_WEIGHT + 50):
        found.add(hit(Weight.UNSURE, start))
    assert not found.wants(("x", Weight.UNSURE, MOST_OF_A_WEIGHT + 50, 0, "x"))
    assert found.wants(("x", Weight.DENY, MOST_OF_A_WEIGHT + 50, 0, "x"))
    assert not found.denies()
    found.add(hit(Weight.DENY, 3))
    assert found.denies()
    assert len(found.heaviest_first()) == MOST_OF_A_WEIGHT + 1
    assert found.heaviest_first()[0] == hit(Weight.DENY, 3)


def test_hits_of_a_carried_text_stand_where_it_is_carried() -> None:
    inner, outer = Hits(), Hits()
    inner.add(hit(Weight.DENY, 3))
    inner.add(hit(Weight.DENY, 4))
    outer.add_all(inner, 10, 20)
    assert outer.heaviest_first() == [Hit(rule="x", weight=Weight.DENY, reason="reason x", start=10, end=20)]
