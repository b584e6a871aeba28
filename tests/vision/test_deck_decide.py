"""The decision on a card of a deck: what index and whole card come to, agreeing, silent, or against each other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.enrolled import CARDS, deck
from vision.deck_decide import DeckLimits, decide_enrolled
from vision.deck_match import Match
from vision.doubts import Doubt

FEW = len(CARDS)


def match(place: int, *, likeness: float = 1.0, near: dict[int, float] | None = None) -> Match:
    """A whole card that is one, clearly but for those that are near."""
    clears = np.ones(FEW + 1, np.float32)
    for other, clear in (near or {}).items():
        clears[other] = clear
    clears[place] = np.inf
    return Match(place=place, likenesses=np.full(FEW + 1, likeness, np.float32), clears=clears)


def index(chances: dict[int, float], opposite: dict[int, float] | None = None) -> np.ndarray:
    """What both corners support, the opposite one the same unless it is told."""
    support = np.full((2, FEW), 1e-3, np.float32)
    for corner, told in enumerate((chances, chances if opposite is None else opposite)):
        for place, chance in told.items():
            support[corner, place] = chance
    return support


SILENT = np.full((2, FEW), 0.05, np.float32)


@pytest.mark.parametrize(
    ("seen", "read", "code", "doubt"),
    [
        # Both name one card.
        (match(3), index({3: 0.9}), str(CARDS[3]), None),
        # The index says nothing; the whole card is clear, or it is not.
        (match(3), SILENT, str(CARDS[3]), None),
        (match(3, near={4: 0.2}), SILENT, "", Doubt.UNSURE),
        # The whole card hardly tells two apart, and the index does.
        (match(3, near={4: 0.02}), index({3: 0.9}), str(CARDS[3]), None),
        (match(3, near={4: 0.02}), index({4: 0.9}), str(CARDS[4]), None),
        # Each names another.
        (match(3), index({9: 0.9}), "", Doubt.WHOLE_CARD),
        (match(3, near={4: 0.4}), index({4: 0.9}), "", Doubt.WHOLE_CARD),
        # The index is a little against a card that is clear: it is believed of the deck's own, and of no other.
        (match(3), index({3: 0.1, 9: 0.6}), str(CARDS[3]), None),
        (match(3, likeness=0.9), index({3: 0.1, 9: 0.6}), "", Doubt.WHOLE_CARD),
        # A corner that is surely another card's denies it, however like the whole card is; a doubtful one does not.
        (match(3), index({3: 0.09, 9: 0.8}), "", Doubt.WHOLE_CARD),
        (match(3), index({3: 0.9}, {9: 0.8}), "", Doubt.WHOLE_CARD),
        (match(3), index({3: 0.9}, {3: 0.15, 9: 0.8}), str(CARDS[3]), None),
        # A card that may be of another deck is named where the index is for it, and not where it is merely not against.
        (match(3, likeness=0.9), index({3: 0.9}), str(CARDS[3]), None),
        (match(3, likeness=0.9), index({3: 0.5, 9: 0.49}), "", Doubt.UNSURE),
        (match(3, likeness=0.9), SILENT, "", Doubt.UNSURE),
        # The back of the deck.
        (match(FEW), SILENT, "", Doubt.BACK),
        (match(FEW, likeness=0.75), SILENT, "", Doubt.UNSURE),
        # A picture that is not very like its card says less.
        (match(3, near={4: 0.4}), SILENT, str(CARDS[3]), None),
        (match(3, near={4: 0.4}, likeness=0.7), SILENT, "", Doubt.UNSURE),
    ],
)
def test_what_it_comes_to(seen: Match, read: np.ndarray, code: str, doubt: Doubt | None) -> None:
    verdict = decide_enrolled(seen, read, deck(), DeckLimits())
    assert (verdict.code, verdict.doubt) == (code, doubt)
    assert 0.0 <= verdict.confidence <= 1.0
