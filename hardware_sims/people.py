"""The people at the table: they answer what the machine's panel asks, after the time the scenario gives them.

Does not model: people who do something else than they are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from firmware_bridge.words import NO_CARD, Asked, Tray
from hardware_sims.clock import Planned, VirtualClock
from hardware_sims.mechanism import Mechanism
from hardware_sims.physical import PhysicalCard
from hardware_sims.scenario import DealPlan, PeopleAtTheTable
from hardware_sims.truth import cards_now
from vision.cards import Pack


class People:
    """Hands at the table."""

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        manners: PeopleAtTheTable,
        lay_next_pack: Callable[[], DealPlan],
        answer: Callable[[Asked, int, int, int], object],
    ) -> None:
        self._clock = clock
        self._mechanism = mechanism
        self._manners = manners
        self._lay_next_pack = lay_next_pack
        self._answer = answer
        self._plan = DealPlan()
        self._busy: Planned | None = None

    def see(self, asked: Asked, a: int, b: int) -> None:
        """Take note of what the panel asks; they drop what they were about to do for an earlier question."""
        if self._busy is not None:
            self._busy.call_off()
        delay = None if asked is Asked.NOTHING else self._manners.delay_us(asked)
        if delay is not None:
            self._busy = self._clock.at(self._clock.now_us() + delay, partial(self._do, asked, a, b))

    def _do(self, asked: Asked, a: int, b: int) -> None:
        now = self._clock.now_us()
        holders = self._mechanism.holders
        match asked:
            case Asked.LOAD_PACK:
                self._plan = self._lay_next_pack()
                self._answer(asked, 0, 0, 0)
            case Asked.CUT:
                upper, lower = holders.cut(self._plan.cut)
                self._answer(asked, upper, lower, self._plan.cut_tolerance)
            case Asked.MOVE_CARD if a < len(Tray) and b < len(Tray):
                self._answer(asked, a, b, holders.move_upper(Tray(a), Tray(b)))
            case Asked.CLEAR_PATH:
                taken = self._mechanism.take_from_path(now, window_only=False)
                holders.aside += taken
                self._answer(asked, 0, 0, len(taken))
            case Asked.NAME_CARD if a < len(Tray):
                self._answer(asked, _number_of(holders.trays[Tray(a)]), 0, 0)
            case Asked.COUNT_PACK:
                self._answer(asked, len(cards_now(self._mechanism, now)), 0, 0)
            case _:
                pass


def _number_of(tray: list[PhysicalCard]) -> int:
    """Return the number by which the panel takes the upper card's name, `NO_CARD` where the pack has no such card."""
    names = Pack.of(52).cards
    return names.index(tray[-1].card) if tray and tray[-1].card in names else NO_CARD
