"""Lets what a scenario times happen: faults of the whole machine, and what people do unasked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from firmware_bridge.events import Event, KeyTurned, SeatActed
from firmware_bridge.words import Capability, ResetCause, SeatAct, Tray
from hardware_sims.clock import Planned, VirtualClock
from hardware_sims.deeds import UNDONE_BY, DealAct, Deed
from hardware_sims.exposures import ExposedCard, ShownFaces
from hardware_sims.faults import BROWN_OUT_MV, SUPPLY_MV, MotorStalled, Overheated, Reset, SupplySag, TimedFault
from hardware_sims.link_faults import Silence
from hardware_sims.mechanism import Mechanism
from hardware_sims.moments import Moment
from hardware_sims.plan import DealPlan
from hardware_sims.switches import WARM_C

_FELT_BY: Final = {SeatAct.TOUCHED: Capability.TOUCH, SeatAct.LOOKED: Capability.TOUCH}
"""What feels a deed at a seat, where no button says it."""


class Feels(Protocol):
    """What of the firmware feels things that happen."""

    def acted(self, needs: Capability, kind: Callable[..., Event], *values: int) -> None:
        """Take what somebody at the table did."""

    def switched(self) -> None:
        """Look at the switches anew."""

    def gauged(self) -> None:
        """Look at supply and temperature anew."""

    def motor_stands(self) -> None:
        """Feel that a motor does not follow."""


class Happenings:
    """The timed faults and acts of the present pack, and the ends of those that have begun, whichever pack's they were.

    Attributes:
        faces: those that came to light on the table.
    """

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        firmware: Callable[[], Feels],
        reset: Callable[[ResetCause], object],
        silence: Callable[[int], object],
    ) -> None:
        self._clock = clock
        self._mechanism = mechanism
        self._firmware = firmware
        self._reset = reset
        self._silence = silence
        self._waiting: list[TimedFault | DealAct | ExposedCard | Silence] = []
        self._coming: list[tuple[TimedFault | DealAct | ExposedCard, Planned]] = []
        self._to_be_undone: set[tuple[Deed, Tray | None]] = set()
        self._in_force: list[SupplySag | Overheated] = []
        self.faces = ShownFaces()
        self._homings = 0

    def begin_deal(self, plan: DealPlan) -> None:
        """Let the faults and acts of a new pack be the ones that wait, in place of those before.

        What undoes something that was done is not called off: where its moment has come it happens in its time, and
        where that moment comes no more, now.
        """
        for what, planned in self._coming:
            if not self._undoes(what):
                planned.call_off()
        self._coming = [(what, planned) for what, planned in self._coming if self._undoes(what)]
        for waiting in self._waiting:
            if isinstance(waiting, DealAct) and self._undoes(waiting):
                self._act(waiting)
        timed = [fault for fault in plan.faults if isinstance(fault, TimedFault | Silence)]
        self._waiting = [*timed, *plan.acts, *plan.exposed]
        self.faces.begin_deal(plan.exposed)
        self._homings = 0

    def reached(self, moment: Moment, when_us: int) -> None:
        """Plan what waits for this moment."""
        self._homings += moment is Moment.HOME
        if not self._waiting:
            return
        number = self._number(moment)
        for waiting in list(self._waiting):
            if isinstance(waiting, Silence):
                if moment is Moment.INTENT and waiting.at == number:
                    self._waiting.remove(waiting)
                    self._silence(self._clock.now_us() + waiting.for_ms * 1_000)
            elif waiting.phase is moment and waiting.at == number:
                self._waiting.remove(waiting)
                planned = self._clock.at(when_us + waiting.after_ms * 1_000, partial(self._happen, waiting))
                self._coming.append((waiting, planned))

    def _undoes(self, what: TimedFault | DealAct | ExposedCard) -> bool:
        """Return whether something is the end of what was done before."""
        return isinstance(what, DealAct) and (what.what, what.seat) in self._to_be_undone

    def _number(self, moment: Moment) -> int:
        """Return which one of its kind in this deal the moment is, from 1."""
        mechanism = self._mechanism
        match moment:
            case Moment.INTENT:
                return mechanism.next_passage
            case Moment.PASS:
                return mechanism.shelves.passes
            case Moment.OFFER:
                return mechanism.cut_tray.offers
            case Moment.HOME:
                return self._homings
            case Moment.LOADED:
                return 1
            case _:
                return mechanism.next_passage - 1

    def _happen(self, what: TimedFault | DealAct | ExposedCard) -> None:
        firmware = self._firmware()
        self._coming = [(coming, planned) for coming, planned in self._coming if coming is not what]
        match what:
            case Reset(cause=cause):
                self._reset(cause)
            case SupplySag(mv=mv):
                self._begin(what)
                if mv < BROWN_OUT_MV:
                    self._reset(ResetCause.BROWN_OUT)
                firmware.gauged()
            case Overheated():
                self._begin(what)
                firmware.gauged()
            case MotorStalled():
                firmware.motor_stands()
            case DealAct():
                self._act(what)
            case ExposedCard(card=card):
                hopper = self._mechanism.holders.hopper
                if card is not None or hopper:
                    self.faces.show(what, card or hopper[0].card, self._clock.now_us())

    def _begin(self, fault: SupplySag | Overheated) -> None:
        """Let a fault be in force for its time, whatever else is, and whatever pack lies in the machine at its end."""
        self._in_force.append(fault)
        self._set_gauges()
        self._clock.at(self._clock.now_us() + fault.for_ms * 1_000, partial(self._end, fault))

    def _end(self, fault: SupplySag | Overheated) -> None:
        self._in_force.remove(fault)
        self._set_gauges()

    def _set_gauges(self) -> None:
        """Let the gauges show the worst of what is in force."""
        gauges = self._mechanism.switches
        gauges.supply_mv = min((it.mv for it in self._in_force if isinstance(it, SupplySag)), default=SUPPLY_MV)
        gauges.driver_c = max((it.celsius for it in self._in_force if isinstance(it, Overheated)), default=WARM_C)

    def _act(self, act: DealAct) -> None:
        """Let somebody do something; the firmware feels what it has a sensor for."""
        firmware, switches = self._firmware(), self._mechanism.switches
        said = act.seat_event()
        if said is not None:
            firmware.acted(_FELT_BY.get(said[1], Capability.SEAT_BUTTONS), SeatActed, *said)
        elif act.what is Deed.KEY:
            self._mechanism.square_trays()
            firmware.acted(Capability.DIRECTOR_KEY, KeyTurned)
        else:
            self._to_be_undone.discard((act.what, act.seat))
            if act.what in UNDONE_BY:
                self._to_be_undone.add((UNDONE_BY[act.what], act.seat))
            closed, released = act.switch()
            switches.close(closed)
            switches.release(released)
            firmware.switched()
