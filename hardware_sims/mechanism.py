"""The machine's mechanics: cards in the hopper, on the path and in the trays, and what the sensors tell of them.

The firmware turns the motor by a schedule and asks what its sensors saw; both are answered in closed form at the
moment the schedule begins. Where the cards really are is kept here and never taken from the firmware.

A sensor passes through two stages: what stands before it, then an override where it is stuck.

Does not model: analogue levels of a gate, bent cards, static.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from firmware_bridge.words import Sensor, Tray
from hardware_sims.card_faults import CardFault, LampFailed, Misfeed, SensorStuck, TrayFull
from hardware_sims.cut_tray import CutTray
from hardware_sims.faults import Fault
from hardware_sims.pack_faults import PassFault
from hardware_sims.path import Geometry, Motion, Profile, feed_profile, route_profile
from hardware_sims.physical import PhysicalCard, Train
from hardware_sims.shelves import SHELF_SENSORS, PassReading, Shelves
from hardware_sims.switches import Switches
from hardware_sims.trays import Holders
from hardware_sims.upsets import NOTHING_WRONG, FeedReading, RouteReading, Upset, upset_by

TRAY_SENSORS: Final = {tray: Sensor[f"TRAY_{tray.name}"] for tray in Tray}
"""The counter of each tray."""

PATH_SENSORS: Final = Sensor(Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT | Sensor.RETURN | sum(TRAY_SENSORS.values()))
"""The gates along the way of a card, which none blocks while the machine is at rest."""

_HOPPER: Final = int(Sensor.HOPPER)
_CUT_TRAY: Final = int(Sensor.CUT_TRAY)

TRAY_CARDS: Final = 60
"""How many cards a tray holds."""

_PATIENCE_US: Final = 20_000
"""How long after the motor stands the firmware waits for a sensor."""


class Mechanism:
    """Path, motor, gate, lamp and sensors, and through `holders` every other place where a card can be.

    Attributes:
        geometry: its numbers.
        holders: hopper, trays and what lies beside.
        shelves: the shelves and the way back from them.
        cut_tray: the cut tray and its cell.
        switches: lid, stop, board, trays in place, and the gauges.
        passages: the cards of each passage of this deal, in the order they left the hopper.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self.holders = Holders()
        self.shelves = Shelves(geometry, self.holders.hopper)
        self.cut_tray = CutTray()
        self.switches = Switches()
        self.passages: list[tuple[PhysicalCard, ...]] = []
        self._feed = feed_profile(geometry)
        self._route = route_profile(geometry)
        self._path: tuple[Train, ...] = ()
        self._left: tuple[Train, ...] = ()
        self._gate: Tray | None = None
        self._lamp: tuple[tuple[int, bool], ...] = ((0, False),)
        self._done = 0
        self._faults: dict[int, list[CardFault]] = {}
        self._lasting: list[SensorStuck | TrayFull | LampFailed] = []
        self._pass_faults: tuple[PassFault, ...] = ()
        self._misfed: dict[int, int] = {}
        self._spots = [
            (int(Sensor.ENTRY), geometry.entry_um),
            (int(Sensor.WINDOW), geometry.window_um),
            (int(Sensor.EXIT), geometry.exit_um),
        ]

    # --- what the sensors tell -----------------------------------------------------------------------------------

    def sensors(self, at_us: int) -> Sensor:
        """Return the blocked sensors at a moment not before the last motion began."""
        return Sensor(self.bits(at_us))

    def bits(self, at_us: int) -> int:
        """Return the same as a number, which is quicker to work with than a set of flags."""
        blocked = self.switches.pressed | self.shelves.bits(at_us)
        if self.holders.hopper:
            blocked |= _HOPPER
        if self.cut_tray.cards:
            blocked |= _CUT_TRAY
        for train in self._path:
            lead = train.lead_um(at_us)
            for sensor, place in self._spots:
                if lead - train.length_um < place <= lead:
                    blocked |= sensor
            if self._gate is not None and lead - train.length_um < self.geometry.tray_um <= lead:
                blocked |= int(TRAY_SENSORS[self._gate])
        for fault in self._lasting:
            if isinstance(fault, SensorStuck) and self._acts(fault):
                sensor = int(fault.sensor)
                blocked = blocked | sensor if fault.level else blocked & ~sensor
        return blocked

    def tray_full(self, tray: Tray) -> bool:
        """Return whether a tray's upper gate says that no card goes in any more."""
        if len(self.holders.trays[tray]) >= TRAY_CARDS:
            return True
        return any(isinstance(it, TrayFull) and it.tray is tray and self._acts(it) for it in self._lasting)

    def lamp_works(self) -> bool:
        """Return whether the lamp draws current when it is switched on."""
        return not any(isinstance(fault, LampFailed) and self._acts(fault) for fault in self._lasting)

    def _override(self, sensor: Sensor) -> int | None:
        """Return the level at which a sensor is stuck; None for one that works."""
        for fault in self._lasting:
            if isinstance(fault, SensorStuck) and fault.sensor is sensor and self._acts(fault):
                return fault.level
        return None

    def _acts(self, fault: SensorStuck | TrayFull | LampFailed) -> bool:
        """Return whether a fault that lasts has begun."""
        return fault.at <= self._done + 1

    # --- what the motor does -------------------------------------------------------------------------------------

    def feed(self, start_us: int) -> FeedReading:
        """Turn the motor by the feed schedule from `start_us` on, and return what the sensors will tell."""
        self.settle(start_us)
        self._drive(self._path, self._feed, start_us, held_um=None)
        upset = self._upset(self.next_passage)
        train = self._pick(start_us, upset)
        ends = start_us + self._feed.duration_us
        if train is None:
            return FeedReading(ends_us=ends)
        geometry, motion = self.geometry, train.motion
        lead = motion.lead_um(ends)
        entered = self._override(Sensor.ENTRY) is None
        blocked = lead - train.length_um < geometry.entry_um
        # The motor goes on turning where a jam holds the card, and the firmware counts its steps.
        whole = train.length_um * 100 // (100 - motion.slip_percent)
        passed = self._feed.distance_um - motion.steps_um(geometry.entry_um) if blocked else whole
        window = motion.reaches_us(geometry.window_um) if self._override(Sensor.WINDOW) is None else None
        travel = motion.steps_um(geometry.window_um) - motion.steps_um(geometry.entry_um)
        if window is not None and upset.late_us:
            window += upset.late_us
            travel = self._feed.way_um(window - start_us) - motion.steps_um(geometry.entry_um)
            window = None if window > ends + _PATIENCE_US else window
        return FeedReading(
            ends_us=ends if window is None else max(ends, window),
            entered=entered,
            entry_blocked=entered and blocked,
            passed_um=-(-passed // geometry.step_um) * geometry.step_um if entered else 0,
            thickness_um=train.thickest_um() if len(train.cards) > 1 else train.cards[0].thickness_um,
            travel_um=-(-travel // geometry.step_um) * geometry.step_um if entered and window is not None else 0,
            window_us=window,
            fluttering=upset.fluttering,
        )

    def _upset(self, passage: int) -> Upset:
        """Return what goes wrong with a passage of this deal."""
        faults = self._faults.get(passage)
        return NOTHING_WRONG if faults is None else upset_by(faults, self.geometry)

    def _misfeeds(self, passage: int) -> bool:
        """Return whether the pick roller slips once more."""
        for fault in self._faults.get(passage, ()):
            if isinstance(fault, Misfeed) and self._misfed.get(passage, 0) < fault.times:
                self._misfed[passage] = self._misfed.get(passage, 0) + 1
                return True
        return False

    def _pick(self, start_us: int, upset: Upset) -> Train | None:
        """Take the cards of the next passage out of the hopper, if any come, and set them in motion."""
        number = self.next_passage
        if self._misfeeds(number) or not self.holders.hopper:
            return None
        first = self.holders.hopper.popleft()
        first.faced = first.faced or upset.faced
        first.angle_deg += upset.skew_deg
        cards: tuple[PhysicalCard, ...] = (first,)
        behind: tuple[int, ...] = (0,)
        length = upset.length_um(self.geometry.card_length_um)
        if upset.behind_um is not None and self.holders.hopper:
            cards, behind = (first, self.holders.hopper.popleft()), (0, upset.behind_um)
            length = max(length, upset.behind_um + self.geometry.card_length_um)
        motion = (Motion(start_us, 0, self._feed, upset.held_um, upset.slip_percent),)
        train = Train(number, cards, behind, length, motion)
        self.passages.append(cards)
        self._path = (*self._path, train)
        return train

    def route(self, start_us: int, tray: Tray) -> RouteReading:
        """Turn gate and motor to send whatever is on the path to a tray, and return what the sensors will tell."""
        geometry = self.geometry
        self.settle(start_us)
        held: int | None = None
        fluttering = Sensor.NONE
        for train in self._path:
            upset = self._upset(train.passage)
            held = upset.exit_held_um if upset.exit_held_um is not None else held
            tray = tray if upset.slips_to is None else upset.slips_to
            fluttering = upset.exit_fluttering or fluttering
        self._gate = tray
        self._drive(self._path, self._route, start_us, held_um=held)
        ends = start_us + self._route.duration_us
        if not self._path:
            return RouteReading(ends_us=ends)
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
            fluttering=fluttering,
        )

    def shelf_pass(self, start_us: int, shelves: Sequence[int]) -> PassReading:
        """Carry the cards of the hopper over the shelves from `start_us` on, and return what the sensors will tell."""
        blind = Sensor(sum(sensor for sensor in SHELF_SENSORS if self._override(sensor) == 0))
        hopper = self._override(Sensor.HOPPER)
        return self.shelves.begin(start_us, shelves, self._pass_faults, blind=blind, hopper=hopper)

    def offer(self, at_us: int) -> None:
        """Take the pack into the cut tray."""
        self.cut_tray.take(self.holders.hopper, at_us)

    def take_back(self) -> None:
        """Bring the pack from the cut tray back into the hopper."""
        self.cut_tray.give_back(self.holders.hopper)

    @staticmethod
    def _drive(trains: tuple[Train, ...], profile: Profile, start_us: int, *, held_um: int | None) -> None:
        for train in trains:
            lead = train.lead_um(start_us)
            held = held_um if train.motion.held_um is None else lead
            train.motions = (*train.motions, Motion(start_us, lead, profile, held))

    def settle(self, at_us: int) -> None:
        """Let cards that are past the last nip at this moment lie in their tray, or on their shelf."""
        self.shelves.settle(at_us)
        if self._gate is None:
            return
        for train in self._path:
            if train.lead_um(at_us) - train.length_um > self.geometry.nip_um:
                self.holders.drop(train.cards, self._gate, turned_over=self._gate is Tray.TRUMP)
                self._leave(train)
                self._left = (*self._left[-1:], train)

    def halt(self, at_us: int) -> None:
        """Stop the motors dead; a card barely begun is drawn back by the retard pad."""
        self.settle(at_us)
        for train in self._path:
            lead = train.lead_um(at_us)
            if lead < self.geometry.entry_um:
                self._path = tuple(other for other in self._path if other is not train)
                self.holders.hopper.extendleft(reversed(train.cards))
                self.passages.remove(train.cards)
            else:
                train.motions = (*train.motions, Motion(at_us, lead, None, train.motion.held_um))
        self._path = (*self._path, *self.shelves.halt(at_us))

    def _leave(self, train: Train) -> None:
        self._path = tuple(other for other in self._path if other is not train)
        self._done = max(self._done, train.passage)

    def light(self, *, on: bool, at_us: int) -> None:
        """Switch the lamp of the window; one that failed stays dark."""
        on = on and self.lamp_works()
        if self._lamp[-1][1] != on:
            self._lamp = (*self._lamp[-7:], (at_us, on))

    # --- what people do ------------------------------------------------------------------------------------------

    def take_from_path(self, at_us: int, *, window_only: bool) -> list[PhysicalCard]:
        """Take the cards out of path, shelves and cut tray, or only what lies over the window, and return them.

        Who clears the whole path also takes away what else blocks a sensor.
        """
        self.settle(at_us)
        if not window_only:
            self._lasting = [
                fault
                for fault in self._lasting
                if not (isinstance(fault, SensorStuck) and fault.level and self._acts(fault))
            ]
        taken: list[PhysicalCard] = []
        for train in self._path:
            lead = train.lead_um(at_us)
            if not window_only or lead - train.length_um < self.geometry.window_um <= lead:
                taken += train.cards
                self._leave(train)
        if not window_only:
            taken += [*self.shelves.take_out(), *self.cut_tray.take_out()]
        return taken

    def square_trays(self) -> None:
        """Let people square the cards in the trays, so that those that looked full take cards again."""
        self._lasting = [fault for fault in self._lasting if not (isinstance(fault, TrayFull) and self._acts(fault))]

    def begin_deal(self, faults: Iterable[Fault]) -> None:
        """Count passages anew, and let these faults be the ones of this pack."""
        self.passages = []
        self._done = 0
        self._misfed = {}
        self._faults = {}
        self._lasting = []
        self._pass_faults = ()
        self.shelves.passes = 0
        for train in self._path:
            train.passage = 0  # left over from the pack before
        for fault in faults:
            if isinstance(fault, SensorStuck | TrayFull | LampFailed):
                self._lasting.append(fault)
            elif isinstance(fault, PassFault):
                self._pass_faults = (*self._pass_faults, fault)
            elif isinstance(fault, CardFault):
                self._faults.setdefault(fault.at, []).append(fault)

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
