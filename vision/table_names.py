"""Read the corners of light shapes: a card's face has an index there, whatever else is light has none.

A corner is read in several views, for packs print their indices at different places and sizes. Where there is no paper
or no print, as on cloth, cuffs and the inside of backs, the index reader is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.classify import NO_SUIT
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH, PAPER_LEVEL, whiten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReader, IndexReading
    from vision.frame import Image

    Points = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerLimits:
    """What a corner must be like for the index reader to be asked, and what it must say.

    Attributes:
        whiteness: least of the paper's colours over its greatest, as the camera gives them: skin has less.
        ink_level: darkest level of paper, of 255, once it is brought to its fixed white.
        ink: least and largest part of a corner that is printed.
        back: probability of a back, in any view, from which a corner has no index.
        named: least confidence of a suit that counts.
    """

    whiteness: float = 0.58
    ink_level: float = 0.6 * PAPER_LEVEL
    ink: tuple[float, float] = (0.004, 0.62)
    back: float = 0.06
    named: float = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCorner:
    """A corner with what may be an index.

    Attributes:
        place: which of the corners asked for.
        readings: of each view that has a suit at least.
    """

    place: int
    readings: tuple[IndexReading, ...]


_FIRST_VIEW: Final = (0.0, 1.0)
_OTHER_VIEWS: Final = ((0.0, 1.4), (0.055, 1.0), (0.0, 0.8))
"""Where a crop may begin below the card's edge, parts of the card's height, and how much larger it may be."""


def named_corners(
    image: Image, quads: Sequence[Points], reader: IndexReader, limits: CornerLimits
) -> list[NamedCorner]:
    """Return the corners that show a suit at least.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        quads: of what may be cards, each `(4, 2) float32`, clockwise from the corner that is asked for.
        reader: of the indices.
        limits: of paper, print and confidence.
    """
    cuts = [_cut(image, quad, _FIRST_VIEW) for quad in quads]
    asked = [place for place, cut in enumerate(cuts) if _is_paper(cut, limits)]
    crops = [whiten(cuts[place]) for place in asked]
    printed = [number for number, crop in enumerate(crops) if _is_printed(crop, limits)]
    if not printed:
        return []
    first = reader.read([crops[number] for number in printed])
    going = [(asked[number], one) for number, one in zip(printed, first, strict=True) if one.back < limits.back]
    if not going:
        return []
    more = reader.read([whiten(_cut(image, quads[place], view)) for place, _ in going for view in _OTHER_VIEWS])
    count = len(_OTHER_VIEWS)
    found = []
    for number, (place, one) in enumerate(going):
        views = [one, *more[number * count : (number + 1) * count]]
        readings = _names(views, limits)
        # A pattern on a back may be named in one view and even twice; in another it is seen to be a back.
        if readings and max(view.back for view in views) < limits.back:
            found.append(NamedCorner(place=place, readings=readings))
    return found


def _names(readings: Sequence[IndexReading], limits: CornerLimits) -> tuple[IndexReading, ...]:
    return tuple(one for one in readings if one.suit != NO_SUIT and one.suit_confidence >= limits.named)


def _cut(image: Image, quad: Points, view: tuple[float, float]) -> Image:
    """Return the crop of the corner with which a quad begins; at this size no sample is finer than the picture."""
    top, zoom = view
    right, down = quad[1] - quad[0], quad[3] - quad[0]
    step_x, step_y = right * (INDEX_WIDTH * zoom / CROP_WIDTH), down * (INDEX_HEIGHT * zoom / CROP_HEIGHT)
    origin = quad[0] + down * top + (step_x + step_y - 1.0) / 2
    matrix = np.array([[step_x[0], step_y[0], origin[0]], [step_x[1], step_y[1], origin[1]]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(image, matrix, (CROP_WIDTH, CROP_HEIGHT), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


_EACH: Final = 5
"""One in so many px, both ways, says what the paper of a crop is like."""


def _is_paper(cut: Image, limits: CornerLimits) -> bool:
    sample = cut[::_EACH, ::_EACH].reshape(-1, 3)
    rank = len(sample) * 4 // 5
    paper = np.partition(sample, rank, axis=0)[rank]
    return float(paper.min()) >= limits.whiteness * float(paper.max())


def _is_printed(crop: Image, limits: CornerLimits) -> bool:
    dark = float((crop[::2, ::2].min(axis=2) < limits.ink_level).mean())
    return limits.ink[0] <= dark <= limits.ink[1]
