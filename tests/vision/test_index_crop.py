"""Whitening an index crop."""

from __future__ import annotations

import numpy as np
import pytest

from vision.index_crop import PAPER_LEVEL, whiten


@pytest.mark.parametrize("paper", [(250, 250, 250), (120, 180, 220), (40, 60, 80)])
def test_paper_of_any_tint_and_light_comes_out_white(paper: tuple[int, int, int]) -> None:
    crop = np.empty((72, 48, 3), np.uint8)
    crop[:] = paper
    crop[20:40, 10:20] = (10, 10, 10)
    white = whiten(crop)
    assert white.shape == crop.shape
    assert white.dtype == np.uint8
    assert np.abs(white[0, 0].astype(int) - PAPER_LEVEL).max() <= 1
    assert white[30, 15].max() < 70


def test_a_black_crop_is_not_blown_up_to_white() -> None:
    crop = np.full((72, 48, 3), 3, np.uint8)
    assert whiten(crop).max() < 40
