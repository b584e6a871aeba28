"""The finder of faces: what it accepts as weights, what cells come to, and that it tells a face from a back."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from hardware_sims.table_places import View
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import TableCard, TableScene
from vision.cards import Card
from vision.errors import ModelError
from vision.table_faces import (
    CARD_PX,
    CELL,
    POSES,
    FaceFinder,
    FinderLimits,
    FoundFace,
    faces_of,
    is_face,
    shipped_finder,
)

VIEW = View(width_px=1280)


@pytest.fixture(scope="module")
def weights() -> bytes:
    return (resources.files("vision") / "data" / "face_finder.onnx").read_bytes()


@pytest.mark.parametrize("damaged", [b"", b"no model", bytes(range(256)) * 8])
def test_bytes_that_are_no_network_are_refused(damaged: bytes) -> None:
    with pytest.raises(ModelError, match="install pone again"):
        FaceFinder(damaged)


def test_another_network_is_refused() -> None:
    other = (resources.files("vision") / "data" / "index_reader.onnx").read_bytes()
    with pytest.raises(ModelError, match="wrong shape"):
        FaceFinder(other)


def test_the_shipped_weights_stay_small(weights: bytes) -> None:
    assert len(weights) <= 2_300_000


def cells_of(*cards: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Cells as a perfect network would tell them, of cards that show a square of 3 by 3 cells around their middles."""
    likely, poses = np.zeros((30, 40), np.float32), np.zeros((POSES, 30, 40), np.float32)
    for x, y, angle in cards:
        for row in range(int(y) // CELL - 1, int(y) // CELL + 2):
            for column in range(int(x) // CELL - 1, int(x) // CELL + 2):
                likely[row, column] = 0.95
                away = (x - (column + 0.5) * CELL) / CARD_PX, (y - (row + 0.5) * CELL) / CARD_PX
                poses[:, row, column] = *away, np.cos(2 * angle), np.sin(2 * angle)
    return likely, poses


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, 2.9])
def test_cells_of_one_card_come_to_its_outline(angle: float) -> None:
    (face,) = faces_of(*cells_of((123.0, 97.0, angle)), FinderLimits())
    assert face.quad.mean(axis=0) == pytest.approx((123.0, 97.0), abs=0.1)
    right, down = face.quad[1] - face.quad[0], face.quad[3] - face.quad[0]
    assert np.linalg.norm(right) == pytest.approx(CARD_PX, rel=1e-3)
    assert np.linalg.norm(down) == pytest.approx(1.4 * CARD_PX, rel=1e-3)
    assert right[0] * down[1] - right[1] * down[0] > 0, "clockwise, as seen"
    along = np.arctan2(down[1], down[0])
    assert np.cos(2 * (along - angle)) == pytest.approx(1.0, abs=1e-3)
    assert face.seen == pytest.approx(9 * 0.95 * CELL * CELL / (1.4 * CARD_PX * CARD_PX), rel=1e-3)


def test_two_cards_are_two_faces_and_that_of_which_more_is_seen_comes_first() -> None:
    likely, poses = cells_of((60.0, 60.0, 1.0), (200.0, 120.0, 0.3))
    likely[likely.shape[0] // 2 :, 24] = 0.0
    middles = [tuple(face.quad.mean(axis=0).round()) for face in faces_of(likely, poses, FinderLimits())]
    assert middles == [(60.0, 60.0), (200.0, 120.0)]


def test_few_cells_or_doubtful_ones_are_no_face() -> None:
    likely, poses = cells_of((123.0, 97.0, 0.4))
    limits = FinderLimits(sure=0.6)
    assert faces_of(likely * np.float32(0.6), poses, limits) == []
    assert len(faces_of(likely * np.float32(0.9), poses, limits)) == 1
    likely[:, 15:] = 0.0
    likely[:12] = 0.0
    assert np.count_nonzero(likely) < 3
    assert faces_of(likely, poses, limits) == []
    assert faces_of(np.zeros_like(likely), poses, limits) == []


@pytest.mark.parametrize(
    ("sure", "here", "one"),
    [
        (0.932, 11.0, False),  # a back under a hand with a ring came to this
        (0.72, 13.0, False),  # and a sleeve with chessmen, of which most was seen, to this
        (0.96, 3.0, True),
        (0.8, 27.0, True),
        (0.74, 50.0, False),
    ],
)
def test_the_less_is_seen_of_a_face_the_surer_it_must_be(sure: float, here: float, *, one: bool) -> None:
    found = FoundFace(quad=np.zeros((4, 2), np.float32), seen=0.5, sure=sure, here=here)
    assert is_face(found, FinderLimits()) == one


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_face_is_found_alike_whichever_way_up_the_picture_is(quarters: int) -> None:
    card = TableCard(card=Card.parse("7H"), face_up=True, x=60.0, y=-385.0, angle_deg=20.0)
    image = render_table(TableScene(cards=(card,)))
    wide = 63.5 * VIEW.px_per_mm
    (face,) = shipped_finder().find(image, wide)
    (turned,) = shipped_finder().find(np.rot90(image, quarters), wide)
    x, y = face.quad.mean(axis=0)
    height, width = image.shape[:2]
    at = {1: (y, width - 1 - x), 2: (width - 1 - x, height - 1 - y), 3: (height - 1 - y, x)}[quarters]
    assert turned.quad.mean(axis=0) == pytest.approx(at, abs=1.5)
    assert turned.sure == pytest.approx(face.sure, abs=0.01)


class SaysFaceAtFirst:
    """A network that takes the middle of whatever it is shown first for a face, and nothing after."""

    def __init__(self) -> None:
        self.looks = 0

    def run(self, _wanted: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        (picture,) = given.values()
        rows, columns = picture.shape[2] // CELL, picture.shape[3] // CELL
        told = np.zeros((1, 3 + POSES, rows, columns), np.float32)
        told[0, 0] = 2.0
        if self.looks == 0:
            told[0, 2, rows // 2 - 1 : rows // 2 + 2, columns // 2 - 1 : columns // 2 + 2] = 4.0
        self.looks += 1
        return [told]


def test_what_seems_a_face_one_way_up_only_is_none() -> None:
    finder, network = shipped_finder(), SaysFaceAtFirst()
    finder._session = network
    assert finder.find(np.zeros((480, 640, 3), np.uint8), float(CARD_PX)) == []
    assert network.looks == 1 + 7, "once as it is, then in seven other ways where the face seemed to be"


@pytest.mark.parametrize("code", ["AS", "7H", "QC"])
def test_a_face_is_found_where_it_lies_and_its_back_is_not(code: str) -> None:
    finder = shipped_finder()
    for face_up in (True, False):
        card = TableCard(card=Card.parse(code), face_up=face_up, x=60.0, y=-385.0, angle_deg=20.0)
        found = finder.find(render_table(TableScene(cards=(card,))), 63.5 * VIEW.px_per_mm)
        assert len(found) == face_up
        for face in found:
            away = face.quad.mean(axis=0) - card.corners(VIEW).mean(axis=0)
            assert np.hypot(*away) < 12 * VIEW.px_per_mm
            assert face.seen > 0.7
