"""Before the first card: what shuffling, offering and cutting change, and which faults they show."""

from __future__ import annotations

from controller import facts
from controller.errors import OrderError
from controller.judge_bench import Bench
from controller.judge_hearings import hears
from controller.judge_rights import advance
from controller.judge_state import CutState, DealState, Offence, Phase
from controller.laws.vocabulary import Fault
from controller.table import Seat, partner_of, pone_of, side_of


@hears(facts.Shuffled)
def _shuffled(bench: Bench, fact: facts.Shuffled) -> None:
    deal = bench.deal
    fault = _fault_in_shuffling(deal, fact)
    if fault is not None:
        bench.find(Offence(fault=fault, by=fact.by, act="shuffle"))
    if isinstance(fact.by, Seat) and not fact.other_pack:
        deal.shuffled.add(fact.by)


def _fault_in_shuffling(deal: DealState, fact: facts.Shuffled) -> Fault | None:
    by_dealer = fact.by in (deal.dealer, "machine")
    if Phase.PLAY <= deal.phase < Phase.HAND_ENDED:
        return Fault.SHUFFLED_IN_PLAY
    if fact.by_piles:
        return Fault.SHUFFLED_BY_PILES
    if fact.below_table:
        return Fault.SHUFFLED_BELOW_TABLE
    if deal.cut is CutState.GOOD and by_dealer and not fact.other_pack and not deal.dealt:
        return Fault.SHUFFLED_AFTER_CUT
    if fact.face_seen:
        return Fault.DEALER_SHOWED_FACE if by_dealer else Fault.SHUFFLED_FACE_SEEN
    again = fact.by in deal.shuffled and not by_dealer and not fact.other_pack
    return Fault.SHUFFLED_AGAIN if again else None


@hears(facts.Presented)
def _presented(bench: Bench, fact: facts.Presented) -> None:
    if fact.face_seen:
        bench.find(Offence(fault=Fault.DEALER_SHOWED_FACE, by=bench.deal.dealer))


@hears(facts.Cut)
def _cut(bench: Bench, fact: facts.Cut) -> None:
    deal = bench.deal
    if deal.dealt:
        raise OrderError(bench.line, "fact", "the pack is not cut after the first card is dealt")
    cutter = pone_of(deal.dealer)
    if fact.by is partner_of(cutter) and (fact.by, "cut") not in deal.leave:
        bench.find(Offence(fault=Fault.ACT_FOR_PARTNER, by=fact.by, act="cut"))
    elif fact.by in deal.dealing_side:
        bench.find(Offence(fault=Fault.CUT_BY_WRONG_SEAT, by=fact.by, act="cut"))
    elif deal.cut is CutState.GOOD:
        bench.find(Offence(fault=Fault.CUT_CHANGED, by=fact.by, act="cut"))
    elif (fault := _fault_in_cut(fact, deal.code.least_cut)) is not None:
        deal.cut = CutState.BAD
        bench.find(Offence(fault=fault, by=fact.by))
    else:
        deal.cut = CutState.GOOD
        advance(bench, Phase.CUT)


def _fault_in_cut(fact: facts.Cut, least: int) -> Fault | None:
    smaller = min(fact.top, fact.bottom)
    if smaller < least:
        return Fault.CUT_SHORT
    if fact.exposed:
        return Fault.CUT_EXPOSED
    if fact.confused:
        return Fault.CUT_CONFUSED
    return Fault.CUT_DOUBTFUL if fact.doubt or smaller - fact.tolerance < least else None


@hears(facts.Asked)
def _asked(bench: Bench, fact: facts.Asked) -> None:
    deal = bench.deal
    deal.asked = (fact.by, fact.act)
    fault = _fault_in_wish(deal, fact)
    if fault is not None:
        bench.find(Offence(fault=fault, by=fact.by, act=fact.act))


def _fault_in_wish(deal: DealState, fact: facts.Asked) -> Fault | None:
    by, cutter = fact.by, pone_of(deal.dealer)
    cut_made = deal.cut is CutState.GOOD
    if fact.for_ is partner_of(by) and (by, fact.act) not in deal.leave:
        return Fault.ACT_FOR_PARTNER
    match fact.act:
        case "cut" if by is cutter:
            return Fault.CUT_CHANGED if cut_made else None
        case "cut" if (by, "cut") in deal.leave:
            return None
        case "cut":
            return Fault.ACT_FOR_PARTNER if by is partner_of(cutter) else Fault.CUT_BY_WRONG_SEAT
        case "shuffle":
            return _fault_in_wish_to_shuffle(deal, by)
        case "deal":
            return Fault.DEAL_ASKED_OUT_OF_TURN if (fact.for_ or by) is not deal.rightful else None
        case "new_packs":
            return Fault.NEW_PACKS_ASKED_LATE if cut_made or deal.phase > Phase.SHUFFLE else None


def _fault_in_wish_to_shuffle(deal: DealState, by: Seat) -> Fault | None:
    if Phase.PLAY <= deal.phase < Phase.HAND_ENDED:
        return Fault.SHUFFLED_IN_PLAY
    if deal.cut is CutState.GOOD:
        return Fault.CUT_CHANGED if by is pone_of(deal.dealer) else None
    return Fault.SHUFFLED_AGAIN if by in deal.shuffled and by is not deal.dealer else None


@hears(facts.Permitted)
def _permitted(bench: Bench, fact: facts.Permitted) -> None:
    asked = bench.deal.asked
    if asked is not None and asked[1] == fact.act and fact.by not in side_of(asked[0]):
        bench.deal.leave.add(asked)
