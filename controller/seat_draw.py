"""A cut among players: each draws a card, the lowest first, and who ties draws again. Pure.

The ranks are those of the register's laws (table 2): the ace is low, then come the cards up to the king. Who draws the
joker, or shows more than one card, draws again. Suits do not break ties.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.laws.table import TABLE
from controller.laws.table_words import Occasion
from vision.cards import Card


def fault_in(cards: Sequence[Card]) -> Occasion | None:
    """Return why a player must draw again; None where what he drew counts, or he has drawn nothing.

    >>> fault_in([Card.parse("J1")]), fault_in([Card.parse("AS")])
    (<Occasion.JOKER_CUT: 'a player cuts the Joker'>, None)
    """
    if len(cards) > 1:
        return Occasion.TWO_CARDS_SHOWN
    return Occasion.JOKER_CUT if cards and cards[0].is_joker else None


class SeatDraw:
    """The draws of one cut.

    What a player drew, cut by cut, is his row of ranks; two players are told apart once neither begins with the other.

    Args:
        players: their ids, in the order in which they draw.
        lowest: how many of the lowest are sought, where their order does not matter; None where all have to be told
            apart.

    >>> draw = SeatDraw(["ann", "bob"])
    >>> draw.drawn("ann", [Card.parse("KS")]), draw.drawn("bob", [Card.parse("AS")])
    ((), ())
    >>> draw.order(), draw.again()
    (('bob', 'ann'), ())
    """

    def __init__(self, players: Iterable[str] = (), *, lowest: int | None = None) -> None:
        self._ranks: dict[str, tuple[int, ...]] = dict.fromkeys(players, ())
        self._cards: dict[str, Card] = {}
        self._told: set[str] = set()
        self.lowest = lowest

    @property
    def players(self) -> tuple[str, ...]:
        """Who takes part, in the order in which they draw."""
        return tuple(self._ranks)

    @property
    def begun(self) -> bool:
        """Whether a draw has counted."""
        return any(self._ranks.values())

    def enter(self, player: str) -> None:
        """Let one more player take part."""
        self._ranks.setdefault(player, ())

    def take_over(self, before: SeatDraw) -> None:
        """Let the cards stand that those who take part have drawn before, in a cut with others among them.

        >>> before, draw = SeatDraw(["ann", "bob", "cid"]), SeatDraw(["ann", "cid"])
        >>> before.drawn("ann", [Card.parse("KS")])
        ()
        >>> draw.take_over(before)
        >>> draw.again()
        ('cid',)
        """
        self._ranks |= {player: ranks for player, ranks in before._ranks.items() if player in self._ranks}
        self._cards |= {player: card for player, card in before._cards.items() if player in self._ranks}

    def drawn(self, player: str, cards: Sequence[Card]) -> tuple[str, ...]:
        """Take the draw of one who is to draw, and return whom it leaves tied, so that they draw again.

        Raises:
            ValueError: he is not to draw.
        """
        before = self.again()
        if player not in before:
            raise ValueError(f"{', '.join(before) or 'nobody'} must draw, not {player}")
        if len(cards) != 1 or fault_in(cards) is not None:
            return ()
        self._ranks[player] = (*self._ranks[player], TABLE.low_to_high.index(cards[0].rank))
        self._cards[player] = cards[0]
        self._told.discard(player)
        again = self.again()
        if not again or not self._ranks[again[0]] or self._told.issuperset(again):
            return ()
        self._told.update(again)
        return again

    def shown_by(self, player: str, card: Card) -> str | None:
        """Return who has drawn the very card, from the same pack, that a player is about to draw; None for nobody.

        Those who draw again draw from a whole pack, so that only the draws of one round are of the same.

        >>> draw = SeatDraw(["ann", "bob"])
        >>> draw.drawn("ann", [Card.parse("KS")])
        ()
        >>> draw.shown_by("bob", Card.parse("KS")), draw.shown_by("bob", Card.parse("KH"))
        ('ann', None)
        """
        this = len(self._ranks.get(player, ())) + 1
        same = (other for other, ranks in self._ranks.items() if len(ranks) == this and self._cards[other] == card)
        return next(same, None)

    def order(self) -> tuple[str, ...]:
        """Return the players as their draws so far rank them, the lowest first."""
        return tuple(sorted(self._ranks, key=self._ranks.__getitem__))

    def again(self) -> tuple[str, ...]:
        """Return who must draw now: of the first players who are not told apart, those who have drawn least often.

        Empty when everybody who has to be is told apart.
        """
        order = self.order()
        open_ = [player for place, player in enumerate(order) if self._is_open(order, place)]
        if not open_:
            return ()
        least = min(len(self._ranks[player]) for player in open_)
        first = next(self._ranks[player] for player in open_ if len(self._ranks[player]) == least)
        return tuple(player for player in self._ranks if self._ranks[player] == first)

    def _is_open(self, order: tuple[str, ...], place: int) -> bool:
        """Return whether the player at a place of the order is not told apart from the next, or has not drawn."""
        ranks, end = self._ranks[order[place]], place + 1
        if not ranks:
            return True
        while end < len(order) and self._ranks[order[end]][: len(ranks)] == ranks:
            end += 1
        if self.lowest is None:
            return end - place > 1
        return place < self.lowest < end
