"""Exposures over time: two pictures must agree, and each face is told once."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards import Card
from vision.table import ExposedFace, Height
from vision.table_layout import Region
from vision.table_watch import TableWatch, WatchLimits

FRAME_US = 100_000


def face(
    x: float = 300.0, y: float = 200.0, *, lawful: bool = False, region: Region = Region.OPEN, card: str = ""
) -> ExposedFace:
    quad = np.array([(x - 30, y - 42), (x + 30, y - 42), (x + 30, y + 42), (x - 30, y + 42)], np.float32)
    read = Card.parse(card) if card else None
    return ExposedFace(region=region, seat=None, height=Height.ON, lawful=lawful, quad=quad, score=1.0, card=read)


def told(watch: TableWatch, *pictures: list[ExposedFace], step_us: int = FRAME_US, start_us: int = 0) -> list[int]:
    """How many exposures each picture brings."""
    return [len(watch.look(faces, t_us=start_us + place * step_us)) for place, faces in enumerate(pictures)]


def test_two_pictures_must_agree() -> None:
    assert told(TableWatch(), [face()], [], [], [face(700)], []) == [0, 0, 0, 0, 0]
    assert told(TableWatch(), [face()], [face(302)]) == [0, 1]


def test_the_exposure_says_when_and_where() -> None:
    watch = TableWatch()
    watch.look([face()], t_us=1_000)
    (exposure,) = watch.look([face(region=Region.N)], t_us=34_000)
    assert (exposure.first_us, exposure.t_us, exposure.face.region) == (1_000, 34_000, Region.N)


def test_a_face_is_told_once_while_it_lies_there() -> None:
    assert told(TableWatch(), *[[face(300 + place % 3)] for place in range(50)]) == [0, 1] + [0] * 48


def test_a_face_that_flickers_is_told_once() -> None:
    shown = [[face()] if place % 3 else [] for place in range(40)]
    assert sum(told(TableWatch(), *shown)) == 1


def test_a_face_that_is_moved_is_told_once() -> None:
    assert told(TableWatch(), *[[face(300 + 30 * place)] for place in range(12)]) == [0, 1] + [0] * 10


def test_two_faces_are_told_each_for_itself() -> None:
    assert told(TableWatch(), [face()], [face(), face(700)], [face(), face(700)]) == [0, 1, 1]


@pytest.mark.parametrize(("away_us", "again"), [(1_000_000, 0), (2_000_000, 1)])
def test_a_face_that_comes_again_is_told_again_after_a_while_only(away_us: int, again: int) -> None:
    watch = TableWatch()
    assert told(watch, [face()], [face()]) == [0, 1]
    assert told(watch, [face()], [face()], start_us=FRAME_US + away_us) == [0, again]


def test_pictures_far_apart_do_not_agree() -> None:
    apart = WatchLimits().agree_us + 1
    assert told(TableWatch(), [face()], [face()], [face()], step_us=apart) == [0, 0, 0]


def test_a_lawful_face_is_not_told_until_it_is_taken_elsewhere() -> None:
    trump = face(lawful=True, region=Region.TRUMP)
    assert told(TableWatch(), [trump], [trump], [face(340)], [face(340)]) == [0, 0, 0, 1]


def test_the_same_picture_twice_does_not_agree_with_itself() -> None:
    watch = TableWatch()
    assert [len(watch.look([face()], t_us=t_us)) for t_us in (5, 5, 4, 6)] == [0, 0, 0, 1]


def test_another_card_at_the_same_place_is_told() -> None:
    seven, unread, nine = face(card="7C"), face(), face(card="9C")
    assert told(TableWatch(), [seven], [unread], [nine], [nine]) == [0, 1, 0, 1]


def test_after_forgetting_everything_is_new() -> None:
    watch = TableWatch()
    assert told(watch, [face()], [face()]) == [0, 1]
    watch.forget()
    assert told(watch, [face()], [face()], start_us=10 * FRAME_US) == [0, 1]


def test_a_face_seen_once_is_pending_until_another_picture_says_more() -> None:
    watch, pending = TableWatch(), []
    for place, faces in enumerate(([], [face()], [face(), face(700)], [face()], [face(lawful=True)])):
        watch.look(faces, t_us=place * FRAME_US)
        pending.append(watch.pending)
    assert pending == [False, True, True, False, False]
