"""The cards of one deal as the eye has read them: which, which not, and which were read twice. Pure.

Part of the notes of a deal; a fold over its facts *seen* and *doubted*.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vision.cards import Card, Pack
from vision.sighting import State

if TYPE_CHECKING:
    from controller.acts import Line


@dataclass(slots=True, kw_only=True)
class CardsSeen:
    """What is known of the faces of the cards that left the hopper.

    Attributes:
        fed: cards that left it, as far as is known.
        unread: of these, those whose face was not read.
        doubts: sightings that told nothing; two cards that came together are none.
        doubted: numbers of cards that were read as the same card, in pairs, the earlier first.
    """

    fed: int = 0
    unread: int = 0
    doubts: int = 0
    doubted: list[tuple[int, int]] = field(default_factory=list)
    _read: dict[int, Card] = field(default_factory=dict)
    _kinds: Counter[Card] = field(default_factory=Counter)

    @property
    def all_read(self) -> bool:
        """Whether every card fed so far was read, and is of another kind than every other."""
        return self.unread == 0 and len(self._kinds) == self.fed

    def times_read(self, card: Card) -> int:
        """Return how often `card` was read in this deal."""
        return self._kinds[card]

    def card_of(self, k: int) -> Card | None:
        """Return what card `k` was read as; None if it was not, or was read as another card was."""
        return None if any(k in pair for pair in self.doubted) else self._read.get(k)

    def earlier(self, k: int, card: Card) -> int | None:
        """Return the number of the card before `k` that was read as `card` is; None where none was."""
        if self._kinds[card] <= (self._read.get(k) == card):
            return None
        return next((number for number, seen in self._read.items() if seen == card and number < k), None)

    def missing(self, pack: Pack) -> list[str]:
        """Return the cards of the pack that were not read, in the pack's order."""
        return [str(card) for card in pack.cards if card not in self._kinds]

    def saw(self, fact: Line) -> None:
        """Count what a sighting told, or that it told nothing."""
        self.fed += 1
        if fact["state"] == State.CARD:
            card = Card.parse(fact["card"])
            self._read[fact["k"]] = card
            self._kinds[card] += 1
        elif fact["state"] != State.FACE_NOT_SEEN:
            self.unread += 1
            self.doubts += fact["state"] != State.TWO_CARDS

    def doubt(self, fact: Line) -> None:
        """Take that two cards were read as one."""
        self.doubted.append((fact["earlier"], fact["k"]))

    def fell_with_another(self, count: int) -> None:
        """Count cards that fell together with one that was seen, and so were not read."""
        self.unread += count
        self.fed += count
