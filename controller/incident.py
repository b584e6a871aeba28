"""What is said of one fault of the machine or the eye, and the few kinds of things that can follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_bridge.words import FaultCode


class Recovery(Enum):
    """What the deal does after the fault."""

    NOTE = "it is written down, and the deal goes on"
    RETRY = "the same card is fed again under a new command; nothing left the hopper"
    CURE = "people put the cards right, then the deal goes on"
    PAUSE = "people put the machine right, it is acknowledged and homed, then the deal goes on"
    RESUME = "the machine is asked how far it got, then the deal goes on"
    CUT_AGAIN = "the pack is cut again"
    VOID = "the deal is given up, and the same player deals again; before the first card the pack is only laid in anew"
    LEAVE = "the deal is given up, whether a card was dealt or not; the same player deals again"


class CardPlace(Enum):
    """What the record may still say, after the fault, of where the card under way lies."""

    KEPT = "where the record has it"
    LOST = "not known, unless a tray has counted it"
    PAIR = "in the window with the next, and neither can be named"
    PERHAPS_PAIR = "in the window, perhaps with the next, and neither can be named"
    REST_LOST = "with all cards that were not dealt, not known"


class Clearer(Enum):
    """Who may clear the fault."""

    NOBODY = "nobody needs to"
    ANYONE = "any player"
    DIRECTOR = "the director, with the key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One fault and what follows from it.

    Attributes:
        code: the name that the record carries.
        of: the machine's own code for it; None where the controller finds it.
        sentence: what happened, in one plain sentence; `{k}` is the card's number.
        trusted: what the record may still be believed to say.
        card: what that means for the place of the card under way.
        at_table: what the fault means for the game.
        cleared_by: who may clear it.
        recovery: what the deal does.
        next_step: the one thing to do now.
        on_panel: whether the machine's panel asks for that by itself.
    """

    code: str
    of: FaultCode | None = None
    sentence: str
    trusted: str
    card: CardPlace = CardPlace.LOST
    at_table: str
    cleared_by: Clearer = Clearer.DIRECTOR
    recovery: Recovery
    next_step: str
    on_panel: bool = False

    def say(self, k: int | None, named: str = "") -> str:
        """Return the sentence for card `k`, with its name where that may be told; None where no card is under way."""
        return self.sentence.format(k=f"{'?' if k is None else k}{named and f', the {named},'}")


ALL_BEFORE = "every card before this one lies where the record says"
EVERYTHING = "everything the record says"
NO_PENALTY = "nothing is held against a player: the same player deals again"
NOTHING = "nothing"
CLEAR = "Take the cards out of the path, lay them aside and turn the director's key."
AGAIN = "Collect the cards, shuffle, and lay the pack in the hopper: the same player deals again."
LAY_IN = "Take the cards out of the path, the shelves and the cut tray, and lay the whole pack in the hopper again."
