"""From a rough quad to exact sides and to index crops: edge refinement in the full picture, and the warps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH, whiten
from vision.quads import crossings, fit_line

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
    ends = np.roll(corners, -1, axis=0)
    sides = ends - corners
    along = sides / np.maximum(np.linalg.norm(sides, axis=1, keepdims=True), 1e-3)
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    place = np.linspace(0.12, 0.88, _SAMPLES, dtype=np.float32)[:, None]
    points = (corners[:, None] + sides[:, None] * place[None]).reshape(-1, 2).astype(np.float32)
    normals = np.repeat(outward, _SAMPLES, axis=0).astype(np.float32)
    reach = np.arange(-_REACH, _REACH + 1, dtype=np.float32)
    across = points[:, None] + normals[:, None] * reach[None, :, None]
    profiles = cv2.remap(image, across[..., 0], across[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    step, at, width = _steps(_channel_of_step(profiles.astype(np.uint8)))
    found = points + normals * (at + reach[0])[:, None]
    lines, distances = [], []
    for side in range(4):
        part = slice(side * _SAMPLES, (side + 1) * _SAMPLES)
        clear = step[part] > max(_LEAST_STEP, 0.4 * float(np.median(step[part])))
        line = fit_line(found[part][clear])
        if line is None:
            return Edges(corners=corners, found=False)
        offset = found[part][clear] - line[2:]
        distances.append(float(np.median(np.abs(offset[:, 0] * line[1] - offset[:, 1] * line[0]))))
        lines.append(line)
    refined = crossings(np.stack(lines))
    if refined is None or float(np.abs(refined - corners).max()) > _FURTHEST:
        return Edges(corners=corners, found=False)
    tall = float(np.linalg.norm(sides[1]))
    widths = [float(np.median(width[side * _SAMPLES : (side + 1) * _SAMPLES])) for side in range(4)]
    return Edges(corners=refined, found=True, width=max(widths) / tall, residual=max(distances) / tall)


def _channel_of_step(profiles: NDArray[np.uint8]) -> Points:
    """Return the profiles of that mixture of colours, the dimmest or the brightest, which shows the larger step."""
    dim, bright = profiles.min(axis=2).astype(np.float32), profiles.max(axis=2).astype(np.float32)

    def rise(values: Points) -> float:
        return float(np.median(values[:, :_REACH].max(axis=1) - values[:, _REACH + 1 :].min(axis=1)))

    chosen: Points = dim if rise(dim) >= rise(bright) else bright
    return chosen


def _steps(profiles: Points) -> tuple[Points, Points, Points]:
    """Return height, place and width of the strongest fall of each profile; place and width in px."""
    sums = np.cumsum(np.pad(profiles, ((0, 0), (1, 0))), axis=1)
    inside = sums[:, _STEP:-_STEP] - sums[:, : -2 * _STEP]
    outside = sums[:, 2 * _STEP :] - sums[:, _STEP:-_STEP]
    fall = (inside - outside) / _STEP
    best = fall.argmax(axis=1)
    rows = np.arange(len(profiles))
    height = fall[rows, best]
    around = np.clip(best[:, None] + np.arange(2 * _STEP)[None], 0, profiles.shape[1] - 2)
    slope = (profiles[rows[:, None], around] - profiles[rows[:, None], around + 1]).max(axis=1)
    levels = profiles.max(axis=1) - profiles.min(axis=1)
    width = levels / np.maximum(slope, 1.0)
    return height, best + _STEP - np.float32(0.5), width.astype(np.float32)


def index_crops(image: Image, corners: Points, view: tuple[float, float], *, at_right: bool = False) -> list[Image]:
    """Return the whitened index crops of an upper corner and of the opposite one, the latter turned upright.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
        view: where the crop begins below the short side, parts of the card's height, and how much larger it is.
        at_right: cut the upper right corner, not the upper left one.
    """
    top, zoom = view
    bottom = top + INDEX_HEIGHT * zoom
    left, right = (1 - INDEX_WIDTH * zoom, 1.0) if at_right else (0.0, INDEX_WIDTH * zoom)
    window = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32)
    crops = []
    for turn in (0, 2):
        card_to_image = cv2.getPerspectiveTransform(_UNIT, np.roll(corners, -turn, axis=0).astype(np.float32))
        crops.append(whiten(_cut(image, cv2.perspectiveTransform(window, card_to_image)[0].astype(np.float32))))
    return crops


_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_TWICE: Final = 2


def _cut(image: Image, window: Points) -> Image:
    """Return the crop of a window of the picture, sampled twice as fine as it is given."""
    width, height = CROP_WIDTH * _TWICE, CROP_HEIGHT * _TWICE
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(window, target)
    fine = cv2.warpPerspective(image, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(fine, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA).astype(np.uint8)


def canonical(image: Image, corners: Points) -> NDArray[np.uint8]:
    """Return the card laid straight in the dimmest of its colours, `(CARD_HEIGHT, CARD_WIDTH) uint8`.

    Every ink is dark in that, and paper of any tint even.
    """
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 2, 0, (width - 1, height - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 3, (left + 1, top + 1), (width, height))
    shrink = max(int(np.linalg.norm(corners[1] - corners[0])) // CARD_WIDTH, 1)
    size = (max((right - left) // shrink, 1), max((bottom - top) // shrink, 1))
    # What is left over of a whole number of px is of the ground around the card.
    blue, green, red = cv2.split(image[top : top + size[1] * shrink, left : left + size[0] * shrink])
    small = cv2.resize(cv2.min(cv2.min(blue, green), red), size, interpolation=cv2.INTER_AREA)
    here = ((corners - (left, top) + 0.5) / shrink - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(here, _UNIT * np.array([CARD_WIDTH, CARD_HEIGHT], np.float32))
    target = (CARD_WIDTH, CARD_HEIGHT)
    card = cv2.warpPerspective(small, warp, target, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return card.astype(np.uint8)
