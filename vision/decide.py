"""The decision: what two index corners and the pips between them come to, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.cards import RANKS
from vision.classify import BACK
from vision.doubts import Doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.classify import IndexReading

    Pair = tuple[IndexReading, IndexReading]
    """What the index corner and the opposite one say in one view."""

_MISCOUNT: Final = 0.02
"""Chance that the pips confirm a rank that is wrong: below 1 in 100 of 380 photographs of cards and drawings."""

_SURE_COUNT: Final = 3
"""Pips from which on their number speaks against a court too; one or two may be ornaments of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLimits:
    """How sure a reading must be.

    Attributes:
        confidence: least confidence of each index corner, in [0, 1]: held-out artwork asks for it.
        back: least probability of a back at each corner, in [0, 1]; every view must show a back besides.
        other: confidence from which on another card read in another view is a contradiction, in [0, 1].
    """

    confidence: float = 0.8
    back: float = 0.8
    other: float = 0.5


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


def decide(pairs: Sequence[Pair], pips: int | None, limits: DecisionLimits) -> Verdict:
    """Return the card that all evidence names without doubt, or the doubt.

    Args:
        pairs: readings of both corners, one pair a view.
        pips: number of pips on the card; None where they cannot be counted.
        limits: how sure it must be.
    """
    agreed = [(_confidence(pair, pips), pair[0].code) for pair in pairs if pair[0].code and _same_code(pair)]
    if not agreed:
        return _why_not(pairs, limits)
    confidence, code = max(agreed)
    if any(other != code and sure >= limits.other for sure, other in agreed):
        return Verdict(confidence=confidence, doubt=Doubt.DISAGREE)
    if pips is not None and _speaks_against(pips, code):
        return Verdict(confidence=confidence, doubt=Doubt.PIPS)
    if confidence < limits.confidence:
        return Verdict(confidence=confidence, doubt=Doubt.UNSURE)
    return Verdict(code=code, confidence=confidence)


def _same_code(pair: Pair) -> bool:
    return pair[0].code == pair[1].code


def _confidence(pair: Pair, pips: int | None) -> float:
    """Return the confidence of the less sure corner, that of its rank raised where the pips confirm it.

    The rule is Bayes': of readings that are wrong the pips confirm `_MISCOUNT`, of those that are right all.
    """
    confirmed = pips is not None and pair[0].code[:1] == _rank_of(pips)
    sure = []
    for reading in pair:
        rank = reading.rank_confidence
        rank = rank / (rank + (1 - rank) * _MISCOUNT) if confirmed else rank
        sure.append(rank * reading.suit_confidence)
    return min(sure)


def _rank_of(pips: int) -> str:
    return RANKS[pips - 1]


def _speaks_against(pips: int, code: str) -> bool:
    rank = code[0]
    if rank in "JQK":
        return pips >= _SURE_COUNT
    return rank != _rank_of(pips) and not (rank == "A" and pips == 1)


def _why_not(pairs: Sequence[Pair], limits: DecisionLimits) -> Verdict:
    """Return what no agreement means, told by the view that came nearest to one."""
    back = min(one.back for one in pairs[0])
    if back >= limits.back and all(one.rank == BACK for pair in pairs for one in pair):
        return Verdict(confidence=back, doubt=Doubt.BACK)
    one, other = max(pairs, key=lambda pair: sum(side.confidence for side in pair if side.code))
    if one.code and other.code:
        return Verdict(confidence=min(one.confidence, other.confidence), doubt=Doubt.DISAGREE)
    return Verdict(doubt=Doubt.ONE_CORNER if one.code or other.code else Doubt.NO_INDEX)
