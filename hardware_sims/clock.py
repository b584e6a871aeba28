"""The virtual clock: a heap of what is to happen, and a time that moves only while somebody waits.

Two kinds of things are to happen. *Work* is what machine and people do by themselves: motion, bytes on the wire, a
pack being laid. *Patience* is what waits on the controller: an event said again, a heartbeat missed. Pumped, both run
in the order of time. A simulator at free pace lets work happen at once and patience wear out on the wall clock; time
that work took in this way is *skipped*, and patience does not count it.

Does not model: drift between the clocks of machine and controller.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Final, TypeAlias

Act: TypeAlias = Callable[[], object]


class Planned:
    """Something that is to happen, unless it is called off."""

    __slots__ = ("act",)

    def __init__(self, act: Act) -> None:
        self.act: Act | None = act

    def call_off(self) -> None:
        """Let it not happen; no harm if it has."""
        self.act = None


_NEVER: Final = 1 << 63
"""Later than any moment, µs."""

_Heap: TypeAlias = list[tuple[int, int, Planned]]


class VirtualClock:
    """Time in integer µs, from 0.

    >>> clock = VirtualClock()
    >>> _ = clock.at(300, clock.wake)
    >>> clock.pump(1_000)
    >>> clock.now_us()
    300
    >>> clock.pump(1_000)
    >>> clock.now_us()
    1000
    """

    def __init__(self) -> None:
        self._now = 0
        self._skipped = 0
        self._order = 0
        self._woken = False
        self._work: _Heap = []
        self._patience: _Heap = []

    def now_us(self) -> int:
        """Return the time."""
        return self._now

    def patient_us(self) -> int:
        """Return the time that patience counts: `now_us` less what was skipped."""
        return self._now - self._skipped

    def at(self, when_us: int, act: Act) -> Planned:
        """Plan work for a moment, at once if that has passed. Equal moments keep the order of planning."""
        return self._plan(self._work, when_us, act)

    def patience(self, delay_us: int, act: Act) -> Planned:
        """Plan what happens unless the controller does something within `delay_us`."""
        return self._plan(self._patience, self._now - self._skipped + delay_us, act)

    def _plan(self, heap: _Heap, when_us: int, act: Act) -> Planned:
        self._order += 1
        planned = Planned(act)
        heapq.heappush(heap, (when_us, self._order, planned))
        return planned

    def wake(self) -> None:
        """Say that new bytes are there for the reader: the pump under way stops at this moment."""
        self._woken = True

    def pump(self, deadline_us: int) -> None:
        """Let things happen until new bytes for the reader are there, or the time is `deadline_us`.

        Bytes that were there before do not stop the pump: look at them first.
        """
        self._woken = False
        self._run(deadline_us, until_woken=True)

    def run_until(self, deadline_us: int) -> None:
        """Let things happen until the time is `deadline_us`, whoever may have bytes to read."""
        self._run(deadline_us, until_woken=False)

    def _run(self, deadline_us: int, *, until_woken: bool) -> None:
        """Let everything happen that is due, in order; the time becomes `deadline_us` unless a wake ends it before."""
        work, patience = self._work, self._patience
        while not (until_woken and self._woken):
            heap, when = work, work[0][0] if work else _NEVER
            if patience and patience[0][0] + self._skipped < when:
                heap, when = patience, patience[0][0] + self._skipped
            if when > deadline_us:
                if deadline_us > self._now:
                    self._now = deadline_us
                return
            act = heapq.heappop(heap)[2].act
            if act is not None:
                if when > self._now:
                    self._now = when
                act()

    def run_work(self) -> None:
        """Let all work happen at once, and count none of it as waiting."""
        while self._work:
            when, _, planned = heapq.heappop(self._work)
            if planned.act is not None:
                self._skipped += max(0, when - self._now)
                self._now = max(self._now, when)
                planned.act()

    def next_work_us(self) -> int | None:
        """Return when the next work is to happen, on the scale of `now_us`; None if none is planned."""
        return self._work[0][0] if self._work else None

    def next_patience_us(self) -> int | None:
        """Return when the next patience wears out, on the scale of `now_us`; None if none is planned."""
        return self._patience[0][0] + self._skipped if self._patience else None
