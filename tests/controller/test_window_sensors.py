"""What thickness, length and way of a card say: the table of the reference machine's card of 300 µm by 63.5 mm."""

from __future__ import annotations

import pytest

from controller.window_sensors import PAIRS, CardSize, finding
from firmware_bridge.events import AtWindow

CARD = CardSize(thickness_um=300, length_um=63_500, travel_um=48_250, entry_um=10_000, stand_um=90_000)


@pytest.mark.parametrize(
    ("thickness_um", "length_um", "travel_um", "found"),
    [
        (300, 63_500, 48_250, ""),
        (449, 63_500, 48_250, ""),
        (450, 63_500, 48_250, "double_feed"),
        (600, 70_000, 48_250, "double_feed"),
        (600, 127_000, 60_000, "double_feed"),
        (300, 127_000, 48_250, "chained_feed"),
        (300, 80_000, 48_250, "chained_feed"),
        (300, 64_400, 48_250, ""),
        (300, 64_500, 48_250, "skew"),
        (300, 64_920, 48_250, "skew"),
        (300, 63_500, 48_960, ""),
        (300, 63_500, 49_000, "sensor_late"),
        (300, 69_800, 53_000, "slip"),
        (300, 72_160, 54_830, "slip"),  # 12 % of the way
        (300, 77_440, 58_880, "slip"),  # 18 %: the last that clears the entry sensor
        (300, 77_520, 60_320, "slip_too_far"),  # 20 %
        (300, 77_840, 58_880, "slip_too_far"),  # 18 %, and a second card behind it
        (300, 79_720, 49_760, "chained_feed"),  # 3 %, and a second card behind it
        (300, 79_040, 53_040, "chained_feed"),  # 9 %, and a second card behind it
        (300, 80_000, 53_280, "chained_feed"),  # the window's sensor 5 ms late, and a second card
        (300, 70_080, 48_250, "skew"),  # 25 degrees
        (300, 77_000, 53_040, "slip"),  # 9 %, and 25 degrees askew
        (300, 60_400, 48_250, ""),
        (300, 60_200, 48_250, "short_card"),
        (300, 0, 48_250, "short_card"),
    ],
)
def test_what_the_sensors_find(thickness_um: int, length_um: int, travel_um: int, found: str) -> None:
    assert finding(AtWindow(1, 1, 1, 0, thickness_um, length_um, travel_um), CARD) == found


def test_pairs_are_what_the_sensors_can_find() -> None:
    assert {"double_feed", "chained_feed"} == PAIRS


def test_every_measure_is_a_cards_own() -> None:
    big = CardSize(thickness_um=350, length_um=88_000, travel_um=48_250, entry_um=10_000, stand_um=90_000)
    assert finding(AtWindow(1, 1, 1, 0, 500, 88_000, 48_250), big) == ""
    assert finding(AtWindow(1, 1, 1, 0, 525, 88_000, 48_250), big) == "double_feed"
