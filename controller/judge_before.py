"""Before the first card: what shuffling, offering and cutting change, and which faults they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller import facts
from controller.errors import OrderError
from controller.judge_bench import Bench
from controller.judge_hearings import hears
from controller.judge_rights import DEMANDS, advance
from controller.judge_state import Agent, CutState, DealState, Offence, Phase
from controller.laws.words import Fault
from controller.table import Seat, partner_of, pone_of, side_of


@hears(facts.Shuffled)
def _shuffled(bench: Bench, fact: facts.Shuffled) -> None:
    deal = bench.deal
    deal.shuffle_ordered = deal.shuffle_ordered and fact.other_pack
    _find_first(bench, _faults_in_shuffling(deal, fact), by=fact.by, act="shuffle")
    if not fact.other_pack:
        deal.reshuffle_due = False
        if isinstance(fact.by, Seat):
            deal.shuffled.add(fact.by)


def _find_first(bench: Bench, faults: Iterable[Fault], *, by: Agent, act: str, finder: Seat | None = None) -> bool:
    """Find the first of several faults on which the code has a law; return whether there was one."""
    seen = tuple(faults)
    return bool(seen) and bench.find(Offence(fault=seen[0], by=by, finder=finder, act=act), *seen[1:])


def _faults_in_shuffling(deal: DealState, fact: facts.Shuffled) -> Iterator[Fault]:
    by_dealer = fact.by in (deal.dealer, "machine")
    if Phase.PLAY <= deal.phase < Phase.PLAY_ENDED:
        yield Fault.SHUFFLED_IN_PLAY
        if fact.other_pack and deal.laid_by:
            yield Fault.PLACED_PACK_SHUFFLED
    if fact.by_piles:
        yield Fault.SHUFFLED_BY_PILES
    if fact.below_table:
        yield Fault.SHUFFLED_BELOW_TABLE
    if deal.cut is CutState.GOOD and by_dealer and not fact.other_pack and not deal.dealt:
        yield Fault.SHUFFLED_AFTER_CUT
    if deal.cut is CutState.GOOD and fact.by is pone_of(deal.dealer) and not fact.other_pack:
        yield Fault.CUT_CHANGED
    if fact.face_seen:
        yield Fault.DEALER_SHOWED_FACE if by_dealer else Fault.SHUFFLED_FACE_SEEN
    if fact.by in deal.shuffled and not by_dealer and not fact.other_pack:
        yield Fault.SHUFFLED_AGAIN


@hears(facts.Placed)
def _placed(bench: Bench, fact: facts.Placed) -> None:
    bench.deal.laid_by = True


@hears(facts.Presented)
def _presented(bench: Bench, fact: facts.Presented) -> None:
    if fact.face_seen:
        bench.find(Offence(fault=Fault.DEALER_SHOWED_FACE, by=bench.deal.dealer))


def _nothing_is_dealt(deal: DealState, fact: facts.Cut, line: int) -> None:
    """Refuse a cut of a pack that is being dealt."""
    if deal.dealt:
        raise OrderError(line, "fact", "the pack is not cut after the first card is dealt")


@hears(facts.Cut, check=_nothing_is_dealt)
def _cut(bench: Bench, fact: facts.Cut) -> None:
    deal = bench.deal
    if _find_first(bench, _faults_in_cutter(deal, fact.by), by=fact.by, act="cut"):
        return
    if fault := _fault_in_cut(fact, deal.code.least_cut):
        bench.find(Offence(fault=fault, by=fact.by))
    elif not deal.reshuffle_due:
        deal.cut = CutState.GOOD
        advance(bench, Phase.CUT)


def _faults_in_cutter(deal: DealState, by: Seat) -> Iterator[Fault]:
    """Name what is wrong with who cuts, or wants to; a partner with leave may."""
    pone = pone_of(deal.dealer)
    if by is partner_of(pone) and (by, "cut") not in deal.leave:
        yield Fault.ACT_FOR_PARTNER
        yield Fault.CUT_BY_WRONG_SEAT
    elif by in deal.dealing_side:
        yield Fault.CUT_BY_WRONG_SEAT
    elif deal.cut is CutState.GOOD:
        yield Fault.CUT_CHANGED


def _fault_in_cut(fact: facts.Cut, least: int) -> Fault | None:
    smaller = min(fact.top, fact.bottom)
    if fact.exposed:
        return Fault.CUT_EXPOSED
    if smaller < least:
        return Fault.CUT_SHORT
    if fact.confused:
        return Fault.CUT_CONFUSED
    return Fault.CUT_DOUBTFUL if fact.doubt or smaller - fact.tolerance < least else None


@hears(facts.Asked)
def _asked(bench: Bench, fact: facts.Asked) -> None:
    deal = bench.deal
    deal.asked = (fact.by, fact.act)
    _find_first(bench, _faults_in_wish(deal, fact), by=fact.by, act=fact.act, finder=fact.by)


def _faults_in_wish(deal: DealState, fact: facts.Asked) -> Iterator[Fault]:
    by = fact.by
    if fact.for_ is partner_of(by) and (by, fact.act) not in deal.leave:
        yield Fault.ACT_FOR_PARTNER
    if deal.cut is CutState.GOOD and fact.act in DEMANDS:
        yield DEMANDS[fact.act]
    match fact.act:
        case "cut":
            yield from _faults_in_cutter(deal, by)
        case "shuffle" if Phase.PLAY <= deal.phase < Phase.PLAY_ENDED:
            yield Fault.SHUFFLED_IN_PLAY
        case "shuffle" if deal.cut is CutState.GOOD:
            if by is pone_of(deal.dealer):
                yield Fault.CUT_CHANGED
        case "shuffle" if by in deal.shuffled and by is not deal.dealer:
            yield Fault.SHUFFLED_AGAIN
        case "deal" if (fact.for_ or by) is not deal.rightful:
            yield Fault.DEAL_ASKED_OUT_OF_TURN
        case "new_packs" if deal.cut is CutState.GOOD or deal.phase > Phase.SHUFFLE:
            yield Fault.NEW_PACKS_ASKED_LATE


@hears(facts.Permitted)
def _permitted(bench: Bench, fact: facts.Permitted) -> None:
    asked = bench.deal.asked
    if asked is not None and asked[1] == fact.act and fact.by not in side_of(asked[0]):
        bench.deal.leave.add(asked)
