"""The index crop: the piece of a card's corner the index reader looks at, its size and its white balance.

Reader and training share this module, so that what is learnt is what is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.frame import Image

CROP_WIDTH: Final = 48
"""Width of an index crop, px."""

CROP_HEIGHT: Final = 72
"""Height of an index crop, px."""

INDEX_WIDTH: Final = 0.30
"""Part of the card's width a crop shows: a jumbo ten fits."""

INDEX_HEIGHT: Final = 0.32
"""Part of the card's height a crop shows: rank and suit of a jumbo index fit."""

VIEWS: Final = ((0.0, 1.0), (0.055, 1.0), (0.11, 1.0), (0.0, 1.4))
"""Where a crop may begin below the card's edge, parts of the card's height, and how much larger it may be.

Packs print the index at different places and sizes; the last view holds the largest jumbo index.
"""

LONG_VIEWS: Final = ((0.0, 1.2), (0.0, 1.3))
"""Views for an index whose sign is far below its rank; so it is above it where a lower index stands upright."""

PAPER_LEVEL: Final = 235.0
"""Level the paper is brought to, of 255."""

_PAPER_QUANTILE: Final = 0.88
_DARKEST_PAPER: Final = 20.0


def whiten(crop: Image) -> Image:
    """Return the crop with its paper brought to a fixed white, each colour for itself.

    The paper is taken to be the brightest eighth of the crop.

    Args:
        crop: `(H, W, 3) uint8 BGR`.
    """
    return whiten_all([crop])[0]


def whiten_all(crops: Sequence[Image]) -> list[Image]:
    """Return crops, each whitened for itself as `whiten` does.

    Args:
        crops: one or more, of one size, each `(H, W, 3) uint8 BGR`.
    """
    # Of numbers of 32 bits NumPy finds a quantile in less time than of those of 8.
    samples = np.array([crop[::3, ::2] for crop in crops], np.float32).reshape(len(crops), -1, 3)
    rank = int(samples.shape[1] * _PAPER_QUANTILE)
    paper = np.partition(samples, rank, axis=1)[:, rank, None]
    levels = np.minimum(_LEVELS * (PAPER_LEVEL / np.maximum(paper, _DARKEST_PAPER)), 255.0).astype(np.uint8)
    return [np.asarray(cv2.LUT(crop, own[None]), np.uint8) for crop, own in zip(crops, levels, strict=True)]


_LEVELS: Final = np.arange(256, dtype=np.float32)[:, None]
