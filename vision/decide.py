"""The decision: what two index corners and the second opinion on them come to, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        confidence: least confidence in the card that both index corners name, in [0, 1]: packs held out from
            training ask for it.
        corner: least confidence of each of them in the rank, and in the suit, in [0, 1]: what one corner barely tells
            does not support the other.
        back: least probability of a back at each corner, in [0, 1]; every view must show a back besides.
        other: confidence from which on another card read in another view is a contradiction, in [0, 1].
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
    agreed = [(_confidence(pair, opinion), pair[0].code, pair) for pair in pairs if pair[0].code and _same_code(pair)]
    if not agreed:
        return _why_not(pairs, limits)
    confidence, code, chosen = max(agreed, key=lambda one: one[:2])
    contradicted = any(other != code and sure >= limits.other for sure, other, _ in agreed)
    if contradicted or any(_surely_apart(pair, limits.apart) for pair in pairs):
        return Verdict(confidence=confidence, doubt=Doubt.DISAGREE)
    against = speaks_against(opinion, code)
    if against is not None:
        return Verdict(confidence=confidence, doubt=against)
    if confidence < limits.confidence or _barely_told(chosen) < limits.corner:
        return Verdict(confidence=confidence, doubt=Doubt.UNSURE)
    return Verdict(code=code, confidence=confidence)


def _barely_told(pair: Pair) -> float:
    return min(min(one.rank_confidence, one.suit_confidence) for one in pair)


def _surely_apart(pair: Pair, sure: float) -> bool:
    return not _same_code(pair) and all(one.code and one.confidence >= sure for one in pair)


def _same_code(pair: Pair) -> bool:
    return pair[0].code == pair[1].code


def _confidence(pair: Pair, opinion: Opinion) -> float:
    """Return how sure two corners are together, by Bayes' rule, and that of the rank with what confirms it.

    The corners are two witnesses: on pairs of corners of held-out packs their odds multiply, and are no overstatement.
    """
    one, other = pair
    rank = _together(one.rank_confidence, other.rank_confidence, mistaken(opinion, one.code[0]))
    return rank * _together(one.suit_confidence, other.suit_confidence, 1.0)


def _together(one: float, other: float, ratio: float) -> float:
    """Return the probability of what two say independently, given how likely other evidence is if it is wrong."""
    right, wrong = one * other, (1 - one) * (1 - other) * ratio
    return right / (right + wrong) if right else 0.0


def _why_not(pairs: Sequence[Pair], limits: DecisionLimits) -> Verdict:
    """Return what no agreement means, told by the view that came nearest to one."""
    back = min(one.back for one in pairs[0])
    if back >= limits.back and all(one.rank == BACK for pair in pairs for one in pair):
        return Verdict(confidence=back, doubt=Doubt.BACK)
    one, other = max(pairs, key=lambda pair: sum(side.confidence for side in pair if side.code))
    if one.code and other.code:
        return Verdict(confidence=min(one.confidence, other.confidence), doubt=Doubt.DISAGREE)
    return Verdict(doubt=Doubt.ONE_CORNER if one.code or other.code else Doubt.NO_INDEX)
