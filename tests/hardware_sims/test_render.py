"""Window frames: darkness, where a card lands, which layer is on top, what stays and what changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware_sims.packs import draw_face
from hardware_sims.render import card_corners, render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card

if TYPE_CHECKING:
    from vision.frame import Image


def card(
    code: str = "4S", *, face: bool = True, x: float = 0.0, y: float = 0.0, angle: float = 0.0, turned: bool = False
) -> CardInView:
    return CardInView(card=Card.parse(code), face_to_camera=face, x_mm=x, y_mm=y, angle_deg=angle, turned=turned)


def scene(*cards: CardInView, lamp: bool = True, speed: float = 0.0, pack: str = "plain", seed: int = 1) -> WindowScene:
    return WindowScene(cards=cards, lamp=lamp, speed_mm_s=speed, pack=pack, back="lattice", seed=seed)


def paper(frame: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(frame.min(axis=2) > 120)


def test_a_frame_is_480_by_640_bgr() -> None:
    frame = render_window(scene(card()))
    assert frame.shape == (480, 640, 3)
    assert frame.dtype == np.uint8


@pytest.mark.parametrize("cards", [(), (card(),)])
def test_without_the_lamp_nothing_is_seen_but_noise(cards: tuple[CardInView, ...]) -> None:
    frame = render_window(scene(*cards, lamp=False))
    assert frame.mean() < 4
    assert frame.max() < 25
    assert frame.std() > 0.5


def test_the_empty_window_is_dark_but_not_black() -> None:
    frame = render_window(scene())
    assert 18 < frame.mean() < 32
    assert frame.max() < 60


def test_the_same_scene_gives_the_same_pixels_and_another_seed_other_noise() -> None:
    one, again, other = (render_window(scene(card(), seed=seed)) for seed in (5, 5, 6))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert np.abs(one.astype(np.int16) - other).mean() < 4


def test_darkness_differs_from_seed_to_seed() -> None:
    assert not np.array_equal(render_window(scene(lamp=False, seed=1)), render_window(scene(lamp=False, seed=2)))


@pytest.mark.parametrize(("x", "y", "angle"), [(0.0, 0.0, 0.0), (6.0, -3.0, 0.0), (0.0, 0.0, 5.0), (-4.0, 2.0, -8.0)])
def test_a_card_lies_where_the_scene_says(x: float, y: float, angle: float) -> None:
    seen = card("2C", x=x, y=y, angle=angle)
    mask = paper(render_window(scene(seen))).astype(np.uint8)
    contour = max(cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    (middle_x, middle_y), sides, _ = cv2.minAreaRect(contour)
    # Four pixels a millimetre; half a millimetre is allowed for the tilt of a card that does not lie flat.
    assert (middle_x, middle_y) == pytest.approx((320 + 4 * x, 240 + 4 * y), abs=2)
    assert sorted(sides) == pytest.approx([254, 355.6], abs=3)
    corners = cv2.minAreaRect(card_corners(seen).astype(np.float32))
    assert corners[0] == pytest.approx((middle_x, middle_y), abs=2)


def test_angles_are_clockwise_and_corners_begin_at_the_index() -> None:
    index, right, *_ = card_corners(card(angle=10.0))
    assert right[1] > index[1]
    assert index[0] < 320
    assert card_corners(card(turned=True))[0] == pytest.approx([320 + 127, 240 + 177.8])


def test_the_index_stands_at_the_index_corner() -> None:
    straight = render_window(scene(card("7C")))
    turned = render_window(scene(card("7C", turned=True)))
    # The seven is the one card whose middle tells which way up it lies: its odd pip is in the upper half.
    odd_pip = np.s_[160:180, 315:325]
    opposite = np.s_[300:320, 315:325]
    assert straight[odd_pip].mean() < 80 < 150 < straight[opposite].mean()
    assert turned[opposite].mean() < 80 < 150 < turned[odd_pip].mean()
    index = straight[62 + 14 : 62 + 50, 193 + 10 : 193 + 36]
    assert index.min() < 70


def test_the_face_that_is_seen_is_the_printed_one() -> None:
    frame = render_window(scene(card("QH"), pack="serif"))
    matrix = cv2.getPerspectiveTransform(
        card_corners(card("QH")).astype(np.float32), np.array([(0, 0), (508, 0), (508, 711), (0, 711)], np.float32)
    )
    seen = cv2.cvtColor(cv2.warpPerspective(frame, matrix, (508, 711)), cv2.COLOR_BGR2GRAY).astype(np.float64)
    likeness = {
        code: np.corrcoef(seen.ravel(), cv2.cvtColor(draw_face(Card.parse(code), "serif"), cv2.COLOR_BGR2GRAY).ravel())[
            0, 1
        ]
        for code in ("QH", "KH", "QS", "AH")
    }
    assert likeness["QH"] > 0.8
    assert max(likeness, key=lambda code: likeness[code]) == "QH"


def test_a_back_is_no_face() -> None:
    back, face = render_window(scene(card(face=False))), render_window(scene(card()))
    assert np.abs(back.astype(np.int16) - face).mean() > 10


def test_the_nearer_card_hides_the_other_and_throws_a_shadow_on_it() -> None:
    near, far = card("2C"), card("2H", x=20.0)
    alone, both = render_window(scene(far)), render_window(scene(near, far))
    seam = 320 + 127 + 2
    hidden = np.abs(both[100:380, 330:430].astype(np.int16) - render_window(scene(near))[100:380, 330:430])
    assert hidden.mean() < 3
    assert both[150:300, seam : seam + 5].mean() < alone[150:300, seam : seam + 5].mean() - 8
    away = np.s_[150:300, 500:515]
    assert both[away].mean() == pytest.approx(alone[away].mean(), abs=3)


@pytest.mark.parametrize(("x", "side"), [(-85.0, np.s_[:, 2:40]), (85.0, np.s_[:, 600:638])])
def test_a_card_that_enters_or_leaves_touches_the_edge(x: float, side: tuple[slice, slice]) -> None:
    mask = paper(render_window(scene(card(x=x))))
    assert mask[side].mean() > 0.3
    assert not mask[:, 300:340].any()


def test_a_card_out_of_view_is_not_seen() -> None:
    assert np.array_equal(render_window(scene(card(x=150.0))), render_window(scene()))


def test_motion_blurs_along_the_feed_only() -> None:
    # At 1 m/s a card goes 2 mm, 8 px, while the shutter is open.
    still, moving = (render_window(scene(card("2C"), speed=speed)).astype(np.int16) for speed in (0.0, 1000.0))

    def steepest(frame: np.ndarray[tuple[int, ...], np.dtype[np.int16]], axis: int) -> float:
        middle = frame[200:280, 150:250] if axis else frame[40:90, 280:300]
        return float(np.abs(np.diff(middle.mean(axis=(1 - axis, 2)))).max())

    assert steepest(moving, 1) < 0.6 * steepest(still, 1)
    assert steepest(moving, 0) == pytest.approx(steepest(still, 0), rel=0.15)


def test_dirt_stays_on_the_glass_when_the_card_moves() -> None:
    def unevenness(x: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """Return what makes the blank side of a two uneven, noise averaged away."""
        frames = [render_window(scene(card("2C", x=x), seed=seed))[160:320, 225:400].mean(axis=2) for seed in range(6)]
        level = np.mean(frames, axis=0)
        return np.asarray(level - cv2.GaussianBlur(level, (0, 0), 6.0))

    here, there = unevenness(-2.0), unevenness(1.5)
    assert np.corrcoef(here.ravel(), there.ravel())[0, 1] > 0.5
    assert here.min() < -4


def test_the_lamp_falls_off_towards_the_edges() -> None:
    frame = render_window(scene(card("2C")))
    assert frame[230:250, 300:340].mean() > frame[66:72, 230:300].mean() + 4
