"""The eye: a late, repeated or frozen frame, or one without a dark window before it, is never taken for this card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from controller.eye import FRAME_US, LOOKS, FrameEye
from vision.cards import Card
from vision.decide import Verdict
from vision.doubts import Doubt
from vision.errors import CameraLost
from vision.frame import Frame, name_of
from vision.recogniser import Examination
from vision.scene import is_dark
from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from vision.frame import Image

DARK: Image = np.full((8, 8, 3), 2, np.uint8)
OLD: Image = np.full((8, 8, 3), 90, np.uint8)
CARD: Image = np.full((8, 8, 3), 120, np.uint8)
BLUR: Image = np.full((8, 8, 3), 60, np.uint8)

BACK: Image = np.full((8, 8, 3), 70, np.uint8)
QUEEN_LESS_SURE: Image = np.full((8, 8, 3), 110, np.uint8)

READS = {
    90: Verdict(code="JD", confidence=0.99),
    120: Verdict(code="QC", confidence=0.99),
    110: Verdict(code="QC", confidence=0.91),
    60: Verdict(doubt=Doubt.CUT),
    70: Verdict(confidence=0.9, doubt=Doubt.BACK),
}
"""What the recogniser says of each picture; 90 is the card before, which no test may be told of."""

QUEEN = Sighting(state=State.CARD, card=Card.parse("QC"), confidence=0.99, frame=name_of(CARD))
DOUBT = Sighting(state=State.PARTIAL, reason=Reason.CUT_BY_EDGE, frame=name_of(BLUR))


@dataclass
class FakeCamera:
    """Gives frames in order: (image, captured_us, number), whatever is asked for; then none."""

    frames: Sequence[tuple[Image, int, int]]
    asked: list[tuple[int, int]] = field(default_factory=list)
    given: int = 0

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        self.asked.append((after_us, deadline_us))
        if self.given == len(self.frames):
            return None
        image, captured_us, number = self.frames[self.given]
        self.given += 1
        return Frame(image=image, captured_us=captured_us, number=number)

    def close(self) -> None:
        pass


@dataclass
class FakeRecogniser:
    """Reads a picture by its brightness."""

    looks: int = 0
    begun: int = 0

    def begin(self) -> None:
        self.begun += 1

    def examine(self, image: Image) -> Examination:
        self.looks += 1
        return Examination(image=image, verdict=READS[int(image[0, 0, 0])])


def eye_of(*frames: tuple[Image, int, int]) -> tuple[FrameEye, FakeCamera, FakeRecogniser]:
    camera, recogniser = FakeCamera(frames), FakeRecogniser()
    return FrameEye(camera=camera, recogniser=recogniser), camera, recogniser


def rested(*frames: tuple[Image, int, int]) -> tuple[FrameEye, FakeCamera, FakeRecogniser]:
    """An eye that has seen the window dark at 1000, and these frames after it."""
    eye, camera, recogniser = eye_of((DARK, 1_000, 1), *frames)
    eye.rest(after_us=1_000, deadline_us=5_000)
    camera.asked.clear()
    return eye, camera, recogniser


def test_the_pictures_here_are_dark_and_light() -> None:
    assert [is_dark(image) for image in (DARK, OLD, CARD, BLUR, BACK)] == [True, False, False, False, False]


def test_a_card_is_read_from_two_frames_taken_since_it_came_to_rest() -> None:
    eye, camera, _ = rested((CARD, 10_000, 2), (CARD, 27_000, 3), (OLD, 44_000, 4))
    assert eye.look(after_us=10_000, deadline_us=90_000) == QUEEN
    assert camera.asked == [(10_000, 90_000), (10_001, 90_000)]


def test_of_two_frames_that_agree_the_less_sure_one_answers() -> None:
    eye, _, _ = rested((CARD, 10_000, 2), (QUEEN_LESS_SURE, 27_000, 3))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert (sighting.card, sighting.confidence, sighting.frame) == (QUEEN.card, 0.91, name_of(QUEEN_LESS_SURE))


def test_two_frames_that_name_different_cards_are_a_doubt_at_once() -> None:
    eye, _, recogniser = rested((CARD, 10_000, 2), (OLD, 27_000, 3), (CARD, 44_000, 4), (CARD, 61_000, 5))
    sighting = eye.look(after_us=10_000, deadline_us=900_000)
    assert (sighting.state, sighting.reason) == (State.NOT_SURE, Reason.FRAMES_DIFFER)
    assert recogniser.looks == 2


@pytest.mark.parametrize("order", [(CARD, BACK), (BACK, CARD)])
def test_a_frame_that_sees_a_back_contradicts_one_that_reads_a_card(order: tuple[Image, Image]) -> None:
    eye, _, _ = rested(*((image, 10_000 + n * FRAME_US, n + 2) for n, image in enumerate(order)))
    assert eye.look(after_us=10_000, deadline_us=900_000).reason is Reason.FRAMES_DIFFER


def test_a_card_that_only_one_frame_shows_is_a_doubt() -> None:
    eye, _, recogniser = rested(*((image, 10_000 + n * FRAME_US, n + 2) for n, image in enumerate([CARD, *[BLUR] * 9])))
    sighting = eye.look(after_us=10_000, deadline_us=900_000)
    assert sighting == Sighting(state=State.NOT_SURE, confidence=0.99, reason=Reason.ONE_FRAME, frame=name_of(CARD))
    assert recogniser.looks == LOOKS


def test_a_card_without_a_second_frame_is_a_doubt() -> None:
    eye, _, _ = rested((CARD, 10_000, 2))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert (sighting.state, sighting.reason) == (State.NOT_SURE, Reason.NO_SECOND_FRAME)


def test_the_same_frame_given_twice_is_no_second_one() -> None:
    eye, _, recogniser = rested((CARD, 10_000, 2), (CARD, 10_000, 2))
    assert eye.look(after_us=10_000, deadline_us=90_000).reason is Reason.NO_SECOND_FRAME
    assert recogniser.looks == 1


def test_without_a_dark_frame_before_it_no_frame_counts() -> None:
    eye, camera, recogniser = eye_of((CARD, 10_000, 2))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert sighting.state is State.NOT_SURE
    assert sighting.reason
    assert (camera.asked, recogniser.looks) == ([], 0)


def test_a_window_that_is_never_seen_dark_refuses_the_next_card() -> None:
    """As with a picture that is frozen while a card stands there."""
    eye, _, recogniser = eye_of(*((OLD, 1_000 + n * FRAME_US, n) for n in range(3)), (CARD, 90_000, 9))
    camera = cast(FakeCamera, eye.camera)
    camera.frames = camera.frames[:3]
    eye.rest(after_us=1_000, deadline_us=60_000)
    camera.frames = [*camera.frames, (CARD, 90_000, 9)]
    sighting = eye.look(after_us=90_000, deadline_us=190_000)
    assert sighting == Sighting(
        state=State.NOT_SURE,
        reason=Reason.NO_DARK_FRAME,
    )
    assert recogniser.looks == 0


def test_a_camera_that_gives_no_frame_at_all_between_two_cards_is_told_so() -> None:
    eye, _, _ = eye_of()
    eye.rest(after_us=1_000, deadline_us=60_000)
    assert eye.look(after_us=90_000, deadline_us=190_000).reason is Reason.NO_FRAME


def test_one_dark_frame_does_not_serve_for_two_cards() -> None:
    eye, _, recogniser = rested((CARD, 10_000, 2), (CARD, 12_000, 3), (OLD, 20_000, 4))
    assert eye.look(after_us=10_000, deadline_us=90_000) == QUEEN
    eye.rest(after_us=15_000, deadline_us=30_000)
    assert eye.look(after_us=30_000, deadline_us=90_000).state is State.NOT_SURE
    assert recogniser.looks == 2


def test_a_late_frame_is_passed_over_for_a_fresh_one() -> None:
    eye, camera, recogniser = rested((OLD, 9_999, 2), (CARD, 26_000, 3), (CARD, 43_000, 4))
    assert eye.look(after_us=10_000, deadline_us=90_000) == QUEEN
    assert recogniser.looks == 2
    assert camera.asked[1] == (10_000, 90_000)


def test_frames_that_all_come_late_are_refused_with_that_reason() -> None:
    eye, _, recogniser = rested(*((OLD, 9_000 + n, n + 2) for n in range(5)))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert sighting == Sighting(state=State.NOT_SURE, reason=Reason.LATE)
    assert recogniser.looks == 0


def test_a_repeated_frame_is_refused_even_if_its_time_is_new() -> None:
    eye, _, recogniser = rested((OLD, 12_000, 1), (CARD, 28_000, 2), (CARD, 45_000, 3))
    assert eye.look(after_us=10_000, deadline_us=90_000) == QUEEN
    assert recogniser.looks == 2


def test_frames_that_all_repeat_are_refused_with_that_reason() -> None:
    eye, _, recogniser = rested(*((OLD, 12_000 + n, 1) for n in range(5)))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert sighting == Sighting(state=State.NOT_SURE, reason=Reason.REPEATED)
    assert recogniser.looks == 0


def test_a_picture_frozen_in_the_dark_shows_no_card() -> None:
    eye, _, recogniser = rested(*((DARK, 12_000 + n * FRAME_US, n + 2) for n in range(5)))
    sighting = eye.look(after_us=10_000, deadline_us=90_000)
    assert sighting == Sighting(state=State.NOT_SURE, reason=Reason.STAYED_DARK)
    assert recogniser.looks == 0


def test_a_dark_frame_that_is_repeated_or_late_is_no_dark_window() -> None:
    eye, camera, _ = rested((CARD, 10_000, 2), (CARD, 12_000, 3), (DARK, 20_000, 3), (DARK, 29_000, 4))
    eye.look(after_us=10_000, deadline_us=90_000)
    eye.rest(after_us=30_000, deadline_us=90_000)
    assert camera.given == 5, "it looked on after both"
    camera.frames = [*camera.frames, (OLD, 50_000, 9)]
    assert eye.look(after_us=50_000, deadline_us=90_000).state is State.NOT_SURE


def test_the_window_is_watched_until_it_is_dark() -> None:
    eye, camera, _ = eye_of((OLD, 1_000, 1), (OLD, 18_000, 2), (DARK, 35_000, 3), (CARD, 60_000, 4), (CARD, 77_000, 5))
    eye.rest(after_us=1_000, deadline_us=50_000)
    assert camera.asked == [(1_000, 50_000), (1_001, 50_000), (18_001, 50_000)]
    assert eye.look(after_us=60_000, deadline_us=90_000) == QUEEN


def test_a_doubt_is_looked_at_again_and_stands_after_four_looks() -> None:
    eye, camera, recogniser = rested(*((BLUR, 10_000 + n * FRAME_US, n + 2) for n in range(9)))
    assert eye.look(after_us=10_000, deadline_us=900_000) == DOUBT
    assert recogniser.looks == LOOKS == 4
    assert camera.given == 5


@pytest.mark.parametrize("order", [(BLUR, CARD, CARD), (CARD, BLUR, CARD), (BLUR, CARD, BLUR, CARD)])
def test_a_card_that_two_of_four_frames_show_is_taken(order: tuple[Image, ...]) -> None:
    eye, _, recogniser = rested(*((image, 10_000 + n * FRAME_US, n + 2) for n, image in enumerate([*order, OLD])))
    assert eye.look(after_us=10_000, deadline_us=900_000) == QUEEN
    assert recogniser.looks == len(order)


def test_each_look_wants_a_later_frame_than_the_last() -> None:
    eye, camera, _ = rested((BLUR, 10_000, 2), (CARD, 27_000, 3), (CARD, 44_000, 4))
    eye.look(after_us=10_000, deadline_us=900_000)
    assert [after for after, _ in camera.asked] == [10_000, 10_001, 27_001]


def test_a_doubt_stands_where_no_more_frames_come() -> None:
    eye, _, _ = rested((BLUR, 10_000, 2))
    assert eye.look(after_us=10_000, deadline_us=90_000) == DOUBT


def test_no_frame_at_all_is_a_doubt_with_that_reason() -> None:
    eye, _, _ = rested()
    assert eye.look(after_us=10_000, deadline_us=90_000) == Sighting(state=State.NOT_SURE, reason=Reason.NO_FRAME)


def test_dark_frames_before_the_lamp_is_seen_are_no_looks() -> None:
    eye, _, recogniser = rested((DARK, 10_000, 2), (DARK, 27_000, 3), (CARD, 44_000, 4), (CARD, 61_000, 5))
    assert eye.look(after_us=10_000, deadline_us=900_000) == QUEEN
    assert recogniser.looks == 2


def evidence(eye: FrameEye) -> list[tuple[int, bool]]:
    return [(look.frame.number, look.examination is not None) for look in eye.evidence()]


def test_the_frames_of_a_look_are_left_as_evidence() -> None:
    eye, _, _ = rested((DARK, 9_000, 2), (BLUR, 10_000, 3), (CARD, 27_000, 4), (CARD, 44_000, 5))
    eye.look(after_us=9_500, deadline_us=900_000)
    assert evidence(eye) == [(3, True), (4, True), (5, True)]


def test_where_no_frame_counted_those_that_did_not_are_the_evidence() -> None:
    eye, _, _ = rested(*((OLD, 9_000 + n, n + 2) for n in range(9)))
    assert eye.look(after_us=10_000, deadline_us=90_000).reason is Reason.LATE
    assert evidence(eye) == [(number, False) for number in range(7, 11)], f"the last {LOOKS}"


def test_a_window_that_was_never_dark_leaves_its_light_frames() -> None:
    eye, _, _ = eye_of((OLD, 1_000, 1), (OLD, 18_000, 2))
    eye.rest(after_us=1_000, deadline_us=30_000)
    eye.look(after_us=40_000, deadline_us=90_000)
    assert evidence(eye) == [(1, False), (2, False)]


def test_the_frames_before_the_dark_are_no_evidence_of_the_next_card() -> None:
    eye, _, _ = eye_of((OLD, 1_000, 1), (DARK, 18_000, 2))
    eye.rest(after_us=1_000, deadline_us=30_000)
    eye.look(after_us=40_000, deadline_us=90_000)
    assert evidence(eye) == []


def test_a_camera_that_is_gone_is_no_doubt() -> None:
    class Gone(FakeCamera):
        def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
            raise CameraLost("v4l2:0", "the camera is gone")

    eye = FrameEye(camera=Gone([]), recogniser=FakeRecogniser())
    with pytest.raises(CameraLost):
        eye.rest(after_us=0, deadline_us=1)


def test_a_new_deal_lets_the_recogniser_forget_the_last_pack() -> None:
    eye, _, recogniser = eye_of()
    eye.begin()
    assert recogniser.begun == 1
