"""Moves the features of one card picture onto those of another: what the edges of a card leave open, up to some pixels.

A shadow along one side, or blur, moves the found edges; the print then stands a little aside, stretched or leaning. The
six numbers of that are found at once, from the slopes of the picture (Lucas and Kanade, IJCAI 1981, pages 674 to 679).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Features = NDArray[np.float32]
    Move = NDArray[np.float64]
    """From where a place of the moved picture comes, `(3, 3)`: homogeneous coordinates, px at ROWS and COLUMNS."""

COLUMNS: Final = 50
ROWS: Final = 70
"""Size at which pictures are compared, px."""

_FURTHEST: Final = 2.0
"""How far any of the six moves a place at most, px: the slopes tell no more."""

_STIFF: Final = 1e-3
"""Part of the mean square of the slopes that holds against moves which the picture says nothing of."""

_FEW: Final = (slice(None), slice(None, None, 2), slice(None, None, 2))
"""Every second row and column is asked; the move is smooth."""

_TINY: Final = 1e-12

_MIDDLE: Final = ((COLUMNS - 1) / 2, (ROWS - 1) / 2)
_ACROSS, _DOWN = np.meshgrid(np.linspace(-1, 1, COLUMNS, dtype=np.float32), np.linspace(-1, 1, ROWS, dtype=np.float32))

UNMOVED: Final[Move] = np.eye(3)


def move_onto(shown: Features, wanted: Features, weights: Features) -> Move:
    """Return the small move that makes features most like others.

    Args:
        shown: what is to be moved, `(2, ROWS, COLUMNS) float32`.
        wanted: what it shall be like; its scale does not matter.
        weights: how much each place counts, of the same shape.
    """
    here, there = shown[_FEW] * weights[_FEW], wanted[_FEW] * weights[_FEW]
    like = float((here * there).sum())
    if like <= 0:
        return UNMOVED
    right = np.stack([cv2.Sobel(one, cv2.CV_32F, 1, 0, ksize=1) for one in shown])[_FEW] / 2
    down = np.stack([cv2.Sobel(one, cv2.CV_32F, 0, 1, ksize=1) for one in shown])[_FEW] / 2
    across, along = _ACROSS[_FEW[1:]], _DOWN[_FEW[1:]]
    slopes = np.stack([right, down, right * across, down * along, right * along, down * across]) * weights[_FEW]
    slopes = slopes.reshape(6, -1)
    square = slopes @ slopes.T
    square += np.eye(6, dtype=np.float32) * (_STIFF * float(np.trace(square)) / 6 + _TINY)
    gap = (there * (float((here * here).sum()) / like) - here).ravel()
    right, down, wider, higher, leaning, rising = np.clip(np.linalg.solve(square, slopes @ gap), -_FURTHEST, _FURTHEST)
    return np.array(
        [
            [1 + wider / _MIDDLE[0], leaning / _MIDDLE[1], right - wider - leaning],
            [rising / _MIDDLE[0], 1 + higher / _MIDDLE[1], down - higher - rising],
            [0, 0, 1],
        ]
    )


def moved_picture(shown: Features, move: Move) -> Features:
    """Return a picture of a whole card moved, `(H, W, ...) float32` at a size of its own."""
    height, width = shown.shape[:2]
    across, along = width / COLUMNS, height / ROWS
    larger = np.array([[across, 0, (across - 1) / 2], [0, along, (along - 1) / 2], [0, 0, 1]])
    matrix = (larger @ move @ np.linalg.inv(larger))[:2]
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(shown, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def moved(shown: Features, move: Move) -> Features:
    """Return features moved, `(2, ROWS, COLUMNS) float32`."""
    return np.stack([moved_picture(one, move) for one in shown])


def moved_onto(shown: Features, wanted: Features, weights: Features) -> Features:
    """Return features moved as `move_onto` says."""
    return moved(shown, move_onto(shown, wanted, weights))


def turned(values: Features) -> Features:
    """Return features as of the card turned by half a turn; so for rows of them."""
    return np.ascontiguousarray(values[..., ::-1, ::-1])


def unit(values: Features) -> Features:
    """Return features, or rows of them, each brought to length 1."""
    length = np.sqrt((values * values).sum(axis=(-3, -2, -1), keepdims=True))
    one: Features = values / np.maximum(length, 1e-6)
    return one


EVEN: Final = np.ones((2, ROWS, COLUMNS), np.float32)
"""Weights by which every place counts alike."""

_STEPS: Final = 3
"""Moves by which one picture of a card is brought onto the other: what a first one leaves, the next ones find."""


def settled(shown: Features, wanted: Features) -> tuple[Move, Features]:
    """Return the move that brings features onto others, every place counting alike, and what they then are."""
    move, now = UNMOVED, shown
    for _ in range(_STEPS):
        move = move @ move_onto(now, wanted, EVEN)
        now = moved(shown, move)
    return move, now


def brought_onto(shown: Features, wanted: Features) -> tuple[float, bool, Features]:
    """Return the likeness of features brought onto others, whether they had to be turned, and what they then are.

    Most cards differ from themselves turned by one pip or less. So the two ways up are compared where what is wanted
    differs from itself turned, and not where only noise does.
    """
    ways = [settled(way, wanted)[1] for way in (shown, turned(shown))]
    telling = (unit(wanted) - unit(settled(turned(wanted), wanted)[1])) ** 2
    off = [float((telling * (unit(way) - unit(wanted)) ** 2).sum()) for way in ways]
    turn = off[1] < off[0]
    return likeness(ways[turn], wanted), turn, ways[turn]


def likeness(one: Features, other: Features) -> float:
    """Return the cosine of features as they lie, in [-1, 1]."""
    return float((unit(one) * unit(other)).sum())
