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


class Reason(StrEnum):
    """Why a look told no card: all that an eye may say, and none of it names a card, or measures one.

    People hear it while the deal is open.
    """

    NONE = ""
    """A card was read, or nothing more is known."""
    TOO_FEW_PIXELS = "the picture has too few pixels to show an index"
    NOTHING_THERE = "nothing stands out in the window"
    NO_OUTLINE = "no outline of a card stands out from its surroundings"
    CUT_BY_EDGE = "the card is cut by the edge of the picture"
    NOT_WHOLE = "the card is not whole in view, or moves"
    NO_RECTANGLE = "the light shape in the picture is no rectangle"
    NOTCHES = "the outline has notches, as that of two cards has"
    TOO_WIDE = "the outline is too wide for one card"
    TOO_LONG = "the outline is too long for one card"
    UNEVEN = "opposite sides of the outline differ in length"
    ANOTHER_SHAPE = "beside the largest light shape there is another of a card's size"
    ANOTHER_EDGE = "the edge of a second card runs through the outline"
    MORE_CARDS = "more than one card is in view"
    NO_EDGES = "the edges of the card do not stand out from the ground"
    BENT_EDGES = "the edges of the card are not straight"
    BLURRED = "the picture is blurred"
    BACK = "the back of a card is towards the camera"
    OTHER_SIZE = "the outline has another size than those of the cards before"
    INDICES_APART = "the two corner indices stand at different distances from their edges"
    NO_INDEX = "no readable index in either corner"
    NO_INDEX_IN_VIEW = "no readable index in view"
    ONE_INDEX = "an index in one corner only"
    INDICES_DIFFER = "the two index corners disagree"
    NOT_SURE_ENOUGH = "both corners agree, but not surely enough"
    INDEX_NOT_SURE = "the index in view is not read surely enough"
    MIDDLE_DIFFERS = "the middle of the card speaks against its corners"
    FIGURES_UNCLEAR = "the figures in the corners are not what they were read as"
    OTHER_CARD_OF_DECK = "the whole card and its corners are those of different cards of the enrolled deck"
    SIGNS_UNCLEAR = "the signs in the corners are not what they were read as"
    DARK_NOT_SEEN = "the window was not seen dark before the card came"
    NO_DARK_FRAME = "no frame showed the window dark between two cards, so the picture may be an old one"
    NO_FRAME = "the camera gave no frame"
    NO_SECOND_FRAME = "the camera gave no second picture to read the card from once more"
    ONE_FRAME = "only one picture of the card was read surely"
    FRAMES_DIFFER = "two pictures of the same card were read differently"
    REPEATED = "the camera repeats an old picture"
    LATE = "the camera's pictures come late"
    STAYED_DARK = "the window stayed dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """The answer of the recogniser to one frame.

    Attributes:
        state: what was seen.
        card: the card read; present if and only if `state` is `State.CARD`.
        confidence: how sure the reader is, in [0, 1].
        reason: why the frame was not accepted; `Reason.NONE` for a card.
        frame: SHA-256 of the frame's pixels in hexadecimal, or empty where no frame was taken.

    >>> Sighting(state=State.CARD, card=Card.parse("AS"), confidence=0.99).accepted
    True
    """

    state: State
    card: Card | None = None
    confidence: float = 0.0
    reason: Reason = Reason.NONE
    frame: str = ""

    def __post_init__(self) -> None:
        if (self.card is None) == (self.state is State.CARD):
            raise ValueError(f"a sighting names a card if and only if its state is card: {self!r}")
        if not isinstance(self.reason, Reason):
            raise TypeError(f"a reason is one of Reason, so that it cannot name a card: {self.reason!r}")
        if self.reason and self.card is not None:
            raise ValueError(f"a card that was read without doubt needs no reason: {self.reason!r}")

    @property
    def accepted(self) -> bool:
        """Whether the card was read without doubt."""
        return self.state is State.CARD
