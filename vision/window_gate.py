"""The gate of a calibrated window: whether one card stands where cards come to rest, told by a small picture alone.

It knows one answer, a card, and is silent otherwise: what it does not know is for the search of the whole frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.locate import Quad
from vision.window_calibration import REDUCED, reduced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image
    from vision.window_calibration import WindowCalibration

    Points = NDArray[np.float32]
    Contour = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLimits:
    """Within what a shape is a card at rest.

    Attributes:
        area: by how much its area may differ from that of a card, parts; one card differs by 0.015 at most.
        convex: its area over that of its hull: two cards out of line leave notches; the steps of a card that leans cost
            0.021 of it at most.
        place: how far its middle may be from the usual one, parts of the card's width.
        turn: how far it may be turned from the usual way, radians.
        step: by how much a pixel must be lighter than the empty window to count, levels of 255.
        beside: such pixels that may lie outside the card, parts of its area.
    """

    area: float = 0.03
    convex: float = 0.974
    place: float = 0.2
    turn: float = 0.1
    step: int = 30
    beside: float = 0.005


_COVERED: Final = 1.06
"""How much larger than the card the part of the picture is in which its own rim and glow lie."""


def card_in_window(image: Image, window: WindowCalibration, limits: GateLimits) -> Quad | None:
    """Return the outline of the one card that stands in a window, some px wrong; None where that is not certain.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        window: calibrated by frames of the same size; one of another size is not looked at.
        limits: within what the shape must be.
    """
    if (image.shape[0] // REDUCED, image.shape[1] // REDUCED) != window.empty.shape:
        return None
    lighter = cv2.subtract(reduced(image), window.empty)
    _, mask = cv2.threshold(lighter, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = np.asarray(max(contours, key=len), np.int32)
    usual = (window.corners + 0.5) / REDUCED - 0.5
    corners = _moved(usual.astype(np.float32), contour, limits)
    if corners is None:
        return None
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(lighter, np.rint(middle + (corners - middle) * _COVERED).astype(np.int32), (0,))
    _, beside = cv2.threshold(lighter, limits.step, 255, cv2.THRESH_BINARY)
    if cv2.countNonZero(beside) > limits.beside * cv2.contourArea(corners):
        return None
    return Quad(corners=((corners + 0.5) * REDUCED - 0.5).astype(np.float32))


def _moved(usual: Points, contour: Contour, limits: GateLimits) -> Points | None:
    """Return the usual corners moved and turned to where a shape is; None where it is no card at rest."""
    drawn = cv2.contourArea(contour)
    # The outline runs through the middles of the border's pixels, half a pixel inside the shape.
    area = drawn + len(contour) / 2 + 1
    if abs(area / cv2.contourArea(usual) - 1) > limits.area:
        return None
    if drawn < limits.convex * cv2.contourArea(cv2.convexHull(contour)):
        return None
    (x, y, angle), (usual_x, usual_y, usual_angle) = _stance(contour), _stance(usual[:, None])
    turn = (angle - usual_angle + np.pi / 2) % np.pi - np.pi / 2
    reach = limits.place * float(np.hypot(*(usual[1] - usual[0])))
    if abs(turn) > limits.turn or np.hypot(x - usual_x, y - usual_y) > reach:
        return None
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    moved: Points = ((usual - (usual_x, usual_y)) @ spin + (x, y)).astype(np.float32)
    return moved


def _stance(outline: Contour | Points) -> tuple[float, float, float]:
    """Return the middle of a shape, px, and the direction of its longer axis, radians, from its moments."""
    moments = cv2.moments(outline)
    angle = 0.5 * np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"], float(angle)
