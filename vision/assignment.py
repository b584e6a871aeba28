"""The cheapest one-to-one assignment of rows to columns, exact, and what it would cost to have any pair otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Numbers = NDArray[np.int64]


def assign(cost: Matrix) -> Numbers:
    """Return for each row the column it is given, each column once, so that the sum of the costs is least.

    The method is that of shortest augmenting paths (Jonker and Volgenant, Computing 38, 1987, pages 325 to 340): a row
    after the other is brought in by the cheapest chain of changes, which a search by Dijkstra's method finds.

    Args:
        cost: `(rows, columns)`, finite, not more rows than columns.

    Raises:
        ValueError: the matrix is none of that kind.

    >>> assign(np.array([[1.0, 2.0], [1.0, 9.0]])).tolist()
    [1, 0]
    """
    rows, columns = _shape(cost)
    price = np.zeros(columns)
    owner = np.full(columns, -1, np.int64)
    for row in range(rows):
        _bring_in(cost, row, price, owner)
    given = np.empty(rows, np.int64)
    taken = np.flatnonzero(owner >= 0)
    given[owner[taken]] = taken
    return given


def regrets(cost: Matrix, given: Numbers) -> Matrix:
    """Return for each row by how much the sum grows at least, if the row must not have the column it is given.

    Args:
        cost: as for `assign`.
        given: the cheapest assignment of it.

    >>> regrets(np.array([[1.0, 2.0], [1.0, 9.0]]), np.array([1, 0])).tolist()
    [7.0, 7.0]
    """
    rows, columns = _shape(cost)
    own = cost[np.arange(rows), given]
    # An arrow from one row to another is the first taking over the column of the second; the last node stands for all
    # columns that nobody has.
    arrows = np.full((rows + 1, rows + 1), np.inf)
    arrows[:rows, :rows] = cost[:, given] - own[:, None]
    if columns > rows:
        free = np.setdiff1d(np.arange(columns), given)
        arrows[:rows, rows] = cost[:, free].min(axis=1) - own
        arrows[rows, :rows] = 0.0
    np.fill_diagonal(arrows, np.inf)
    paths = arrows.copy()
    np.fill_diagonal(paths, 0.0)
    for via in range(rows + 1):
        np.minimum(paths, paths[:, via, None] + paths[None, via], out=paths)
    round_trips = (arrows[:rows] + paths[:, :rows].T).min(axis=1)
    least: Matrix = np.maximum(round_trips, 0.0)
    return least


def _shape(cost: Matrix) -> tuple[int, int]:
    if cost.ndim != 2 or cost.shape[0] > cost.shape[1] or not np.isfinite(cost).all():
        raise ValueError(f"costs must be finite, with no more rows than columns; these have the shape {cost.shape}")
    return cost.shape[0], cost.shape[1]


def _bring_in(cost: Matrix, row: int, price: Matrix, owner: Numbers) -> None:
    """Give a new row a column, and others new ones along the cheapest chain; `price` and `owner` are written to."""
    columns = len(price)
    far = np.full(columns, np.inf)
    before = np.full(columns, -1, np.int64)
    done = np.zeros(columns, np.bool_)
    column, here, gone = -1, row, 0.0
    while True:
        # What the row there would pay elsewhere, beyond what it pays now.
        now = 0.0 if column < 0 else cost[here, column] - price[column]
        through = gone + cost[here] - price - now
        nearer = ~done & (through < far)
        far[nearer] = through[nearer]
        before[nearer] = column
        column = int(np.where(done, np.inf, far).argmin())
        done[column] = True
        gone = float(far[column])
        if owner[column] < 0:
            break
        here = int(owner[column])
    price[done] += far[done] - gone
    while column >= 0:
        previous = int(before[column])
        owner[column] = row if previous < 0 else owner[previous]
        column = previous
