"""The firmware's sequence of one shelf pass: it is journalled as a whole, and its counters are checked at the end."""

from __future__ import annotations

from functools import partial
from typing import Final

from firmware_bridge.events import Sorted
from firmware_bridge.messages import PASS_CARDS_MAX
from firmware_bridge.words import Capability, FaultCode, MachineState, Phase, Status
from hardware_sims.core import MotionCore
from hardware_sims.mechanism import PATH_SENSORS
from hardware_sims.moments import Moment
from hardware_sims.shelves import PassReading

_BITS: Final = 3
"""Bits that name a shelf."""


def shelves_of(packed: bytes, cards: int) -> list[int]:
    """Return the shelf of each card in fed order.

    >>> shelves_of(bytes([0b10_001_111, 0b0]), 3)
    [7, 1, 2]
    """
    bits = int.from_bytes(packed, "little")
    return [bits >> _BITS * number & 0b111 for number in range(cards)]


class ShelfSequence:
    """Passes over the shelves."""

    def __init__(self, core: MotionCore) -> None:
        self._core = core

    def begin(self, command_id: int, cards: int, packed: bytes) -> Status:
        """Carry the cards of the hopper over the shelves, dark, and back into the hopper."""
        core = self._core
        if not core.has(Capability.SHELVES):
            return Status.UNKNOWN
        if not 1 <= cards <= PASS_CARDS_MAX:
            return Status.MALFORMED
        status = core.begin(command_id, MachineState.SORTING)
        if status is not None:
            return status
        now = core.clock.now_us()
        blocked = core.sensors() & PATH_SENSORS
        if blocked:
            core.fail(FaultCode.SENSOR_STUCK, blocked & -blocked)
            return Status.OK
        if core.cards_in_shelves():
            core.fail(FaultCode.SHELF_NOT_EMPTY, core.cards_in_shelves())
            return Status.OK
        core.phase = Phase.INTENT
        durable = core.write(Phase.INTENT, now)
        reading = core.mechanism.shelf_pass(durable, shelves_of(packed, cards))
        core.outside.reached(Moment.PASS, durable)
        core.then(reading.ends_us, partial(self._carried, cards, reading))
        return Status.OK

    def _carried(self, cards: int, reading: PassReading) -> None:
        """Compare the counters with what was asked, and the shelves with emptiness."""
        core = self._core
        now = core.clock.now_us()
        counted = sum(reading.counts) + (not reading.emptied)
        if reading.jammed_at is not None:
            core.mechanism.halt(now)
            core.fail(FaultCode.SHELF_JAM, reading.jammed_at)
        elif core.cards_in_shelves():
            core.fail(FaultCode.SHELF_NOT_EMPTY, core.cards_in_shelves())
        elif counted != cards:
            core.fail(FaultCode.SHELF_COUNT, counted)
        elif reading.misplaced is not None:
            core.fail(FaultCode.SHELF_MISPLACED, reading.misplaced)
        else:
            core.phase = Phase.DONE
            core.then(core.write(Phase.DONE, now), partial(self._done, cards, reading))

    def _done(self, cards: int, reading: PassReading) -> None:
        core = self._core
        core.state = MachineState.READY
        core.events.post(Sorted, core.last_id, core.clock.now_us(), cards, bytes(reading.counts))
        core.latch_if_asked()
