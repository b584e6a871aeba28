"""The marks of two cards lying on each other inside the outline of what looks like one.

Far out of line, the edge of the upper card runs through the outline. A little out of line, it is too near to the
outline to be told from a printed rim; but then one index stands further from its edge than the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

_SIZE: Final = (100, 140)
"""Width and height the card is examined at, px."""

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


def inner_edge(card: Image) -> bool:
    """Return whether a straight edge runs along the inside of the card to its end, on one side only.

    A line that a pack prints along its border has a twin on the opposite side; the edge of a second card has none.

    Args:
        card: a canonical card, `uint8 BGR`.
    """
    small = cv2.resize(card, _SIZE, interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small)
    grey = cv2.min(cv2.min(blue, green), red).astype(np.uint8)
    return _has_lone_edge(grey) or _has_lone_edge(np.ascontiguousarray(grey.T))


def _has_lone_edge(grey: NDArray[np.uint8]) -> bool:
    before, after = grey[:, :-2], grey[:, 2:]
    up, down = cv2.subtract(after, before) > _STEP, cv2.subtract(before, after) > _STEP
    edges, lines = np.zeros(up.shape[1], np.bool_), np.zeros(up.shape[1], np.bool_)
    for marked in (up, down):
        long, twin = _long_edges(marked)
        edges |= long
        lines |= twin
    columns = len(edges)
    margin, depth = round(columns * _MARGIN) + 1, round(columns * _DEPTH)
    twins = cv2.dilate(lines[::-1].astype(np.uint8)[None], np.ones((1, 2 * _TWIN + 1), np.uint8))[0] > 0
    lone = edges & ~twins
    return bool(lone[margin:depth].any() or lone[columns - depth : columns - margin].any())


_FURTHEST: Final = 12
"""How far an index is looked for from the place of the other, px of the index crop."""

_APART: Final = 5
"""Px from which on indices stand too differently for one card, 3 % of its width; packs cut off centre have 2 %."""

_LIKE: Final = 0.4
"""Least likeness of the two indices at the place where they are most alike, for that place to count."""

_LIKER: Final = 0.08
"""By how much they must be more alike there than at the same place."""


def indices_apart(one: Image, other: Image) -> bool:
    """Return whether the two indices of a card stand at different distances from their edges.

    Args:
        one: the index crop of one corner, `uint8 BGR`.
        other: that of the opposite corner.
    """
    first, second = one.min(axis=2), other.min(axis=2)
    around = cv2.copyMakeBorder(first, *(_FURTHEST,) * 4, cv2.BORDER_REPLICATE)
    likeness = cv2.matchTemplate(around, second, cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(likeness)
    off = max(abs(at[0] - _FURTHEST), abs(at[1] - _FURTHEST))
    return off >= _APART and best > _LIKE and best - float(likeness[_FURTHEST, _FURTHEST]) > _LIKER


_BANDS: Final = 10
"""Bands of rows within which an edge's lean is less than a pixel and may be left out."""


def _long_edges(marked: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the columns, at their middle row, of nearly upright edges that reach an end, and of lines that may not."""
    rows, columns = marked.shape
    wide = cv2.dilate(marked.astype(np.float32), np.ones((1, 3), np.uint8))
    first, last = max(round(rows * _END[0]), 1), round(rows * _END[1]) + 1
    bands = cv2.resize(wide, (columns, _BANDS), interpolation=cv2.INTER_AREA)
    top, bottom = wide[first:last].mean(axis=0), wide[rows - last : rows - first].mean(axis=0)
    place = (np.arange(_BANDS) + 0.5) / _BANDS - 0.5
    edges, lines = np.zeros(columns, np.bool_), np.zeros(columns, np.bool_)
    if float(bands.mean(axis=0).max()) < _TWIN_SHARE / 2:
        return edges, lines
    middle = np.arange(columns)
    for skew in _SKEWS:
        lean = np.round(skew * place).astype(np.int64)[:, None]
        along = np.take_along_axis(bands, np.clip(middle[None] + lean, 0, columns - 1), axis=1).mean(axis=0)
        half = skew // 2
        ends = np.maximum(top[np.clip(middle - half, 0, columns - 1)], bottom[np.clip(middle + half, 0, columns - 1)])
        edges |= (along >= _SHARE) & (ends >= _END_SHARE)
        lines |= along >= _TWIN_SHARE
    return edges, lines
