"""What all sequences of the firmware share: state, latch, journal, and every way in which a motion is broken off.

It lives for one boot. What it knows comes from the journal and from sensors.
"""

from __future__ import annotations

from functools import partial
from typing import Final, Protocol

from firmware_bridge.events import Faulted
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, Phase, Sensor, Status
from hardware_sims.clock import Act, Planned, VirtualClock
from hardware_sims.event_queue import EventQueue
from hardware_sims.journal import Journal, Record
from hardware_sims.mechanism import PATH_SENSORS, Mechanism
from hardware_sims.moments import Moment
from hardware_sims.shelves import SHELF_SENSORS
from hardware_sims.switches import sensed
from hardware_sims.upsets import FeedReading

ENDED: Final = frozenset((Phase.NONE, Phase.DONE, Phase.ABORT))
COMMANDED: Final = frozenset((MachineState.FEEDING, MachineState.ROUTING, MachineState.SORTING))
"""The machine is at a command of which the journal will tell."""

BUSY: Final = COMMANDED | {MachineState.HOMING, MachineState.OFFERING}
MUST_BE_EMPTY: Final = PATH_SENSORS | Sensor.CUT_TRAY
"""What no card may block while the machine is homed; the shelves have a fault code of their own."""

_SHELF_BITS: Final = Sensor(sum(SHELF_SENSORS))
_INTERLOCKS: Final = ((Sensor.E_STOP, FaultCode.E_STOP), (Sensor.LID, FaultCode.LID_OPEN))
_ROOM: Final = 4
"""Free places in the queue of events without which nothing is begun: a motion and an answer may need them all."""

SUPPLY_LOW_MV: Final = 21_600
TOO_HOT_C: Final = 80


class Outside(Protocol):
    """What the firmware is connected to, besides the mechanism."""

    def say(self, frame: bytes) -> None:
        """Put bytes on the wire."""

    def show_on_panel(self, asked: Asked, a: int, b: int) -> None:
        """Have the panel ask for something, in place of what it asked before."""

    def reached(self, moment: Moment, when_us: int) -> None:
        """Take note that something begins, or is durably in the journal, at a moment."""


class MotionCore:
    """State of motion in one boot.

    Attributes:
        state: what the machine is doing.
        fault: what it is latched for.
        latch_id: the id of the latch that holds it; 0 while none does.
        phase: how far the last command got.
        last_id: the last command.
        sorting: whether that is a shelf pass.
        feeding: what the sensors tell of the feed under way; None between feeds.
    """

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        journal: Journal,
        events: EventQueue,
        outside: Outside,
        capabilities: Capability,
    ) -> None:
        self.clock = clock
        self.mechanism = mechanism
        self.events = events
        self.outside = outside
        self.feeding: FeedReading | None = None
        self._journal = journal
        self._capabilities = int(capabilities)
        self._sensed = int(sensed(capabilities))
        self._planned: Planned | None = None
        self._latch_next: tuple[FaultCode, int] | None = None
        self.last_id = journal.latest.last_id
        self.phase = journal.latest.phase
        self.sorting = journal.latest.sorting
        if self.sorting and self.phase is Phase.INTENT:
            self.phase = Phase.UNKNOWN
            self.write(Phase.UNKNOWN, clock.now_us())
        self.fault = self.hindrance()[0]
        self.state = MachineState.UNHOMED if self.fault is FaultCode.NONE else MachineState.LATCHED
        self._latches = self.latch_id = int(self.fault is not FaultCode.NONE)

    def has(self, capability: Capability) -> bool:
        """Return whether the machine has something."""
        return int(capability) & self._capabilities != 0

    def sensors(self) -> Sensor:
        """Return the blocked sensors, of those there are."""
        return Sensor(self.bits())

    def bits(self) -> int:
        """Return the same as a number, which is quicker to work with than a set of flags."""
        return self.mechanism.bits(self.clock.now_us()) & self._sensed

    @property
    def counts(self) -> tuple[int, ...]:
        """What the trays' counters stand at, in the order of `Tray`."""
        return self._journal.latest.counts

    # --- before a motion -----------------------------------------------------------------------------------------

    def refusal(self) -> Status | None:
        """Return why no motion can begin now; None if one can."""
        if self.state is MachineState.LATCHED:
            return Status.LATCHED
        if self.state is MachineState.UNHOMED:
            return Status.UNHOMED
        if self.state in BUSY or self.events.room < _ROOM:
            return Status.BUSY
        return None

    def begin(self, command_id: int, state: MachineState) -> Status | None:
        """Take the next command, or return why not."""
        if command_id == self.last_id and command_id:
            return Status.DUPLICATE
        if command_id != self.last_id + 1:
            return Status.GAP
        refusal = self.refusal()
        if refusal is not None:
            return refusal
        if self.phase not in ENDED:
            return Status.NOT_NOW
        self.last_id = command_id
        self.state, self.sorting = state, state is MachineState.SORTING
        return None

    def hindrance(self, standing: Sensor = Sensor.NONE) -> tuple[FaultCode, int]:
        """Return the fault that keeps the machine from being homed, with its detail; NONE if there is none.

        Args:
            standing: what a card blocks that may stay where it is.
        """
        sensors = self.sensors()
        if not self.mechanism.switches.calibrated:
            return FaultCode.UNCALIBRATED, 0
        for switch, code in _INTERLOCKS:
            if sensors & switch:
                return code, 0
        if sensors & MUST_BE_EMPTY & ~standing:
            return FaultCode.PATH_NOT_EMPTY, sensors & MUST_BE_EMPTY
        if sensors & _SHELF_BITS:
            return FaultCode.SHELF_NOT_EMPTY, self.cards_in_shelves()
        return FaultCode.NONE, 0

    def cards_in_shelves(self) -> int:
        """Return a bit for each shelf in which a card lies, the first the lowest."""
        return (self.sensors() & _SHELF_BITS) // SHELF_SENSORS[0]

    def interlocked(self) -> bool:
        """Return whether the lid is open, the stop pressed in, the supply low or the motor's driver hot."""
        gauges = self.mechanism.switches
        low = self.has(Capability.SUPPLY) and gauges.supply_mv < SUPPLY_LOW_MV
        hot = self.has(Capability.TEMPERATURE) and gauges.driver_c >= TOO_HOT_C
        return low or hot or any(self.sensors() & switch for switch, _ in _INTERLOCKS)

    # --- a motion and its end ------------------------------------------------------------------------------------

    def write(self, phase: Phase, at_us: int, counts: list[int] | None = None) -> int:
        """Begin to write a record; return when it is durable."""
        counted = tuple(counts) if counts else self.counts
        return self._journal.write(Record(self.last_id, phase, counted, self.sorting), at_us)

    def then(self, when_us: int, act: Act) -> None:
        """Plan what comes next in the sequence under way."""
        self._planned = self.clock.at(when_us, act)

    def call_off(self) -> None:
        """Let what was to come next not come."""
        self.feeding = None
        if self._planned is not None:
            self._planned.call_off()

    def fail(self, code: FaultCode, detail: int = 0, counts: list[int] | None = None) -> None:
        """End a command in a way that leaves a card's place unknown."""
        self.phase = Phase.UNKNOWN
        now = self.clock.now_us()
        self.mechanism.light(on=False, at_us=now)
        self.then(self.write(Phase.UNKNOWN, now, counts), partial(self.latch, code, detail))

    def latch(self, code: FaultCode, detail: int = 0) -> None:
        """Hold the machine until people have seen the fault; a question under way at the cut tray is taken back."""
        if self.state is MachineState.OFFERING:
            self.outside.show_on_panel(Asked.NOTHING, 0, 0)
        self.state = MachineState.LATCHED
        self.fault = code
        self._latches += 1
        self.latch_id = self._latches
        self._latch_next = None
        self.events.post(Faulted, self.last_id, self.clock.now_us(), code, detail, self.phase, self.latch_id)

    def latch_if_asked(self) -> None:
        """Latch, if that was asked for while the motion now ended was under way."""
        if self._latch_next is not None:
            self.latch(*self._latch_next)

    def acknowledge(self, latch_id: int) -> Status:
        """Take note that people have seen a latch; one that was acknowledged before is so still."""
        if latch_id == self.latch_id != 0:
            self.state = MachineState.UNHOMED
            self.fault = FaultCode.NONE
            self.latch_id = 0
            return Status.OK
        return Status.OK if 0 < latch_id <= self._latches and latch_id != self.latch_id else Status.NOT_NOW

    # --- breaking off --------------------------------------------------------------------------------------------

    def halt(self, code: FaultCode, detail: int = 0) -> None:
        """Finish the card in transit, the shelf pass or the cut, then latch; homing is broken off."""
        if self.state in COMMANDED or self.state is MachineState.OFFERING:
            self._latch_next = self._latch_next or (code, detail)
        elif self.state is not MachineState.LATCHED:
            self.call_off()
            self.latch(code, detail)

    def stop_now(self, code: FaultCode, detail: int = 0) -> None:
        """Stop the motors in mid-step, then latch; what is already being written as ended is ended first."""
        if self.state is MachineState.LATCHED:
            return
        if self.state in COMMANDED and (self.phase in ENDED or self.phase is Phase.UNKNOWN):
            self._latch_next = self._latch_next or (code, detail)
            return
        self.call_off()
        self.mechanism.halt(self.clock.now_us())
        if self.state in COMMANDED:
            self.fail(code, detail)
        else:
            self.latch(code, detail)

    def close(self) -> None:
        """Come to an end at once: the machine has gone down. What the journal was writing may be lost."""
        now = self.clock.now_us()
        feeding = self.feeding
        self.call_off()
        if feeding is not None and feeding.window_us is not None and feeding.window_us <= now:
            self.write(Phase.SHOWN, feeding.window_us)
        self.mechanism.halt(now)
        self.mechanism.light(on=False, at_us=now)
