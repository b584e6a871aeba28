"""The machine's queue of events: each is said again until the controller acknowledges it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.codec import encode_event
from firmware_bridge.events import EVENT_RESEND_US, Event
from hardware_sims.clock import VirtualClock

QUEUE_MAX: Final = 8
"""Events. One that finds the queue full is not said; the machine's status tells what it would have."""


@dataclass(slots=True)
class _Waiting:
    event_id: int
    frame: bytes
    said_us: int


class EventQueue:
    """The events of one boot.

    Attributes:
        boot_id: drawn at the start.
    """

    def __init__(self, clock: VirtualClock, boot_id: int, say: Callable[[bytes], object]) -> None:
        self.boot_id = boot_id
        self._clock = clock
        self._say = say
        self._started_us = clock.now_us()
        self._last_id = 0
        self._waiting: list[_Waiting] = []
        self._watching = False

    @property
    def room(self) -> int:
        """How many more events the queue can take."""
        return QUEUE_MAX - len(self._waiting)

    def post(self, kind: Callable[..., Event], command_id: int, at_us: int, *values: int | bytes) -> int:
        """Say now an event that happened at `at_us`, and say it again until it is acknowledged.

        Returns:
            The event's id; 0 where the queue is full and nothing is said.
        """
        if len(self._waiting) >= QUEUE_MAX:
            return 0
        self._last_id = self._last_id % 0xFFFF + 1
        frame = encode_event(kind(self.boot_id, self._last_id, command_id, at_us - self._started_us, *values))
        self._waiting.append(_Waiting(self._last_id, frame, self._clock.patient_us()))
        self._say(frame)
        if not self._watching:
            self._watching = True
            self._clock.patience(EVENT_RESEND_US, self._say_again)
        return self._last_id

    def acknowledge(self, boot_id: int, event_id: int) -> None:
        """Forget an event; one of another boot, or forgotten before, does no harm."""
        if boot_id == self.boot_id:
            self._waiting = [waiting for waiting in self._waiting if waiting.event_id != event_id]

    def close(self) -> None:
        """Say nothing any more: the machine has gone down."""
        self._waiting = []

    def _say_again(self) -> None:
        now = self._clock.patient_us()
        for waiting in self._waiting:
            if waiting.said_us + EVENT_RESEND_US <= now:
                waiting.said_us = now
                self._say(waiting.frame)
        self._watching = bool(self._waiting)
        if self._waiting:
            due = min(waiting.said_us for waiting in self._waiting) + EVENT_RESEND_US
            self._clock.patience(due - now, self._say_again)
