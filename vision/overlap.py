"""The marks of two cards lying on each other inside the outline of what looks like one.

Far out of line, the edge of the upper card runs through the outline. A little out of line, it is too near to the
outline to be told from a printed rim; but then one index stands further from its edge than the other, along the path
that both came, and along it alone. A pack whose print is uneven has its indices apart along the height too.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from vision.doubts import Doubt
from vision.quads import proportion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Grey = NDArray[np.uint8]


def two_by_print(card: Grey, indices: Sequence[Grey], corners: NDArray[np.float32]) -> Doubt | None:
    """Return the mark of two cards inside one outline; None where there is none.

    Args:
        card: the dimmest colour of the card laid straight, `(H, W) uint8`.
        indices: that of the index crops of two opposite corners; none where they are not to be compared, and the
            width of the outline alone must tell.
        corners: of the outline, `(4, 2) float32`, px.
    """
    if inner_edge(card):
        return Doubt.INNER_EDGE
    wide = proportion(corners)
    if not indices:
        return Doubt.OTHER_SIZE if wide >= _BROADEST else None
    return Doubt.INDICES_APART if indices_apart(*indices, wide=wide) else None


_BROADEST: Final = 0.785
"""Width of the outline, parts of its height, from which on it is no single card's, where no indices can be compared.

Of drawn frames of the broadest pack the broadest single card has 0.775, the narrowest pair out of line by 5 % 0.797.
"""


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


def inner_edge(card: Grey) -> bool:
    """Return whether a straight edge runs along the inside of the card to its end, on one side only.

    A line that a pack prints along its border has a twin on the opposite side; the edge of a second card has none.

    Args:
        card: a canonical card, `(CARD_HEIGHT, CARD_WIDTH) uint8`.
    """
    return _has_lone_edge(card) or _has_lone_edge(np.asarray(cv2.transpose(card), np.uint8))


def _has_lone_edge(grey: NDArray[np.uint8]) -> bool:
    before, after = grey[:, :-2], grey[:, 2:]
    searched = _searched(before.shape[1])
    _, steps = cv2.threshold(cv2.absdiff(after, before), _STEP, 255, cv2.THRESH_BINARY)
    # Both kinds, of any lean, together: where that is too little, so is either, and on most cards it is.
    most = cv2.reduce(cv2.dilate(steps, _ANY_LEAN), 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0]
    if float(most[searched].max()) <= _SHARE * 255 - 1:
        return False
    edges, lines = _long_edges(np.concatenate([cv2.subtract(after, before), cv2.subtract(before, after)]))
    twins = cv2.dilate(lines[::-1].astype(np.uint8)[None], _AROUND_TWIN)[0] > 0
    return bool((edges & ~twins & searched).any())


@lru_cache(maxsize=4)
def _searched(columns: int) -> NDArray[np.bool_]:
    """Return in which of so many columns an edge is looked for, `(columns,) bool`."""
    margin, depth = round(columns * _MARGIN) + 1, round(columns * _DEPTH)
    searched = np.zeros(columns, np.bool_)
    searched[margin:depth] = searched[columns - depth : columns - margin] = True
    return searched


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


_ACROSS: Final = 4
"""Px from which on indices stand apart along the height too: cards in one path are at most 1 % of a card out of it."""

_UNEVEN: Final = 7
"""Px along the width up to which a print may be uneven, 4 % of it: one further off is cut into its index."""

_WIDEST: Final = 0.765
"""Width of the outline, parts of its height, from which on it is wider than a single card, whatever its print."""


def indices_apart(one: Grey, other: Grey, *, wide: float) -> bool:
    """Return whether the two indices stand at different distances from their edges, as no single card's do.

    Args:
        one: the dimmest colour of the index crop of one corner, `(H, W) uint8`.
        other: that of the opposite corner.
        wide: width of the outline, parts of its height.
    """
    if _likeness(one, other) > 1 - _LIKER:
        return False  # nowhere can they be so much more alike
    far_x, far_y = _FURTHEST
    around = cv2.copyMakeBorder(one, far_y, far_y, far_x, far_x, cv2.BORDER_REPLICATE)
    likeness = cv2.matchTemplate(around, other, cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(likeness)
    along, across = abs(at[0] - far_x), abs(at[1] - far_y)
    if across >= _ACROSS and along <= _UNEVEN and wide < _WIDEST:
        return False
    return max(along, across) >= _APART and best > _LIKE and best - float(likeness[far_y, far_x]) > _LIKER


def _likeness(one: Grey, other: Grey) -> float:
    """Return the correlation of two pictures of one size as they lie, in [-1, 1]; 0.0 where one of them is even."""
    (first, spread), (second, other_spread) = (
        [float(value[0, 0]) for value in cv2.meanStdDev(grey)] for grey in (one, other)
    )
    if not spread * other_spread:
        return 0.0
    apart = cv2.norm(one, other, cv2.NORM_L2SQR) / one.size
    return (spread**2 + other_spread**2 + (first - second) ** 2 - apart) / (2 * spread * other_spread)


_BANDS: Final = 10
"""Bands of rows within which an edge's lean is less than a pixel and may be left out."""


_WIDER: Final = np.ones((1, 3), np.uint8)
_ANY_LEAN: Final = np.ones((1, 3 + max(_SKEWS)), np.uint8)
"""A pixel widened to either side, and further by half of the largest lean."""

_AROUND_TWIN: Final = np.ones((1, 2 * _TWIN + 1), np.uint8)


def _long_edges(steps: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the columns, at their middle row, of nearly upright edges that reach an end, and of lines that may not.

    Args:
        steps: the rising ones of a picture above the falling ones, `(2 * rows, columns) uint8`.
    """
    _, marked = cv2.threshold(steps, _STEP, 255, cv2.THRESH_BINARY)
    marked = cv2.dilate(marked, _WIDER)
    rows, columns = marked.shape[0] // 2, marked.shape[1]
    leans = _leans(columns)
    bands = cv2.resize(marked, (columns, 2 * _BANDS), interpolation=cv2.INTER_AREA).astype(np.float32)
    along = bands.reshape(2, -1).take(leans.bands, axis=1).mean(axis=2)
    first, last = max(round(rows * _END[0]), 1), round(rows * _END[1]) + 1
    both = marked.reshape(2, rows, columns)
    top, bottom = both[:, first:last], both[:, rows - last : rows - first]
    top, bottom = (strip.mean(axis=1, dtype=np.float32) for strip in (top, bottom))
    ends = np.maximum(top.take(leans.top, axis=1), bottom.take(leans.bottom, axis=1))
    edges = (along >= _SHARE * 255) & (ends >= _END_SHARE * 255)
    return edges.any(axis=(0, 1)), (along >= _TWIN_SHARE * 255).any(axis=(0, 1))


class _Leans(NamedTuple):
    """Columns in which an edge runs that leans, for each lean and each column at its middle row.

    Fields: in the bands one after another, `(leans, _BANDS, columns)`; at the top and at the bottom, each
    `(leans, columns)`.
    """

    bands: NDArray[np.int64]
    top: NDArray[np.int64]
    bottom: NDArray[np.int64]


@lru_cache(maxsize=4)
def _leans(columns: int) -> _Leans:
    middle, skews = np.arange(columns), np.array(_SKEWS)[:, None]
    place = (np.arange(_BANDS) + 0.5) / _BANDS - 0.5
    lean = np.round(skews * place).astype(np.int64)[:, :, None]
    columns_of = partial(np.clip, a_min=0, a_max=columns - 1)
    return _Leans(
        bands=columns_of(middle + lean) + columns * np.arange(_BANDS)[:, None],
        top=columns_of(middle - skews // 2),
        bottom=columns_of(middle + skews // 2),
    )
