"""The decision: what two index corners and the second opinion on them come to, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.cards import RANKS, SUITS
from vision.classify import BACK, NO_RANK, NO_SUIT
from vision.doubts import Doubt
from vision.second_opinion import Opinion, mistaken, speaks_against

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.classify import IndexReading

    Pair = tuple[IndexReading, IndexReading]
    """What the index corner and the opposite one say in one view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLimits:
    """How sure a reading must be.

    Attributes:
        confidence: least confidence in the card that both index corners name, of all views together, in [0, 1]:
            packs held out from training ask for it.
        smeared_edge: width of the card's edges, parts of its height, from which on one view alone must be as sure where
            no pips are counted: what motion along the feed does to a letter it does in every view.
        rank: least confidence of each of them in the rank, in one view at least, in [0, 1]: what one corner barely
            tells does not support the other.
        suit: the same of the suit.
        back: least probability of a back at each corner, in [0, 1]; every view must show a back besides.
        other: confidence from which on another card that both corners read in other views is a contradiction, in
            [0, 1], unless the second opinion speaks against it.
        apart: the same for another rank or suit that one corner reads in one view.
    """

    confidence: float = 0.99
    smeared_edge: float = 0.022
    rank: float = 0.6
    suit: float = 0.8
    back: float = 0.8
    other: float = 0.5
    apart: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What it comes to.

    Attributes:
        code: the card, as in `"AS"`; empty where there is a doubt.
        confidence: that the card is the one named, or of the reading that came nearest, in [0, 1].
        doubt: why no card is named; None where one is.
    """

    code: str = ""
    confidence: float = 0.0
    doubt: Doubt | None = None


def decide(
    pairs: Sequence[Pair], opinion: Opinion, limits: DecisionLimits, *, elsewhere: Sequence[Pair] = ()
) -> Verdict:
    """Return the card that all evidence names without doubt, or the doubt.

    Args:
        pairs: readings of both corners, one pair a view, where the indices are taken to stand.
        opinion: what else the card shows.
        limits: how sure it must be.
        elsewhere: readings where they may stand otherwise: those that agree on another card contradict, none supports.
    """
    views = _agreed(pairs)
    if not views:
        return _why_not(pairs, limits)
    smeared = opinion.pips is None and opinion.edge > limits.smeared_edge
    sure = {code: (_of_one_view if smeared else _confidence)(agreed, opinion) for code, agreed in views.items()}
    code = max(sure, key=lambda one: (sure[one], one))
    confidence = sure[code]
    others = {one for one in sure if sure[one] >= limits.other}
    others |= {one for one, agreed in _agreed(elsewhere).items() if _confidence(agreed, opinion) >= limits.other}
    others |= {_read_by(corner, code, limits.apart) for pair in pairs for corner in pair}
    if any(other != code and speaks_against(opinion, other) is None for other in others):
        return Verdict(confidence=confidence, doubt=Doubt.DISAGREE)
    if confidence < limits.confidence or _barely_told(views[code], limits):
        return Verdict(confidence=confidence, doubt=Doubt.UNSURE)
    against = speaks_against(opinion, code)
    return Verdict(code="" if against else code, confidence=confidence, doubt=against)


def _agreed(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the views in which both corners read as one card, by its code."""
    views: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair[0].code and pair[0].code == pair[1].code:
            views.setdefault(pair[0].code, []).append(pair)
    return views


def _barely_told(views: list[Pair], limits: DecisionLimits) -> bool:
    """Return whether one of both corners barely tells the rank, or the suit, even in the view in which it is surest."""
    return any(
        all(pair[side].rank_confidence < limits.rank or pair[side].suit_confidence < limits.suit for pair in views)
        for side in (0, 1)
    )


def _read_by(corner: IndexReading, code: str, sure: float) -> str:
    """Return the card that one corner reads, as in `"AS"`; what it is not sure of is as in another card's code."""
    rank = RANKS[corner.rank] if corner.rank < NO_RANK and corner.rank_confidence >= sure else code[0]
    suit = SUITS[corner.suit] if corner.suit < NO_SUIT and corner.suit_confidence >= sure else code[1]
    return rank + suit


def _confidence(views: list[Pair], opinion: Opinion) -> float:
    """Return how sure two corners are together, by Bayes' rule, and that of the rank with what confirms it.

    The corners are two witnesses; further views of them are half a witness each, since they share what misleads.
    """
    wrong_rank = _of_all_views([_against(one.rank_confidence, other.rank_confidence) for one, other in views])
    wrong_suit = _of_all_views([_against(one.suit_confidence, other.suit_confidence) for one, other in views])
    return 1 / ((1 + mistaken(opinion, views[0][0].code[0]) * wrong_rank) * (1 + wrong_suit))


def _of_one_view(views: list[Pair], opinion: Opinion) -> float:
    """Return how sure two corners are together in the view in which they are surest."""
    return max(_confidence([view], opinion) for view in views)


_SEEN_AGAIN: Final = 0.5
"""Power of the odds that further views add: on held-out packs their mistakes go together."""


def _of_all_views(against: list[float]) -> float:
    """Return the odds against what the surest view says, lessened by the others; one that doubts adds nothing."""
    surest, *others = sorted(against)
    return surest * math.prod(min(other, 1.0) for other in others) ** _SEEN_AGAIN


def _against(one: float, other: float) -> float:
    """Return the odds against what two say independently; infinite where one of them gives it no chance."""
    right = one * other
    return (1 - one) * (1 - other) / right if right else math.inf


def _why_not(pairs: Sequence[Pair], limits: DecisionLimits) -> Verdict:
    """Return what no agreement means, told by the view that came nearest to one."""
    back = min(one.back for one in pairs[0])
    if back >= limits.back and all(one.rank == BACK for pair in pairs for one in pair):
        return Verdict(confidence=back, doubt=Doubt.BACK)
    one, other = max(pairs, key=lambda pair: sum(side.confidence for side in pair if side.code))
    if one.code and other.code:
        return Verdict(confidence=min(one.confidence, other.confidence), doubt=Doubt.DISAGREE)
    return Verdict(doubt=Doubt.ONE_CORNER if one.code or other.code else Doubt.NO_INDEX)
