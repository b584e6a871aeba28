"""The picture that explains a look, and the words below it."""

from __future__ import annotations

import numpy as np

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card
from vision.doubts import Doubt
from vision.explain import explain, told
from vision.recogniser import Recogniser


def scene(*codes: str, face: bool = True) -> WindowScene:
    cards = tuple(
        CardInView(card=Card.parse(code), face_to_camera=face, x_mm=0, y_mm=0, angle_deg=0, turned=False)
        for code in codes
    )
    return WindowScene(cards=cards, lamp=True, speed_mm_s=0.0, pack="plain", back="lattice", seed=1)


def test_every_stage_of_a_card_that_was_read_is_told() -> None:
    look = Recogniser.shipped().examine(render_window(scene("5H")))
    lines = list(told(look))
    assert [line.split(":")[0] for line in lines] == ["gate", "geometry", "index", "second opinion", "decision"]
    assert lines[3] == "second opinion: 5 pips"
    assert "5H, confidence" in lines[-1]


def test_a_look_that_ended_early_says_which_stage_ended_it() -> None:
    look = Recogniser.shipped().examine(render_window(scene()))
    assert list(told(look)) == [
        "gate: 0 outlines that may be a card",
        f"gate: empty: {Doubt.EMPTY.reason}",
    ]


def test_the_drawing_keeps_the_picture_as_it_was_and_adds_to_it() -> None:
    image = render_window(scene("QS"))
    before = image.copy()
    drawn = explain(Recogniser.shipped().examine(image))
    assert np.array_equal(image, before)
    assert drawn.shape[1] == image.shape[1]
    assert drawn.shape[0] > image.shape[0]
    assert not np.array_equal(drawn[: image.shape[0]], image)


def test_a_small_picture_is_drawn_large_enough_to_read() -> None:
    look = Recogniser.shipped().examine(np.full((80, 100, 3), 20, np.uint8))
    assert explain(look).shape[1] == 640
