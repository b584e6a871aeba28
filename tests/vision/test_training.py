"""The synthesiser of index crops: the same seed draws the same crops, and labels tell what can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.cards import RANKS
from vision.classify import BACK, NO_RANK, NO_SUIT
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, VIEWS
from vision.training.backs import draw_back
from vision.training.degrade import shoot
from vision.training.figures import FIGURES, draw_figure
from vision.training.fonts import fonts_held_out, fonts_trained_on
from vision.training.packs import Corner, Style
from vision.training.pips import slim_suit
from vision.training.printing import CARD_H, CARD_W
from vision.training.samples import DOUBTFUL, draw, draw_alike, draw_cards, draw_inverted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_style_draws_a_card_the_same_whatever_it_drew_before(seed: int) -> None:
    used = Style(seed)
    for rank in "A2K7":
        used.face(rank, "H", np.random.default_rng(9))
    again, place = used.face("9", "C", np.random.default_rng(5))
    fresh, fresh_place = Style(seed).face("9", "C", np.random.default_rng(5))
    assert np.array_equal(again, fresh)
    assert place == fresh_place


@pytest.mark.parametrize("seed", range(8))
def test_the_index_stands_on_the_card_with_ink_in_it(seed: int) -> None:
    card, place = Style(seed).face("T", "S", np.random.default_rng(seed))
    assert card.shape == (CARD_H, CARD_W, 3)
    for left, top, right, bottom in (place.rank, place.suit):
        assert 0 <= left < right <= CARD_W * 0.35
        assert 0 <= top < bottom <= CARD_H / 2
        patch = card[round(top) : round(bottom), round(left) : round(right)]
        assert patch.min(axis=2).min() < 140


def test_a_shot_tells_where_the_canvas_went_and_how_blurred_it_is() -> None:
    card = np.full((CARD_H, CARD_W, 3), 240, np.uint8)
    shot = shoot(card, np.random.default_rng(1), left=0.0, top=0.0, blur=0.02)
    assert shot.crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    assert shot.blur >= 0.019
    x, y, w = shot.to_crop @ (CARD_W * 0.15, CARD_H * 0.16, 1)
    assert x / w == pytest.approx(CROP_WIDTH / 2, abs=6)
    assert y / w == pytest.approx(CROP_HEIGHT / 2, abs=6)


def test_backs_differ_from_seed_to_seed() -> None:
    one, again, other = (draw_back(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_a_seed_draws_the_same_labelled_crops(test_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PONE_TEST_DATA", str(test_data))
    crops, labels = draw(7, 40)
    again, same = draw(7, 40)
    assert np.array_equal(crops, again)
    assert np.array_equal(labels, same)
    assert crops.shape == (40, CROP_HEIGHT, CROP_WIDTH, 3)
    assert set(labels[:, 0]) <= {DOUBTFUL, *range(NO_RANK), NO_RANK, BACK}
    assert set(labels[:, 1]) <= {DOUBTFUL, *range(NO_SUIT), NO_SUIT}
    assert {NO_RANK, BACK} <= set(labels[:, 0])


@pytest.mark.parametrize("seed", range(4))
def test_an_upright_lower_index_has_its_sign_above_its_rank(seed: int) -> None:
    _, place = Style(seed).face("4", "S", np.random.default_rng(seed), corner=Corner.LOWER)
    assert place.suit[3] <= place.rank[1]
    assert min(place.rank[0], place.suit[0]) >= CARD_W * 0.6
    assert place.rank[3] <= CARD_H


@pytest.mark.parametrize("seed", range(4))
def test_an_index_at_the_right_mirrors_the_place_of_the_left_one(seed: int) -> None:
    _, left = Style(seed).face("4", "S", np.random.default_rng(seed))
    _, right = Style(seed).face("4", "S", np.random.default_rng(seed), corner=Corner.RIGHT)
    assert right.rank == pytest.approx((CARD_W - left.rank[2], left.rank[1], CARD_W - left.rank[0], left.rank[3]))


def test_the_letters_that_calibrate_are_none_of_those_trained_on() -> None:
    assert not set(fonts_trained_on()) & set(fonts_held_out())


def test_a_held_out_card_shows_both_corners_in_every_view(test_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PONE_TEST_DATA", str(test_data))
    crops, labels = draw_cards(3, 2)
    assert len(crops) == 2 * 2 * len(VIEWS)
    for card in labels.reshape(2, -1, 2):
        assert (card == card[0]).all()
    assert labels.min() >= 0
    assert len({crop.tobytes() for crop in crops}) == len(crops)


def test_an_index_upside_down_is_no_index_unless_it_looks_like_one(
    test_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PONE_TEST_DATA", str(test_data))
    _, labels = draw_inverted(1, 40)
    assert set(labels[:, 0]) == {DOUBTFUL, NO_RANK}
    assert set(labels[:, 1]) == {DOUBTFUL, NO_SUIT}


def test_foreign_letters_teach_their_suit_and_no_rank_beside_the_figures_they_are_taken_for(
    test_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PONE_TEST_DATA", str(test_data))
    _, labels = draw_alike(1, 120)
    ranks, suits = labels.T
    assert np.count_nonzero((ranks == NO_RANK) & (suits >= 0) & (suits < NO_SUIT)) > 20
    assert np.count_nonzero(ranks == RANKS.index("8")) > 5
    assert not (ranks == BACK).any()


@pytest.mark.parametrize("suit", "CS")
def test_a_slim_sign_is_drawn_the_same_from_a_seed_and_alike_on_both_sides(suit: str) -> None:
    for seed in range(6):
        one, again = (slim_suit(suit, np.random.default_rng(seed)) for _ in range(2))
        assert np.array_equal(one, again)
        assert np.abs(one.astype(int) - one[:, ::-1]).mean() < 12
        assert 0.2 < (one > 127).mean() < 0.8


@pytest.mark.parametrize("rank", FIGURES)
def test_a_figure_is_drawn_the_same_from_a_seed_and_otherwise_from_another(rank: str) -> None:
    one, again, other = (draw_figure(rank, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert one.shape != other.shape or not np.array_equal(one, other)
    assert 0.05 < (one > 127).mean() < 0.9
