"""Pictures of the table: the same scene the same pixels, cards where the geometry says, light as named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware_sims.table_chance import chance_table
from hardware_sims.table_places import Place, View
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import (
    CLOTHS,
    SKINS,
    SLEEVES,
    Light,
    Pose,
    Reach,
    TableCard,
    TablePacket,
    TableScene,
    Thing,
    ThingKind,
)
from vision.cards import Card

if TYPE_CHECKING:
    from vision.frame import Image

ACE = Card.parse("AC")


def lying(x: float = 0.0, y: float = -380.0, *, face_up: bool = True, height: float = 0.0) -> TableCard:
    return TableCard(card=ACE, face_up=face_up, x=x, y=y, height=height)


def changed(one: TableScene, other: TableScene, width: int = 1280) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Where two pictures differ by more than noise."""
    pictures = [render_table(scene, width_px=width).astype(np.int16) for scene in (one, other)]
    return np.asarray(np.abs(pictures[0] - pictures[1]).max(axis=2) > 40)


def middle(picture: Image, card: TableCard) -> tuple[float, ...]:
    """The mean colour beside the middle of a card, where an ace has bare paper."""
    x, y = card.corners(View(width_px=picture.shape[1])).mean(axis=0).astype(int)
    return tuple(picture[y - 22 : y - 16, x - 4 : x + 4].reshape(-1, 3).mean(axis=0))


@pytest.mark.parametrize("width", [880, 1280])
def test_a_picture_is_three_to_four_bgr(width: int) -> None:
    picture = render_table(TableScene(), width_px=width)
    assert picture.shape == (width * 3 // 4, width, 3)
    assert picture.dtype == np.uint8


def test_the_same_scene_gives_the_same_pixels_and_another_seed_other_noise() -> None:
    one, again = (render_table(chance_table(8, faces=2)) for _ in range(2))
    assert np.array_equal(one, again)
    quiet, other = (render_table(TableScene(seed=seed)) for seed in (5, 10))
    assert not np.array_equal(quiet, other)
    assert np.abs(quiet.astype(np.int16) - other).mean() < 6


def test_a_card_appears_where_its_corners_are() -> None:
    card = lying(x=120.0)
    rows, columns = np.nonzero(changed(TableScene(), TableScene(cards=(card,))))
    corners = card.corners(View(width_px=1280))
    assert (columns.min(), rows.min()) == pytest.approx(corners.min(axis=0), abs=3)
    assert (columns.max(), rows.max()) == pytest.approx(corners.max(axis=0), abs=3)


def test_a_card_on_the_table_is_sixty_px_wide_and_one_on_the_floor_forty() -> None:
    widths = [np.ptp(lying(height=height).corners(View(width_px=1280))[:, 0]) for height in (0.0, -740.0, 200.0)]
    assert widths == pytest.approx([60.0, 41.8, 68.0], abs=0.1)


def test_what_lies_above_hides_what_lies_below() -> None:
    face, back = lying(), lying(face_up=False)
    assert min(middle(render_table(TableScene(cards=(back, face))), face)) > 180
    assert min(middle(render_table(TableScene(cards=(face, back))), face)) < 180


def test_a_packet_shows_its_back() -> None:
    packet = TableScene(packets=(TablePacket(count=7, x=0.0, y=-300.0),), back="stripes")
    assert changed(TableScene(), packet)[140:260, 600:680].mean() > 0.3


def test_lights_differ_as_their_names_say() -> None:
    card = lying(x=0.0, y=-390.0)
    paper = {light: middle(render_table(TableScene(cards=(card,), light=light)), card) for light in Light}
    blue, _, red = paper[Light.WARM]
    assert red > 1.2 * blue
    blue, _, red = paper[Light.COLD]
    assert blue > 1.1 * red
    assert max(paper[Light.DIM]) < 0.65 * max(paper[Light.NEUTRAL])
    assert min(paper[Light.BRIGHT]) > 250


@pytest.mark.parametrize("sleeve", SLEEVES)
@pytest.mark.parametrize("pose", list(Pose))
def test_a_hand_reaches_in_from_its_side(sleeve: str, pose: Pose) -> None:
    hands = [
        changed(
            TableScene(),
            TableScene(reaches=(Reach(x=100.0, y=300.0, angle_deg=270.0, pose=pose, skin=skin, sleeve=sleeve),)),
            880,
        )
        for skin in (0, SKINS - 1)
    ]
    for drawn in hands:
        assert drawn[520:, 420:].mean() > 0.04
        assert drawn[:480].mean() < 0.02


@pytest.mark.parametrize("kind", list(ThingKind))
def test_things_are_drawn_at_their_places(kind: ThingKind) -> None:
    for look in range(8):
        drawn = changed(TableScene(), TableScene(things=(Thing(kind=kind, x=-300.0, y=360.0, look=look),)), 880)
        assert 0 < drawn.mean() < 0.06
        assert not drawn[:440].any()


def test_an_unknown_cloth_is_refused_and_the_known_ones_differ() -> None:
    with pytest.raises(ValueError, match="no cloth is called 'silk': use one of green, blue"):
        render_table(TableScene(cloth="silk"))
    colours = {tuple(render_table(TableScene(cloth=cloth), width_px=880)[80, 440] // 24) for cloth in CLOTHS}
    assert len(colours) == len(CLOTHS)


def test_other_artwork_can_be_printed() -> None:
    class Grey:
        def face(self, card: Card) -> Image:
            return np.full((280, 200, 3), 90, np.uint8)

        def back(self) -> Image:
            return np.full((280, 200, 3), 160, np.uint8)

    card = lying()
    assert middle(render_table(TableScene(cards=(card,)), artwork=Grey()), card) == pytest.approx((85, 86, 86), abs=6)


def test_a_card_knows_where_it_is_seen() -> None:
    assert lying(x=0.0, y=-300.0).place is Place.N
    assert lying(x=-830.0, y=0.0, height=-740.0).place is Place.BEYOND
    assert lying(x=205.0, y=-205.0).place is Place.TRUMP
