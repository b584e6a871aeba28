"""The gate of a calibrated window: whether one card stands where cards come to rest, told by a small picture alone.

It knows one answer, a card, and is silent otherwise: what it does not know is for the search of the whole frame.
"""

from __future__ import annotations

import math
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
    Stance = tuple[float, float, float]
    """The middle of a shape, px, and the direction of its longer axis, or its turn from the usual one, radians."""


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


class WindowGate:
    """The gate of one window; it keeps nothing from one look to the next."""

    def __init__(self, window: WindowCalibration, *, limits: GateLimits | None = None) -> None:
        self._limits = limits or GateLimits()
        self._empty = window.empty
        usual = _small(window.corners)
        self._area = cv2.contourArea(usual)
        self._stance = _stance(usual[:, None])
        self._around: list[list[float]] = (usual - self._stance[:2]).tolist()
        self._width = window.width_px / REDUCED

    def card(self, image: Image) -> Quad | None:
        """Return the outline of the one card that stands in the window, some px wrong; None where that is not certain.

        Args:
            image: `(H, W, 3) uint8 BGR`; of another size than the calibration's frames, it is not looked at.
        """
        if (image.shape[0] // REDUCED, image.shape[1] // REDUCED) != self._empty.shape:
            return None
        lighter = cv2.subtract(reduced(image), self._empty)
        _, mask = cv2.threshold(lighter, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not contours:
            return None
        contour = np.asarray(max(contours, key=len), np.int32)
        stance = self._at_rest(contour) if self._is_card(contour) else None
        if stance is None:
            return None
        covered = [(round(x), round(y)) for x, y in self._corners(stance, larger=_COVERED)]
        cv2.fillConvexPoly(lighter, np.array(covered, np.int32), (0,))
        _, beside = cv2.threshold(lighter, self._limits.step, 255, cv2.THRESH_BINARY)
        if cv2.countNonZero(beside) > self._limits.beside * self._area:
            return None
        corners = [((x + 0.5) * REDUCED - 0.5, (y + 0.5) * REDUCED - 0.5) for x, y in self._corners(stance)]
        return Quad(corners=np.array(corners, np.float32))

    def _is_card(self, contour: Contour) -> bool:
        """Return whether a shape has the area of one card, and no notches."""
        drawn = cv2.contourArea(contour)
        # The outline runs through the middles of the border's pixels, half a pixel inside the shape.
        area = drawn + len(contour) / 2 + 1
        if abs(area / self._area - 1) > self._limits.area:
            return False
        return drawn >= self._limits.convex * cv2.contourArea(cv2.convexHull(contour))

    def _at_rest(self, contour: Contour) -> Stance | None:
        """Return how a card stands, turned from the usual way; None where that is no place of one at rest."""
        (x, y, angle), (usual_x, usual_y, usual_angle) = _stance(contour), self._stance
        turn = (angle - usual_angle + math.pi / 2) % math.pi - math.pi / 2
        off = math.hypot(x - usual_x, y - usual_y)
        return None if abs(turn) > self._limits.turn or off > self._limits.place * self._width else (x, y, turn)

    def _corners(self, stance: Stance, *, larger: float = 1.0) -> list[tuple[float, float]]:
        """Return the corners of a card that stands and is turned so, or of one so much larger, reduced px."""
        x, y, turn = stance
        cos, sin = larger * math.cos(turn), larger * math.sin(turn)
        return [(x + cos * right - sin * down, y + sin * right + cos * down) for right, down in self._around]


def _small(corners: Points) -> Points:
    """Return points of a frame as points of the reduced one."""
    return ((corners + 0.5) / REDUCED - 0.5).astype(np.float32)


def _stance(outline: Contour | Points) -> Stance:
    """Return the middle of a shape, px, and the direction of its longer axis, radians, from its moments."""
    moments = cv2.moments(outline)
    angle = 0.5 * math.atan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"], angle
