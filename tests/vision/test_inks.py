"""Whether pips are of one ink: French suits are, bells and their like are not; the light makes no difference."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.inks import in_one_ink
from vision.rectify import CARD_HEIGHT, CARD_WIDTH

Colour = tuple[int, int, int]

BLACK, RED, BLUE, YELLOW, GREEN = (25, 25, 25), (30, 20, 200), (190, 90, 30), (40, 200, 240), (40, 120, 20)
"""Inks, BGR."""


def card(*inks: Colour, paper: Colour = (245, 245, 245)) -> np.ndarray:
    """Nine round pips, each in bands of the inks."""
    shown = np.full((CARD_HEIGHT, CARD_WIDTH, 3), paper, np.uint8)
    for row in range(3):
        for column in range(3):
            middle = (28 + 22 * column, 40 + 30 * row)
            for number, ink in enumerate(inks):
                start, end = 360 * number / len(inks), 360 * (number + 1) / len(inks)
                cv2.ellipse(shown, middle, (10, 10), 0, start, end, ink, -1, cv2.LINE_AA)
    return shown


def blurred(shown: np.ndarray, sigma: float) -> np.ndarray:
    return cv2.GaussianBlur(shown, (0, 0), sigma).astype(np.uint8)


@pytest.mark.parametrize("ink", [BLACK, RED, BLUE, GREEN])
def test_pips_of_one_colour_are_in_one_ink(ink: Colour) -> None:
    assert in_one_ink(card(ink))
    assert in_one_ink(blurred(card(ink), 3.0))


def test_a_black_outline_is_no_other_colour() -> None:
    assert in_one_ink(card(RED, BLACK))


@pytest.mark.parametrize("inks", [(YELLOW, BLUE), (YELLOW, RED, BLUE), (RED, GREEN), (YELLOW, GREEN)])
def test_pips_of_two_colours_are_not(inks: tuple[Colour, ...]) -> None:
    assert not in_one_ink(card(*inks))
    assert not in_one_ink(blurred(card(*inks), 2.0))


@pytest.mark.parametrize("light", [(0.6, 0.9, 1.0), (1.0, 0.95, 0.8), (0.35, 0.35, 0.35)])
def test_coloured_light_changes_neither(light: tuple[float, float, float]) -> None:
    assert in_one_ink((card(RED) * np.array(light)).astype(np.uint8))
    assert not in_one_ink((card(YELLOW, BLUE) * np.array(light)).astype(np.uint8))


def test_an_empty_card_and_a_black_picture_are_in_one_ink() -> None:
    assert in_one_ink(card())
    assert in_one_ink(np.zeros((CARD_HEIGHT, CARD_WIDTH, 3), np.uint8))
