"""Lines through points, and the outlines they make."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.quads import clockwise, crossings, fit_sides, medians, side_lengths, ways

TALL = np.array([[10, 10], [30, 10], [30, 50], [10, 50]], np.float32)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::3])
def test_corners_come_clockwise_from_the_top_left_in_whatever_order_they_were(order: tuple[int, ...]) -> None:
    assert clockwise(TALL[list(order)]).tolist() == TALL.tolist()


def test_a_lying_card_begins_with_a_short_side() -> None:
    lying = TALL[:, ::-1].copy()
    assert side_lengths(clockwise(lying)).tolist() == [20, 40, 20, 40]


def test_sides_run_clockwise_and_outward_is_to_their_left() -> None:
    assert ways(TALL) == [
        (10, 10, 20, 0, 0, -1),
        (30, 10, 0, 40, 1, 0),
        (30, 50, -20, 0, 0, 1),
        (10, 50, 0, -40, -1, 0),
    ]


PLACE = np.linspace(0, 1, 20, dtype=np.float32)


def test_sides_are_fitted_without_their_outliers() -> None:
    """Sides that are wider below than above, and one point far out."""
    off = np.stack([0 * PLACE, 4 * PLACE, 4 + 0 * PLACE, 4 - 4 * PLACE])
    off[1, 5] += 30
    fitted = fit_sides(TALL, PLACE, off, np.ones((4, 20), np.bool_))
    assert fitted is not None
    lines, distances = fitted
    corners = crossings(lines)
    assert corners is not None
    expected = np.array([[10, 10], [30, 10], [34.4, 54], [5.6, 54]], np.float32)
    assert np.allclose(corners, expected, atol=1e-3)
    assert np.allclose(distances, 0, atol=1e-4)


def test_distances_are_medians_across_the_side() -> None:
    off = np.tile(np.where(np.arange(20) % 2, 0.5, -0.5).astype(np.float32), (4, 1))
    fitted = fit_sides(TALL, PLACE, off, np.ones((4, 20), np.bool_))
    assert fitted is not None
    assert fitted[1].tolist() == pytest.approx([0.5] * 4, abs=0.1)


def test_unused_points_count_for_nothing_and_too_few_make_no_side() -> None:
    off = np.tile(np.where(PLACE < 0.6, 3, 40 * PLACE).astype(np.float32), (4, 1))
    used = np.broadcast_to(PLACE < 0.6, (4, 20))
    fitted = fit_sides(TALL, PLACE, off, used)
    assert fitted is not None
    corners = crossings(fitted[0])
    assert corners is not None
    assert np.allclose(corners, np.array([[7, 7], [33, 7], [33, 53], [7, 53]], np.float32), atol=1e-3)
    assert fit_sides(TALL, PLACE, off, used & (PLACE > 0.3)) is None


def test_medians_are_those_of_the_rows() -> None:
    assert medians(np.array([[3, 1, 2], [9, 7, 8]], np.float32)).tolist() == [2, 8]
    assert medians(np.array([[4, 1, 2, 3]], np.float32)).tolist() == [2.5]


def test_parallel_sides_have_no_corner() -> None:
    along, down = [(1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 9.0)], [(0.0, 1.0, 9.0, 0.0), (0.0, 1.0, 0.0, 0.0)]
    corners = crossings([along[0], down[0], along[1], down[1]])
    assert corners is not None
    assert corners.tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert crossings([*along, *down]) is None
