"""The camera over the table: it must see backs only, and finds every face that it sees.

A face is told by the index in a corner of it: the corners of all light shapes are shown to the index reader. So a face
is found where one of its indices can be seen; one whose indices are covered is not. What is found says where it lies
and before whom; which card it is stays open unless the reader is sure. Of faces that cover each other by more than
half, one is reported.

How high a face is, is told by its size: a card in the air looks larger than one on the table. Where that is not known
it is taken to lie on the table: where a part of it is covered, where it is less than a hand's breadth over the table,
and over trays and spots, whose own cards may stick out from under it. Past the table's edge the camera looks at laps
and floor: a face there is below the table, unless it is as large as one in the air. What is under the table top itself
nobody sees from above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import SUITS, Card
from vision.quads import clockwise
from vision.table_corners import Outlines, light_outlines
from vision.table_layout import Region
from vision.table_names import CornerLimits, named_corners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReader, IndexReading
    from vision.frame import Image
    from vision.table_corners import Corner
    from vision.table_layout import TableLayout

    Points = NDArray[np.float32]

__all__ = ["LEAST_CARD_PX", "ExposedFace", "Height", "find_exposed"]


class Height(StrEnum):
    """How high a face is, as far as its size tells."""

    ON = "on"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExposedFace:
    """A face that the camera sees.

    Attributes:
        region: where its middle lies in the picture.
        seat: whose place that is; None where it is nobody's, or where two are about as near.
        height: how high it is, as far as its size tells.
        lawful: it is the one face that may be seen in its region.
        quad: `(4, 2) float32`, its corners, px, clockwise from the index corner; those that are covered are inferred.
        score: how much speaks for it, in [0, 1]: indices seen, the whole outline seen. No probability.
        card: which card it is, where its indices say so without doubt.
    """

    region: Region
    seat: Region | None
    height: Height
    lawful: bool
    quad: Points
    score: float
    card: Card | None = None

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the card, px."""
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


_LONG_SIDE: Final = 1.4
"""Long side over short side."""

_SAME_CARD: Final = 0.5
"""Part of a card from which on two that overlap are taken to be one card, seen at two corners."""

_IN_THE_AIR: Final = 1.08
"""Size over that of a card on the table from which on a face is above it: 130 mm for a camera 1.7 m high."""

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

    @property
    def confidence(self) -> float:
        """Of the surest reading that names a card."""
        return max((one.confidence for one in self.readings if one.code), default=0.0)


def find_exposed(
    image: Image, layout: TableLayout, reader: IndexReader, *, limits: CornerLimits | None = None
) -> list[ExposedFace]:
    """Return every face that can be seen, lawful ones too, those with the most that speaks for them first.

    Args:
        image: `(H, W, 3) uint8 BGR`; a card on the table must be at least `LEAST_CARD_PX` wide.
        layout: where things are in the picture.
        reader: says whether a corner has an index, and which card it names.
        limits: of an index.

    Raises:
        ValueError: cards are too small in a picture of this size.
    """
    height, width = image.shape[:2]
    card_width = layout.card_width * width
    if card_width < LEAST_CARD_PX:
        raise ValueError(f"a card is {card_width:.0f} px wide: use a picture in which it is {LEAST_CARD_PX} px or more")
    outlines = light_outlines(image, card_width, shaded=True)
    hits = _hits(image, outlines, layout, reader, limits or CornerLimits())
    faces = [_face(group, layout, (width, height)) for group in _groups(hits)]
    found = [face for face in faces if face is not None]
    return _with_lawful(sorted(found, key=lambda face: -face.score), layout, (width, height))


def _face(group: list[_Hit], layout: TableLayout, size: tuple[int, int]) -> ExposedFace | None:
    """Return what corners of one card come to; None where too little speaks for an index."""
    readings = [reading for hit in group for reading in hit.readings]
    if not (_is_index(readings) or _has_two_suits(group)):
        return None
    best, card_px = group[0], float(np.linalg.norm(group[0].quad[1] - group[0].quad[0]))
    opposite = any(float(np.linalg.norm(hit.quad[0] - best.quad[0])) > card_px for hit in group)
    x, y = best.quad.mean(axis=0) / size
    region = layout.region_at(x, y)
    return ExposedFace(
        region=region,
        seat=layout.seat_at(x, y),
        height=_height([hit.size for hit in group if hit.size is not None], region),
        lawful=False,
        quad=best.quad,
        score=0.5 + 0.25 * opposite + 0.25 * best.boxed,
        card=_card_of(readings),
    )


_EVIDENCE: Final = 1.15
"""Least sum of the two best readings that name the same card, for a mark to be an index: patterns on backs have come to
1.04."""

_RANK_IN_DOUBT: Final = 0.75
_SUIT_CLEAR: Final = 1.6
"""A suit whose two best readings sum up to so much makes an index of a mark whose rank is told less surely: patterns on
backs have come to 1.89 with a rank at 0.69."""


def _is_index(readings: Sequence[IndexReading]) -> bool:
    """Return whether enough speaks for a mark to be an index."""
    for code in {one.code for one in readings if one.code}:
        named = _ranked(one.confidence for one in readings if one.code == code)
        suits = _ranked(one.suit_confidence for one in readings if SUITS[one.suit] == code[-1])
        if sum(named[:2]) >= _EVIDENCE or (named[0] >= _RANK_IN_DOUBT and sum(suits[:2]) >= _SUIT_CLEAR):
            return True
    return False


_SUIT_OPPOSITE: Final = 0.7


def _has_two_suits(group: list[_Hit]) -> bool:
    """Return whether both index corners of a whole outline show the same suit: a crest stands in one corner only."""
    whole = [hit for hit in group if hit.boxed]
    return any(
        _suits(one) & _suits(other)
        for place, one in enumerate(whole)
        for other in whole[place + 1 :]
        if float(np.linalg.norm(one.quad[0] - other.quad[0])) > float(np.linalg.norm(one.quad[1] - one.quad[0]))
    )


def _suits(hit: _Hit) -> set[int]:
    return {one.suit for one in hit.readings if one.suit_confidence >= _SUIT_OPPOSITE}


def _ranked(confidences: Iterable[float]) -> list[float]:
    return sorted(confidences, reverse=True)


def _whole_cards(outlines: Outlines) -> list[Points]:
    """Return the boxes that may be whole cards, one for each card."""
    found: list[Points] = []
    for box in sorted(outlines.boxes, key=cv2.contourArea):
        quad = clockwise(box)
        if all(_overlap(other, quad) <= _SAME_CARD for other in found):
            found.append(quad)
    return found


LEAST_CARD_PX: Final = 40
"""Narrowest card on the table, px, whose index can be read."""


def _hits(
    image: Image, outlines: Outlines, layout: TableLayout, reader: IndexReader, limits: CornerLimits
) -> list[_Hit]:
    """Return every corner of a light shape that names a card."""
    height, width = image.shape[:2]
    card_width = layout.card_width * width
    hits = []
    for quad in _whole_cards(outlines):
        hits += [_Hit(quad=np.roll(quad, turn, axis=0), boxed=True, size=_size(quad, card_width)) for turn in (0, 2)]
    for corner in outlines.corners:
        # The picture's edge cuts corners out of what goes on past it.
        if min(*corner.at, *(np.array([width, height]) - corner.at)) < _EDGE_PX:
            continue
        x, y = corner.at / (width, height)
        sizes = (1.0,) if layout.table.holds(x, y) else (1.0, layout.floor_size)
        hits += [_hit(corner, outlines, card_width, size) for size in sizes]
    # One box may be come by in several ways: what a view of it says counts once.
    hits = list({hit.quad.round(1).tobytes(): hit for hit in hits}.values())
    named = named_corners(image, [hit.quad for hit in hits], reader, limits)
    return [replace(hits[corner.place], readings=corner.readings) for corner in named]


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


def _groups(hits: list[_Hit]) -> list[list[_Hit]]:
    """Return the hits, those of one card together, first one with a whole outline, then the surest."""
    groups: list[list[_Hit]] = []
    for hit in sorted(hits, key=lambda one: (not one.boxed, -one.confidence)):
        for group in groups:
            if _overlap(group[0].quad, hit.quad) > _SAME_CARD:
                group.append(hit)
                break
        else:
            groups.append([hit])
    return groups


def _overlap(one: Points, other: Points) -> float:
    """Return which part of the smaller of two quads lies in the other."""
    shared = cv2.intersectConvexConvex(one, other)[0]
    return float(shared) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0)


def _height(sizes: list[float], region: Region) -> Height:
    clear = region in (Region.OPEN, Region.BEYOND)
    # What lies beside a face may make it look larger at some levels of light, never smaller.
    if clear and sizes and min(sizes) >= _IN_THE_AIR:
        return Height.ABOVE
    return Height.BELOW if region is Region.BEYOND else Height.ON


def _with_lawful(faces: list[ExposedFace], layout: TableLayout, size: tuple[int, int]) -> list[ExposedFace]:
    """Return the faces, of each lawful region the one nearest to its middle marked as lawful."""
    lawful: set[int] = set()
    for region in layout.lawful:
        rect = layout.regions[region]
        middle = ((rect.left + rect.right) / 2 * size[0], (rect.top + rect.bottom) / 2 * size[1])
        here = [face for face in faces if face.region is region]
        if here:
            lawful.add(id(min(here, key=lambda face: float(np.hypot(*np.subtract(face.centre, middle))))))
    return [replace(face, lawful=True) if id(face) in lawful else face for face in faces]


_SURE: Final = {"D": (0.95, 0.9), "H": (0.95, 0.9), "C": (0.985, 0.97), "S": (0.985, 0.97)}
"""Least confidence of the best reading and of the next, by suit: at this size clubs have been read as spades at 0.98
and 0.96, and no red card twice as another at 0.9 and 0.6."""

_DOUBT: Final = 0.3
"""Confidence of a reading that names another card, from which it stays open which one it is."""


def _card_of(readings: Sequence[IndexReading]) -> Card | None:
    """Return the card that two readings at least name without doubt, and none contradicts; or None."""
    named = [one for one in readings if one.code]
    best = max(named, key=lambda one: one.confidence, default=None)
    if best is None or any(one.code != best.code and one.confidence >= _DOUBT for one in named):
        return None
    ranked = _ranked(one.confidence for one in named if one.code == best.code)
    sure = len(ranked) > 1 and all(one >= least for one, least in zip(ranked, _SURE[best.code[-1]], strict=False))
    return Card.parse(best.code) if sure else None
