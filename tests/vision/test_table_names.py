"""The corners of light shapes: what is asked of the index reader, and what it says of an index and of none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware_sims.table_places import View
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import TableCard, TableScene, Thing, ThingKind
from vision.cards import Card
from vision.classify import IndexReader
from vision.recogniser import shipped_reader
from vision.table_names import CornerLimits, named_corners

VIEW = View(width_px=1280)


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return shipped_reader()


def lying(*, face_up: bool) -> TableCard:
    return TableCard(card=Card.parse("7H"), face_up=face_up, x=60.0, y=-385.0, angle_deg=20.0)


def test_both_indices_of_a_face_are_named_and_the_other_corners_are_not(reader: IndexReader) -> None:
    card = lying(face_up=True)
    quad = card.corners(VIEW).astype(np.float32)
    quads = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    found = named_corners(render_table(TableScene(cards=(card,))), quads, reader, CornerLimits())
    named = {corner.place: {one.code for one in corner.readings if one.confidence > 0.5} for corner in found}
    assert named[0] == named[2] == {"7H"}
    assert not named.get(1)
    assert not named.get(3)


def test_a_back_is_not_named(reader: IndexReader) -> None:
    card = lying(face_up=False)
    quad = card.corners(VIEW).astype(np.float32)
    picture = render_table(TableScene(cards=(card,)))
    assert named_corners(picture, [quad, np.roll(quad, 2, axis=0)], reader, CornerLimits()) == []


class Silent(IndexReader):
    """A reader that must not be asked."""

    def __init__(self) -> None:
        pass


def test_skin_and_blank_paper_are_not_shown_to_the_reader() -> None:
    quad = np.array([(100, 100), (160, 100), (160, 184), (100, 184)], np.float32)
    for colour in ((128, 162, 208), (250, 250, 250)):
        picture = np.zeros((300, 300, 3), np.uint8)
        cv2.rectangle(picture, (60, 60), (240, 240), colour, cv2.FILLED)
        assert named_corners(picture, [quad], Silent(), CornerLimits()) == []
    assert named_corners(picture, [], Silent(), CornerLimits()) == []


@pytest.mark.parametrize("look", range(4))
def test_the_crest_on_a_visiting_card_has_no_rank(reader: IndexReader, look: int) -> None:
    crest = Thing(kind=ThingKind.NAMECARD, x=300.0, y=380.0, look=2 * look)
    at = VIEW.to_pixels(np.array([(300.0 - 42.5, 380.0 - 27.5)]))[0]
    wide = 63.5 * VIEW.px_per_mm
    quad = (at + np.array([(0, 0), (wide, 0), (wide, 1.4 * wide), (0, 1.4 * wide)])).astype(np.float32)
    found = named_corners(render_table(TableScene(things=(crest,))), [quad], reader, CornerLimits())
    assert not any(one.code and one.confidence > 0.3 for corner in found for one in corner.readings)
