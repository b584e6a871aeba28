"""A card picture, and what of it is compared: at half its size for the whole card, at full size where two are alike.

A picture is whitened, softened and freed of slow light; its dimmest and its brightest colour stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH
from vision.deck_fit import COLUMNS, ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]
    Features = NDArray[np.float32]

_SURROUND: Final = 9
"""Width of the neighbourhood whose mean is taken off: light that falls off slowly, and most glare, px at half size."""

_SOFT: Final = 1.0
"""Width by which pictures are softened at either size, px, so that a sharp and a blurred one of a card are alike."""

_PAPER_QUANTILE: Final = 0.97
_DARKEST_PAPER: Final = 20.0
_BRIGHTEST: Final = 1.15
"""Level above the paper's that still counts; more is glare."""

_SAMPLE: Final = (7, 3)
"""Every how manieth row and column the paper is sought in."""


def card_picture(image: Image, corners: Points) -> Image:
    """Return the card laid straight, a card picture.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
    """
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 2, 0, (width - 1, height - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 3, (left + 1, top + 1), (width, height))
    shrink = max(int(np.linalg.norm(corners[1] - corners[0])) // PICTURE_WIDTH, 1)
    size = (max((right - left) // shrink, 1), max((bottom - top) // shrink, 1))
    around = image[top : top + size[1] * shrink, left : left + size[0] * shrink]
    small = cv2.resize(around, size, interpolation=cv2.INTER_AREA)
    here = ((corners - (left, top) + 0.5) / shrink - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(here, _CARD)
    size = (PICTURE_WIDTH, PICTURE_HEIGHT)
    return cv2.warpPerspective(small, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.uint8
    )


_CARD: Final = np.array([[0, 0], [PICTURE_WIDTH, 0], [PICTURE_WIDTH, PICTURE_HEIGHT], [0, PICTURE_HEIGHT]], np.float32)


def features(picture: Image) -> Features:
    """Return what of a card picture is compared, `(2, ROWS, COLUMNS) float32`: its dimmest and its brightest colour."""
    half = cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return np.stack(_freed(half, picture, _SURROUND))


def fine_features(picture: Image) -> Features:
    """Return the same at full size, `(PICTURE_HEIGHT, PICTURE_WIDTH, 2) float32`."""
    return np.stack(_freed(picture, picture, 2 * _SURROUND + 1), axis=2)


def _freed(shown: Image, picture: Image, surround: int) -> list[Features]:
    """Return the dimmest and the brightest colour freed of paper and slow light, each `(H, W) float32`."""
    sample = picture[:: _SAMPLE[0], :: _SAMPLE[1]].reshape(-1, 3)
    rank = int(len(sample) * _PAPER_QUANTILE)
    paper = np.maximum(np.partition(sample, rank, axis=0)[rank], _DARKEST_PAPER)
    blue, green, red = cv2.split(np.minimum(shown / paper.astype(np.float32), _BRIGHTEST).astype(np.float32))
    channels = (cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red))
    soft = [cv2.GaussianBlur(one, (0, 0), _SOFT) for one in channels]
    return [(one - cv2.blur(one, (surround, surround))).astype(np.float32) for one in soft]
