"""Backs told from faces by what the other pass shows, where the index reads as nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.enrolled import CARDS, picture
from tests.vision.twins import card
from vision import enrol_pairs
from vision.classify import NO_RANK, NO_SUIT, RANK_CLASSES, SUIT_CLASSES, IndexReader
from vision.deck import IndexPlace
from vision.doubts import Doubt
from vision.enrol_looks import CardLook, look_at
from vision.enrol_names import Readings
from vision.enrol_pairs import Pass, borne_out, paired, read_passes
from vision.recogniser import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frame import Image

    Rows = NDArray[np.float32]

PLACE = IndexPlace(top=0.0, zoom=1.0, right=False)


class ReadsNothing(IndexReader):
    """Reads foreign letters: none of them as a rank."""

    def __init__(self) -> None:
        """Load no network."""

    def probabilities(self, crops: Sequence[Image]) -> tuple[Rows, Rows]:
        ranks, suits = np.zeros((len(crops), RANK_CLASSES)), np.zeros((len(crops), SUIT_CLASSES))
        ranks[:, NO_RANK], suits[:, NO_SUIT] = 1, 1
        return ranks.astype(np.float32), suits.astype(np.float32)


def look(number: int, seed: int, *, face: bool = True) -> CardLook:
    found = look_at(picture(CARDS[number], seed=seed, face=face), Limits())
    assert isinstance(found, CardLook)
    return found


@pytest.mark.parametrize("at", [0, 2, 4])
def test_the_back_of_one_pass_is_what_no_picture_of_the_other_is_like(at: int) -> None:
    faces = [look(number, number) for number in range(4)]
    again = [look(number, 101 + number) for number in range(4)]
    back = look(0, 7, face=False)
    shown, turned = read_passes([faces, [*again[:at], back, *again[at:]]], PLACE, ReadsNothing(), 4)
    assert (shown.backs, turned.backs) == ((), (back,))
    assert turned.looks == tuple(again)


def test_of_what_came_beyond_the_pack_a_back_that_was_missed_is_no_face() -> None:
    faces = [look(number, number) for number in range(4)]
    again = [look(number, 101 + number) for number in range(4)]
    shown, turned = read_passes([faces, [*again[:2], Doubt.TOO_LONG, *again[2:]]], PLACE, ReadsNothing(), 4)
    assert (shown.backs, turned.backs) == ((), ())
    assert turned.looks == tuple(again)
    assert (shown.faces, turned.faces) == (4, 4)
    assert (turned.missed_faces, len(turned.missed)) == (0, 1)


def test_a_face_that_was_missed_beside_the_back_is_a_face() -> None:
    faces = [look(number, number) for number in range(4)]
    again = [look(number, 101 + number) for number in range(3)]
    back = look(0, 7, face=False)
    shown, turned = read_passes([faces, [*again, back, Doubt.TOO_LONG]], PLACE, ReadsNothing(), 4)
    assert (shown.backs, turned.backs) == ((), (back,))
    assert turned.looks == tuple(again)
    assert (turned.faces, turned.missed_faces) == (4, 1)


def spoilt(number: int, seed: int) -> CardLook:
    return replace(look(number, seed), spoilt=Doubt.NOTCHED)


def test_a_spoilt_outline_counts_where_the_other_pass_shows_the_like_of_it() -> None:
    ace, queen = spoilt(0, 0), spoilt(3, 3)
    first, second = borne_out([[ace, look(1, 1), queen], [look(1, 101), spoilt(0, 100), Doubt.CUT]], 0.9, 1.0)
    assert [one is wanted for one, wanted in zip(first, (ace, None, Doubt.NOTCHED), strict=True)] == [True, False, True]
    assert isinstance(first[1], CardLook)
    assert [isinstance(one, CardLook) for one in second] == [True, True, False]


def test_where_many_outlines_are_spoilt_none_counts() -> None:
    both = [[spoilt(0, seed), look(1, seed + 1), look(2, seed + 2)] for seed in (0, 100)]
    assert [one[0] for one in borne_out(both, 0.7, 0.3)] == [Doubt.NOTCHED, Doubt.NOTCHED]
    assert [one[0] for one in borne_out(both, 0.7, 0.4)] == [both[0][0], both[1][0]]


@pytest.mark.parametrize("whole", [[0, 1], [1, 0]])
def test_two_pairs_that_the_whole_card_mixed_up_are_told_by_a_small_sign(
    whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    base = look(0, 0)
    ranks, suits = np.eye(RANK_CLASSES, dtype=np.float32), np.eye(SUIT_CLASSES, dtype=np.float32)
    unread = Readings(ranks=ranks[NO_RANK], suits=suits[NO_SUIT])

    def one_pass(seed: int, *signs: str) -> Pass:
        shown = (card(sign, seed=seed + at) for at, sign in enumerate(signs))
        looks = tuple(replace(base, picture=one) for one in shown)
        return Pass(looks=looks, readings=(unread,) * len(looks), backs=(), missed=(), missed_faces=0)

    monkeypatch.setattr(enrol_pairs, "assign", lambda cost: np.array(whole))
    both = one_pass(1, "disc", "bar"), one_pass(11, "bar", "disc")
    assert [tuple(at for _, at in group) for group in paired(both)] == [(0, 1), (1, 0)]
