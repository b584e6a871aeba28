"""Whether other cards lie in the picture beside the one that was read: a reading of one of several is no reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rectify import dimmest
from vision.table_corners import LEVELS, light_outlines
from vision.table_index import IndexLimits, index_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image
    from vision.table_corners import Corner
    from vision.table_index import IndexFound

    Points = NDArray[np.float32]

_UNIT: Final = 60
"""Width at which the card is looked beside, px: enough for the outline of another."""

_APART: Final = 0.3
"""Part of another shape that may lie on the card that was read; a window of the card itself lies on it wholly."""


_COVERED: Final = 1.04
"""How much larger than the card the part of the picture is that is left out, so that its own rim is no light shape."""

_LEAST_LIGHT: Final = 0.08
"""Least light beside the card, parts of the square of its width: an index alone lies on so much paper."""

_NEAR: Final = 0.1
"""How far off the card an index must stand to be another card's, parts of the card's width."""

_CARD_WIDTH_MM: Final = 63.5


def has_company(image: Image, corners: Points) -> bool:
    """Return whether a shape of a card's form and size, or the index of another card, lies beside a card.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
    """
    width = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    if not _light_beside(image, corners, width):
        return False
    scale = _UNIT / width
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = np.asarray(
        cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR), np.uint8
    )
    quad = (corners * scale).astype(np.float32)
    cv2.fillConvexPoly(small, _covered(quad), (0, 0, 0))
    outlines = light_outlines(small, _UNIT)
    for box in outlines.boxes:
        if cv2.intersectConvexConvex(quad, box)[0] < _APART * cv2.contourArea(box):
            return True
    return any(
        found is not None and _outside(quad, corner, found)
        for corner in outlines.corners
        for found in [index_in(small, corner, _UNIT / _CARD_WIDTH_MM, IndexLimits())]
    )


_SAMPLED: Final = 4
"""One pixel in so many, each way, tells whether there is any light."""


def _light_beside(image: Image, corners: Points, width: float) -> bool:
    """Return whether there is so much light beside a card that another card, or an index, may be there."""
    size = (max(image.shape[1] // _SAMPLED, 1), max(image.shape[0] // _SAMPLED, 1))
    dim = dimmest(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8))
    cv2.fillConvexPoly(dim, _covered((corners / _SAMPLED).astype(np.float32)), (0,))
    _, light = cv2.threshold(dim, LEVELS[0], 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(light) >= _LEAST_LIGHT * (width / _SAMPLED) ** 2


def _covered(quad: Points) -> NDArray[np.int32]:
    """Return the part of the picture that is left out for the card."""
    middle = quad.mean(axis=0)
    covered: NDArray[np.int32] = np.round(middle + (quad - middle) * _COVERED).astype(np.int32)
    return covered


def _outside(quad: Points, corner: Corner, found: IndexFound) -> bool:
    """Return whether the middle of an index lies off the card."""
    left, top, width, height = np.array(found.box) * (_UNIT / _CARD_WIDTH_MM)
    middle = corner.at + corner.along * (left + width / 2) + corner.back * (top + height / 2)
    return cv2.pointPolygonTest(quad, (float(middle[0]), float(middle[1])), measureDist=True) < -_NEAR * _UNIT
