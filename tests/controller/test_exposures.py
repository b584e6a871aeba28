"""One face, told by a seat and seen by the camera, is one exposure; what may be another stays one."""

from __future__ import annotations

import pytest

from controller.acts import Line
from controller.exposures import CARDS_APART, Exposures

SEAT: Line = {"fact": "exposed", "where": "on", "by": "S", "told_by": "W"}
CAMERA: Line = {"fact": "exposed", "where": "on", "owner": "E", "card": "QH", "t_us": 5}


@pytest.mark.parametrize(("first", "second"), [(SEAT, CAMERA), (CAMERA, SEAT)])
def test_each_of_the_two_confirms_the_other_once(first: Line, second: Line) -> None:
    exposures = Exposures()
    exposures.note(first, 7)
    assert exposures.holds(second, 7)
    assert not exposures.holds(first, 7)
    exposures.note(second | {"fact": "exposure_confirmed"}, 7)
    assert not exposures.holds(second, 7)


@pytest.mark.parametrize(("out", "same"), [(7, True), (7 + CARDS_APART, True), (8 + CARDS_APART, False)])
def test_a_face_told_later_is_another(out: int, same: bool) -> None:
    exposures = Exposures()
    exposures.note(SEAT, 7)
    assert exposures.holds(CAMERA, out) == same


def test_a_face_at_another_height_is_another() -> None:
    exposures = Exposures()
    exposures.note(SEAT, 0)
    assert not exposures.holds(CAMERA | {"where": "below"}, 0)


def test_a_line_without_its_height_tells_of_a_face_on_the_table() -> None:
    exposures = Exposures()
    exposures.note({"fact": "exposed", "told_by": "N"}, 0)
    assert exposures.holds(CAMERA, 0)


def test_other_lines_tell_of_no_face() -> None:
    exposures = Exposures()
    for line in ({"fact": "dealt", "to": "W", "k": 1}, {"ruling": "new_deal", "law": "whist 37-I", "on": 1}):
        exposures.note(line, 1)
    assert not exposures.holds(SEAT, 1)
