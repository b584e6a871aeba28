"""Numbers from a seed: the generator, its streams and the orders it makes."""

from __future__ import annotations

from collections import Counter

from hardware_sims.seeded import Stream, mixed


def test_mixing_is_that_of_splitmix64() -> None:
    # First outputs for seed 0, as in the reference implementation of the generator's authors.
    golden = 0x9E3779B97F4A7C15
    assert mixed(golden) == 0xE220A8397B1DCDAF
    assert mixed(2 * golden & (1 << 64) - 1) == 0x6E789E6AA1B965F4


def test_a_stream_depends_on_seed_and_purpose() -> None:
    assert Stream(1, "a").bits() == Stream(1, "a").bits()
    assert len({Stream(1, "a").bits(), Stream(2, "a").bits(), Stream(1, "b").bits(), Stream(1, "a", 1).bits()}) == 4


def test_every_order_of_three_is_about_equally_likely() -> None:
    stream = Stream(3, "orders")
    seen = Counter(tuple(stream.shuffled("abc")) for _ in range(6_000))
    assert len(seen) == 6
    assert all(850 < count < 1_150 for count in seen.values())


def test_units_fill_the_interval() -> None:
    stream = Stream(4, "units")
    values = [stream.unit() for _ in range(1_000)]
    assert 0 <= min(values) < 0.01
    assert 0.99 < max(values) < 1
