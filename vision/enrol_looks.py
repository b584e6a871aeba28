"""One picture of a card as enrolling sees it: where it lies, laid straight, and how good the picture is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.deck_picture import card_picture
from vision.doubts import Doubt
from vision.locate import locate
from vision.quads import side_lengths
from vision.recogniser import Limits, at_working_size, geometry_doubt
from vision.rectify import refine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]

_PAPER_QUANTILE: Final = 88
_WHITE: Final = 250
"""Level from which on a pixel is taken to hold no more light, of 255."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardLook:
    """One card in one picture.

    Attributes:
        image: the picture, `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
        spoilt: why its outline is not that of one card, where its print may be the cause; None where it is.
        picture: the card picture.
        height: of the card, px.
        edge_width: width of its edges, parts of its height.
        residual: how far they are from straight, parts of its height.
        uneven: largest difference of two opposite sides, parts of the longer.
        paper: level of the paper, of 255.
        shade: level of the paper in the darkest quarter, parts of that in the brightest.
        white: part of the card that is as bright as a pixel can be.
    """

    image: Image
    corners: Points
    spoilt: Doubt | None
    picture: Image
    height: float
    edge_width: float
    residual: float
    uneven: float
    paper: float
    shade: float
    white: float


def look_at(image: Image, limits: Limits) -> CardLook | Doubt:
    """Return the one card of a picture, or why there is none to learn from."""
    image = at_working_size(image, limits.working_side_px)
    located = locate(image, limits.locate)
    spoilt = located.doubt if located.card is None else None
    quad = located.card or located.spoilt
    if quad is None:
        return located.doubt
    edges = refine(image, quad.corners)
    if (doubt := geometry_doubt(edges, limits, widest=limits.edge_width)) is not None:
        return spoilt or doubt
    picture = card_picture(image, edges.corners)
    sides = side_lengths(edges.corners)
    brightest = picture.max(axis=2)
    half, middle = brightest.shape[0] // 2, brightest.shape[1] // 2
    quarters = [
        brightest[rows, columns]
        for rows in (slice(half), slice(half, None))
        for columns in (slice(middle), slice(middle, None))
    ]
    levels = [float(np.percentile(quarter, _PAPER_QUANTILE)) for quarter in quarters]
    return CardLook(
        image=image,
        corners=edges.corners,
        spoilt=spoilt,
        picture=picture,
        height=float(sides[1] + sides[3]) / 2,
        edge_width=edges.width,
        residual=edges.residual,
        uneven=max(float(abs(sides[side] - sides[side + 2]) / max(sides[side], sides[side + 2])) for side in (0, 1)),
        paper=float(np.percentile(brightest, _PAPER_QUANTILE)),
        shade=min(levels) / max(*levels, 1.0),
        white=float((picture.min(axis=2) >= _WHITE).mean()),
    )


def best_look(images: Iterable[Image], limits: Limits) -> CardLook | Doubt:
    """Return the best look of several pictures of one card; the last doubt where none can be learnt from.

    An outline that is that of one card is better than any other, and of those the straightest.
    """
    best: CardLook | Doubt = Doubt.NO_PICTURE
    for image in images:
        look = look_at(image, limits)
        if isinstance(best, Doubt) or (isinstance(look, CardLook) and _rank(look) < _rank(best)):
            best = look
    return best


def _rank(look: CardLook) -> tuple[bool, float]:
    return look.spoilt is not None, look.residual
