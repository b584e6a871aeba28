"""From a rough quad to exact sides and to index crops: edge refinement in the full picture, and the warps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH, whiten_all
from vision.quads import card_size, crossings, fit_sides, medians, ways

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140
"""Size of a canonical card, px."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """The sides of a card as the full picture shows them.

    Attributes:
        corners: `(4, 2) float32`, px of the picture.
        found: every side had a clear step from card to ground; else the corners are the rough ones.
        width: width of the step, parts of the card's height: the mark of blur, whether by focus or by motion.
        residual: mean distance of the edge points from their straight sides, parts of the card's height.
    """

    corners: Points
    found: bool
    width: float = 0.0
    residual: float = 0.0


_SAMPLES: Final = 20
"""Profiles taken across each side."""

_REACH: Final = 12
"""How far a profile goes to either side of the rough edge, px."""

_STEP: Final = 3
"""Width of the two windows whose difference is a step, px."""

_LEAST_STEP: Final = 12.0
"""Smallest step from card to ground that counts, levels of 255."""

_FURTHEST: Final = 14.0
"""How far a corner may move from the rough one, px."""


def refine(image: Image, corners: Points) -> Edges:
    """Return the card's sides moved to the strongest step from light to dark, each fitted as a straight line.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: `(4, 2) float32`, clockwise, at most some px wrong.
    """
    sides = np.array(ways(corners), np.float32).reshape(4, 3, 2)
    across_x, across_y = (_PROFILES @ sides.T).reshape(2, len(_WAY), -1)
    profiles = cv2.remap(image, across_x, across_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    found = _steps(_channel_of_step(np.asarray(profiles, np.uint8)))
    step, at, width = (np.ascontiguousarray(values.reshape(-1, 4).T) for values in found)
    clear = step > np.maximum(0.4 * medians(step), _LEAST_STEP)[:, None]
    fitted = fit_sides(corners, _PLACES, at - np.float32(_REACH), clear)
    refined = None if fitted is None else crossings(fitted[0])
    if fitted is None or refined is None or float(np.abs(refined - corners).max()) > _FURTHEST:
        return Edges(corners=corners, found=False)
    widest, furthest = float(medians(width).max()), float(fitted[1].max())
    tall = math.dist(*corners[1:3].tolist())
    return Edges(corners=refined, found=True, width=widest / tall, residual=furthest / tall)


_PLACES: Final = np.linspace(0.12, 0.88, _SAMPLES, dtype=np.float32)
"""Where the profiles of a side stand, parts of its length, away from the rounded corners."""

_WAY: Final = np.arange(-_REACH, _REACH + 1, dtype=np.float32)
_PROFILES: Final = np.stack(
    [np.ones(_SAMPLES * len(_WAY), np.float32), np.tile(_PLACES, len(_WAY)), np.repeat(_WAY, _SAMPLES)], axis=1
)
"""For each point of a side's profiles, the innermost of all first: once its first corner, so much of the side, and so
many px outward."""

_FALL: Final = np.repeat(np.array([[1], [-1]], np.float32), _STEP, axis=0)
"""Sum of a window less that of the next one outward."""

_AROUND: Final = np.ones((2 * _STEP, 1), np.uint8)
"""Both windows together."""


# Profiles stand in columns, the innermost point on top: what is reckoned along them takes a third of the time so.


def _channel_of_step(profiles: Image) -> Points:
    """Return the profiles of that mixture of colours, the dimmest or the brightest, which shows the larger step."""
    both = np.concatenate([dimmest(profiles), brightest(profiles)], axis=1)
    inside = cv2.reduce(both[:_REACH], 0, cv2.REDUCE_MAX)
    outside = cv2.reduce(both[_REACH + 1 :], 0, cv2.REDUCE_MIN)
    rises = cv2.subtract(inside, outside, dtype=cv2.CV_32F).reshape(2, -1)
    dim, bright = medians(rises.astype(np.float32, copy=False)).tolist()
    count = profiles.shape[1]
    return (both[:, :count] if dim >= bright else both[:, count:]).astype(np.float32)


def _steps(profiles: Points) -> tuple[Points, Points, Points]:
    """Return height, place and width of the strongest fall of each profile; place and width in px."""
    fall = cv2.filter2D(profiles, -1, _FALL, anchor=(0, 0))[: 1 - len(_FALL)]
    best = fall.argmax(axis=0)
    columns = np.arange(len(best))
    height = fall[best, columns] / _STEP
    slopes = cv2.dilate(profiles[:-1] - profiles[1:], _AROUND, anchor=(0, 0))
    levels = cv2.reduce(profiles, 0, cv2.REDUCE_MAX) - cv2.reduce(profiles, 0, cv2.REDUCE_MIN)
    width = levels[0] / np.maximum(slopes[best, columns], 1.0)
    return height, best.astype(np.float32) + np.float32(_STEP - 0.5), width.astype(np.float32)


def dimmest(image: Image) -> NDArray[np.uint8]:
    """Return the dimmest colour of each pixel, `(H, W) uint8`: every ink is dark in it, paper of any tint even."""
    return _of_three(np.minimum, image)


def brightest(image: Image) -> NDArray[np.uint8]:
    """Return the brightest colour of each pixel, `(H, W) uint8`."""
    return _of_three(np.maximum, image)


def _of_three(pick: np.ufunc, image: Image) -> NDArray[np.uint8]:
    # Of all runs of three levels, every third one is a pixel's. To part the colours first takes three times as long.
    levels = image.reshape(-1)
    picked = pick(pick(levels[:-2], levels[1:-1]), levels[2:])
    return np.ascontiguousarray(picked[::3]).reshape(image.shape[:2])


def index_crops(image: Image, corners: Points, view: tuple[float, float], *, at_right: bool = False) -> list[Image]:
    """Return the whitened index crops of an upper corner and of the opposite one, the latter turned upright.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
        view: where the crop begins below the short side, parts of the card's height, and how much larger it is.
        at_right: cut the upper right corner, not the upper left one.
    """
    top, zoom = view
    wide, high = INDEX_WIDTH * zoom, INDEX_HEIGHT * zoom
    left = 1 - wide if at_right else 0.0
    tall = float(card_size(corners)[1])
    least, most = _ONCE
    fine = 1 if least < tall * high / CROP_HEIGHT < most else _TWICE
    x, y = fine * CROP_WIDTH / wide, fine * CROP_HEIGHT / high
    card_to_crop = np.array([[x, 0, -left * x], [0, y, -top * y], [0, 0, 1]])
    image_to_card = cv2.getPerspectiveTransform(corners.astype(np.float32), _UNIT)
    return whiten_all([_cut(image, card_to_crop @ turn @ image_to_card, fine) for turn in (_AS_IT_LIES, _TURNED)])


_AS_IT_LIES: Final = np.eye(3)
_TURNED: Final = np.array([[-1, 0, 1], [0, -1, 1], [0, 0, 1]])
"""The card in parts of itself, and the same turned by half a turn."""

_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_TWICE: Final = 2
"""How much finer a crop is sampled than it is, where that makes a difference."""

_ONCE: Final = (1.25, 1.75)
"""Px of the picture to one of the crop between which it makes none: a sample, a mean of four neighbours, leaves none of
them out."""

_CARD: Final = _UNIT * np.array([CARD_WIDTH, CARD_HEIGHT], np.float32)


def _cut(image: Image, warp: NDArray[np.float64], fine: int) -> Image:
    """Return the crop that a warp lays straight so many times as fine as it is."""
    size = (fine * CROP_WIDTH, fine * CROP_HEIGHT)
    crop = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if fine > 1:
        crop = cv2.resize(crop, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def canonical(image: Image, corners: Points) -> NDArray[np.uint8]:
    """Return the card laid straight in the dimmest of its colours, `(CARD_HEIGHT, CARD_WIDTH) uint8`."""
    height, width = image.shape[:2]
    xs, ys = corners.T.tolist()
    left, top = min(max(int(min(xs)) - 2, 0), width - 1), min(max(int(min(ys)) - 2, 0), height - 1)
    right, bottom = min(max(int(max(xs)) + 4, left + 1), width), min(max(int(max(ys)) + 4, top + 1), height)
    shrink = max(int(math.hypot(xs[1] - xs[0], ys[1] - ys[0])) // CARD_WIDTH, 1)
    size = (max((right - left) // shrink, 1), max((bottom - top) // shrink, 1))
    # What is left over of a whole number of px is of the ground around the card.
    around = image[top : top + size[1] * shrink, left : left + size[0] * shrink]
    small = dimmest(np.asarray(cv2.resize(around, size, interpolation=cv2.INTER_AREA), np.uint8))
    here = [((x - left + 0.5) / shrink - 0.5, (y - top + 0.5) / shrink - 0.5) for x, y in zip(xs, ys, strict=True)]
    warp = cv2.getPerspectiveTransform(np.array(here, np.float32), _CARD)
    target = (CARD_WIDTH, CARD_HEIGHT)
    card = cv2.warpPerspective(small, warp, target, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(card, np.uint8)
