"""The faults a scenario can hold, as data: what goes wrong, and at which passage.

A *passage* is one card's way, or two cards' that stick together, from hopper to tray. `at` counts the passages of a
deal from 1; a feed that brings no card is not a passage, so the next try has the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeAlias

from firmware_bridge.words import Phase, ResetCause, Sensor, Tray
from vision.cards import Card
from vision.sighting import State


@dataclass(frozen=True, slots=True)
class Reading:
    """How one value of a scenario file is read.

    Attributes:
        expected: what it must be, for messages.
        read: turns it into the field's value; raises `ValueError` or `TypeError` where it is something else.
    """

    expected: str
    read: Callable[[Any], object]


def whole(least: int, most: int) -> Reading:
    """Return the reading of a whole number from `least` to `most`."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(value)
        return value

    return Reading(f"a whole number from {least} to {most}", read)


def number(least: float, most: float) -> Reading:
    """Return the reading of a number from `least` to `most`."""

    def read(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise ValueError(value)
        return float(value)

    return Reading(f"a number from {least:g} to {most:g}", read)


def one_of(values: Mapping[str, object]) -> Reading:
    """Return the reading of one of some words."""

    def read(value: Any) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValueError(value)
        return values[value]

    return Reading("one of " + ", ".join(values), read)


def text() -> Reading:
    """Return the reading of any text."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(value)
        return value

    return Reading("a text", read)


CARD: Final = Reading("a card, as in AS, TD or J1", Card.parse)
_PASSAGE: Final = {"read": whole(1, 200)}
_DIRECTIONS: Final = {"to_machine": "to_machine", "from_machine": "from_machine"}
_PHASES: Final = {phase.name.lower(): phase for phase in (Phase.INTENT, Phase.SHOWN, Phase.ROUTED, Phase.DONE)}
_CAUSES: Final = {cause.name.lower(): cause for cause in ResetCause}
_SENSORS: Final = {sensor.name.lower(): sensor for sensor in Sensor if sensor.name}
_TRAYS: Final = {tray.name: tray for tray in Tray}
_DOUBTS: Final = {state.value: state for state in State if state is not State.CARD}


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfeed:
    """No card leaves the hopper, `times` times in a row."""

    kind: ClassVar = "misfeed"
    at: int = field(metadata=_PASSAGE)
    times: int = field(default=1, metadata={"read": whole(1, 100)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Jam:
    """The card is held between hopper and window (`entry`), or behind the window (`exit`)."""

    kind: ClassVar = "jam"
    at: int = field(metadata=_PASSAGE)
    where: str = field(metadata={"read": one_of({"entry": "entry", "exit": "exit"})})


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleFeed:
    """Two cards leave the hopper, overlapping."""

    kind: ClassVar = "double_feed"
    at: int = field(metadata=_PASSAGE)
    overlap_mm: float = field(default=50.0, metadata={"read": number(1, 63.5)})


@dataclass(frozen=True, slots=True, kw_only=True)
class FacedCard:
    """The (first) card of the passage lies face up in the pack."""

    kind: ClassVar = "faced_card"
    at: int = field(metadata=_PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCard:
    """The pack lacks a card."""

    kind: ClassVar = "missing_card"
    card: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCard:
    """The pack holds a card twice and lacks another."""

    kind: ClassVar = "duplicate_card"
    card: Card = field(metadata={"read": CARD})
    instead_of: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCard:
    """The pack holds a card that is none of its own and lacks another."""

    kind: ClassVar = "foreign_card"
    card: Card = field(metadata={"read": CARD})
    instead_of: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorStuck:
    """A sensor says `level` whatever stands before it, from when passage `at` is next until a new pack is laid.

    1 is blocked, by something that people take away when they clear the path; 0 is blind.
    """

    kind: ClassVar = "sensor_stuck"
    sensor: Sensor = field(metadata={"read": one_of(_SENSORS)})
    level: int = field(metadata={"read": whole(0, 1)})
    at: int = field(metadata=_PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSlip:
    """The gate does not stand where it was sent, and the card falls into another tray, whose counter sees it."""

    kind: ClassVar = "gate_slip"
    at: int = field(metadata=_PASSAGE)
    to: Tray = field(metadata={"read": one_of(_TRAYS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class _SpoiltBytes:
    """Bytes of one direction go wrong: each with probability `rate`, or the one numbered `byte` from 0."""

    direction: str = field(metadata={"read": one_of(_DIRECTIONS)})
    rate: float = field(default=0.0, metadata={"read": number(0.0001, 0.5)})
    byte: int = field(default=-1, metadata={"read": whole(0, 10_000_000)})

    def __post_init__(self) -> None:
        if (self.rate > 0) == (self.byte >= 0):
            raise ValueError("give either a rate or a byte")


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedBytes(_SpoiltBytes):
    """Bytes are lost."""

    kind: ClassVar = "dropped_bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlippedBytes(_SpoiltBytes):
    """A bit of the byte is turned over."""

    kind: ClassVar = "flipped_bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubledBytes(_SpoiltBytes):
    """Bytes come twice."""

    kind: ClassVar = "doubled_bytes"


SpoiltBytes: TypeAlias = DroppedBytes | FlippedBytes | DoubledBytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """From when the machine has taken the feed of passage `at`, nothing passes the wire for a while."""

    kind: ClassVar = "silence"
    at: int = field(metadata=_PASSAGE)
    for_ms: int = field(metadata={"read": whole(1, 600_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """The machine starts anew, `after_ms` after its journal has durably come to `phase` in passage `at`.

    A feed's card is in the hopper at 0 ms after intent and on its way at 60; after shown it stands in the window;
    after routed it is on its way out; after done none is in the path.
    """

    kind: ClassVar = "reset"
    at: int = field(metadata=_PASSAGE)
    phase: Phase = field(metadata={"read": one_of(_PHASES)})
    cause: ResetCause = field(default=ResetCause.BROWN_OUT, metadata={"read": one_of(_CAUSES)})
    after_ms: int = field(default=0, metadata={"read": whole(0, 600_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFrames:
    """While passage `at` is the last one, the camera's pictures come `frames` frames late."""

    kind: ClassVar = "late_frames"
    at: int = field(metadata=_PASSAGE)
    frames: int = field(metadata={"read": whole(1, 60)})


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedFrame:
    """While passage `at` is the last one, the camera gives a picture again."""

    kind: ClassVar = "repeated_frame"
    at: int = field(metadata=_PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenFrames:
    """From passage `at` on the camera gives the same picture for ever."""

    kind: ClassVar = "frozen_frames"
    at: int = field(metadata=_PASSAGE)


FrameFault: TypeAlias = LateFrames | RepeatedFrame | FrozenFrames


@dataclass(frozen=True, slots=True, kw_only=True)
class EyeDoubt:
    """The truth eye is not sure of passage `at`, `times` looks long. The camera's pictures are not touched."""

    kind: ClassVar = "eye_doubt"
    at: int = field(metadata=_PASSAGE)
    times: int = field(default=1, metadata={"read": whole(1, 1000)})
    state: State = field(default=State.NOT_SURE, metadata={"read": one_of(_DOUBTS)})


PackFault: TypeAlias = MissingCard | DuplicateCard | ForeignCard

Fault: TypeAlias = (
    Misfeed
    | Jam
    | DoubleFeed
    | FacedCard
    | PackFault
    | SensorStuck
    | GateSlip
    | SpoiltBytes
    | Silence
    | Reset
    | FrameFault
    | EyeDoubt
)

KINDS: Final[dict[str, type[Fault]]] = {
    cls.kind: cls
    for cls in (
        Misfeed,
        Jam,
        DoubleFeed,
        FacedCard,
        MissingCard,
        DuplicateCard,
        ForeignCard,
        SensorStuck,
        GateSlip,
        DroppedBytes,
        FlippedBytes,
        DoubledBytes,
        Silence,
        Reset,
        LateFrames,
        RepeatedFrame,
        FrozenFrames,
        EyeDoubt,
    )
}
"""The classes of faults by the word a scenario file uses."""
