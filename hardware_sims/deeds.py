"""What people at the table do by themselves, as data: at a seat, at the machine's switches, with a tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Final

from firmware_bridge.words import Call, Claim, Report, SeatAct, Sensor, TableAct, Tray, Who
from hardware_sims.moments import Timed
from hardware_sims.readings import one_of, text
from hardware_sims.switches import LIFTED, SEATS


class Deed(Enum):
    """What somebody can do unasked."""

    TOUCH = "touch"
    LOOK = "look"
    CLAIM = "claim"
    WAIVE = "waive"
    PERMIT = "permit"
    ASK = "ask"
    CALL = "call"
    REPORT = "report"
    KEY = "key"
    LIFT_TRAY = "lift_tray"
    PUT_TRAY_BACK = "put_tray_back"
    OPEN_LID = "open_lid"
    CLOSE_LID = "close_lid"
    PRESS_E_STOP = "press_e_stop"
    RELEASE_E_STOP = "release_e_stop"
    TAKE_BOARD = "take_board"
    LAY_BOARD = "lay_board"


def _words(enum: type[IntEnum]) -> dict[str, int]:
    return {member.name.lower(): int(member) for member in enum}


SEAT_ACTS: Final[Mapping[Deed, tuple[SeatAct, Mapping[str, int]]]] = {
    Deed.TOUCH: (SeatAct.TOUCHED, {}),
    Deed.LOOK: (SeatAct.LOOKED, {"own": 0, "trump": 1, "pack": 2}),
    Deed.CLAIM: (SeatAct.CLAIMED, _words(Claim)),
    Deed.WAIVE: (SeatAct.WAIVED, {}),
    Deed.PERMIT: (SeatAct.PERMITTED, _words(TableAct)),
    Deed.ASK: (SeatAct.ASKED, _words(TableAct)),
    Deed.CALL: (SeatAct.CALLED, _words(Call)),
    Deed.REPORT: (SeatAct.REPORTED, _words(Report)),
}
"""What the machine says of a deed at a seat, and the words that go with it."""

CLOSES: Final = {Deed.OPEN_LID: Sensor.LID, Deed.PRESS_E_STOP: Sensor.E_STOP, Deed.LAY_BOARD: Sensor.BOARD}
RELEASES: Final = {Deed.CLOSE_LID: Sensor.LID, Deed.RELEASE_E_STOP: Sensor.E_STOP, Deed.TAKE_BOARD: Sensor.BOARD}
UNDONE_BY: Final = {
    Deed.LIFT_TRAY: Deed.PUT_TRAY_BACK,
    Deed.OPEN_LID: Deed.CLOSE_LID,
    Deed.PRESS_E_STOP: Deed.RELEASE_E_STOP,
    Deed.TAKE_BOARD: Deed.LAY_BOARD,
}
"""What puts the machine right after a deed that leaves it otherwise than it was."""

_WITH_SEAT: Final = {*SEAT_ACTS, Deed.LIFT_TRAY, Deed.PUT_TRAY_BACK}


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAct(Timed):
    """Somebody does something, once.

    Attributes:
        what: what is done.
        seat: who does it, or whose tray it is; nobody's for lid, stop, key and board.
        says: what goes with it, as the right that is claimed.
        who: whom a report is about; without it the seat itself.
    """

    what: Deed = field(metadata={"read": one_of({deed.value: deed for deed in Deed})})
    seat: Tray | None = field(default=None, metadata={"read": one_of({seat.name: seat for seat in SEATS})})
    says: str = field(default="", metadata={"read": text()})
    who: Who | None = field(default=None, metadata={"read": one_of({who.name.lower(): who for who in Who})})

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        if (self.seat is not None) != (self.what in _WITH_SEAT):
            raise ValueError(f"{self.what.value}: " + ("give a seat" if self.seat is None else "no seat does that"))
        words = SEAT_ACTS[self.what][1] if self.what in SEAT_ACTS else {}
        if (self.says not in words) if words else bool(self.says):
            expected = ", ".join(words) or "nothing"
            raise ValueError(f"{self.what.value}: says: expected one of {expected}, found {self.says!r}")

    def seat_event(self) -> tuple[Tray, SeatAct, int, Who] | None:
        """Return what the machine says of it; None where it is no deed at a seat."""
        if self.seat is None or self.what not in SEAT_ACTS:
            return None
        act, words = SEAT_ACTS[self.what]
        return self.seat, act, words.get(self.says, 0), Who(int(self.seat)) if self.who is None else self.who

    def switch(self) -> tuple[Sensor, Sensor]:
        """Return the switches that it closes and those that it releases."""
        if self.seat is not None:
            lifted = LIFTED[self.seat]
            return (
                lifted if self.what is Deed.LIFT_TRAY else Sensor.NONE,
                lifted if self.what is Deed.PUT_TRAY_BACK else Sensor.NONE,
            )
        return CLOSES.get(self.what, Sensor.NONE), RELEASES.get(self.what, Sensor.NONE)
