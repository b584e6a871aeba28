"""Edge refinement and the warps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH
from vision.rectify import CARD_HEIGHT, CARD_WIDTH, brightest, canonical, dimmest, index_crops, refine

if TYPE_CHECKING:
    from vision.frame import Image

TRUE = np.array([[195.4, 71.2], [446.1, 65.8], [452.9, 417.3], [189.7, 412.6]], np.float32)


FINE = 8
"""How much finer the card is drawn than the picture shows it, so that its edges are where `TRUE` says."""


def picture(ground: int = 20, blur: float = 0.8) -> Image:
    fine = np.full((480 * FINE, 640 * FINE), ground, np.uint8)
    cv2.fillConvexPoly(fine, np.round(TRUE * FINE + (FINE - 1) / 2).astype(np.int32), (220,))
    image = cv2.cvtColor(cv2.resize(fine, (640, 480), interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
    return cv2.GaussianBlur(image, (0, 0), blur).astype(np.uint8)


@pytest.mark.parametrize("seed", range(5))
def test_rough_corners_move_to_the_edges_to_a_pixel(seed: int) -> None:
    rough = TRUE + np.random.default_rng(seed).uniform(-5, 5, (4, 2)).astype(np.float32)
    edges = refine(picture(), rough)
    assert edges.found
    assert np.abs(edges.corners - TRUE).max() < 1.0
    assert edges.residual < 0.003


def test_blur_shows_as_the_width_of_the_edge() -> None:
    sharp, soft = (refine(picture(blur=blur), TRUE).width for blur in (0.8, 5.0))
    assert sharp < 0.012
    assert soft > 0.03


def test_motion_along_one_side_shows_as_well() -> None:
    smeared = cv2.blur(picture(), (16, 1)).astype(np.uint8)
    assert refine(smeared, TRUE).width > 0.03


def test_without_edges_the_rough_corners_stay() -> None:
    edges = refine(np.full((480, 640, 3), 128, np.uint8), TRUE)
    assert not edges.found
    assert edges.corners is TRUE


def test_an_index_crop_shows_the_corner_and_the_opposite_one_turned() -> None:
    card = np.zeros((700, 500, 3), np.uint8)
    width, height = round(500 * INDEX_WIDTH), round(700 * INDEX_HEIGHT)
    card[:height, :width] = (200, 0, 0)
    card[: height // 2, : width // 2] = (0, 0, 200)
    card[-height:, -width:] = (0, 200, 0)
    card[-height // 2 :, -width // 2 :] = (0, 0, 200)
    corners = np.array([[0, 0], [500, 0], [500, 700], [0, 700]], np.float32)
    crops = index_crops(card, corners, (0.0, 1.0))
    assert [crop.shape for crop in crops] == [(CROP_HEIGHT, CROP_WIDTH, 3)] * 2
    for crop, colour in zip(crops, (0, 1), strict=True):
        assert crop[10, 10].argmax() == 2
        assert crop[60, 10].argmax() == colour
        assert crop[10, 40].argmax() == colour


def test_the_right_corners_are_cut_as_the_left_ones_are() -> None:
    card = np.zeros((700, 500, 3), np.uint8)
    card[:100, -100:] = card[-100:, :100] = (0, 0, 200)
    corners = np.array([[0, 0], [500, 0], [500, 700], [0, 700]], np.float32)
    for crop in index_crops(card, corners, (0.0, 1.0), at_right=True):
        assert crop[10, 40].argmax() == 2
        assert crop[10, 40].max() > crop[10, 5].max()


def test_a_view_begins_lower_or_is_larger() -> None:
    card = np.repeat(np.linspace(0, 250, 700, dtype=np.uint8)[:, None, None], 500, axis=1).repeat(3, axis=2)
    corners = np.array([[0, 0], [500, 0], [500, 700], [0, 700]], np.float32)
    plain, lower, larger = (index_crops(card, corners, view)[0] for view in ((0.0, 1.0), (0.11, 1.0), (0.0, 1.4)))
    assert lower[0].mean() > plain[0].mean() + 20
    assert larger[36].mean() == pytest.approx(plain[36].mean(), abs=12)


def test_a_canonical_card_is_laid_straight() -> None:
    card = canonical(picture(), TRUE)
    assert card.shape == (CARD_HEIGHT, CARD_WIDTH)
    assert card[2:-2, 2:-2].min() > 190


def test_the_extreme_colour_is_that_of_each_pixel_also_in_a_part_of_a_picture() -> None:
    image = np.random.default_rng(4).integers(0, 256, (9, 14, 3)).astype(np.uint8)
    for part in (image, image[2:7, 3:11]):
        assert np.array_equal(dimmest(part), part.min(axis=2))
        assert np.array_equal(brightest(part), part.max(axis=2))
