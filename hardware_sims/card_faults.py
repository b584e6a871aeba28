"""Faults of a card on its way from the hopper to a tray, and of the sensors that watch it, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from firmware_bridge.words import Sensor, Tray
from hardware_sims.readings import PASSAGE, number, one_of, whole

_SENSORS: Final = {sensor.name.lower(): sensor for sensor in Sensor if sensor.name}
_ON_THE_WAY: Final = {
    sensor.name.lower(): sensor for sensor in (Sensor.ENTRY, Sensor.WINDOW, Sensor.EXIT) if sensor.name
}
_TRAYS: Final = {tray.name: tray for tray in Tray}


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfeed:
    """No card leaves the hopper, `times` times in a row."""

    kind: ClassVar = "misfeed"
    at: int = field(metadata=PASSAGE)
    times: int = field(default=1, metadata={"read": whole(1, 100)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Jam:
    """The card is held between hopper and window (`entry`), behind the window (`exit`), or anywhere.

    `um` says where its leading edge is held, µm along the path: the sensors stand at 10,000 (entry), 58,250 (window)
    and 105,000 (exit), a card stands to be seen at 90,000, and past 160,000 none is held.
    """

    kind: ClassVar = "jam"
    at: int = field(metadata=PASSAGE)
    where: str = field(default="", metadata={"read": one_of({"entry": "entry", "exit": "exit"})})
    um: int = field(default=0, metadata={"read": whole(10_000, 160_000)})

    def __post_init__(self) -> None:
        """Refuse two places, or none."""
        if bool(self.where) == bool(self.um):
            raise ValueError("give either where or um")


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleFeed:
    """Two cards leave the hopper, overlapping."""

    kind: ClassVar = "double_feed"
    at: int = field(metadata=PASSAGE)
    overlap_mm: float = field(default=50.0, metadata={"read": number(1, 63.5)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainedFeed:
    """Two cards leave the hopper one behind the other, with a gap between them too small for a sensor to see."""

    kind: ClassVar = "chained_feed"
    at: int = field(metadata=PASSAGE)
    gap_mm: float = field(default=1.0, metadata={"read": number(0, 2)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewedCard:
    """The card lies askew in the path, more than cards do: a sensor sees a longer one."""

    kind: ClassVar = "skewed_card"
    at: int = field(metadata=PASSAGE)
    degrees: float = field(default=12.0, metadata={"read": number(3, 25)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SlippingCard:
    """The card goes `percent` of its way less than the motor turns, as far as the window."""

    kind: ClassVar = "slipping_card"
    at: int = field(metadata=PASSAGE)
    percent: int = field(default=9, metadata={"read": whole(1, 30)})


@dataclass(frozen=True, slots=True, kw_only=True)
class TornCard:
    """The card is `missing_mm` too short along the path.

    Does not model: how it looks.
    """

    kind: ClassVar = "torn_card"
    at: int = field(metadata=PASSAGE)
    missing_mm: float = field(default=8.0, metadata={"read": number(1, 30)})


@dataclass(frozen=True, slots=True, kw_only=True)
class FacedCard:
    """The (first) card of the passage lies face up in the pack."""

    kind: ClassVar = "faced_card"
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorStuck:
    """A sensor says `level` whatever stands before it, from when passage `at` is next until a new pack is laid.

    1 is blocked, by something that people take away when they clear the path; 0 is blind.
    """

    kind: ClassVar = "sensor_stuck"
    sensor: Sensor = field(metadata={"read": one_of(_SENSORS)})
    level: int = field(metadata={"read": whole(0, 1)})
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LateSensor:
    """The sensor of the window tells of the card `ms` after it came; one that is too late counts as silent."""

    kind: ClassVar = "late_sensor"
    at: int = field(metadata=PASSAGE)
    ms: int = field(default=5, metadata={"read": whole(1, 200)})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flutter:
    at: int = field(metadata=PASSAGE)
    sensor: Sensor = field(metadata={"read": one_of(_ON_THE_WAY)})
    us: int = field(default=200, metadata={"read": whole(1, 20_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorBounce(_Flutter):
    """The sensor goes to and fro for `us` µs when a card comes; what is over within 500 µs changes nothing."""

    kind: ClassVar = "sensor_bounce"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorGlitch(_Flutter):
    """The sensor says the wrong for `us` µs when no edge is near; what is over within 500 µs changes nothing."""

    kind: ClassVar = "sensor_glitch"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSlip:
    """The gate does not stand where it was sent, and the card falls into another tray, whose counter sees it."""

    kind: ClassVar = "gate_slip"
    at: int = field(metadata=PASSAGE)
    to: Tray = field(metadata={"read": one_of(_TRAYS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayFull:
    """From passage `at` on a tray cannot take another card, until the director's key is turned or a new pack is laid.

    Who turns the key has squared the cards in the tray first.
    """

    kind: ClassVar = "tray_full"
    at: int = field(metadata=PASSAGE)
    tray: Tray = field(metadata={"read": one_of(_TRAYS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class LampFailed:
    """From passage `at` on the lamp of the window stays dark, until a new pack is laid."""

    kind: ClassVar = "lamp_failed"
    at: int = field(metadata=PASSAGE)


CardFault: TypeAlias = (
    Misfeed
    | Jam
    | DoubleFeed
    | ChainedFeed
    | SkewedCard
    | SlippingCard
    | TornCard
    | FacedCard
    | LateSensor
    | SensorBounce
    | SensorGlitch
    | GateSlip
)
"""What a passage can suffer; `SensorStuck`, `TrayFull` and `LampFailed` last longer than one."""
