"""Plane geometry of four-cornered outlines: order, sides, lines through points, where lines cross.

Points are `(x, y)` in px; an outline is `(4, 2) float32`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float32]
    Line = tuple[float, float, float, float]
    """`(vx, vy, x, y)` of a direction and a point, px."""
    Way = tuple[float, float, float, float, float, float]
    """A side's first corner, the way from it to the next one, px, and the unit vector outward."""


def side_lengths(corners: Points) -> Points:
    """Return the lengths of the four sides, px, the one after the first corner first."""
    sides = corners[_NEXT] - corners
    lengths: Points = np.sqrt((sides * sides).sum(axis=1)).astype(np.float32)
    return lengths


def ways(corners: Points) -> list[Way]:
    """Return where each side begins, how it runs, and which way is out of the outline.

    Args:
        corners: `(4, 2) float32`, px, clockwise.
    """
    # In numbers of Python's own, here and where lines cross: arrays of four take several times as long.
    points = corners.tolist()
    found = []
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1], strict=True):
        side_x, side_y = next_x - x, next_y - y
        length = max(math.hypot(side_x, side_y), _LEAST_LENGTH)
        found.append((x, y, side_x, side_y, side_y / length, -side_x / length))
    return found


_LEAST_LENGTH: Final = 1e-3


def card_size(corners: Points) -> Points:
    """Return width and height of a quad, the means of its opposite sides, `(2,) float32`, px."""
    one, two, three, four = corners.tolist()
    width, height = math.dist(one, two) + math.dist(three, four), math.dist(two, three) + math.dist(four, one)
    return np.array((width / 2, height / 2), np.float32)


def proportion(corners: Points) -> float:
    """Return the width of a quad, parts of its height."""
    width, height = card_size(corners).tolist()
    return float(width / height)


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


def fit_sides(corners: Points, place: Points, off: Points, used: NDArray[np.bool_]) -> tuple[list[Line], Points] | None:
    """Return the straight lines along which four sides run that are known roughly; None where points are too few.

    The lines have the least squares of distances across the rough side, those of outliers left out.

    Args:
        corners: between which the rough sides run, `(4, 2)`, px.
        place: of points along the sides, `(4, N)` or `(N,)`, parts of their length.
        off: how far out of the rough side the points are, `(4, N)`, px.
        used: `(4, N)`, which points belong to a side.

    Returns:
        The four lines, and the medians of the distances of the used points from them, `(4,) float32`, px.
    """
    count = used.sum(axis=1)
    if int(count.min()) < _LEAST_POINTS:
        return None
    left, start, rise = _off_line(place, off, used)
    distance = np.abs(left)
    middle = _medians_of(distance, used, count)
    # The half of the used points that lies nearest is within the limit, so that enough are left.
    near = used & (distance <= np.maximum(_OFF_LINE[1] * middle, _OFF_LINE[0])[:, None])
    if np.count_nonzero(near) < int(count.sum()):
        left, start, rise = _off_line(place, off, near)
        middle = _medians_of(np.abs(left), used, count)
    lines = [
        (side_x + out_x * rises, side_y + out_y * rises, x + out_x * starts, y + out_y * starts)
        for (x, y, side_x, side_y, out_x, out_y), starts, rises in zip(
            ways(corners), start[:, 0].tolist(), rise[:, 0].tolist(), strict=True
        )
    ]
    return lines, middle


def _off_line(place: Points, off: Points, used: NDArray[np.bool_]) -> tuple[Points, Points, Points]:
    """Return how far points are off the best line, `(4, N)`, and its start and rise, each `(4, 1)`, px."""
    weight = used.astype(np.float32)
    total = weight.sum(axis=1, keepdims=True)
    weighted, height = weight * place, weight * off
    middle, level = weighted.sum(axis=1, keepdims=True) / total, height.sum(axis=1, keepdims=True) / total
    aside = place - middle
    rise = (height * aside).sum(axis=1, keepdims=True) / np.maximum((weighted * aside).sum(axis=1, keepdims=True), 1e-6)
    left: Points = off - level - rise * aside
    return left, level - rise * middle, rise


_ROWS: Final = np.arange(4)


def _medians_of(values: Points, used: NDArray[np.bool_], count: NDArray[np.intp]) -> Points:
    """Return the medians of the used values of each of four rows."""
    ordered = np.where(used, values, np.float32(np.inf))
    ordered.sort(axis=1)
    middle: Points = (ordered[_ROWS, (count - 1) // 2] + ordered[_ROWS, count // 2]) * np.float32(0.5)
    return middle


def crossings(lines: list[Line]) -> Points | None:
    """Return where each of four lines meets the one before it, `(4, 2) float32`; None where two are parallel."""
    corners = []
    for (back_x, back_y, from_x, from_y), (way_x, way_y, x, y) in zip(lines[-1:] + lines[:-1], lines, strict=True):
        turn = back_y * way_x - back_x * way_y
        if abs(turn) <= _PARALLEL * math.hypot(back_x, back_y) * math.hypot(way_x, way_y):
            return None
        step = ((y - from_y) * way_x - (x - from_x) * way_y) / turn
        corners.append((from_x + back_x * step, from_y + back_y * step))
    return np.array(corners, np.float32)


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
