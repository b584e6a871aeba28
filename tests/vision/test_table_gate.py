"""The short form of the gate of the table's camera; `python -m tests.benchmarks.bench_table` is the long one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.bench_table import bound
from tests.table_gate import FIRST_SEED, looked_at
from vision.table import shipped_table_reader

if TYPE_CHECKING:
    from pathlib import Path

SCENES = 24
"""Half of them with an open face."""


@pytest.mark.slow
def test_open_faces_are_found_with_no_false_alarm_and_no_wrong_card(test_data: Path) -> None:
    told = looked_at(range(FIRST_SEED, FIRST_SEED + SCENES), shipped_table_reader(), test_data)
    assert told.scenes == SCENES
    assert told.alarms == []
    assert told.wrong == []
    assert told.planted["all"] >= SCENES // 2 - 2
    assert told.found["all"] >= 0.9 * told.planted["all"]
    assert told.read["all"] >= 0.25 * told.planted["all"]


def test_a_face_lies_where_all_of_it_says_and_not_where_one_corner_would_have_it(test_data: Path) -> None:
    """A dark seven on the floor: its upper corner is easily taken for another one, half a card away."""
    told = looked_at([8_601_557], shipped_table_reader(), test_data)
    assert told.found["all"] == 1
    assert told.alarms == []


@pytest.mark.parametrize(
    # Rule of three for none; Clopper and Pearson 1934 for some (one-sided 95 %, from their tables).
    ("wrong", "looked", "rate"),
    [(0, 2000, 0.001497), (0, 20_000, 0.000150), (1, 100, 0.0466), (5, 100, 0.1023)],
)
def test_the_bound_is_the_exact_one(wrong: int, looked: int, rate: float) -> None:
    assert bound(wrong, looked) == pytest.approx(rate, rel=0.01)
