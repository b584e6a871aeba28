"""The byte stuffing is that of the paper, as another package understands it too."""

from __future__ import annotations

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cobs import LENGTH_MAX, stuff, unstuff

with_zeros = st.lists(st.sampled_from([0, 0, 1, 2, 254, 255]), max_size=LENGTH_MAX).map(bytes)
anything = st.binary(max_size=LENGTH_MAX) | with_zeros


@pytest.mark.parametrize(
    ("data", "stuffed"),
    [
        # Zeros alone, in front, behind, in a row, and none.
        ("", "01"),
        ("00", "01 01"),
        ("00 00", "01 01 01"),
        ("11 22 00 33", "03 11 22 02 33"),
        ("11 22 33 44", "05 11 22 33 44"),
        ("11 00 00 00", "02 11 01 01 01"),
    ],
)
def test_each_zero_becomes_the_distance_to_the_next(data: str, stuffed: str) -> None:
    assert stuff(bytes.fromhex(data)) == bytes.fromhex(stuffed)
    assert unstuff(bytes.fromhex(stuffed)) == bytes.fromhex(data)


@given(anything)
def test_another_implementation_stuffs_alike(data: bytes) -> None:
    stuffed = stuff(data)
    assert stuffed == cobs.encode(data)
    assert unstuff(stuffed) == data


@given(st.lists(st.integers(1, 255), min_size=1, max_size=71).map(bytes))
def test_another_implementation_refuses_what_is_refused_here(frame: bytes) -> None:
    try:
        expected = cobs.decode(frame)
    except cobs.DecodeError:
        expected = None
    assert unstuff(frame) == expected
