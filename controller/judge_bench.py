"""The one interpreter of declared laws: from an offence to the law that rules, and from the law to rulings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from controller import rulings
from controller.house import House
from controller.judge_conditions import ENTITLED, EXPOSURES, HOLDS, Predicate
from controller.judge_remedies import ANSWERS
from controller.judge_state import PHASE_OF, DealState, LapsedRight, Offence, OpenRight, Phase
from controller.laws.vocabulary import Code, Law
from controller.laws.words import Condition, Fault, Party, Remedy, Window
from controller.rulings import Lapse, Ruling, Until
from controller.table import Seat, adversaries_of, left_of, rotation, side_of
from vision.cards import Card

CLAIM_OF: Final = {
    Remedy.RESHUFFLE: "reshuffle",
    Remedy.FRESH_CUT: "fresh_cut",
    Remedy.STOP: "stop",
    Remedy.NEW_DEAL: "new_deal",
    Remedy.MISDEAL: "misdeal",
    Remedy.PRIVILEGE_LOST: "bar",
}
"""What a claim of the remedy is called in the record."""

UNTIL: Final[dict[Window | None, Until]] = {
    Window.PACK_CUT: "next_card",
    Window.TRUMP_TURNED: "trump_turned",
    Window.DEAL_COMPLETED: "deal_completed",
    Window.TRUMP_NAMED: "lead",
    Window.TAKEN_UP: "touch",
    Window.LEAD: "lead",
    Window.HAND_ENDED: "hand_ended",
    Window.NEXT_DEALT: "next_dealt",
    Window.FIRST_CARD: "next_card",
    Window.TIME: "time",
}
"""The end of a right as the record names it; a trump that is not named yet is named before the lead."""

LATE_CURE: Final = {
    Fault.TWO_CARDS: Fault.TWO_CARDS_LEFT,
    Fault.TWO_AT_ONCE: Fault.TWO_AT_ONCE_LEFT,
    Fault.WRONG_PACKET: Fault.WRONG_PACKET_LEFT,
    Fault.LONG_HAND: Fault.LONG_HAND,
}
"""What an error becomes that is not put right in time."""

_NOBODY: Final = (None, "machine")
"""The finders who can claim nothing."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A law as it is asked for at every fault: its words replaced by what they mean."""

    law: Law
    since: int
    until: int
    provided: tuple[Predicate, ...]
    unless: tuple[Predicate, ...]


@lru_cache(maxsize=64)
def _rules_of(code: Code, house: House) -> dict[Fault, tuple[_Rule, ...]]:
    """Return the laws of a code that hold in a house, by their fault."""
    rules: dict[Fault, tuple[_Rule, ...]] = {}
    for law in code.laws:
        if law.setting is None or getattr(house, law.setting.key) == law.setting.value:
            rule = _Rule(
                law,
                PHASE_OF[law.since] if law.since else min(Phase),
                PHASE_OF[law.until] if law.until else max(Phase) + 1,
                tuple(HOLDS[held] for held in law.provided),
                tuple(HOLDS[bar] for bar in law.unless),
            )
            rules[law.when] = (*rules.get(law.when, ()), rule)
    return rules


class Bench:
    """The laws of one code applied to one deal; rulings gather in `said`.

    Attributes:
        deal: the state of the deal.
        line: line of the fact that is being heard.
        said: the rulings on that fact.
        may_replace: whether that fact may replace a ruling that ended the deal.
        aside: what a ruling says in brackets behind its law, of the facts that it rests on; empty for nothing.
    """

    __slots__ = ("_rules", "aside", "deal", "line", "may_replace", "said")

    def __init__(self, deal: DealState) -> None:
        self.deal = deal
        self._rules = _rules_of(deal.code, deal.house)
        self.line = 0
        self.said: list[Ruling] = []
        self.may_replace = False
        self.aside = ""

    # Finding the law.

    def find(self, offence: Offence, *general: Fault) -> bool:
        """Apply the first law on an offence that applies now; return whether there was one.

        Args:
            offence: what happened.
            general: what it also is, from the special to the general; asked in turn where the code has no law on
                what it is first.
        """
        if self.deal.ended and not self.may_replace:
            return False
        if offence.finder is None:
            self.deal.past[offence.fault] = offence
        law = self.law_on(offence, offence.fault, *general)
        if law is None:
            return self._ask_of_unread(offence, *general)
        if law.shown:
            self.say(rulings.ShowTo, law, seats=self.deal.adversaries)
        if law.claimed_by is None or offence.finder == "director":
            self.remedy(law, offence)
        elif offence.finder in _NOBODY:
            self._open(law, offence)
        elif offence.finder in self.entitled(law, offence):
            self.remedy(law, offence)
        else:
            self.say(rulings.Refused, law, act=CLAIM_OF.get(law.remedy, offence.act))
        return True

    def _ask_of_unread(self, offence: Offence, *general: Fault) -> bool:
        """Leave to the director a fault on which only clauses speak that were not read.

        Whoever demands something is answered; what only happens, as card after card out of its turn, is asked once.
        """
        deal = self.deal
        if not deal.code.unread:
            return False
        faults = (offence.fault, *general)
        found = next(((fault, part) for fault in faults for part in deal.code.unread if fault in part.on), None)
        if found is None or deal.house.unread_law == "ignored":
            return False
        fault, unread = found
        if not deal.ended and (offence.finder is not None or fault not in deal.asked_unread):
            deal.asked_unread.add(fault)
            why = f"{fault.value}, and the law on it was not read"
            because = unread.sentence
            self.said.append(rulings.AskDirector(law=None, policy="unread_law", on=self.line, because=because, why=why))
        return True

    def law_on(self, offence: Offence, *faults: Fault) -> Law | None:
        """Return the first law on these faults that applies to an offence now."""
        for fault in faults:
            for rule in self._rules.get(fault, ()):
                if self._applies(rule, offence):
                    return rule.law
        return None

    def _applies(self, rule: _Rule, offence: Offence) -> bool:
        deal = self.deal
        if not rule.since <= deal.phase < rule.until:
            return False
        for asked in rule.provided:
            if not asked(deal, offence):
                return False
        for bar in rule.unless:
            if bar(deal, offence):
                return False
        # A fault that nobody found gives rise to a right only where somebody has it.
        law = rule.law
        return law.claimed_by is None or offence.finder not in _NOBODY or bool(self.entitled(law, offence))

    def barred(self, law: Law, offence: Offence) -> bool:
        """Return whether one of the law's exceptions holds."""
        return any(HOLDS[bar](self.deal, offence) for bar in law.unless)

    def entitled(self, law: Law, offence: Offence) -> tuple[Seat, ...]:
        """Return the seats that may claim a law's remedy now."""
        seats = self.party(law, offence)
        if not law.claimants:
            return seats
        return tuple(seat for seat in seats if all(ENTITLED[asked](self.deal, seat) for asked in law.claimants))

    def party(self, law: Law, offence: Offence) -> tuple[Seat, ...]:
        """Return the seats to which a law gives its remedy, whatever they have done since."""
        dealer = self.deal.dealer
        match law.claimed_by:
            case Party.ANYONE:
                return rotation(left_of(dealer))
            case Party.ADVERSARIES:
                return adversaries_of(dealer)
            case Party.ELDEST_HAND:
                return (left_of(dealer),)
            case Party.DEALER:
                return (dealer,)
            case Party.DEALING_SIDE:
                return side_of(dealer)
            case Party.OPPONENTS if offence.seat is not None:
                return adversaries_of(offence.seat)
        return ()

    def laws_on(self, fault: Fault) -> tuple[Law, ...]:
        """Return the laws on a fault that hold in the house, in their order."""
        return tuple(rule.law for rule in self._rules.get(fault, ()))

    # Rulings.

    def remedy(self, law: Law, offence: Offence) -> None:
        """Give what a law says must follow."""
        ANSWERS[law.remedy](self, law, offence)

    def say(self, kind: type[Ruling], law: Law, **fields: Any) -> None:
        """Give a ruling that does not end the deal; there is none once the deal is over."""
        if not self.deal.ended:
            self.said.append(self.made(kind, law, **fields))

    def made(self, kind: type[Ruling], law: Law, **fields: Any) -> Ruling:
        """Return a ruling by a law on the fact that is being heard."""
        because = f"{law.sentence[:-1]} ({self.aside})." if self.aside else law.sentence
        fields = {"policy": law.policy, "because": because, **fields}
        return kind(law=law.citation, on=self.line, **fields)

    # Rights to claim.

    def _open(self, law: Law, offence: Offence) -> None:
        deal = self.deal
        if deal.ended:
            return
        what, may = CLAIM_OF[law.remedy], self.entitled(law, offence)
        seen = deal.rights[law].cards if law in deal.rights else {}
        if offence.card is not None:
            seen[offence.card] = None
        deal.rights[law] = OpenRight(law=law, offence=offence, may=may, what=what, cards=seen, line=self.line)
        deal.lapsed.pop(law.citation, None)
        if law.until is Window.TIME and deal.now_us is not None:
            deal.deadline_us = deal.now_us + deal.house.grace_us
        self.say(rulings.Option, law, may=may, what=what, until=UNTIL[law.until])

    def close(self, right: OpenRight, why: Lapse, *, citing: Law | None = None, policy: str | None = None) -> None:
        """Close a right without a claim, and say what follows for the cards that were seen."""
        law = citing or right.law
        policy = policy or law.policy
        self.deal.rights.pop(right.law)
        self.deal.lapsed[right.law.citation] = LapsedRight(
            law=law,
            citation=law.citation,
            fault=right.law.when,
            may=self.party(right.law, right.offence),
            what=right.what,
            why=why,
            policy=policy,
        )
        self.say(rulings.OptionClosed, law, why=why, policy=policy)
        if right.law.when in EXPOSURES:
            seen: tuple[Card | None, ...] = tuple(right.cards) or (None,)
            for card in seen:
                self.find(Offence(fault=Fault.EXPOSURE_PASSED, card=card))

    def open_options(self) -> tuple[rulings.Option, ...]:
        """Return the rights that are open, as the rulings that opened them, less the seats that let them go."""
        return tuple(
            rulings.Option(
                law=right.law.citation,
                policy=right.law.policy,
                on=right.line,
                because=right.law.sentence,
                may=right.may,
                what=right.what,
                until=UNTIL[right.law.until],
            )
            for right in self.deal.rights.values()
        )

    # Errors that may be put right.

    def correct(self, cards_moved: int) -> bool:
        """Put the open error right; return whether the law allows it in that many moves."""
        hold = self.deal.hold
        if hold is None:
            return True
        if Condition.ONE_CARD_CURES in hold.law.provided and cards_moved > 1:
            self.miss_cure()
            return False
        self.deal.hold = None
        return True

    def miss_cure(self) -> None:
        """Rule on an open error that was not put right in time."""
        hold = self.deal.hold
        if hold is None:
            return
        self.deal.hold = None
        late = LATE_CURE[hold.law.when]
        self.find(replace(hold.offence, fault=late, by=hold.by))
