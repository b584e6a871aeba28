"""Counting pips: every number of them, and what must give no opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.pips import PipCount, count_pips

if TYPE_CHECKING:
    from vision.frame import Image

PLACES = {
    1: "M.5", 2: "M.2 M.8", 3: "M.2 M.5 M.8", 4: "L.2 R.2 L.8 R.8", 5: "L.2 R.2 M.5 L.8 R.8",
    6: "L.2 R.2 L.5 R.5 L.8 R.8", 7: "L.2 R.2 M.35 L.5 R.5 L.8 R.8", 8: "L.2 R.2 M.35 L.5 R.5 M.65 L.8 R.8",
    9: "L.2 R.2 L.4 R.4 M.5 L.6 R.6 L.8 R.8", 10: "L.2 R.2 M.3 L.4 R.4 L.6 R.6 M.7 L.8 R.8",
}  # fmt: skip
COLUMNS = {"L": 0.3, "M": 0.5, "R": 0.7}


def card(*spots: str, radius: int = 10) -> Image:
    """A card of 200 × 280 px with an index in two corners and round pips."""
    image = np.full((280, 200, 3), 228, np.uint8)
    for turned in range(2):
        cv2.putText(image, "8", (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2)
        cv2.circle(image, (16, 45), 6, (30, 30, 190), -1)
        image = np.ascontiguousarray(image[::-1, ::-1]) if turned == 0 else image
    for spot in spots:
        at = round(COLUMNS[spot[0]] * 200), round(float(spot[1:]) * 280)
        cv2.circle(image, at, radius, (30, 30, 190), -1)
    return image


def counted(image: Image) -> PipCount:
    """Count on the card as the recogniser lays it straight: half as large, in its dimmest colour."""
    return count_pips(cv2.resize(image.min(axis=2), (100, 140), interpolation=cv2.INTER_AREA).astype(np.uint8))


@pytest.mark.parametrize("number", PLACES)
def test_every_number_of_pips_is_counted(number: int) -> None:
    assert counted(card(*PLACES[number].split())).count == number


@pytest.mark.parametrize("number", [4, 5, 7, 9, 10])
def test_a_hidden_pip_at_the_side_leaves_no_number_rather_than_a_wrong_one(number: int) -> None:
    for hidden in PLACES[number].split():
        spots = [spot for spot in PLACES[number].split() if spot != hidden]
        if not hidden.startswith("M"):
            assert counted(card(*spots)).count is None


@pytest.mark.parametrize("number", [5, 6, 8, 10])
def test_glare_over_the_middle_leaves_the_pips_that_it_makes_pale(number: int) -> None:
    image = card(*PLACES[number].split()).astype(np.float32)
    y, x = np.mgrid[0:280, 0:200]
    glare = np.exp(-((x - 100) ** 2) / (2 * 60**2) - (y - 140) ** 2 / (2 * 30**2))[..., None]
    lit = np.clip(0.6 * image + 130 * glare, 0, 255).astype(np.uint8)
    assert counted(lit).count == number


def test_blank_paper_has_no_pips() -> None:
    assert counted(card()).count is None


def test_a_picture_in_the_field_gives_no_opinion() -> None:
    image = card(*PLACES[4].split())
    cv2.rectangle(image, (80, 100), (120, 200), (120, 60, 30), -1)
    assert counted(image).count is None


def test_pips_of_different_sizes_are_none() -> None:
    image = card(*PLACES[2].split())
    cv2.circle(image, (100, 140), 24, (30, 30, 190), -1)
    assert counted(image).count is None


def test_the_boxes_say_where_the_pips_are() -> None:
    (box,) = counted(card("M.5")).boxes
    assert box.tolist() == pytest.approx([0.45, 0.464, 0.105, 0.075], abs=0.011)


@pytest.mark.parametrize(("slim", "least", "most"), [(True, 0.1, 0.3), (False, 0.5, 0.9)])
def test_the_tops_of_pips_are_slim_or_round(slim: bool, least: float, most: float) -> None:
    image = card()
    for x, y in ((60, 56), (140, 56), (60, 224), (140, 224)):
        up = -1 if y < 140 else 1
        if slim:
            leaf = np.array([[x, y + 12 * up], [x - 10, y - 12 * up], [x + 10, y - 12 * up]])
            cv2.fillPoly(image, [leaf], (30, 30, 30))
        else:
            cv2.circle(image, (x, y), 11, (30, 30, 30), -1)
    pips = counted(image)
    assert pips.count == 4
    assert pips.tip is not None
    assert least < pips.tip < most


def test_of_a_pip_in_the_middle_nobody_knows_which_way_it_stands() -> None:
    assert counted(card("M.5")).tip is None
    assert counted(card()).tip is None
