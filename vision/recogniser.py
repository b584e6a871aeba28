"""The recogniser: one look at one picture, in stages that each may say no, and none that guesses.

The gate finds one whole card, the geometry its exact sides, the index reader reads both corners, a second opinion may
speak against them, and the decision weighs it all. The first stage that doubts ends the look.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Final, Protocol

import cv2
import numpy as np

from vision.cards import RANKS, Card
from vision.classify import IndexReader
from vision.company import has_company
from vision.decide import DecisionLimits, Verdict, decide
from vision.doubts import Doubt, Stage
from vision.errors import ModelError
from vision.index_crop import VIEWS
from vision.index_marks import index_marks
from vision.locate import LocateLimits, Quad, locate
from vision.overlap import indices_apart, inner_edge
from vision.pips import PipCount, count_pips
from vision.rectify import Edges, canonical, index_crops, refine
from vision.second_opinion import Opinion
from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.decide import Pair
    from vision.frame import Image

_WEIGHTS: Final = "index_reader.onnx"

_UPSIDE_DOWN: Final = ("6", "9")
"""Ranks whose figures are one another's upside down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a picture must reach to be accepted; those of the edges were measured on drawn frames of held-out decks.

    Attributes:
        edge_width: widest edge, parts of the card's height; beyond it 5, 6, 8 and 9 run into one.
        sharp_edge: edge up to which a mark of an index that is not seen is not there, parts of the card's height.
        edge_residual: largest mean distance of edge points from a straight side, parts of the card's height.
        least_side_px: shorter side below which no picture holds a readable index, px.
        working_side_px: longer side a larger picture is brought to before it is read, px.
        beside: look for other cards beside the one that was read.
        locate: limits of the gate.
        decision: limits of the decision.
    """

    edge_width: float = 0.03
    sharp_edge: float = 0.018
    edge_residual: float = 0.01
    least_side_px: int = 64
    working_side_px: int = 960
    beside: bool = True
    locate: LocateLimits = field(default_factory=LocateLimits)
    decision: DecisionLimits = field(default_factory=DecisionLimits)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutlineLook:
    """What the stages said of one outline.

    Attributes:
        quad: from the gate.
        edges: from the geometry.
        pairs: from the index reader, one pair a view; empty where it was not asked.
        pips: from the second opinion; None where it was not asked.
        verdict: what it came to.
    """

    quad: Quad
    edges: Edges
    pairs: tuple[Pair, ...] = ()
    pips: PipCount | None = None
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

    def examine(self, image: Image) -> Examination:
        """Return everything that a look at `(H, W, 3) uint8 BGR` finds."""
        ...


def shipped_reader() -> IndexReader:
    """Return the index reader that belongs to this package.

    Raises:
        ModelError: its file is missing or damaged.
    """
    file = resources.files("vision") / "data" / _WEIGHTS
    try:
        weights = file.read_bytes()
    except OSError as error:
        raise ModelError(f"the index reader {_WEIGHTS} is missing ({error}); install pone again") from error
    return IndexReader(weights)


class Recogniser:
    """Reads the card of a picture; keeps nothing from one look to the next."""

    def __init__(self, reader: IndexReader, *, limits: Limits | None = None) -> None:
        self._reader = reader
        self._limits = limits or Limits()

    @classmethod
    def shipped(cls) -> Recogniser:
        """Return a recogniser with the index reader that belongs to this package.

        Raises:
            ModelError: its file is missing or damaged.
        """
        return cls(shipped_reader())

    def look(self, image: Image, *, frame_hash: bool = True) -> Sighting:
        """Return what the picture shows.

        Args:
            image: `(H, W, 3) uint8 BGR`, any size.
            frame_hash: put the SHA-256 of the pixels into the sighting.
        """
        digest = hashlib.sha256(np.ascontiguousarray(image).data).hexdigest() if frame_hash else ""
        return sighting_of(self.examine(image).verdict, frame=digest)

    def examine(self, image: Image) -> Examination:
        """Return everything that a look finds; see `Looker`."""
        if min(image.shape[:2]) < self._limits.least_side_px:
            return Examination(image=image, verdict=Verdict(doubt=Doubt.TOO_SMALL))
        image = at_working_size(image, self._limits.working_side_px)
        located = locate(image, self._limits.locate)
        looks: list[OutlineLook] = []
        for quad in located.quads:
            looks.append(self._examine_outline(image, quad))
            if looks[-1].verdict.doubt is None:
                break
        accepted = [look.verdict for look in looks if look.verdict.doubt is None]
        if accepted:
            verdict = accepted[0]
        elif not looks or located.doubt is not Doubt.NO_OUTLINE:
            verdict = Verdict(doubt=located.doubt)
        else:
            verdict = max((look.verdict for look in looks), key=lambda one: one.confidence)
        return Examination(image=image, outlines=tuple(looks), verdict=verdict)

    def _examine_outline(self, image: Image, quad: Quad) -> OutlineLook:
        edges = Edges(corners=quad.corners, found=True) if quad.whole else refine(image, quad.corners)
        doubt = None if quad.whole else self._geometry_doubt(edges)
        if doubt is not None:
            return OutlineLook(quad=quad, edges=edges, verdict=Verdict(doubt=doubt))
        card = canonical(image, edges.corners)
        pips = count_pips(card)
        crops = index_crops(image, edges.corners, VIEWS[0])
        pairs = self._read(crops)
        marks = tuple(index_marks(crop) for crop in crops)
        opinion = Opinion(pips=pips.count, marks=marks, sharp=edges.width <= self._limits.sharp_edge)
        verdict = decide(pairs, opinion, self._limits.decision)
        if _may_stand_elsewhere(verdict):
            lower = [crop for view in VIEWS[1:] for crop in index_crops(image, edges.corners, view)]
            pairs += self._read(lower)
            verdict = decide(pairs, opinion, self._limits.decision)
            if _may_stand_elsewhere(verdict):
                verdict, crops, pairs = self._look_elsewhere(image, edges, crops + lower, pairs, opinion, verdict)
        if verdict.doubt is None and not quad.whole:
            doubt = self._second_card(image, edges, card, crops)
            verdict = verdict if doubt is None else Verdict(doubt=doubt)
        return OutlineLook(quad=quad, edges=edges, pairs=pairs, pips=pips, verdict=verdict)

    def _look_elsewhere(
        self,
        image: Image,
        edges: Edges,
        crops: list[Image],
        pairs: tuple[Pair, ...],
        opinion: Opinion,
        verdict: Verdict,
    ) -> tuple[Verdict, list[Image], tuple[Pair, ...]]:
        """Return what the right corners say, or the lower index if it is upright like the upper one.

        Without an agreement there, the verdict stays what it was. The two crops are those whose index was read.
        """
        right = [crop for view in VIEWS for crop in index_crops(image, edges.corners, view, at_right=True)]
        more = pairs + self._read(right)
        later = decide(more, opinion, self._limits.decision)
        if later.doubt is None:
            return later, right[:2], more
        upright = self._read([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
        for (one, other), (one_turned, other_turned) in zip(pairs, upright, strict=True):
            more += ((one, other_turned), (one_turned, other))
        later = decide(more, opinion, self._limits.decision)
        # A six upside down is a nine, and a diamond stays one: only the pips can tell which end is up.
        told = later.code[:1] not in _UPSIDE_DOWN or opinion.pips == RANKS.index(later.code[0]) + 1
        return (later, [], more) if later.doubt is None and told else (verdict, crops[:2], pairs)

    def _geometry_doubt(self, edges: Edges) -> Doubt | None:
        """Return why the outline must not be trusted; None where it may be."""
        if not edges.found:
            return Doubt.FAINT_EDGES
        if edges.width > self._limits.edge_width:
            return Doubt.BLURRED
        return Doubt.BENT if edges.residual > self._limits.edge_residual else None

    def _second_card(self, image: Image, edges: Edges, card: Image, crops: list[Image]) -> Doubt | None:
        """Return the mark of a second card under the card that was read, or beside it."""
        if inner_edge(card):
            return Doubt.INNER_EDGE
        sides = [float(np.linalg.norm(edges.corners[at] - edges.corners[at - 1])) for at in range(4)]
        wide = (sides[1] + sides[3]) / (sides[0] + sides[2])
        if crops and indices_apart(crops[0], crops[1], wide=wide):
            return Doubt.INDICES_APART
        return Doubt.COMPANY if self._limits.beside and has_company(image, edges.corners) else None

    def _read(self, crops: list[Image]) -> tuple[Pair, ...]:
        """Return the readings of both corners for each view, from one run of the network."""
        readings = self._reader.read(crops)
        return tuple(zip(readings[::2], readings[1::2], strict=True))


def _may_stand_elsewhere(verdict: Verdict) -> bool:
    """Return whether no index was read for sure, and nothing but an index can help."""
    doubt = verdict.doubt
    return doubt is not None and doubt is not Doubt.BACK and doubt.stage is not Stage.SECOND_OPINION


def at_working_size(image: Image, longest: int) -> Image:
    """Return the picture with its longer side brought down to `longest` px; a smaller one as it is."""
    height, width = image.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return image
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


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
