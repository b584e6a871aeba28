"""The known-order test: a pack in a stated order goes through until the first mistake, and who made it is named. Pure.

Trigger, feed, eye and route err in different ways, and each leaves its mark: a picture taken too soon or too late shows
no card, part of one, or the card before; a feed that passes one over shows the card after; an eye that errs is unsure,
or names a card that is none of these, as it does where the pack is in another order; a route that errs brings the right
card to the wrong tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from firmware_bridge.words import Tray
from vision.cards import Card
from vision.sighting import Sighting, State


class Culprit(Enum):
    """What made the mistake, and the next step."""

    TRIGGER = ("the trigger", "Check the window's sensor and the camera's delay with pone doctor.")
    FEED = ("the feed", "Clean the pick roller, set the retard pad, and square the pack.")
    EYE = ("the eye", "Clean the window and check lamp and focus with pone doctor.")
    ROUTE = ("the route", "Home the machine and check the turret and the counters of the trays.")
    ORDER = ("the order of the pack", "Lay the pack in the stated order, and begin again.")
    PACK = ("the pack", "Turn the card, lay the pack in the stated order, and begin again.")

    @property
    def words(self) -> str:
        """What it is called."""
        return self.value[0]

    @property
    def next_step(self) -> str:
        """The one thing to do now."""
        return self.value[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """The first mistake of a test.

    Attributes:
        k: the card's number, from 1.
        culprit: what made it.
        what: what was found, as one clause.
        rather: what leaves the same mark and is likelier to have made it; None for nothing.
    """

    k: int
    culprit: Culprit
    what: str
    rather: Culprit | None = None

    @property
    def sentence(self) -> str:
        """The mistake in one plain sentence, the likelier cause first."""
        if self.rather is None:
            return f"Card {self.k}: {self.culprit.words} erred; {self.what}."
        return f"Card {self.k}: {self.what}. It is {self.rather.words}, or {self.culprit.words} erred."

    @property
    def next_step(self) -> str:
        """What to do now, for the likelier cause first."""
        if self.rather is None:
            return self.culprit.next_step
        return f"Look at the card. If it was read rightly: {self.rather.next_step} If not: {self.culprit.next_step}"


def mistake_in(
    order: Sequence[Card], k: int, sighting: Sighting, *, doubled: bool, sent: Tray, arrived: Tray | None
) -> Mistake | None:
    """Return the mistake that card `k` shows, or None if all was right.

    Args:
        order: the pack's order, the first card to be fed first.
        k: the card's number, from 1.
        sighting: what the eye said.
        doubled: whether the sensors felt two cards.
        sent: where the card was routed.
        arrived: where a counter saw it arrive; None if none did.

    Raises:
        ValueError: the order has no card `k`.
    """
    if not 1 <= k <= len(order):
        raise ValueError(f"the order has cards 1 to {len(order)}, not {k}")
    seen = _seen_amiss(order, k, sighting, doubled=doubled)
    if seen is not None:
        culprit, what = seen
        # The eye says so when it is unsure: a card that it names and that is out of its place is rather laid in so.
        rather = Culprit.ORDER if culprit is Culprit.EYE and sighting.card is not None else None
        return Mistake(k=k, culprit=culprit, what=what, rather=rather)
    if arrived is None:
        return Mistake(k=k, culprit=Culprit.ROUTE, what="no tray counted it")
    if arrived is not sent:
        what = f"it was sent to tray {sent.name} and arrived in tray {arrived.name}"
        return Mistake(k=k, culprit=Culprit.ROUTE, what=what)
    return None


def _seen_amiss(order: Sequence[Card], k: int, sighting: Sighting, *, doubled: bool) -> tuple[Culprit, str] | None:
    """Return what is wrong with what was seen of card `k`, and who erred; None if it was the card expected."""
    if doubled:
        return Culprit.FEED, "two cards came together"
    if sighting.card is not None:
        return _other_card(order, k, sighting.card)
    if sighting.state is State.NOT_SURE:
        return Culprit.EYE, f"it was not read{f': {sighting.reason}' if sighting.reason else ''}"
    return _NO_CARD[sighting.state]


_NO_CARD: Final = {
    State.TWO_CARDS: (Culprit.FEED, "the camera saw two cards where the sensors felt one"),
    State.EMPTY: (Culprit.TRIGGER, "the camera saw an empty window"),
    State.PARTIAL: (Culprit.TRIGGER, "the camera saw a card in motion, or part of one"),
    State.FACE_NOT_SEEN: (Culprit.PACK, "it lies faced in the pack"),
}
"""Who erred where the eye saw no single card."""


def _other_card(order: Sequence[Card], k: int, seen: Card) -> tuple[Culprit, str] | None:
    """Return who erred where a card was read; None if it was the right one."""
    wanted = order[k - 1]
    if seen == wanted:
        return None
    if k > 1 and seen == order[k - 2]:
        return Culprit.TRIGGER, f"the camera saw the card before it, the {seen.name}"
    if k < len(order) and seen == order[k]:
        return Culprit.FEED, f"the camera saw the card after it, the {seen.name}: one was passed over"
    return Culprit.EYE, f"it should be the {wanted.name}, and was read as the {seen.name}"
