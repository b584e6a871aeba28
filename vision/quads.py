"""Plane geometry of four-cornered outlines: order, sides, lines through points, where lines cross.

Points are `(x, y)` in px; an outline is `(4, 2) float32`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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

_OFF_LINE: Final = (0.7, 1.5)
"""A point further off its line than both is an outlier: in px, and in medians of the distances."""


def fit_lines(points: Points, used: NDArray[np.bool_]) -> tuple[Points, Points] | None:
    """Return the straight lines through four sets of points, outliers left out; None where a set has too few.

    Args:
        points: `(4, N, 2)`, px; or `(1, N, 2)`, the same for all.
        used: `(4, N)`, which points belong to a set.

    Returns:
        The lines, `(4, 4) float32`, each `(vx, vy, x, y)` of a direction and a point, and the medians of the distances
        of the used points from them, `(4,) float32`, px.
    """
    x, y = points[..., 0], points[..., 1]
    count = used.sum(axis=1)
    if int(count.min()) < _LEAST_POINTS:
        return None
    distance = _distances(_lines(x, y, used), x, y)
    limit = np.maximum(_OFF_LINE[1] * _medians_of(distance, used, count), _OFF_LINE[0])
    # A used point is at most as far off as the median for half of them, so that enough are left.
    lines = _lines(x, y, used & (distance <= limit[:, None]))
    return lines, _medians_of(_distances(lines, x, y), used, count)


def _lines(x: Points, y: Points, used: NDArray[np.bool_]) -> Points:
    """Return the lines from which the used points have the least squares of distances."""
    weight = used / used.sum(axis=1, keepdims=True, dtype=np.float32)
    middle_x, middle_y = (weight * x).sum(axis=1), (weight * y).sum(axis=1)
    off_x, off_y = x - middle_x[:, None], y - middle_y[:, None]
    weighted_x = weight * off_x
    across = (weighted_x * off_y).sum(axis=1)
    spread = (weighted_x * off_x).sum(axis=1) - (weight * off_y * off_y).sum(axis=1)
    angle = 0.5 * np.arctan2(2 * across, spread)
    return np.stack([np.cos(angle), np.sin(angle), middle_x, middle_y], axis=1).astype(np.float32)


def _distances(lines: Points, x: Points, y: Points) -> Points:
    along_x, along_y, at_x, at_y = lines.T[:, :, None]
    distances: Points = np.abs((x - at_x) * along_y - (y - at_y) * along_x)
    return distances


_ROWS: Final = np.arange(4)


def _medians_of(values: Points, used: NDArray[np.bool_], count: NDArray[np.int64]) -> Points:
    """Return the medians of the used values of each of four rows."""
    ordered = np.sort(np.where(used, values, np.float32(np.inf)), axis=1)
    middle: Points = (ordered[_ROWS, (count - 1) // 2] + ordered[_ROWS, count // 2]) * np.float32(0.5)
    return middle


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
