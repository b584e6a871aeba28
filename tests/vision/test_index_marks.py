"""Rings and notches of drawn indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.index_marks import IndexMarks, index_marks
from vision.rectify import dimmest

if TYPE_CHECKING:
    from vision.frame import Image

SIGNS = {
    "heart": [(0, 18), (-9, 7), (-9, 2), (-5, 0), (0, 5), (5, 0), (9, 2), (9, 7)],
    "diamond": [(0, 0), (8, 9), (0, 18), (-8, 9)],
    "gem": [(-6, 0), (6, 0), (9, 6), (0, 18), (-9, 6)],
}


def index(figure: str, sign: str = "diamond", *, right: int = 0) -> Image:
    """A whitened crop with a figure over a sign."""
    crop = np.full((72, 48, 3), 235, np.uint8)
    cv2.putText(crop, figure, (6 + right, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 30, 200), 2, cv2.LINE_AA)
    outline = np.array(SIGNS[sign]) + np.array([16 + right, 40])
    cv2.fillPoly(crop, [outline.astype(np.int32)], (40, 30, 200), cv2.LINE_AA)
    return crop


def marks_of(crop: Image) -> IndexMarks:
    return index_marks(dimmest(crop))


@pytest.mark.parametrize(
    ("figure", "least", "most"), [("9", 0.2, 0.4), ("6", 0.6, 0.8), ("4", 0.35, 0.65), ("Q", 0.35, 0.6)]
)
def test_a_ring_is_told_by_its_height(figure: str, least: float, most: float) -> None:
    rings = marks_of(index(figure)).rings
    assert rings is not None
    assert len(rings) == 1
    assert least < rings[0] < most


def test_an_eight_has_two_rings_and_a_seven_none() -> None:
    rings = marks_of(index("8")).rings
    assert rings is not None
    assert [ring < 0.5 for ring in rings] == [True, False]
    assert marks_of(index("7")).rings == ()


def test_only_a_heart_has_a_notch() -> None:
    depths = {sign: marks_of(index("5", sign)).notch for sign in SIGNS}
    assert depths["heart"] is not None
    assert depths["heart"] > 0.15
    for sign in ("diamond", "gem"):
        depth = depths[sign]
        assert depth is not None
        assert depth < 0.03


@pytest.mark.parametrize("crop", [np.full((72, 48, 3), 235, np.uint8), np.zeros((72, 48, 3), np.uint8)])
def test_where_nothing_is_printed_there_is_no_opinion(crop: Image) -> None:
    marks = marks_of(crop)
    assert (marks.rings, marks.notch) == (None, None)


def test_a_sign_that_is_cut_tells_nothing() -> None:
    cut = index("5", "heart")[:50]
    assert marks_of(np.ascontiguousarray(cut)).notch is None


def test_the_ground_beside_a_rounded_corner_is_no_figure() -> None:
    crop = index("9", "heart")
    plain = marks_of(crop)
    cv2.fillPoly(crop, [np.array([[0, 0], [7, 0], [0, 7]], np.int32)], (10, 10, 10))
    marks = marks_of(crop)
    assert marks.rings == pytest.approx(plain.rings, abs=0.03)
    assert marks.notch == pytest.approx(plain.notch, abs=0.05)
