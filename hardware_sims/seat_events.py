"""What people at the seats do and say, on its way into the queue of events.

A hand can touch a tray faster than a controller keeps a record. So at most two such events are in the queue at a time,
and motion always finds room; the others wait in the order in which they happened. The same act of the same seat says
nothing new while it is waiting or not acknowledged, and is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.events import Event
from hardware_sims.event_queue import EventQueue

IN_QUEUE_MAX: Final = 2
WAITING_MAX: Final = 32
"""Acts that wait; one that finds no place is lost, as no table makes so many different ones at once."""


@dataclass(frozen=True, slots=True)
class _Acted:
    kind: Callable[..., Event]
    values: tuple[int, ...]


class SeatEvents:
    """The acts of one boot that are not on record yet."""

    def __init__(self, events: EventQueue) -> None:
        self._events = events
        self._waiting: list[tuple[_Acted, int]] = []
        self._said: dict[int, _Acted] = {}

    def acted(self, kind: Callable[..., Event], at_us: int, *values: int) -> None:
        """Take note of an act that happened at `at_us`."""
        act = _Acted(kind, values)
        known = act in self._said.values() or any(act == other for other, _ in self._waiting)
        if not known and len(self._waiting) < WAITING_MAX:
            self._waiting.append((act, at_us))
            self._say()

    def acknowledged(self, event_id: int) -> None:
        """Take note that an event is on record: the next act may be said."""
        self._said.pop(event_id, None)
        self._say()

    def _say(self) -> None:
        while self._waiting and len(self._said) < IN_QUEUE_MAX and self._events.room > 0:
            act, at_us = self._waiting.pop(0)
            self._said[self._events.post(act.kind, 0, at_us, *act.values)] = act
