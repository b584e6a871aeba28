"""Light, focus and flatness: what fails, and that the next step is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.enrolled import CARDS, picture
from vision.doubts import Doubt
from vision.enrol_checks import CheckLimits, check_window
from vision.enrol_looks import CardLook, best_look, look_at
from vision.recogniser import Limits


@pytest.fixture(scope="module")
def look() -> CardLook:
    found = look_at(picture(CARDS[0], seed=1), Limits())
    assert isinstance(found, CardLook)
    return found


def test_a_good_window_passes(look: CardLook) -> None:
    assert [check.passed for check in check_window([look], CheckLimits())] == [True, True, True]


@pytest.mark.parametrize(
    ("field", "value", "what", "step"),
    [
        ("paper", 40.0, "light", "Turn the lamp up"),
        ("white", 0.9, "light", "Turn the lamp down"),
        ("shade", 0.3, "light", "Move the lamp"),
        ("height", 90.0, "focus", "Bring the camera nearer"),
        ("edge_width", 0.05, "focus", "Set the focus"),
        ("residual", 0.02, "flatness", "Press the pack flat"),
        ("uneven", 0.2, "flatness", "square to the window"),
    ],
)
def test_what_fails_is_said_with_the_next_step(look: CardLook, field: str, value: float, what: str, step: str) -> None:
    changed: CardLook = replace(look, **{field: value})  # type: ignore[arg-type]  # every field here is a float
    failed = [check for check in check_window([changed], CheckLimits()) if not check.passed]
    assert [check.what for check in failed] == [what]
    assert step in failed[0].said


def test_one_bad_picture_of_many_fails_nothing(look: CardLook) -> None:
    checks = check_window([look, look, replace(look, paper=10.0)], CheckLimits())
    assert all(check.passed for check in checks)


def test_an_empty_picture_is_no_look() -> None:
    assert look_at(np.zeros((480, 640, 3), np.uint8), Limits()) is Doubt.EMPTY


def test_the_straightest_picture_of_a_card_is_taken() -> None:
    empty, good = np.zeros((480, 640, 3), np.uint8), picture(CARDS[0], seed=1)
    best = best_look([empty, good, empty], Limits())
    assert isinstance(best, CardLook)
    assert np.array_equal(best.image, good)
    assert best_look([empty, empty], Limits()) is Doubt.EMPTY
