"""Two cards that differ by one small sign: told apart by it whatever lies elsewhere, and not where nothing differs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.twins import card
from vision.deck_twins import Closely, Difference, Shown, hardly_told


def closely(sign: str, *, glare: tuple[int, int] | None = None) -> Closely:
    return Closely(np.stack([card(sign, seed=2, glare=glare), card(sign, seed=3)]))


def clear(one: Closely, other: Closely, picture: np.ndarray) -> float:
    return Difference(one, other).clear(one.lay(Shown(np.ascontiguousarray(picture))))


@pytest.mark.parametrize("other", ["bar", "none"])
@pytest.mark.parametrize("glare", [None, (30, 110), (40, 30)])
def test_a_small_sign_tells_two_cards_apart_whatever_glares_elsewhere(
    other: str, glare: tuple[int, int] | None
) -> None:
    one, its = closely("disc"), closely(other)
    for seen, sign in ((1, "disc"), (-1, other)):
        picture = card(sign, seed=9, glare=glare)
        for way in (picture, picture[::-1, ::-1]):
            assert clear(one, its, way) == pytest.approx(seen, abs=0.35)


def test_it_is_told_from_either_side_alike() -> None:
    one, other, picture = closely("disc"), closely("bar"), card("disc", seed=9)
    assert clear(other, one, picture) == pytest.approx(-clear(one, other, picture), abs=0.2)


def test_pale_print_is_the_same_print() -> None:
    pale = (card("disc", seed=9).astype(float) * 0.6 + 80).astype(np.uint8)
    assert clear(closely("disc"), closely("bar"), pale) > 0.6


def test_what_only_one_picture_shows_is_no_difference() -> None:
    """Glare lies on one picture of one card; between the two, nothing else differs, and nothing is told."""
    dazzled, plain = closely("disc", glare=(30, 110)), Closely(np.stack([card("disc", seed=5), card("disc", seed=6)]))
    for glare in (None, (30, 110)):
        assert clear(dazzled, plain, card("disc", seed=9, glare=glare)) == 0.0


def test_glare_on_one_picture_does_not_hide_the_sign() -> None:
    dazzled, other = closely("disc", glare=(30, 110)), closely("bar")
    for seen, sign in ((1, "disc"), (-1, "bar")):
        assert clear(dazzled, other, card(sign, seed=9)) == pytest.approx(seen, abs=0.35)


def test_only_what_the_whole_card_hardly_tells_is_looked_at_closely() -> None:
    likenesses = np.array([0.8, 0.78, 0.65, 0.5, 0.97], np.float32)
    clears = np.array([np.inf, 0.7, 0.3, 0.9, -0.7], np.float32)
    assert hardly_told(0, likenesses, clears) == [1, 2]
