"""What each remedy of a law makes of a deal, and the rulings that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from controller import rulings
from controller.judge_state import CutState, DealState, Hold, Offence, Phase, Standing
from controller.laws.vocabulary import Law
from controller.laws.words import Condition, Fault, Remedy
from controller.rulings import Lapse, Ruling
from controller.table import Seat, left_of, partner_of, side_of

if TYPE_CHECKING:
    from controller.judge_bench import Bench

Answer = Callable[["Bench", Law, Offence], None]

RANK_UNSETTLED, RANK_FAULT, RANK_ADVERSARY, RANK_PACK = range(4)
"""Which of two faults rules: a bad pack, then an adversary's act, then what the dealing side did wrong."""

_PACK_FAULTS: Final = frozenset({Fault.PACK_BAD})

_WHY_ASK: Final = {
    Fault.CARD_EXPOSED: "who exposed the card is not known",
    Fault.EXPOSED_AFTER_DEAL: "a card was exposed after the deal: whether it is called or restricts the lead or a call",
    Fault.BASELESS_CLAIM: "players call the director and claim nothing of themselves",
    Fault.LONG_HAND: "a player with a wrong hand has called: whether it is put right and played, or the score adjusted",
    Fault.PACK_BAD: "the pack is not right: search for what is missing, take out what does not belong",
    Fault.SHORT_HAND: "a hand is short before the code speaks of it; count the pack and look for the card",
    Fault.COMPLETED_SOON: "a card was exposed so late that the end of the claim is not clear",
    Fault.SHORT_HANDS: "the hands do not make up the pack and none is too long; count the pack and look for the cards",
    Fault.CONSULTED: "whether consulting costs this right is not settled",
    Fault.CUT_CONFUSED: "the code does not speak of packets that are confused in the cut",
    Fault.CUT_OMITTED: "the code does not speak of a pack that is dealt uncut",
    Fault.OUT_OF_TURN: "the code does not speak of a deal in the partner's turn",
}

WHY_LOST: Final[dict[Fault, Lapse]] = {
    Fault.WRONG_CLAIM: "wrong_claim",
    Fault.CONSULTED: "consulted",
    Fault.CLAIMED_FOR_PARTNER: "consulted",
    Fault.DECIDED_FOR_SIDE: "waived",
}


def end(bench: Bench, ruling: Ruling, fault: Fault, rank: int) -> None:
    """Let a ruling end the deal, unless one of the same or a higher rank has; say the same thing only once."""
    deal = bench.deal
    old = deal.standing
    if old is not None and old.ends and rank <= old.rank:
        graver = _is_lost(ruling) and not _is_lost(old.ruling)
        if rank < old.rank or deal.house.two_faults != "gravest" or not graver:
            return
        ruling = replace(ruling, policy="two_faults")
    said_before = old is not None and replace(ruling, on=old.ruling.on) == old.ruling
    deal.standing = Standing(ruling=old.ruling if old and said_before else ruling, rank=rank, fault=fault, ends=True)
    deal.hold = None
    deal.rights.clear()
    if not said_before:
        bench.said.append(ruling)


def _is_lost(ruling: Ruling) -> bool:
    return isinstance(ruling, rulings.Misdeal) and ruling.lost


def _rank(law: Law) -> int:
    if law.when in _PACK_FAULTS:
        return RANK_PACK
    return RANK_ADVERSARY if Condition.BY_ADVERSARY in law.provided and not law.claimed_by else RANK_FAULT


def _allow(bench: Bench, law: Law, offence: Offence) -> None:
    """Say nothing: what is allowed needs no ruling."""


def _refuse(bench: Bench, law: Law, offence: Offence) -> None:
    bench.say(rulings.Refused, law, act=offence.act)


def _reshuffle(bench: Bench, law: Law, offence: Offence) -> None:
    bench.deal.shuffle_ordered = True
    bench.say(rulings.Reshuffle, law)


def _cut_anew(deal: DealState) -> None:
    deal.cut = CutState.BAD
    deal.shuffled.clear()


def _fresh_cut(bench: Bench, law: Law, offence: Offence) -> None:
    _cut_anew(bench.deal)
    bench.say(rulings.FreshCut, law)


def _reshuffle_and_cut(bench: Bench, law: Law, offence: Offence) -> None:
    _cut_anew(bench.deal)
    bench.deal.reshuffle_due = bench.deal.shuffle_ordered = True
    bench.say(rulings.ReshuffleAndCut, law)


def _correct_first(bench: Bench, law: Law, offence: Offence) -> None:
    bench.deal.hold = Hold(law=law, offence=offence, by=offence.by)
    bench.say(rulings.CorrectFirst, law)


def _stop(bench: Bench, law: Law, offence: Offence) -> None:
    end(bench, bench.made(rulings.Stop, law, dealer=bench.deal.rightful), law.when, RANK_FAULT)


def _new_deal(bench: Bench, law: Law, offence: Offence) -> None:
    deal = bench.deal
    if deal.wrong_dealer:
        _ask_who_deals(bench, law)
        return
    kind = rulings.Void if deal.code.voids_in_play and deal.phase >= Phase.PLAY else rulings.NewDeal
    end(bench, bench.made(kind, law, dealer=deal.owner), law.when, _rank(law))


def _misdeal(bench: Bench, law: Law, offence: Offence) -> None:
    """Rule a misdeal, and by the laws on misdeals whether the deal is lost and who deals next."""
    deal = bench.deal
    cost = bench.law_on(offence, Fault.MISDEAL)
    if cost is None:
        return
    fields: dict[str, Any] = {"policy": law.policy or cost.policy}
    rank = RANK_FAULT
    match cost.remedy:
        case Remedy.LOST_FOR_PARTNER:
            law, fields = cost, {"lost": True, "dealer": left_of(deal.rightful)}
        case _ if deal.wrong_dealer and not _speaks_of_partners_deal(deal):
            _ask_who_deals(bench, law)
            return
        case Remedy.DEALT_AGAIN | Remedy.MAY_DEAL_AGAIN:
            saved_by = None if cost.setting else cost.citation
            dealer = deal.rightful if deal.wrong_dealer else deal.owner
            fields |= {"lost": False, "dealer": dealer, "saved_by": saved_by}
            rank = RANK_ADVERSARY if saved_by else RANK_FAULT
        case _:
            fields |= {"lost": True, "dealer": left_of(deal.dealer)}
    end(bench, bench.made(rulings.Misdeal, law, **fields), law.when, rank)


def _deal_lost(bench: Bench, law: Law, offence: Offence) -> None:
    """Rule that the deal is lost, where the law says so outright."""
    deal = bench.deal
    if deal.wrong_dealer:
        _ask_who_deals(bench, law)
        return
    ruling = bench.made(rulings.Misdeal, law, lost=True, dealer=left_of(deal.dealer))
    end(bench, ruling, law.when, RANK_FAULT)


def _speaks_of_partners_deal(deal: DealState) -> bool:
    speaks = any(law.remedy is Remedy.LOST_FOR_PARTNER for law in deal.code.on(Fault.MISDEAL))
    return speaks and deal.dealer is partner_of(deal.rightful)


def _ask_who_deals(bench: Bench, law: Law) -> None:
    why = "the dealing is at fault and it is not the dealer's turn: the code does not say who deals"
    end(bench, bench.made(rulings.AskDirector, law, why=why), law.when, RANK_UNSETTLED)


def _stands(bench: Bench, law: Law, offence: Offence) -> None:
    deal = bench.deal
    if deal.ended:
        return
    turn_changes = law.when is Fault.OUT_OF_TURN and deal.dealer is not deal.rightful
    ruling = bench.made(
        rulings.Stands,
        law,
        next_dealer=left_of(deal.dealer) if turn_changes else None,
        liable=offence.seat if law.remedy is Remedy.STANDS_LIABLE else None,
    )
    deal.standing = Standing(ruling=ruling, rank=RANK_UNSETTLED, fault=law.when, ends=False)
    bench.said.append(ruling)


def _not_callable(bench: Bench, law: Law, offence: Offence) -> None:
    bench.say(rulings.NotCallable, law, card=offence.card)


def _right_lost(bench: Bench, law: Law, offence: Offence) -> None:
    """Take a side's rights from it; one that the other side has too stays open for them."""
    side = set(_side(offence))
    mine = [right for right in bench.deal.rights.values() if not side.isdisjoint(right.may)]
    for right in mine:
        right.may = tuple(seat for seat in right.may if seat not in side)
        if not right.may:
            bench.close(right, WHY_LOST[law.when], citing=law)
    if offence.act and any(right.may for right in mine):
        bench.say(rulings.Refused, law, act=offence.act)


def _bar(seats: Callable[[Offence], tuple[Seat, ...]], from_: str) -> Answer:
    def answer(bench: Bench, law: Law, offence: Offence) -> None:
        bench.deal.barred |= {(seat, from_): law for seat in seats(offence)}
        bench.say(rulings.Barred, law, seats=seats(offence), from_=from_)

    return answer


def _side(offence: Offence) -> tuple[Seat, ...]:
    return side_of(offence.by) if isinstance(offence.by, Seat) else ()


def _ask(bench: Bench, law: Law, offence: Offence) -> None:
    why = f"{law.when.value}, and the code leaves it to the director"
    if law.when is not Fault.CARD_EXPOSED or offence.by is None:
        why = _WHY_ASK.get(law.when, why)
    bench.say(rulings.AskDirector, law, why=why)


ANSWERS: Final[dict[Remedy, Answer]] = {
    Remedy.ALLOWED: _allow,
    Remedy.REFUSED: _refuse,
    Remedy.RESHUFFLE: _reshuffle,
    Remedy.RESHUFFLE_AND_CUT: _reshuffle_and_cut,
    Remedy.FRESH_CUT: _fresh_cut,
    Remedy.CORRECT_FIRST: _correct_first,
    Remedy.HANDS_PUT_RIGHT: _correct_first,
    Remedy.STOP: _stop,
    Remedy.NEW_DEAL: _new_deal,
    Remedy.VOID: _new_deal,
    Remedy.MISDEAL: _misdeal,
    Remedy.DEAL_LOST: _deal_lost,
    Remedy.STANDS: _stands,
    Remedy.STANDS_LIABLE: _stands,
    Remedy.NOT_CALLABLE: _not_callable,
    Remedy.RIGHT_LOST: _right_lost,
    Remedy.PRIVILEGE_LOST: _bar(_side, "privilege"),
    Remedy.ORDERING_LOST: _bar(_side, "order_up"),
    Remedy.BIDDING_LOST: _bar(lambda offence: _side(offence)[1:], "bid"),
    Remedy.ASK_DIRECTOR: _ask,
}
"""What the judge does for every remedy that follows from a fault of its own."""
