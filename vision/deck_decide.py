"""The decision on a card of an enrolled deck: what index and whole card come to together, and where they differ.

Both are evidence for one card against another: the index by the chances of what it reads as, the whole card by how
clearly it is the one. Their sum names the card and its confidence. Where either alone plainly names another, none is
named, however sure the sum would be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.decide import Verdict
from vision.doubts import Doubt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.deck import Deck
    from vision.deck_match import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckLimits:
    """How sure index and whole card must be; measured on drawn frames of 44 decks (`tests.drawn_frames`).

    Attributes:
        weight: natural logarithms of odds that the whole card gives for a card that it is wholly like, and clearly;
            one that it is less like says less, by the square of the likeness.
        confidence: least confidence, in [0, 1].
        index_against: logarithms of odds by which the index may find another card likelier, parts of those by which
            the whole card finds it less likely.
        card_against: how clearly the whole card may be another card.
        corner_other: support from which on one corner alone reads as another card, in [0, 1], where that for the named
            one is no more than `corner_own`: in 4,813 frames of whole cards it never was.
        corner_own: see there.
        strange: likeness below which a card may be one of a deck like it that nobody enrolled; the index must be for it
            then, and its pips not against it. At level 1, 3 of 100 cards of the deck itself are as little like.
        back: least likeness to the deck's back; dark cards of other decks are somewhat like many a back.
    """

    weight: float = 10.0
    confidence: float = 0.97
    index_against: float = 0.6
    card_against: float = 0.2
    corner_other: float = 0.7
    corner_own: float = 0.1
    strange: float = 0.93
    back: float = 0.85


_LEAST: Final = 1e-3
"""Chance that a corner reads as it does whatever the card."""


def decide_enrolled(match: Match, support: NDArray[np.float32], deck: Deck, limits: DeckLimits) -> Verdict:
    """Return the card of a deck that index and whole card name together, or the doubt.

    Args:
        match: what the whole card is like.
        support: how well the index of each corner agrees with each card of the deck, `(2, cards) float32` in [0, 1].
        deck: the deck.
        limits: how sure they must be.
    """
    count = len(deck.cards)
    if match.place >= count:
        doubt = Doubt.BACK if match.likeness >= limits.back else Doubt.UNSURE
        return Verdict(confidence=max(match.likeness, 0.0), doubt=doubt)
    less = np.where(np.arange(count) == match.place, 0.0, match.clears[:count])
    by_card = -limits.weight * max(match.likeness, 0.0) ** 2 * less
    by_index = np.log(np.maximum(support, _LEAST)).mean(axis=0)
    together = by_card + by_index
    named = int(together.argmax())
    confidence = float(1 / np.exp(together - together[named]).sum())
    strange = match.likeness < limits.strange
    allowed = 0.0 if strange else limits.index_against
    against = by_index - by_index[named] > np.maximum(allowed * (by_card[named] - by_card), _SLIGHT)
    denied = (support.max(axis=1) >= limits.corner_other) & (support[:, named] <= limits.corner_own)
    if less[named] > limits.card_against or against.any() or denied.any():
        return Verdict(confidence=confidence, doubt=Doubt.WHOLE_CARD)
    ahead = by_index[named] - np.delete(by_index, named).max(initial=-np.inf)
    if confidence < limits.confidence or (strange and ahead < _SLIGHT):
        return Verdict(confidence=confidence, doubt=Doubt.UNSURE)
    return Verdict(code=str(deck.cards[named]), confidence=confidence)


_SLIGHT: Final = 0.7
"""Logarithm of odds below which an index says nothing, for or against a card: twice as likely."""
