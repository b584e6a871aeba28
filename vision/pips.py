"""The second opinion on a deck nobody enrolled: how many pips stand on the card, where their places can be made out.

Pips lie mirrored about the card's long middle line, are alike in size, and leave the rest of the field clear. Where
that does not hold, as on courts, drawings and backs, there is no opinion. It is used against a reading, or for it, and
never in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float32]
    Mask = NDArray[np.uint8]

_PAPER_QUANTILE: Final = 0.75
"""Part of the card's pixels that are darker than its paper at most, on a card of pips."""

_LEAST_INK: Final = 0.2
"""Darkness over the paper's light from which on there can be ink."""

_INDEX: Final = (0.19, 0.28)
"""Part of width and height that the corners' indices may take."""

_LEAST_PIP: Final = 0.0018
"""Smallest pip, parts of the card's area."""

_LARGEST_PIP: Final = 0.2
"""Largest, an ace's."""

_ALIKE: Final = 1.45
"""By how much pips may differ in width and height from their middle one."""

_OFF: Final = 0.035
"""How far a pip may lie from its place, parts of width and height."""

_LEFT_OVER: Final = 0.12
"""Ink beside the pips up to which the field counts as clear, parts of the pips' ink."""

MOST_PIPS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PipCount:
    """What the field of a card shows.

    Attributes:
        count: number of pips, 1 to `MOST_PIPS`; None where the field shows no clear pips.
        boxes: `(N, 4) float32`, left, top, width and height of the pips, parts of the card's width and height.
    """

    count: int | None
    boxes: NDArray[np.float32]


_NOTHING: Final = PipCount(count=None, boxes=np.zeros((0, 4), np.float32))


def count_pips(card: Mask) -> PipCount:
    """Return how many pips a card shows.

    Args:
        card: a canonical card, `(H, W) uint8`.
    """
    ink = _ink(card)
    height, width = ink.shape
    count, _, stats, centres = cv2.connectedComponentsWithStats(ink, connectivity=8)
    if count < 2:
        return _NOTHING
    boxes, areas = stats[1:, :4].astype(np.int32), stats[1:, 4]
    middles = (centres[1:] / (width, height)).astype(np.float32)
    inside = _in_the_field(boxes, width, height)
    large = areas >= _LEAST_PIP * width * height
    pips = inside & large & (areas <= _LARGEST_PIP * width * height)
    if not pips.any() or int(pips.sum()) > 2 * MOST_PIPS:
        return _NOTHING
    typical = np.median(boxes[pips, 2:], axis=0)
    ratio = boxes[:, 2:] / typical
    pips &= ((ratio < _ALIKE) & (ratio > 1 / _ALIKE)).all(axis=1)
    left_over = int(areas[inside & ~pips].sum())
    number = int(pips.sum())
    if not 1 <= number <= MOST_PIPS or left_over > _LEFT_OVER * int(areas[pips].sum()):
        return _NOTHING
    if not _laid_out(middles[pips]):
        return _NOTHING
    return PipCount(count=number, boxes=(boxes[pips] / (width, height, width, height)).astype(np.float32))


def _ink(card: Mask) -> Mask:
    """Return where ink is, 255, on a card whose paper is its usual light."""
    sample = card[::3, ::3].ravel()
    place = int(len(sample) * _PAPER_QUANTILE)
    paper = max(int(np.partition(sample, place)[place]), 1)
    dark = 255 - cv2.convertScaleAbs(card, alpha=255 / paper)
    level, _ = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    _, mask = cv2.threshold(dark, max(level, 255 * _LEAST_INK), 255, cv2.THRESH_BINARY)
    return mask.astype(np.uint8)


def _in_the_field(boxes: NDArray[np.int32], width: int, height: int) -> NDArray[np.bool_]:
    """Return which components are neither in an index corner nor at the card's edge."""
    middle_x = (boxes[:, 0] + boxes[:, 2] / 2) / width
    middle_y = (boxes[:, 1] + boxes[:, 3] / 2) / height
    aside, up = np.minimum(middle_x, 1 - middle_x), np.minimum(middle_y, 1 - middle_y)
    corner = (aside < _INDEX[0]) & (up < _INDEX[1])
    left, top = boxes[:, 0], boxes[:, 1]
    edge = (left <= 1) | (top <= 1) | (left + boxes[:, 2] >= width - 1) | (top + boxes[:, 3] >= height - 1)
    inside: NDArray[np.bool_] = ~corner & ~edge
    return inside


_COLUMNS: Final = (0, 0, 0, 2, 2, 3, 3, 3, 4, 4)
"""Pips in either side column of the cards with one to ten pips; the others stand on the middle line."""

_MIDDLE_LINE: Final = 0.07
"""How far a pip on the middle line may be from it, parts of the card's width."""


def _laid_out(middles: Points) -> bool:
    """Return whether pips lie as those of their number do: in columns, those at the sides mirrored both ways."""
    x, y = middles[:, 0], middles[:, 1]
    aside = np.abs(x - 0.5) > _MIDDLE_LINE
    if int(aside.sum()) != 2 * _COLUMNS[len(middles) - 1]:
        return False
    central = y[~aside]
    if len(middles) <= 3 and abs(float(central.mean()) - 0.5) > _OFF:
        return False
    if not aside.any():
        return True
    sides = middles[aside]
    mirrors = (sides * (-1, 1) + (1, 0), sides * (1, -1) + (0, 1))
    return all(bool((np.abs(one[:, None] - sides[None]).max(axis=2).min(axis=1) < 2 * _OFF).all()) for one in mirrors)
