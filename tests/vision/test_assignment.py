"""The assignment and its regrets, held against another library's and against forbidding each pair in turn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from vision.assignment import assign, regrets


def _least(cost: np.ndarray) -> float:
    rows, columns = linear_sum_assignment(cost)
    return float(cost[rows, columns].sum())


@pytest.mark.parametrize("seed", range(40))
def test_the_sum_is_the_least_there_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 14))
    shape = (rows, rows + int(rng.integers(0, 4)))
    # Every other matrix has ties.
    cost = rng.normal(size=shape) if seed % 2 else rng.integers(0, 4, shape).astype(np.float64)
    given = assign(cost)
    assert len(set(given.tolist())) == rows
    assert cost[np.arange(rows), given].sum() == pytest.approx(_least(cost))


@pytest.mark.parametrize("seed", range(20))
def test_a_regret_is_what_forbidding_the_pair_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (9, 9 + seed % 3)
    cost = rng.normal(size=shape) if seed % 2 else rng.integers(0, 4, shape).astype(np.float64)
    given = assign(cost)
    for row, regret in enumerate(regrets(cost, given)):
        forbidden = cost.copy()
        forbidden[row, given[row]] = 1e6
        assert regret == pytest.approx(_least(forbidden) - _least(cost), abs=1e-9)


def test_a_pair_that_cannot_be_otherwise_is_not_regretted_at_any_price() -> None:
    assert regrets(np.zeros((1, 1)), np.array([0])).tolist() == [np.inf]


@pytest.mark.parametrize("cost", [np.zeros((2, 1)), np.full((2, 2), np.inf), np.zeros(3)])
def test_what_is_no_matrix_of_costs_is_refused(cost: np.ndarray) -> None:
    with pytest.raises(ValueError, match="no more rows than columns"):
        assign(cost)
