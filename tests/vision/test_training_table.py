"""The pieces of tables that the finder of faces learns from: what each cell is labelled, and that a seed repeats."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from vision.table_faces import CARD_PX, CELL
from vision.training import table_views
from vision.training.artwork import FREE_DECKS
from vision.training.table_backs import cards_back, lozenge_back
from vision.training.table_canvas import BACK, FACE, OTHER, Canvas, box, turned
from vision.training.table_pieces import Pen, draw_box, draw_chips, draw_hand, draw_sheet, draw_thing
from vision.training.table_views import SIDE, draw_views

TEXTURE = np.full((134, 96, 3), 250, np.uint8)
WHOLE = np.full((134, 96), 255, np.uint8)


@pytest.fixture
def few_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("_HELD_OUT", 6), ("FREE_DECKS", ())):
        monkeypatch.setattr(table_views, name, few)
    table_views._faces.cache_clear()
    table_views._backs.cache_clear()


def test_the_same_seed_draws_the_same_pieces_and_all_kinds_occur(few_packs: None) -> None:
    one, again, other = (draw_views(seed, 12, held_out=True) for seed in (5, 5, 6))
    assert np.array_equal(one.images, again.images)
    assert np.array_equal(one.kinds, again.kinds)
    assert not np.array_equal(one.images, other.images)
    assert one.images.shape == (12, SIDE, SIDE, 3)
    assert set(np.unique(one.kinds)) == {table_views.DOUBTFUL, OTHER, BACK, FACE}


def test_backs_of_free_decks_are_no_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {"2C": 10, "QH": 20, "JKB": 30, "BACK": 40, "BACK2": 50}
    deck = {code: np.full_like(TEXTURE, level) for code, level in levels.items()}
    monkeypatch.setattr(table_views, "FREE_DECKS", FREE_DECKS[:1])
    monkeypatch.setattr(table_views, "read_deck", lambda _: deck)
    assert [int(face.max()) for face in table_views._free_faces()] == [10, 20, 20, 20, 30, 30, 30]
    assert {int(back.max()) for back in table_views._free_backs()} == {40, 50}


def canvas() -> Canvas:
    return Canvas(np.full((SIDE, SIDE, 3), 60, np.uint8))


def test_cells_of_a_face_tell_where_its_middle_is_and_how_it_is_turned() -> None:
    drawn, angle = canvas(), 0.5
    middle = np.array([100.0, 90.0])
    drawn.card(TEXTURE, WHOLE, turned(box(CARD_PX, 1.4 * CARD_PX), angle) + middle, face=True)
    kinds, poses = table_views._labels(drawn)
    row, column = 90 // CELL, 100 // CELL
    assert kinds[row, column] == FACE
    assert kinds[0, 0] == OTHER
    cell = np.array([column + 0.5, row + 0.5]) * CELL
    assert cell + poses[:2, row, column] * CARD_PX == pytest.approx(middle, abs=0.1)
    # The long side of an upright card runs down: a quarter further than the card is turned.
    down = angle + np.pi / 2
    assert poses[2:, row, column] == pytest.approx((np.cos(2 * down), np.sin(2 * down)), abs=1e-2)


def test_what_lies_over_a_face_is_no_face() -> None:
    drawn, middle = canvas(), np.array([96.0, 96.0])
    drawn.card(TEXTURE, WHOLE, box(CARD_PX, 1.4 * CARD_PX) + middle, face=True)
    whole = int((drawn.kind == FACE).sum())
    assert whole == pytest.approx(1.4 * CARD_PX * CARD_PX, rel=0.03)
    drawn.card(TEXTURE, WHOLE, box(CARD_PX, 1.4 * CARD_PX) + middle + (CARD_PX / 2, 0), face=False)
    assert (drawn.kind == FACE).sum() == pytest.approx(whole / 2, rel=0.05)
    draw_hand(Pen(canvas=drawn, at=middle, angle=0.3, scale=CARD_PX / 63.5), np.random.default_rng(3))
    assert (drawn.kind == FACE).sum() < whole / 2 * 0.8


@pytest.mark.parametrize("seed", range(12))
def test_hands_sheets_boxes_and_things_are_no_cards(seed: int) -> None:
    for draw in (draw_box, partial(draw_chips, reach=30), draw_hand, draw_sheet, draw_thing):
        drawn = canvas()
        draw(
            Pen(canvas=drawn, at=np.array([96.0, 96.0]), angle=seed, scale=CARD_PX / 63.5), np.random.default_rng(seed)
        )
        assert (drawn.kind == OTHER).all()
        assert drawn.faces == []
        assert (drawn.image != 60).any()


def test_a_back_that_pictures_cards_shows_them_and_keeps_its_size() -> None:
    pictured = cards_back(np.random.default_rng(4), [TEXTURE])
    assert pictured.shape == TEXTURE.shape
    paper = (pictured >= 245).all(axis=2).mean()
    assert 0.1 < paper < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_a_back_with_lozenges_has_its_print_all_over(seed: int) -> None:
    back = lozenge_back(np.random.default_rng(seed))
    assert back.shape == TEXTURE.shape
    upper, lower = back[:67], back[67:]
    assert min(len(np.unique(half.reshape(-1, 3), axis=0)) for half in (upper, lower)) > 1


def test_of_a_face_that_is_mostly_covered_a_third_to_a_half_is_left(few_packs: None) -> None:
    left = []
    for seed in range(12):
        table = table_views._Table(np.random.default_rng(seed), held_out=True)
        middle = np.array([96.0, 96.0])
        table.lay(middle, 0.4, face=True)
        whole = table.canvas.seen_of(0)
        table.cover_most(middle)
        left.append(table.canvas.seen_of(0) / whole)
    covered = [part for part in left if part < 1]
    assert len(covered) >= 10
    assert all(0.27 <= part <= 0.52 for part in covered)
