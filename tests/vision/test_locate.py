"""Finding the card: where it lies, and what else a picture may show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.doubts import Doubt
from vision.locate import LocateLimits, locate
from vision.quads import clockwise
from vision.sighting import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

LIMITS = LocateLimits()


def ground(level: int = 15) -> Image:
    return np.full((480, 640, 3), level, np.uint8)


def paper(
    image: Image, *, centre: tuple[float, float] = (320, 240), angle: float = 0, size: tuple[float, float] = (250, 350)
) -> NDArray[np.float32]:
    """Lay a sheet of paper on the picture and return its corners, clockwise."""
    corners = cv2.boxPoints((centre, size, angle)).astype(np.float32)
    cv2.fillConvexPoly(image, np.round(corners * 16).astype(np.int32), (225, 225, 225), cv2.LINE_AA, 4)
    return clockwise(corners)


@pytest.mark.parametrize("angle", [-20, -3, 0, 2, 12, 80, 90])
@pytest.mark.parametrize("centre", [(320, 240), (280, 250)])
def test_the_corners_of_a_card_are_found_to_a_few_pixels(angle: float, centre: tuple[float, float]) -> None:
    image = ground()
    corners = paper(image, centre=centre, angle=angle, size=(220, 308))
    located = locate(image, LIMITS)
    assert len(located.quads) == 1
    assert not located.quads[0].whole
    assert np.abs(located.quads[0].corners - corners).max() < 4


def test_the_first_side_is_a_short_one() -> None:
    image = ground()
    paper(image, angle=90)
    (quad,) = locate(image, LIMITS).quads
    assert np.linalg.norm(quad.corners[0] - quad.corners[1]) < np.linalg.norm(quad.corners[1] - quad.corners[2])


@pytest.mark.parametrize("level", [0, 8, 30, 90])
def test_an_even_dark_window_is_empty(level: int) -> None:
    noise = np.random.default_rng(1).normal(level, 4, (480, 640, 3))
    image = np.clip(noise, 0, 255).astype(np.uint8)
    located = locate(image, LIMITS)
    assert located.quads == ()
    assert located.doubt.state is State.EMPTY


def test_an_even_bright_picture_is_not_called_empty() -> None:
    assert locate(ground(230), LIMITS).doubt is not Doubt.EMPTY


@pytest.mark.parametrize("centre", [(30, 240), (620, 240), (320, 40), (320, 470), (60, 60)])
def test_a_card_cut_by_the_border_is_partial(centre: tuple[float, float]) -> None:
    image = ground()
    paper(image, centre=centre)
    located = locate(image, LIMITS)
    assert located.quads == ()
    assert located.doubt.state is State.PARTIAL
    assert located.doubt is Doubt.CUT


@pytest.mark.parametrize("shift", [(60, 40), (-50, 30), (40, -60)])
def test_two_cards_far_out_of_line_have_an_outline_with_notches(shift: tuple[int, int]) -> None:
    image = ground()
    paper(image, size=(200, 280))
    paper(image, centre=(320 + shift[0], 240 + shift[1]), size=(200, 280))
    located = locate(image, LIMITS)
    assert located.quads == ()
    assert located.doubt.state is State.TWO_CARDS


def test_two_cards_side_by_side_are_too_wide_for_one() -> None:
    image = ground()
    paper(image, centre=(300, 240))
    paper(image, centre=(345, 240))
    located = locate(image, LIMITS)
    assert located.doubt.state is State.TWO_CARDS
    assert located.doubt is Doubt.TOO_WIDE


def test_a_strip_is_no_card() -> None:
    image = ground()
    paper(image, size=(100, 380))
    located = locate(image, LIMITS)
    assert located.quads == ()
    assert located.doubt.state is State.NOT_SURE


def test_a_picture_that_is_all_card_is_taken_whole() -> None:
    image = np.full((350, 250, 3), 240, np.uint8)
    cv2.circle(image, (125, 175), 40, (20, 20, 200), -1)
    (quad, *_) = locate(image, LIMITS).quads
    assert quad.whole
    assert quad.corners.tolist() == [[0, 0], [249, 0], [249, 349], [0, 349]]


def test_a_card_on_a_ground_as_light_as_itself_is_found_by_its_edges() -> None:
    image = ground(200)
    cv2.rectangle(image, (200, 70), (440, 410), (228, 228, 228), -1)
    cv2.rectangle(image, (200, 70), (440, 410), (120, 120, 120), 2)
    cv2.circle(image, (320, 240), 50, (20, 20, 20), -1)
    quads = [quad for quad in locate(image, LIMITS).quads if not quad.whole]
    expected = np.array([[200, 70], [440, 70], [440, 410], [200, 410]])
    assert len(quads) == 1
    assert np.abs(quads[0].corners - expected).max() < 6


def test_an_outline_that_print_may_have_spoilt_is_kept_with_the_doubt() -> None:
    image = ground()
    corners = paper(image)
    cv2.rectangle(image, (195, 200), (235, 265), (15, 15, 15), -1)  # ink up to the edge is as dark as the ground
    located = locate(image, LIMITS)
    assert (located.quads, located.doubt) == ((), Doubt.NOTCHED)
    assert located.card is None
    assert located.spoilt is not None
    assert np.abs(located.spoilt.corners - corners).max() < 6


def test_a_card_with_another_shape_beside_it_or_cut_by_the_border_has_no_outline_that_print_spoils() -> None:
    apart, cut = ground(), ground()
    paper(apart, centre=(190, 240), size=(200, 280))
    paper(apart, centre=(450, 240), size=(196, 274))
    paper(cut, centre=(30, 240))
    assert [locate(image, LIMITS).spoilt for image in (apart, cut)] == [None, None]


def test_two_cards_apart_are_not_taken_for_one() -> None:
    image = ground()
    paper(image, centre=(190, 240), size=(200, 280))
    paper(image, centre=(450, 240), size=(196, 274))
    located = locate(image, LIMITS)
    assert located.quads == ()
    assert located.doubt.state is State.TWO_CARDS
