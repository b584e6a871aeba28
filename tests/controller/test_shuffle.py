"""The blind shuffle: exact, fair and drawn again by anybody who has the key."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.shuffle import (
    carried,
    commitment,
    counts,
    draw_seed,
    packed,
    passes,
    permutation,
)
from firmware_bridge.messages import SHELVES
from tests.shuffle_statistics import positions_p, valleys_distribution, valleys_of, valleys_p

PACKS = (24, 25, 32, 33, 52)


@pytest.mark.parametrize("cards", PACKS)
@given(data=st.data())
def test_two_passes_realise_any_permutation(cards: int, data: st.DataObject) -> None:
    order = tuple(data.draw(st.permutations(range(cards))))
    first, second = passes(order)
    assert carried(carried(range(cards), first), second) == order
    assert all(0 <= shelf < SHELVES for shelf in (*first, *second))


def test_each_order_of_four_cards_is_reached_once_over_all_assignments_of_two_shelves() -> None:
    """A card's two shelves are its place in binary; the 24 ways to give four cards the four pairs give 24 orders."""
    pairs = list(itertools.product(range(2), repeat=2))
    reached: Counter[tuple[int, ...]] = Counter()
    for given_pairs in permutations(pairs):
        first = tuple(pair[0] for pair in given_pairs)
        second = tuple(pair[1] for pair in carried(given_pairs, first))
        reached[carried(carried(range(4), first), second)] += 1
    assert reached == Counter(dict.fromkeys(permutations(range(4)), 1))


def test_every_order_of_four_cards_is_given_by_its_own_passes() -> None:
    assignments = {passes(order, shelves=2) for order in permutations(range(4))}
    assert len(assignments) == 24


def test_a_draw_follows_from_the_key_and_the_attempt() -> None:
    key = bytes(range(32))
    seed = draw_seed(key, 2)
    assert seed == hmac.new(key, b"pone draw 1\x00\x00\x00\x00\x02", hashlib.sha256).digest()
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()
    assert draw_seed(key, 1) != seed


def test_the_permutation_is_that_of_the_stream() -> None:
    """Worked by hand from the definition: three cards, and bytes that favour no place."""
    seed = bytes(32)
    stream = hmac.new(seed, bytes(4), hashlib.sha256).digest()
    fair = [byte for byte in stream if byte < 255]
    order = [0, 1, 2]
    place = fair[0] % 3
    order[2], order[place] = order[place], order[2]
    place = stream[stream.index(fair[0]) + 1] % 2
    order[1], order[place] = order[place], order[1]
    assert permutation(seed, 3) == tuple(order)


def test_bytes_that_favour_low_places_are_passed_over() -> None:
    """Of 256 bytes 208 are fair for 52 places; a draw that took all of them by remainder would favour 48 places."""
    drawn = Counter(permutation(draw_seed(bytes(32), attempt), 52)[51] for attempt in range(1, 20_001))
    assert set(drawn) == set(range(52))
    favoured = sum(drawn[place] for place in range(48)) / 20_000
    assert favoured == pytest.approx(48 / 52, abs=0.006)  # 240/256 = 0.9375 if all bytes were taken, 0.923 if fair


@pytest.mark.parametrize("cards", [0, 65])
def test_packs_that_two_passes_cannot_order_are_refused(cards: int) -> None:
    with pytest.raises(ValueError, match="1 to 64"):
        permutation(bytes(32), cards)


@pytest.mark.parametrize("order", [(0, 0, 1), (1, 2), tuple(range(65))])
def test_what_is_no_order_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no order"):
        passes(order)


def test_shelves_are_packed_three_bits_a_card() -> None:
    shelves = tuple(card % 8 for card in range(52))
    data = packed(shelves)
    assert len(data) == 24
    bits = int.from_bytes(data, "little")
    assert tuple(bits >> 3 * card & 7 for card in range(64)) == shelves + (0,) * 12
    assert counts(shelves) == (7, 7, 7, 7, 6, 6, 6, 6)


# --- fairness --------------------------------------------------------------------------------------------------------


def test_the_distribution_of_valleys_is_that_of_all_permutations() -> None:
    for n in (3, 5, 7):
        counted = Counter(valleys_of(order) for order in permutations(range(n)))
        total = sum(counted.values())
        assert valleys_distribution(n) == pytest.approx([counted[k] / total for k in range(len(counted))])


def test_statistics_of_blind_shuffles_are_those_of_chance() -> None:
    """The short form of `tests/benchmarks/bench_shuffle.py`: the seeds are fixed, so it cannot fail by chance."""
    orders = [shuffled(attempt) for attempt in range(1, 6_001)]
    assert positions_p(orders) > 0.001
    assert valleys_p(orders) > 0.001


def test_the_statistics_find_a_shuffle_that_is_not_fair() -> None:
    """One pass alone, or a remainder without rejection, must not pass for chance."""
    one_pass = [carried(range(52), passes(permutation(draw_seed(bytes(32), n), 52))[0]) for n in range(1, 1_001)]
    assert positions_p(one_pass) < 1e-6
    assert valleys_p(one_pass) < 1e-6


def shuffled(attempt: int) -> tuple[int, ...]:
    """Return a pack of 52 after a blind shuffle, carried out by its two passes."""
    first, second = passes(permutation(draw_seed(bytes(32), attempt), 52))
    return carried(carried(range(52), first), second)
