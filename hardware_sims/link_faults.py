"""Faults of the wire between controller and machine, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from hardware_sims.readings import PASSAGE, number, one_of, whole

_DIRECTIONS: Final = {"to_machine": "to_machine", "from_machine": "from_machine"}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LostBurst(_SpoiltBytes):
    """`count` bytes in a row are lost, as when a buffer overruns."""

    kind: ClassVar = "lost_burst"
    count: int = field(default=40, metadata={"read": whole(2, 10_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayedBytes:
    """Bytes come `ms` late, as behind a USB bridge: 16 ms where its latency timer is left as delivered."""

    kind: ClassVar = "delayed_bytes"
    direction: str = field(metadata={"read": one_of(_DIRECTIONS)})
    ms: int = field(metadata={"read": whole(1, 1_000)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """From when the machine has taken the feed of passage `at`, nothing passes the wire for a while."""

    kind: ClassVar = "silence"
    at: int = field(metadata=PASSAGE)
    for_ms: int = field(metadata={"read": whole(1, 600_000)})


SpoiltBytes: TypeAlias = DroppedBytes | FlippedBytes | DoubledBytes | LostBurst
LineFault: TypeAlias = SpoiltBytes | DelayedBytes
