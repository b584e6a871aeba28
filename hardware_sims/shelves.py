"""The shelves and their way back to the hopper: where every card of a shelf pass is, as a function of its schedule.

A pass lays the cards of the hopper on the shelves at an even beat, one a beat, then brings the shelves back one by one,
the first one first. What lies where is worked out when somebody asks, so that a pass costs no work while it runs.

Does not model: the lift of the shelves, a card that is picked up late, a packet that is not square.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.messages import SHELVES
from firmware_bridge.words import Sensor
from hardware_sims.pack_faults import PassFault, ShelfDouble, ShelfJam, ShelfLeft, ShelfMisplaced
from hardware_sims.path import Geometry, Motion
from hardware_sims.physical import PhysicalCard, Train

SHELF_SENSORS: Final = tuple(Sensor[f"SHELF_{number}"] for number in range(1, SHELVES + 1))
_JAM_BEATS: Final = 3
"""After how many beats without a card at a shelf the firmware takes the card before for held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassReading:
    """What the sensors tell of a pass.

    Attributes:
        ends_us: when the motors stand again.
        counts: how many cards the counter of each shelf saw; two that fall together are one.
        misplaced: the shelf, from 0, whose counter saw a card that was sent to another; None for none.
        jammed_at: the shelf, from 0, to which a card was sent that never came there; None for none.
        emptied: whether the hopper was empty, by its sensor, when as many cards as asked for had been laid.
    """

    ends_us: int
    counts: tuple[int, ...]
    misplaced: int | None
    jammed_at: int | None
    emptied: bool


@dataclass(slots=True)
class _Pass:
    """A pass under way: who falls where and when."""

    start_us: int
    shelves: list[int]
    taken: list[int]
    held: int | None
    left: frozenset[int]
    over: int = 0
    laid: int = 0
    brought: int = 0


class Shelves:
    """The shelves of one machine.

    Attributes:
        shelves: the cards of each, in the order in which they came.
        returning: cards that stand on the way back to the hopper.
        passes: how many passes of this deal have begun.
    """

    def __init__(self, geometry: Geometry, hopper: deque[PhysicalCard]) -> None:
        self.shelves: tuple[list[PhysicalCard], ...] = tuple([] for _ in range(SHELVES))
        self.returning: list[PhysicalCard] = []
        self.passes = 0
        self._geometry = geometry
        self._hopper = hopper
        self._under_way: _Pass | None = None

    def begin(
        self,
        start_us: int,
        shelves: Sequence[int],
        faults: Iterable[PassFault],
        *,
        blind: Sensor,
        hopper: int | None,
    ) -> PassReading:
        """Begin a pass, and return what the sensors will tell of it.

        Args:
            start_us: when the motors start.
            shelves: for each card in fed order the shelf it is sent to, from 0.
            faults: what goes wrong in passes of this deal.
            blind: the shelves' sensors that see nothing.
            hopper: the level at which the hopper's sensor is stuck; None where it works.
        """
        self.passes += 1
        mine = [fault for fault in faults if fault.in_pass == self.passes]
        run = self._planned(start_us, shelves, mine)
        self._under_way = run
        beats = len(run.shelves) if run.held is None else run.held + _JAM_BEATS
        ends = start_us + beats * self._geometry.shelf_card_us
        if run.held is None:
            ends += SHELVES * self._geometry.shelf_return_us
        counts = [0] * SHELVES
        misplaced: int | None = None
        for number, shelf in enumerate(run.shelves[: run.held]):
            if not SHELF_SENSORS[shelf] & blind:
                counts[shelf] += 1
                misplaced = shelf if misplaced is None and shelf != shelves[number] else misplaced
        return PassReading(
            ends_us=ends,
            counts=tuple(counts),
            misplaced=misplaced,
            jammed_at=None if run.held is None else shelves[run.held],
            emptied=not run.over if hopper is None else not hopper,
        )

    def _planned(self, start_us: int, shelves: Sequence[int], faults: list[PassFault]) -> _Pass:
        """Return the pass as it will really run: beat by beat the shelf, and how many cards fall into it."""
        misplaced = {fault.card: fault.to - 1 for fault in faults if isinstance(fault, ShelfMisplaced)}
        double = {fault.card for fault in faults if isinstance(fault, ShelfDouble)}
        left = frozenset(fault.shelf - 1 for fault in faults if isinstance(fault, ShelfLeft))
        jams = [fault.card - 1 for fault in faults if isinstance(fault, ShelfJam)]
        there = len(self._hopper)
        run = _Pass(start_us, [], [], None, left)
        for number, shelf in enumerate(shelves, start=1):
            if there == 0:
                break
            taken = min(2 if number in double else 1, there)
            there -= taken
            run.shelves.append(misplaced.get(number, shelf))
            run.taken.append(taken)
        run.over = there
        run.held = min((jam for jam in jams if jam < len(run.shelves)), default=None)
        return run

    # --- where the cards are -------------------------------------------------------------------------------------

    def settle(self, at_us: int) -> None:
        """Let the cards lie where the pass under way has brought them by this moment."""
        run = self._under_way
        if run is None or at_us < run.start_us:
            return
        beats = (at_us - run.start_us) // self._geometry.shelf_card_us
        last = len(run.shelves) if run.held is None else run.held
        while run.laid < min(beats, last):
            self.shelves[run.shelves[run.laid]].extend(self._drawn(run))
            run.laid += 1
        if run.held is not None or run.laid < len(run.shelves):
            return
        since = at_us - run.start_us - len(run.shelves) * self._geometry.shelf_card_us
        while run.brought < min(since // self._geometry.shelf_return_us, SHELVES):
            self._hopper.extend(self._lifted(run))
            run.brought += 1
        if run.brought == SHELVES:
            self._under_way = None

    def _drawn(self, run: _Pass) -> list[PhysicalCard]:
        """Take the cards of the next beat out of the hopper; people may have been at it."""
        return [self._hopper.popleft() for _ in range(min(run.taken[run.laid], len(self._hopper)))]

    def _lifted(self, run: _Pass) -> list[PhysicalCard]:
        """Take the cards of the next shelf off it, but for one that stays."""
        shelf = self.shelves[run.brought]
        stays = [shelf.pop()] if run.brought in run.left and shelf else []
        cards = list(shelf)
        shelf[:] = stays
        return cards

    def halt(self, at_us: int) -> tuple[Train, ...]:
        """Stop the pass dead; return the card that stands on the path now, if one has come so far."""
        self.settle(at_us)
        run, self._under_way = self._under_way, None
        if run is None or at_us < run.start_us:
            return ()
        if run.held is None and run.laid == len(run.shelves):
            self.returning = self._lifted(run)
            return ()
        card_us = self._geometry.shelf_card_us
        part_us = min(at_us - run.start_us - run.laid * card_us, card_us // 2 if run.held == run.laid else card_us)
        lead = self._geometry.shelf_um * part_us // card_us
        cards = tuple(self._drawn(run)) if lead >= self._geometry.entry_um else ()
        if not cards:
            return ()
        return (Train(0, cards, (0,) * len(cards), self._geometry.card_length_um, (Motion(at_us, lead),)),)

    def bits(self, at_us: int) -> int:
        """Return what the gates of shelves and return say, as a number."""
        self.settle(at_us)
        if not self.returning and not any(self.shelves):
            return 0
        said = sum(int(sensor) for sensor, cards in zip(SHELF_SENSORS, self.shelves, strict=True) if cards)
        return said | (int(Sensor.RETURN) if self.returning else 0)

    def take_out(self) -> list[PhysicalCard]:
        """Have people take all cards from the shelves and from the way back."""
        taken = [*self.returning]
        for cards in self.shelves:
            taken += cards
            cards.clear()
        self.returning = []
        return taken
