"""The recogniser: one look at one picture, in stages that each may say no, and none that guesses."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import Card
from vision.classify import BACK, IndexReader
from vision.errors import ModelError
from vision.index_crop import VIEWS
from vision.locate import LocateLimits, Quad, locate
from vision.overlap import inner_edge
from vision.rectify import Edges, canonical, index_crops, refine
from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from vision.classify import IndexReading
    from vision.frame import Image

    _Pair = tuple[IndexReading, IndexReading]

_WEIGHTS: Final = "index_reader.onnx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a picture must reach to be accepted.

    The confidences are those that held-out artwork asks for (no wrong one of 5,154 in the survey this rests on); the
    edges' limits were measured on drawn frames of held-out decks.

    Attributes:
        confidence: least confidence of each index corner, in [0, 1].
        back: least probability of a back at each corner, in [0, 1]; every view must show a back besides.
        edge_width: widest edge, parts of the card's height; beyond it 5, 6, 8 and 9 run into one.
        edge_residual: largest mean distance of edge points from a straight side, parts of the card's height.
        least_side_px: shorter side below which no picture holds a readable index, px.
        working_side_px: longer side a larger picture is brought to before it is read, px.
        locate: limits of the search for the card.
    """

    confidence: float = 0.8
    back: float = 0.8
    edge_width: float = 0.03
    edge_residual: float = 0.01
    least_side_px: int = 64
    working_side_px: int = 960
    locate: LocateLimits = field(default_factory=LocateLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What one quad came to."""

    state: State
    code: str = ""
    confidence: float = 0.0
    reason: Reason = Reason.NONE


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
        answer = self._answer(image)
        digest = hashlib.sha256(np.ascontiguousarray(image).data).hexdigest() if frame_hash else ""
        return Sighting(
            state=answer.state,
            card=Card.parse(answer.code) if answer.code else None,
            confidence=answer.confidence,
            reason=answer.reason,
            frame=digest,
        )

    def _answer(self, image: Image) -> _Answer:
        height, width = image.shape[:2]
        if min(height, width) < self._limits.least_side_px:
            return _Answer(state=State.NOT_SURE, reason=Reason.TOO_FEW_PIXELS)
        scale = self._limits.working_side_px / max(height, width)
        if scale < 1:
            size = (max(round(width * scale), 1), max(round(height * scale), 1))
            image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        located = locate(image, self._limits.locate)
        answers = []
        for quad in located.quads:
            answer = self._read(image, quad)
            if answer.state is State.CARD:
                return answer
            answers.append(answer)
        if not answers or located.state is not State.NOT_SURE:
            return _Answer(state=located.state, reason=located.reason)
        return max(answers, key=lambda answer: answer.confidence)

    def _read(self, image: Image, quad: Quad) -> _Answer:
        edges = Edges(corners=quad.corners, found=True) if quad.whole else refine(image, quad.corners)
        answer = self._read_index(image, edges)
        if answer.state is State.NOT_SURE:
            return answer
        reason = self._doubt(edges, quad)
        if reason:
            return _Answer(state=State.NOT_SURE, confidence=answer.confidence, reason=reason)
        if answer.state is State.CARD and not quad.whole and inner_edge(canonical(image, edges.corners)):
            return _Answer(state=State.TWO_CARDS, reason=Reason.ANOTHER_EDGE)
        return answer

    def _doubt(self, edges: Edges, quad: Quad) -> Reason:
        """Return why the outline must not be trusted; no reason where it may be."""
        limits = self._limits
        if quad.whole:
            return Reason.NONE
        if not edges.found:
            return Reason.NO_EDGES
        if edges.width > limits.edge_width:
            return Reason.BLURRED
        return Reason.BENT_EDGES if edges.residual > limits.edge_residual else Reason.NONE

    def _read_index(self, image: Image, edges: Edges) -> _Answer:
        """Return what the two index corners say, looked at where packs print the index."""
        pairs = self._pairs(image, edges, VIEWS[:1])
        if not self._agreed(pairs[0]):
            pairs += self._pairs(image, edges, VIEWS[1:])
        for pair in pairs:
            code = self._agreed(pair)
            if code:
                return _Answer(state=State.CARD, code=code, confidence=min(one.confidence for one in pair))
        back = min(one.back for one in pairs[0])
        if back >= self._limits.back and all(one.rank == BACK for pair in pairs for one in pair):
            return _Answer(state=State.FACE_NOT_SEEN, confidence=back, reason=Reason.BACK)
        return self._explain(pairs)

    def _pairs(self, image: Image, edges: Edges, views: tuple[tuple[float, float], ...]) -> list[_Pair]:
        """Return the readings of both corners for each view, from one run of the network."""
        crops = [crop for view in views for crop in index_crops(image, edges.corners, view)]
        readings = self._reader.read(crops)
        return list(zip(readings[::2], readings[1::2], strict=True))

    def _agreed(self, pair: _Pair) -> str:
        """Return the card both corners name without doubt, or nothing."""
        one, other = pair
        sure = min(one.confidence, other.confidence) >= self._limits.confidence
        return one.code if sure and one.code == other.code else ""

    def _explain(self, pairs: list[_Pair]) -> _Answer:
        """Return why no view was accepted, told by the view that came nearest."""
        one, other = max(pairs, key=lambda pair: sum(side.confidence for side in pair if side.code))
        confidence = min(one.confidence, other.confidence) if one.code and other.code else 0.0
        if not one.code and not other.code:
            reason = Reason.NO_INDEX
        elif not one.code or not other.code:
            reason = Reason.ONE_INDEX
        elif one.code != other.code:
            reason = Reason.INDICES_DIFFER
        else:
            reason = Reason.NOT_SURE_ENOUGH
        return _Answer(state=State.NOT_SURE, confidence=confidence, reason=reason)
