"""Moments of a deal at which something can happen: a phase of a passage, a shelf pass, an offering, a homing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from hardware_sims.readings import PASSAGE, one_of, whole


class Moment(Enum):
    """What has just begun, or come durably into the journal."""

    INTENT = "intent"
    SHOWN = "shown"
    ROUTED = "routed"
    DONE = "done"
    PASS = "pass"
    """A shelf pass is about to begin to move."""
    OFFER = "offer"
    """The pack lies in the cut tray, and the people are asked to cut."""
    HOME = "home"
    """Homing has begun."""
    LOADED = "loaded"
    """The people have laid the pack in."""


_MOMENTS: Final = {moment.value: moment for moment in Moment}


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Something that happens once, `after_ms` after a moment.

    Attributes:
        at: which passage of the deal, from 1; with `pass`, `offer` and `home` the passes, offerings and homings count.
        phase: the moment.
        after_ms: how long after it.
    """

    at: int = field(default=1, metadata=PASSAGE)
    phase: Moment = field(metadata={"read": one_of(_MOMENTS)})
    after_ms: int = field(default=0, metadata={"read": whole(0, 600_000)})
