"""Events of the wire, as values: what the machine says unasked, from type byte 0xC0 on.

All integers are little-endian. `docs/protocol.md` describes the exchange.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from firmware_bridge.layout import Message, laid_out
from firmware_bridge.words import Asked, FaultCode, Phase, ResetCause, SeatAct, Tray, Who

EVENT_RESEND_US: Final = 250_000
"""How long the machine waits for an acknowledgement before it says an event again.

A card's arrival goes on record with the sighting of the next card, some 180 to 220 ms later; on a sound line nothing is
said twice.
"""


@dataclass(frozen=True, slots=True)
class Event(Message):
    """A message from the machine that nobody asked for, said again until it is acknowledged.

    Attributes:
        boot_id: drawn anew at every start of the machine.
        event_id: counts the events of this boot, from 1.
        command_id: the command the event belongs to; 0 for none.
        at_us: when it happened, microseconds since the machine started.
    """

    type_byte: ClassVar[int]

    boot_id: int
    event_id: int
    command_id: int
    at_us: int


_EVENT_LAYOUT: Final = "IIIQ"


@dataclass(frozen=True, slots=True)
class Booted(Event):
    """The machine has started."""

    reset_cause: ResetCause
    phase: Phase


@dataclass(frozen=True, slots=True)
class AtWindow(Event):
    """A card stands in the read window and the lamp was switched on.

    Attributes:
        thickness_um: the greatest thickness the sensor felt, µm; one card is about 300.
        length_um: how much card passed the entry sensor, µm along the path as the motor's steps count it; one card is
            about 63,500. More is two cards, a card that slips or one that lies askew; less is a torn one.
        travel_um: the motor's steps, µm, between the leading edge at the entry sensor and at the window's; more than
            the distance of the two is a card that slips, or a sensor that is late.
    """

    thickness_um: int
    length_um: int
    travel_um: int


@dataclass(frozen=True, slots=True)
class Delivered(Event):
    """The card passed the exit sensor and the counter of the tray.

    Attributes:
        count: what the tray's counter stands at.
    """

    tray: Tray
    count: int


@dataclass(frozen=True, slots=True)
class Faulted(Event):
    """Something is wrong.

    Attributes:
        detail: what `FaultCode` says of it; else 0.
        phase: how far the command got.
        latch_id: counts the latches of this boot, from 1; 0 where the machine is not latched, as after a misfeed.
    """

    code: FaultCode
    detail: int
    phase: Phase
    latch_id: int


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """The people at the table did what the panel asked.

    For `LOAD_PACK` and `RESHUFFLE` nothing is told (0, 0, 0); for `CUT` the cards of the upper and the lower packet
    and the tolerance of both, or nothing where no cell weighed them; for `MOVE_CARD` the trays it went from and to and
    the cards moved; for `CLEAR_PATH`, in `c`, the cards that were taken out; for `NAME_CARD`, in `a`, the card: 13
    times the suit (clubs, diamonds, hearts, spades) plus rank, the ace being 0, 52 and 53 for the jokers, whether the
    pack has one or not, or `NO_CARD`; for `COUNT_PACK`, in `a`, the cards counted; for `DECIDE`, in `a`, a `Who`; for
    `REPLACE_TRAY`, in `a`, the tray.
    """

    asked: Asked
    a: int
    b: int
    c: int


@dataclass(frozen=True, slots=True)
class Homed(Event):
    """The reference switches were found."""


@dataclass(frozen=True, slots=True)
class Sorted(Event):
    """A shelf pass has ended, and the pack lies in the hopper again.

    Attributes:
        cards: how many were carried.
        counts: how many fell into each shelf, by its counter; 8 bytes.
    """

    cards: int
    counts: bytes


@dataclass(frozen=True, slots=True)
class SeatActed(Event):
    """Somebody at a seat did or said something; the acts of all seats come in the order in which they happened.

    The same act of the same seat is passed over while it is not acknowledged.

    Attributes:
        seat: one of the seats' trays, N to W.
        what: as `act` says.
        who: whom a report is about; else the seat itself.
    """

    seat: Tray
    act: SeatAct
    what: int
    who: Who


@dataclass(frozen=True, slots=True)
class KeyTurned(Event):
    """The director's key was turned."""


EVENT_FIRST: Final = 0xC0

EVENTS: Final[dict[int, type[Event]]] = {}
"""Event classes by type byte."""

for _byte, _event, _layout in (
    (0xC0, Booted, "BB"),
    (0xC1, AtWindow, "HII"),
    (0xC2, Delivered, "BB"),
    (0xC3, Faulted, "BHBH"),
    (0xC4, Answered, "BBBB"),
    (0xC5, Homed, ""),
    (0xC6, Sorted, "B8s"),
    (0xC7, SeatActed, "BBBB"),
    (0xC8, KeyTurned, ""),
):
    laid_out(_EVENT_LAYOUT + _layout)(_event)
    _event.type_byte = _byte
    EVENTS[_byte] = _event
