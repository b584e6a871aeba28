"""The gate of a calibrated window: a card at rest is found at once, and anything else is left to the whole search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.window_calibration import WindowCalibration, reduced
from vision.window_gate import WindowGate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]

EMPTY = np.full((480, 640, 3), 20, np.uint8)
EMPTY[:, 600:] = 90  # a rail that is always in view
CARD = np.array([[200, 70], [440, 70], [440, 406], [200, 406]], np.float32)
WINDOW = WindowCalibration(corners=CARD, empty=reduced(EMPTY))
GATE = WindowGate(WINDOW)


def moved(*, right: float = 0, down: float = 0, turn_deg: float = 0, larger: float = 1) -> Points:
    """The usual corners somewhere else."""
    middle = CARD.mean(axis=0)
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned = (CARD - middle) * larger @ np.array([[cos, sin], [-sin, cos]])
    quad: Points = (turned + middle + (right, down)).astype(np.float32)
    return quad


def frame(*quads: Points, level: int = 225) -> Image:
    image = EMPTY.copy()
    for quad in quads:
        cv2.fillConvexPoly(image, np.rint(quad * 16).astype(np.int32), (level, level, level), cv2.LINE_AA, 4)
    return cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8)


@pytest.mark.parametrize(
    "quad",
    [moved(), moved(right=9, down=-7), moved(turn_deg=2.5), moved(turn_deg=-4, right=-12), moved(larger=1.004)],
)
def test_a_card_at_rest_is_found_within_reach_of_its_edges(quad: Points) -> None:
    found = GATE.card(frame(quad))
    assert found is not None
    assert not found.whole
    assert float(np.abs(found.corners - quad).max()) < 6


@pytest.mark.parametrize(
    "image",
    [
        EMPTY,
        frame(moved(right=90)),
        frame(moved(turn_deg=12)),
        frame(moved(larger=1.05)),
        frame(moved(larger=0.95)),
        frame(moved(), moved(right=20)),
        frame(moved(), moved(turn_deg=5)),
        frame(moved(), moved(right=-14, down=12)),
        frame(moved(right=300)),
    ],
    ids=["empty", "aside", "turned", "larger", "smaller", "two", "two crossed", "two aslant", "cut"],
)
def test_anything_else_is_left_to_the_search(image: Image) -> None:
    assert GATE.card(image) is None


def test_a_light_thing_beside_the_card_is_left_to_the_search_even_in_the_shade() -> None:
    image = frame(moved())
    image[100:160, 520:560] = 60
    assert GATE.card(image) is None


def test_what_is_always_in_view_hides_no_card() -> None:
    unseen = WindowGate(WindowCalibration(corners=CARD, empty=np.zeros_like(WINDOW.empty)))
    assert GATE.card(frame(moved())) is not None
    assert unseen.card(frame(moved())) is None


def test_a_frame_of_another_size_is_left_to_the_search() -> None:
    assert GATE.card(np.ascontiguousarray(frame(moved())[:400])) is None


def test_a_dark_window_is_no_card() -> None:
    noise = np.random.default_rng(3).integers(0, 6, (480, 640, 3)).astype(np.uint8)
    assert GATE.card(noise) is None
