"""The second opinion on a deck nobody enrolled: how many pips stand on the card, where their places can be made out.

Pips lie mirrored about the card's long middle line, are alike in size, and leave the rest of the field clear. Where
that does not hold, as on courts, drawings and backs, there is no opinion. It is used against a reading, or for it, and
never in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.uint8]

_PATCH: Final = (25, 35)
"""Width and height of the picture of the paper's light, px: the mean of a few px of the card each."""

_SPREAD: Final = np.ones((9, 9), np.uint8)
"""Patch whose brightest part is paper: wider than a pip, narrower than a streak of glare."""

_FAINT: Final = 0.75
"""Part of the darkness that parts ink from paper from which on a mark is ink: glare has washed out a part of it."""

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
        ink: `(H, W) uint8`, where on the card ink is, not 0; `(0, 0)` where there are no pips.
    """

    count: int | None
    boxes: NDArray[np.float32]
    ink: Mask

    @property
    def tip(self) -> float | None:
        """How wide the pips are near their tops, parts of their width, in the median; None where no top is known.

        Pips stand upright in the upper half of a card and upside down in the lower one; which way one on the middle
        line across stands, is not known.
        """
        height, width = self.ink.shape
        tips = []
        for left, top, wide, high in np.rint(self.boxes * (width, height, width, height)).astype(int).tolist():
            middle = (top + high / 2) / max(height, 1) - 0.5
            if abs(middle) < _ACROSS:
                continue
            pip = self.ink[top : top + high, left : left + wide]
            upright = pip if middle < 0 else pip[::-1]
            near = upright[round(_TIP[0] * high) : max(round(_TIP[1] * high), round(_TIP[0] * high) + 1)]
            tips.append(np.count_nonzero(near) / near.size)
        return median(tips) if tips else None


_TIP: Final = (0.12, 0.25)
"""Part of a pip's height, from its top, that is near the top."""

_ACROSS: Final = 0.07
"""How far from the card's middle, parts of its height, a pip still stands on the middle line across."""

_NOTHING: Final = PipCount(count=None, boxes=np.zeros((0, 4), np.float32), ink=np.zeros((0, 0), np.uint8))


def count_pips(card: Mask) -> PipCount:
    """Return how many pips a card shows.

    Args:
        card: a canonical card, `(H, W) uint8`.
    """
    ink = _ink(card)
    height, width = ink.shape
    # Names of 16 bits, more than enough for a picture this small, take half the time.
    _, _, stats, centres = cv2.connectedComponentsWithStats(ink, connectivity=8, ltype=cv2.CV_16U)
    marks = [
        _Mark(wide, high, area, (left, top, wide, high), (x / width, y / height))
        for (left, top, wide, high, area), (x, y) in zip(stats[1:].tolist(), centres[1:].tolist(), strict=True)
        if _in_the_field(left, top, wide, high, width, height)
    ]
    least, most = _LEAST_PIP * width * height, _LARGEST_PIP * width * height
    pips = [mark for mark in marks if least <= mark.area <= most]
    if not 1 <= len(pips) <= 2 * MOST_PIPS:
        return _NOTHING
    usual = median(mark.wide for mark in pips), median(mark.high for mark in pips)
    pips = [mark for mark in pips if _alike(mark.wide, usual[0]) and _alike(mark.high, usual[1])]
    taken = sum(mark.area for mark in pips)
    left_over = sum(mark.area for mark in marks) - taken
    if not 1 <= len(pips) <= MOST_PIPS or left_over > _LEFT_OVER * taken:
        return _NOTHING
    if not _laid_out([mark.middle for mark in pips]):
        return _NOTHING
    boxes = np.array([mark.box for mark in pips], np.float32) / (width, height, width, height)
    return PipCount(count=len(pips), boxes=boxes.astype(np.float32), ink=ink)


class _Mark(NamedTuple):
    """A connected piece of ink in the field: its size and box in px, its middle in parts of the card."""

    wide: int
    high: int
    area: int
    box: tuple[int, int, int, int]
    middle: tuple[float, float]


def _alike(size: int, usual: float) -> bool:
    return usual / _ALIKE < size < usual * _ALIKE


def _ink(card: Mask) -> Mask:
    """Return where ink is, 255; the paper is what is brightest near by, so that glare leaves the pips in it whole."""
    size = card.shape[1], card.shape[0]
    bright = cv2.dilate(cv2.resize(card, _PATCH, interpolation=cv2.INTER_AREA), _SPREAD)
    paper = cv2.resize(cv2.blur(bright, (5, 5)), size, interpolation=cv2.INTER_LINEAR)
    dark = 255 - cv2.divide(card, paper, scale=255)
    level, _ = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    _, mask = cv2.threshold(dark, max(_FAINT * level, 255 * _LEAST_INK), 255, cv2.THRESH_BINARY)
    return np.asarray(mask, np.uint8)


def _in_the_field(left: int, top: int, wide: int, high: int, width: int, height: int) -> bool:
    """Return whether a box on a card is neither in an index corner nor at the card's edge."""
    middle_x, middle_y = (left + wide / 2) / width, (top + high / 2) / height
    if min(middle_x, 1 - middle_x) < _INDEX[0] and min(middle_y, 1 - middle_y) < _INDEX[1]:
        return False
    return left > 1 and top > 1 and left + wide < width - 1 and top + high < height - 1


_COLUMNS: Final = (0, 0, 0, 2, 2, 3, 3, 3, 4, 4)
"""Pips in either side column of the cards with one to ten pips; the others stand on the middle line."""

_MIDDLE_LINE: Final = 0.07
"""How far a pip on the middle line may be from it, parts of the card's width."""


_FEW: Final = 3
"""Pips up to which all stand on the middle line."""


def _laid_out(middles: list[tuple[float, float]]) -> bool:
    """Return whether pips lie as those of their number do: in columns, those at the sides mirrored both ways."""
    sides = [(x, y) for x, y in middles if abs(x - 0.5) > _MIDDLE_LINE]
    if len(sides) != 2 * _COLUMNS[len(middles) - 1]:
        return False
    central = [y for x, y in middles if abs(x - 0.5) <= _MIDDLE_LINE]
    if len(middles) <= _FEW and abs(fmean(central) - 0.5) > _OFF:
        return False
    mirrors = [(1 - x, y) for x, y in sides] + [(x, 1 - y) for x, y in sides]
    near = 2 * _OFF
    return all(any(abs(x - to_x) < near and abs(y - to_y) < near for to_x, to_y in sides) for x, y in mirrors)
