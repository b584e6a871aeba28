"""The state of a deal as its facts so far make it: what the judge knows, and the predicates the laws ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Literal

from controller.house import House
from controller.laws.vocabulary import Code, Law
from controller.laws.words import Fault, Window
from controller.rulings import Lapse, Ruling
from controller.table import Pattern, Seat, adversaries_of, partner_of, side_of
from vision.cards import Card

Agent = Seat | Literal["machine", "director"]


class Phase(IntEnum):
    """How far the deal has come."""

    SHUFFLE = 0
    CUT = 1
    """The packets of a good cut are reunited."""
    DEALING = 2
    DEALT = 3
    """The deal is completed as the code wants it: in whist and euchre, the trump is turned."""
    CALLED = 4
    """A player has called."""
    DECLARED = 5
    """The trump is named."""
    PLAY = 6
    TRICK_QUITTED = 7
    PLAY_ENDED = 8
    """The last trick is quitted."""
    HAND_ENDED = 9
    NEXT_DEALT = 10


PHASE_OF: Final = {
    Window.PACK_CUT: Phase.CUT,
    Window.FIRST_CARD: Phase.DEALING,
    Window.TRUMP_TURNED: Phase.DEALT,
    Window.DEAL_COMPLETED: Phase.DEALT,
    Window.FIRST_CALL: Phase.CALLED,
    Window.TRUMP_NAMED: Phase.DECLARED,
    Window.TAKEN_UP: Phase.PLAY,
    Window.LEAD: Phase.PLAY,
    Window.TRICK_QUITTED: Phase.TRICK_QUITTED,
    Window.PLAY_ENDED: Phase.PLAY_ENDED,
    Window.HAND_ENDED: Phase.HAND_ENDED,
    Window.NEXT_DEALT: Phase.NEXT_DEALT,
    Window.TIME: Phase.PLAY,
}
"""The phase at which a window opens or closes; reasonable time is over at the latest when a card is led."""


class CutState(IntEnum):
    """What the record says of the cut; saying nothing is no omission."""

    NOT_SAID = 0
    GOOD = 1
    BAD = 2
    """Made, and to be made again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence:
    """One fault as it happened.

    Attributes:
        fault: which.
        by: who did it; None where nobody knows or it does not matter.
        finder: who drew attention to it; None where the fact speaks for itself.
        seat: the seat whose cards are concerned.
        card: the card that was seen.
        k: the card's number in the dealing order, or the cards dealt at the time.
        where: where the card was seen.
        act: the act or claim that was tried.
        count: how many cards fell together.
        moves: cards to move in order to put it right.
        t_us: when, in microseconds.
    """

    fault: Fault
    by: Agent | None = None
    finder: Agent | None = None
    seat: Seat | None = None
    card: Card | None = None
    k: int = 0
    where: str = "on"
    act: str = ""
    count: int = 1
    moves: int = 0
    t_us: int | None = None


@dataclass(slots=True, kw_only=True)
class Hold:
    """An error that must be put right before the next card.

    Attributes:
        law: the law that lets it be put right.
        offence: the error.
        by: whose error it is.
    """

    law: Law
    offence: Offence
    by: Agent | None


@dataclass(slots=True, kw_only=True)
class OpenRight:
    """An option that is open.

    Attributes:
        law: the law that gives it.
        offence: what gave rise to it, last.
        may: the seats that may still claim.
        what: what they may claim.
        cards: the cards seen, each once.
        line: line of the fact that opened it.
    """

    law: Law
    offence: Offence
    may: tuple[Seat, ...]
    what: str
    cards: dict[Card, None]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LapsedRight:
    """An option that is over: a claim on it is answered with the reason.

    `law` is the law that ended it, `fault` what gave rise to it.
    """

    law: Law
    citation: str
    fault: Fault
    may: tuple[Seat, ...]
    what: str
    why: Lapse
    policy: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The ruling that stands for the deal as a whole.

    Attributes:
        ruling: the ruling.
        rank: what may replace it: a higher rank does.
        fault: what it rests on.
        ends: whether it ends the deal.
    """

    ruling: Ruling
    rank: int
    fault: Fault
    ends: bool


@dataclass(slots=True, kw_only=True)
class DealState:
    """A deal so far.

    `rightful` is whose deal it is; `dealer` is who deals, and gives the sides their names. `order` names the seat of
    every card of the pack by the pattern in use; None for those of the stock. `patterns` are those that are allowed,
    and `packs` and `cards` the sizes that the pack may have and what it may hold: where the record does not say which
    of the code's packs is used, those of all.
    `past` holds the last offence of every fault that happened of itself, without anybody drawing attention to it.
    """

    code: Code
    house: House
    rightful: Seat
    dealer: Seat
    pattern: Pattern
    order: tuple[Seat | None, ...]
    pack: int
    patterns: tuple[Pattern, ...]
    packs: tuple[int, ...]
    cards: frozenset[Card]
    misdealt_before: bool = False
    phase: Phase = Phase.SHUFFLE
    cut: CutState = CutState.NOT_SAID
    cut_omitted: bool = False
    reshuffle_due: bool = False
    shuffle_ordered: bool = False
    wrong_pack: bool = False
    laid_by: bool = False
    shuffled: set[Seat] = field(default_factory=set)
    leave: set[tuple[Seat, str]] = field(default_factory=set)
    asked: tuple[Seat, str] | None = None
    dealt: int = 0
    last_to: Seat | None = None
    counts: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(Seat, 0))
    hands_counted: set[Seat] = field(default_factory=set)
    dealt_wrong: bool = False
    pack_proved_bad: bool = False
    card_too_many: bool = False
    pack_only_lacks: bool = False
    excess_cause: Seat | None = None
    count_finding: tuple[Fault, Seat | None, Seat | None] | None = None
    touches: list[Seat] = field(default_factory=list)
    looked: set[Seat] = field(default_factory=set)
    lifted: set[Seat] = field(default_factory=set)
    time_over: set[Seat] = field(default_factory=set)
    touched: set[Seat] = field(default_factory=set)
    played: set[Seat] = field(default_factory=set)
    declarer: Seat | None = None
    calls: int = 0
    to_call: Seat | None = None
    passed_early: set[Seat] = field(default_factory=set)
    callers: set[Seat] = field(default_factory=set)
    barred: dict[tuple[Seat, str], Law] = field(default_factory=dict)
    trump: Card | None = None
    last_face_down: bool = False
    interrupted: bool = False
    interrupted_in_vain: bool = False
    machine_fault: bool = False
    unattributed: Offence | None = None
    asked_unread: set[Fault] = field(default_factory=set)
    hold: Hold | None = None
    rights: dict[Law, OpenRight] = field(default_factory=dict)
    lapsed: dict[str, LapsedRight] = field(default_factory=dict)
    past: dict[Fault, Offence] = field(default_factory=dict)
    deadline_us: int | None = None
    now_us: int | None = None
    standing: Standing | None = None

    @property
    def ended(self) -> bool:
        """Whether a ruling has ended the deal."""
        return self.standing is not None and self.standing.ends

    @property
    def owner(self) -> Seat:
        """Whose deal it counts as: a player who deals with leave deals for his partner."""
        for_partner = self.dealer is partner_of(self.rightful) and (self.dealer, "deal") in self.leave
        return self.rightful if for_partner else self.dealer

    @property
    def wrong_dealer(self) -> bool:
        """Whether another than the rightful dealer deals, and the deal may still be stopped for it."""
        settled = self.code.turn_settled
        return self.owner is not self.rightful and settled is not None and self.phase < PHASE_OF[settled]

    @property
    def dealing_side(self) -> tuple[Seat, Seat]:
        """The dealer and his partner."""
        return side_of(self.dealer)

    @property
    def adversaries(self) -> tuple[Seat, Seat]:
        """The eldest hand and the pone."""
        return adversaries_of(self.dealer)

    def bar_on(self, seat: Seat, call: str) -> Law | None:
        """Return the law by which a seat is barred from a call; who has lost the privilege may still pass."""
        privilege = self.barred.get((seat, "privilege")) if call in ("assist", "order_up") else None
        return privilege or self.barred.get((seat, call))

    def cut_not_proper(self) -> bool:
        """Return whether the record says that the pack was not properly cut."""
        return self.cut_omitted or (self.cut is CutState.BAD and self.phase >= Phase.DEALING)

    def touched_before(self, first: tuple[Seat, ...], second: tuple[Seat, ...]) -> bool:
        """Return whether one of `first` touched cards, and none of `second` before."""
        for seat in self.touches:
            if seat in second:
                return False
            if seat in first:
                return True
        return False

    def adversary_touched_first(self) -> bool:
        """Return whether an adversary touched before the dealer's partner; the dealer's own touch does not count."""
        return self.touched_before(self.adversaries, (partner_of(self.dealer),))

    def bars(self, who: tuple[Seat, ...], others: tuple[Seat, ...]) -> bool:
        """Return whether `who` have touched and so lost a claim; a law may spare them if `others` touched before."""
        if self.code.on(Fault.BOTH_SIDES_TOUCHED):
            return self.touched_before(who, others)
        return not self.touched.isdisjoint(who)

    def has_looked(self) -> set[Seat]:
        """Return the seats that have looked at their cards, by what the house takes for looking."""
        return self.looked | self.lifted if self.house.looked == "tray_lifted" else self.looked

    def deals_by(self, pattern: Pattern) -> None:
        """Give the cards out by a pattern, beginning on the left of who deals."""
        self.pattern = pattern
        self.order = pattern.order(self.dealer) + (None,) * pattern.stock(self.pack)
