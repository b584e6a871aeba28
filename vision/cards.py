"""The playing card and the pack, named as the trade names them.

A card is written rank then suit, `"AS"`, `"TD"`, `"7C"`, `"2H"`; jokers are `"J1"` and `"J2"`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

RANKS: Final = "A23456789TJQK"
"""Ranks in index order, ace first; `T` is the ten."""

SUITS: Final = "CDHS"
"""Suits in alphabetical order: clubs, diamonds, hearts, spades."""

JOKERS: Final = ("J1", "J2")

_RANK_NAMES: Final = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
_SUIT_NAMES: Final = dict(zip(SUITS, ["clubs", "diamonds", "hearts", "spades"], strict=True))


class CardError(ValueError):
    """A text that names no card, or a pack size that no code knows.

    Attributes:
        text: what was given.
    """

    def __init__(self, text: str, message: str) -> None:
        super().__init__(message)
        self.text = text


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card of a pack.

    >>> Card.parse("QC").name
    'queen of clubs'
    >>> str(Card.parse("J1")), Card.parse("J1").is_joker
    ('J1', True)
    """

    code: str

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card that `text` names.

        Raises:
            CardError: `text` names no card.
        """
        card = _CARDS.get(text)
        if card is None:
            raise CardError(text, f"{text!r} is no card: write rank and suit, as in AS, TD or 7C")
        return card

    @classmethod
    def numbered(cls, number: int) -> Card | None:
        """Return the card of a number, None where it is no card's.

        The 52 are numbered from 0, by suit as in `SUITS` and within a suit by rank as in `RANKS`; the jokers follow.

        >>> str(Card.numbered(13)), str(Card.numbered(52)), Card.numbered(54)
        ('AD', 'J1', None)
        """
        return _BY_NUMBER[number] if 0 <= number < len(_BY_NUMBER) else None

    @property
    def number(self) -> int:
        """The number of the card, as in `numbered`."""
        return _NUMBERS[self.code]

    @property
    def is_joker(self) -> bool:
        """Whether the card is a joker, which has neither rank nor suit."""
        return self.code in JOKERS

    @property
    def rank(self) -> str:
        """The rank, one letter of `RANKS`; empty for a joker."""
        return "" if self.is_joker else self.code[0]

    @property
    def suit(self) -> str:
        """The suit, one letter of `SUITS`; empty for a joker."""
        return "" if self.is_joker else self.code[1]

    @property
    def name(self) -> str:
        """The card in words, as in *ace of spades*."""
        if self.is_joker:
            return "joker"
        return f"{_RANK_NAMES[self.rank]} of {_SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return self.code


_CARDS: Final = {code: Card(code) for code in (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS)}
_BY_NUMBER: Final = tuple(_CARDS.values())
_NUMBERS: Final = {code: number for number, code in enumerate(_CARDS)}


def is_card(text: str) -> bool:
    """Return whether `text` names a card."""
    return text in _CARDS


PACK_SIZES: Final = (24, 25, 32, 33, 52)
"""The numbers of cards that the codes of laws play with."""

_LOW_RANKS: Final = {52: "", 32: "23456", 24: "2345678"}


@dataclass(frozen=True, slots=True)
class Pack:
    """The whole set of cards in use.

    >>> len(Pack.of(52).cards), len(Pack.of(33).cards)
    (52, 33)
    """

    cards: tuple[Card, ...]
    _set: frozenset[Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_set", frozenset(self.cards))

    @classmethod
    def of(cls, size: int) -> Pack:
        """Return the pack of `size` cards: 52, 32 (sevens up), 24 (nines up), or 33 and 25 with a joker.

        Raises:
            CardError: no code of laws uses a pack of that size.
        """
        joker = size in (33, 25)
        low = _LOW_RANKS.get(size - joker)
        if low is None:
            raise CardError(str(size), f"no code uses a pack of {size}: use 52, 33, 32, 25 or 24")
        plain = tuple(_CARDS[rank + suit] for suit in SUITS for rank in RANKS if rank not in low)
        return cls(plain + ((_CARDS["J1"],) if joker else ()))

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self._set
