"""Tables on which something lies over the open face: how much is hidden is what was said, and can be seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hardware_sims.table_cover import MOST_COVERED, Cover, covered_table, seen_of
from hardware_sims.table_places import Place
from hardware_sims.table_scene import SLEEVES, Pose, Reach, TableCard, TableScene, Wear
from vision.cards import Card

QUEEN = Card.parse("QD")
FACE = TableCard(card=QUEEN, face_up=True, x=0.0, y=-380.0)


def test_a_bare_face_is_seen_whole() -> None:
    seen = seen_of(FACE, TableScene(cards=(FACE,)))
    assert seen.shape == (89, 64)
    assert seen.all()


def test_a_back_hides_what_it_lies_on_and_nothing_that_lies_on_it() -> None:
    back = TableCard(card=QUEEN, face_up=False, x=0.0, y=-380.0 + 44.45)
    seen = seen_of(FACE, TableScene(cards=(FACE, back)))
    assert seen[:42].all()
    assert not seen[47:].any()
    assert seen_of(FACE, TableScene(cards=(back, FACE))).all()


def test_a_hand_hides_what_it_lies_on() -> None:
    hand = Reach(x=0.0, y=-380.0, angle_deg=270.0, pose=Pose.FLAT, skin=1, sleeve="bare")
    seen = seen_of(FACE, TableScene(cards=(FACE,), reaches=(hand,)))
    assert 0.3 < seen.mean() < 0.8
    assert seen[:20].mean() > seen[60:].mean()


def test_chance_covers_faces_in_every_way_up_to_the_limit() -> None:
    covers: Counter[Cover] = Counter()
    parts = []
    for seed in range(60):
        table = covered_table(seed)
        covers[table.cover] += 1
        parts.append(table.covered)
        assert table.face in table.scene.cards
        assert table.face.face_up
        assert table.face.place is not Place.TRUMP
        assert table.covered <= MOST_COVERED
        if table.cover is Cover.NOTHING:
            assert table.index_in_view
    assert set(covers) == set(Cover)
    assert max(parts) > 0.6


def test_the_same_seed_gives_the_same_table() -> None:
    one, again, other = covered_table(3), covered_table(3), covered_table(4)
    assert one.scene == again.scene
    assert np.array_equal(one.seen, again.seen)
    assert one.scene != other.scene


def test_there_are_more_than_twenty_models_of_hands_with_sleeves() -> None:
    worn = {(one.pose, one.sleeve, one.wear) for seed in range(60) for one in covered_table(seed).scene.reaches}
    assert len(worn) > 50
    assert {sleeve for _, sleeve, _ in worn} == set(SLEEVES)
    assert {pose for pose, _, _ in worn} == set(Pose)
    assert {wear for _, _, wear in worn} == set(Wear)


@pytest.mark.parametrize("seed", [1, 2])
def test_where_a_whole_index_is_in_view_a_corner_is_clear(seed: int) -> None:
    table = covered_table(seed)
    corners = (table.seen[:28, :13], table.seen[::-1, ::-1][:28, :13])
    assert table.index_in_view == any(corner.mean() > 0.99 for corner in corners)
