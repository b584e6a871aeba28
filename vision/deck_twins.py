"""Tells two cards apart that hardly differ: by the few places where they do, each with a shift and light of its own.

Over a whole card, glare and a fine pattern that lie anywhere count for more than one small suit sign. So two cards of
which neither is clearly meant are compared again at full size, in some windows, where both pictures of the one differ
from both of the other; what only one picture shows is glare or dirt, and no difference.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH
from vision.deck_fit import EVEN, likeness, move_onto, moved, moved_picture, settled, turned
from vision.deck_picture import features, fine_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frame import Image

    Features = NDArray[np.float32]

_WINDOW: Final = 21
"""Width and height of a window, px of a card picture: the largest pips fill it, an index half of it."""

_SHIFT: Final = 3
"""How far the print in a window may stand from where it is expected, px."""

_WINDOWS: Final = 3
"""Windows that are compared at most; each is, besides, where it comes to lie when the card lies turned."""

_FAINTER: Final = 0.25
"""Part of the largest difference below which a window tells nothing."""

_LEAST_STRENGTH: Final = 2.0
"""Difference in a window, the sum of its squares, that is one; two pictures of one card differ by half of it."""

_STEP: Final = 2
"""Every how manieth row and column of a window is asked: softened pictures hold no more."""

_ASKED: Final = len(range(0, _WINDOW, _STEP)) ** 2
"""Places of a window that are asked."""

_NOISE: Final = 2 * (_WINDOW / _STEP * 0.02) ** 2
"""Strength of a window, the sum of its squares, that may be noise; a blank one is thereby like another."""

_PALEST: Final = 0.5
_STRONGEST: Final = 1.3
"""Contrast that a window may have, parts of what it had in enrolling: glare and blur take of it."""

_EITHER: Final = 0.2
"""Likeness by which a card is the other way up for sure."""

_LEAST_TOLD: Final = 0.05
"""Unlikeness in a window that any two cards are taken to have, so that noise alone never tells two alike apart."""


class Shown:
    """A card picture that may have to be compared closely."""

    def __init__(self, picture: Image) -> None:
        self.coarse = features(picture)
        self._picture = picture

    @cached_property
    def fine(self) -> Features:
        """Its fine features."""
        return fine_features(self._picture)


class Closely:
    """One card of a deck as it is compared closely."""

    def __init__(self, pictures: Image) -> None:
        """Make it ready.

        Args:
            pictures: both of the card, `(2, PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8 BGR`, the same way up.
        """
        self.coarse = features(pictures[0])
        again, _ = settled(features(pictures[1]), self.coarse)
        self.fine = (fine_features(pictures[0]), moved_picture(fine_features(pictures[1]), again))

    def lay(self, picture: Shown) -> list[Features]:
        """Return the fine features of a picture brought onto this card, either way up that it may lie."""
        ways = (picture.coarse, turned(picture.coarse))
        moves = [move_onto(way, self.coarse, EVEN) for way in ways]
        alike = [likeness(moved(way, move), self.coarse) for way, move in zip(ways, moves, strict=True)]
        return [
            moved_picture(_half_turned(picture.fine) if turn else picture.fine, moves[turn])
            for turn in (0, 1)
            if alike[turn] > alike[1 - turn] - _EITHER
        ]


class Difference:
    """Where two cards differ, and what each shows there."""

    def __init__(self, one: Closely, other: Closely, *, by: tuple[int, ...] = (0, 1)) -> None:
        """Find where they differ.

        Args:
            one: a card.
            other: another one; it is laid onto the first.
            by: numbers of the pictures that say what a card shows there; where they differ, both always say.
        """
        # A card that lies the wrong way up on one that is much like it does no harm: a picture is tried both ways.
        ways = (other.coarse, turned(other.coarse))
        brought = [settled(way, one.coarse) for way in ways]
        turn = int(np.argmax([likeness(now, one.coarse) for _, now in brought]))
        move, _ = brought[turn]
        laid = [moved_picture(_half_turned(fine) if turn else fine, move) for fine in other.fine]
        sides: list[Features] = [
            np.stack([pictures[number] for number in by]).mean(axis=0) for pictures in (one.fine, laid)
        ]
        strength = np.minimum(*(np.abs(mine - its) for mine, its in zip(one.fine, laid, strict=True))) ** 2
        self._places = _places(strength.sum(axis=2))
        self._there = np.stack([self._windows(side, 0)[:, 0] for side in sides], axis=2)
        as_other = self._likenesses([sides[0], _half_turned(sides[0])])[1]
        self._apart = max(len(self._places) - as_other, _LEAST_TOLD * len(self._places), _LEAST_TOLD)

    def clear(self, ways: Sequence[Features]) -> float:
        """Return how clearly a picture is the first card and not the other: 1 as the one, -1 as the other.

        Args:
            ways: its fine features, brought onto the first card.
        """
        one, other = self._likenesses(ways)
        return (one - other) / self._apart

    def _likenesses(self, ways: Sequence[Features]) -> tuple[float, float]:
        """Return the sum of the likenesses of all windows to either card, each in [-1, 1], the way up it is more like.

        Each window has the shift at which it is most like, and the contrast that it has.
        """
        its = (self._there**2).sum(axis=1)[:, None]
        sums = []
        for way in ways:
            here = self._windows(way, _SHIFT)
            mine = (here**2).sum(axis=2)[..., None]
            contrast = np.clip(np.sqrt(mine / np.maximum(its, _NOISE)), _PALEST, _STRONGEST)
            alike = (2 * contrast * (here @ self._there) + _NOISE) / (mine + contrast**2 * its + _NOISE)
            sums.append(alike.max(axis=1).sum(axis=0))
        one, other = np.max(sums, axis=0)
        return float(one), float(other)

    def _windows(self, fine: Features, shift: int) -> Features:
        """Return what all windows show, freed of their mean, at each shift up to one, `(windows, shifts, values)`."""
        reach = _HALF + shift
        size = 2 * reach + 1
        around = np.empty((len(self._places), size, size, 2), np.float32)
        for one, (row, column) in zip(around, self._places, strict=True):
            one[:] = fine[row - reach : row + reach + 1, column - reach : column + reach + 1]
        views = sliding_window_view(around, (_WINDOW, _WINDOW), axis=(1, 2))[..., ::_STEP, ::_STEP]
        values = views.reshape(len(around), (2 * shift + 1) ** 2, 2, _ASKED)
        freed: Features = values - values.mean(axis=-1, keepdims=True)
        return freed.reshape(*freed.shape[:2], 2 * freed.shape[3])


class Twins:
    """The cards of a deck that may hardly differ, made ready to be told apart."""

    def __init__(self, pictures: Image, likenesses: Features) -> None:
        """Make them ready: all at once, so that no look takes longer than another.

        Args:
            pictures: of each card, `(cards, 2, PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8 BGR`.
            likenesses: of each card to each, `(cards, cards) float32`.
        """
        self._cards = [Closely(both) for both in pictures]
        self._differences = [
            {
                int(other): Difference(card, self._cards[other])
                for other in np.argsort(-alike)[: _RIVALS + 1]
                if other != at
            }
            for at, (card, alike) in enumerate(zip(self._cards, likenesses, strict=True))
        ]

    def told(self, place: int, likenesses: Features, clears: Features, picture: Shown) -> dict[int, float]:
        """Return how clearly a picture is one card and not each of those from which the whole hardly tells it.

        Args:
            place: number of the card.
            likenesses: of the picture to each card and more, `(cards or more,) float32`.
            clears: how clearly it is that card by the whole of it, `(cards or more,) float32`.
            picture: the picture.
        """
        hardly = set(hardly_told(place, likenesses, clears))
        rivals = {other: one for other, one in self._differences[place].items() if other in hardly}
        if not rivals:
            return {}
        ways = self._cards[place].lay(picture)
        return {other: difference.clear(ways) for other, difference in rivals.items()}


def hardly_told(place: int, likenesses: Features, clears: Features) -> list[int]:
    """Return the numbers of what the whole card hardly tells from one card, as of `Twins.told`.

    Where it plainly says that the picture is of the other, it has told.
    """
    liker = likenesses[place] - likenesses
    hardly = ((liker < _LIKER) & (clears < _CLEAR_OF_TWINS) | (clears < _CLEAR)) & (liker > -_PLAINLY)
    hardly[place] = False
    return [int(other) for other in np.flatnonzero(hardly)]


_CLEAR: Final = 0.45
"""How clearly a whole card is one and not another from which on their differences are not looked at."""

_LIKER: Final = 0.08
_CLEAR_OF_TWINS: Final = 0.8
"""The same of cards so alike that a picture is by no more than that liker to one: by blur alone, a picture of one card
was by 0.05 liker to another, and 0.6 clearly that."""

_PLAINLY: Final = 0.15
"""How much liker a picture must be to the other to be plainly of it; twins that blur tells wrongly are not."""

_RIVALS: Final = 4
"""Cards that a card may hardly differ from."""


def _half_turned(fine: Features) -> Features:
    return np.ascontiguousarray(fine[::-1, ::-1])


_HALF: Final = _WINDOW // 2
_RIM: Final = _HALF + _SHIFT
"""How near the middle of a window may come to the edge of the card."""


def _places(strength: Features) -> list[tuple[int, int]]:
    """Return row and column of the middles of the windows in which a difference is strongest, whichever way up."""
    both = cv2.boxFilter(strength + _half_turned(strength), -1, (_WINDOW, _WINDOW), normalize=False)
    inside = np.zeros_like(both)
    within = (slice(_RIM, PICTURE_HEIGHT - _RIM), slice(_RIM, PICTURE_WIDTH - _RIM))
    inside[within] = both[within]
    places: list[tuple[int, int]] = []
    least = max(_FAINTER * float(inside.max()), _LEAST_STRENGTH)
    for _ in range(_WINDOWS):
        row, column = (int(at) for at in np.unravel_index(inside.argmax(), inside.shape))
        if inside[row, column] < least:
            break
        for y, x in dict.fromkeys(((row, column), (PICTURE_HEIGHT - 1 - row, PICTURE_WIDTH - 1 - column))):
            places.append((y, x))
            inside[max(y - _HALF, 0) : y + _HALF + 1, max(x - _HALF, 0) : x + _HALF + 1] = 0
    return places
