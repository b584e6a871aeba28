"""Plane geometry of four-cornered outlines: order, sides, lines through points, where lines cross.

Points are `(x, y)` in px; an outline is `(4, 2) float32`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float32]


def side_lengths(corners: Points) -> Points:
    """Return the lengths of the four sides, px, the one after the first corner first."""
    lengths: Points = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).astype(np.float32)
    return lengths


_LEAST_POINTS: Final = 8


def fit_line(points: Points) -> Points | None:
    """Return the line `(vx, vy, x, y)` through points, outliers left out; None where there are too few."""
    if len(points) < _LEAST_POINTS:
        return None
    line = cv2.fitLine(points, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    distance = np.abs((points[:, 0] - line[2]) * line[1] - (points[:, 1] - line[3]) * line[0])
    kept = points[distance <= max(0.7, 1.5 * float(np.median(distance)))]
    if len(kept) >= _LEAST_POINTS:
        line = cv2.fitLine(kept, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    return line.astype(np.float32)


def crossings(lines: Points) -> Points | None:
    """Return where each of four lines meets the one before it, `(4, 2) float32`; None where two are parallel."""
    corners = []
    for before, after in zip(np.roll(lines, 1, axis=0), lines, strict=True):
        turn = before[0] * -after[1] + before[1] * after[0]
        if abs(turn) < 1e-2:
            return None
        gap = after[2:] - before[2:]
        step = (gap[0] * -after[1] + gap[1] * after[0]) / turn
        corners.append(before[2:] + before[:2] * step)
    return np.array(corners, np.float32)


def clockwise(corners: Points) -> Points:
    """Return the corners clockwise as seen, from the top left one of a short side."""
    centre = corners.mean(axis=0)
    turn = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    ordered: Points = corners[np.argsort(turn)]
    sides = side_lengths(ordered)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        ordered = np.roll(ordered, -1, axis=0)
    if ordered[0].sum() > ordered[2].sum():
        ordered = np.roll(ordered, -2, axis=0)
    return ordered
