"""The decorator of values that are made by the dozen for one text.

For the type checker they are frozen as all others are.  At run time they are not, because attrs
fills a frozen instance by a call for every attribute, and that takes longer than most rules do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as light
else:
    from functools import partial

    from attrs import define

    light = partial(define, unsafe_hash=True)

__all__ = ["light"]
