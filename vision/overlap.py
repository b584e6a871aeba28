"""The marks of two cards lying on each other inside the outline of what looks like one.

Far out of line, the edge of the upper card runs through the outline. A little out of line, it is too near to the
outline to be told from a printed rim; but then one index stands further from its edge than the other, along the path
that both came. A pack that is printed off its middle has its indices apart both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

_STEP: Final = 7
"""Least step of light across a card's edge, levels of 255; paper and noise stay below it."""

_SKEWS: Final = (-4, -2, 0, 2, 4)
"""How far an edge may lean from end to end, px: two cards in one path lie within two degrees of each other."""

_MARGIN: Final = 0.065
"""Part next to the outline that is not searched: the outline's own step, and the lines packs print along it."""

_DEPTH: Final = 0.45
"""How deep the search goes from either side, parts of the card."""

_SHARE: Final = 0.85
"""Least share of its way on which the edge must show."""

_END: Final = (0.012, 0.05)
"""Strip at either end, parts of the length, that printed frames leave free and a card's edge reaches."""

_END_SHARE: Final = 0.7
"""Least share of one of the strips on which the edge must show; the other card may be short of the second."""

_TWIN: Final = 2
"""How far the mirror image of a printed line may lie from its place, px."""

_TWIN_SHARE: Final = 0.6
"""Share of its way from which on a line counts as the twin of another: blur and glare may have taken a part of it."""


def inner_edge(card: NDArray[np.uint8]) -> bool:
    """Return whether a straight edge runs along the inside of the card to its end, on one side only.

    A line that a pack prints along its border has a twin on the opposite side; the edge of a second card has none.

    Args:
        card: a canonical card, `(CARD_HEIGHT, CARD_WIDTH) uint8`.
    """
    return _has_lone_edge(card) or _has_lone_edge(np.ascontiguousarray(card.T))


def _has_lone_edge(grey: NDArray[np.uint8]) -> bool:
    before, after = grey[:, :-2], grey[:, 2:]
    columns = before.shape[1]
    margin, depth = round(columns * _MARGIN) + 1, round(columns * _DEPTH)
    searched = np.zeros(columns, np.bool_)
    searched[margin:depth] = searched[columns - depth : columns - margin] = True
    rising, falling = (_Marks.of(cv2.subtract(*pair).astype(np.uint8)) for pair in ((after, before), (before, after)))
    if not any((marks.most() >= _SHARE)[searched].any() for marks in (rising, falling)):
        return False
    (edges, lines), (more_edges, more_lines) = _long_edges(rising), _long_edges(falling)
    twins = cv2.dilate((lines | more_lines)[::-1].astype(np.uint8)[None], np.ones((1, 2 * _TWIN + 1), np.uint8))[0] > 0
    return bool(((edges | more_edges) & ~twins & searched).any())


_FURTHEST: Final = (24, 12)
"""How far an index is looked for from the place of the other, along the width and the height, px of the index crop.

Cards travel with a long edge in front: along the width they may be far out of line, and the lines of a print may hide
the edge of the upper one.
"""

_APART: Final = 5
"""Px from which on indices stand too differently for one card, 3 % of its width; packs cut off centre have 2 %."""

_LIKE: Final = 0.4
"""Least likeness of the two indices at the place where they are most alike, for that place to count."""

_LIKER: Final = 0.08
"""By how much they must be more alike there than at the same place."""


_BOTH_WAYS: Final = 3
"""Px from which on indices stand apart the second way too: cards in one path are at most 1 % of a card out of it."""

_OFF_MIDDLE: Final = 7
"""Px up to which a pack is printed off its middle, 4 % of its width: one further off is cut into its index."""

_WIDEST: Final = 0.765
"""Width of the outline, parts of its height, from which on it is wider than a single card, whatever its print."""


def indices_apart(one: Image, other: Image, *, wide: float) -> bool:
    """Return whether the two indices stand at different distances from their edges, as no single card's do.

    Args:
        one: the index crop of one corner, `uint8 BGR`.
        other: that of the opposite corner.
        wide: width of the outline, parts of its height.
    """
    first, second = one.min(axis=2), other.min(axis=2)
    far_x, far_y = _FURTHEST
    around = cv2.copyMakeBorder(first, far_y, far_y, far_x, far_x, cv2.BORDER_REPLICATE)
    likeness = cv2.matchTemplate(around, second, cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(likeness)
    less, more = sorted((abs(at[0] - far_x), abs(at[1] - far_y)))
    if less >= _BOTH_WAYS and more <= _OFF_MIDDLE and wide < _WIDEST:
        return False
    return more >= _APART and best > _LIKE and best - float(likeness[far_y, far_x]) > _LIKER


_BANDS: Final = 10
"""Bands of rows within which an edge's lean is less than a pixel and may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Marks:
    """Where a step is, as parts of bands of rows and of the strips at both ends.

    Attributes:
        bands: `(_BANDS, columns) float32`, in [0, 1].
        ends: `(2, columns) float32`, in [0, 1], the upper strip first.
    """

    bands: NDArray[np.float32]
    ends: NDArray[np.float32]

    @classmethod
    def of(cls, step: NDArray[np.uint8]) -> _Marks:
        """Return the marks of a picture of steps, each widened by a pixel to either side."""
        rows, columns = step.shape
        _, marked = cv2.threshold(step, _STEP, 255, cv2.THRESH_BINARY)
        wide = cv2.dilate(marked, np.ones((1, 3), np.uint8))
        first, last = max(round(rows * _END[0]), 1), round(rows * _END[1]) + 1
        bands = cv2.resize(wide, (columns, _BANDS), interpolation=cv2.INTER_AREA)
        ends = np.stack([wide[first:last].mean(axis=0), wide[rows - last : rows - first].mean(axis=0)])
        return cls(bands=(bands / 255).astype(np.float32), ends=(ends / 255).astype(np.float32))

    def most(self) -> NDArray[np.float32]:
        """Return for each column the largest part of an edge's way that any lean could show there."""
        reach = cv2.dilate(self.bands, np.ones((1, 1 + max(_SKEWS)), np.uint8))
        most: NDArray[np.float32] = reach.mean(axis=0).astype(np.float32)
        return most


def _long_edges(marks: _Marks) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the columns, at their middle row, of nearly upright edges that reach an end, and of lines that may not."""
    columns = marks.bands.shape[1]
    top, bottom = marks.ends
    place = (np.arange(_BANDS) + 0.5) / _BANDS - 0.5
    edges, lines = np.zeros(columns, np.bool_), np.zeros(columns, np.bool_)
    middle = np.arange(columns)
    for skew in _SKEWS:
        lean = np.round(skew * place).astype(np.int64)[:, None]
        along = np.take_along_axis(marks.bands, np.clip(middle[None] + lean, 0, columns - 1), axis=1).mean(axis=0)
        half = skew // 2
        ends = np.maximum(top[np.clip(middle - half, 0, columns - 1)], bottom[np.clip(middle + half, 0, columns - 1)])
        edges |= (along >= _SHARE) & (ends >= _END_SHARE)
        lines |= along >= _TWIN_SHARE
    return edges, lines
