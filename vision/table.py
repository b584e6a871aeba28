"""The camera over the table: it must see backs only, and finds every face that it sees.

A face is told by the index in a corner of it, on clear paper. So a face is found where one of its indices can be seen;
one whose indices are covered is not. What is found says where it lies and before whom; which card it is is left open
unless a reader is given and is sure.

How high a face is, is told by its size: a card in the air looks larger than one on the table. Where the size cannot be
measured, because a part is covered, and for a card held less than a hand's breadth over the table, it is taken to lie
on the table. Past the table's edge the camera looks at laps and floor: a face there is below the table, unless it is as
large as one in the air. What is under the table top itself nobody sees from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import Card
from vision.index_crop import VIEWS
from vision.rectify import index_crops
from vision.table_corners import Outlines, light_outlines
from vision.table_index import IndexLimits, index_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.classify import IndexReader
    from vision.frame import Image
    from vision.table_corners import Corner

    Points = NDArray[np.float32]

__all__ = ["ExposedFace", "Height", "Rect", "Region", "TableLayout", "find_exposed"]


class Region(StrEnum):
    """A part of the table, as the camera sees it."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    TRUMP = "trump"
    STOCK = "stock"
    CUT = "cut"
    REJECT = "reject"
    OPEN = "open"
    """The table top outside trays and spots."""
    BEYOND = "beyond"
    """Past the table's edge."""


SEATS: Final = (Region.N, Region.E, Region.S, Region.W)


class Height(StrEnum):
    """How high a face is, as far as its size tells."""

    ON = "on"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """An upright rectangle, in parts of the picture's width and height.

    Attributes:
        left: of its left edge.
        top: of its upper edge.
        right: of its right edge.
        bottom: of its lower edge.
    """

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in it.

        >>> Rect(left=0.2, top=0.1, right=0.4, bottom=0.3).holds(0.3, 0.2)
        True
        """
        return self.left <= x <= self.right and self.top <= y <= self.bottom


# In mm on the table top: the view is 1354 by 1015.5, its middle the table's; the trays lie 300 from it.
_VIEW: Final = (1354.0, 1015.5)


def _around(x: float, y: float, width: float, height: float) -> Rect:
    wide, high = _VIEW
    return Rect(
        left=0.5 + (x - width / 2) / wide,
        top=0.5 + (y - height / 2) / high,
        right=0.5 + (x + width / 2) / wide,
        bottom=0.5 + (y + height / 2) / high,
    )


_REFERENCE: Final = {
    Region.N: _around(0, -300, 92, 118),
    Region.E: _around(300, 0, 118, 92),
    Region.S: _around(0, 300, 92, 118),
    Region.W: _around(-300, 0, 118, 92),
    Region.TRUMP: _around(205, -205, 92, 118),
    Region.STOCK: _around(-205, -205, 92, 118),
    Region.CUT: _around(215, 205, 170, 118),
    Region.REJECT: _around(-205, 205, 92, 118),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """Where the regions of the table are in the picture; the defaults are those of the reference machine.

    Attributes:
        regions: trays and spots; the rest of `table` is open, what lies outside of it is beyond.
        table: the table top.
        card_width: width of a card lying on the table, parts of the picture's width.
        floor_size: size of a card on the floor over that of one on the table.
        lawful: regions in which one face may be seen. The stock belongs to them while its top card is turned.
        nearer: how much nearer one seat's edge must be than any other's, parts of the picture's width, for a face on the
            open table to lie before that seat.
    """

    regions: Mapping[Region, Rect] = field(default_factory=lambda: _REFERENCE)
    table: Rect = field(default_factory=lambda: _around(0, 0, 940, 940))
    card_width: float = 63.5 / _VIEW[0]
    floor_size: float = 0.7
    lawful: frozenset[Region] = frozenset({Region.TRUMP})
    nearer: float = 0.03

    def region_at(self, x: float, y: float) -> Region:
        """Return the region of a point given in parts of the picture.

        >>> TableLayout().region_at(0.5, 0.2), TableLayout().region_at(0.02, 0.5)
        (<Region.N: 'N'>, <Region.BEYOND: 'beyond'>)
        """
        for region, rect in self.regions.items():
            if rect.holds(x, y):
                return region
        return Region.OPEN if self.table.holds(x, y) else Region.BEYOND

    def seat_at(self, x: float, y: float) -> Region | None:
        """Return the seat that a point belongs to: the tray's, or on the open table and beyond the nearest one's.

        None at trump spot, stock, cut and reject tray, and where two seats are about as near.

        >>> TableLayout().seat_at(0.5, 0.1), TableLayout().seat_at(0.5, 0.5)
        (<Region.N: 'N'>, None)
        """
        region = self.region_at(x, y)
        if region in SEATS:
            return region
        if region not in (Region.OPEN, Region.BEYOND):
            return None
        table = self.table
        per_height = (table.right - table.left) / (table.bottom - table.top)
        away = {
            Region.N: (y - table.top) * per_height,
            Region.E: table.right - x,
            Region.S: (table.bottom - y) * per_height,
            Region.W: x - table.left,
        }
        nearest, next_one = sorted(away, key=lambda seat: away[seat])[:2]
        return nearest if away[next_one] - away[nearest] >= self.nearer else None


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
        card: which card it is, where a reader was given and is sure.
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


_CARD_WIDTH_MM: Final = 63.5
_LONG_SIDE: Final = 1.4
"""Long side over short side."""

_SAME_CARD: Final = 0.5
"""Part of a card from which on two that overlap are taken to be one card, seen at two corners."""

_IN_THE_AIR: Final = 1.08
"""Size over that of a card on the table from which on a face is above it: 130 mm for a camera 1.7 m high."""

_BOX_CORNER: Final = 0.08
"""How far a box's corner may lie from the corner with the index, parts of a card's width."""

_MEASURED_FILL: Final = 0.955
"""Least part of its box that a shape fills whose size is that of one card: none sticks out from under it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Hit:
    """One corner with an index.

    Attributes:
        at: the corner.
        quad: of the card.
        boxed: the quad is the box around a light shape, not inferred from the corner.
        size: over that of a card on the table; None where it cannot be measured.
    """

    at: Points
    quad: Points
    boxed: bool
    size: float | None


def find_exposed(
    image: Image, layout: TableLayout, *, reader: IndexReader | None = None, limits: IndexLimits | None = None
) -> list[ExposedFace]:
    """Return every face that can be seen, lawful ones too, those with the most that speaks for them first.

    Args:
        image: `(H, W, 3) uint8 BGR`; a card on the table must be at least `LEAST_CARD_PX` wide.
        layout: where things are in the picture.
        reader: names the cards, where it can.
        limits: of an index.

    Raises:
        ValueError: cards are too small in a picture of this size.
    """
    height, width = image.shape[:2]
    card_width = layout.card_width * width
    if card_width < LEAST_CARD_PX:
        raise ValueError(f"a card is {card_width:.0f} px wide: use a picture in which it is {LEAST_CARD_PX} px or more")
    faces = []
    for group in _groups(_hits(image, layout, card_width, limits or IndexLimits())):
        best = group[0]
        x, y = best.quad.mean(axis=0) / (width, height)
        opposite = any(float(np.linalg.norm(hit.at - best.at)) > 0.6 * card_width for hit in group)
        faces.append(
            ExposedFace(
                region=layout.region_at(x, y),
                seat=layout.seat_at(x, y),
                height=_height(best.size, layout.region_at(x, y)),
                lawful=False,
                quad=best.quad,
                score=0.5 + 0.25 * opposite + 0.25 * best.boxed,
                card=None if reader is None else _read(image, best.quad, reader),
            )
        )
    return _with_lawful(sorted(faces, key=lambda face: -face.score), layout, (width, height))


LEAST_CARD_PX: Final = 40
"""Narrowest card on the table, px, whose index can be told from its pips."""


def _hits(image: Image, layout: TableLayout, card_width: float, limits: IndexLimits) -> list[_Hit]:
    """Return every corner of a light shape that holds an index."""
    height, width = image.shape[:2]
    outlines = light_outlines(image, card_width)
    hits = []
    for corner in outlines.corners:
        x, y = corner.at / (width, height)
        for size in (1.0,) if layout.table.holds(x, y) else (layout.floor_size, 1.0):
            if index_in(image, corner, card_width * size / _CARD_WIDTH_MM, limits) is not None:
                hits.append(_hit(corner, outlines, card_width, size))
                break
    return hits


def _hit(corner: Corner, outlines: Outlines, card_width: float, size: float) -> _Hit:
    box = _box_at(corner, outlines, card_width * size)
    if box is None:
        right, down = corner.along * card_width * size, corner.back * card_width * size * _LONG_SIDE
        quad = (corner.at + np.stack([0 * right, right, right + down, down])).astype(np.float32)
        return _Hit(at=corner.at, quad=quad, boxed=False, size=None)
    quad, fill = box
    short, long = (float(np.linalg.norm(quad[end] - quad[1])) / card_width for end in (0, 2))
    measured = max(short, long / _LONG_SIDE) if fill >= _MEASURED_FILL else None
    return _Hit(at=corner.at, quad=quad, boxed=True, size=measured)


def _box_at(corner: Corner, outlines: Outlines, card_width: float) -> tuple[Points, float] | None:
    """Return the best filled box that begins at a corner and lies as a card with its index there would; or None."""
    away = np.linalg.norm(outlines.boxes - corner.at, axis=2)
    best: tuple[Points, float] | None = None
    for box, place in np.argwhere(away <= _BOX_CORNER * card_width):
        quad, fill = np.roll(outlines.boxes[box], -int(place), axis=0), float(outlines.fills[box])
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        long = float(np.linalg.norm(down))
        straight = float(down @ corner.back) > 0.97 * long and float(np.linalg.norm(right)) < long
        if straight and (best is None or fill > best[1]):
            best = quad, fill
    return best


def _groups(hits: list[_Hit]) -> list[list[_Hit]]:
    """Return the hits, those of one card together, the one with the best outline first."""
    groups: list[list[_Hit]] = []
    for hit in sorted(hits, key=lambda one: (one.size is None, not one.boxed)):
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


def _height(size: float | None, region: Region) -> Height:
    if size is not None and size >= _IN_THE_AIR:
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


_SURE: Final = 0.8


def _read(image: Image, quad: Points, reader: IndexReader) -> Card | None:
    """Return the card that both corners name without doubt in one view, or None."""
    crops = [crop for view in VIEWS for crop in index_crops(image, quad, view)]
    readings = reader.read(crops)
    for one, other in zip(readings[::2], readings[1::2], strict=True):
        if one.code and one.code == other.code and min(one.confidence, other.confidence) >= _SURE:
            return Card.parse(one.code)
    return None
