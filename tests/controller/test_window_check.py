"""The window before a deal: which pictures mean what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from controller.findings import Level
from controller.window_check import FRAMES, NEARLY_LIGHT, SPOT_LEVEL, WindowCheck, check_window, window_findings
from hardware_sims.optics import expose_darkness
from vision.frame import Frame
from vision.scene import DARK_LEVEL, brightest_part, mean_level

if TYPE_CHECKING:
    from vision.frame import Image


@dataclass
class FakeCamera:
    frames: Sequence[Frame]
    given: int = 0

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        self.given += 1
        return self.frames[self.given - 1] if self.given <= len(self.frames) else None

    def close(self) -> None:
        pass


def dark(seed: int) -> Image:
    return np.random.default_rng(seed).integers(0, 5, (48, 64, 3), np.uint8)


def frame(image: Image, *, at_us: int = 2_000, number: int = 1) -> Frame:
    return Frame(image=image, captured_us=at_us, number=number)


def looked(*frames: Frame) -> WindowCheck:
    return check_window(FakeCamera(frames), now_us=lambda: 1_000, wait_us=100)


def test_a_dark_window_and_fresh_frames_are_nothing_to_speak_of() -> None:
    check = looked(*(frame(dark(n), number=n) for n in range(FRAMES)))
    assert (check.pictures, check.late, check.repeated) == (FRAMES, 0, 0)
    assert check.level == pytest.approx(2.0, abs=0.2)
    assert list(window_findings(check, "v4l2:0")) == []


@pytest.mark.parametrize(
    ("check", "level", "says"),
    [
        (WindowCheck(pictures=1), Level.FAULT, "gave 1 of 3 pictures"),
        (WindowCheck(pictures=3, repeated=1), Level.FAULT, "the same picture again"),
        (WindowCheck(pictures=3, late=1), Level.FAULT, "come late"),
        (WindowCheck(pictures=3, level=DARK_LEVEL, spot=90), Level.FAULT, "it must be dark"),
        (WindowCheck(pictures=3, level=NEARLY_LIGHT, spot=90), Level.WARN, "hardly dark"),
        (WindowCheck(pictures=3, level=3.0, spot=SPOT_LEVEL), Level.WARN, "a part of the window"),
    ],
)
def test_what_is_amiss_is_said_once_with_a_next_step(check: WindowCheck, level: Level, says: str) -> None:
    (found,) = window_findings(check, "v4l2:0")
    assert found.level is level
    assert says in found.says
    assert found.step


def test_a_picture_with_a_new_number_and_the_same_pixels_is_one_repeated() -> None:
    assert looked(*(frame(dark(1), number=n) for n in range(FRAMES))).repeated == 2


def test_a_number_that_does_not_grow_is_a_picture_repeated() -> None:
    assert looked(*(frame(dark(n), number=7) for n in range(FRAMES))).repeated == 2


def test_a_picture_taken_before_it_was_asked_for_is_late() -> None:
    assert looked(*(frame(dark(n), number=n, at_us=999 + n) for n in range(FRAMES))).late == 1


def test_a_camera_that_gives_nothing() -> None:
    assert looked().pictures == 0


def test_light_from_one_side_is_found_where_the_mean_is_dark() -> None:
    image = dark(1)
    image[:6, :8] = 60
    assert mean_level(image) < DARK_LEVEL
    assert brightest_part(image) >= SPOT_LEVEL


def test_the_dark_of_the_simulated_camera_is_dark_in_every_part() -> None:
    assert max(brightest_part(expose_darkness(seed)) for seed in range(5)) < NEARLY_LIGHT
