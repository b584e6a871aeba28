"""The one interpreter of declared laws: from an offence to the law that rules, and from the law to rulings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final

from controller import rulings
from controller.judge_conditions import HOLDS
from controller.judge_state import (
    PHASE_OF,
    CutState,
    DealState,
    Hold,
    LapsedRight,
    Offence,
    OpenRight,
    Phase,
    Standing,
)
from controller.laws.vocabulary import Condition, Fault, Law, Party, Remedy, Window
from controller.rulings import Lapse, Ruling, Until
from controller.table import Seat, adversaries_of, left_of, partner_of, rotation
from vision.cards import Card

_CLAIM_OF: Final = {
    Remedy.RESHUFFLE: "reshuffle",
    Remedy.FRESH_CUT: "fresh_cut",
    Remedy.STOP: "stop",
    Remedy.NEW_DEAL: "new_deal",
    Remedy.MISDEAL: "misdeal",
}

_UNTIL: Final[dict[Window | None, Until]] = {
    Window.PACK_CUT: "next_card",
    Window.TRUMP_TURNED: "trump_turned",
    Window.LEAD: "lead",
    Window.TIME: "time",
}

_LATE_CURE: Final = {Fault.TWO_CARDS: Fault.TWO_CARDS_LEFT, Fault.WRONG_PACKET: Fault.WRONG_PACKET_LEFT}

_EXPOSURES: Final = frozenset({Fault.CARD_EXPOSED, Fault.TRUMP_TURNED_SOON})

_WHY_ASK: Final = {
    Fault.CARD_EXPOSED: "who exposed the card is not known",
    Fault.SHORT_HAND: "a hand is short before the code speaks of it; count the pack and look for the card",
    Fault.SHORT_HANDS: "the hands do not make up the pack and none is too long; count the pack and look for the cards",
    Fault.CONSULTED: "whether consulting costs this right is not settled",
}

_PACK_FAULTS: Final = frozenset({Fault.PACK_BAD})

RANK_UNSETTLED, RANK_FAULT, RANK_ADVERSARY, RANK_PACK = range(4)
"""Which of two faults rules: a bad pack, then an adversary's act, then what the dealing side did wrong."""


class Bench:
    """The laws of one code applied to one deal; rulings gather in `said`.

    Attributes:
        deal: the state of the deal.
        line: line of the fact that is being heard.
        said: the rulings on that fact.
        may_replace: whether that fact may replace a ruling that ended the deal.
    """

    __slots__ = ("deal", "line", "may_replace", "said")

    def __init__(self, deal: DealState) -> None:
        self.deal = deal
        self.line = 0
        self.said: list[Ruling] = []
        self.may_replace = False

    # Finding the law.

    def find(self, offence: Offence) -> bool:
        """Apply the first law on an offence that applies now; return whether there was one."""
        if self.deal.ended and not self.may_replace:
            return False
        law = self._law_on(offence.fault, offence)
        if law is None:
            return False
        if law.shown:
            self.say(rulings.ShowTo, law, seats=self.deal.adversaries)
        may = self._party(law.claimed_by)
        if not may or offence.finder == "director" or offence.finder in may:
            self.remedy(law, offence)
        elif offence.finder in (None, "machine"):
            self._open(law, offence, may)
        else:
            self.say(rulings.Refused, law, act=_CLAIM_OF.get(law.remedy, offence.act))
        return True

    def _law_on(self, fault: Fault, offence: Offence) -> Law | None:
        return next((law for law in self.deal.code.on(fault) if self._applies(law, offence)), None)

    def _applies(self, law: Law, offence: Offence) -> bool:
        deal = self.deal
        if law.setting is not None and getattr(deal.house, law.setting.key) != law.setting.value:
            return False
        if law.since is not None and deal.phase < PHASE_OF[law.since]:
            return False
        if law.until is not None and deal.phase >= PHASE_OF[law.until]:
            return False
        return all(HOLDS[held](deal, offence) for held in law.provided) and not self.barred(law, offence)

    def barred(self, law: Law, offence: Offence) -> bool:
        """Return whether one of the law's exceptions holds."""
        return any(HOLDS[bar](self.deal, offence) for bar in law.unless)

    def _party(self, party: Party | None) -> tuple[Seat, ...]:
        dealer = self.deal.dealer
        match party:
            case Party.ANYONE:
                return rotation(left_of(dealer))
            case Party.ADVERSARIES:
                return adversaries_of(dealer)
            case Party.DEALER:
                return (dealer,)
            case None:
                return ()

    # Remedies.

    def remedy(self, law: Law, offence: Offence) -> None:
        """Give what a law says must follow."""
        self._answers[law.remedy](self, law, offence)

    def say(self, kind: type[Ruling], law: Law, **fields: Any) -> None:
        """Give a ruling that does not end the deal; there is none once the deal is over."""
        if not self.deal.ended:
            self.said.append(self._made(kind, law, **fields))

    def _made(self, kind: type[Ruling], law: Law, **fields: Any) -> Ruling:
        fields = {"policy": law.policy, "because": law.sentence, **fields}
        return kind(law=law.citation, on=self.line, **fields)

    def _end(self, ruling: Ruling, fault: Fault, rank: int) -> None:
        """Let a ruling end the deal, unless one of the same or a higher rank has."""
        deal = self.deal
        old = deal.standing
        if old is not None and old.ends and rank <= old.rank:
            graver = _is_lost(ruling) and not _is_lost(old.ruling)
            if rank < old.rank or deal.house.two_faults != "gravest" or not graver:
                return
            ruling = replace(ruling, policy="two_faults")
        deal.standing = Standing(ruling=ruling, rank=rank, fault=fault, ends=True)
        deal.hold = None
        deal.rights.clear()
        self.said.append(ruling)

    def _rank(self, law: Law) -> int:
        if law.when in _PACK_FAULTS:
            return RANK_PACK
        return RANK_ADVERSARY if Condition.BY_ADVERSARY in law.provided and not law.claimed_by else RANK_FAULT

    def _allow(self, law: Law, offence: Offence) -> None:
        """Say nothing: what is allowed needs no ruling."""

    def _refuse(self, law: Law, offence: Offence) -> None:
        self.say(rulings.Refused, law, act=offence.act)

    def _reshuffle(self, law: Law, offence: Offence) -> None:
        self.say(rulings.Reshuffle, law)

    def _fresh_cut(self, law: Law, offence: Offence) -> None:
        self.deal.cut = CutState.BAD
        self.deal.shuffled.clear()
        self.say(rulings.FreshCut, law)

    def _correct_first(self, law: Law, offence: Offence) -> None:
        self.deal.hold = Hold(law=law, offence=offence, by=offence.by)
        self.say(rulings.CorrectFirst, law)

    def _stop(self, law: Law, offence: Offence) -> None:
        self._end(self._made(rulings.Stop, law, dealer=self.deal.rightful), law.when, RANK_FAULT)

    def _new_deal(self, law: Law, offence: Offence) -> None:
        if self.deal.wrong_dealer:
            self._ask_who_deals(law)
            return
        kind = rulings.Void if self.deal.phase >= Phase.PLAY else rulings.NewDeal
        self._end(self._made(kind, law, dealer=self.deal.owner), law.when, self._rank(law))

    def _misdeal(self, law: Law, offence: Offence) -> None:
        """Rule a misdeal, and by the laws on misdeals whether the deal is lost and who deals next."""
        deal = self.deal
        cost = self._law_on(Fault.MISDEAL, offence)
        if cost is None:
            return
        fields: dict[str, Any] = {"policy": law.policy or cost.policy}
        rank = RANK_FAULT
        match cost.remedy:
            case Remedy.LOST_FOR_PARTNER:
                law, fields = cost, {"lost": True, "dealer": left_of(deal.rightful)}
            case _ if deal.wrong_dealer and deal.dealer is not partner_of(deal.rightful):
                self._ask_who_deals(law)
                return
            case Remedy.DEALT_AGAIN:
                saved_by = None if cost.setting else cost.citation
                dealer = deal.rightful if deal.wrong_dealer else deal.owner
                fields |= {"lost": False, "dealer": dealer, "saved_by": saved_by}
                rank = RANK_ADVERSARY if saved_by else RANK_FAULT
            case _:
                fields |= {"lost": True, "dealer": left_of(deal.dealer)}
        self._end(self._made(rulings.Misdeal, law, **fields), law.when, rank)

    def _ask_who_deals(self, law: Law) -> None:
        why = "the dealing is at fault and it is not the dealer's turn: the code does not say who deals"
        self._end(self._made(rulings.AskDirector, law, why=why), law.when, RANK_UNSETTLED)

    def _stands(self, law: Law, offence: Offence) -> None:
        deal = self.deal
        if deal.ended:
            return
        turn_changes = law.when is Fault.OUT_OF_TURN and deal.dealer is not deal.rightful
        ruling = self._made(
            rulings.Stands,
            law,
            next_dealer=left_of(deal.dealer) if turn_changes else None,
            liable=offence.seat if law.remedy is Remedy.STANDS_LIABLE else None,
        )
        deal.standing = Standing(ruling=ruling, rank=RANK_UNSETTLED, fault=law.when, ends=False)
        self.said.append(ruling)

    def _not_callable(self, law: Law, offence: Offence) -> None:
        self.say(rulings.NotCallable, law, card=offence.card)

    def _right_lost(self, law: Law, offence: Offence) -> None:
        for right in list(self.deal.rights.values()):
            if offence.by in right.may:
                self.close(right, "wrong_claim", citing=law)

    def _ask(self, law: Law, offence: Offence) -> None:
        self.say(rulings.AskDirector, law, why=_WHY_ASK[law.when])

    # Rights to claim.

    def _open(self, law: Law, offence: Offence, may: tuple[Seat, ...]) -> None:
        deal = self.deal
        if deal.ended:
            return
        what = _CLAIM_OF[law.remedy]
        seen = deal.rights[law].cards if law in deal.rights else {}
        if offence.card is not None:
            seen[offence.card] = None
        deal.rights[law] = OpenRight(law=law, offence=offence, may=may, what=what, cards=seen, line=self.line)
        deal.lapsed.pop(law.citation, None)
        if law.until is Window.TIME and deal.now_us is not None:
            deal.deadline_us = deal.now_us + deal.house.grace_us
        self.say(rulings.Option, law, may=may, what=what, until=_UNTIL[law.until])

    def close(self, right: OpenRight, why: Lapse, *, citing: Law | None = None, policy: str | None = None) -> None:
        """Close a right without a claim, and say what follows for the cards that were seen."""
        law = citing or right.law
        policy = policy or law.policy
        self.deal.rights.pop(right.law)
        self.deal.lapsed[right.law.citation] = LapsedRight(
            law=law,
            citation=law.citation,
            may=self._party(right.law.claimed_by),
            what=right.what,
            why=why,
            policy=policy,
        )
        self.say(rulings.OptionClosed, law, why=why, policy=policy)
        if right.law.when in _EXPOSURES:
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
                until=_UNTIL[right.law.until],
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
        fault = _LATE_CURE[hold.offence.fault]
        self.find(Offence(fault=fault, by=hold.by, seat=hold.offence.seat, k=hold.offence.k))

    _answers: ClassVar[dict[Remedy, Callable[[Bench, Law, Offence], None]]] = {
        Remedy.ALLOWED: _allow,
        Remedy.REFUSED: _refuse,
        Remedy.RESHUFFLE: _reshuffle,
        Remedy.FRESH_CUT: _fresh_cut,
        Remedy.CORRECT_FIRST: _correct_first,
        Remedy.STOP: _stop,
        Remedy.NEW_DEAL: _new_deal,
        Remedy.VOID: _new_deal,
        Remedy.MISDEAL: _misdeal,
        Remedy.STANDS: _stands,
        Remedy.STANDS_LIABLE: _stands,
        Remedy.NOT_CALLABLE: _not_callable,
        Remedy.RIGHT_LOST: _right_lost,
        Remedy.ASK_DIRECTOR: _ask,
    }


def _is_lost(ruling: Ruling) -> bool:
    return isinstance(ruling, rulings.Misdeal) and ruling.lost
