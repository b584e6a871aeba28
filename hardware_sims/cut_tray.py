"""The cut tray on its load cell: it holds the pack while the people cut, and weighs what lies on it.

Poker cards weigh about 1.8 g each. The cell reads with noise, creeps where the scenario has it creep, and knows the
weight of a card from calibration only, which this very pack misses by up to 1 %.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from hardware_sims.physical import PhysicalCard
from hardware_sims.seeded import Stream

CARD_G: Final = 1.8
"""What a card weighs by calibration, g."""

NOISE_G: Final = 0.35
"""Standard deviation of one weighing, g."""

PACK_SPREAD: Final = 0.01
"""How far the weight of a pack's cards may be from calibration, as a part of it."""


class CutTray:
    """The tray and its cell.

    Attributes:
        cards: what lies on the tray, in fed order.
        lifted: the upper packet, while people hold it.
        creep_g_s: how fast the cell's zero moves.
        offers: how often the pack of this deal was offered.
    """

    def __init__(self) -> None:
        self.cards: list[PhysicalCard] = []
        self.lifted: list[PhysicalCard] = []
        self.creep_g_s = 0.0
        self.offers = 0
        self._stream = Stream(0, "cell")
        self._card_g = CARD_G
        self._since_us = 0

    def begin_deal(self, stream: Stream, creep_g_s: float) -> None:
        """Let a new pack be the one that is weighed."""
        self._stream = stream
        self._card_g = CARD_G * (1 + PACK_SPREAD * (2 * stream.unit() - 1))
        self.creep_g_s = creep_g_s
        self.offers = 0

    def take(self, hopper: deque[PhysicalCard], at_us: int) -> None:
        """Take the whole pack out of the hopper; the cell's zero is set before it."""
        self.cards = list(hopper)
        hopper.clear()
        self.offers += 1
        self._since_us = at_us

    def give_back(self, hopper: deque[PhysicalCard]) -> None:
        """Lay the whole pack back into the hopper."""
        hopper.extend(self.take_out())

    def take_out(self) -> list[PhysicalCard]:
        """Have all cards taken from the tray."""
        taken = [*self.cards, *self.lifted]
        self.cards, self.lifted = [], []
        return taken

    def lift(self, top: int) -> None:
        """Have people lift the `top` upper cards: those fed last."""
        lower = max(0, len(self.cards) - top)
        self.cards, self.lifted = self.cards[:lower], self.cards[lower:]

    def complete(self) -> None:
        """Have people lay the lower packet upon the upper one."""
        self.cards, self.lifted = [*self.lifted, *self.cards], []

    def weight_g(self, at_us: int) -> float:
        """Weigh what lies on the tray, g."""
        noise = sum(self._stream.unit() for _ in range(12)) - 6.0  # nearly normal, deviation 1
        creep = self.creep_g_s * (at_us - self._since_us) / 1e6
        return len(self.cards) * self._card_g + creep + NOISE_G * noise
