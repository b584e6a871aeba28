"""Tell whether the corner of a light shape is that of a card's face: an index on clear paper, and clear paper below it.

Backs have a border that is the same along its whole length, and a pattern that goes on; paper, phones and cuffs have
no mark of an index's size at an index's place. Lengths are mm on a card, measured from its corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image
    from vision.table_corners import Corner

    Points = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLimits:
    """Where packs print their indices, in mm from the corner, with a tolerance for outlines some px wrong.

    Attributes:
        whiteness: least of the paper's colours over its greatest, as the camera gives them: skin has less.
        paper: darkness up to which a place is clear paper, parts of the paper's own light.
        inks: darkness from which a place is printed; the greater parts marks that blur has joined.
        print_dark: darkness that a tenth of an index has at least: shadows between cards are lighter.
        off: by how much the corner of the light shape may be wrong.
        zone: how far to the side and down an index may reach.
        side: where its left edge may lie.
        top: where its upper edge may lie.
        width: how wide it may be.
        height: how high it may be, rank and suit together.
        upright: height over width that it has at least, so that none is taken for one lying on its side.
        gap: largest distance of two marks that belong to one index.
        clear_below: how much clear paper must follow below it.
        clear_wide: how wide that paper must be; borders of backs are narrower.
        clear: least part of that paper that is clear.
        above: least part of the paper over the index that is clear; beside it pips and the edge may be too near.
    """

    whiteness: float = 0.62
    paper: float = 0.2
    inks: tuple[float, ...] = (0.27, 0.42)
    print_dark: float = 0.4
    off: float = 2.5
    zone: tuple[float, float] = (17.0, 36.0)
    side: tuple[float, float] = (-2.0, 10.0)
    top: tuple[float, float] = (-2.0, 13.0)
    width: tuple[float, float] = (2.2, 14.0)
    height: tuple[float, float] = (6.0, 31.0)
    upright: float = 1.15
    gap: float = 2.6
    clear_below: float = 14.0
    clear_wide: float = 6.5
    clear: float = 0.97
    above: float = 0.7


_SCALE: Final = 1.5
"""Samples a mm."""

_LEFT: Final = 4.0
"""What is seen outside the corner, mm."""
_WIDE: Final = 20.0
_HIGH: Final = 56.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexFound:
    """An index in a corner.

    Attributes:
        box: left, top, width and height, mm from the corner.
            mirrored: it stands in what is the upper right corner of the card.
    """

    box: tuple[float, float, float, float]


def index_in(image: Image, corner: Corner, px_per_mm: float, limits: IndexLimits) -> IndexFound | None:
    """Return the index that stands in a corner, or None where there is none.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corner: of a light shape.
        px_per_mm: scale of the picture on the table.
        limits: of index and paper.
    """
    patch = _cut(image, corner.at, corner.along * px_per_mm, corner.back * px_per_mm)
    paper = _paper_of(patch)
    if float(paper.min()) < limits.whiteness * float(paper.max()):
        return None
    dark = _darkness(patch, paper)
    for ink in limits.inks:
        box = _index_box(dark, ink, limits)
        if box is not None:
            return IndexFound(box=box)
    return None


def _cut(image: Image, at: Points, x: Points, y: Points) -> Image:
    """Return the corner of a card laid straight, from `_LEFT` mm outside it on, `_SCALE` samples a mm."""
    columns, rows = round((_WIDE + _LEFT) * _SCALE), round((_HIGH + _LEFT) * _SCALE)
    step_x, step_y = x / _SCALE, y / _SCALE
    origin = at + (step_x + step_y) * (0.5 - _LEFT * _SCALE)
    matrix = np.array([[step_x[0], step_y[0], origin[0]], [step_x[1], step_y[1], origin[1]]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(image, matrix, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


_DARKEST_PAPER: Final = 24.0


def _paper_of(patch: Image) -> Points:
    """Return the colour of the paper, `(3,)`: that of the brighter places where index and margin are."""
    first = round((_LEFT + 1.0) * _SCALE)
    sample = patch[first : first + round(30 * _SCALE) : 2, first : first + round(14 * _SCALE) : 2].reshape(-1, 3)
    ranked = np.sort(sample, axis=0)[len(sample) * 4 // 5]
    return np.asarray(np.maximum(ranked, _DARKEST_PAPER), np.float32)


def _darkness(patch: Image, paper: Points) -> NDArray[np.float32]:
    """Return how much darker than the paper each place is in the colour that is darkest, 1.0 for black."""
    blue, green, red = cv2.split(patch * (np.float32(1.0) / paper))
    return np.asarray(np.float32(1.0) - np.asarray(cv2.min(cv2.min(blue, green), red)), np.float32)


def _index_box(dark: NDArray[np.float32], ink: float, limits: IndexLimits) -> tuple[float, float, float, float] | None:
    marks = (dark > ink).astype(np.uint8)
    stats = cv2.connectedComponentsWithStats(marks, connectivity=8)[2]
    boxes = stats[1:, :4].astype(np.float32)
    boxes[:, :2] -= _LEFT * _SCALE
    boxes /= _SCALE
    inside = (boxes[:, 0] > -limits.off) & (boxes[:, 1] > -limits.off)
    inside &= (boxes[:, 0] + boxes[:, 2] < limits.zone[0]) & (boxes[:, 1] + boxes[:, 3] < limits.zone[1])
    boxes = boxes[inside]
    if not len(boxes):
        return None
    box = _grown(boxes, limits.gap)
    left, top, width, height = box
    fits = (
        limits.side[0] <= left <= limits.side[1]
        and limits.top[0] <= top <= limits.top[1]
        and limits.width[0] <= width <= limits.width[1]
        and limits.height[0] <= height <= limits.height[1]
        and height >= limits.upright * width
    )
    return box if fits and _stands_on_paper(dark, box, limits) else None


def _stands_on_paper(dark: NDArray[np.float32], box: tuple[float, float, float, float], limits: IndexLimits) -> bool:
    """Return whether a mark is printed, and has clear paper around it and below it."""
    left, top, width, height = box
    right, bottom = left + width, top + height

    def part(x0: float, x1: float, y0: float, y1: float) -> NDArray[np.float32]:
        first, last = round((x0 + _LEFT) * _SCALE), round((x1 + _LEFT) * _SCALE)
        upper, lower = round((y0 + _LEFT) * _SCALE), round((y1 + _LEFT) * _SCALE)
        return dark[max(upper, 0) : max(lower, upper + 1), max(first, 0) : max(last, first + 1)]

    if float(np.percentile(part(left, right, top, bottom), 90)) < limits.print_dark:
        return False
    below = part(left - 0.5, left - 0.5 + limits.clear_wide, bottom + 1.2, bottom + limits.clear_below)
    if float((below <= limits.paper).mean()) < limits.clear:
        return False
    above = part(left, right, top - 1.7, top - 0.7)
    return float((above <= limits.paper + 0.05).mean()) >= limits.above


def _grown(boxes: Points, gap: float) -> tuple[float, float, float, float]:
    """Return the box around the mark nearest to the corner and those that follow it at most `gap` mm apart."""
    starts, ends = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    seed = int((starts.sum(axis=1) - 0.3 * boxes[:, 3]).argmin())
    low, high = starts[seed], ends[seed]
    while True:
        near = ((starts < high + gap) & (ends > low - gap)).all(axis=1)
        new_low, new_high = starts[near].min(axis=0), ends[near].max(axis=0)
        if (new_low == low).all() and (new_high == high).all():
            break
        low, high = new_low, new_high
    wide, tall = high - low
    return float(low[0]), float(low[1]), float(wide), float(tall)
