"""Sensors at the very microseconds at which edges reach them."""

from __future__ import annotations

import pytest

from firmware_bridge.words import Sensor, Tray
from hardware_sims.mechanism import Mechanism
from hardware_sims.path import REFERENCE, feed_profile, route_profile
from hardware_sims.physical import made_card
from hardware_sims.seeded import Stream
from vision.cards import Pack

STEP_US = 50
"""More than a step takes anywhere near a sensor."""


@pytest.fixture
def loaded() -> Mechanism:
    mechanism, stream = Mechanism(REFERENCE), Stream(1, "lying")
    mechanism.holders.lay(made_card(number, card, 300, stream) for number, card in enumerate(Pack.of(52).cards))
    return mechanism


def test_a_sensor_is_blocked_from_the_leading_to_the_trailing_edge(loaded: Mechanism) -> None:
    feed = feed_profile(REFERENCE)
    reading = loaded.feed(1_000)
    enters = 1_000 + feed.time_us(REFERENCE.entry_um)
    leaves = 1_000 + feed.time_us(REFERENCE.entry_um + REFERENCE.card_length_um)
    assert Sensor.ENTRY not in loaded.sensors(enters - 2)
    assert Sensor.ENTRY in loaded.sensors(enters)
    assert Sensor.ENTRY in loaded.sensors(leaves - STEP_US)
    assert Sensor.ENTRY not in loaded.sensors(leaves)
    assert reading.window_us is not None
    assert Sensor.WINDOW not in loaded.sensors(reading.window_us - 2)
    assert Sensor.WINDOW in loaded.sensors(reading.window_us)
    assert loaded.sensors(reading.ends_us) == Sensor.HOPPER | Sensor.WINDOW


def test_a_counter_sees_the_card_fall_into_its_tray(loaded: Mechanism) -> None:
    loaded.feed(0)
    reading = loaded.route(200_000, Tray.S)
    assert reading.counted_us is not None
    assert reading.exit_us is not None
    assert reading.exit_us < reading.counted_us
    reaches = 200_000 + route_profile(REFERENCE).time_us(REFERENCE.tray_um - REFERENCE.stand_um)
    assert Sensor.TRAY_S not in loaded.sensors(reaches - 2)
    assert Sensor.TRAY_S in loaded.sensors(reaches)
    assert Sensor.TRAY_S not in loaded.sensors(reading.counted_us)
    loaded.settle(reading.counted_us)
    assert [card.number for card in loaded.holders.trays[Tray.S]] == [0]


def test_a_card_between_hopper_and_tray_is_seen_at_every_moment(loaded: Mechanism) -> None:
    enters = feed_profile(REFERENCE).time_us(REFERENCE.entry_um)
    loaded.feed(0)
    assert all(loaded.sensors(moment) & ~Sensor.HOPPER for moment in range(enters, 200_000, 500))
    reading = loaded.route(200_000, Tray.N)
    assert reading.counted_us is not None
    last = reading.counted_us - STEP_US
    assert all(loaded.sensors(moment) & ~Sensor.HOPPER for moment in range(200_000, last, 500))


def test_a_card_barely_begun_is_drawn_back_when_the_motor_fails(loaded: Mechanism) -> None:
    first = loaded.holders.hopper[0]
    loaded.feed(0)
    loaded.halt(10_000)
    assert loaded.holders.hopper[0] is first
    assert (loaded.on_path(), loaded.next_passage) == ((), 1)


def test_a_halted_card_stays_where_it_was(loaded: Mechanism) -> None:
    loaded.feed(0)
    loaded.halt(60_000)
    (train,) = loaded.on_path()
    assert train.lead_um(60_000) == train.lead_um(10**9)
    assert loaded.sensors(10**9) == loaded.sensors(60_000)


def test_one_motor_moves_every_card_on_the_path(loaded: Mechanism) -> None:
    loaded.feed(0)
    loaded.feed(200_000)
    ahead, behind = loaded.on_path()
    assert ahead.lead_um(400_000) - behind.lead_um(400_000) == REFERENCE.stand_um
    reading = loaded.route(400_000, Tray.N)
    assert reading.pulses == 2
