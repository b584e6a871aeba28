"""The four seats of the table, their sides, and the order in which a pattern gives them cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Seat(StrEnum):
    """A seat at the table, in rotation to the left."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"


_NAMES: Final = {Seat.N: "North", Seat.E: "East", Seat.S: "South", Seat.W: "West"}


def seat_name(seat: str) -> str:
    """Return the seat in words.

    >>> seat_name("W")
    'West'
    """
    return _NAMES[Seat(seat)]


_ROTATION: Final = tuple(Seat)
_TURNS: Final = {seat: _ROTATION[place:] + _ROTATION[:place] for place, seat in enumerate(_ROTATION)}


def rotation(first: Seat) -> tuple[Seat, ...]:
    """Return the four seats in rotation to the left, beginning with `first`.

    >>> [str(seat) for seat in rotation(Seat.S)]
    ['S', 'W', 'N', 'E']
    """
    return _TURNS[first]


def left_of(seat: Seat) -> Seat:
    """Return the next seat in rotation; of the dealer, the eldest hand."""
    return _TURNS[seat][1]


def partner_of(seat: Seat) -> Seat:
    """Return the seat opposite."""
    return _TURNS[seat][2]


def pone_of(seat: Seat) -> Seat:
    """Return the seat on the right; of the dealer, the player who cuts."""
    return _TURNS[seat][3]


def side_of(seat: Seat) -> tuple[Seat, Seat]:
    """Return the seat and its partner."""
    return seat, _TURNS[seat][2]


def adversaries_of(seat: Seat) -> tuple[Seat, Seat]:
    """Return the other side: the seat on the left, then the seat on the right."""
    return _TURNS[seat][1], _TURNS[seat][3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """How a pack is given out.

    Attributes:
        places: for each card in the order of dealing, the seat it belongs to: 1 the eldest hand, 2 the dealer's
            partner, 3 the pone, 0 the dealer.
        hand: cards of a full hand.
        trump: number of the card that is turned up, counted from 1; None where none is.
    """

    places: tuple[int, ...]
    hand: int
    trump: int | None = None

    def order(self, dealer: Seat) -> tuple[Seat, ...]:
        """Return the seats of all cards in the order of dealing.

        >>> [str(seat) for seat in SINGLY.order(Seat.S)[:5]]
        ['W', 'N', 'E', 'S', 'W']
        """
        turns = _TURNS[dealer]
        return tuple(turns[place] for place in self.places)


def pattern(*packets: int, trump: int | None = None) -> Pattern:
    """Return the pattern that gives, turn by turn in rotation from the eldest hand, these numbers of cards.

    >>> pattern(2, 2, 2, 2, 3, 3, 3, 3).places[7:12]
    (0, 1, 1, 1, 2)
    """
    places = tuple((turn + 1) % 4 for turn, cards in enumerate(packets) for _ in range(cards))
    return Pattern(places=places, hand=len(places) // 4, trump=trump)


SINGLY: Final = pattern(*(1,) * 52, trump=52)
"""Whist: 52 cards one at a time; the last, the dealer's, is turned up."""


def seat_of(k: int, dealer: Seat, dealt: Pattern = SINGLY) -> Seat:
    """Return the seat that the `k`-th card belongs to, counted from 1.

    Raises:
        IndexError: no hand receives a `k`-th card.

    >>> seat_of(1, Seat.S), seat_of(52, Seat.S)
    (<Seat.W: 'W'>, <Seat.S: 'S'>)
    """
    if not 1 <= k <= len(dealt.places):
        raise IndexError(f"card {k} goes to no hand: {len(dealt.places)} are dealt")
    return _TURNS[dealer][dealt.places[k - 1]]
