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

_X, _Y = np.meshgrid(np.arange(COLUMNS, dtype=np.float32), np.arange(ROWS, dtype=np.float32))
_ACROSS: Final = (_X / (COLUMNS - 1) * 2 - 1).astype(np.float32)
_DOWN: Final = (_Y / (ROWS - 1) * 2 - 1).astype(np.float32)


def moved_onto(shown: Features, wanted: Features, weights: Features) -> Features:
    """Return features moved by the small displacement that makes them most like others.

    Args:
        shown: what is moved, `(2, ROWS, COLUMNS) float32`.
        wanted: what it shall be like; its scale does not matter.
        weights: how much each place counts, of the same shape.
    """
    here, there = shown[_FEW] * weights[_FEW], wanted[_FEW] * weights[_FEW]
    like = float((here * there).sum())
    if like <= 0:
        return shown
    right = np.stack([cv2.Sobel(one, cv2.CV_32F, 1, 0, ksize=1) for one in shown])[_FEW] / 2
    down = np.stack([cv2.Sobel(one, cv2.CV_32F, 0, 1, ksize=1) for one in shown])[_FEW] / 2
    across, along = _ACROSS[_FEW[1:]], _DOWN[_FEW[1:]]
    slopes = np.stack([right, down, right * across, down * along, right * along, down * across]) * weights[_FEW]
    slopes = slopes.reshape(6, -1)
    square = slopes @ slopes.T
    square += np.eye(6, dtype=np.float32) * (_STIFF * float(np.trace(square)) / 6 + _TINY)
    gap = (there * (float((here * here).sum()) / like) - here).ravel()
    move = np.clip(np.linalg.solve(square, slopes @ gap), -_FURTHEST, _FURTHEST).astype(np.float32)
    x = _X + move[0] + move[2] * _ACROSS + move[4] * _DOWN
    y = _Y + move[1] + move[3] * _DOWN + move[5] * _ACROSS
    channels = [cv2.remap(one, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for one in shown]
    return np.stack(channels).astype(np.float32)


def turned(values: Features) -> Features:
    """Return features as of the card turned by half a turn; so for rows of them."""
    return np.ascontiguousarray(values[..., ::-1, ::-1])


def unit(values: Features) -> Features:
    """Return features, or rows of them, each brought to length 1."""
    length = np.sqrt((values * values).sum(axis=(-3, -2, -1), keepdims=True))
    one: Features = values / np.maximum(length, 1e-6)
    return one


_EVEN: Final = np.ones((2, ROWS, COLUMNS), np.float32)

_STEPS: Final = 3
"""Moves by which one picture of a card is brought onto the other: what a first one leaves, the next ones find."""


def settled_onto(shown: Features, wanted: Features) -> Features:
    """Return features moved onto others step by step, every place counting alike."""
    for _ in range(_STEPS):
        shown = moved_onto(shown, wanted, _EVEN)
    return shown


def brought_onto(shown: Features, wanted: Features) -> tuple[float, bool, Features]:
    """Return the likeness of features brought onto others, whether they had to be turned, and what they then are.

    Most cards differ from themselves turned by one pip or less. So the two ways up are compared where what is wanted
    differs from itself turned, and not where only noise does.
    """
    ways = [settled_onto(way, wanted) for way in (shown, turned(shown))]
    telling = (unit(wanted) - unit(settled_onto(turned(wanted), wanted))) ** 2
    off = [float((telling * (unit(way) - unit(wanted)) ** 2).sum()) for way in ways]
    turn = off[1] < off[0]
    return likeness(ways[turn], wanted), turn, ways[turn]


def likeness(one: Features, other: Features) -> float:
    """Return the cosine of features as they lie, in [-1, 1]."""
    return float((unit(one) * unit(other)).sum())
