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

    Grey = NDArray[np.uint8]
    Contour = NDArray[np.int32]

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Mark:
    """One connected mark.

    Attributes:
        outline: `(N, 1, 2) int32`, px of the finer picture.
        box: left, top, width and height.
        holes: outlines of its holes, each `(N, 1, 2) int32`, along the pixels of the mark around them.
    """

    outline: Contour
    box: tuple[int, int, int, int]
    holes: tuple[Contour, ...]

    @property
    def area(self) -> float:
        """Number of its pixels."""
        return _pixels(self.outline) - sum(_pixels(hole) - len(hole) for hole in self.holes)


def _pixels(outline: Contour) -> float:
    """Return the number of pixels on an outline and inside, by Pick's theorem."""
    return cv2.contourArea(outline) + len(outline) / 2 + 1


def index_marks(dim: Grey) -> IndexMarks:
    """Return what the marks of an index look like.

    Args:
        dim: the dimmest colour of a whitened index crop, `(H, W) uint8`.
    """
    height, width = dim.shape[0] * _FINER, dim.shape[1] * _FINER
    light = cv2.resize(dim, (width, height), interpolation=cv2.INTER_CUBIC)
    dark = cv2.subtract(np.full_like(light, _WHITE), light)
    _, ink = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    found = _marks(np.asarray(ink, np.uint8))
    if not found:
        return IndexMarks()
    figure = min(found, key=lambda mark: mark.box[1] + 0.5 * mark.box[0])
    _, top, _, high = figure.box
    whole = top > 0 and high >= _LEAST_FIGURE_PX * _FINER
    return IndexMarks(
        rings=_rings(figure) if whole else None,
        notch=_notch_under(figure, found, width, height),
    )


def _marks(ink: Grey) -> list[_Mark]:
    """Return the marks that may be a figure or a sign."""
    height, width = ink.shape
    least = _LEAST_MARK * height * width
    outlines, links = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return []
    tree = links[0].tolist()
    found = []
    for outline, (_, _, hole, parent) in zip(outlines, tree, strict=True):
        if parent >= 0:
            continue
        left, top, wide, high = box = cv2.boundingRect(outline)
        # What fills the crop's own corner is the ground around the card.
        if (
            wide * high < least
            or left + top == 0
            or wide > _LARGEST_MARK[0] * width
            or high > _LARGEST_MARK[1] * height
        ):
            continue
        holes = []
        while hole >= 0:
            holes.append(np.asarray(outlines[hole], np.int32))
            hole = tree[hole][0]
        mark = _Mark(outline=np.asarray(outline, np.int32), box=(box[0], box[1], box[2], box[3]), holes=tuple(holes))
        if mark.area >= least:
            found.append(mark)
    return found


def _rings(figure: _Mark) -> tuple[float, ...]:
    """Return the heights of the rings of a figure, the uppermost first."""
    _, top, wide, high = figure.box
    least = _LEAST_RING * wide * high
    rings = [hole for hole in figure.holes if _pixels(hole) - len(hole) >= least]
    moments = [cv2.moments(ring) for ring in rings]
    return tuple(sorted((moment["m01"] / moment["m00"] - top) / high for moment in moments))


def _notch_under(figure: _Mark, marks: list[_Mark], columns: int, rows: int) -> float | None:
    """Return the depth of the notch of the sign that stands under a figure; None where no whole one does."""
    left, top, wide, high = figure.box
    signs = [
        mark
        for mark in marks
        if mark.box[1] > top + 0.85 * high
        and abs(mark.box[0] + mark.box[2] / 2 - left - wide / 2) < 0.6 * max(mark.box[2], wide)
    ]
    if not signs:
        return None
    sign = min(signs, key=lambda mark: mark.box[1])
    left, top, broad, tall = sign.box
    if top + tall >= rows - 1 or left + broad >= columns - 1 or tall < _LEAST_SIGN_PX * _FINER:
        return None
    drawn = cv2.drawContours(
        np.zeros((tall, broad), np.uint8), [sign.outline], 0, (1,), cv2.FILLED, offset=(-left, -top)
    )
    upper = drawn.argmax(axis=0)

    def part(begin: float, end: float) -> NDArray[np.int64]:
        piece: NDArray[np.int64] = upper[int(begin * broad) : int(end * broad) + 1]
        return piece

    shoulders = max(int(part(0.1, 0.45).min()), int(part(0.55, 0.9).min()))
    return float((int(part(0.42, 0.58).max()) - shoulders) / tall)
