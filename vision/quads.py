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
    sides = corners[_NEXT] - corners
    lengths: Points = np.sqrt((sides * sides).sum(axis=1)).astype(np.float32)
    return lengths


_NEXT: Final = np.array([1, 2, 3, 0])
"""Places of the corners that follow the four; picking them takes a fifth of the time of rolling the array."""


def medians(values: Points) -> Points:
    """Return the median of each row of `(N, M)`, `(N,)`; NumPy's own takes ten times as long on so few values."""
    ordered = np.sort(values, axis=1)
    count = values.shape[1]
    middle: Points = (ordered[:, (count - 1) // 2] + ordered[:, count // 2]) * np.float32(0.5)
    return middle


_LEAST_POINTS: Final = 8


def fit_line(points: Points) -> Points | None:
    """Return the line `(vx, vy, x, y)` through points, outliers left out; None where there are too few."""
    if len(points) < _LEAST_POINTS:
        return None
    line = cv2.fitLine(points, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    distance = np.abs((points[:, 0] - line[2]) * line[1] - (points[:, 1] - line[3]) * line[0])
    kept = points[distance <= max(0.7, 1.5 * float(medians(distance[None])[0]))]
    if len(kept) >= _LEAST_POINTS:
        line = cv2.fitLine(kept, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    return line.astype(np.float32)


def crossings(lines: Points) -> Points | None:
    """Return where each of four lines meets the one before it, `(4, 2) float32`; None where two are parallel."""
    before = lines[_BEFORE]
    turn = before[:, 1] * lines[:, 0] - before[:, 0] * lines[:, 1]
    if float(np.abs(turn).min()) < _PARALLEL:
        return None
    gap = lines[:, 2:] - before[:, 2:]
    step = (gap[:, 1] * lines[:, 0] - gap[:, 0] * lines[:, 1]) / turn
    corners: Points = (before[:, 2:] + before[:, :2] * step[:, None]).astype(np.float32)
    return corners


_BEFORE: Final = np.array([3, 0, 1, 2])
_PARALLEL: Final = 1e-2


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
