"""The machine's mechanics: cards in the hopper, on the path and in the trays, and what the sensors tell of them.

The firmware turns the motor by a schedule and asks what its sensors saw; both are answered in closed form at the
moment the schedule begins. Where the cards really are is kept here and never taken from the firmware.

A sensor passes through two stages: what stands before it, then an override where it is stuck.

Does not model: analogue levels, bounce and glitches of a sensor, slip, torn or bent cards, static, a motor that stalls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.words import Sensor, Tray
from hardware_sims.faults import DoubleFeed, FacedCard, Fault, GateSlip, Jam, Misfeed, SensorStuck
from hardware_sims.path import Geometry, Motion, Profile, feed_profile, route_profile
from hardware_sims.physical import PhysicalCard, Train
from hardware_sims.trays import Holders

TRAY_SENSORS: Final = {tray: Sensor[f"TRAY_{tray.name}"] for tray in Tray}
"""The counter of each tray."""

PATH_SENSORS: Final = Sensor(Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT | Sensor.RETURN | sum(TRAY_SENSORS.values()))
"""The gates along the way of a card, which none blocks while the machine is at rest."""

_JAM_UM: Final = {"entry": 35_000, "exit": 115_000}
"""Where a jam holds the leading edge: before the window; with the exit sensor just blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReading:
    """What the sensors tell while the motor makes the feed schedule.

    Attributes:
        ends_us: when the motor stands again.
        entered: whether the entry sensor saw a leading edge.
        entry_blocked: whether it is blocked at the end.
        passed_um: how much card passed it.
        thickness_um: the greatest thickness felt.
        travel_um: the motor's steps between the leading edge at the entry sensor and at the window's.
        window_us: when the window's sensor saw a leading edge; None if it did not.
    """

    ends_us: int
    entered: bool
    entry_blocked: bool
    passed_um: int
    thickness_um: int
    travel_um: int
    window_us: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteReading:
    """What the sensors tell while the motor makes the route schedule.

    Attributes:
        ends_us: when the motor stands again.
        exit_us: when the exit sensor was free again; None if it saw no card, or stayed blocked.
        counted_us: when the last beam pulse at a tray ended; None for none.
        tray: the tray whose counter it was; None for none.
        pulses: how many pulses it counted.
    """

    ends_us: int
    exit_us: int | None
    counted_us: int | None
    tray: Tray | None
    pulses: int


class Mechanism:
    """Path, motor, gate, lamp and sensors, and through `holders` every other place where a card can be.

    Attributes:
        geometry: its numbers.
        holders: hopper, trays and what lies beside.
        passages: the cards of each passage of this deal, in the order they left the hopper.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.holders = Holders()
        self.passages: list[tuple[PhysicalCard, ...]] = []
        self._feed = feed_profile(geometry)
        self._route = route_profile(geometry)
        self._path: tuple[Train, ...] = ()
        self._left: tuple[Train, ...] = ()
        self._gate: Tray | None = None
        self._lamp: tuple[tuple[int, bool], ...] = ((0, False),)
        self._done = 0
        self._faults: dict[int, list[Fault]] = {}
        self._stuck: list[SensorStuck] = []
        self._misfed: dict[int, int] = {}
        self._spots = [
            (Sensor.ENTRY, geometry.entry_um),
            (Sensor.WINDOW, geometry.window_um),
            (Sensor.EXIT, geometry.exit_um),
        ]

    # --- what the sensors tell -----------------------------------------------------------------------------------

    def sensors(self, at_us: int) -> Sensor:
        """Return the blocked sensors at a moment not before the last motion began."""
        blocked = int(Sensor.HOPPER) if self.holders.hopper else 0
        for train in self._path:
            lead = train.lead_um(at_us)
            for sensor, place in self._spots:
                if lead - train.length_um < place <= lead:
                    blocked |= sensor
            if self._gate is not None and lead - train.length_um < self.geometry.tray_um <= lead:
                blocked |= TRAY_SENSORS[self._gate]
        for fault in self._stuck:
            if self._acts(fault):
                blocked = blocked | fault.sensor if fault.level else blocked & ~fault.sensor
        return Sensor(blocked)

    def _override(self, sensor: Sensor) -> int | None:
        """Return the level at which a sensor is stuck; None for one that works."""
        for fault in self._stuck:
            if fault.sensor is sensor and self._acts(fault):
                return fault.level
        return None

    def _acts(self, fault: SensorStuck) -> bool:
        """Return whether the sensor is stuck by now."""
        return fault.at <= self._done + 1

    # --- what the motor does -------------------------------------------------------------------------------------

    def feed(self, start_us: int) -> FeedReading:
        """Turn the motor by the feed schedule from `start_us` on, and return what the sensors will tell."""
        self.settle(start_us)
        self._drive(self._path, self._feed, start_us, held_um=None)
        train = self._pick(start_us)
        ends = start_us + self._feed.duration_us
        if train is None:
            return FeedReading(
                ends_us=ends,
                entered=False,
                entry_blocked=False,
                passed_um=0,
                thickness_um=0,
                travel_um=0,
                window_us=None,
            )
        geometry, motion = self.geometry, train.motion
        lead = motion.lead_um(ends)
        entered = self._override(Sensor.ENTRY) is None
        passed = min(train.length_um, lead - geometry.entry_um)
        return FeedReading(
            ends_us=ends,
            entered=entered,
            entry_blocked=entered and lead - train.length_um < geometry.entry_um,
            passed_um=-(-passed // geometry.step_um) * geometry.step_um if entered else 0,
            thickness_um=train.thickest_um() if len(train.cards) > 1 else train.cards[0].thickness_um,
            travel_um=geometry.window_um - geometry.entry_um,
            window_us=motion.reaches_us(geometry.window_um) if self._override(Sensor.WINDOW) is None else None,
        )

    def _pick(self, start_us: int) -> Train | None:
        """Take the cards of the next passage out of the hopper, if any come, and set them in motion."""
        number = len(self.passages) + 1
        held: int | None = None
        overlap: int | None = None
        faced = False
        for fault in self._faults.get(number, ()):
            match fault:
                case Misfeed(times=times) if self._misfed.get(number, 0) < times:
                    self._misfed[number] = self._misfed.get(number, 0) + 1
                    return None
                case Jam(where="entry"):
                    held = _JAM_UM["entry"]
                case DoubleFeed(overlap_mm=overlap_mm):
                    overlap = round(overlap_mm * 1000)
                case FacedCard():
                    faced = True
                case _:
                    pass
        if not self.holders.hopper:
            return None
        length = self.geometry.card_length_um
        first = self.holders.hopper.popleft()
        first.faced = first.faced or faced
        cards: tuple[PhysicalCard, ...] = (first,)
        behind: tuple[int, ...] = (0,)
        if overlap is not None and self.holders.hopper:
            cards, behind = (first, self.holders.hopper.popleft()), (0, length - overlap)
        motion = (Motion(start_us, 0, self._feed, held),)
        train = Train(number, cards, behind, behind[-1] + length, motion)
        self.passages.append(cards)
        self._path = (*self._path, train)
        return train

    def route(self, start_us: int, tray: Tray) -> RouteReading:
        """Turn gate and motor to send whatever is on the path to a tray, and return what the sensors will tell."""
        geometry = self.geometry
        self.settle(start_us)
        held: int | None = None
        for train in self._path:
            for fault in self._faults.get(train.passage, ()):
                match fault:
                    case Jam(where="exit"):
                        held = _JAM_UM["exit"]
                    case GateSlip(to=to):
                        tray = to
                    case _:
                        pass
        self._gate = tray
        self._drive(self._path, self._route, start_us, held_um=held)
        ends = start_us + self._route.duration_us
        if not self._path:
            return RouteReading(ends_us=ends, exit_us=None, counted_us=None, tray=None, pulses=0)
        last = self._path[-1]
        motion = last.motion
        exit_works = self._override(Sensor.EXIT) is None
        counted = motion.reaches_us(geometry.tray_um + last.length_um)
        if self._override(TRAY_SENSORS[tray]) is not None:
            counted = None
        return RouteReading(
            ends_us=ends,
            exit_us=motion.reaches_us(geometry.exit_um + last.length_um) if exit_works else None,
            counted_us=counted,
            tray=None if counted is None else tray,
            pulses=0 if counted is None else len(self._path),
        )

    @staticmethod
    def _drive(trains: tuple[Train, ...], profile: Profile, start_us: int, *, held_um: int | None) -> None:
        for train in trains:
            lead = train.lead_um(start_us)
            held = held_um if train.motion.held_um is None else lead
            train.motions = (*train.motions, Motion(start_us, lead, profile, held))

    def settle(self, at_us: int) -> None:
        """Let cards that are past the last nip at this moment lie in their tray."""
        if self._gate is None:
            return
        for train in self._path:
            if train.lead_um(at_us) - train.length_um > self.geometry.nip_um:
                self.holders.drop(train.cards, self._gate, turned_over=self._gate is Tray.TRUMP)
                self._leave(train)
                self._left = (*self._left[-1:], train)

    def halt(self, at_us: int) -> None:
        """Stop the motor dead, as when the power fails; a card barely begun is drawn back by the retard pad."""
        self.settle(at_us)
        for train in self._path:
            lead = train.lead_um(at_us)
            if lead < self.geometry.entry_um:
                self._path = tuple(other for other in self._path if other is not train)
                self.holders.hopper.extendleft(reversed(train.cards))
                self.passages.remove(train.cards)
            else:
                train.motions = (*train.motions, Motion(at_us, lead, None, train.motion.held_um))
        self.light(on=False, at_us=at_us)

    def _leave(self, train: Train) -> None:
        self._path = tuple(other for other in self._path if other is not train)
        self._done = max(self._done, train.passage)

    def light(self, *, on: bool, at_us: int) -> None:
        """Switch the lamp of the window."""
        if self._lamp[-1][1] != on:
            self._lamp = (*self._lamp[-7:], (at_us, on))

    # --- what people do ------------------------------------------------------------------------------------------

    def take_from_path(self, at_us: int, *, window_only: bool) -> list[PhysicalCard]:
        """Take the cards out of the path, or only what lies over the window, and return them.

        Who clears the whole path also takes away what else blocks a sensor.
        """
        self.settle(at_us)
        if not window_only:
            self._stuck = [fault for fault in self._stuck if not (fault.level and self._acts(fault))]
        taken: list[PhysicalCard] = []
        for train in self._path:
            lead = train.lead_um(at_us)
            if not window_only or lead - train.length_um < self.geometry.window_um <= lead:
                taken += train.cards
                self._leave(train)
        return taken

    def begin_deal(self, faults: Iterable[Fault]) -> None:
        """Count passages anew, and let these faults be the ones of this pack."""
        self.passages = []
        self._done = 0
        self._misfed = {}
        self._faults = {}
        self._stuck = []
        for train in self._path:
            train.passage = 0  # left over from the pack before
        for fault in faults:
            match fault:
                case SensorStuck():
                    self._stuck.append(fault)
                case Misfeed() | Jam() | DoubleFeed() | FacedCard() | GateSlip():
                    self._faults.setdefault(fault.at, []).append(fault)
                case _:
                    pass

    # --- what is really so ---------------------------------------------------------------------------------------

    @property
    def next_passage(self) -> int:
        """The number the next passage will have, from 1."""
        return len(self.passages) + 1

    def on_path(self) -> tuple[Train, ...]:
        """Return the cards on the path, and those that are about to be."""
        return self._path

    def lately(self) -> tuple[Train, ...]:
        """Return the cards on the path and the last ones that left it for a tray."""
        return (*self._left, *self._path)

    @property
    def passages_over(self) -> int:
        """How many passages of this deal have ended, in a tray or in people's hands."""
        return self._done

    def dark_us(self, now_us: int) -> int:
        """Return the last moment, up to now, at which the lamp was off."""
        since, on = self._lamp[-1]
        return since - 1 if on else now_us

    def lamp_on(self, at_us: int) -> bool:
        """Return whether the lamp was on."""
        return next((on for since, on in reversed(self._lamp) if since <= at_us), False)
