"""The decision: what two index corners and the second opinion on them come to, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.classify import BACK
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
        corner: least confidence of each of them in the rank, and in the suit, in one view at least, in [0, 1]: what
            one corner barely tells does not support the other.
        back: least probability of a back at each corner, in [0, 1]; every view must show a back besides.
        other: confidence from which on another card read in other views is a contradiction, in [0, 1].
        apart: confidence of each corner from which on different cards in one view are a contradiction, in [0, 1].
    """

    confidence: float = 0.99
    corner: float = 0.6
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


def decide(pairs: Sequence[Pair], opinion: Opinion, limits: DecisionLimits) -> Verdict:
    """Return the card that all evidence names without doubt, or the doubt.

    Args:
        pairs: readings of both corners, one pair a view.
        opinion: what else the card shows.
        limits: how sure it must be.
    """
    views: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair[0].code and _same_code(pair):
            views.setdefault(pair[0].code, []).append(pair)
    if not views:
        return _why_not(pairs, limits)
    sure = {code: _confidence(agreed, opinion) for code, agreed in views.items()}
    code = max(sure, key=lambda one: (sure[one], one))
    likely = [one for one in sure if one != code and speaks_against(opinion, one) is None]
    other = max((sure[one] for one in likely), default=0.0)
    confidence = sure[code]
    if other >= limits.other or any(_surely_apart(pair, limits.apart) for pair in pairs):
        return Verdict(confidence=confidence, doubt=Doubt.DISAGREE)
    if confidence < limits.confidence or _barely_told(views[code]) < limits.corner:
        return Verdict(confidence=confidence, doubt=Doubt.UNSURE)
    against = speaks_against(opinion, code)
    return Verdict(code="" if against else code, confidence=confidence, doubt=against)


def _barely_told(views: list[Pair]) -> float:
    """Return how sure the corner that tells less is of rank and suit in the view in which it tells most."""
    return min(max(_least(pair[0]) for pair in views), max(_least(pair[1]) for pair in views))


def _least(corner: IndexReading) -> float:
    return min(corner.rank_confidence, corner.suit_confidence)


def _surely_apart(pair: Pair, sure: float) -> bool:
    return not _same_code(pair) and all(one.code and one.confidence >= sure for one in pair)


def _same_code(pair: Pair) -> bool:
    return pair[0].code == pair[1].code


def _confidence(views: list[Pair], opinion: Opinion) -> float:
    """Return how sure two corners are together, by Bayes' rule, and that of the rank with what confirms it.

    The corners are two witnesses; further views of them are half a witness each, since they share what misleads.
    """
    ranks = sorted(min(_against(one.rank_confidence, other.rank_confidence), 1.0) for one, other in views)
    suits = sorted(min(_against(one.suit_confidence, other.suit_confidence), 1.0) for one, other in views)
    wrong_rank = mistaken(opinion, views[0][0].code[0]) * ranks[0] * math.prod(ranks[1:]) ** _SEEN_AGAIN
    wrong_suit = suits[0] * math.prod(suits[1:]) ** _SEEN_AGAIN
    return 1 / ((1 + wrong_rank) * (1 + wrong_suit))


_SEEN_AGAIN: Final = 0.5
"""Power of the odds that further views add: on held-out packs their mistakes go together."""


def _against(one: float, other: float) -> float:
    """Return the odds against what two say independently."""
    right = one * other
    return (1 - one) * (1 - other) / right if right else 1.0


def _why_not(pairs: Sequence[Pair], limits: DecisionLimits) -> Verdict:
    """Return what no agreement means, told by the view that came nearest to one."""
    back = min(one.back for one in pairs[0])
    if back >= limits.back and all(one.rank == BACK for pair in pairs for one in pair):
        return Verdict(confidence=back, doubt=Doubt.BACK)
    one, other = max(pairs, key=lambda pair: sum(side.confidence for side in pair if side.code))
    if one.code and other.code:
        return Verdict(confidence=min(one.confidence, other.confidence), doubt=Doubt.DISAGREE)
    return Verdict(doubt=Doubt.ONE_CORNER if one.code or other.code else Doubt.NO_INDEX)
