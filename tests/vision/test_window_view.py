"""The window view: it reads as the card view does, and knows the size of a card after a few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Pack
from vision.doubts import Doubt
from vision.frame import name_of
from vision.recogniser import shipped_reader
from vision.window_calibration import WindowCalibration, calibrate
from vision.window_view import WindowRecogniser

if TYPE_CHECKING:
    from vision.cards import Card
    from vision.frame import Image

CARDS = Pack.of(52).cards


def frame(card: Card, seed: int, *under: Card, off: float = 0.0) -> Image:
    x, y, angle = np.random.default_rng(seed).normal(0, (1.0, 0.7, 0.8))
    cards = [
        CardInView(card=one, face_to_camera=True, x_mm=x + shift, y_mm=y, angle_deg=angle, turned=False)
        for one, shift in ((card, 0.0), *((lower, off) for lower in under))
    ]
    scene = WindowScene(cards=tuple(cards), lamp=True, speed_mm_s=0.0, pack="plain", back="lattice", seed=seed)
    return render_window(scene)


def calibrated() -> WindowRecogniser:
    looker = WindowRecogniser(shipped_reader())
    for seed, card in enumerate(CARDS[:8]):
        assert looker.calibration is None
        assert looker.examine(frame(card, seed)).verdict.code == str(card)
    assert looker.calibration is not None
    return looker


def test_cards_are_read_before_and_after_the_size_is_known() -> None:
    looker = calibrated()
    for seed, card in enumerate(CARDS[8::4]):
        assert looker.examine(frame(card, seed)).verdict.code == str(card)


def test_two_cards_a_little_out_of_line_have_another_size() -> None:
    looker = calibrated()
    doubts = {looker.examine(frame(CARDS[20], seed, CARDS[33], off=0.026 * 63.5)).verdict.doubt for seed in range(4)}
    assert None not in doubts
    assert Doubt.OTHER_SIZE in doubts


def test_a_card_of_another_size_is_not_read() -> None:
    looker = calibrated()
    image = frame(CARDS[20], 3)
    smaller = cv2.resize(image, (608, 456), interpolation=cv2.INTER_AREA).astype(np.uint8)
    assert looker.examine(smaller).verdict.doubt is Doubt.OTHER_SIZE


def test_a_new_pack_may_be_of_another_size() -> None:
    looker = calibrated()
    smaller = [
        cv2.resize(frame(card, seed), (608, 456), interpolation=cv2.INTER_AREA).astype(np.uint8)
        for seed, card in enumerate(CARDS[20:23])
    ]
    looker.begin()
    assert looker.calibration is None
    assert [looker.examine(image).verdict.code for image in smaller] == [str(card) for card in CARDS[20:23]]


def test_a_window_that_was_measured_stays_known() -> None:
    window = calibrate([frame(CARDS[0], 1)], [])
    assert isinstance(window, WindowCalibration)
    looker = WindowRecogniser(shipped_reader(), calibration=window)
    looker.begin()
    assert looker.calibration is window


def test_a_doubtful_look_teaches_nothing() -> None:
    looker = WindowRecogniser(shipped_reader())
    for seed in range(12):
        looker.examine(frame(CARDS[3], seed, CARDS[9], off=0.2 * 63.5))
    assert looker.calibration is None


def empty(seed: int) -> Image:
    return render_window(WindowScene(cards=(), lamp=True, speed_mm_s=0.0, pack="plain", back="lattice", seed=seed))


def test_a_calibrated_window_is_known_from_the_first_card() -> None:
    window = calibrate([frame(card, seed) for seed, card in enumerate(CARDS[:6])], [empty(1), empty(2)])
    assert isinstance(window, WindowCalibration)
    looker = WindowRecogniser(shipped_reader(), calibration=window)
    for seed, card in enumerate(CARDS[::5], 40):
        image = frame(card, seed)
        sighting = looker.look(image)
        assert sighting.card == card
        assert sighting.frame == name_of(image)
    assert looker.examine(frame(CARDS[20], 7, CARDS[33], off=0.03 * 63.5)).verdict.doubt is not None
    assert looker.examine(empty(3)).verdict.doubt is Doubt.EMPTY


def test_frames_of_another_size_are_read_but_no_card_in_them_is_of_the_usual_size() -> None:
    window = calibrate([frame(CARDS[0], 1)], [])
    assert isinstance(window, WindowCalibration)
    looker = WindowRecogniser(shipped_reader(), calibration=window)
    smaller = cv2.resize(frame(CARDS[20], 3), (600, 450), interpolation=cv2.INTER_AREA).astype(np.uint8)
    assert looker.examine(smaller).verdict.doubt is Doubt.OTHER_SIZE
