"""Tell which card an open face is and how large it looks: by the corners of the light shapes around it.

A corner with an index says how its card lies; the box around a light shape says so where the whole outline can be seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import Card
from vision.quads import clockwise
from vision.table_corners import Outlines, light_outlines
from vision.table_names import CornerLimits, named_corners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReader, IndexReading
    from vision.frame import Image
    from vision.table_corners import Corner
    from vision.table_faces import FoundFace

    Points = NDArray[np.float32]

__all__ = ["ReadFace", "overlap", "read_face"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadFace:
    """What the outlines and indices of a face say.

    Attributes:
        quad: `(4, 2) float32`, its corners, px, clockwise from an index corner; those that are covered are inferred.
        size: over that of a card on the table; None where no whole outline can be seen.
        index: whether a corner shows an index for certain.
        card: which card it is, where its indices say so without doubt.
    """

    quad: Points
    size: float | None
    index: bool = False
    card: Card | None = None


_LONG_SIDE: Final = 1.4
"""Long side over short side."""

_SAME_CARD: Final = 0.5
"""Part of a card from which on two that overlap are taken to be one card, seen at two corners."""

_BOX_CORNER: Final = 0.08
"""How far a box's corner may lie from the corner with the index, parts of a card's width."""

_LEAN: Final = 0.95
"""How much shorter a card may look that is held not quite level."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Hit:
    """One corner with an index.

    Attributes:
        quad: of the card, beginning at that corner.
        boxed: the quad is the box around a light shape, not inferred from the corner.
        size: over that of a card on the table; None where it cannot be measured.
        readings: of each view of it that has a suit at least.
    """

    quad: Points
    boxed: bool
    size: float | None
    readings: tuple[IndexReading, ...] = ()


_REACH: Final = 1.5
"""How far around the middle of a face outlines are searched, parts of a card's width."""

_OWN: Final = 0.45
"""How far the middle of an outline may lie from that of the face, parts of a card's width."""

_PLACED: Final = 0.3
"""How far it may lie for the corner to tell how the card lies, where its outline does not."""

_OWN_UNREAD: Final = 0.25
"""How far that of an outline may lie in whose corners nothing is read."""

_MOSTLY_SEEN: Final = 0.6
"""Part of a face that must be seen for an outline without an index to be its own, and not that of what covers it."""


def read_face(
    image: Image,
    face: FoundFace,
    reader: IndexReader,
    *,
    card_width: float,
    sizes: Sequence[float] = (1.0,),
    limits: CornerLimits | None = None,
) -> ReadFace:
    """Return what can be told of a face.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        face: as it was found.
        reader: says whether a corner has an index, and which card it names.
        card_width: width of a card lying on the table, px.
        sizes: that a card may have here, over that of one on the table, where its outline does not say.
        limits: of an index.
    """
    middle = face.quad.mean(axis=0)
    reach = _REACH * card_width
    left, top = np.maximum(np.floor(middle - reach), 0).astype(int)
    right, bottom = np.ceil(middle + reach).astype(int)
    part = np.ascontiguousarray(image[top:bottom, left:right])
    origin = np.array([left, top], np.float32)
    outlines = light_outlines(part, card_width, shaded=True)
    hits = _hits(part, outlines, card_width, sizes, reader, limits or CornerLimits())
    own = [hit for hit in hits if _is_of(hit, face, middle - origin, card_width)]
    if not own:
        return ReadFace(quad=face.quad, size=None)
    # First one with an index and a whole outline, then with an index; of those the surest, or where the size is in
    # doubt the one that lies as the face was found.
    best = max(own, key=lambda hit: (bool(hit.readings), hit.boxed, _rank(hit, middle - origin, sizes)))
    # What lies beside a face may make it look larger at some levels of light, never smaller.
    size = min((hit.size for hit in own if hit.size is not None), default=None)
    readings = [reading for hit in own for reading in hit.readings]
    # A corner that puts the card's middle far from where all of its face says is another one of it than it seems.
    placed = best.boxed or _away(best, middle - origin) <= _PLACED * card_width
    quad = best.quad + origin if placed else face.quad
    index, card = _is_index(readings, face.sure), _card_of(readings)
    return ReadFace(quad=quad, size=size, index=index, card=card)


def _rank(hit: _Hit, middle: Points, sizes: Sequence[float]) -> float:
    if len(sizes) > 1:
        return -_away(hit, middle)
    return max((one.confidence for one in hit.readings if one.code), default=0.0)


def _away(hit: _Hit, middle: Points) -> float:
    """Return how far the middle of what begins at a corner lies from a point, px."""
    return float(np.linalg.norm(hit.quad.mean(axis=0) - middle))


def _is_of(hit: _Hit, face: FoundFace, middle: Points, card_width: float) -> bool:
    """Return whether a corner is one of a face whose middle is given."""
    away = _away(hit, middle) / card_width
    if hit.readings:
        return away <= _OWN
    return hit.boxed and face.seen >= _MOSTLY_SEEN and away <= _OWN_UNREAD


_EVIDENCE: Final = 0.65
"""Least sum of the two best readings that name the same card, for a mark where a face was found to be an index: sleeves
and backs have come to 0.55 there."""

_SUIT_EVIDENCE: Final = 1.0
"""Least sum of the two best readings of the same suit, where the rank is covered or blurred."""

_LIKE_A_FACE: Final = 0.85
"""How sure the cells must be for a suit to do: signs on boxes, sleeves and backs are read as suits too, with up to 1.6
in sum. In 4,334 tables nothing that the cells took for a face, and was none, was read as one with 0.8 in sum."""


def _is_index(readings: Sequence[IndexReading], sure: float) -> bool:
    """Return whether enough speaks for a mark where a face was found to be an index.

    Args:
        readings: of the corners, each with a suit at least.
        sure: probability of a face in the third surest cell.
    """
    codes = {one.code for one in readings if one.code}
    named = [_ranked(one.confidence for one in readings if one.code == code)[:2] for code in codes]
    if any(sum(best) >= _EVIDENCE for best in named):
        return True
    suits = {one.suit for one in readings}
    suited = [_ranked(one.suit_confidence for one in readings if one.suit == suit)[:2] for suit in suits]
    return sure >= _LIKE_A_FACE and any(sum(best) >= _SUIT_EVIDENCE for best in suited)


def _ranked(confidences: Iterable[float]) -> list[float]:
    return sorted(confidences, reverse=True)


def _whole_cards(outlines: Outlines) -> list[Points]:
    """Return the boxes that may be whole cards, one for each card."""
    found: list[Points] = []
    for box in sorted(outlines.boxes, key=cv2.contourArea):
        quad = clockwise(box)
        if all(overlap(other, quad) <= _SAME_CARD for other in found):
            found.append(quad)
    return found


def _hits(
    image: Image,
    outlines: Outlines,
    card_width: float,
    sizes: Sequence[float],
    reader: IndexReader,
    limits: CornerLimits,
) -> list[_Hit]:
    """Return every corner of a light shape that names a card, and the boxes around what may be one."""
    height, width = image.shape[:2]
    hits = []
    for quad in _whole_cards(outlines):
        hits += [_Hit(quad=np.roll(quad, turn, axis=0), boxed=True, size=_size(quad, card_width)) for turn in (0, 2)]
    for corner in outlines.corners:
        # The edge of what is looked at cuts corners out of what goes on past it.
        if min(*corner.at, *(np.array([width, height]) - corner.at)) >= _EDGE_PX:
            hits += [_hit(corner, outlines, card_width, size) for size in sizes]
    # One box may be come by in several ways: what a view of it says counts once.
    hits = list({hit.quad.round(1).tobytes(): hit for hit in hits}.values())
    for named in named_corners(image, [hit.quad for hit in hits], reader, limits):
        hits[named.place] = replace(hits[named.place], readings=named.readings)
    return hits


_EDGE_PX: Final = 4


def _hit(corner: Corner, outlines: Outlines, card_width: float, size: float) -> _Hit:
    boxed = _box_at(corner, outlines, card_width * size)
    if boxed is None:
        right, down = corner.along * card_width * size, corner.back * card_width * size * _LONG_SIDE
        quad = (corner.at + np.stack([0 * right, right, right + down, down])).astype(np.float32)
        return _Hit(quad=quad, boxed=False, size=None)
    return _Hit(quad=boxed, boxed=True, size=_size(boxed, card_width))


def _size(quad: Points, card_width: float) -> float:
    """Return how large a card looks, 1.0 for one on the table."""
    short, long = (float(np.linalg.norm(quad[end] - quad[1])) / card_width for end in (0, 2))
    return min(short, long / _LONG_SIDE / _LEAN)


def _box_at(corner: Corner, outlines: Outlines, card_width: float) -> Points | None:
    """Return the smallest box that begins at a corner and lies as a card with its index there would; or None."""
    away = np.linalg.norm(outlines.boxes - corner.at, axis=2)
    fitting = []
    for box, place in np.argwhere(away <= _BOX_CORNER * card_width):
        quad = np.roll(outlines.boxes[box], -int(place), axis=0)
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        long = float(np.linalg.norm(down))
        if float(down @ corner.back) > _PARALLEL * long and float(np.linalg.norm(right)) < long:
            fitting.append(quad)
    return min(fitting, key=cv2.contourArea, default=None)


_PARALLEL: Final = 0.97
"""Cosine of the angle within which a box lies along a corner's sides."""


def overlap(one: Points, other: Points) -> float:
    """Return which part of the smaller of two quads lies in the other."""
    shared = cv2.intersectConvexConvex(one, other)[0]
    return float(shared) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0)


_SURE: Final = (0.985, 0.97)
"""Least confidence of the best reading and of the next: at this size clubs have been read as spades at 0.98 and 0.96,
and a five as a jack at 0.96 and 0.94."""

_DOUBT: Final = 0.3
"""Confidence of a reading that names another card, from which it stays open which one it is."""


def _card_of(readings: Sequence[IndexReading]) -> Card | None:
    """Return the card that two readings at least name without doubt, and none contradicts; or None."""
    named = [one for one in readings if one.code]
    best = max(named, key=lambda one: one.confidence, default=None)
    if best is None or any(one.code != best.code and one.confidence >= _DOUBT for one in named):
        return None
    ranked = _ranked(one.confidence for one in named if one.code == best.code)
    sure = len(ranked) > 1 and all(one >= least for one, least in zip(ranked, _SURE, strict=False))
    return Card.parse(best.code) if sure else None
