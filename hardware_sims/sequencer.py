"""The firmware's sequence of one card: feed, show, route, and every way in which that can fail; and homing.

What is durable is in the journal before the act that it announces begins: intent before the motor turns, done before
the event is said.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from firmware_bridge.events import AtWindow, Delivered, Faulted, Homed
from firmware_bridge.words import Capability, FaultCode, MachineState, Phase, Sensor, Status, Tray, Verdict
from hardware_sims.core import BUSY, ENDED, MotionCore
from hardware_sims.mechanism import PATH_SENSORS
from hardware_sims.moments import Moment
from hardware_sims.switches import LIFTED
from hardware_sims.upsets import FeedReading, RouteReading

_PATH_BITS: Final = int(PATH_SENSORS)
JOG_MAX_UM: Final = 500_000
_JOG_US_PER_UM: Final = 10


class Sequencer:
    """Cards, homing and service of one boot."""

    def __init__(self, core: MotionCore) -> None:
        self._core = core
        self._shown = 0

    # --- feed ----------------------------------------------------------------------------------------------------

    def feed(self, command_id: int) -> Status:
        """Bring the next card into the window."""
        core = self._core
        status = core.begin(command_id, MachineState.FEEDING)
        if status is not None:
            return status
        blocked = core.bits() & _PATH_BITS
        if blocked:
            core.fail(FaultCode.SENSOR_STUCK, blocked & -blocked)
            return Status.OK
        core.phase = Phase.INTENT
        durable = core.write(Phase.INTENT, core.clock.now_us())
        core.outside.reached(Moment.INTENT, durable)
        core.feeding = reading = core.mechanism.feed(durable)
        core.then(reading.ends_us, partial(self._fed, reading))
        return Status.OK

    def _fed(self, reading: FeedReading) -> None:
        core = self._core
        core.feeding = None
        if reading.fluttering:
            core.fail(FaultCode.SENSOR_STUCK, reading.fluttering & -reading.fluttering)
        elif reading.entered and reading.window_us is not None:
            self._show(reading, reading.window_us)
        elif reading.entered and reading.entry_blocked:
            core.fail(FaultCode.JAM_ENTRY)
        elif reading.entered:
            core.fail(FaultCode.SENSOR_STUCK, Sensor.WINDOW)
        elif reading.window_us is not None:
            core.fail(FaultCode.SENSOR_STUCK, Sensor.ENTRY)
        else:
            core.phase = Phase.ABORT
            core.then(core.write(Phase.ABORT, core.clock.now_us()), self._misfed)

    def _show(self, reading: FeedReading, window_us: int) -> None:
        """Let the card stand; the record was written from when its edge came into the window."""
        core = self._core
        now = core.clock.now_us()
        core.phase = Phase.SHOWN
        core.outside.reached(Moment.SHOWN, max(now, core.write(Phase.SHOWN, window_us)))
        core.mechanism.light(on=True, at_us=now)
        self._shown = core.bits() & _PATH_BITS
        core.state = MachineState.SHOWING
        if core.has(Capability.LAMP_CHECK) and not core.mechanism.lamp_works():
            core.latch(FaultCode.LAMP_FAILED)
            return
        thickness = reading.thickness_um if core.has(Capability.THICKNESS) else 0
        core.events.post(AtWindow, core.last_id, now, thickness, reading.passed_um, reading.travel_um)
        core.latch_if_asked()

    def _misfed(self) -> None:
        core = self._core
        code = FaultCode.MISFEED if core.sensors() & Sensor.HOPPER else FaultCode.HOPPER_EMPTY
        core.state = MachineState.READY
        core.events.post(Faulted, core.last_id, core.clock.now_us(), code, 0, Phase.ABORT, 0)
        core.latch_if_asked()

    # --- route ---------------------------------------------------------------------------------------------------

    def route(self, command_id: int, tray: Tray) -> Status:
        """Send the card in the window to a tray; where that cannot take it, the card stays and the machine latches."""
        core = self._core
        if command_id != core.last_id or not command_id:
            return Status.GAP
        if core.phase in (Phase.ROUTED, Phase.DONE):
            return Status.DUPLICATE
        refusal = core.refusal()
        if refusal is not None:
            return refusal
        if core.state is not MachineState.SHOWING or not self._there_is(tray):
            return Status.NOT_NOW
        fault = self._closed(tray)
        if fault is not FaultCode.NONE:
            core.latch(fault, tray)
            return Status.LATCHED
        now = core.clock.now_us()
        core.state = MachineState.ROUTING
        core.phase = Phase.ROUTED
        core.mechanism.light(on=False, at_us=now)
        core.outside.reached(Moment.ROUTED, core.write(Phase.ROUTED, now))
        reading = core.mechanism.route(now, tray)
        passed = reading.exit_us is not None
        if core.has(Capability.TRAY_COUNTERS):
            ends = reading.counted_us if passed and reading.counted_us is not None else reading.ends_us
        else:
            ends = reading.ends_us
        core.then(ends, partial(self._routed, tray, reading))
        return Status.OK

    def _there_is(self, tray: Tray) -> bool:
        needs = {Tray.TRUMP: Capability.TRUMP_SPOT, Tray.STOCK: Capability.STOCK_TRAY}
        return tray not in needs or self._core.has(needs[tray])

    def _closed(self, tray: Tray) -> FaultCode:
        """Return why a tray cannot take a card; NONE if it can."""
        core = self._core
        if tray in LIFTED and core.bits() & int(LIFTED[tray]):
            return FaultCode.TRAY_LIFTED
        return FaultCode.TRAY_FULL if core.mechanism.tray_full(tray) else FaultCode.NONE

    def _routed(self, sent_to: Tray, reading: RouteReading) -> None:
        core = self._core
        now = core.clock.now_us()
        core.mechanism.settle(now)
        counts = list(core.counts)
        counted = core.has(Capability.TRAY_COUNTERS)
        tray = reading.tray if counted else sent_to
        if counted and tray is not None:
            counts[tray] = min(counts[tray] + reading.pulses, 0xFF)
        if reading.fluttering:
            core.fail(FaultCode.SENSOR_STUCK, reading.fluttering, counts)
        elif reading.exit_us is None:
            stuck = reading.counted_us is not None
            core.fail(FaultCode.SENSOR_STUCK if stuck else FaultCode.JAM_EXIT, Sensor.EXIT if stuck else 0, counts)
        elif tray is None:
            core.fail(FaultCode.NOT_COUNTED, 0, counts)
        else:
            core.phase = Phase.DONE
            durable = core.write(Phase.DONE, now, counts)
            core.outside.reached(Moment.DONE, durable)
            core.then(durable, partial(self._delivered, tray, counts[tray], now))

    def _delivered(self, tray: Tray, count: int, at_us: int) -> None:
        core = self._core
        core.state = MachineState.READY
        core.events.post(Delivered, core.last_id, at_us, tray, count)
        core.latch_if_asked()

    # --- everything else -----------------------------------------------------------------------------------------

    def home(self) -> Status:
        """Find the reference switches; not while an interlock is open."""
        core = self._core
        if core.state is MachineState.HOMING:
            return Status.OK
        refusal = None if core.state is MachineState.UNHOMED else core.refusal()
        if refusal is not None:
            return refusal
        if core.interlocked():
            return Status.NOT_NOW
        core.state = MachineState.HOMING
        core.outside.reached(Moment.HOME, core.clock.now_us())
        core.then(core.clock.now_us() + core.mechanism.geometry.home_us, self._homed)
        return Status.OK

    def _homed(self) -> None:
        core = self._core
        standing = Sensor(self._shown) if core.phase is Phase.SHOWN else Sensor.NONE
        code, detail = core.hindrance(standing)
        if code is not FaultCode.NONE:
            core.latch(code, detail)
            return
        shown = core.sensors() & standing & Sensor.WINDOW
        core.state = MachineState.SHOWING if shown else MachineState.READY
        core.events.post(Homed, 0, core.clock.now_us())

    def jog(self, um: int) -> Status:
        """Move a motor by hand, while no command is open; nothing is said of its end but the state."""
        core = self._core
        if not core.has(Capability.JOG):
            return Status.UNKNOWN
        if abs(um) > JOG_MAX_UM:
            return Status.MALFORMED
        if core.state is MachineState.LATCHED:
            return Status.LATCHED
        if core.state in BUSY:
            return Status.BUSY
        if core.phase not in ENDED or core.interlocked():
            return Status.NOT_NOW
        core.state = MachineState.HOMING
        core.then(core.clock.now_us() + abs(um) * _JOG_US_PER_UM, self._jogged)
        return Status.OK

    def _jogged(self) -> None:
        self._core.state = MachineState.UNHOMED

    def clear(self, command_id: int, verdict: Verdict) -> Status:
        """Write how a command ended that the machine cannot finish; a shelf pass that people cleared is given up."""
        core = self._core
        if command_id != core.last_id or not command_id:
            return Status.GAP
        if core.phase in ENDED:
            return Status.DUPLICATE
        if core.state in BUSY:
            return Status.BUSY
        now = core.clock.now_us()
        if core.state is MachineState.SHOWING:
            if core.sensors() & Sensor.WINDOW:
                return Status.NOT_NOW
            core.state = MachineState.READY
        given_up = verdict is Verdict.NOT_FED or core.sorting
        core.phase = Phase.ABORT if given_up else Phase.DONE
        core.mechanism.light(on=False, at_us=now)
        core.write(core.phase, now)
        return Status.OK

    def count_anew(self) -> None:
        """Set the trays' counters to 0: a new pack lies in the hopper."""
        core = self._core
        core.write(core.phase, core.clock.now_us(), [0] * len(Tray))
