"""A cut for seats: each player draws a card, the lowest wins, and who ties draws again. Pure.

The ace is low, then come the cards up to the king (euchre, law 7); who draws the joker, or shows more than one card,
draws again. Suits do not break ties.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vision.cards import Card

LOW_TO_HIGH: Final = "A23456789TJQK"


def rank_of(cards: Sequence[Card]) -> int | None:
    """Return the rank of what a player drew, 0 for an ace; None where he must draw again.

    >>> rank_of([Card.parse("AS")]), rank_of([Card.parse("J1")]), rank_of([Card.parse("2S"), Card.parse("3S")])
    (0, None, None)
    """
    if len(cards) != 1 or cards[0].is_joker:
        return None
    return LOW_TO_HIGH.index(cards[0].rank)


@dataclass(frozen=True, slots=True)
class Standing:
    """The players as their draws so far rank them.

    Attributes:
        groups: players from the lowest card up; those in one group are not told apart yet.
        again: those who must draw now: players of the first group that has more than one; of these, where some draws
            did not count, only those who made them. Empty when all are told apart.
    """

    groups: tuple[tuple[str, ...], ...]
    again: tuple[str, ...]


class SeatDraw:
    """The draws of one cut.

    Args:
        players: their ids, in the order in which they draw.

    Raises:
        ValueError: fewer than two players, or one named twice.

    >>> draw = SeatDraw(["ann", "bob"])
    >>> draw.drawn({"ann": [Card.parse("KS")], "bob": [Card.parse("AS")]}).groups
    (('bob',), ('ann',))
    """

    def __init__(self, players: Iterable[str]) -> None:
        self._groups: list[tuple[str, ...]] = [tuple(players)]
        self._ranks: dict[str, int] = {}
        if len(self._groups[0]) < 2 or len(set(self._groups[0])) != len(self._groups[0]):
            raise ValueError(f"a cut needs two players or more, each named once: {self._groups[0]!r}")

    def standing(self) -> Standing:
        """Return how the players stand, and who draws next."""
        again = tuple(player for player in self._tied() if player not in self._ranks)
        return Standing(tuple(self._groups), again)

    def drawn(self, cards: Mapping[str, Sequence[Card]]) -> Standing:
        """Take the draws of those who were to draw, and return how the players stand then.

        Raises:
            ValueError: others drew than were to.
        """
        again = self.standing().again
        if set(cards) != set(again):
            raise ValueError(f"{', '.join(again) or 'nobody'} must draw, not {', '.join(cards)}")
        ranks = {player: rank_of(cards[player]) for player in again}
        self._ranks |= {player: rank for player, rank in ranks.items() if rank is not None}
        tied = self._tied()
        if tied and all(player in self._ranks for player in tied):
            levels = sorted({self._ranks[player] for player in tied})
            split = [tuple(player for player in tied if self._ranks[player] == level) for level in levels]
            place = self._groups.index(tied)
            self._groups[place : place + 1] = split
            self._ranks = {}
        return self.standing()

    def _tied(self) -> tuple[str, ...]:
        """Return the first group of players who are not told apart; empty if there is none."""
        return next((group for group in self._groups if len(group) > 1), ())
