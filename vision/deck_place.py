"""Whether the print of a card stands in its outline where it stood when the card was learnt.

Two cards a little out of line have an outline that is wider than one card, so that the print of the upper one stands
aside in it. Blur moves opposite sides apart or together, and leaves the print in the middle between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.deck_fit import COLUMNS, ROWS, likeness, settled, turned
from vision.deck_picture import features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.deck_fit import Move
    from vision.frame import Image

    Sides = NDArray[np.float64]
    """How far the print stands from where it stood, seen from the left and the right, the upper and the lower side, px
    at COLUMNS and ROWS: `(2, 2) float64`."""

_ASIDE: Final = 0.33
"""How far from the middle between two opposite sides the print may stand, px at COLUMNS and ROWS.

Of drawn frames of a deck at level 1 single cards are 0.2 px off at most, two cards 2 % out of line 0.36 px and more.
"""

_SIDE: Final = 0.63
"""How far from any one side, px: single cards are 0.62 px off at most, two cards of one path 0.63 px and more."""


def out_of_place(picture: Image, learnt: Sequence[Image]) -> bool:
    """Return whether the print of a card stands elsewhere in its outline than it did.

    Args:
        picture: the card picture.
        learnt: those that were learnt of the card, the same way up.
    """
    shown, wanted = features(picture), [features(one) for one in learnt]
    ways = [[settled(way, one) for one in wanted] for way in (shown, turned(shown))]
    alike = [sum(likeness(now, one) for (_, now), one in zip(way, wanted, strict=True)) for way in ways]
    sides: Sides = np.mean([_sides(move) for move, _ in ways[int(alike[1] > alike[0])]], axis=0)
    return bool(np.abs(sides.mean(axis=1)).max() > _ASIDE or np.abs(sides).max() > _SIDE)


def _sides(move: Move) -> Sides:
    """Return by how much a move takes the middles of a card's sides across them, px at COLUMNS and ROWS."""
    middle, end = np.array([COLUMNS - 1, ROWS - 1]) / 2, np.array([COLUMNS - 1, ROWS - 1])
    found = []
    for axis in (0, 1):
        first, last = np.append(middle, 1.0), np.append(middle, 1.0)
        first[axis], last[axis] = 0.0, end[axis]
        found.append([(move @ first)[axis], (move @ last)[axis] - end[axis]])
    return np.array(found)
