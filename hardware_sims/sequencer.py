"""The firmware's sequence of one card: feed, show, route, and every way in which that can fail.

It lives for one boot. What it knows comes from the journal and from sensors; what is durable is in the journal before
the act that it announces begins: intent before the motor turns, done before the event is said.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from firmware_bridge.events import AtWindow, Delivered, Faulted, Homed
from firmware_bridge.words import FaultCode, MachineState, Phase, Sensor, Status, Tray, Verdict
from hardware_sims.clock import Act, Planned, VirtualClock
from hardware_sims.event_queue import EventQueue
from hardware_sims.journal import Journal, Record
from hardware_sims.mechanism import PATH_SENSORS, FeedReading, Mechanism, RouteReading

_ENDED: Final = frozenset((Phase.NONE, Phase.DONE, Phase.ABORT))
_MOVING: Final = frozenset((MachineState.FEEDING, MachineState.ROUTING, MachineState.HOMING))
_ROOM: Final = 4
"""Free places in the queue of events without which nothing is begun: a motion and an answer may need them all."""


class Sequencer:
    """State of motion in one boot.

    Attributes:
        state: what the machine is doing.
        fault: what it is latched for.
        latch_id: the id of the latch that holds it; 0 while none does.
        phase: how far the last command got.
        last_id: the last command.
    """

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        journal: Journal,
        events: EventQueue,
        reached: Callable[[Phase, int], object],
    ) -> None:
        self._clock = clock
        self._mechanism = mechanism
        self._journal = journal
        self._events = events
        self._reached = reached
        self._planned: Planned | None = None
        self._feeding: FeedReading | None = None
        self._shown: Sensor = Sensor.NONE
        self._latch_next = FaultCode.NONE
        self.last_id = journal.latest.last_id
        self.phase = journal.latest.phase
        blocked = mechanism.sensors(clock.now_us()) & PATH_SENSORS
        self.state = MachineState.LATCHED if blocked else MachineState.UNHOMED
        self.fault = FaultCode.PATH_NOT_EMPTY if blocked else FaultCode.NONE
        self._latches = self.latch_id = int(bool(blocked))

    @property
    def counts(self) -> tuple[int, ...]:
        """What the trays' counters stand at, in the order of `Tray`."""
        return self._journal.latest.counts

    def close(self) -> None:
        """Come to an end at once: the machine has gone down. What the journal was writing may be lost."""
        now = self._clock.now_us()
        if self._planned is not None:
            self._planned.call_off()
        if self._feeding is not None and self._feeding.window_us is not None and self._feeding.window_us <= now:
            self._write(Phase.SHOWN, self._feeding.window_us)
        self._mechanism.halt(now)

    # --- feed ----------------------------------------------------------------------------------------------------

    def feed(self, command_id: int) -> Status:
        """Bring the next card into the window."""
        if command_id == self.last_id and command_id:
            return Status.DUPLICATE
        if command_id != self.last_id + 1:
            return Status.GAP
        refusal = self._refusal()
        if refusal is not None:
            return refusal
        if self.phase not in _ENDED:
            return Status.NOT_NOW
        now = self._clock.now_us()
        self.last_id = command_id
        self.state = MachineState.FEEDING
        blocked = self._mechanism.sensors(now) & PATH_SENSORS
        if blocked:
            self._fail(FaultCode.SENSOR_STUCK, blocked & -blocked)
            return Status.OK
        self.phase = Phase.INTENT
        durable = self._write(Phase.INTENT, now)
        self._reached(Phase.INTENT, durable)
        self._feeding = reading = self._mechanism.feed(durable)
        self._then(reading.ends_us, partial(self._fed, reading))
        return Status.OK

    def _fed(self, reading: FeedReading) -> None:
        self._feeding = None
        if reading.entered and reading.window_us is not None:
            self._show(reading, reading.window_us)
        elif reading.entered and reading.entry_blocked:
            self._fail(FaultCode.JAM_ENTRY)
        elif reading.entered:
            self._fail(FaultCode.SENSOR_STUCK, Sensor.WINDOW)
        elif reading.window_us is not None:
            self._fail(FaultCode.SENSOR_STUCK, Sensor.ENTRY)
        else:
            self.phase = Phase.ABORT
            self._then(self._write(Phase.ABORT, self._clock.now_us()), self._misfed)

    def _show(self, reading: FeedReading, window_us: int) -> None:
        """Let the card stand; the record was written from when its edge came into the window."""
        now = self._clock.now_us()
        self.phase = Phase.SHOWN
        self._reached(Phase.SHOWN, max(now, self._write(Phase.SHOWN, window_us)))
        self._mechanism.light(on=True, at_us=now)
        self._shown = self._mechanism.sensors(now) & PATH_SENSORS
        self.state = MachineState.SHOWING
        self._events.post(AtWindow, self.last_id, now, reading.thickness_um, reading.passed_um, reading.travel_um)
        self._latch_if_asked()

    def _misfed(self) -> None:
        lying = self._mechanism.sensors(self._clock.now_us()) & Sensor.HOPPER
        code = FaultCode.MISFEED if lying else FaultCode.HOPPER_EMPTY
        self.state = MachineState.READY
        self._events.post(Faulted, self.last_id, self._clock.now_us(), code, 0, Phase.ABORT, 0)
        self._latch_if_asked()

    # --- route ---------------------------------------------------------------------------------------------------

    def route(self, command_id: int, tray: Tray) -> Status:
        """Send the card in the window to a tray."""
        if command_id != self.last_id or not command_id:
            return Status.GAP
        if self.phase in (Phase.ROUTED, Phase.DONE):
            return Status.DUPLICATE
        refusal = self._refusal()
        if refusal is not None:
            return refusal
        if self.state is not MachineState.SHOWING:
            return Status.NOT_NOW
        now = self._clock.now_us()
        self.state = MachineState.ROUTING
        self.phase = Phase.ROUTED
        self._mechanism.light(on=False, at_us=now)
        self._reached(Phase.ROUTED, self._write(Phase.ROUTED, now))
        reading = self._mechanism.route(now, tray)
        counted = None if reading.exit_us is None else reading.counted_us
        self._then(reading.ends_us if counted is None else counted, partial(self._routed, reading))
        return Status.OK

    def _routed(self, reading: RouteReading) -> None:
        now = self._clock.now_us()
        self._mechanism.settle(now)
        counts = list(self.counts)
        if reading.tray is not None:
            counts[reading.tray] = min(counts[reading.tray] + reading.pulses, 0xFF)
        if reading.exit_us is None:
            stuck = reading.counted_us is not None
            self._fail(FaultCode.SENSOR_STUCK if stuck else FaultCode.JAM_EXIT, Sensor.EXIT if stuck else 0, counts)
        elif reading.tray is None:
            self._fail(FaultCode.NOT_COUNTED, 0, counts)
        else:
            self.phase = Phase.DONE
            durable = self._write(Phase.DONE, now, counts)
            self._reached(Phase.DONE, durable)
            self._then(durable, partial(self._delivered, reading.tray, counts[reading.tray], now))

    def _delivered(self, tray: Tray, count: int, at_us: int) -> None:
        self.state = MachineState.READY
        self._events.post(Delivered, self.last_id, at_us, tray, count)
        self._latch_if_asked()

    # --- everything else -----------------------------------------------------------------------------------------

    def halt(self, code: FaultCode) -> None:
        """Finish the card in transit, then latch; homing is broken off."""
        if self.state in (MachineState.FEEDING, MachineState.ROUTING):
            if self._latch_next is FaultCode.NONE:
                self._latch_next = code
        elif self.state is not MachineState.LATCHED:
            if self._planned is not None:
                self._planned.call_off()
            self._latch(code)

    def acknowledge(self, latch_id: int) -> Status:
        """Take note that people have seen a latch; one that was acknowledged before is so still."""
        if latch_id == self.latch_id != 0:
            self.state = MachineState.UNHOMED
            self.fault = FaultCode.NONE
            self.latch_id = 0
            return Status.OK
        return Status.OK if 0 < latch_id <= self._latches and latch_id != self.latch_id else Status.NOT_NOW

    def home(self) -> Status:
        """Find the reference switches."""
        if self.state is MachineState.HOMING:
            return Status.OK
        refusal = None if self.state is MachineState.UNHOMED else self._refusal()
        if refusal is not None:
            return refusal
        self.state = MachineState.HOMING
        self._then(self._clock.now_us() + self._mechanism.geometry.home_us, self._homed)
        return Status.OK

    def _homed(self) -> None:
        blocked = self._mechanism.sensors(self._clock.now_us()) & PATH_SENSORS
        standing = self._shown if self.phase is Phase.SHOWN else Sensor.NONE
        if blocked & ~standing:
            self._latch(FaultCode.PATH_NOT_EMPTY, blocked)
            return
        self.state = MachineState.SHOWING if blocked & Sensor.WINDOW else MachineState.READY
        self._events.post(Homed, 0, self._clock.now_us())

    def clear(self, command_id: int, verdict: Verdict) -> Status:
        """Write how a command ended that the machine cannot finish."""
        if command_id != self.last_id or not command_id:
            return Status.GAP
        if self.phase in _ENDED:
            return Status.DUPLICATE
        if self.state in _MOVING:
            return Status.BUSY
        now = self._clock.now_us()
        if self.state is MachineState.SHOWING:
            if self._mechanism.sensors(now) & Sensor.WINDOW:
                return Status.NOT_NOW
            self.state = MachineState.READY
        self.phase = Phase.ABORT if verdict is Verdict.NOT_FED else Phase.DONE
        self._mechanism.light(on=False, at_us=now)
        self._write(self.phase, now)
        return Status.OK

    def count_anew(self) -> None:
        """Set the trays' counters to 0: a new pack lies in the hopper."""
        self._write(self._journal.latest.phase, self._clock.now_us(), [0] * len(Tray))

    def _refusal(self) -> Status | None:
        """Return why no motion can begin now; None if one can."""
        if self.state is MachineState.LATCHED:
            return Status.LATCHED
        if self.state is MachineState.UNHOMED:
            return Status.UNHOMED
        if self.state in _MOVING or self._events.room < _ROOM:
            return Status.BUSY
        return None

    def _fail(self, code: FaultCode, detail: int = 0, counts: list[int] | None = None) -> None:
        """End a command in a way that leaves the card's place unknown."""
        self.phase = Phase.UNKNOWN
        now = self._clock.now_us()
        self._mechanism.light(on=False, at_us=now)
        self._then(self._write(Phase.UNKNOWN, now, counts), partial(self._latch, code, detail))

    def _latch(self, code: FaultCode, detail: int = 0) -> None:
        self.state = MachineState.LATCHED
        self.fault = code
        self._latches += 1
        self.latch_id = self._latches
        self._latch_next = FaultCode.NONE
        self._events.post(Faulted, self.last_id, self._clock.now_us(), code, detail, self.phase, self.latch_id)

    def _latch_if_asked(self) -> None:
        if self._latch_next is not FaultCode.NONE:
            self._latch(self._latch_next)

    def _write(self, phase: Phase, at_us: int, counts: list[int] | None = None) -> int:
        return self._journal.write(Record(self.last_id, phase, tuple(counts) if counts else self.counts), at_us)

    def _then(self, when_us: int, act: Act) -> None:
        self._planned = self._clock.at(when_us, act)
