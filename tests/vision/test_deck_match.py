"""Matching a card with a deck: the move that brings one picture onto another, and likeness and clearness."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from tests.vision.enrolled import CARDS, deck
from vision.deck_fit import COLUMNS, ROWS, brought_onto, likeness, moved_onto, turned
from vision.deck_match import DeckMatcher, Templates
from vision.deck_picture import features

EVEN = np.ones((2, ROWS, COLUMNS), np.float32)


def blobs(seed: int) -> np.ndarray:
    """Soft spots at places of chance, as pips are at this size."""
    rng = np.random.default_rng(seed)
    spots = rng.normal(0, 1, (2, ROWS, COLUMNS)).astype(np.float32)
    return np.stack([cv2.GaussianBlur(one, (0, 0), 3) for one in spots])


@pytest.mark.parametrize(("right", "down"), [(1.0, 0.0), (0.0, -1.0), (0.7, 0.6)])
def test_a_shift_of_a_pixel_is_found(right: float, down: float) -> None:
    wanted = blobs(1)
    shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
    moved = [cv2.warpAffine(one, shift, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE) for one in wanted]
    shown = np.stack(moved).astype(np.float32)
    before = likeness(shown, wanted)
    after = likeness(moved_onto(shown, wanted, EVEN), wanted)
    assert before < 0.99 < after


def test_what_is_unlike_is_not_moved() -> None:
    assert np.array_equal(moved_onto(blobs(1), -blobs(1), EVEN), blobs(1))


def test_the_way_up_is_found() -> None:
    shown = blobs(3)
    for way, turn in ((shown, False), (turned(shown), True)):
        found, was_turned, moved = brought_onto(way, shown)
        assert found == pytest.approx(1.0, abs=1e-4)
        assert was_turned is turn
        assert np.allclose(moved, shown, atol=0.02)


def test_a_picture_half_way_between_two_is_clearly_neither() -> None:
    one, other = blobs(1), blobs(2)
    templates = Templates(np.stack([one, other, blobs(3)]), np.ones_like(one))
    assert templates.match(one).place == 0
    assert templates.match(one).clear == pytest.approx(1.0, abs=0.1)
    assert abs(templates.match(one + other).clear) < 0.15


def test_every_card_of_a_deck_is_most_like_itself_either_way_up() -> None:
    matcher = DeckMatcher(deck())
    for place in range(0, len(CARDS), 4):
        for picture in (deck().pictures[place, 0], deck().pictures[place, 1][::-1, ::-1]):
            found = matcher.match(np.ascontiguousarray(picture))
            assert found.place == place
            assert found.likeness > 0.95
            assert found.clear > 0.5


def test_the_light_does_not_matter() -> None:
    matcher = DeckMatcher(deck())
    dim = (deck().pictures[5, 0] * np.array([0.6, 0.7, 0.65])).astype(np.uint8)
    assert matcher.match(dim).place == 5
    assert likeness(features(dim), features(deck().pictures[5, 0])) > 0.98


def test_matching_takes_milliseconds_at_most() -> None:
    matcher, picture = DeckMatcher(deck()), deck().pictures[0, 0]
    took = []
    for _ in range(20):
        began = time.thread_time()
        matcher.match(picture)
        took.append(time.thread_time() - began)
    assert min(took) < 0.005
