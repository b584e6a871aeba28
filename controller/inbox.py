"""What a deal has heard and not settled: events are acknowledged, and words answered, once they are on record."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firmware_bridge.events import Answered

if TYPE_CHECKING:
    from controller.seats import SeatWord
    from controller.table_talk import TableTalk
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.events import Event
    from firmware_bridge.words import Asked


@dataclass(slots=True)
class Inbox:
    """What came, until it is settled. It is lost with the program, and then said again, or was never answered."""

    _heard: set[tuple[int, int]] = field(default_factory=set)
    _kept: deque[Event] = field(default_factory=deque)
    _events: list[Event] = field(default_factory=list)
    _words: list[SeatWord] = field(default_factory=list)

    def keep(self, event: Event) -> None:
        """Put an event aside that came while something else was waited for; it is heard next."""
        self._kept.append(event)

    def next_kept(self) -> Event | None:
        """Return the event that was put aside first, and forget it; None where none is."""
        return self._kept.popleft() if self._kept else None

    def answer_waits(self, asked: Asked) -> bool:
        """Return whether the people's answer to `asked` was put aside."""
        return any(isinstance(event, Answered) and event.asked is asked for event in self._kept)

    def is_new(self, event: Event, bridge: Bridge) -> bool:
        """Return whether the event was not heard before; what was, and is durable, is acknowledged once more."""
        key = (event.boot_id, event.event_id)
        if key not in self._heard:
            self._heard.add(key)
            return True
        if event not in self._events:
            bridge.acknowledge(event)
        return False

    def hold(self, event: Event) -> None:
        """Leave an event unacknowledged until what follows from it is on record."""
        self._events.append(event)

    def hold_word(self, word: SeatWord) -> None:
        """Leave a word unanswered until it is on record."""
        self._words.append(word)

    def let_go(self) -> None:
        """Leave the events unacknowledged for good: the link is lost, and they are said again."""
        self._events.clear()

    def settle(self, bridge: Bridge, talk: TableTalk) -> None:
        """Acknowledge and answer everything that is held; it is on record now."""
        words, self._words = self._words, []
        for word in words:
            talk.answered(word, taken=True)
        events, self._events = self._events, []
        if events:
            bridge.acknowledge(*events)
