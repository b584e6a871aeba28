"""A look at a card for those who have enrolled decks: which deck it is of, and what that deck says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.cards import Card
from vision.classify import readings_of
from vision.decide import Verdict
from vision.deck_decide import DeckLimits, decide_enrolled
from vision.deck_index import crops_at, support
from vision.deck_picture import card_picture
from vision.deck_place import out_of_place
from vision.doubts import Doubt
from vision.overlap import two_by_print
from vision.pips import count_pips
from vision.rectify import dimmest
from vision.second_opinion import Opinion, speaks_against

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.classify import IndexReader
    from vision.decide import Pair
    from vision.deck_match import DeckMatcher, Match
    from vision.frame import Image

    Points = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeckLook:
    """What an enrolled deck says of a card.

    Attributes:
        deck: name of the deck.
        likeness: of the card to the one of the deck it is taken for, in [-1, 1].
        clear: how clearly it is that one and no other.
        pair: what both corners read as, at the deck's own place.
        verdict: what it comes to.
        spoilt: whether the card that it names was learnt as one whose own print spoils its outline.
    """

    deck: str
    likeness: float
    clear: float
    pair: Pair
    verdict: Verdict
    spoilt: bool = False


def look_with_decks(
    image: Image,
    corners: Points,
    matchers: Sequence[DeckMatcher],
    reader: IndexReader,
    limits: DeckLimits,
) -> DeckLook | None:
    """Return what the deck says that a card is of; None where it is of none of them.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        corners: of the card, `(4, 2) float32`, px.
        matchers: the enrolled decks.
        reader: reads the index.
        limits: of the decision.
    """
    picture = card_picture(image, corners)
    found: list[tuple[Match, DeckMatcher]] = [(matcher.match(picture), matcher) for matcher in matchers]
    match, matcher = max(found, key=lambda one: one[0].likeness)
    deck = matcher.deck
    if match.likeness < deck.floor:
        return None
    crops = crops_at(image, corners, deck.place)
    ranks, suits = reader.probabilities(crops)
    one, other = readings_of(ranks, suits)
    verdict = decide_enrolled(match, support(ranks, suits, deck), deck, limits)
    dim = dimmest(picture)
    if verdict.doubt is None and match.likeness < limits.strange:
        against = speaks_against(Opinion(pips=count_pips(dim).count), verdict.code)
        verdict = verdict if against is None else Verdict(confidence=verdict.confidence, doubt=against)
    spoilt = False
    if verdict.doubt is None:
        place = deck.cards.index(Card.parse(verdict.code))
        spoilt = bool(deck.spoilt[place])
        doubt = None if deck.printed_apart[place] else two_by_print(dim, [dimmest(crop) for crop in crops], corners)
        if doubt is None and spoilt and out_of_place(picture, deck.pictures[place]):
            doubt = Doubt.INDICES_APART
        verdict = verdict if doubt is None else Verdict(doubt=doubt)
    return DeckLook(
        deck=deck.name,
        likeness=match.likeness,
        clear=match.clear,
        pair=(one, other),
        verdict=verdict,
        spoilt=spoilt,
    )
