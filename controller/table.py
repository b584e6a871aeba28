"""The four seats of the table, their sides, and the order in which a pattern gives them cards."""

from __future__ import annotations

from dataclasses import dataclass, field
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
        packets: turn by turn in rotation from the eldest hand, how many cards fall to a seat.
        trump: number of the card that is turned up, counted from 1; None where none is.
        name: the pattern's name in the record; empty where the code has no other.
        places: for each card in the order of dealing, the seat it belongs to: 1 the eldest hand, 2 the dealer's
            partner, 3 the pone, 0 the dealer.
        hand: cards of a full hand.
        given: cards that all hands together receive.
    """

    packets: tuple[int, ...]
    trump: int | None = None
    name: str = ""
    places: tuple[int, ...] = field(init=False, repr=False)
    hand: int = field(init=False)
    given: int = field(init=False)

    def __post_init__(self) -> None:
        places = tuple((turn + 1) % 4 for turn, cards in enumerate(self.packets) for _ in range(cards))
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "hand", len(places) // 4)
        object.__setattr__(self, "given", len(places))

    @property
    def trump_is_dealt(self) -> bool:
        """Whether the card that is turned up is one of a hand, as in whist, and does not lie on the stock.

        >>> SINGLY.trump_is_dealt, TWO_THREE.trump_is_dealt
        (True, False)
        """
        return self.trump is not None and self.trump <= self.given

    @property
    def leave_pack(self) -> int:
        """Cards that leave the pack: those of the hands, and the one turned up.

        >>> SINGLY.leave_pack, TWO_THREE.leave_pack
        (52, 21)
        """
        return max(self.given, self.trump or 0)

    def stock(self, pack: int) -> int:
        """Return how many cards of a pack of that size go to no hand; the turned one may lie on them.

        >>> TWO_THREE.stock(32), SINGLY.stock(52)
        (12, 0)
        """
        return pack - self.given

    def order(self, dealer: Seat) -> tuple[Seat, ...]:
        """Return the seats of all cards in the order of dealing.

        >>> [str(seat) for seat in SINGLY.order(Seat.S)[:5]]
        ['W', 'N', 'E', 'S', 'W']
        """
        turns = _TURNS[dealer]
        return tuple([turns[place] for place in self.places])

    def seat_of(self, k: int, dealer: Seat) -> Seat:
        """Return the seat of the card dealt as number `k`, from 1.

        >>> str(SINGLY.seat_of(3, Seat.S))
        'E'
        """
        return _TURNS[dealer][self.places[k - 1]]

    def same_up_to(self, k: int, other: Pattern) -> bool:
        """Return whether both patterns give the first `k` cards to the same seats.

        >>> TWO_THREE.same_up_to(2, THREE_TWO), TWO_THREE.same_up_to(3, THREE_TWO)
        (True, False)
        """
        return self.places[:k] == other.places[:k]


SINGLY: Final = Pattern(packets=(1,) * 52, trump=52)
"""Whist: 52 cards one at a time; the last, the dealer's, is turned up."""

SINGLY_BLIND: Final = Pattern(packets=(1,) * 52)
"""Bridge and auction: 52 cards one at a time, none turned up."""

TWO_THREE: Final = Pattern(name="2-3", packets=(2,) * 4 + (3,) * 4, trump=21)
"""Euchre: two cards to each, then three to each; the next card is turned up and lies on the stock."""

THREE_TWO: Final = Pattern(name="3-2", packets=(3,) * 4 + (2,) * 4, trump=21)
"""Euchre: three cards to each, then two to each; the next card is turned up and lies on the stock."""

SINGLES: Final = Pattern(name="singles", packets=(1,) * 20, trump=21)
"""Modern euchre: one card at a time, five to each; the next card is turned up and lies on the stock."""


def seat_of(k: int, dealer: Seat, dealt: Pattern = SINGLY) -> Seat:
    """Return the seat that the `k`-th card belongs to, counted from 1.

    Raises:
        IndexError: no hand receives a `k`-th card.

    >>> seat_of(1, Seat.S), seat_of(52, Seat.S)
    (<Seat.W: 'W'>, <Seat.S: 'S'>)
    """
    if not 1 <= k <= dealt.given:
        raise IndexError(f"card {k} goes to no hand: {dealt.given} are dealt")
    return _TURNS[dealer][dealt.places[k - 1]]
