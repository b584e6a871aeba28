"""The table's camera: every face in its region and before its seat, no alarm for backs, hands, cups and phones."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware_sims.packs import draw_face
from hardware_sims.table_chance import chance_table
from hardware_sims.table_places import FLOOR_MM, SEATS, SPOTS, TABLE_SIDE_MM, Place, View
from hardware_sims.table_render import FRAME_WIDTH, render_table
from hardware_sims.table_scene import Light, Pose, Reach, TableCard, TableScene, Where
from hardware_sims.table_setting import Look, Lying, Shown, scene_of
from vision.cards import Card
from vision.locate import LocateLimits, locate
from vision.picture import read_picture
from vision.quads import side_lengths
from vision.table import Height, find_exposed, shipped_table_reader
from vision.table_layout import Region, TableLayout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vision.frame import Image
    from vision.table import ExposedFace, TableReader

LAYOUT = TableLayout()
FACES = 30
QUIET = 20
"""Scenes of the short form; the benchmark of the table runs the long one."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return shipped_table_reader()


def card(code: str) -> Card:
    return Card.parse(code)


def near(face: ExposedFace, truth: TableCard, width: int = FRAME_WIDTH) -> bool:
    view = View(width_px=width)
    away = np.hypot(*(truth.corners(view).mean(axis=0) - face.centre))
    return bool(away < 25 * view.px_per_mm)


def matched(faces: Iterable[ExposedFace], truths: Iterable[TableCard]) -> list[tuple[TableCard, ExposedFace | None]]:
    left = list(faces)
    pairs: list[tuple[TableCard, ExposedFace | None]] = []
    for truth in truths:
        found = next((face for face in left if near(face, truth)), None)
        left = [face for face in left if face is not found]
        pairs.append((truth, found))
    assert left == []
    return pairs


def test_the_layout_is_that_of_the_machine() -> None:
    view = View(width_px=1280)
    for place, spot in SPOTS.items():
        rect = LAYOUT.regions[Region(place)]
        corners = view.to_pixels(spot.corners()) / (view.width_px, view.height_px)
        assert corners[0] == pytest.approx((rect.left, rect.top))
        assert corners[2] == pytest.approx((rect.right, rect.bottom))
    table = view.to_pixels(np.array([[-TABLE_SIDE_MM / 2, -TABLE_SIDE_MM / 2]]))[0] / (view.width_px, view.height_px)
    assert table == pytest.approx((LAYOUT.table.left, LAYOUT.table.top))
    assert LAYOUT.card_width * view.width_px == pytest.approx(63.5 * view.px_per_mm)
    floor = TableCard(card=card("AS"), face_up=True, x=0, y=0, height=FLOOR_MM).corners(view)
    assert np.linalg.norm(floor[1] - floor[0]) / 63.5 / view.px_per_mm == pytest.approx(LAYOUT.floor_size, abs=0.01)


def test_faces_are_found_in_their_regions_and_nothing_else(reader: TableReader) -> None:
    seen: Counter[str] = Counter()
    for seed in range(FACES):
        scene = chance_table(seed, faces=1 + seed % 3)
        for truth, face in matched(find_exposed(render_table(scene), LAYOUT, reader), scene.cards):
            seen["planted"] += 1
            if face is None:
                continue
            seen["found"] += 1
            # A card in the air is over no place in particular: its middle may be at the edge of a tray.
            assert face.region is Region(truth.place) or truth.height > 0, seed
            assert truth.place not in SEATS or face.seat is Region(truth.place) or truth.height > 0, seed
            assert face.lawful == (truth.place is Place.TRUMP), seed
            assert face.card in (truth.card, None), seed
            assert face.height is not Height.ABOVE or truth.height > 0, seed
            seen["read"] += face.card is not None
    assert seen["planted"] > 1.5 * FACES
    assert seen["found"] >= 0.98 * seen["planted"]
    assert seen["read"] >= 0.4 * seen["planted"]


def test_backs_hands_and_things_raise_no_alarm(reader: TableReader) -> None:
    for seed in range(10_000, 10_000 + QUIET):
        faces = find_exposed(render_table(chance_table(seed, faces=0)), LAYOUT, reader)
        assert [face for face in faces if not face.lawful] == [], seed


def scene_with(*shown: Shown, light: Light = Light.NEUTRAL, seed: int = 4) -> TableScene:
    packets = dict.fromkeys(SEATS, 6) | {Place.STOCK: 20}
    return scene_of(Lying(packets=packets, shown=shown), seed=seed, look=Look(light=light))


@pytest.mark.parametrize("light", list(Light))
@pytest.mark.parametrize("seat", SEATS)
def test_a_card_dealt_face_up_is_seen_at_its_seat_in_any_light(reader: TableReader, light: Light, seat: Place) -> None:
    scene = scene_with(Shown(card=card("JH"), place=seat), light=light)
    (face,) = find_exposed(render_table(scene), LAYOUT, reader)
    assert (face.region, face.seat, face.height, face.lawful) == (Region(seat), Region(seat), Height.ON, False)


@pytest.mark.parametrize("seat", SEATS)
def test_a_card_on_the_open_table_lies_before_the_nearest_seat(reader: TableReader, seat: Place) -> None:
    ahead = {Place.N: (130, -400), Place.E: (400, 130), Place.S: (-130, 400), Place.W: (-400, -130)}[seat]
    lying = TableCard(card=card("8C"), face_up=True, x=ahead[0], y=ahead[1], angle_deg=33)
    (face,) = find_exposed(render_table(TableScene(cards=(lying,))), LAYOUT, reader)
    assert (face.region, face.seat, face.height) == (Region.OPEN, Region(seat), Height.ON)


def test_between_two_seats_nobody_owns_a_card(reader: TableReader) -> None:
    lying = TableCard(card=card("8C"), face_up=True, x=390, y=390, angle_deg=20)
    (face,) = find_exposed(render_table(TableScene(cards=(lying,))), LAYOUT, reader)
    assert (face.region, face.seat) == (Region.OPEN, None)


@pytest.mark.parametrize(
    ("shown", "height", "region"),
    [
        (Shown(card=card("QS"), place=Place.OPEN, seat=Place.S, where=Where.ABOVE), Height.ABOVE, Region.OPEN),
        (Shown(card=card("QS"), place=Place.BEYOND, seat=Place.E, where=Where.BELOW), Height.BELOW, Region.BEYOND),
        (Shown(card=card("QS"), place=Place.OPEN, seat=Place.S), Height.ON, Region.OPEN),
    ],
)
def test_above_on_and_below_the_table(reader: TableReader, shown: Shown, height: Height, region: Region) -> None:
    for seed in range(4):
        (face,) = find_exposed(render_table(scene_with(shown, seed=seed)), LAYOUT, reader)
        assert (face.height, face.region, face.seat) == (height, region, Region(str(shown.seat)))


def test_a_card_turned_over_is_seen_and_its_back_is_not(reader: TableReader) -> None:
    for face_up in (True, False):
        lying = TableCard(card=card("2D"), face_up=face_up, x=150, y=-390, angle_deg=70)
        found = find_exposed(render_table(TableScene(cards=(lying,))), LAYOUT, reader)
        assert len(found) == face_up


def test_one_face_is_lawful_on_the_trump_spot_and_a_second_is_not(reader: TableReader) -> None:
    spot = SPOTS[Place.TRUMP]
    cards = tuple(
        TableCard(card=card(code), face_up=True, x=spot.x + dx, y=spot.y + dy, angle_deg=angle)
        for code, dx, dy, angle in (("7H", 0, 0, 2), ("KC", 40, 20, 65))
    )
    faces = find_exposed(render_table(TableScene(cards=cards)), LAYOUT, reader)
    assert {(face.region, face.lawful) for face in faces} == {(Region.TRUMP, True), (Region.TRUMP, False)}


def test_the_turned_card_of_the_stock_is_lawful_where_the_game_says_so(reader: TableReader) -> None:
    picture = render_table(scene_with(Shown(card=card("9D"), place=Place.STOCK)))
    turned = TableLayout(lawful=frozenset({Region.STOCK}))
    assert [face.lawful for face in find_exposed(picture, LAYOUT, reader)] == [False]
    assert [face.lawful for face in find_exposed(picture, turned, reader)] == [True]


def test_a_face_is_seen_beside_the_hand_that_covers_a_half_of_it(reader: TableReader) -> None:
    lying = TableCard(card=card("5S"), face_up=True, x=0, y=400, angle_deg=0)
    hand = Reach(x=5, y=415, angle_deg=270, pose=Pose.FLAT, skin=1, sleeve="striped")
    found = find_exposed(render_table(TableScene(cards=(lying,), reaches=(hand,))), LAYOUT, reader)
    assert [(face.region, face.seat, face.height) for face in found] == [(Region.OPEN, Region.S, Height.ON)]


@pytest.mark.parametrize("width", [880, 1024, 1600])
def test_pictures_of_other_sizes(reader: TableReader, width: int) -> None:
    scene = scene_with(Shown(card=card("JH"), place=Place.N), Shown(card=card("4C"), place=Place.OPEN, seat=Place.S))
    found = find_exposed(render_table(scene, width_px=width), LAYOUT, reader)
    assert {face.region for face in found} == {Region.N, Region.OPEN}


def test_a_picture_in_which_cards_are_too_small_is_refused(reader: TableReader) -> None:
    with pytest.raises(ValueError, match="a card is 30 px wide: use a picture in which it is 40 px or more"):
        find_exposed(np.zeros((480, 640, 3), np.uint8), LAYOUT, reader)


def test_of_a_card_a_trifle_too_small_no_width_is_asked_that_it_has(reader: TableReader) -> None:
    layout = replace(LAYOUT, card_width=39.96 / 1280)
    with pytest.raises(ValueError, match=r"a card is 39\.9 px wide: use a picture in which it is 40 px or more"):
        find_exposed(np.zeros((960, 1280, 3), np.uint8), layout, reader)


@pytest.mark.parametrize("height", [0, 1, 3, 9])
def test_a_picture_with_hardly_any_rows_shows_nothing(reader: TableReader, height: int) -> None:
    assert find_exposed(np.full((height, 4000, 3), 200, np.uint8), LAYOUT, reader) == []


def test_a_picture_without_anything_shows_nothing(reader: TableReader) -> None:
    for level in (0, 90, 255):
        assert find_exposed(np.full((960, 1280, 3), level, np.uint8), LAYOUT, reader) == []


CARD_PX = 60


def photographed(photograph: Image) -> tuple[Image, tuple[float, float]]:
    """A photograph as small as the table's camera would show its card, on a grey table, and the card's middle."""
    corners = locate(photograph, LocateLimits()).quads[0].corners
    scale = CARD_PX / float(min(side_lengths(corners)))
    small = cv2.resize(photograph, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = np.full((960, 1280, 3), 40, np.uint8)
    high, wide = small.shape[:2]
    picture[480 - high // 2 :, 640 - wide // 2 :][:high, :wide] = small
    x, y = corners.mean(axis=0) * scale + (640 - wide // 2, 480 - high // 2)
    return picture, (float(x), float(y))


def test_photographs_of_a_card_on_a_table(reader: TableReader, test_data: Path) -> None:
    with (test_data / "photos" / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"].startswith("photos/single/standard_phone/")]
    seen = 0
    for row in rows:
        photograph = read_picture(test_data / row["file"])
        if not locate(photograph, LocateLimits()).quads:
            continue
        picture, middle = photographed(photograph)
        faces = find_exposed(picture, LAYOUT, reader)
        assert all(np.hypot(*np.subtract(face.centre, middle)) < 0.4 * CARD_PX for face in faces), row["file"]
        assert all(face.card is None or str(face.card) == row["label"] for face in faces), row["file"]
        seen += len(faces)
    assert len(rows) == 52
    assert 46 <= seen <= 52


class Backs:
    """Faces of our own, backs of somebody else's."""

    def __init__(self, back: Image) -> None:
        self._back = back

    def face(self, card: Card) -> Image:
        return draw_face(card, "plain")

    def back(self) -> Image:
        return self._back


def test_backs_of_other_packs_raise_no_alarm(reader: TableReader, test_data: Path) -> None:
    backs = sorted((test_data / "decks").glob("*/BACK*.jpg"))
    assert len(backs) >= 38
    for seed, back in enumerate(backs):
        picture = render_table(chance_table(20_000 + seed, faces=0), artwork=Backs(read_picture(back)))
        assert [face for face in find_exposed(picture, LAYOUT, reader) if not face.lawful] == [], back.parent.name
