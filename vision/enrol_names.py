"""Which card each picture of a pack shows: where the index stands, what it says, and each card given once.

The reader that knows no deck proposes; that every card of a pack is there once settles most of what it leaves open.
What stays open is asked, one card at a time, the least certain first, because one answer often settles others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.assignment import assign, regrets
from vision.cards import RANKS, SUITS
from vision.classify import NO_RANK, NO_SUIT
from vision.deck import IndexPlace
from vision.deck_index import crops_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.cards import Card
    from vision.classify import IndexReader
    from vision.enrol_looks import CardLook

    Matrix = NDArray[np.float64]
    Rows = NDArray[np.float32]

PLACES: Final = tuple(
    IndexPlace(top=top, zoom=zoom, right=right)
    for right, zoom, top in product((False, True), (1.0, 1.4), (0.0, 0.03, 0.055, 0.08, 0.11))
)
"""Where an index is looked for, dark on light first, and light on dark where that reads hardly anywhere."""

_HARDLY: Final = 0.4

_PROBE: Final = 16
"""Pictures in which every place is tried."""

_LEAST: Final = 1e-3
"""Chance that a corner reads as any one rank or suit, whatever the card."""

SURE: Final = 6.0
"""By how much a card must be likelier than another, in natural logarithms of odds, not to be asked about: 400 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings:
    """What the index of one card read as, the mean of both corners.

    Attributes:
        ranks: `(RANK_CLASSES,) float32`, probabilities.
        suits: `(SUIT_CLASSES,) float32`, probabilities.
    """

    ranks: Rows
    suits: Rows

    @property
    def sure(self) -> float:
        """Confidence that an index is there, of its rank and suit, in [0, 1]."""
        return float(self.ranks[:NO_RANK].max() * self.suits[:NO_SUIT].max())


def read_index(look: CardLook, place: IndexPlace, reader: IndexReader) -> Readings:
    """Return what the index at a place reads as."""
    ranks, suits = reader.probabilities(crops_at(look.image, look.corners, place))
    return Readings(ranks=ranks.mean(axis=0), suits=suits.mean(axis=0))


def find_index(looks: Sequence[CardLook], reader: IndexReader) -> IndexPlace:
    """Return the place at which the indices of a pack read most surely."""

    def sure(place: IndexPlace) -> float:
        probed = looks[:: max(len(looks) // _PROBE, 1)]
        return float(np.mean([read_index(look, place, reader).sure for look in probed]))

    best = max(PLACES, key=sure)
    light = (replace(place, light=True) for place in PLACES)
    return best if sure(best) > _HARDLY else max((best, *light), key=sure)


def evidence(readings: Sequence[Readings], cards: Sequence[Card]) -> Matrix:
    """Return the logarithms of the chances that pictures of one card read as they do, for each card, `(cards,)`.

    An index that is none to the reader is none whatever the card: the chance of that belongs to all ranks, or suits,
    alike, so that what little the reader sees in it tells none of them from another.
    """
    found = np.zeros(len(cards))
    for one in readings:
        ranks, suits = _told(one.ranks, NO_RANK), _told(one.suits, NO_SUIT)
        for number, card in enumerate(cards):
            if card.is_joker:
                found[number] += np.log(max(one.ranks[NO_RANK], _LEAST)) + suits.max()
            else:
                found[number] += ranks[RANKS.index(card.rank)] + suits[SUITS.index(card.suit)]
    return found


def _told(likely: Rows, count: int) -> Matrix:
    """Return the logarithms of the chances of `count` ranks or suits; those behind them say that it is none."""
    told: Matrix = np.log(np.maximum(likely[:count] + likely[count:].sum() / count, _LEAST)).astype(np.float64)
    return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A card that only a person can name.

    Attributes:
        number: of the card among the pictures, from 0.
        likely: the cards it may be, the likeliest first.
    """

    number: int
    likely: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The names of a pack's pictures.

    Attributes:
        cards: the card of each picture.
        answered: numbers of the pictures that a person named.
        open: what is not certain and was not answered.
        twice: a card that a person gave to two pictures; None where that did not happen.
    """

    cards: tuple[Card, ...]
    answered: tuple[int, ...] = ()
    open: tuple[Question, ...] = ()
    twice: Card | None = None


def name_all(chances: Matrix, cards: Sequence[Card], ask: Callable[[Question], Card | None]) -> Named:
    """Return each picture's card, every card once.

    Args:
        chances: logarithms of the chances, a row a picture and a column a card, as many of the one as of the other.
        cards: the cards of the columns.
        ask: asks a person which card a picture shows; None where nobody knows.
    """
    cost = -chances
    answers: dict[int, int] = {}
    refused: dict[int, Question] = {}
    while True:
        given = assign(cost)
        doubts = _doubts(chances, cost, given, cards)
        waiting = [number for number in np.argsort(doubts) if doubts[number] < SURE and int(number) not in refused]
        if not waiting:
            break
        number = int(waiting[0])
        question = _question(number, chances, cards, set(answers.values()))
        answer = ask(question)
        if answer is None or answer not in cards:
            refused[number] = question
            continue
        column = cards.index(answer)
        if column in answers.values():
            return Named(cards=_named(given, cards), answered=tuple(answers), twice=answer)
        answers[number] = column
        cost[number], cost[:, column] = _NEVER, _NEVER
        cost[number, column] = _ALWAYS
    return Named(cards=_named(given, cards), answered=tuple(answers), open=tuple(refused.values()))


_NEVER: Final = 1e6
_ALWAYS: Final = -1e6
"""Costs by which an answer stands, above and below any sum of chances."""


def _named(given: NDArray[np.int64], cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(cards[column] for column in given)


def _doubts(chances: Matrix, cost: Matrix, given: NDArray[np.int64], cards: Sequence[Card]) -> Matrix:
    """Return how certain each picture's card is: against any other way to give the cards, and against its own reading.

    Jokers have no names of their own; that they might change places is no doubt.
    """
    rows = np.arange(len(given))
    certain = regrets(cost, given)
    jokers = [number for number, column in enumerate(given) if cards[column].is_joker]
    if len(jokers) > 1:
        # Which joker is which is settled here, so that what is left to regret is that one is none.
        settled = cost.copy()
        for number in jokers:
            settled[number, given[jokers]] = np.where(
                given[jokers] == given[number], cost[number, given[number]], _NEVER
            )
        certain = regrets(settled, given)
    free = cost[rows, given] > _ALWAYS
    against = chances.max(axis=1) - chances[rows, given]
    return np.where(free, np.minimum(certain, 2 * SURE - against), np.inf)


_LIKELY: Final = 4
"""Cards that a question names."""


def _question(number: int, chances: Matrix, cards: Sequence[Card], taken: set[int]) -> Question:
    # A card that another picture surely shows is less likely than one that none is known to show.
    others = np.delete(chances, number, axis=0).max(axis=0)
    order = [int(column) for column in np.argsort(others - 2 * chances[number]) if int(column) not in taken]
    return Question(number=number, likely=tuple(cards[column] for column in order[:_LIKELY]))
