"""Which card a found face is and how large it looks, told by the outlines and indices around it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware_sims.table_places import View
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import TableCard, TableScene
from vision.cards import Card
from vision.classify import NO_RANK, IndexReader, IndexReading
from vision.recogniser import shipped_reader
from vision.table_cards import overlap, read_face
from vision.table_faces import FoundFace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.frame import Image

VIEW = View(width_px=1280)
WIDTH = 63.5 * VIEW.px_per_mm


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return shipped_reader()


def lying(code: str = "7H", **more: float) -> TableCard:
    return TableCard(card=Card.parse(code), face_up=True, x=60.0, y=-385.0, angle_deg=20.0, **more)


def found(card: TableCard, seen: float = 1.0) -> FoundFace:
    return FoundFace(quad=card.corners(VIEW).astype(np.float32) + 2, seen=seen, sure=1.0, here=50.0)


def test_a_whole_face_is_named_measured_and_placed(reader: IndexReader) -> None:
    card = lying()
    read = read_face(render_table(TableScene(cards=(card,))), found(card), reader, card_width=WIDTH)
    assert str(read.card) == "7H"
    assert read.size == pytest.approx(1.0, abs=0.05)
    assert overlap(read.quad, card.corners(VIEW).astype(np.float32)) > 0.9
    assert np.hypot(*(read.quad.mean(axis=0) - card.corners(VIEW).mean(axis=0))) < 2


def test_a_face_in_the_air_is_larger(reader: IndexReader) -> None:
    card = lying("QS", height=250.0)
    read = read_face(render_table(TableScene(cards=(card,))), found(card), reader, card_width=WIDTH)
    assert read.size is not None
    assert read.size == pytest.approx(1700 / 1450, abs=0.05)


def test_of_a_face_half_under_a_back_the_size_is_not_told_by_that_of_the_back(reader: IndexReader) -> None:
    card = lying()
    back = TableCard(card=card.card, face_up=False, x=66.0, y=-350.0, angle_deg=20.0)
    picture = render_table(TableScene(cards=(card, back)))
    read = read_face(picture, found(card, seen=0.5), reader, card_width=WIDTH)
    assert read.size is None or read.size < 1.05
    assert np.hypot(*(read.quad.mean(axis=0) - card.corners(VIEW).mean(axis=0))) < 0.4 * WIDTH


def test_where_no_index_and_no_outline_is_seen_the_face_lies_as_it_was_found(reader: IndexReader) -> None:
    face = found(lying())
    read = read_face(np.full((960, 1280, 3), 90, np.uint8), face, reader, card_width=WIDTH)
    assert (read.card, read.size) == (None, None)
    assert np.array_equal(read.quad, face.quad)


class SuitOnly(IndexReader):
    """A reader that sees a suit in every crop, and no rank."""

    def __init__(self, sure: float) -> None:
        self.reading = IndexReading(rank=NO_RANK, suit=1, rank_confidence=0.9, suit_confidence=sure, back=0.0)

    def read(self, crops: Sequence[Image]) -> list[IndexReading]:
        return [self.reading] * len(crops)


@pytest.mark.parametrize(("suit", "sure", "index"), [(0.9, 0.97, True), (0.4, 0.97, False), (0.9, 0.84, False)])
def test_a_suit_is_an_index_where_it_is_clear_and_the_rest_looks_like_a_face(
    suit: float, sure: float, *, index: bool
) -> None:
    card = lying()
    picture = render_table(TableScene(cards=(card,)))
    read = read_face(picture, replace(found(card), sure=sure), SuitOnly(suit), card_width=WIDTH)
    assert read.index is index
    assert read.card is None
