"""How a deal ends, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.table import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a deal ends.

    Attributes:
        status: `completed`, `new_deal`, `misdeal`, `stopped` or `voided`.
        next_dealer: who deals next.
        law: the law that ended it, or empty.
        fault: the incident that ended it, or empty.
        because: the law's sentence.
    """

    status: str
    next_dealer: Seat
    law: str = ""
    fault: str = ""
    because: str = ""
