"""What frames of a window teach: where cards come to rest, how large they are, how the empty window looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.doubts import Doubt
from vision.window_calibration import REDUCED, WindowCalibration, calibrate, of_size, reduced

if TYPE_CHECKING:
    from vision.frame import Image

EMPTY = np.full((480, 640, 3), 20, np.uint8)


def with_card(*, left: int = 200, top: int = 70, width: int = 240, height: int = 336) -> Image:
    image = EMPTY.copy()
    image[top : top + height, left : left + width] = 220
    return cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.uint8)


def test_the_card_is_where_most_frames_show_it() -> None:
    frames = [with_card(left=200 + shift) for shift in (-3, -1, 0, 1, 3)]
    window = calibrate(frames, [EMPTY])
    assert isinstance(window, WindowCalibration)
    # A card fills its pixels to their outer borders, half a pixel beyond their middles.
    assert np.allclose(window.corners, [[199.5, 69.5], [439.5, 69.5], [439.5, 405.5], [199.5, 405.5]], atol=0.6)
    assert window.width_px == pytest.approx(240, abs=1)
    assert window.empty.shape == (480 // REDUCED, 640 // REDUCED)
    assert (window.empty == 20).all()


def test_frames_without_a_card_tell_what_they_show() -> None:
    assert calibrate([EMPTY] * 3 + [with_card()], [EMPTY]) is Doubt.EMPTY
    assert calibrate([with_card(left=450)] * 3, [EMPTY]) is Doubt.CUT


def test_cards_of_two_sizes_and_a_card_in_the_empty_window_give_no_calibration() -> None:
    sizes = [with_card(width=width, height=height) for width, height in ((240, 336), (226, 316), (252, 352))]
    assert calibrate(sizes, [EMPTY]) is Doubt.OTHER_SIZE
    assert calibrate([with_card()] * 3, [with_card()]) is Doubt.SECOND_SHAPE


def test_frames_of_two_sizes_and_no_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="frames of one size"):
        calibrate([with_card()], [EMPTY[::2]])
    with pytest.raises(ValueError, match="at least one of them with a card"):
        calibrate([], [EMPTY])


def test_a_size_is_the_usual_one_up_to_two_parts_in_a_hundred() -> None:
    quad = np.array([[0, 0], [102, 0], [102, 140], [0, 140]], np.float32)
    assert of_size(quad, np.array([100.5, 140], np.float32))
    assert not of_size(quad, np.array([99.5, 140], np.float32))


def test_the_dimmest_colour_of_the_smaller_picture() -> None:
    image = np.full((40, 80, 3), (90, 30, 200), np.uint8)
    assert (reduced(image) == np.full((10, 20), 30)).all()
