"""Whether shuffles look like chance: chi-square tests of positions and of valleys.

Positions: with n shuffles of c cards the counts of card and place have fixed sums of rows and columns, so the usual
statistic is c/(c-1) times too great; times (c-1)/c it has (c-1)² degrees of freedom.

Valleys: places whose card lay before both its neighbours' cards. Of the permutations of n cards the share with k
valleys follows from v(n, k) = (2k+2) v(n-1, k) + (n-2k) v(n-1, k-1): a new lowest card that is put beside one of the k
valleys takes its place, at an end it makes none, and anywhere else it makes one more. It is the statistic that finds a
shelf shuffle: P. Diaconis, J. Fulman and S. Holmes, "Analysis of casino shelf shuffling machines", Annals of Applied
Probability 23 (2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy import stats

LEAST_EXPECTED = 5
"""Cells with fewer expected are put together with their neighbour."""


def positions_p(orders: Sequence[Sequence[int]]) -> float:
    """Return the p-value of the counts of card by place."""
    cards = len(orders[0])
    counted = np.zeros((cards, cards))
    for place in range(cards):
        counted[place] = np.bincount([order[place] for order in orders], minlength=cards)
    expected = len(orders) / cards
    statistic = ((counted - expected) ** 2 / expected).sum() * (cards - 1) / cards
    return float(stats.chi2.sf(statistic, (cards - 1) ** 2))


def valleys_of(order: Sequence[int]) -> int:
    """Return how many inner places hold a lower number than both neighbours."""
    falls = [first > second for first, second in pairwise(order)]
    return sum(fall and not next_fall for fall, next_fall in pairwise(falls))


def valleys_distribution(cards: int) -> list[float]:
    """Return the share of all permutations with 0, 1, 2 ... valleys."""
    shares = [Fraction(1)]
    for n in range(2, cards + 1):
        longer = [Fraction(0)] * ((n - 1) // 2 + 1)
        for k in range(len(longer)):
            kept = (2 * k + 2) * shares[k] if k < len(shares) else Fraction(0)
            made = (n - 2 * k) * shares[k - 1] if k else Fraction(0)
            longer[k] = (kept + made) / n
        shares = longer
    return [float(share) for share in shares]


def valleys_p(orders: Sequence[Sequence[int]]) -> float:
    """Return the p-value of the counts of valleys."""
    shares = valleys_distribution(len(orders[0]))
    counted = np.bincount([valleys_of(order) for order in orders], minlength=len(shares))
    cells: list[list[float]] = [[0.0, 0.0]]
    for count, share in zip(counted, shares, strict=True):
        if cells[-1][1] >= LEAST_EXPECTED:
            cells.append([0.0, 0.0])
        cells[-1][0] += count
        cells[-1][1] += share * len(orders)
    while len(cells) > 1 and cells[-1][1] < LEAST_EXPECTED:
        count, expected = cells.pop()
        cells[-1][0] += count
        cells[-1][1] += expected
    statistic = sum((count - expected) ** 2 / expected for count, expected in cells)
    return float(stats.chi2.sf(statistic, len(cells) - 1))
