"""The second opinion on the suit: whether the sign under the index has the notch at its top that a heart has.

A diamond has a point there, a gem or a shield a flat top; at the size of an index they are easily taken for each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frame import Image

    Mask = NDArray[np.uint8]

_FINER: Final = 4
"""How much finer the crop is looked at than it is: the notch is some px deep."""

_WHITE: Final = 235
"""Level of the paper in an index crop."""

_LEAST_MARK: Final = 0.004
"""Smallest mark that is looked at, parts of the crop."""

_LARGEST_MARK: Final = (0.75, 0.7)
"""Largest width and height of a mark, parts of the crop: more is a frame, or marks run together."""

_LEAST_SIGN_PX: Final = 5
"""Least height of a sign, px of the crop."""

_FLAT: Final = 0.03
"""Depth of the notch up to which a sign is no heart, parts of its height; hearts have 0.07 to 0.18."""

_NOTCHED: Final = 0.07
"""Depth from which on it is no diamond; those have 0.05 at most."""


def signs_speak_against(crops: Sequence[Image], suit: str) -> bool:
    """Return whether the signs of both corners say that a red suit was misread.

    Args:
        crops: whitened index crops of both corners, each `(H, W, 3) uint8 BGR`.
        suit: that was read, one letter of `vision.cards.SUITS`.
    """
    if suit not in "HD":
        return False
    depths = [notch_depth(crop) for crop in crops]
    if suit == "H":
        return all(depth is not None and depth < _FLAT for depth in depths)
    return all(depth is not None and depth > _NOTCHED for depth in depths)


def notch_depth(crop: Image) -> float | None:
    """Return how deep the notch at the top of the sign under the index is, parts of its height; None for no sign."""
    height, width = crop.shape[0] * _FINER, crop.shape[1] * _FINER
    light = cv2.resize(crop.min(axis=2), (width, height), interpolation=cv2.INTER_CUBIC)
    dark = cv2.subtract(np.full_like(light, _WHITE), light)
    _, marks = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    _, names, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    sign = _sign(stats, height, width)
    if sign is None:
        return None
    left, top, wide, high = (int(value) for value in stats[sign, :4])
    if top + high >= height - 1 or left + wide >= width - 1 or high < _LEAST_SIGN_PX * _FINER:
        return None
    mark = names[top : top + high, left : left + wide] == sign
    upper = np.where(mark.any(axis=0), mark.argmax(axis=0), high)

    def part(begin: float, end: float) -> NDArray[np.int64]:
        piece: NDArray[np.int64] = upper[int(begin * wide) : int(end * wide) + 1]
        return piece

    shoulders = max(int(part(0.1, 0.45).min()), int(part(0.55, 0.9).min()))
    return (int(part(0.42, 0.58).max()) - shoulders) / high


def _sign(stats: NDArray[np.int32], height: int, width: int) -> int | None:
    """Return the number of the mark that stands under the uppermost left one; None where none does."""
    left, top, wide, high, area = stats[:, :5].T
    fits = (area >= _LEAST_MARK * height * width) & (wide <= _LARGEST_MARK[0] * width)
    fits &= high <= _LARGEST_MARK[1] * height
    fits[0] = False
    found = np.flatnonzero(fits)
    if len(found) < 2:
        return None
    rank = int(found[(top[found] + 0.5 * left[found]).argmin()])
    middle = left + wide / 2
    below = top[found] > top[rank] + 0.85 * high[rank]
    beneath = np.abs(middle[found] - middle[rank]) < 0.6 * np.maximum(wide[found], wide[rank])
    signs = found[below & beneath & (found != rank)]
    return None if not len(signs) else int(signs[top[signs].argmin()])
