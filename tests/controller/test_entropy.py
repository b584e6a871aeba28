"""Random bytes: repeatable from a seed, from the system without one."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from controller.entropy import seeded_entropy, system_entropy


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 64, 100])
def test_as_many_bytes_come_as_are_asked_for(count: int) -> None:
    assert len(seeded_entropy(3)(count)) == count
    assert len(system_entropy(count)) == count


def test_one_seed_gives_the_same_bytes_again() -> None:
    one, other = seeded_entropy(7), seeded_entropy(7)
    assert [one(count) for count in (32, 12, 16, 100)] == [other(count) for count in (32, 12, 16, 100)]


def test_seeds_give_different_bytes() -> None:
    assert len({seeded_entropy(seed)(32) for seed in (-1, 0, 1, 2, 10**30)}) == 5


def test_no_bytes_come_twice() -> None:
    draw = seeded_entropy(7)
    assert len({draw(16) for _ in range(1_000)}) == 1_000


def test_the_bytes_are_those_of_the_documented_construction() -> None:
    """HMAC-SHA256 of a counter under the hash of the seed; a recorded seeded run can be made again by anybody."""
    key = hashlib.sha256(b"pone seed 7").digest()
    blocks = [hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256).digest() for number in range(3)]
    draw = seeded_entropy(7)
    assert draw(40) == (blocks[0] + blocks[1])[:40]
    assert draw(4) == blocks[2][:4], "a new draw begins a new block"


def test_the_system_does_not_repeat_itself() -> None:
    assert system_entropy(32) != system_entropy(32)
