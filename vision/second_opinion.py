"""The second opinion on a deck nobody enrolled: what pips, rings and notches say for a reading, or against it.

It never names a card. A reading it speaks against is refused however sure it is; one that it confirms becomes surer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.cards import RANKS
from vision.doubts import Doubt

if TYPE_CHECKING:
    from vision.index_marks import IndexMarks

_MISCOUNT: Final = 0.02
"""Chance that the pips confirm a rank that is wrong: below 1 in 100 of 380 photographs of cards and drawings."""

_SURE_COUNT: Final = 3
"""Pips from which on their number is sure, and speaks against a court too; one or two may be ornaments of it."""

_MISFORM: Final = 0.1
"""Chance that the rings of both corners confirm a rank that is wrong: an ace and a four have the same."""

_RINGS: Final = {"A": (0.38, 0.6), "4": (0.38, 0.6), "6": (0.6, 0.75), "9": (0.22, 0.355), "Q": (0.36, 0.52)}
"""Between which heights the rings of a figure lie: so they do in 98 of 100 photographs in which one is seen."""

_TWO_RINGS: Final = {"8": ((0.12, 0.32), (0.55, 0.75)), "Q": ((0.33, 0.46), (0.66, 0.84))}
"""The same for figures with an upper and a lower ring: a queen's letter whose tail closes a loop under its bowl."""

_CLEAR: Final = 0.02
"""By how much a ring must be off its heights to speak against a rank."""

_FEET: Final = 0.76
"""Height from which on a lone ring is of no figure: it is the feet of an ace or a king, closed by blur or a line."""

_RINGS_SEEN: Final = 0.018
"""Widest edge of a picture whose rings count, parts of the card's height: blur makes some and fills others."""

_NOTCH_SEEN: Final = 0.009
"""The same for a notch, which is less deep than a ring is wide."""

_FLAT: Final = 0.03
"""Depth of the notch up to which a sign is no heart; hearts have 0.07 to 0.18."""

_NOTCHED: Final = 0.07
"""Depth from which on it is no diamond; those have 0.05 at most."""


_ROUND: Final = 0.33
"""Width of a pip near its top below which it is no club: those have 0.35 to 0.59 there, on photographs and drawings of
packs with English indices, and spades of a slim leaf, small signs of which look like clubs, have 0.27 to 0.32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What was found beside the reading.

    Attributes:
        pips: number of pips on the card; None where they cannot be counted.
        marks: of the index of both corners, of one where that says nothing; empty where they were not looked at.
        edge: width of the card's edges, parts of its height: the mark of blur.
        tip: how wide the pips are near their tops, parts of their width; None where that is not known, or not asked.
    """

    pips: int | None = None
    marks: tuple[IndexMarks, ...] = ()
    edge: float = 0.0
    tip: float | None = None


def marks_tell(code: str, pips: int | None) -> bool:
    """Return whether rings or a notch can say anything for a card that was read, or against it.

    They are not asked where several pips say what the index does: in none of 1,150 pictures of packs held out from
    training in which these agreed, foreign letters and suits among them, did the marks speak against it.

    Args:
        code: the card, as in `"AS"`.
        pips: as `Opinion` has them.
    """
    if pips is not None and pips >= _SURE_COUNT and not _pips_against(pips, code[0]):
        return False
    return code[0] in _RINGS or code[0] in _TWO_RINGS or code[1] in "HD"


def says_something(marks: IndexMarks, code: str) -> bool:
    """Return whether one index speaks for a card that was read, or against it; only both together count."""
    rank, suit = code[0], code[1]
    rings = _rings_confirm(marks.rings, rank) or _rings_against(marks.rings, rank)
    return rings or _notch_against(marks.notch, suit)


def speaks_against(opinion: Opinion, code: str) -> Doubt | None:
    """Return what speaks against a card that was read, as in `"AS"`; None where nothing does."""
    rank, suit = code[0], code[1]
    if opinion.pips is not None and _pips_against(opinion.pips, rank):
        return Doubt.PIPS
    if suit == "C" and opinion.tip is not None and opinion.tip < _ROUND:
        return Doubt.SIGNS
    if not opinion.marks:
        return None
    if opinion.edge <= _RINGS_SEEN and all(_rings_against(mark.rings, rank) for mark in opinion.marks):
        return Doubt.FIGURES
    if opinion.edge <= _NOTCH_SEEN and all(_notch_against(mark.notch, suit) for mark in opinion.marks):
        return Doubt.SIGNS
    return None


def mistaken(opinion: Opinion, rank: str) -> float:
    """Return how often a wrong rank gets an opinion like this, over how often a right one does; 1.0 for no opinion."""
    ratio = 1.0
    if opinion.pips is not None and rank == RANKS[opinion.pips - 1]:
        ratio *= _MISCOUNT
    if opinion.marks and all(_rings_confirm(mark.rings, rank) for mark in opinion.marks):
        ratio *= _MISFORM
    return ratio


def _pips_against(pips: int, rank: str) -> bool:
    return pips >= _SURE_COUNT if rank in "JQK" else rank != RANKS[pips - 1]


def _rings_confirm(rings: tuple[float, ...] | None, rank: str) -> bool:
    if not rings:
        return False
    if rank in _TWO_RINGS and len(rings) == 2:
        pairs = zip(_TWO_RINGS[rank], rings, strict=True)
        if all(lowest <= ring <= highest for (lowest, highest), ring in pairs):
            return True
    lowest, highest = _RINGS.get(rank, (1.0, 0.0))
    return all(lowest <= ring <= highest for ring in rings)


def _rings_against(rings: tuple[float, ...] | None, rank: str) -> bool:
    """Return whether a figure's rings lie where those of the rank do not; one that is not seen says nothing."""
    if not rings or rank not in _RINGS:
        return False
    lowest, highest = _RINGS[rank]
    if rings[0] >= _FEET:
        return False
    return all(not lowest - _CLEAR <= ring <= highest + _CLEAR for ring in rings)


def _notch_against(notch: float | None, suit: str) -> bool:
    if notch is None:
        return False
    return (suit == "H" and notch < _FLAT) or (suit == "D" and notch > _NOTCHED)
