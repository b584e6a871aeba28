"""Lines through points, and the outlines they make."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.quads import clockwise, crossings, fit_line, side_lengths

TALL = np.array([[10, 10], [30, 10], [30, 50], [10, 50]], np.float32)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::3])
def test_corners_come_clockwise_from_the_top_left_in_whatever_order_they_were(order: tuple[int, ...]) -> None:
    assert clockwise(TALL[list(order)]).tolist() == TALL.tolist()


def test_a_lying_card_begins_with_a_short_side() -> None:
    lying = TALL[:, ::-1].copy()
    assert side_lengths(clockwise(lying)).tolist() == [20, 40, 20, 40]


def test_a_line_is_fitted_without_its_outliers() -> None:
    points = np.array([[x, 2 * x + 1] for x in range(20)], np.float32)
    points[5] += (0, 30)
    line = fit_line(points)
    assert line is not None
    assert line[1] / line[0] == pytest.approx(2, abs=0.01)
    assert fit_line(points[:5]) is None


def test_parallel_sides_have_no_corner() -> None:
    lines = np.array([[1, 0, 0, 0], [0, 1, 9, 0], [1, 0, 0, 9], [0, 1, 0, 0]], np.float32)
    corners = crossings(lines)
    assert corners is not None
    assert corners.tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert crossings(np.array([[1, 0, 0, 0], [1, 0, 0, 5], [1, 0, 0, 9], [0, 1, 0, 0]], np.float32)) is None
