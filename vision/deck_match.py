"""Which card of an enrolled deck a picture is most like, and how clearly: one matrix product over the whole card.

A picture is whitened, freed of slow light, and weighed by how steady each place is from picture to picture; a likeness
is the cosine of two such pictures. Either way up it is moved onto the card it is most like, and compared again.

How clearly a card is meant is told pair by pair, on the line between two cards: 1 where the picture is as the one, -1
where it is as the other. Two cards that hardly differ thus need no great likeness to be told apart, only a picture that
is wholly like one of them; where the whole card does not tell, `vision.deck_twins` looks at their differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.deck_fit import moved_onto, settled, turned, unit
from vision.deck_picture import features
from vision.deck_twins import Shown, Twins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.deck import Deck
    from vision.frame import Image

    Features = NDArray[np.float32]

_STEADY: Final = 0.1
"""Part of the mean unsteadiness that is added everywhere, so that no place counts without bound."""

_SOFT: Final = 1.0
"""Width by which unsteadiness is softened, px."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """What a card picture is like; places are those of the deck's cards, and the one after them is its back's.

    Attributes:
        place: what it is taken for: what it is most like, or a twin of that by what differs.
        likenesses: to each place, `(places,) float32`.
        clears: how clearly it is that place and not each other, `(places,) float32`: 1 as the one, -1 as the other;
            infinite for the place itself.
    """

    place: int
    likenesses: Features
    clears: Features

    @property
    def likeness(self) -> float:
        """To the place it is taken for, in [-1, 1]."""
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

    def __len__(self) -> int:
        return len(self._wanted)

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
    return unit(np.stack([first, settled(features(pictures[1]), first)[1]]))


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
        count = len(deck.cards)
        alike = np.stack([self._templates.match(row).likenesses[:count] for row in rows[:count]])
        self._twins = Twins(deck.pictures, alike)

    def match(self, picture: Image) -> Match:
        """Return what of the deck a card picture is most like: by the whole, and where that hardly tells, by the rest.

        Args:
            picture: the card picture.
        """
        shown = Shown(picture)
        found = self._templates.match(shown.coarse)
        if found.place >= len(self.deck.cards):
            return found
        place, left = found.place, set[int]()
        while True:
            clears = self._templates.clear_of(found.likenesses, place)
            told = self._twins.told(place, found.likenesses, clears, shown)
            clears[list(told)] = list(told.values())
            nearer = min((other for other in told if other not in left), key=told.__getitem__, default=place)
            if told.get(nearer, 0.0) >= 0:
                return Match(place=place, likenesses=found.likenesses, clears=clears)
            left.add(place)
            place = nearer
