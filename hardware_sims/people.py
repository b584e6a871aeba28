"""The people at the table: they answer what the machine's panel asks, after the time the scenario gives them.

Does not model: people who do something else than they are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from firmware_bridge.words import NO_CARD, Asked, Tray
from hardware_sims.clock import Act, Planned, VirtualClock
from hardware_sims.mechanism import Mechanism
from hardware_sims.plan import DealPlan, PeopleAtTheTable
from hardware_sims.seeded import Stream
from hardware_sims.switches import LIFTED
from hardware_sims.truth import cards_now

LIFTED_US: Final = 600_000
"""How long the pone holds the upper packet."""


class Panel(Protocol):
    """What of the firmware feels the people's answers."""

    def answered(self, asked: Asked, a: int, b: int, c: int) -> None:
        """Take the people's answer."""

    def packet_lifted(self) -> None:
        """Feel that the upper packet is off the cut tray."""

    def switched(self) -> None:
        """Look at the switches anew."""


class People:
    """Hands at the table."""

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        manners: PeopleAtTheTable,
        lay_next_pack: Callable[[int], DealPlan],
        panel: Callable[[], Panel],
        stream: Stream,
    ) -> None:
        self._clock = clock
        self._mechanism = mechanism
        self._manners = manners
        self._lay_next_pack = lay_next_pack
        self._panel = panel
        self._stream = stream
        self._plan = DealPlan()
        self._cuts = 0
        self._busy: Planned | None = None

    def see(self, asked: Asked, a: int, b: int) -> None:
        """Take note of what the panel asks; they drop what they were about to do for an earlier question."""
        if self._busy is not None:
            self._busy.call_off()
        delay = None if asked is Asked.NOTHING else self._manners.delay_us(asked)
        if delay is not None:
            self._after(delay, partial(self._do, asked, a, b))

    def _after(self, delay_us: int, act: Act) -> None:
        self._busy = self._clock.at(self._clock.now_us() + delay_us, act)

    def _do(self, asked: Asked, a: int, b: int) -> None:
        if asked is Asked.CUT:
            self._cut()
            return
        answer = self._hands(asked, a, b) if asked in _BY_HAND else self._words(asked, a)
        if answer is not None:
            self._panel().answered(asked, *answer)

    def _hands(self, asked: Asked, a: int, b: int) -> tuple[int, int, int] | None:
        """Do what is asked and return the answer; None where nothing like it can be done."""
        holders = self._mechanism.holders
        match asked:
            case Asked.LOAD_PACK:
                self._cuts = 0
                self._plan = self._lay_next_pack(a)
                return 0, 0, 0
            case Asked.MOVE_CARD if a < len(Tray) and b < len(Tray):
                return a, b, holders.move_upper(Tray(a), Tray(b))
            case Asked.CLEAR_PATH:
                taken = self._mechanism.take_from_path(self._clock.now_us(), window_only=False)
                holders.aside += taken
                return 0, 0, len(taken)
            case Asked.RESHUFFLE:
                holders.lay(self._stream.shuffled(holders.gather()))
                return 0, 0, 0
            case Asked.REPLACE_TRAY if a < len(LIFTED):
                self._mechanism.switches.release(LIFTED[Tray(a)])
                self._panel().switched()
                return a, 0, 0
            case _:
                return None

    def _words(self, asked: Asked, a: int) -> tuple[int, int, int] | None:
        """Return what they say."""
        match asked:
            case Asked.NAME_CARD if a < len(Tray):
                tray = self._mechanism.holders.trays[Tray(a)]
                return tray[-1].card.number if tray else NO_CARD, 0, 0
            case Asked.COUNT_PACK:
                return len(cards_now(self._mechanism, self._clock.now_us())), 0, 0
            case Asked.DECIDE:
                return self._manners.decide, 0, 0
            case _:
                return None

    def _cut(self) -> None:
        """Cut the pack in the cut tray, where a cell weighs the packets, or in the hopper, where nobody counts them."""
        tray, holders = self._mechanism.cut_tray, self._mechanism.holders
        self._cuts += 1
        if tray.cards:
            tray.lift(self._plan.upper_packet(self._cuts, len(tray.cards)))
            self._panel().packet_lifted()
            self._after(LIFTED_US, self._complete)
        else:
            holders.cut(self._plan.upper_packet(self._cuts, len(holders.hopper)))
            self._panel().answered(Asked.CUT, 0, 0, 0)

    def _complete(self) -> None:
        self._mechanism.cut_tray.complete()
        self._panel().answered(Asked.CUT, 0, 0, 0)


_BY_HAND: Final = frozenset((Asked.LOAD_PACK, Asked.MOVE_CARD, Asked.CLEAR_PATH, Asked.RESHUFFLE, Asked.REPLACE_TRAY))
