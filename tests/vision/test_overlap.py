"""The edge of a second card, and the prints that must not be taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.doubts import Doubt
from vision.overlap import indices_apart, inner_edge, two_by_print

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image


def blank(noise: float = 2.0) -> Image:
    level = np.random.default_rng(3).normal(230, noise, (280, 200, 3))
    return np.clip(level, 0, 255).astype(np.uint8)


def laid(card: Image) -> NDArray[np.uint8]:
    """The card as the recogniser lays it straight: half as large, in its dimmest colour."""
    dimmest: NDArray[np.uint8] = card.min(axis=2)
    return cv2.resize(dimmest, (100, 140), interpolation=cv2.INTER_AREA).astype(np.uint8)


@pytest.mark.parametrize("depth", [0.09, 0.12, 0.2, 0.3])
@pytest.mark.parametrize("lean", [-3, 0, 3])
def test_an_upright_edge_from_end_to_end_is_seen_on_either_side(depth: float, lean: int) -> None:
    for x in (round(200 * depth), round(200 * (1 - depth))):
        card = blank()
        cv2.line(card, (x - lean, -2), (x + lean, 282), (190, 190, 190), 3)
        assert inner_edge(laid(card))


@pytest.mark.parametrize("depth", [0.09, 0.15])
def test_a_level_edge_is_seen_too(depth: float) -> None:
    card = blank()
    card[: round(280 * depth)] -= 40
    assert inner_edge(laid(card))


def test_blank_paper_has_none() -> None:
    assert not inner_edge(laid(blank(noise=6)))


def test_a_printed_frame_is_no_edge() -> None:
    card = blank()
    cv2.rectangle(card, (25, 22), (175, 258), (60, 40, 30), 2)
    cv2.rectangle(card, (10, 10), (190, 270), (60, 40, 30), 1)
    assert not inner_edge(laid(card))


def test_a_border_printed_all_round_is_no_edge() -> None:
    card = blank()
    cv2.rectangle(card, (12, 0), (187, 279), (120, 120, 120), 2)
    assert not inner_edge(laid(card))


def test_a_row_of_pips_is_no_edge() -> None:
    card = blank()
    for y in range(40, 260, 55):
        cv2.circle(card, (60, y), 18, (20, 20, 20), -1)
    assert not inner_edge(laid(card))


def index_crop(*, right: int = 0, down: int = 0) -> NDArray[np.uint8]:
    """The dimmest colour of a crop with a figure over a sign, out of its usual place by some px."""
    crop = np.full((72, 48), 235, np.uint8)
    cv2.putText(crop, "8", (8 + right, 30 + down), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30,), 2)
    cv2.circle(crop, (16 + right, 46 + down), 7, (30,), -1)
    return crop


@pytest.mark.parametrize(("right", "down"), [(5, 0), (10, 0), (-7, 3), (9, -2)])
def test_indices_at_different_distances_from_their_edges_are_apart(right: int, down: int) -> None:
    assert indices_apart(index_crop(right=right, down=down), index_crop(), wide=0.7)
    assert indices_apart(index_crop(), index_crop(right=right, down=down), wide=0.7)


@pytest.mark.parametrize(("right", "down"), [(0, 0), (2, -2), (-4, 4)])
def test_a_card_cut_off_centre_is_still_one(right: int, down: int) -> None:
    assert not indices_apart(index_crop(right=right, down=down), index_crop(), wide=0.7)


@pytest.mark.parametrize("right", [0, 5, -7])
def test_indices_apart_along_the_height_are_of_a_pack_with_an_uneven_print(right: int) -> None:
    print_off, other = index_crop(right=right, down=8), index_crop()
    assert not indices_apart(print_off, other, wide=0.72)
    assert indices_apart(print_off, other, wide=0.79), "no card is so wide: there are two"


def test_an_uneven_print_has_its_bounds() -> None:
    other = index_crop()
    assert indices_apart(index_crop(right=9, down=6), other, wide=0.72), "no pack is cut so far off"


def test_indices_that_are_not_alike_tell_nothing() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (72, 48)).astype(np.uint8)
    assert not indices_apart(index_crop(), noise, wide=0.7)


@pytest.mark.parametrize(("wide", "doubt"), [(0.64, None), (0.77, None), (0.8, Doubt.OTHER_SIZE)])
def test_where_no_indices_can_be_compared_the_width_tells(wide: float, doubt: Doubt | None) -> None:
    corners = np.array([[0, 0], [300 * wide, 0], [300 * wide, 300], [0, 300]], np.float32)
    assert two_by_print(laid(blank()), (), corners) is doubt
