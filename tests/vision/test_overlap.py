"""The edge of a second card, and the prints that must not be taken for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.overlap import inner_edge

if TYPE_CHECKING:
    from vision.frame import Image


def blank(noise: float = 2.0) -> Image:
    level = np.random.default_rng(3).normal(230, noise, (280, 200, 3))
    return np.clip(level, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("depth", [0.06, 0.1, 0.2, 0.3])
@pytest.mark.parametrize("lean", [-3, 0, 3])
def test_an_upright_edge_from_end_to_end_is_seen_on_either_side(depth: float, lean: int) -> None:
    for x in (round(200 * depth), round(200 * (1 - depth))):
        card = blank()
        cv2.line(card, (x - lean, -2), (x + lean, 282), (190, 190, 190), 3)
        assert inner_edge(card)


@pytest.mark.parametrize("depth", [0.06, 0.15])
def test_a_level_edge_is_seen_too(depth: float) -> None:
    card = blank()
    card[: round(280 * depth)] -= 40
    assert inner_edge(card)


def test_blank_paper_has_none() -> None:
    assert not inner_edge(blank(noise=6))


def test_a_printed_frame_is_no_edge() -> None:
    card = blank()
    cv2.rectangle(card, (25, 22), (175, 258), (60, 40, 30), 2)
    cv2.rectangle(card, (10, 10), (190, 270), (60, 40, 30), 1)
    assert not inner_edge(card)


def test_a_border_printed_all_round_is_no_edge() -> None:
    card = blank()
    cv2.rectangle(card, (12, 0), (187, 279), (120, 120, 120), 2)
    assert not inner_edge(card)


def test_a_row_of_pips_is_no_edge() -> None:
    card = blank()
    for y in range(40, 260, 55):
        cv2.circle(card, (60, y), 18, (20, 20, 20), -1)
    assert not inner_edge(card)
