"""What the faults of a passage do to its cards, and what its sensors then tell of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.words import Sensor, Tray
from hardware_sims.card_faults import (
    CardFault,
    ChainedFeed,
    DoubleFeed,
    FacedCard,
    GateSlip,
    Jam,
    LateSensor,
    SensorBounce,
    SensorGlitch,
    SkewedCard,
    SlippingCard,
    TornCard,
)
from hardware_sims.path import Geometry

DEBOUNCE_US: Final = 500
"""The firmware takes no edge for true that is gone again within this time."""

_JAM_UM: Final = {"entry": 35_000, "exit": 115_000}
"""Where a jam holds the leading edge: before the window; with the exit sensor just blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReading:
    """What the sensors tell while the motor makes the feed schedule.

    Attributes:
        ends_us: when the motor stands again.
        entered: whether the entry sensor saw a leading edge.
        entry_blocked: whether it is blocked at the end.
        passed_um: how much card passed it, in the motor's steps.
        thickness_um: the greatest thickness felt.
        travel_um: the motor's steps between the leading edge at the entry sensor and at the window's.
        window_us: when the window's sensor saw a leading edge; None if it did not.
        fluttering: sensors that went to and fro for longer than the firmware lets pass.
    """

    ends_us: int
    entered: bool = False
    entry_blocked: bool = False
    passed_um: int = 0
    thickness_um: int = 0
    travel_um: int = 0
    window_us: int | None = None
    fluttering: Sensor = Sensor.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteReading:
    """What the sensors tell while the motor makes the route schedule.

    Attributes:
        ends_us: when the motor stands again.
        exit_us: when the exit sensor was free again; None if it saw no card, or stayed blocked.
        counted_us: when the last beam pulse at a tray ended; None for none.
        tray: the tray whose counter it was; None for none.
        pulses: how many pulses it counted.
        fluttering: as in `FeedReading`.
    """

    ends_us: int
    exit_us: int | None = None
    counted_us: int | None = None
    tray: Tray | None = None
    pulses: int = 0
    fluttering: Sensor = Sensor.NONE


@dataclass(slots=True)
class Upset:
    """What goes wrong with one passage.

    Attributes:
        held_um: where a jam holds the leading edge before it stands to be seen.
        exit_held_um: the same on its way from there.
        behind_um: how far a second card is behind the first; None where none comes along.
        faced: whether the first card lies face up.
        skew_deg: how much more askew it lies.
        slip_percent: how much less than the motor's steps it goes.
        missing_um: how much of its length is missing.
        late_us: how late the window's sensor is.
        slips_to: the tray where the gate really stands.
        fluttering: sensors that go to and fro for too long on the way to the window.
        exit_fluttering: the same on the way from there.
    """

    held_um: int | None = None
    exit_held_um: int | None = None
    behind_um: int | None = None
    faced: bool = False
    skew_deg: float = 0.0
    slip_percent: int = 0
    missing_um: int = 0
    late_us: int = 0
    slips_to: Tray | None = None
    fluttering: Sensor = Sensor.NONE
    exit_fluttering: Sensor = Sensor.NONE

    def length_um(self, card_um: int) -> int:
        """Return how long the first card is to a sensor in the middle of the path."""
        return round((card_um - self.missing_um) / math.cos(math.radians(self.skew_deg)))


NOTHING_WRONG: Final = Upset()


def upset_by(faults: Iterable[CardFault], geometry: Geometry) -> Upset:
    """Return what some faults of one passage do together."""
    upset = Upset()
    for fault in faults:
        _move(upset, fault, geometry)
        _sense(upset, fault)
    return upset


def _move(upset: Upset, fault: CardFault, geometry: Geometry) -> None:
    """Let a fault work on the card and on how it moves."""
    match fault:
        case Jam(where=where, um=um):
            held_um = um or _JAM_UM[where]
            if held_um < geometry.stand_um:
                upset.held_um = held_um
            else:
                upset.exit_held_um = held_um
        case DoubleFeed(overlap_mm=overlap_mm):
            upset.behind_um = geometry.card_length_um - round(overlap_mm * 1000)
        case ChainedFeed(gap_mm=gap_mm):
            upset.behind_um = geometry.card_length_um + round(gap_mm * 1000)
        case FacedCard():
            upset.faced = True
        case SkewedCard(degrees=degrees):
            upset.skew_deg = degrees
        case SlippingCard(percent=percent):
            upset.slip_percent = percent
        case TornCard(missing_mm=missing_mm):
            upset.missing_um = round(missing_mm * 1000)
        case _:
            pass


def _sense(upset: Upset, fault: CardFault) -> None:
    """Let a fault work on the sensors and the gate."""
    match fault:
        case LateSensor(ms=ms):
            upset.late_us = ms * 1_000
        case GateSlip(to=to):
            upset.slips_to = to
        case SensorBounce(sensor=sensor, us=us) | SensorGlitch(sensor=sensor, us=us) if us > DEBOUNCE_US:
            if sensor is Sensor.EXIT:
                upset.exit_fluttering = sensor
            else:
                upset.fluttering |= sensor
        case _:
            pass
