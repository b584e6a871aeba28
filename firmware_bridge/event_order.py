"""The events of one boot of the machine: each delivered once, in the order of their ids.

The machine keeps at most `QUEUE` events that were not acknowledged and says them again and again, so that ids come
doubled, out of order and with holes. A hole is waited for: its event is said again. Only an event that is `QUEUE` or
more ids behind one that came is lost for good, since the machine no longer keeps it. A hole that stays for `HOLE_US`
while later events are said again was acknowledged by a former session, and is passed over; should its event come after
all, it is delivered late rather than not at all.

Which id comes first is known at the start of a boot (1) and where the record names the last one it holds. Else the
oldest that comes within a resend cycle or two is taken for the first; should an older one come after all, it is
delivered late rather than not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware_bridge.events import EVENT_RESEND_US, Event

QUEUE: Final = 8
"""Events that the machine keeps."""

HOLE_US: Final = 8 * EVENT_RESEND_US
"""How long a hole is waited for: eight cycles, so that its event would have to be lost eight times over."""

SETTLE_US: Final = 2 * EVENT_RESEND_US
"""How long events are held back where the first id is not known: two cycles, so that each may be lost once."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Events `first` to `last` of the boot are lost: the machine keeps none so old."""

    boot_id: int
    first: int
    last: int


class EventOrder:
    """Sorts the events of one boot.

    Attributes:
        boot_id: the boot.
        settles_at_us: when the events held back for want of a first id, or behind a hole, are let go; None if none are.
    """

    def __init__(self, boot_id: int, *, on_record: int | None) -> None:
        """Start with nothing heard.

        Args:
            boot_id: the boot.
            on_record: id of the last event that the record holds; None if that is not known.
        """
        self.boot_id = boot_id
        self.settles_at_us: int | None = None
        self._recorded = 0 if on_record is None else on_record
        self._first = self._next = None if on_record is None else on_record + 1
        self._held: dict[int, Event] = {}
        self._hole: int | None = None
        self._passed_over: set[int] = set()
        self._late: set[int] = set()
        self._unacknowledged: set[int] = set()

    def take(self, event: Event, *, now_us: int) -> list[Event | Gap]:
        """Take an event as it came and return what is now in order."""
        number = event.event_id
        if self._first is None or self._next is None:
            if number > 1:
                self._held[number] = event
                if self.settles_at_us is None:
                    self.settles_at_us = now_us + SETTLE_US
                return []
            self._first = self._next = number
            self.settles_at_us = None
        if number >= self._next:
            self._held[number] = event
            return self._in_order(self._next, now_us=now_us)
        if number in self._passed_over:
            self._passed_over.remove(number)
            self._unacknowledged.add(number)
            return [event]
        if self._first - QUEUE <= number < self._first and number > self._recorded and number not in self._late:
            self._late.add(number)
            self._unacknowledged.add(number)
            return [event]
        return []

    def settle(self, *, now_us: int) -> list[Event | Gap]:
        """Let the events go that were held back for want of a first id, or behind a hole, if it is time."""
        if self.settles_at_us is None or now_us < self.settles_at_us:
            return []
        oldest = min(self._held)
        if self._next is None:
            self._first = oldest
        else:
            self._passed_over.update(range(self._next, oldest))
        return self._in_order(oldest, now_us=now_us)

    def acknowledged(self, event_id: int) -> None:
        """Note that the event is on record."""
        self._unacknowledged.discard(event_id)

    def on_record(self, event_id: int) -> bool:
        """Tell whether the event is on record, so that it is acknowledged whenever it comes again."""
        if event_id <= self._recorded:
            return True
        if self._first is None or self._next is None or event_id in self._passed_over:
            return False
        delivered = self._first <= event_id < self._next or event_id in self._late
        return delivered and event_id not in self._unacknowledged

    def _in_order(self, following: int, *, now_us: int) -> list[Event | Gap]:
        """Return the held events from `following` on, up to the first hole that may still be filled."""
        ready: list[Event | Gap] = []
        while self._held:
            event = self._held.pop(following, None)
            if event is not None:
                ready.append(event)
                self._unacknowledged.add(following)
                following += 1
                continue
            oldest_kept = max(self._held) - QUEUE + 1
            if following >= oldest_kept:
                break
            reached = min(oldest_kept, min(self._held))
            ready.append(Gap(self.boot_id, following, reached - 1))
            following = reached
        self._next = following
        hole = following if self._held else None
        if hole != self._hole or hole is None:
            self._hole = hole
            self.settles_at_us = None if hole is None else now_us + HOLE_US
        return ready
