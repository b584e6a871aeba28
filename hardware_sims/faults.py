"""The faults a scenario can hold, as data: what goes wrong, and when.

A *passage* is one card's way, or two cards' that stick together, from hopper to tray. `at` counts the passages of a
deal from 1; a feed that brings no card is not a passage, so the next try has the same number. The faults of cards,
packs and wire stand in `card_faults`, `pack_faults` and `link_faults`; here are those of the machine as a whole, of
the camera and of the eye.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from firmware_bridge.words import ResetCause
from hardware_sims import card_faults as card
from hardware_sims import link_faults as link
from hardware_sims import pack_faults as pack
from hardware_sims.moments import Timed
from hardware_sims.readings import PASSAGE, one_of, whole
from vision.sighting import State

_CAUSES: Final = {cause.name.lower(): cause for cause in ResetCause}
_DOUBTS: Final = {state.value: state for state in State if state is not State.CARD}

SUPPLY_MV: Final = 24_000
"""The supply voltage, mV."""

BROWN_OUT_MV: Final = 16_000
"""Below this voltage the processor starts anew, mV."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Timed):
    """The machine starts anew.

    A feed's card is in the hopper at 0 ms after intent and on its way at 60; after shown it stands in the window;
    after routed it is on its way out; after done none is in the path.
    """

    kind: ClassVar = "reset"
    cause: ResetCause = field(default=ResetCause.BROWN_OUT, metadata={"read": one_of(_CAUSES)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplySag(Timed):
    """The supply falls to `mv` mV for a time; below 16,000 the machine starts anew."""

    kind: ClassVar = "supply_sag"
    mv: int = field(default=20_000, metadata={"read": whole(1_000, 24_000)})
    for_ms: int = field(default=500, metadata={"read": whole(1, 600_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheated(Timed):
    """The driver of the motor is `celsius` °C hot for a time."""

    kind: ClassVar = "overheated"
    celsius: int = field(default=95, metadata={"read": whole(80, 150)})
    for_ms: int = field(default=500, metadata={"read": whole(1, 600_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorStalled(Timed):
    """The motor stands, whatever it is told; at a moment at which none turns nobody sees it."""

    kind: ClassVar = "motor_stalled"


TimedFault: TypeAlias = Reset | SupplySag | Overheated | MotorStalled


@dataclass(frozen=True, slots=True, kw_only=True)
class LateFrames:
    """While passage `at` is the last one, the camera's pictures come `frames` frames late."""

    kind: ClassVar = "late_frames"
    at: int = field(metadata=PASSAGE)
    frames: int = field(metadata={"read": whole(1, 60)})


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedFrame:
    """While passage `at` is the last one, the camera gives a picture again."""

    kind: ClassVar = "repeated_frame"
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenFrames:
    """From passage `at` on the camera gives the same picture for ever."""

    kind: ClassVar = "frozen_frames"
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraGone:
    """From passage `at` on no picture comes from the camera of the window any more."""

    kind: ClassVar = "camera_gone"
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrayLight:
    """From passage `at` on light from outside falls into the window, as bright as the lamp; no picture is dark."""

    kind: ClassVar = "stray_light"
    at: int = field(metadata=PASSAGE)


FrameFault: TypeAlias = LateFrames | RepeatedFrame | FrozenFrames | CameraGone | StrayLight
"""Of the camera of the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCameraGone:
    """From passage `at` on no picture comes from the camera over the table any more."""

    kind: ClassVar = "table_camera_gone"
    at: int = field(metadata=PASSAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EyeDoubt:
    """The truth eye is not sure of passage `at`, `times` looks long. The camera's pictures are not touched."""

    kind: ClassVar = "eye_doubt"
    at: int = field(metadata=PASSAGE)
    times: int = field(default=1, metadata={"read": whole(1, 1000)})
    state: State = field(default=State.NOT_SURE, metadata={"read": one_of(_DOUBTS)})


Fault: TypeAlias = (
    card.CardFault
    | card.SensorStuck
    | card.TrayFull
    | card.LampFailed
    | pack.PackFault
    | pack.PassFault
    | pack.CellDrift
    | link.LineFault
    | link.Silence
    | TimedFault
    | FrameFault
    | TableCameraGone
    | EyeDoubt
)

KINDS: Final[dict[str, type[Fault]]] = {
    cls.kind: cls
    for cls in (
        card.Misfeed,
        card.Jam,
        card.DoubleFeed,
        card.ChainedFeed,
        card.SkewedCard,
        card.SlippingCard,
        card.TornCard,
        card.FacedCard,
        card.SensorStuck,
        card.LateSensor,
        card.SensorBounce,
        card.SensorGlitch,
        card.GateSlip,
        card.TrayFull,
        card.LampFailed,
        pack.MissingCard,
        pack.DuplicateCard,
        pack.ForeignCard,
        pack.ExtraCard,
        pack.WrongPack,
        pack.MixedPacks,
        pack.ShelfMisplaced,
        pack.ShelfLeft,
        pack.ShelfDouble,
        pack.ShelfJam,
        pack.CellDrift,
        link.DroppedBytes,
        link.FlippedBytes,
        link.DoubledBytes,
        link.LostBurst,
        link.DelayedBytes,
        link.Silence,
        Reset,
        SupplySag,
        Overheated,
        MotorStalled,
        LateFrames,
        RepeatedFrame,
        FrozenFrames,
        CameraGone,
        StrayLight,
        TableCameraGone,
        EyeDoubt,
    )
}
"""The classes of faults by the word a scenario file uses."""
