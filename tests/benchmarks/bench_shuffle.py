"""Whether blind shuffles look like chance, and what they cost: `python -m tests.benchmarks.bench_shuffle`.

200,000 packs of 52 are shuffled by the draw, its permutation and its two passes; the tests are those of
`tests/shuffle_statistics.py`.
"""

from __future__ import annotations

import time

from controller.shuffle import carried, draw_seed, passes, permutation
from tests.shuffle_statistics import positions_p, valleys_p

SHUFFLES = 200_000
KEY = bytes(31) + b"\1"


def main() -> None:
    """Print the table."""
    began = time.perf_counter()
    orders = []
    for attempt in range(1, SHUFFLES + 1):
        first, second = passes(permutation(draw_seed(KEY, attempt), 52))
        orders.append(carried(carried(range(52), first), second))
        if attempt % 50_000 == 0:
            print(f"{attempt:7d} shuffles, {time.perf_counter() - began:.1f} s", flush=True)
    took_us = (time.perf_counter() - began) / SHUFFLES * 1e6
    one_pass = [carried(range(52), passes(order)[0]) for order in orders[:2_000]]
    print(f"{'chi-square, p-value':<44} {'positions':>10} {'valleys':>10}")
    print(f"{'blind shuffle, 200,000 packs of 52':<44} {positions_p(orders):10.4f} {valleys_p(orders):10.4f}")
    print(
        f"{'one pass alone, 2,000 packs (must be found)':<44} {positions_p(one_pass):10.2g} {valleys_p(one_pass):10.2g}"
    )
    print(f"draw, permutation, passes, carrying: {took_us:.0f} µs a shuffle")


if __name__ == "__main__":
    main()
