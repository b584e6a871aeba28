"""The blind shuffle: the permutation that a draw gives, and the two passes over the shelves that carry it out. Pure.

The draw is a seed of 32 bytes. It follows from the deal's key, so that closing the deal, which writes the key into the
log, lets anybody draw again; before the first pass the record holds its commitment.

    seed       = HMAC-SHA256(deal key, "pone draw 1" 00 || attempt, 4 bytes big endian)
    commitment = SHA-256(seed)
    stream     = HMAC-SHA256(seed, 0) || HMAC-SHA256(seed, 1) || ..., the counter in 4 bytes big endian

The permutation is that of R. Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964): for n from the number of
cards down to 2, one of n places by the next byte of the stream. A byte that would favour the low places is passed over,
so each of the permutations is as likely as any other.

Each pass deals the pack onto shelves and lays the shelves, from the first on, back into the hopper, a shelf's cards in
the order in which they came. Sorting by the low digit of the place wanted and then by the high one (D. E. Knuth, *The
Art of Computer Programming* 3, 5.2.5) therefore brings each card to its place: with 8 shelves, 64 cards at most.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from firmware_bridge.messages import PASS_CARDS_MAX, SHELVES

_SHELF_BITS: Final = 3

PASS_BYTES: Final = PASS_CARDS_MAX * _SHELF_BITS // 8
"""Length of the packed shelves of one pass: three bits for each of 64 cards."""

_Card = TypeVar("_Card")


def draw_seed(key: bytes, attempt: int) -> bytes:
    """Return the seed of a deal's draw, 32 bytes; `attempt` counts from 1, anew for each shuffle of the deal."""
    return hmac.digest(key, b"pone draw 1\0" + attempt.to_bytes(4, "big"), "sha256")


def commitment(seed: bytes) -> str:
    """Return what the record holds of a draw before the first pass: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def permutation(seed: bytes, cards: int) -> tuple[int, ...]:
    """Return the order in which the pack is to lie: for each place in fed order, where its card lies now, from 0.

    Raises:
        ValueError: the pack has no card, or more than two passes can order.

    >>> permutation(bytes(32), 5)
    (3, 2, 1, 4, 0)
    """
    if not 1 <= cards <= SHELVES**2:
        raise ValueError(f"two passes over {SHELVES} shelves order 1 to {SHELVES**2} cards, not {cards}")
    order = list(range(cards))
    stream = _stream(seed)
    for n in range(cards, 1, -1):
        place = _below(n, stream)
        order[n - 1], order[place] = order[place], order[n - 1]
    return tuple(order)


def _stream(seed: bytes) -> Iterator[int]:
    """Yield the bytes of the seed's stream for ever."""
    counter = 0
    while True:
        yield from hmac.digest(seed, counter.to_bytes(4, "big"), "sha256")
        counter += 1


def _below(n: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to n - 1, each as likely, by the first byte that favours none."""
    fair = 256 - 256 % n
    return next(byte for byte in stream if byte < fair) % n


def passes(order: Sequence[int], shelves: int = SHELVES) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shelf of each card, in fed order, in the first and in the second pass that together give `order`.

    Raises:
        ValueError: `order` names a place twice or leaves one out, or has more places than two passes can order.

    >>> first, second = passes((3, 1, 0, 2), shelves=2)
    >>> carried(carried("abcd", first), second)
    ('d', 'b', 'a', 'c')
    """
    if sorted(order) != list(range(len(order))) or len(order) > shelves**2:
        raise ValueError(f"no order that two passes over {shelves} shelves give: {order!r}")
    wanted = [0] * len(order)
    for place, card in enumerate(order):
        wanted[card] = place
    first = tuple(place % shelves for place in wanted)
    second = tuple(place // shelves for place in carried(wanted, first))
    return first, second


def carried(pack: Sequence[_Card], shelves: Sequence[int]) -> tuple[_Card, ...]:
    """Return the pack as it lies after a pass, in fed order.

    >>> carried("abcd", (1, 0, 1, 0))
    ('b', 'd', 'a', 'c')
    """
    lying = sorted(range(len(pack)), key=lambda card: shelves[card])  # the sort is stable
    return tuple(pack[card] for card in lying)


def packed(shelves: Sequence[int]) -> bytes:
    """Return the shelves of a pass as a `ShelfPass` carries them: three bits a card, the first card's the lowest.

    >>> packed((1, 2, 3)).hex()[:6]
    'd10000'
    """
    bits = sum(shelf << _SHELF_BITS * card for card, shelf in enumerate(shelves))
    return bits.to_bytes(PASS_BYTES, "little")


def counts(shelves: Sequence[int]) -> tuple[int, ...]:
    """Return how many cards of a pass each of the eight shelves is to receive."""
    return tuple(shelves.count(shelf) for shelf in range(SHELVES))
