"""What the index says of a card of an enrolled deck: read at the deck's own place, held against how the deck reads.

A foreign or an ornate letter may read as another, or as none, and does so on every pass. So a reading is compared with
what each card of the deck read as when it was enrolled, not with the name of the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.index_crop import INDEX_WIDTH, whiten
from vision.rectify import index_crops

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.deck import Deck, IndexPlace
    from vision.frame import Image

    Points = NDArray[np.float32]
    Rows = NDArray[np.float32]


def crops_at(image: Image, corners: Points, place: IndexPlace) -> list[Image]:
    """Return the index crops of both corners, as `vision.rectify.index_crops` does, at the place of a deck.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
        place: where the index stands.
    """
    view = (place.top, place.zoom)
    if place.right:
        aside = ((1 - INDEX_WIDTH * place.zoom) * (corners[1] - corners[0])).astype(np.float32)
        crops = [index_crops(image, corners + aside, view)[0], index_crops(image, corners - aside, view)[1]]
    else:
        crops = index_crops(image, corners, view)
    return [_dark_on_light(crop) for crop in crops] if place.light else crops


def _dark_on_light(crop: Image) -> Image:
    """Return a crop with light and dark changed for each other, and every hue kept."""
    values = crop.astype(np.int16)
    shift = 255 - values.max(axis=2, keepdims=True) - values.min(axis=2, keepdims=True)
    return whiten((values + shift).astype(np.uint8))


def support(ranks: Rows, suits: Rows, deck: Deck) -> Rows:
    """Return how well what each corner reads agrees with each card of a deck, `(2, cards) float32` in [0, 1].

    It is the chance that card and corner read as the same rank and suit.

    Args:
        ranks: probabilities of the ranks, `(2, RANK_CLASSES) float32`.
        suits: of the suits, `(2, SUIT_CLASSES) float32`.
        deck: the deck.
    """
    same: Rows = (ranks @ deck.ranks.T) * (suits @ deck.suits.T)
    return same
