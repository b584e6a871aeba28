"""The place of a card's print: two cards a little out of line move it in their outline, blur does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.enrolled import deck
from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH
from vision.deck_place import out_of_place

PICTURES = deck().pictures[5]


def cut(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """The card picture of an outline whose sides stand so far outside of the card's own, parts of its width."""
    least = np.array([-left, -top]) * PICTURE_WIDTH
    most = np.array([PICTURE_WIDTH, PICTURE_HEIGHT]) + np.array([right, bottom]) * PICTURE_WIDTH
    quad = np.array([least, [most[0], least[1]], most, [least[0], most[1]]], np.float32)
    card = np.array([[0, 0], [PICTURE_WIDTH, 0], [PICTURE_WIDTH, PICTURE_HEIGHT], [0, PICTURE_HEIGHT]], np.float32)
    warp = cv2.getPerspectiveTransform(quad, card)
    size = (PICTURE_WIDTH, PICTURE_HEIGHT)
    return cv2.warpPerspective(PICTURES[0], warp, size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


@pytest.mark.parametrize("sides", [(0.02, 0, 0, 0), (0, 0, 0.02, 0), (0.05, 0, 0, 0), (0, 0.03, 0, 0), (0, 0, 0, 0.03)])
def test_a_second_card_that_widens_the_outline_moves_the_print_in_it(sides: tuple[float, ...]) -> None:
    assert out_of_place(cut(*sides), PICTURES)
    assert out_of_place(cut(*sides)[::-1, ::-1], PICTURES)


@pytest.mark.parametrize("sides", [(0, 0, 0, 0), (0.005, 0.005, 0.005, 0.005), (-0.005, -0.005, -0.005, -0.005)])
def test_blur_that_moves_opposite_sides_alike_does_not(sides: tuple[float, ...]) -> None:
    assert not out_of_place(cut(*sides), PICTURES)
    assert not out_of_place(cut(*sides)[::-1, ::-1], PICTURES)
