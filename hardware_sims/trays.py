"""Everything in which cards lie still: hopper, trays, and where people lay what they take out.

People's hands act here; the machine takes cards from the hopper and drops them into trays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from firmware_bridge.words import Tray
from hardware_sims.physical import PhysicalCard


class Holders:
    """Hopper, trays and the table beside the machine.

    Attributes:
        hopper: the next card to be fed first, which is the bottom card of a pack lying face down.
        trays: the cards of each tray, the upper one last.
        aside: cards that people took out of the path, in that order.
    """

    def __init__(self) -> None:
        self.hopper: deque[PhysicalCard] = deque()
        self.trays: dict[Tray, list[PhysicalCard]] = {tray: [] for tray in Tray}
        self.aside: list[PhysicalCard] = []

    def collect(self) -> list[PhysicalCard]:
        """Take all cards away, and return them."""
        taken = [*self.hopper, *self.aside]
        for cards in self.trays.values():
            taken += cards
            cards.clear()
        self.hopper.clear()
        self.aside.clear()
        return taken

    def lay(self, pack: Iterable[PhysicalCard]) -> None:
        """Lay a pack into the hopper, given in fed order."""
        self.hopper.extend(pack)

    def cut(self, top: int) -> None:
        """Lay what is left below the `top` upper cards upon them."""
        self.hopper.rotate(min(top, len(self.hopper)))

    def gather(self) -> list[PhysicalCard]:
        """Take the cards out of the hopper, with those that were laid aside."""
        cards = [*self.hopper, *self.aside]
        self.hopper.clear()
        self.aside.clear()
        return cards

    def move_upper(self, source: Tray, to: Tray) -> int:
        """Move the upper card of a tray to another tray; return how many cards were moved."""
        if not self.trays[source]:
            return 0
        self.drop([self.trays[source].pop()], to, turned_over=False)
        return 1

    def drop(self, cards: Iterable[PhysicalCard], tray: Tray, *, turned_over: bool) -> None:
        """Let cards fall into a tray, the first one first."""
        for card in cards:
            card.faced ^= turned_over
            self.trays[tray].append(card)
