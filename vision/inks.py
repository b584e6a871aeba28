"""Whether the middle of a card is printed in one colour, as pips of French suits are, or in several.

Bells have three colours, and small or blurred they are read as clubs. Colours that lie near each other, as red and
yellow or blue and green do, count as one, and so do all greys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.frame import Image

_SIZE: Final = (50, 70)
"""Size at which colours are compared, px: small enough for noise, large enough for the parts of a pip."""

_MIDDLE: Final = (slice(10, 60), slice(8, 42))
"""Rows and columns there without indices and frame."""

_INK: Final = 0.7
"""Level of the dimmest colour below which a place is inked, parts of the paper's."""

_COLOURED: Final = 0.2
"""How far from grey an ink is coloured, parts of the paper's level."""

_PAPER: Final = 80
"""Part of a card's places that are darker than its paper, in hundredths."""

_HUES: Final = np.linspace(0, 2 * np.pi, 24, endpoint=False)
"""Among which the most frequent one is looked for."""

_LIKE: Final = 0.9
_UNLIKE: Final = 0.35
"""Cosines of the angle between two hues: from the one on they are the same, up to the other they are two; 26 and 70
degrees."""

_SECOND: Final = 0.12
"""Part of the ink from which on another colour is not by chance: the number cards of 42 decks of French suits have
none, bells have 0.21 to 0.36. Of 121 photographs and drawings whose pips could not be counted four have more."""


def in_one_ink(card: Image) -> bool:
    """Return whether what is printed in a card's middle may be pips of one colour.

    Args:
        card: a card picture, `(H, W, 3) uint8 BGR`.
    """
    return _second_ink(card) < _SECOND


def _second_ink(card: Image) -> float:
    """Return which part of the ink in a card's middle is of another colour than most of the coloured ink, in [0, 1]."""
    small = cv2.resize(card, _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    paper = np.maximum(np.percentile(small.reshape(-1, 3), _PAPER, axis=0), 1.0)
    middle = (small / paper.astype(np.float32))[_MIDDLE]
    inked = middle[middle.min(axis=2) < _INK]
    blue, green, red = inked.T
    across, along = red - green, (red + green) / 2 - blue
    strength, hues = np.hypot(across, along), np.arctan2(along, across)
    coloured = strength > _COLOURED
    likeness = np.cos(hues[coloured, None] - _HUES)
    most = int(((likeness > _LIKE) * strength[coloured, None]).sum(axis=0).argmax())
    return float(np.count_nonzero(likeness[:, most] < _UNLIKE) / max(len(inked), 1))
