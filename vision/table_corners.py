"""Find what may be corners of cards in a picture of the table: right angles in the outlines of light shapes.

Points are `(x, y)` px of the picture, directions are unit vectors; y grows downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]

LEVELS: Final = (40, 52, 66, 82, 100, 120, 142, 166, 192, 218)
"""Levels of the dimmest colour at which the picture is split, of 255: paper in any light stands out at one of them."""

_HALF: Final = 2
"""The outlines are searched in a picture of half the size."""

_STRAIGHT: Final = 0.028
"""By how much an outline may leave a straight side, parts of a card's width."""

_LEAST_SIDE: Final = 0.13
"""Shortest straight piece beside a corner, parts of a card's width."""

_LONGEST_SIDE: Final = 2.3
"""Longest straight side of anything that may be a card or two, parts of a card's width."""

_RIGHT_ANGLE: Final = 0.26
"""Largest cosine of a corner's angle: 15 degrees from a right angle, for cards that lean."""

_LEAST_AREA: Final = 0.1
"""Smallest light shape that is looked at, parts of a card's area."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corner:
    """What may be the corner of a card.

    Attributes:
        at: `(2,) float32`, where its two sides would meet.
        along: `(2,)`, direction of the side that leads away clockwise, as seen.
        back: `(2,)`, direction of the other side.
    """

    at: Points
    along: Points
    back: Points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """What the search found.

    Attributes:
        corners: of light shapes.
        boxes: `(N, 4, 2) float32`, corners of the boxes around shapes that may be one whole card, clockwise.
    """

    corners: tuple[Corner, ...]
    boxes: Points


def light_outlines(image: Image, card_width: float, *, shaded: bool = False) -> Outlines:
    """Return the corners of light shapes, and the boxes around those that have the form of one card.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        card_width: width of a card lying on the table, px.
        shaded: light shapes are also parted where a line of shadow runs between them, as between cards on each other,
            and print near their edges is passed over.
    """
    blue, green, red = cv2.split(image)
    dimmest = cv2.min(cv2.min(blue, green), red)
    height, width = dimmest.shape
    small = cv2.resize(dimmest, (width // _HALF, height // _HALF), interpolation=cv2.INTER_AREA).astype(np.uint8)
    unit = card_width / _HALF
    corners: list[Corner] = []
    boxes: list[Points] = []
    masks = [cv2.threshold(small, level, 255, cv2.THRESH_BINARY)[1] for level in LEVELS]
    if shaded:
        side = max(3, round(_PRINT * unit) | 1)
        bare = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
        masks[1::2] = [cv2.threshold(bare, level, 255, cv2.THRESH_BINARY)[1] for level in LEVELS[1::2]]
        masks += [_without_shadow(small, unit, depth) for depth in _SHADOW_DEPTHS]
    for mask in masks:
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for outline in contours:
            contour = np.asarray(outline, np.int32)
            if cv2.contourArea(contour) < _LEAST_AREA * 1.4 * unit * unit:
                continue
            corners += _corners_of(contour, unit, stepped=shaded)
            box = _box_of(contour, unit)
            boxes += [] if box is None else [box]
    return Outlines(
        corners=tuple(_distinct(corners)),
        boxes=np.array(boxes, np.float32).reshape(-1, 4, 2),
    )


_PRINT: Final = 0.12
"""Largest mark that is passed over at every second level, parts of a card's width: an index at the very edge of a card
breaks its outline."""

_SHADOW_DEPTHS: Final = (0.93, 0.84)
"""Light in the line of shadow beside a card, parts of that around it."""

_SHADOW_REACH: Final = 0.3
"""Side of the square whose mean light a place is compared with, parts of a card's width."""


def _without_shadow(small: NDArray[np.uint8], unit: float, depth: float) -> cv2.typing.MatLike:
    """Return the mask of the places that are light, and not darker than what is around them."""
    side = max(3, round(_SHADOW_REACH * unit) | 1)
    around = cv2.blur(small, (side, side)).astype(np.float32)
    return np.where((small > LEVELS[0]) & (small >= depth * around), 255, 0).astype(np.uint8)


def _full_size(points: Points) -> Points:
    return ((points + 0.5) * _HALF - 0.5).astype(np.float32)


def _corners_of(contour: NDArray[np.int32], unit: float, *, stepped: bool) -> list[Corner]:
    """Return the right angles of an outline; where `stepped`, also those of which one side is short."""
    outline = cv2.approxPolyDP(contour, max(1.0, _STRAIGHT * unit), closed=True)[:, 0].astype(np.float32)
    # OpenCV runs around a light shape against the clock as seen; its reverse is clockwise.
    outline = _joined(outline[::-1], unit)
    if len(outline) < 3:
        return []
    found = []
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(sides, axis=1)
    directions = sides / np.maximum(lengths, 1e-3)[:, None]
    long_enough = (lengths >= _LEAST_SIDE * unit) & (lengths <= _LONGEST_SIDE * unit)
    for place in range(len(outline)):
        before = place - 1
        if stepped and long_enough[before] != long_enough[place]:
            found += _step(outline[place], directions, lengths, place, unit)
        # A rounded corner may have left a short piece between its sides.
        if not long_enough[place]:
            continue
        if not long_enough[before]:
            if lengths[before] > _LEAST_SIDE * unit or not long_enough[before - 1]:
                continue
            before -= 1
        along, back = directions[place], -directions[before]
        turn = directions[before][0] * along[1] - directions[before][1] * along[0]
        if abs(float(along @ back)) > _RIGHT_ANGLE or turn <= 0:
            continue
        at = _meeting(outline[before], directions[before], outline[place], along)
        found.append(Corner(at=_full_size(at), along=along, back=back))
    return found


_LONG_SIDE: Final = 0.3
"""Shortest side whose direction alone tells how a card lies, parts of a card's width."""

_STEP_TURN: Final = 0.6
"""Least sine of the angle at which a short side leaves a long one, for a step: it is too short to tell its angle."""


def _step(at: Points, directions: Points, lengths: Points, place: int, unit: float) -> list[Corner]:
    """Return the corner between a long side and a short one, as where another card sticks out from under a card."""
    before, after = directions[place - 1], directions[place]
    if max(lengths[place - 1], lengths[place]) < _LONG_SIDE * unit or before[0] * after[1] - before[1] * after[0] < (
        _STEP_TURN
    ):
        return []
    long = after if lengths[place] > lengths[place - 1] else np.array([-before[1], before[0]], np.float32)
    return [Corner(at=_full_size(at), along=long, back=np.array([-long[1], long[0]], np.float32))]


def _joined(outline: Points, unit: float) -> Points:
    """Return the outline without corners at which it hardly turns."""
    before = outline - np.roll(outline, 1, axis=0)
    after = np.roll(outline, -1, axis=0) - outline
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    dot = (before * after).sum(axis=1)
    straight = (dot > 0) & (np.abs(cross) < 0.09 * dot)
    return np.asarray(outline[~straight], np.float32)


def _meeting(first: Points, along: Points, second: Points, other: Points) -> Points:
    """Return where two lines meet, each given by a point and a direction."""
    cross = along[0] * other[1] - along[1] * other[0]
    gap = second - first
    step = (gap[0] * other[1] - gap[1] * other[0]) / cross
    return np.asarray(first + along * step, np.float32)


_LEAST_FILL: Final = 0.88
"""Part of its box that a card fills at least, rounded corners, lean and what sticks out from under it allowed for."""


def _box_of(contour: NDArray[np.int32], unit: float) -> Points | None:
    """Return the box around a shape of the form of one card, near or far; None for any other shape."""
    (x, y), (wide, high), angle = cv2.minAreaRect(contour)
    short, long = min(wide, high), max(wide, high)
    if not (0.6 * unit < short < 1.5 * unit and 1.2 < long / max(short, 1.0) < 1.65):
        return None
    if cv2.contourArea(contour) < _LEAST_FILL * wide * high:
        return None
    corners = cv2.boxPoints(((x, y), (wide, high), angle)).astype(np.float32)
    centre = corners.mean(axis=0)
    # The outline runs through the middles of border pixels, half a pixel inside the shape.
    grown = centre + (corners - centre) * (1.0 + 0.5 / np.hypot(short, long))
    return _full_size(grown.astype(np.float32))


_SAME_PLACE: Final = 3.0
"""Corners in one square of this side, px, with like directions, are one."""
_SAME_WAY: Final = 0.15


def _distinct(corners: list[Corner]) -> list[Corner]:
    places: dict[bytes, Corner] = {}
    for corner in corners:
        key = np.concatenate([corner.at / _SAME_PLACE, corner.along / _SAME_WAY, corner.back / _SAME_WAY])
        places.setdefault(np.rint(key).astype(np.int16).tobytes(), corner)
    return list(places.values())
