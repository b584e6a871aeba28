"""What is known of a read window before a card comes: where cards come to rest in it, and how it looks when empty."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.doubts import Doubt
from vision.locate import locate
from vision.quads import card_size
from vision.recogniser import Limits, at_working_size, edges_of_one
from vision.rectify import dimmest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]
    Grey = NDArray[np.uint8]

REDUCED: Final = 4
"""How much smaller the picture is in which the window is compared with the empty one."""

_OTHER_SIZE: Final = 0.02
"""By how much width and height of a card may differ from the usual ones, parts: two cards out of line are larger."""

_LEAST_SHARE: Final = 0.75
"""Least part of the frames that must show a card alike for a calibration to hold."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WindowCalibration:
    """A window that stands still before a camera that stands still.

    Attributes:
        corners: of a card at rest, `(4, 2) float32`, px of the frame at working size, clockwise, the first side short;
            cards come to rest some px around it.
        empty: the empty window as `reduced` shows it, `(H // REDUCED, W // REDUCED) uint8`; all 0 where none was seen.
    """

    corners: Points
    empty: Grey

    @property
    def width_px(self) -> float:
        """Width of a card, px of the frame."""
        return float(self.size[0])

    @property
    def size(self) -> Points:
        """Width and height of a card, `(2,) float32`, px of the frame."""
        return card_size(self.corners)


def of_size(corners: Points, usual: Points, *, off: float = _OTHER_SIZE) -> bool:
    """Return whether a quad has the usual width and height, at most so many parts off."""
    return bool(np.abs(card_size(corners) / usual - 1).max() <= off)


def reduced(image: Image) -> Grey:
    """Return one pixel in so many of a frame, in the dimmest of its colours: paper is light in it, and any ink dark.

    A frame that the processor has not touched yet comes slowly from memory; so most of its rows stay there.

    Args:
        image: `(H, W, 3) uint8 BGR`.

    Returns:
        `(H // REDUCED, W // REDUCED) uint8`.
    """
    height, width = image.shape[0] // REDUCED, image.shape[1] // REDUCED
    middles = image[_MIDDLE : height * REDUCED, _MIDDLE : width * REDUCED]
    return dimmest(np.asarray(cv2.resize(middles, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8))


_MIDDLE: Final = REDUCED // 2


def calibrate(
    cards: Sequence[Image], empties: Sequence[Image], *, limits: Limits | None = None
) -> WindowCalibration | Doubt:
    """Return where cards come to rest in a window, or what most frames show instead of a card.

    Args:
        cards: frames with one card at rest each, all of one size, `(H, W, 3) uint8 BGR`.
        empties: frames of the empty window under the same light; none where the empty window was not seen.
        limits: of the eye that will read the cards.

    Raises:
        ValueError: there is no frame with a card, or the frames differ in size.
    """
    if not cards or len({image.shape for image in (*cards, *empties)}) != 1:
        raise ValueError("a window is calibrated by frames of one size, at least one of them with a card")
    limits = limits or Limits()
    cards, empties = (
        [at_working_size(image, limits.working_side_px) for image in images] for images in (cards, empties)
    )
    quads: list[Points] = []
    doubts: Counter[Doubt] = Counter()
    for image in cards:
        found = card_at_rest(image, limits)
        if isinstance(found, Doubt):
            doubts[found] += 1
        else:
            quads.append(found)
    if len(quads) < _LEAST_SHARE * len(cards):
        return doubts.most_common(1)[0][0]
    if any(locate(image, limits.locate).quads for image in empties):
        return Doubt.SECOND_SHAPE
    return of_quads(quads, [reduced(image) for image in empties] or [np.zeros_like(reduced(cards[0]))])


def of_quads(quads: Sequence[Points], empties: Sequence[Grey]) -> WindowCalibration | Doubt:
    """Return the calibration that cards seen at rest and the empty window give, or that they are not of one size."""
    usual = np.median([card_size(quad) for quad in quads], axis=0).astype(np.float32)
    alike = [quad for quad in quads if of_size(quad, usual)]
    if len(alike) < _LEAST_SHARE * len(quads):
        return Doubt.OTHER_SIZE
    return WindowCalibration(
        corners=np.median(alike, axis=0).astype(np.float32),
        empty=np.median(empties, axis=0).astype(np.uint8),
    )


def card_at_rest(image: Image, limits: Limits) -> Points | Doubt:
    """Return the exact corners of the one card in a frame, or why there are none."""
    edges = edges_of_one(image, limits)
    if isinstance(edges, Doubt):
        return edges
    return edges.corners if edges.found else Doubt.FAINT_EDGES
