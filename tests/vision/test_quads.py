"""Lines through points, and the outlines they make."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.quads import clockwise, crossings, fit_lines, medians, side_lengths

TALL = np.array([[10, 10], [30, 10], [30, 50], [10, 50]], np.float32)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::3])
def test_corners_come_clockwise_from_the_top_left_in_whatever_order_they_were(order: tuple[int, ...]) -> None:
    assert clockwise(TALL[list(order)]).tolist() == TALL.tolist()


def test_a_lying_card_begins_with_a_short_side() -> None:
    lying = TALL[:, ::-1].copy()
    assert side_lengths(clockwise(lying)).tolist() == [20, 40, 20, 40]


def test_lines_are_fitted_without_their_outliers() -> None:
    place = np.arange(20, dtype=np.float32)
    upright = np.stack([np.full(20, 7, np.float32), place], axis=1)
    points = np.stack([np.stack([place, slope * place + 1], axis=1) for slope in (2, -1, 0)] + [upright])
    points[0, 5] += (0, 30)
    fitted = fit_lines(points, np.ones((4, 20), np.bool_))
    assert fitted is not None
    lines, distances = fitted
    assert (lines[:3, 1] / lines[:3, 0]).tolist() == pytest.approx([2, -1, 0], abs=1e-4)
    assert lines[3, 0] == pytest.approx(0, abs=1e-6)
    assert (lines[:, 2] * -lines[:, 1] + lines[:, 3] * lines[:, 0])[2] == pytest.approx(1, abs=1e-4)
    assert distances.tolist() == pytest.approx([0, 0, 0, 0], abs=1e-4)


def test_unused_points_count_for_nothing_and_too_few_make_no_line() -> None:
    place = np.arange(20, dtype=np.float32)
    points = np.stack([place, np.where(place < 12, 3, 40 - place)], axis=1)[None].astype(np.float32)
    used = np.broadcast_to(place < 12, (4, 20))
    fitted = fit_lines(points, used)
    assert fitted is not None
    assert fitted[0][:, 1].tolist() == pytest.approx([0] * 4, abs=1e-6)
    assert fit_lines(points, used & (place >= 5)) is None


def test_medians_are_those_of_the_rows() -> None:
    assert medians(np.array([[3, 1, 2], [9, 7, 8]], np.float32)).tolist() == [2, 8]
    assert medians(np.array([[4, 1, 2, 3]], np.float32)).tolist() == [2.5]


def test_parallel_sides_have_no_corner() -> None:
    lines = np.array([[1, 0, 0, 0], [0, 1, 9, 0], [1, 0, 0, 9], [0, 1, 0, 0]], np.float32)
    corners = crossings(lines)
    assert corners is not None
    assert corners.tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert crossings(np.array([[1, 0, 0, 0], [1, 0, 0, 5], [1, 0, 0, 9], [0, 1, 0, 0]], np.float32)) is None
