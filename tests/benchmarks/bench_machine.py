"""How long a table deal takes on the bare simulated machine: `python -m tests.benchmarks.bench_machine`.

No controller's rules, no log, no frames: two shelf passes and 52 cards in raw requests. Wall time in ms and, beside it,
the machine's own time in s.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from firmware_bridge.events import Sorted
from hardware_sims.plan import Scenario
from hardware_sims.world import World
from tests.hardware_sims.conftest import RawClient

RUNS = 25
SHELVES = [number % 8 for number in range(52)]
PASS_WITHIN_US = 20_000_000


def timed(client: RawClient, act: Callable[[], object]) -> tuple[float, float]:
    """Return how long an act takes: wall, ms, and virtual, s."""
    began_us, began = client.now_us, time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1_000, (client.now_us - began_us) / 1e6


def sort_twice(client: RawClient) -> None:
    """Carry the pack over the shelves twice."""
    for command_id in (1, 2):
        client.sort(command_id, SHELVES)
        client.wait_for(Sorted, PASS_WITHIN_US)


def main() -> None:
    """Print the table."""
    passes, cards = [], []
    for seed in range(RUNS):
        client = RawClient(World(Scenario(), seed=seed))
        client.begin()

        passes.append(timed(client, partial(sort_twice, client)))
        cards.append(timed(client, partial(client.deal, first_id=3)))
    print(f"{'':24}{'median ms':>10}{'least ms':>10}{'machine s':>10}")
    for name, rows in (("two shelf passes", passes), ("52 cards dealt", cards)):
        wall = [row[0] for row in rows]
        print(f"{name:24}{statistics.median(wall):10.1f}{min(wall):10.1f}{max(row[1] for row in rows):10.1f}")


if __name__ == "__main__":
    main()
