"""What a look leaves behind: every stage's words, the pixels as they were, and a length that tells no card."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card
from vision.evidence import TOLD_BYTES, Look, look_as_json, pack, unpack
from vision.frame import Frame
from vision.recogniser import Recogniser
from vision.sighting import Reason


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.shipped()


def look(recogniser: Recogniser, *codes: str) -> Look:
    cards = tuple(
        CardInView(card=Card.parse(code), face_to_camera=True, x_mm=0, y_mm=0, angle_deg=0, turned=False)
        for code in codes
    )
    image = render_window(WindowScene(cards=cards, lamp=True, speed_mm_s=0.0, pack="plain", back="lattice", seed=1))
    return Look(frame=Frame(image=image, captured_us=70_000, number=4), examination=recogniser.examine(image))


def test_a_card_that_was_read_is_told_stage_by_stage(recogniser: Recogniser) -> None:
    told = look_as_json(look(recogniser, "5H"))
    assert (told["number"], told["captured_us"], told["read_at"]) == (4, 70_000, [640, 480])
    assert (told["code"], told["state"], told["stage"], told["reason"]) == ("5H", "card", "", "")
    (outline,) = told["outlines"]
    assert (outline["pips"], outline["edges"]["found"], len(outline["corners"])) == (5, True, 4)
    assert {reading["code"] for reading in outline["views"][0]} == {"5H"}
    assert 0.8 < outline["views"][0][0]["rank_confidence"] <= 1


def test_a_doubt_is_told_with_its_stage_and_reason(recogniser: Recogniser) -> None:
    told = look_as_json(look(recogniser))
    assert (told["code"], told["state"], told["stage"]) == ("", "empty", "gate")
    assert told["reason"] == Reason.NOTHING_THERE.value


def test_a_frame_that_did_not_count_is_told_without_findings() -> None:
    frame = Frame(image=np.zeros((48, 64, 3), np.uint8), captured_us=70_000, number=4)
    uncounted = Look(frame=frame, examination=None)
    assert look_as_json(uncounted) == {"number": 4, "captured_us": 70_000, "counted": False}
    assert len(pack([uncounted], {}, room=1)) == 4 + TOLD_BYTES + 48 * 64 * 3


def test_what_was_packed_comes_out_pixel_for_pixel(recogniser: Recogniser) -> None:
    looks = [look(recogniser, "QS"), look(recogniser)]
    told, images = unpack(pack(looks, {"k": 7}, room=4))
    assert all(np.array_equal(image, one.frame.image) for image, one in zip(images, looks, strict=True))
    assert told == {"k": 7, "looks": [look_as_json(one) for one in looks]}


def test_the_length_follows_from_the_size_of_a_frame_alone(recogniser: Recogniser) -> None:
    looks = [look(recogniser, *codes) for codes in (["5H"], ["TS"], ["KD"], [])]
    lengths = {len(pack(looks[first:behind], {"k": 7}, room=4)) for first in range(4) for behind in range(first + 1, 5)}
    assert lengths == {4 + 4 * (TOLD_BYTES + 640 * 480 * 3)}


def test_the_words_of_the_fullest_look_take_less_than_half_of_their_room(recogniser: Recogniser) -> None:
    told = look_as_json(look(recogniser, "TS"))
    told["outlines"] = told["outlines"] * 10
    assert len(json.dumps(told)) < TOLD_BYTES / 2


@pytest.mark.parametrize("cut", [0, 3, 100, TOLD_BYTES + 4, -1])
def test_what_is_cut_short_is_no_packed_look(recogniser: Recogniser, cut: int) -> None:
    packed = pack([look(recogniser, "5H")], {}, room=1)
    with pytest.raises(ValueError, match=r"."):
        unpack(packed[:cut])
