"""What the sensors tell of a card in the window lets faults be told apart; what is debounced changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import AtWindow
from firmware_bridge.messages import Feed, Route
from firmware_bridge.words import FaultCode, Phase, Sensor, Status, Tray
from hardware_sims.camera import SimCamera
from hardware_sims.faults import KINDS
from hardware_sims.scenario import load_scenario, shipped_scenarios

Make = Callable[..., Any]

CARD_UM, LENGTH_UM, TRAVEL_UM = 300, 63_500, 48_250
LONG_UM = 1_000
"""What is longer by this much is not a card that lies as cards lie."""


def reading(client: Any) -> tuple[int, int, int]:
    shown = client.feed(1)
    return shown.thickness_um, shown.length_um, shown.travel_um


def told(thickness_um: int, length_um: int, travel_um: int) -> str:
    """Return what a controller may make of it."""
    if thickness_um >= 1.5 * CARD_UM:
        return "double feed"
    long, travels = length_um >= LENGTH_UM + LONG_UM, travel_um >= TRAVEL_UM + LONG_UM
    if length_um >= LENGTH_UM + 12_000 and not travels:
        return "chained feed"
    if length_um <= LENGTH_UM - LONG_UM:
        return "torn"
    return {(True, True): "slip", (False, True): "late sensor", (True, False): "skew", (False, False): "good"}[
        long, travels
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_good_card_is_told_within_a_step(faulty: Make, seed: int) -> None:
    thickness, length, travel = reading(faulty(seed=seed))
    assert 290 <= thickness <= 310
    assert (length - LENGTH_UM, travel - TRAVEL_UM) == pytest.approx((0, 0), abs=40)


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("", "good"),
        ('kind = "double_feed"\nat = 1', "double feed"),
        ('kind = "double_feed"\nat = 1\noverlap_mm = 3', "double feed"),
        *((f'kind = "chained_feed"\nat = 1\ngap_mm = {gap}', "chained feed") for gap in (0, 1, 2)),
        *((f'kind = "slipping_card"\nat = 1\npercent = {percent}', "slip") for percent in (3, 9, 30)),
        *((f'kind = "torn_card"\nat = 1\nmissing_mm = {mm}', "torn") for mm in (1.1, 8, 30)),
        *((f'kind = "skewed_card"\nat = 1\ndegrees = {degrees}', "skew") for degrees in (11, 25)),
        *((f'kind = "late_sensor"\nat = 1\nms = {ms}', "late sensor") for ms in (2, 5, 20)),
    ],
)
def test_the_three_numbers_tell_what_came(faulty: Make, fault: str, what: str) -> None:
    client = faulty(*filter(None, [fault]))
    assert told(*reading(client)) == what
    assert client.route(1, Tray.REJECT).tray is Tray.REJECT


def test_the_numbers_of_a_slip_are_those_of_the_motor(faulty: Make) -> None:
    _, length, travel = reading(faulty('kind = "slipping_card"\nat = 1\npercent = 9'))
    assert length == pytest.approx(LENGTH_UM / 0.91, abs=80)
    assert travel == pytest.approx(TRAVEL_UM / 0.91, abs=80)


def test_two_chained_cards_arrive_as_two(faulty: Make) -> None:
    client = faulty('kind = "chained_feed"\nat = 1\ngap_mm = 2')
    client.feed(1)
    assert Sensor.ENTRY in client.status().sensors
    assert client.route(1, Tray.N).count == 1, "the beam cannot tell them apart either"
    assert len(client.world.truth().deals[-1].of("N")) == 2


def test_a_sensor_that_is_too_late_counts_as_silent(faulty: Make) -> None:
    client = faulty('kind = "late_sensor"\nat = 1\nms = 150')
    client.request(Feed(1))
    fault = client.fault()
    assert (fault.code, fault.detail, fault.phase) == (FaultCode.SENSOR_STUCK, Sensor.WINDOW, Phase.UNKNOWN)


@pytest.mark.parametrize("kind", ['kind = "sensor_bounce"', 'kind = "sensor_glitch"'])
@pytest.mark.parametrize("sensor", ["entry", "window", "exit"])
@pytest.mark.parametrize("us", [200, 500])
def test_what_is_over_within_the_debounce_changes_nothing(faulty: Make, kind: str, sensor: str, us: int) -> None:
    plain, upset = faulty(), faulty(f'{kind}\nat = 2\nsensor = "{sensor}"\nus = {us}')
    for client in (plain, upset):
        client.deal(3)
    assert [packet for _, packet in plain.frames] == [packet for _, packet in upset.frames]


@pytest.mark.parametrize("kind", ['kind = "sensor_bounce"', 'kind = "sensor_glitch"'])
@pytest.mark.parametrize("sensor", ["entry", "window", "exit"])
def test_what_lasts_longer_is_a_sensor_that_says_what_cannot_be(faulty: Make, kind: str, sensor: str) -> None:
    client = faulty(f'{kind}\nat = 2\nsensor = "{sensor}"\nus = 3000')
    client.deal(1)
    client.request(Feed(2))
    if sensor == "exit":
        client.wait_for(AtWindow)
        assert client.request(Route(2, Tray.N)).status is Status.OK
    fault = client.fault()
    assert (fault.code, fault.detail) == (FaultCode.SENSOR_STUCK, Sensor[sensor.upper()])


def test_a_camera_that_is_gone_gives_no_picture_any_more(faulty: Make) -> None:
    client = faulty('kind = "camera_gone"\nat = 2')
    camera = SimCamera("sim:", client.world, client.world.clock)
    client.feed(1)
    assert camera.next_frame(after_us=client.now_us, deadline_us=client.now_us + 100_000) is not None
    client.route(1, Tray.N)
    client.feed(2)
    deadline = client.now_us + 100_000
    assert camera.next_frame(after_us=client.now_us, deadline_us=deadline) is None
    assert client.now_us >= deadline


# --- packs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [24, 25, 32, 33, 52])
def test_a_scenario_lays_the_packs_of_all_codes(faulty: Make, machine: Make, size: int) -> None:
    client = machine(f"[[deal]]\npack = {size}")
    client.begin()
    assert len(set(client.world.truth().deals[-1].laid)) == size


def test_two_packs_mixed_hold_some_cards_twice(faulty: Make) -> None:
    client = faulty('kind = "mixed_packs"\ncards = 6')
    laid = client.world.truth().deals[-1].laid
    assert (len(laid), len(set(laid))) == (52, 46)


def test_an_extra_card_is_one_too_many(faulty: Make) -> None:
    client = faulty('kind = "extra_card"\ncard = "7C"')
    laid = client.world.truth().deals[-1].laid
    assert (len(laid), laid.count("7C")) == (53, 2)


def test_the_wrong_pack_is_another_one(faulty: Make) -> None:
    client = faulty('kind = "wrong_pack"\nsize = 25')
    assert len(client.world.truth().deals[-1].laid) == 25


# --- jams ---


@pytest.mark.parametrize(("um", "standing"), [(10_000, Sensor.ENTRY), (30_000, Sensor.ENTRY), (58_249, Sensor.ENTRY)])
def test_a_jam_before_the_window_is_said_when_the_window_saw_nothing(faulty: Make, um: int, standing: Sensor) -> None:
    client = faulty(f'kind = "jam"\nat = 1\num = {um}')
    client.request(Feed(1))
    said = client.fault()
    assert (said.code, said.phase) == (FaultCode.JAM_ENTRY, Phase.UNKNOWN)
    assert client.status().sensors & (Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT) == standing


@pytest.mark.parametrize(
    ("um", "length", "standing"),
    [
        (58_250, 80_000, Sensor.ENTRY | Sensor.WINDOW),
        (73_400, 80_000, Sensor.ENTRY | Sensor.WINDOW),
        (73_600, LENGTH_UM, Sensor.WINDOW),
        (90_000, LENGTH_UM, Sensor.WINDOW),
        (104_000, LENGTH_UM, Sensor.WINDOW),
        (105_000, LENGTH_UM, Sensor.WINDOW | Sensor.EXIT),
        (121_760, LENGTH_UM, Sensor.EXIT),
        (160_000, LENGTH_UM, Sensor.EXIT),
    ],
)
def test_a_card_held_from_the_window_on_is_shown_and_jams_on_its_way_out(
    faulty: Make, um: int, length: int, standing: Sensor
) -> None:
    """While it blocks the entry the motor goes on turning, so that it looks as long as two cards in a row."""
    client = faulty(f'kind = "jam"\nat = 1\num = {um}')
    thickness, measured, travel = reading(client)
    assert thickness <= 310
    assert (measured, travel) == pytest.approx((length, TRAVEL_UM), abs=40)
    assert client.request(Route(1, Tray.N)).status is Status.OK
    said = client.fault()
    assert (said.code, said.phase) == (FaultCode.JAM_EXIT, Phase.UNKNOWN)
    assert client.status().sensors & (Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT) == standing


# --- the wire --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ms", [1, 16])
def test_a_deal_survives_a_bridge_that_delays(faulty: Make, ms: int) -> None:
    delays = [f'kind = "delayed_bytes"\ndirection = "{way}"\nms = {ms}' for way in ("to_machine", "from_machine")]
    client = faulty(*delays)
    began = client.now_us
    client.status()
    assert client.now_us - began >= 2_000 * ms
    client.deal()


def test_a_deal_survives_bursts_of_lost_bytes(faulty: Make) -> None:
    bursts = [
        f'kind = "lost_burst"\ndirection = "{way}"\nrate = 0.001\ncount = 40' for way in ("to_machine", "from_machine")
    ]
    client = faulty(*bursts)
    client.deal()
    assert client.world._to_machine._spoilers
    assert len(client.world.truth().deals[-1].passages) == 52


# --- all of them -----------------------------------------------------------------------------------------------------


def test_every_kind_of_fault_is_played_by_a_scenario_or_a_test() -> None:
    from pathlib import Path

    here = Path(__file__).parent
    texts = "".join(path.read_text() for path in here.glob("test_*.py"))
    shipped = {
        fault.kind for name in shipped_scenarios() for deal in load_scenario(name).deals for fault in deal.faults
    }
    assert {kind for kind in KINDS if f'kind = "{kind}"' not in texts} <= shipped
