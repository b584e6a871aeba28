"""The deal as its record has it: the facts so far, the judge's rulings on them, and what follows. Pure.

State is a fold over the lines, so the notes of a deal that was cut off are had back by noting its lines again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from controller import laws
from controller.acts import Line
from controller.facts import parse_fact
from controller.incidents import INCIDENTS, Recovery
from controller.judge import Judge
from controller.rulings import to_json
from controller.table import Seat, left_of, pone_of
from firmware_bridge.words import Asked
from vision.cards import Card, Pack
from vision.sighting import Sighting, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a deal ends.

    Attributes:
        status: `completed`, `new_deal`, `misdeal` or `voided`.
        next_dealer: who deals next.
        law: the law that ended it, or empty.
        fault: the incident that ended it, or empty.
        because: the law's sentence.
    """

    status: str
    next_dealer: Seat
    law: str = ""
    fault: str = ""
    because: str = ""


_ENDINGS = {"new_deal": "new_deal", "misdeal": "misdeal", "void": "voided"}

MISFEEDS_MAX: Final = 3
"""Tries for one card before the deal is given up."""


@dataclass(slots=True, kw_only=True)
class DealNotes:
    """The facts and rulings of one deal.

    Attributes:
        dealer: whose deal it is.
        hand_cure: whether the house lets a halted double feed be put right by hand.
        ending: how the deal ends, once that is settled.
        fresh_cut: whether the last cut has to be made again.
        last_seat: who the last card fell to; the dealer before any did.
        dealt: number of that card; 0 before any fell.
        least_cut: the fewest cards that the code allows in a packet of the cut.
        faced_last: whether the last card lies faced in the pack.
    """

    dealer: Seat
    pack: Pack = field(default_factory=lambda: Pack.of(52))
    hand_cure: bool = field(default=True, init=False)
    ending: Ending | None = None
    fresh_cut: bool = False
    last_seat: Seat = field(init=False)
    dealt: int = 0
    least_cut: int = 0
    faced_last: bool = False
    _judge: Judge = field(default_factory=Judge)
    _lines: list[Line] = field(default_factory=list)
    _count: int = 0
    _seen: dict[int, Card] = field(default_factory=dict)
    _kinds: Counter[Card] = field(default_factory=Counter)
    _fed: int = 0
    _unread: int = 0
    _doubts: int = 0
    _uncounted: bool = False
    _unnamed: bool = False
    _misfeeds: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.last_seat = self.dealer

    @property
    def pone(self) -> Seat:
        """The player who cuts."""
        return pone_of(self.dealer)

    @property
    def pack_size(self) -> int:
        """Cards in the pack."""
        return len(self.pack)

    @property
    def holding(self) -> bool:
        """Whether something must be put right before the next card."""
        return self._judge.holding

    @property
    def wanted(self) -> Asked | None:
        """What people must do or say before the deal can go on or end; None where nothing is wanted of them."""
        if self._uncounted:
            return Asked.COUNT_PACK
        if self.holding:
            return Asked.MOVE_CARD
        return Asked.NAME_CARD if self._unnamed else None

    @property
    def fed(self) -> int:
        """Cards that left the hopper, as far as is known."""
        return self._fed

    @property
    def unread(self) -> int:
        """Cards of this deal whose face was not read."""
        return self._unread

    @property
    def doubts(self) -> int:
        """Sightings of this deal that told nothing; two cards that came together are none."""
        return self._doubts

    @property
    def all_read(self) -> bool:
        """Whether every card fed so far was read, and is of another kind than every other."""
        return self._unread == 0 and len(self._kinds) == self._fed

    def misfeeds(self, k: int) -> int:
        """Return how often card `k` did not leave the hopper."""
        return self._misfeeds[k]

    def times_seen(self, card: Card) -> int:
        """Return how often `card` was read in this deal."""
        return self._kinds[card]

    def card_of(self, k: int) -> Card | None:
        """Return what card `k` was read as, or None if it was not."""
        return self._seen.get(k)

    def missing(self) -> list[str]:
        """Return the cards of the pack that were not read, in the pack's order."""
        return [str(card) for card in self.pack.cards if card not in self._kinds]

    def take_lines(self) -> list[Line]:
        """Return the lines noted since this was last called."""
        lines, self._lines = self._lines, []
        return lines

    def note(self, fact: dict[str, Any]) -> None:
        """Write a fact down, and the rulings on it.

        Raises:
            controller.errors.FactError: the fact is none that the record knows.
            controller.errors.OrderError: the fact cannot follow those before it.
        """
        number = self._count + 1
        rulings = self._judge.hear(parse_fact(fact, line=number), number)
        self._lines.append(fact)
        self._count = number
        self._track(fact)
        for ruling in rulings:
            line = to_json(ruling)
            self._lines.append(line)
            self._count += 1
            self._follow(line)

    def note_sighting(self, k: int, sighting: Sighting) -> None:
        """Write down what the eye saw of card `k`."""
        fact: dict[str, Any] = {"fact": "seen", "k": k, "state": sighting.state.value}
        if sighting.card is not None:
            fact["card"] = str(sighting.card)
        fact["confidence_ppm"] = round(sighting.confidence * 1_000_000)
        if sighting.reason:
            fact["reason"] = sighting.reason
        if sighting.frame:
            fact["frame"] = sighting.frame
        self.note(fact)

    def note_directors_card(self, card: Card | None) -> None:
        """Write down which card people say lies there; None where it is none of the pack."""
        self.note({"fact": "director", "decides": "cards", "value": "none of the pack" if card is None else str(card)})

    def restore(self, lines: Iterable[Line]) -> None:
        """Fold the stored lines of this deal; the rulings among them are judged again and must be the same.

        Raises:
            controller.errors.OrderError: a stored ruling differs from what the facts give now.
        """
        from controller.errors import OrderError

        stored = list(lines)
        for line in stored:
            if "fact" in line:
                self.note(line)
        if self.take_lines() != stored:
            raise OrderError(self._count, "ruling", "the rulings in the record are not those that its facts give")

    def _track(self, fact: Line) -> None:
        """Keep what the dealer decides by."""
        match fact["fact"]:
            case "deal_opened":
                self.least_cut = laws.code(fact["code"]).least_cut
                self.hand_cure = fact.get("house", {}).get("hand_cure", True)
            case "cut":
                self.fresh_cut = False
            case "seen":
                self._track_sighting(fact)
            case "faced":
                self.faced_last = fact["k"] == self.pack_size
            case "dealt":
                self._track_dealt(fact)
            case "machine_fault":
                self._track_fault(fact["code"], fact.get("k", 0))
            case "director":
                self._unnamed = self._uncounted = False
            case "deal_completed":
                self.ending = Ending(status="completed", next_dealer=left_of(self.dealer))

    def _track_sighting(self, fact: Line) -> None:
        """Count what was read, and what was not."""
        self._fed += 1
        if fact["state"] == State.CARD:
            card = Card.parse(fact["card"])
            self._seen[fact["k"]] = card
            self._kinds[card] += 1
        elif fact["state"] != State.FACE_NOT_SEEN:
            self._unread += 1
            self._doubts += fact["state"] != State.TWO_CARDS

    def _track_dealt(self, fact: Line) -> None:
        """Remember the last card; of two that fell together the second was not read."""
        self.last_seat, self.dealt = Seat(fact["to"]), fact["k"]
        self._unnamed = self.dealt == self.pack_size and self.card_of(self.dealt) is None
        second = fact.get("count", 1) - 1
        self._unread += second
        self._fed += second

    def _track_fault(self, code: str, k: int) -> None:
        """Count misfeeds; end the deal by a fault that voids it."""
        if code == "misfeed":
            self._misfeeds[k] += 1
        self._uncounted = self._uncounted or code == "hopper_empty"
        out_of_tries = self._misfeeds[k] >= MISFEEDS_MAX
        if self.ending is None and (out_of_tries or INCIDENTS[code].recovery is Recovery.VOID):
            self.ending = Ending(status="voided", next_dealer=self.dealer, fault=code)

    def _follow(self, ruling: Line) -> None:
        """Take what a ruling means for the running deal."""
        kind = ruling["ruling"]
        if kind in ("fresh_cut", "reshuffle_and_cut"):
            self.fresh_cut = True
        elif kind in _ENDINGS and (self.ending is None or not self.ending.law):
            self.ending = Ending(
                status=_ENDINGS[kind],
                next_dealer=Seat(ruling["dealer"]),
                law=ruling.get("law", ""),
                because=ruling.get("because", ""),
            )
