"""Which card of an enrolled deck a picture is most like, and how clearly: one matrix product over the whole card.

A picture is whitened, freed of slow light, and weighed by how steady each place is from picture to picture; a likeness
is the cosine of two such pictures. Either way up it is moved onto the card it is most like, and compared again.

How clearly a card is meant is told pair by pair, on the line between two cards: 1 where the picture is as the one, -1
where it is as the other. Two cards that hardly differ thus need no great likeness to be told apart, only a picture that
is wholly like one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH
from vision.deck_fit import COLUMNS, ROWS, moved_onto, settled_onto, turned, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.deck import Deck
    from vision.frame import Image

    Points = NDArray[np.float32]
    Features = NDArray[np.float32]

_SURROUND: Final = 9
"""Width of the neighbourhood whose mean is taken off: light that falls off slowly, and most glare, px."""

_SOFT: Final = 1.0
"""Width by which pictures are softened, px, so that a sharp and a blurred one of a card are alike."""

_PAPER_QUANTILE: Final = 0.97
_DARKEST_PAPER: Final = 20.0
_BRIGHTEST: Final = 1.15
"""Level above the paper's that still counts; more is glare."""

_STEADY: Final = 0.1
"""Part of the mean unsteadiness that is added everywhere, so that no place counts without bound."""

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
    """Return what of a card picture is compared: its dimmest and its brightest colour, `(2, ROWS, COLUMNS) float32`."""
    sample = picture[:: _SAMPLE[0], :: _SAMPLE[1]].reshape(-1, 3)
    rank = int(len(sample) * _PAPER_QUANTILE)
    paper = np.maximum(np.partition(sample, rank, axis=0)[rank], _DARKEST_PAPER)
    small = cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(np.minimum(small / paper.astype(np.float32), _BRIGHTEST).astype(np.float32))
    channels = (cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red))
    soft = [cv2.GaussianBlur(one, (0, 0), _SOFT) for one in channels]
    return np.stack([one - cv2.blur(one, (_SURROUND, _SURROUND)) for one in soft]).astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """What a card picture is like; places are those of the deck's cards, and the one after them is its back's.

    Attributes:
        place: what it is most like.
        likenesses: to each place, `(places,) float32`.
        clears: how clearly it is that place and not each other, `(places,) float32`: 1 as the one, -1 as the other;
            infinite for the place itself.
    """

    place: int
    likenesses: Features
    clears: Features

    @property
    def likeness(self) -> float:
        """To the place it is most like, in [-1, 1]."""
        return float(self.likenesses[self.place])

    @property
    def clear(self) -> float:
        """How clearly it is that and nothing else."""
        return float(self.clears.min())


class Templates:
    """Pictures made ready to be compared with."""

    def __init__(self, rows: Features, unsteady: Features) -> None:
        """Make them ready.

        Args:
            rows: features of each, `(places, 2, ROWS, COLUMNS) float32`.
            unsteady: variance of the features from picture to picture, `(2, ROWS, COLUMNS) float32`.
        """
        either = (unsteady + turned(unsteady)) / 2
        self._weights = (1 / np.sqrt(either + _STEADY * float(either.mean()) + _TINY)).astype(np.float32)
        self._wanted = rows
        self._rows = self._normal(rows)
        alike = np.maximum(self._rows @ self._rows.T, self._rows @ self._normal(turned(rows)).T)
        self._apart = np.maximum(1 - alike, _LEAST_APART).astype(np.float32)
        np.fill_diagonal(self._apart, np.inf)

    def match(self, shown: Features) -> Match:
        """Return which template features are most like, either way up."""
        ways = np.stack([shown, turned(shown)])
        nearest = self._likenesses(ways).argmax(axis=1)
        moved = [moved_onto(way, self._wanted[at], self._weights) for way, at in zip(ways, nearest, strict=True)]
        likenesses = self._likenesses(np.stack(moved)).max(axis=0)
        place = int(likenesses.argmax())
        return Match(place=place, likenesses=likenesses, clears=self.clear_of(likenesses, place))

    def _likenesses(self, ways: Features) -> Features:
        found: Features = self._normal(ways) @ self._rows.T
        return found

    def clear_of(self, likenesses: Features, place: int) -> Features:
        """Return how clearly a picture of these likenesses is a place and not each other; infinite for itself."""
        clears: Features = (likenesses[place] - likenesses) / self._apart[place]
        clears[place] = np.inf
        return clears

    def _normal(self, values: Features) -> Features:
        weighed = (values * self._weights).reshape(len(values), -1)
        weighed -= weighed.mean(axis=1, keepdims=True)
        normal: Features = weighed / np.maximum(np.linalg.norm(weighed, axis=1, keepdims=True), _TINY)
        return normal


_TINY: Final = 1e-6

_LEAST_APART: Final = 0.003
"""Distance that any two cards are taken to have at least, so that noise alone never tells two alike apart."""


def paired_features(pictures: Image) -> Features:
    """Return the features of two card pictures of one card, the second brought onto the first, each of length 1.

    Args:
        pictures: `(2, PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8 BGR`, the same way up.
    """
    first = features(pictures[0])
    return unit(np.stack([first, settled_onto(features(pictures[1]), first)]))


def unsteadiness(pairs: Features) -> Features:
    """Return the variance of features from picture to picture, by place, `(2, ROWS, COLUMNS) float32`.

    Args:
        pairs: of some cards, `(cards, 2, 2, ROWS, COLUMNS) float32`, as `paired_features` gives them.
    """
    variance = ((pairs[:, 0] - pairs[:, 1]) ** 2).mean(axis=0) / 4
    return np.stack([cv2.GaussianBlur(one, (0, 0), _SOFT) for one in variance]).astype(np.float32)


class DeckMatcher:
    """A deck made ready to be compared with."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        pairs = np.stack([paired_features(pictures) for pictures in deck.pictures])
        rows = pairs.mean(axis=1)
        if deck.back is not None:
            rows = np.concatenate([rows, unit(features(deck.back))[None]])
        self._templates = Templates(rows, unsteadiness(pairs))

    def match(self, picture: Image) -> Match:
        """Return what of the deck a card picture is most like."""
        return self._templates.match(features(picture))
