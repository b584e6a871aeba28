"""The closed form against a motor that is stepped: the recurrence integrates the speed from step to step."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.path import REFERENCE, Motion, Profile, feed_profile, route_profile


def stepped(profile: Profile) -> list[float]:
    """Return when each step is made, s, from the kinematics v² = u² + 2as applied to one step after the other."""
    step, acceleration = profile.step_um, profile.acceleration_um_s2
    times, speed, time_s = [0.0], 0.0, 0.0
    count = profile.distance_um // step
    for number in range(count):
        left_um = profile.distance_um - (number + 1) * step
        faster = math.sqrt(speed**2 + 2 * acceleration * step)
        stopping = math.sqrt(2 * acceleration * left_um) if profile.stops else math.inf
        after = min(faster, stopping, profile.speed_um_s)
        time_s += 2 * step / (speed + after)
        speed = after
        times.append(time_s)
    return times


@pytest.mark.parametrize("profile", [feed_profile(REFERENCE), route_profile(REFERENCE)], ids=["feed", "route"])
def test_every_step_comes_when_a_stepped_motor_makes_it(profile: Profile) -> None:
    # The recurrence changes from one phase to the next at a whole step, the closed form within it: 100 µs of leeway.
    for number, time_s in enumerate(stepped(profile)):
        assert profile.time_us(number * profile.step_um) == pytest.approx(time_s * 1e6, abs=100)


@given(
    steps=st.integers(1, 5_000),
    speed=st.integers(50_000, 3_000_000),
    acceleration=st.integers(1_000_000, 90_000_000),
    stops=st.booleans(),
    share=st.floats(0, 1),
)
def test_way_and_time_are_inverse(*, steps: int, speed: int, acceleration: int, stops: bool, share: float) -> None:
    profile = Profile(steps * 40, speed, acceleration, 40, stops)
    way = int(share * steps) * 40
    moment = profile.time_us(way)
    assert profile.way_um(moment + 1) >= way
    assert profile.way_um(moment - 2) < max(way, 1)
    assert moment <= profile.duration_us


def test_a_sensor_sees_an_edge_with_the_step_that_carries_it_there() -> None:
    profile = Profile(4_000, 100_000, 10_000_000, 40, False)
    assert profile.time_us(41) == profile.time_us(80)
    with pytest.raises(ValueError, match="does not carry"):
        profile.time_us(4_001)


def test_a_jam_holds_the_edge() -> None:
    motion = Motion(1_000, 0, feed_profile(REFERENCE), 35_000)
    assert motion.lead_um(10**6) == 35_000
    assert motion.reaches_us(35_001) is None
    assert motion.speed_mm_s(10**5) == 0
    before = motion.reaches_us(20_000)
    assert before is not None
    assert motion.lead_um(before) >= 20_000


def test_the_reference_machine_is_as_fast_as_the_design_wants() -> None:
    feed, route = feed_profile(REFERENCE), route_profile(REFERENCE)
    delivered = route.time_us(REFERENCE.tray_um + REFERENCE.card_length_um - REFERENCE.stand_um)
    assert feed.duration_us <= 130_000
    assert delivered <= 150_000
    look_us = 50_000
    wire_us = 5_000
    assert 2 * REFERENCE.journal_us + feed.duration_us + delivered + look_us + wire_us <= 380_000


def test_a_card_between_hopper_and_tray_blocks_a_sensor_everywhere() -> None:
    places = [REFERENCE.entry_um, REFERENCE.window_um, REFERENCE.exit_um, REFERENCE.tray_um]
    assert all(ahead - behind < REFERENCE.card_length_um for behind, ahead in pairwise(places))


def test_gate_and_records_are_ready_before_the_card_needs_them() -> None:
    route, feed = route_profile(REFERENCE), feed_profile(REFERENCE)
    assert route.time_us(REFERENCE.gate_um - REFERENCE.stand_um) >= REFERENCE.gate_us
    assert route.time_us(REFERENCE.exit_um - REFERENCE.stand_um) >= REFERENCE.journal_us
    assert feed.duration_us - feed.time_us(REFERENCE.window_um) >= REFERENCE.journal_us
