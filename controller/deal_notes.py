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
from controller.cards_seen import CardsSeen
from controller.club_code import code_of
from controller.ending import Ending
from controller.errors import OrderError
from controller.exposures import Exposures
from controller.facts import parse_fact
from controller.house import House
from controller.incident import Recovery
from controller.incidents import INCIDENTS
from controller.judge import Judge
from controller.laws.vocabulary import Code
from controller.rulings import to_json
from controller.seen_fact import seen_fact
from controller.table import Pattern, Seat, left_of, partner_of, pone_of
from controller.window_sensors import PAIRS
from firmware_bridge.words import Asked
from vision.cards import Card, Pack
from vision.sighting import Sighting

_ENDINGS: Final = {"new_deal": "new_deal", "misdeal": "misdeal", "void": "voided", "stop": "stopped"}
_SHUFFLES: Final = ("reshuffle", "reshuffle_and_cut")

_COUNTED_AFTER: Final = ("hopper_empty", "hopper_not_empty")
"""Faults of which only a count says what they are."""

MISFEEDS_MAX: Final = 3
"""Tries for one card before the deal is given up."""

CUTS_MAX: Final = 5
"""Cuts of one deal that a scale may weigh; if the last of them is not good either, something else is wrong."""

DRAWS_MAX: Final = 3
"""Shuffles of the machine that may go wrong before the deal is given up."""


@dataclass(slots=True, kw_only=True)
class DealNotes:
    """The facts and rulings of one deal.

    Attributes:
        dealer: whose deal it is.
        code: the code of laws.
        pattern: how its cards are given out.
        pack: its cards.
        house: what the house decides.
        ending: how the deal ends, once that is settled.
        fresh_cut: whether the last cut has to be made again.
        reshuffle: whether the pack has to be shuffled again.
        cut_reports: what was said of the cut under way: `exposed`, `confused`.
        cuts: how often the pack was cut and weighed so far.
        draws: random numbers drawn for the machine's shuffle so far.
        began: whether the dealing has begun.
        last_seat: who the last card fell to; the dealer before any did.
        dealt: number of that card; 0 before any fell.
        out: number of the last card that arrived anywhere.
        turned: whether the trump card lies face up.
        faced_last: whether the card to be turned up lies faced in the pack.
    """

    dealer: Seat
    code: Code = field(default_factory=lambda: laws.code("whist"), init=False)
    pattern: Pattern = field(init=False)
    pack: Pack = field(init=False)
    house: House = field(default_factory=House, init=False)
    ending: Ending | None = None
    fresh_cut: bool = False
    reshuffle: bool = False
    cut_reports: set[str] = field(default_factory=set)
    cuts: int = 0
    draws: int = 0
    began: bool = False
    last_seat: Seat = field(init=False)
    dealt: int = 0
    out: int = 0
    turned: bool = False
    faced_last: bool = False
    _judge: Judge = field(default_factory=Judge)
    _exposures: Exposures = field(default_factory=Exposures)
    _lines: list[Line] = field(default_factory=list)
    _count: int = 0
    _seen: CardsSeen = field(default_factory=CardsSeen)
    _uncounted: bool = False
    _unnamed: bool = False
    _undecided: bool = False
    _astray: bool = False
    _timed: set[Seat] = field(default_factory=set)
    _passed: set[Seat] = field(default_factory=set)
    _failed_draws: int = 0
    _misfeeds: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.last_seat = self.dealer
        self.pattern = self.code.pattern
        self.pack = Pack.of(self.code.packs[0])

    @property
    def cutter(self) -> Seat:
        """The player who cuts: the pone, or with leave of the other side his partner for him."""
        pone = pone_of(self.dealer)
        return partner_of(pone) if self._judge.has_leave(partner_of(pone), "cut") else pone

    @property
    def pack_size(self) -> int:
        """Cards in the pack."""
        return len(self.pack)

    @property
    def trump(self) -> int:
        """Number of the card that is turned up; 0 where none is."""
        return self.pattern.trump or 0

    @property
    def holding(self) -> bool:
        """Whether something must be put right before the next card: by a law, or else to fill the hands."""
        return self._judge.holding or self._astray

    @property
    def wanted(self) -> Asked | None:
        """What people must do or say before the deal can go on or end; None where nothing is wanted of them."""
        if self._uncounted:
            return Asked.COUNT_PACK
        if self.holding:
            return Asked.MOVE_CARD
        if self._unnamed:
            return Asked.NAME_CARD
        return Asked.DECIDE if self._undecided else None

    @property
    def to_decide(self) -> str:
        """What the director is asked to decide: who deals, once the deal is over; else whose act it was."""
        return "order" if self._judge.ended is not None else "attribution"

    @property
    def entitled(self) -> tuple[Seat, ...]:
        """The seats to whom a right is open and whose reasonable time has not run out, in rotation from the dealer."""
        open_to = {seat for option in self._judge.open_options for seat in option.may}
        if not open_to:
            return ()
        return tuple(seat for seat in Seat if seat in open_to - self._timed)

    @property
    def wrong_hands(self) -> dict[Seat, int]:
        """The hands of a deal with all its cards dealt that hold more or fewer than they should, and how many."""
        return self._judge.wrong_hands

    @property
    def fed(self) -> int:
        """Cards that left the hopper, as far as is known."""
        return self._seen.fed

    @property
    def unread(self) -> int:
        """Cards of this deal whose face was not read."""
        return self._seen.unread

    @property
    def doubts(self) -> int:
        """Sightings of this deal that told nothing; two cards that came together are none."""
        return self._seen.doubts

    @property
    def doubted(self) -> tuple[tuple[int, int], ...]:
        """Numbers of cards that were read as the same card, in pairs, the earlier first."""
        return tuple(self._seen.doubted)

    @property
    def all_read(self) -> bool:
        """Whether every card fed so far was read, and is of another kind than every other."""
        return self._seen.all_read

    def misfeeds(self, k: int) -> int:
        """Return how often card `k` did not leave the hopper."""
        return self._misfeeds[k]

    def times_seen(self, card: Card) -> int:
        """Return how often `card` was read in this deal."""
        return self._seen.times_read(card)

    def card_of(self, k: int) -> Card | None:
        """Return what card `k` was read as; None if it was not, or was read as another card was."""
        return self._seen.card_of(k)

    def is_told(self, fact: Line) -> bool:
        """Return whether a fact tells of a face that is on record as exposed, and of no other."""
        return fact["fact"] == "exposed" and self._exposures.holds(fact, self.out)

    def missing(self) -> list[str]:
        """Return the cards of the pack that were not read, in the pack's order."""
        return self._seen.missing(self.pack)

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
        self._exposures.note(fact, self.out)
        self._track(fact)
        for ruling in rulings:
            line = to_json(ruling)
            self._lines.append(line)
            self._count += 1
            self._follow(line)
        if fact["fact"] == "called" and fact["what"] == "pass" and not rulings:
            self._passed.add(Seat(fact["seat"]))

    def as_heard(self, fact: Line) -> Line:
        """Return what a seat says with what it means here: whoever passed in his turn and calls again corrects it."""
        again = fact["fact"] == "called" and fact["what"] != "pass" and Seat(fact["seat"]) in self._passed
        return fact | {"correcting": True} if again else fact

    def note_sighting(self, k: int, sighting: Sighting) -> None:
        """Write down what the eye saw of card `k`."""
        self.note(seen_fact(k, sighting))

    def note_doubted(self, k: int, card: Card | None) -> None:
        """Write down that card `k` was read, or named, as one before it was; either may be the one misread."""
        if card is not None and (earlier := self._seen.earlier(k, card)) is not None:
            self.note({"fact": "doubted", "k": k, "earlier": earlier})

    def note_directors_card(self, card: Card | None) -> None:
        """Write down which card people say lies there; None where it is none of the pack."""
        self.note({"fact": "director", "decides": "cards", "value": "none of the pack" if card is None else str(card)})

    def restore(self, lines: Iterable[Line]) -> None:
        """Fold the stored lines of this deal; the rulings among them are judged again and must be the same.

        Raises:
            controller.errors.OrderError: a stored ruling differs from what the facts give now.
        """
        stored = list(lines)
        for line in stored:
            if "fact" in line:
                self.note(line)
        if self.take_lines() != stored:
            raise OrderError(self._count, "ruling", "the rulings in the record are not those that its facts give")

    def _track(self, fact: Line) -> None:
        """Keep what the dealer decides by."""
        match fact["fact"]:
            case "seen":
                self._seen.saw(fact)
            case "doubted":
                self._seen.doubt(fact)
            case "dealt":
                self._track_dealt(fact)
            case "routed":
                self._track_routed(fact)
            case "turned":
                self.turned, self._unnamed = True, False
            case "faced":
                self.faced_last = self.faced_last or fact["k"] == self.trump
            case "machine_fault":
                self._track_fault(fact["code"], fact.get("k", 0))
            case "director" | "time_given" | "corrected":
                self._track_people(fact)
            case "deal_completed":
                self.ending = self.ending or Ending(status="completed", next_dealer=left_of(self.dealer))
            case _:
                self._track_before(fact)

    def _track_before(self, fact: Line) -> None:
        """Keep what comes before the first card."""
        match fact["fact"]:
            case "deal_opened":
                self._open(fact)
            case "draw_committed":
                self.draws += 1
            case "shuffled":
                self.reshuffle, self._failed_draws = False, 0
            case "presented":
                self.cut_reports.clear()
            case "cut_reported":
                self.cut_reports.add(fact["what"])
            case "cut":
                self.fresh_cut, self.cuts = False, self.cuts + 1
                self.cut_reports.clear()
            case "cut_unweighed":
                self.fresh_cut = bool(self.cut_reports)
                self.cut_reports.clear()
            case "dealing_began":
                self.began = True

    def _open(self, fact: Line) -> None:
        """Take over what the deal is dealt by."""
        self.house = House(**fact.get("house", {}))
        self.code = code_of(fact)
        self.pattern = self.code.pattern_named(fact.get("pattern"))
        self.pack = Pack.of(fact.get("pack", self.code.packs[0]))

    def _track_dealt(self, fact: Line) -> None:
        """Remember the last card; of two that fell together the second was not read."""
        self.last_seat, self.dealt = Seat(fact["to"]), fact["k"]
        self._track_out(fact["k"], fact.get("count", 1) - 1)

    def _track_routed(self, fact: Line) -> None:
        """Remember a card that falls to no hand."""
        if fact["to"] not in Seat.__members__ or fact["k"] > self.pattern.given:
            self._track_out(fact["k"], 0)

    def _track_out(self, k: int, second: int) -> None:
        """Count a card that has arrived; the one to be turned up must have a name."""
        self.out = max(self.out, k)
        self._unnamed = self.out == self.trump and self.card_of(self.out) is None and not self.turned
        self._seen.fell_with_another(second)

    def _track_people(self, fact: Line) -> None:
        """Keep what people put right, say, or let pass."""
        match fact["fact"]:
            case "corrected":
                self._astray = False
            case "time_given":
                self._timed.add(Seat(fact["to"]))
            case _:
                self._track_director(fact)

    def _track_director(self, fact: Line) -> None:
        """Take the director's answer for the question that was open."""
        seat = Seat(fact["seat"]) if "seat" in fact else None
        match fact["decides"]:
            case "cards":
                self._unnamed = self._uncounted = False
            case "time" if seat is not None:
                self._timed.add(seat)
            case "order":
                self._undecided = False
                if self.ending is None:
                    because = "the code does not say who deals; the director did"
                    self.ending = Ending(status="stopped", next_dealer=seat or self.dealer, because=because)
            case _:
                self._undecided = False

    def _track_fault(self, code: str, k: int) -> None:
        """Count misfeeds; end the deal by a fault that voids it."""
        if code == "misfeed":
            self._misfeeds[k] += 1
        self._uncounted = self._uncounted or code in _COUNTED_AFTER
        self._astray = self._astray or code == "wrong_seat"
        recovery = INCIDENTS[code].recovery
        if code in PAIRS and k > self.pattern.given:
            self._track_out(k + 1, 1)
        voids = recovery is Recovery.LEAVE or self._misfeeds[k] >= MISFEEDS_MAX
        if recovery is Recovery.VOID:
            self._failed_draws += not self.began
            voids = self.began or self._failed_draws >= DRAWS_MAX
        if voids and (self.ending is None or self.ending.status == "completed"):
            self.ending = Ending(status="voided", next_dealer=self.dealer, fault=code)

    def _follow(self, ruling: Line) -> None:
        """Take what a ruling means for the running deal."""
        kind = ruling["ruling"]
        self.fresh_cut = self.fresh_cut or kind in ("fresh_cut", *_SHUFFLES)
        self.reshuffle = self.reshuffle or kind in _SHUFFLES
        if kind == "option":
            self._timed.clear()
        elif kind == "ask_director":
            self._undecided = True
        elif kind in _ENDINGS and (self.ending is None or not self.ending.law):
            self.ending = Ending(
                status=_ENDINGS[kind],
                next_dealer=Seat(ruling["dealer"]),
                law=ruling.get("law", ""),
                because=ruling.get("because", ""),
            )
