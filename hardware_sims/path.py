"""The card path in numbers: where its sensors are, and where a card is as a function of the step schedule.

Convention: positions are µm along the path, from where the leading edge of a card in the hopper lies; a card's place
is the place of its leading edge. Cards travel with a long edge in front. The motor makes whole steps; a sensor sees an
edge with the first step that carries the edge to it or beyond. All is computed in closed form from the schedule.

Does not model: slip that changes on the way, skew that grows on it, the rollers' own inertia beyond the
acceleration of the schedule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Final, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """The numbers of the reference machine: µm, µm/s, µm/s² and µs.

    The sensors stand so close that a card between hopper and tray blocks at least one of them.

    Attributes:
        step_um: travel of one step of the motor.
        card_length_um: a card's extent along the path, its short side (poker size, 63.5 × 88.9 mm).
        card_thickness_um: one card.
        window_um: the window's centre and its sensor.
        stand_um: where a card stands to be seen: its centre is the window's.
        nip_um: the last nip; a card whose trailing edge is past it falls into the tray.
        tray_um: the counters of the trays, each at the mouth of its tray.
        gate_us: the gate turns to any tray within this time, while the card approaches.
        shelf_um: where a card leaves the last nip before the shelves.
        shelf_card_us: one card of a shelf pass, from the hopper to its shelf.
        shelf_return_us: one shelf's packet, back into the hopper.
        cut_tray_us: the pack from the hopper to the cut tray, or back.
        journal_us: one record of 8 bytes in an AVR's EEPROM, 3.4 ms a byte.
    """

    step_um: int = 40
    card_length_um: int = 63_500
    card_thickness_um: int = 300
    entry_um: int = 10_000
    thickness_um: int = 18_000
    window_um: int = 58_250
    stand_um: int = 90_000
    exit_um: int = 105_000
    gate_um: int = 120_000
    nip_um: int = 160_000
    tray_um: int = 165_000
    acceleration_um_s2: int = 30_000_000
    feed_speed_um_s: int = 1_000_000
    route_speed_um_s: int = 1_300_000
    gate_us: int = 40_000
    journal_us: int = 27_200
    home_us: int = 300_000
    boot_us: int = 200_000
    shelf_um: int = 150_000
    shelf_card_us: int = 140_000
    shelf_return_us: int = 150_000
    cut_tray_us: int = 1_200_000

    def constants(self) -> dict[str, int]:
        """Return all numbers by name, as the machine's dictionary states them."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


REFERENCE: Final = Geometry()
"""The reference machine."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A schedule of steps: even acceleration from rest, even speed and, if it stops, the same in reverse.

    Attributes:
        distance_um: the whole way, in whole steps.
        speed_um_s: the even speed; a short way that stops does not reach it.
        acceleration_um_s2: gained and, where it stops, lost.
        step_um: travel of one step.
        stops: whether the way ends at rest; else the motor is switched off in full motion.
        ramp_um: the way on which the speed grows.
        ramp_s: how long it grows, s.
        duration_s: how long the whole way takes, s.
        duration_us: the same in µs, rounded up.
    """

    distance_um: int
    speed_um_s: int
    acceleration_um_s2: int
    step_um: int
    stops: bool
    ramp_um: float = field(init=False)
    ramp_s: float = field(init=False)
    duration_s: float = field(init=False)
    duration_us: int = field(init=False)

    def __post_init__(self) -> None:
        """Work out the schedule's phases once."""
        ramps = 2 if self.stops else 1
        ramp_um = min(self.speed_um_s**2 / (2 * self.acceleration_um_s2), self.distance_um / ramps)
        ramp_s = math.sqrt(2 * ramp_um / self.acceleration_um_s2)
        duration_s = ramps * ramp_s + (self.distance_um - ramps * ramp_um) / self.speed_um_s
        for name, value in (("ramp_um", ramp_um), ("ramp_s", ramp_s), ("duration_s", duration_s)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "duration_us", math.ceil(duration_s * 1e6))

    def time_us(self, way_um: int) -> int:
        """Return when the step is made that carries an edge `way_um` or more, µs from the start, rounded up.

        Raises:
            ValueError: the schedule does not go so far.
        """
        way = -(-way_um // self.step_um) * self.step_um
        if way > self.distance_um:
            raise ValueError(f"a schedule of {self.distance_um} µm does not carry {way_um} µm")
        ramp = self.ramp_um
        if way <= ramp:
            time_s = math.sqrt(2 * max(way, 0) / self.acceleration_um_s2)
        elif self.stops and way > self.distance_um - ramp:
            time_s = self.duration_s - math.sqrt(2 * (self.distance_um - way) / self.acceleration_um_s2)
        else:
            time_s = self.ramp_s + (way - ramp) / self.speed_um_s
        return math.ceil(time_s * 1e6)

    def way_um(self, elapsed_us: int) -> int:
        """Return how far the steps made within `elapsed_us` carry."""
        time_s = elapsed_us / 1e6
        if time_s <= 0:
            return 0
        if time_s >= self.duration_s:
            return self.distance_um
        if time_s <= self.ramp_s:
            way = self.acceleration_um_s2 * time_s**2 / 2
        elif self.stops and time_s > self.duration_s - self.ramp_s:
            way = self.distance_um - self.acceleration_um_s2 * (self.duration_s - time_s) ** 2 / 2
        else:
            way = self.ramp_um + (time_s - self.ramp_s) * self.speed_um_s
        return int(way // self.step_um) * self.step_um

    def speed_at(self, elapsed_us: int) -> float:
        """Return the speed at that time, µm/s."""
        time_s = elapsed_us / 1e6
        if not 0 < time_s < self.duration_s:
            return 0.0
        left_s = self.duration_s - time_s if self.stops else math.inf
        return min(time_s * self.acceleration_um_s2, left_s * self.acceleration_um_s2, float(self.speed_um_s))


class Motion(NamedTuple):
    """How a card goes on from one moment: by a schedule, up to where something holds it, or not at all.

    Attributes:
        start_us: the moment the schedule begins.
        from_um: where the leading edge is until then.
        profile: the schedule; None for a card at rest.
        held_um: where a jam holds the leading edge; None for a free way.
        slip_percent: how much less than the motor's steps the card goes.
    """

    start_us: int
    from_um: int
    profile: Profile | None = None
    held_um: int | None = None
    slip_percent: int = 0

    def lead_um(self, at_us: int) -> int:
        """Return where the leading edge is."""
        if self.profile is None:
            return self.from_um
        way = self.profile.way_um(at_us - self.start_us)
        if self.slip_percent:
            way = way * (100 - self.slip_percent) // 100
        lead = self.from_um + way
        return lead if self.held_um is None else min(lead, self.held_um)

    def speed_mm_s(self, at_us: int) -> float:
        """Return the card's speed, mm/s."""
        if self.profile is None or (self.held_um is not None and self.lead_um(at_us) >= self.held_um):
            return 0.0
        return self.profile.speed_at(at_us - self.start_us) / 1e3

    def steps_um(self, place_um: int) -> int:
        """Return how far the motor must turn to bring the leading edge to a place, in its own steps."""
        way = place_um - self.from_um
        return -(-way * 100 // (100 - self.slip_percent)) if self.slip_percent else way

    def reaches_us(self, place_um: int) -> int | None:
        """Return when the leading edge comes to a place ahead; None if this motion does not bring it there."""
        way = self.steps_um(place_um)
        if self.profile is None or way > self.profile.distance_um:
            return None
        if self.held_um is not None and place_um > self.held_um:
            return None
        return self.start_us + self.profile.time_us(way)


def feed_profile(geometry: Geometry) -> Profile:
    """Return the schedule that brings a card from the hopper to stand in the window."""
    return Profile(
        _whole_steps(geometry.stand_um, geometry),
        geometry.feed_speed_um_s,
        geometry.acceleration_um_s2,
        geometry.step_um,
        stops=True,
    )


def route_profile(geometry: Geometry) -> Profile:
    """Return the schedule that carries whatever stands in the window into a tray, two cards in a row included.

    A card that stands too early, or lies askew, has room to spare.
    """
    way = geometry.tray_um + 2 * geometry.card_length_um + 30_000 - geometry.stand_um
    return Profile(
        _whole_steps(way, geometry),
        geometry.route_speed_um_s,
        geometry.acceleration_um_s2,
        geometry.step_um,
        stops=False,
    )


def _whole_steps(way_um: int, geometry: Geometry) -> int:
    return -(-way_um // geometry.step_um) * geometry.step_um
