"""The camera over the table: it must see backs only, and finds every face that it sees.

A network that looks at the whole table (`vision.table_faces`) tells where faces may be, by whatever of them can be
seen, index, pips or picture. Around each the corners of light shapes are shown to the index reader: an index makes a
face of what the network doubts, and may name the card; the outline says how large it looks. Which card it is stays open
unless the reader is sure. Of faces that cover each other by more than half, one is reported.

How high a face is, is told by its size: a card in the air looks larger than one on the table. Where that is not known
it is taken to lie on the table: where a part of it is covered, where it is less than a hand's breadth over the table,
and over trays and spots, whose own cards may stick out from under it. Past the table's edge the camera looks at laps
and floor: a face there is below the table, unless it is as large as one in the air. What is under the table top itself
nobody sees from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.frame import must_be_image
from vision.recogniser import shipped_reader
from vision.table_cards import overlap, read_face
from vision.table_faces import FinderLimits, is_face, shipped_finder
from vision.table_layout import Region

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.cards import Card
    from vision.classify import IndexReader
    from vision.frame import Image
    from vision.table_faces import FaceFinder, FoundFace
    from vision.table_layout import TableLayout
    from vision.table_names import CornerLimits

    Points = NDArray[np.float32]

__all__ = ["LEAST_CARD_PX", "ExposedFace", "Height", "TableReader", "find_exposed", "shipped_table_reader"]


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
        score: part of a card that is seen to be its face, in [0, 1]. No probability.
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableReader:
    """What looks at the table.

    Attributes:
        finder: finds the faces.
        index: reads which cards they are.
    """

    finder: FaceFinder
    index: IndexReader


def shipped_table_reader() -> TableReader:
    """Return the networks that belong to this package.

    Raises:
        ModelError: a file is missing or damaged.
    """
    return TableReader(finder=shipped_finder(), index=shipped_reader())


LEAST_CARD_PX: Final = 40
"""Narrowest card on the table, px, whose face is found."""

_SAME_CARD: Final = 0.5
"""Part of a card from which on two that overlap are taken to be one card."""

_IN_THE_AIR: Final = 1.08
"""Size over that of a card on the table from which on a face is above it: 130 mm for a camera 1.7 m high."""


def find_exposed(
    image: Image,
    layout: TableLayout,
    reader: TableReader,
    *,
    finding: FinderLimits | None = None,
    reading: CornerLimits | None = None,
) -> list[ExposedFace]:
    """Return every face that can be seen, lawful ones too, those of which most is seen first.

    Args:
        image: `(H, W, 3) uint8 BGR`; a card on the table must be at least `LEAST_CARD_PX` wide.
        layout: where things are in the picture.
        reader: finds faces, and reads which cards they are.
        finding: limits of a face.
        reading: limits of an index.

    Raises:
        ValueError: it is no such picture, or cards are too small in one of this size.
    """
    must_be_image(image)
    height, width = image.shape[:2]
    card_width = layout.card_width * width
    if card_width < LEAST_CARD_PX:
        wide = f"{math.floor(card_width * 10) / 10:g}"  # rounded up it might be no less than what is asked for
        raise ValueError(f"a card is {wide} px wide: use a picture in which it is {LEAST_CARD_PX} px or more")
    finding = finding or FinderLimits()
    found = reader.finder.find(image, card_width, finding)
    faces = [_face(image, one, layout, reader.index, (finding, reading)) for one in found]
    return _with_lawful(_apart([face for face in faces if face is not None]), layout, (width, height))


def _apart(faces: list[ExposedFace]) -> list[ExposedFace]:
    """Return the faces without those that lie for the greater part where one lies of which more is seen."""
    kept: list[ExposedFace] = []
    for face in faces:
        if all(overlap(other.quad, face.quad) <= _SAME_CARD for other in kept):
            kept.append(face)
    return kept


def _face(
    image: Image,
    found: FoundFace,
    layout: TableLayout,
    reader: IndexReader,
    limits: tuple[FinderLimits, CornerLimits | None],
) -> ExposedFace | None:
    """Return a face with what outlines and indices say of it; None where neither its looks nor an index is sure."""
    finding, reading = limits
    height, width = image.shape[:2]
    on_table = layout.table.holds(*(found.quad.mean(axis=0) / (width, height)))
    sizes = (1.0,) if on_table else (1.0, layout.floor_size)
    read = read_face(image, found, reader, card_width=layout.card_width * width, sizes=sizes, limits=reading)
    if not (read.index or is_face(found, finding)):
        return None
    x, y = read.quad.mean(axis=0) / (width, height)
    region = layout.region_at(x, y)
    return ExposedFace(
        region=region,
        seat=layout.seat_at(x, y),
        height=_height(read.size, region),
        lawful=False,
        quad=read.quad,
        score=found.seen,
        card=read.card,
    )


def _height(size: float | None, region: Region) -> Height:
    clear = region in (Region.OPEN, Region.BEYOND)
    if clear and size is not None and size >= _IN_THE_AIR:
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
