"""What one look at the read window told: a card, a named doubt, or nothing there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.cards import Card


class State(StrEnum):
    """What stands in the window, as far as the frame tells."""

    CARD = "card"
    """One card, face to the camera, read without doubt."""
    FACE_NOT_SEEN = "face_not_seen"
    """One card, its back to the camera: a card lying faced in the pack."""
    EMPTY = "empty"
    PARTIAL = "partial"
    """A card without a whole index in view, or in motion."""
    TWO_CARDS = "two_cards"
    NOT_SURE = "not_sure"
    """Anything else. A value, never a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """The answer of the recogniser to one frame.

    Attributes:
        state: what was seen.
        card: the card read; present if and only if `state` is `State.CARD`.
        confidence: how sure the reader is, in [0, 1].
        reason: why the frame was not accepted, in plain words that name no card, since people hear it while the deal is
            open; empty for a card.
        frame: SHA-256 of the frame's pixels in hexadecimal, or empty where no frame was taken.

    >>> Sighting(state=State.CARD, card=Card.parse("AS"), confidence=0.99).accepted
    True
    """

    state: State
    card: Card | None = None
    confidence: float = 0.0
    reason: str = ""
    frame: str = ""

    def __post_init__(self) -> None:
        if (self.card is None) == (self.state is State.CARD):
            raise ValueError(f"a sighting names a card if and only if its state is card: {self!r}")

    @property
    def accepted(self) -> bool:
        """Whether the card was read without doubt."""
        return self.state is State.CARD
