"""The corner view: a part of a card at any quarter turn, and what must not be read there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card
from vision.classify import IndexReading
from vision.corner_view import CornerLimits, CornerRecogniser, _turned_back, _verdict
from vision.doubts import Doubt
from vision.recogniser import shipped_reader

if TYPE_CHECKING:
    from vision.frame import Image


def reading(code: str, confidence: float = 0.9) -> IndexReading:
    place = "A23456789TJQK-B".index(code[0])
    return IndexReading(
        rank=place, suit="CDHS-".index(code[1]), rank_confidence=confidence, suit_confidence=1.0, back=0.0
    )


@pytest.mark.parametrize(
    ("codes", "doubt"),
    [
        ([], Doubt.NO_CORNER),
        (["9C"] * 2, Doubt.CORNER_UNSURE),
        (["9C"] * 3, None),
        (["9C"] * 4 + ["9H"], None),
        (["9C"] * 3 + ["9H"], Doubt.CORNER_UNSURE),
        (["9C"] * 7 + ["9H"] * 2, Doubt.CORNER_UNSURE),
        (["9C"] * 40 + ["4H"] * 3, Doubt.TWO_INDICES),
    ],
)
def test_several_windows_must_agree(codes: list[str], doubt: Doubt | None) -> None:
    verdict = _verdict([reading(code) for code in codes], CornerLimits())
    assert verdict.doubt is doubt
    assert verdict.code == ("9C" if doubt is None else "")


def corner_of(code: str) -> Image:
    """The upper left corner of a card, the paper going on beyond the picture."""
    scene = WindowScene(
        cards=(CardInView(card=Card.parse(code), face_to_camera=True, x_mm=0, y_mm=0, angle_deg=0, turned=False),),
        lamp=True, speed_mm_s=0.0, pack="plain", back="lattice", seed=1,
    )  # fmt: skip
    window = render_window(scene)
    ink = np.flatnonzero(window.min(axis=2).mean(axis=0) > 100)
    left, rows = int(ink[0]), np.flatnonzero(window.min(axis=2).mean(axis=1) > 60)
    top = int(rows[0])
    part = window[top : top + 150, left : left + 100]
    return cv2.resize(part, (300, 450), interpolation=cv2.INTER_CUBIC).astype(np.uint8)


@pytest.mark.parametrize("turns", range(4))
def test_a_corner_is_read_at_every_quarter_turn(turns: int) -> None:
    image = np.ascontiguousarray(np.rot90(corner_of("8S"), turns))
    look = CornerRecogniser(shipped_reader()).examine(image)
    assert look.verdict.code == "8S"
    for window in look.windows:
        assert (window > -60).all()
        assert (window < np.array([image.shape[1], image.shape[0]]) + 60).all()


def test_blank_paper_and_noise_show_no_index() -> None:
    looker = CornerRecogniser(shipped_reader())
    noise = np.random.default_rng(4).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    for image in (np.full((240, 320, 3), 220, np.uint8), noise):
        assert looker.examine(image).verdict.doubt is Doubt.NO_CORNER
    assert looker.examine(noise[:40]).verdict.doubt is Doubt.TOO_SMALL


@pytest.mark.parametrize("turns", range(4))
def test_places_are_told_in_the_picture_as_it_came(turns: int) -> None:
    image = np.zeros((40, 60, 3), np.uint8)
    image[7, 11] = 255
    turned = np.rot90(image, turns)
    y, x = np.argwhere(turned[..., 0])[0]
    back = _turned_back(np.array([[x + 0.5, y + 0.5]], np.float32), turns, 60, 40)
    assert back.tolist() == [[11.5, 7.5]]
