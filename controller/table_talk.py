"""What reaches a deal under way from other threads: words of the seats, and the wish to stop."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.seats import SeatWord


def _silent(word: SeatWord, *, taken: bool) -> None:
    """Tell nobody whether a word was taken."""


@dataclass(slots=True)
class TableTalk:
    """A handover in the order of saying; any thread may say something, one takes it.

    Attributes:
        answered: called, in the thread that deals, with each word and whether it could be put on record.
        stop: whether to finish the card in transit and stop.
        stop_now: whether to stop in mid-step.
    """

    answered: Callable[..., None] = _silent
    stop: bool = False
    stop_now: bool = False
    _words: deque[SeatWord] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def say(self, word: SeatWord) -> None:
        """Hand over what somebody at a seat did or said."""
        with self._lock:
            self._words.append(word)

    def say_first(self, words: Iterable[SeatWord]) -> None:
        """Hand over words that are said before those that wait."""
        with self._lock:
            self._words.extendleft(reversed([*words]))

    def next_word(self, dealt: int) -> SeatWord | None:
        """Return the next word, or None while there is none, or while it waits for more cards to be dealt."""
        if not self._words:
            return None
        with self._lock:
            return self._words.popleft() if self._words[0].after <= dealt else None

    def unsaid(self) -> list[SeatWord]:
        """Return what was handed over and is not taken: its card never came, or stands before it and waits for one."""
        with self._lock:
            return list(self._words)

    def ask_to_stop(self) -> None:
        """Ask to finish the card in transit and stop; asked again, to stop at once. For signal handlers: no lock."""
        self.stop_now, self.stop = self.stop, True
