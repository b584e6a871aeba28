"""Light and dark frames."""

from __future__ import annotations

import numpy as np
import pytest

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card
from vision.scene import is_dark, mean_level

CARD = CardInView(card=Card.parse("AS"), face_to_camera=True, x_mm=0, y_mm=0, angle_deg=0, turned=False)


def scene(*cards: CardInView, lamp: bool, seed: int) -> WindowScene:
    return WindowScene(cards=cards, lamp=lamp, speed_mm_s=0, pack="plain", back="lattice", seed=seed)


def test_the_mean_level_counts_all_colours_and_pixels() -> None:
    image = np.zeros((2, 2, 3), np.uint8)
    image[0, 0] = (240, 120, 0)
    assert mean_level(image) == pytest.approx(30.0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_frame_without_the_lamp_is_dark_whether_a_card_is_there_or_not(seed: int) -> None:
    assert is_dark(render_window(scene(lamp=False, seed=seed)))
    assert is_dark(render_window(scene(CARD, lamp=False, seed=seed)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_lit_window_is_not_dark_even_when_it_is_empty(seed: int) -> None:
    assert not is_dark(render_window(scene(lamp=True, seed=seed)))
    assert not is_dark(render_window(scene(CARD, lamp=True, seed=seed)))
