"""Whether a pack is whole: what was read of its cards, against the cards that it should have. Pure.

An unread card is never proof of anything: with one unread card and one missing the pack is not proved, and the receipt
says which card it would have to be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from controller.counts import counted
from controller.incidents import INCIDENTS
from vision.cards import Card, Pack
from vision.sighting import Sighting, State


@dataclass(frozen=True, slots=True, kw_only=True)
class PackReport:
    """What a pass of the whole pack through the window showed.

    Attributes:
        pack: cards that the pack should have.
        counted: cards that went through.
        missing: cards of the pack that were not read.
        duplicate: cards read more than once, one entry for each time too many.
        foreign: cards read that are none of the pack's.
        doubted: what was read more than once, with the numbers, from 1, of all cards that were read as it: any of them
            may be the one that was misread.
        faced: numbers, from 1, of the cards that lay face up in the pack, so that only a back was seen.
        unread: numbers of the cards that were not read for another reason, with that reason.
        noted: numbers of the cards of which the sensors felt something that proves nothing against the pack, with the
            code of that incident; a torn card is one.
        named: those cards, in the same order, where they were read.
    """

    pack: int
    counted: int
    missing: tuple[Card, ...]
    duplicate: tuple[Card, ...]
    foreign: tuple[Card, ...]
    doubted: tuple[tuple[Card, tuple[int, ...]], ...]
    faced: tuple[int, ...]
    unread: tuple[tuple[int, str], ...]
    noted: tuple[tuple[int, str], ...] = ()
    named: tuple[Card | None, ...] = ()

    @property
    def state(self) -> Literal["perfect", "imperfect", "not proved"]:
        """What that proves: a card read twice, a foreign one, or a wrong number of cards is proof against the pack."""
        if self.duplicate or self.foreign or self.counted != self.pack:
            return "imperfect"
        return "not proved" if self.faced or self.unread else "perfect"

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "state": self.state,
            "pack": self.pack,
            "counted": self.counted,
            "missing": [str(card) for card in self.missing],
            "duplicate": [str(card) for card in self.duplicate],
            "foreign": [str(card) for card in self.foreign],
            "doubted": [{"card": str(card), "k": list(numbers)} for card, numbers in self.doubted],
            "faced": list(self.faced),
            "unread": [{"k": k, "reason": reason} for k, reason in self.unread],
            "noted": [
                {"k": k, "code": code} | ({"card": str(card)} if card is not None else {})
                for (k, code), card in zip(self.noted, self.named, strict=True)
            ],
        }

    def sentences(self) -> list[str]:
        """Return the report in plain sentences, the finding first and the next step last."""
        absent = "missing, or among the cards that were not read" if self.faced or self.unread else "missing"
        said = [
            f"{len(cards)} {what}: {', '.join(card.name for card in cards)}."
            for what, cards in (("foreign", self.foreign), (absent, self.missing))
            if cards
        ]
        said += [
            f"Cards {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} were read as the {card.name}: look at each."
            for card, numbers in self.doubted
        ]
        said += [f"Card {k} lies faced in the pack." for k in self.faced]
        said += [f"Card {k} was not read: {reason}." for k, reason in self.unread]
        said += [
            INCIDENTS[code].say(k, "" if card is None else card.name)
            for (k, code), card in zip(self.noted, self.named, strict=True)
        ]
        return [self._finding(), *said, self._next_step()]

    def _finding(self) -> str:
        went = f"{counted(self.counted, 'card')} went through"
        match self.state:
            case "perfect":
                return f"The pack is perfect: all its {self.pack} cards were read, each once."
            case "imperfect":
                return f"The pack is imperfect: {went}, and it should have {self.pack}."
            case _:
                return f"The pack is not proved: {went} and not all were read."

    def _next_step(self) -> str:
        if self.state == "perfect":
            torn = any(code == "short_card" for _, code in self.noted)
            return "Replace the torn card by agreement, or take another pack." if torn else "It can be played with."
        if self.state == "imperfect":
            return "Take another pack, or put this one right and check it again."
        return "Turn the faced cards, clean the window, and check it again."


def check_pack(pack: Pack, sightings: Iterable[Sighting], noted: Iterable[tuple[int, str]] = ()) -> PackReport:
    """Return what a pass of a pack proves of it.

    Args:
        pack: what it should be.
        sightings: those of all cards, in the order in which they came.
        noted: numbers of cards, from 1, with the code of what the sensors felt of them and a deal would only note.
    """
    read: defaultdict[Card, list[int]] = defaultdict(list)
    faced: list[int] = []
    unread: list[tuple[int, str]] = []
    cards: list[Card | None] = []
    k = 0
    for k, sighting in enumerate(sightings, start=1):
        cards.append(sighting.card)
        if sighting.card is not None:
            read[sighting.card].append(k)
        elif sighting.state is State.FACE_NOT_SEEN:
            faced.append(k)
        else:
            unread.append((k, sighting.reason or sighting.state.value.replace("_", " ")))
    felt = tuple(noted)
    return PackReport(
        pack=len(pack),
        counted=k,
        missing=tuple(card for card in pack.cards if card not in read),
        duplicate=tuple(card for card, numbers in read.items() for _ in numbers[1:]),
        foreign=tuple(card for card in read if card not in pack),
        doubted=tuple((card, tuple(numbers)) for card, numbers in read.items() if len(numbers) > 1),
        faced=tuple(faced),
        unread=tuple(unread),
        noted=felt,
        named=tuple(cards[k - 1] for k, _ in felt),
    )
