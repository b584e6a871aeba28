"""An enrolled deck: how each of its cards looks through this window, and what its indices read as.

Convention: a card picture is a card laid straight, `(PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8 BGR`; which of its short
sides is the top is what it was in the first pass.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from vision.classify import RANK_CLASSES, SUIT_CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.cards import Card
    from vision.frame import Image

PICTURE_WIDTH: Final = 100
PICTURE_HEIGHT: Final = 140
"""Size of a card picture, px: that of a canonical card."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPlace:
    """Where the index stands on the cards of a deck.

    Attributes:
        top: from the short side down to the crop that shows it, parts of the card's height.
        zoom: how much larger than usual that crop is.
        right: whether it stands in the right corner, not the left.
        light: whether it is printed light on dark.
    """

    top: float = 0.0
    zoom: float = 1.0
    right: bool = False
    light: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deck:
    """One deck as it was learnt; rows of all arrays are in the order of `cards`.

    Attributes:
        name: by which it is kept.
        cards: its cards.
        pictures: of each card one of each pass, the same way up, `(cards, 2, PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8
            BGR`; one picture twice where only one pass has one.
        ranks: what the index reads as, `(cards, RANK_CLASSES) float32`, rows of probabilities.
        suits: the same for the suit, `(cards, SUIT_CLASSES) float32`.
        printed_apart: cards whose own print looks like that of two cards, `(cards,) bool`.
        spoilt: cards whose own print spoils their outline, so that it looks like none of one card, `(cards,) bool`.
        place: where the index stands.
        floor: least likeness of a picture to the one of its own card, in [0, 1].
        back: picture of the back; None where it was not seen.
    """

    name: str
    cards: tuple[Card, ...]
    pictures: NDArray[np.uint8]
    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    printed_apart: NDArray[np.bool_]
    spoilt: NDArray[np.bool_]
    place: IndexPlace
    floor: float
    back: Image | None = None

    def __post_init__(self) -> None:
        count = len(self.cards)
        shapes: dict[str, tuple[NDArray[Any], tuple[int, ...], type]] = {
            "pictures": (self.pictures, (count, 2, PICTURE_HEIGHT, PICTURE_WIDTH, 3), np.uint8),
            "ranks": (self.ranks, (count, RANK_CLASSES), np.float32),
            "suits": (self.suits, (count, SUIT_CLASSES), np.float32),
            "printed_apart": (self.printed_apart, (count,), np.bool_),
            "spoilt": (self.spoilt, (count,), np.bool_),
        }
        if self.back is not None:
            shapes["back"] = (self.back, (PICTURE_HEIGHT, PICTURE_WIDTH, 3), np.uint8)
        for field, (array, shape, kind) in shapes.items():
            if array.shape != shape or array.dtype != kind:
                raise ValueError(f"{field} must be {shape} {kind.__name__}, not {array.shape} {array.dtype}")
        if count < 2 or len(set(self.cards)) != count:
            raise ValueError("a deck has two cards or more, each once")
        for field, chances in (("ranks", self.ranks), ("suits", self.suits)):
            if not ((chances >= 0) & (chances <= 1)).all():
                raise ValueError(f"{field} must be chances, in [0, 1]")
        for field, value, least, most in (
            ("floor", self.floor, 0.0, 1.0),
            ("place.top", self.place.top, 0.0, 1.0),
            ("place.zoom", self.place.zoom, 0.1, 10.0),
        ):
            if not least <= value <= most:
                raise ValueError(f"{field} must lie between {least} and {most}, not be {value}")


def is_deck_name(text: str) -> bool:
    """Return whether a deck may be called so: it is the name of a file too.

    >>> is_deck_name("club-blue"), is_deck_name("../blue"), is_deck_name("")
    (True, False, False)
    """
    return _NAME.fullmatch(text) is not None
