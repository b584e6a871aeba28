"""The recogniser: one look at one picture, in stages that each may say no, and none that guesses.

The gate finds one whole card, the geometry its exact sides, the index reader reads both corners, a second opinion may
speak against them, and the decision weighs it all. The first stage that doubts ends the look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import cv2
import numpy as np

from vision.cards import RANKS, Card
from vision.classify import IndexReader
from vision.company import has_company
from vision.decide import DecisionLimits, Verdict, decide
from vision.deck_decide import DeckLimits
from vision.deck_look import look_with_decks
from vision.deck_picture import card_picture
from vision.doubts import Doubt, Stage
from vision.frame import must_be_image, name_of
from vision.index_crop import LONG_VIEWS, VIEWS
from vision.index_marks import IndexMarks, index_marks
from vision.inks import in_one_ink
from vision.locate import LocateLimits, Quad, locate
from vision.overlap import two_by_print
from vision.pips import PipCount, count_pips
from vision.rectify import Edges, canonical, dimmest, index_crops, refine
from vision.second_opinion import Opinion, marks_tell, says_something
from vision.sighting import Reason, Sighting, State
from vision.weights import INDEX_READER, shipped_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.decide import Pair
    from vision.deck_look import DeckLook
    from vision.deck_match import DeckMatcher
    from vision.frame import Image
    from vision.locate import Located

    Grey = NDArray[np.uint8]

_UPSIDE_DOWN: Final = ("6D", "9D")
"""Cards whose indices are one another's upside down."""

_SAME_UPSIDE_DOWN: Final = "8D"
"""The card whose lower index is read the same where it stands upright, and in another place then."""

_PIPPED: Final = frozenset("23456789T")
"""Ranks of cards with nothing in their middle but pips; many an ace has an ornament there."""

_UPRIGHT: Final = ((0, 1), (4, 4), (5, 5))
"""Views, by their place in `VIEWS` and `LONG_VIEWS`, in which an upper index and an upright lower one are read as one
card: the sign stands above the rank there, and further from the card's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a picture must reach to be accepted; those of the edges were measured on drawn frames of held-out decks.

    Attributes:
        edge_width: widest edge, parts of the card's height; beyond it 5, 6, 8 and 9 run into one.
        deck_edge_width: the same for a card of an enrolled deck, whose middle tells what blur takes from its index.
        edge_residual: largest mean distance of edge points from a straight side, parts of the card's height.
        least_side_px: shorter side below which no picture holds a readable index, px.
        working_side_px: longer side a larger picture is brought to before it is read, px.
        beside: look for other cards beside the one that was read.
        locate: limits of the gate.
        decision: limits of the decision.
        deck: the same for a card of an enrolled deck.
    """

    edge_width: float = 0.03
    deck_edge_width: float = 0.034
    edge_residual: float = 0.01
    least_side_px: int = 64
    working_side_px: int = 960
    beside: bool = True
    locate: LocateLimits = field(default_factory=LocateLimits)
    decision: DecisionLimits = field(default_factory=DecisionLimits)
    deck: DeckLimits = field(default_factory=DeckLimits)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutlineLook:
    """What the stages said of one outline.

    Attributes:
        quad: from the gate.
        edges: from the geometry.
        pairs: from the index reader, one pair a view; empty where it was not asked.
        pips: from the second opinion; None where it was not asked.
        deck: what the enrolled deck says that the card is of; None where it is of none.
        verdict: what it came to.
    """

    quad: Quad
    edges: Edges
    pairs: tuple[Pair, ...] = ()
    pips: PipCount | None = None
    deck: DeckLook | None = None
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examination:
    """Everything that one look found.

    Attributes:
        image: the picture at the size at which it was read, `(H, W, 3) uint8 BGR`.
        outlines: that were looked at, in this order.
        windows: places where an index was read without an outline, each `(4, 2) float32`, px.
        verdict: the answer.
    """

    image: Image
    outlines: tuple[OutlineLook, ...] = ()
    windows: tuple[NDArray[np.float32], ...] = ()
    verdict: Verdict


class Looker(Protocol):
    """Whoever examines pictures of one kind; keeps to one picture unless its text says otherwise."""

    def begin(self) -> None:
        """Forget what other pictures have taught: cards of another pack may follow."""
        ...

    def examine(self, image: Image) -> Examination:
        """Return everything that a look at `(H, W, 3) uint8 BGR` finds.

        Raises:
            ValueError: it is no such picture.
        """
        ...


def shipped_reader() -> IndexReader:
    """Return the index reader that belongs to this package.

    Raises:
        ModelError: its file is missing or damaged.
    """
    return IndexReader(shipped_weights(INDEX_READER, "index reader"))


class Recogniser:
    """Reads the card of a picture; keeps nothing from one look to the next.

    A card of an enrolled deck is named by index and whole card together, any other by its index.
    """

    def __init__(self, reader: IndexReader, *, limits: Limits | None = None, decks: Sequence[DeckMatcher] = ()) -> None:
        self._reader = reader
        self._limits = limits or Limits()
        self._decks = decks
        self._may_be_spoilt = any(matcher.deck.spoilt.any() for matcher in decks)

    @classmethod
    def shipped(cls, *, decks: Sequence[DeckMatcher] = ()) -> Recogniser:
        """Return a recogniser with the index reader that belongs to this package.

        Raises:
            ModelError: its file is missing or damaged.
        """
        return cls(shipped_reader(), decks=decks)

    def begin(self) -> None:
        """See `Looker`; nothing is kept."""

    def look(self, image: Image) -> Sighting:
        """Return what the picture, `(H, W, 3) uint8 BGR` of any size, shows; see `examine`."""
        return sighting_of(self.examine(image).verdict, frame=name_of(image))

    def examine(self, image: Image) -> Examination:
        """Return everything that a look finds; see `Looker`."""
        must_be_image(image)
        if min(image.shape[:2]) < self._limits.least_side_px:
            return Examination(image=image, verdict=Verdict(doubt=Doubt.TOO_SMALL))
        image = at_working_size(image, self._limits.working_side_px)
        return self.examine_located(image, locate(image, self._limits.locate))

    def examine_located(self, image: Image, located: Located) -> Examination:
        """Return what a look at outlines that were found in a picture of working size tells."""
        looks: list[OutlineLook] = []
        for quad in located.quads:
            looks.append(self._examine_outline(image, quad))
            if looks[-1].verdict.doubt is None:
                break
        if located.spoilt is not None and self._may_be_spoilt and (not looks or looks[-1].verdict.doubt is not None):
            looks += self._examine_spoilt(image, located.spoilt)
        accepted = [look.verdict for look in looks if look.verdict.doubt is None]
        if accepted:
            verdict = accepted[0]
        elif not looks or located.doubt is not Doubt.NO_OUTLINE:
            verdict = Verdict(doubt=located.doubt)
        else:
            verdict = max((look.verdict for look in looks), key=lambda one: one.confidence)
        return Examination(image=image, outlines=tuple(looks), verdict=verdict)

    def _examine_outline(self, image: Image, quad: Quad) -> OutlineLook:
        limits = self._limits
        edges = Edges(corners=quad.corners, found=True) if quad.whole else refine(image, quad.corners)
        if self._decks and (quad.whole or geometry_doubt(edges, limits, widest=limits.deck_edge_width) is None):
            look = self._examine_enrolled(image, quad, edges)
            if look is not None:
                return look
        doubt = None if quad.whole else geometry_doubt(edges, limits, widest=limits.edge_width)
        if doubt is not None:
            return OutlineLook(quad=quad, edges=edges, verdict=Verdict(doubt=doubt))
        card = canonical(image, edges.corners)
        pips = count_pips(card)
        crops = index_crops(image, edges.corners, VIEWS[0])
        dim = [dimmest(crop) for crop in crops]
        pairs = self._read(crops)

        def decided(pairs: tuple[Pair, ...], dim: list[Grey], elsewhere: tuple[Pair, ...] = ()) -> Verdict:
            opinion = opinion_on(pairs, pips, dim, edge=edges.width)
            return decide(pairs, opinion, limits.decision, elsewhere=elsewhere)

        verdict = decided(pairs, dim)
        for views in (VIEWS[1:], LONG_VIEWS):
            if _may_stand_elsewhere(verdict):
                more = [crop for view in views for crop in index_crops(image, edges.corners, view)]
                crops, pairs = crops + more, pairs + self._read(more)
                verdict = decided(pairs, dim)
        shown = [] if verdict.code == _SAME_UPSIDE_DOWN else dim
        if _may_stand_elsewhere(verdict):
            elsewhere = self._look_elsewhere(image, edges, crops, pairs, decided, pips)
            verdict, pairs, shown = elsewhere or (verdict, pairs, dim)
        uncounted = verdict.code[:1] in _PIPPED and pips.count is None
        if uncounted and not in_one_ink(card_picture(image, edges.corners)):
            verdict = Verdict(doubt=Doubt.PIPS)
        if verdict.doubt is None and not quad.whole:
            doubt = self._second_card(image, edges, card, shown)
            verdict = verdict if doubt is None else Verdict(doubt=doubt)
        return OutlineLook(quad=quad, edges=edges, pairs=pairs, pips=pips, verdict=verdict)

    def _examine_enrolled(self, image: Image, quad: Quad, edges: Edges) -> OutlineLook | None:
        """Return what an enrolled deck says of an outline; None where the card is of none."""
        look = look_with_decks(image, edges.corners, self._decks, self._reader, self._limits.deck)
        if look is None:
            return None
        return self._enrolled(image, quad, edges, look)

    def _examine_spoilt(self, image: Image, quad: Quad) -> list[OutlineLook]:
        """Return the look at a card of an enrolled deck whose own print spoils its outline; none at anything else.

        The gate has found no single card there. So it must be one that was learnt with such an outline, and as much
        like it as hardly any card of another deck is.
        """
        limits, edges = self._limits, refine(image, quad.corners)
        if geometry_doubt(edges, limits, widest=limits.deck_edge_width) is not None:
            return []
        look = look_with_decks(image, edges.corners, self._decks, self._reader, limits.deck)
        if look is None or look.verdict.doubt is not None or not look.spoilt or look.likeness < limits.deck.strange:
            return []
        return [self._enrolled(image, quad, edges, look)]

    def _enrolled(self, image: Image, quad: Quad, edges: Edges, look: DeckLook) -> OutlineLook:
        """Return what a deck says of an outline, once no other card lies beside it."""
        verdict = look.verdict
        if verdict.doubt is None and not quad.whole and self._limits.beside and has_company(image, edges.corners):
            verdict = Verdict(doubt=Doubt.COMPANY)
        return OutlineLook(quad=quad, edges=edges, pairs=(look.pair,), deck=look, verdict=verdict)

    def _look_elsewhere(
        self,
        image: Image,
        edges: Edges,
        left: list[Image],
        pairs: tuple[Pair, ...],
        decided: Callable[[tuple[Pair, ...], list[Grey], tuple[Pair, ...]], Verdict],
        pips: PipCount,
    ) -> tuple[Verdict, tuple[Pair, ...], list[Grey]] | None:
        """Return what the right corners say, or the lower index if it is upright like the upper one.

        Args:
            image: the picture.
            edges: of the card.
            left: crops of both left corners, in every view.
            pairs: what was read in them.
            decided: returns the verdict on readings, given the crops whose marks count, and readings from elsewhere.
            pips: that were counted.

        Returns:
            The verdict, all readings, and the indices that must stand alike; None where nothing is agreed on there.
        """
        crops = [crop for view in VIEWS for crop in index_crops(image, edges.corners, view, at_right=True)]
        right = self._read(crops)
        dim = [dimmest(crop) for crop in crops[:2]]
        verdict = decided(right, dim, pairs)
        if verdict.doubt is None:
            return verdict, pairs + right, dim
        crops = [crop for _, view in _UPRIGHT for crop in left[2 * view : 2 * view + 2]]
        turned = self._read([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
        normal = [pairs[view] for view, _ in _UPRIGHT]
        one_up = tuple((one, other) for (one, _), (_, other) in zip(normal, turned, strict=True))
        other_up = tuple((one, other) for (one, _), (_, other) in zip(turned, normal, strict=True))
        # In the other of the two the sign stands above the figure: rings and notch are not where they are looked for.
        verdict = decided(one_up, [dimmest(left[0])], pairs + right + other_up)
        if verdict.doubt is not None:
            verdict = decided(other_up, [dimmest(left[1])], pairs + right + one_up)
        if verdict.doubt is not None:
            return None
        # A six upside down is a nine; the other signs tell which end is up, but a diamond leaves it to the pips.
        told = verdict.code not in _UPSIDE_DOWN or pips.count == RANKS.index(verdict.code[0]) + 1
        return (verdict, pairs + right + one_up + other_up, []) if told else None

    def _second_card(self, image: Image, edges: Edges, card: Grey, indices: list[Grey]) -> Doubt | None:
        """Return the mark of a second card under the card that was read, or beside it."""
        if (doubt := two_by_print(card, indices, edges.corners)) is not None:
            return doubt
        return Doubt.COMPANY if self._limits.beside and has_company(image, edges.corners) else None

    def _read(self, crops: list[Image]) -> tuple[Pair, ...]:
        """Return the readings of both corners for each view, from one run of the network."""
        readings = self._reader.read(crops)
        return tuple(zip(readings[::2], readings[1::2], strict=True))


def edges_of_one(image: Image, limits: Limits) -> Edges | Doubt:
    """Return the sides of the one card in a picture of working size, whether they can be trusted or not.

    Returns:
        The sides, or why there is no outline of a card.
    """
    located = locate(image, limits.locate)
    return located.doubt if located.card is None else refine(image, located.card.corners)


def geometry_doubt(edges: Edges, limits: Limits, *, widest: float) -> Doubt | None:
    """Return why an outline must not be trusted; None where it may be.

    Args:
        edges: its sides.
        limits: of their straightness.
        widest: widest edge that is sharp, parts of the card's height.
    """
    if not edges.found:
        return Doubt.FAINT_EDGES
    if edges.width > widest:
        return Doubt.BLURRED
    return Doubt.BENT if edges.residual > limits.edge_residual else None


def opinion_on(pairs: Sequence[Pair], pips: PipCount, dim: Sequence[Grey], *, edge: float) -> Opinion:
    """Return what the card shows beside its indices; their marks are looked at where they can tell anything.

    Args:
        pairs: readings of both corners.
        pips: that were counted.
        dim: the dimmest colour of the index crops of both corners, each `(H, W) uint8`; or of one.
        edge: as `Opinion` has it.
    """
    named = {one.code for one, other in pairs if one.code and one.code == other.code}
    tip = pips.tip if any(code[1] == "C" for code in named) else None
    asked = [code for code in named if marks_tell(code, pips.count)]
    if not asked:
        return Opinion(pips=pips.count, edge=edge, tip=tip)
    marks: tuple[IndexMarks, ...] = (index_marks(dim[0]),)
    if any(says_something(marks[0], code) for code in asked):
        marks += tuple(index_marks(other) for other in dim[1:])
    return Opinion(pips=pips.count, marks=marks, edge=edge, tip=tip)


def _may_stand_elsewhere(verdict: Verdict) -> bool:
    """Return whether no index was read for sure, and nothing but an index can help."""
    doubt = verdict.doubt
    return doubt is not None and doubt is not Doubt.BACK and doubt.stage is not Stage.SECOND_OPINION


def at_working_size(image: Image, longest: int) -> Image:
    """Return the picture with its longer side brought down to `longest` px; a smaller one as it is."""
    height, width = image.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1 or not image.size:
        return image
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def sighting_of(verdict: Verdict, *, frame: str = "") -> Sighting:
    """Return a verdict as the sighting that leaves this package."""
    doubt = verdict.doubt
    return Sighting(
        state=State.CARD if doubt is None else doubt.state,
        card=Card.parse(verdict.code) if doubt is None else None,
        confidence=verdict.confidence,
        reason=Reason.NONE if doubt is None else doubt.reason,
        frame=frame,
    )
