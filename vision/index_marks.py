"""The forms of an index that tell what is easily mistaken: the rings in the rank's figure, the notch of the sign.

A nine has its ring in the upper part, a queen's letter in the middle, a six below; a five or a jack's letter has none.
A heart has a notch at its top, a diamond a point, a gem or a shield neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Mask = NDArray[np.uint8]
    Marks = NDArray[np.int32]

_FINER: Final = 4
"""How much finer the crop is looked at than it is: a notch is some px deep."""

_WHITE: Final = 235
"""Level of the paper in an index crop."""

_LEAST_MARK: Final = 0.004
"""Smallest mark that is looked at, parts of the crop."""

_LARGEST_MARK: Final = (0.75, 0.7)
"""Largest width and height of a mark, parts of the crop: more is a frame, or marks run together."""

_LEAST_SIGN_PX: Final = 5
_LEAST_FIGURE_PX: Final = 10
"""Least height of a sign and of a figure, px of the crop."""

_LEAST_RING: Final = 0.02
"""Least area of a ring, parts of the box around the figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexMarks:
    """What the marks of one index look like.

    Attributes:
        rings: heights of the middles of the rings in the rank's figure, parts of its height from its top; None where
            no whole figure stands out.
        notch: depth of the notch at the top of the sign, parts of its height; None where no whole sign stands out.
    """

    rings: tuple[float, ...] | None = None
    notch: float | None = None


def index_marks(crop: Image) -> IndexMarks:
    """Return what the marks of a whitened index crop look like, `(H, W, 3) uint8 BGR`."""
    height, width = crop.shape[0] * _FINER, crop.shape[1] * _FINER
    light = cv2.resize(crop.min(axis=2), (width, height), interpolation=cv2.INTER_CUBIC)
    dark = cv2.subtract(np.full_like(light, _WHITE), light)
    _, ink = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    _, pixels, boxes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    names, stats = np.asarray(pixels, np.int32), np.asarray(boxes, np.int32)
    left, top, wide, high, area = stats.T
    fits = (area >= _LEAST_MARK * height * width) & (wide <= _LARGEST_MARK[0] * width)
    fits &= high <= _LARGEST_MARK[1] * height
    fits &= (top > 0) | (left > 0)  # what fills the crop's own corner is the ground around the card
    fits[0] = False
    found = np.flatnonzero(fits)
    if not len(found):
        return IndexMarks()
    figure = int(found[(top[found] + 0.5 * left[found]).argmin()])
    whole = int(top[figure]) > 0 and int(high[figure]) >= _LEAST_FIGURE_PX * _FINER
    return IndexMarks(
        rings=_rings(_cut(names, stats, figure)) if whole else None,
        notch=_notch_under(names, stats, found, figure),
    )


def _cut(names: Marks, stats: Marks, mark: int) -> NDArray[np.bool_]:
    left, top, wide, high = (int(value) for value in stats[mark, :4])
    cut: NDArray[np.bool_] = names[top : top + high, left : left + wide] == mark
    return cut


def _rings(figure: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return the heights of the rings of a figure, the uppermost first."""
    ground = np.pad((~figure).astype(np.uint8), 1, constant_values=1)
    _, names, stats, centres = cv2.connectedComponentsWithStats(ground, connectivity=4)
    around = int(names[0, 0])
    least = _LEAST_RING * figure.size
    return tuple(
        sorted(
            float((centres[mark, 1] - 1) / figure.shape[0])
            for mark in range(1, len(stats))
            if mark != around and stats[mark, 4] >= least
        )
    )


def _notch_under(names: Marks, stats: Marks, found: NDArray[np.int64], figure: int) -> float | None:
    """Return the depth of the notch of the sign that stands under a figure; None where no whole one does."""
    left, top, wide, high = stats[:, :4].T
    middle = left + wide / 2
    below = top[found] > top[figure] + 0.85 * high[figure]
    beneath = np.abs(middle[found] - middle[figure]) < 0.6 * np.maximum(wide[found], wide[figure])
    signs = found[below & beneath & (found != figure)]
    if not len(signs):
        return None
    sign = int(signs[top[signs].argmin()])
    rows, columns = names.shape
    cut_off = top[sign] + high[sign] >= rows - 1 or left[sign] + wide[sign] >= columns - 1
    if cut_off or int(high[sign]) < _LEAST_SIGN_PX * _FINER:
        return None
    mark = _cut(names, stats, sign)
    tall, broad = mark.shape
    upper = np.where(mark.any(axis=0), mark.argmax(axis=0), tall)

    def part(begin: float, end: float) -> NDArray[np.int64]:
        piece: NDArray[np.int64] = upper[int(begin * broad) : int(end * broad) + 1]
        return piece

    shoulders = max(int(part(0.1, 0.45).min()), int(part(0.55, 0.9).min()))
    return float((int(part(0.42, 0.58).max()) - shoulders) / tall)
