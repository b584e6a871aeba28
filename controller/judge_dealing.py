"""While the cards fall: what each card, touch, look and interruption changes and which faults they show."""

from __future__ import annotations

from controller import facts
from controller.errors import OrderError
from controller.judge_bench import Bench
from controller.judge_counts import weigh_hands
from controller.judge_hearings import hears
from controller.judge_rights import advance, recheck
from controller.judge_state import Agent, DealState, Offence, Phase
from controller.laws.vocabulary import Fault
from controller.table import Seat


def needs_a_card(bench: Bench) -> None:
    """Refuse a fact that cannot come before the first card.

    Raises:
        OrderError: no card has been dealt.
    """
    if not bench.deal.dealt:
        raise OrderError(bench.line, "fact", "it needs cards on the table, and no card has been dealt")


@hears(facts.DealingBegan)
def _dealing_began(bench: Bench, fact: facts.DealingBegan) -> None:
    deal = bench.deal
    if not deal.dealt:
        deal.dealer = fact.by
        deal.order = deal.code.pattern.order(fact.by)
    deal.wrong_pack = fact.pack_used == "adversaries"
    deal.cut_omitted = fact.cut_omitted
    advance(bench, Phase.DEALING)


@hears(facts.Dealt)
def _dealt(bench: Bench, fact: facts.Dealt) -> None:
    deal = bench.deal
    before, k, to = deal.dealt, fact.k, fact.to
    if k != before + fact.count:
        wanted = f"{before} were dealt and {fact.count} fell, so it must be {before + fact.count}, not {k}"
        raise OrderError(bench.line, "k", wanted)
    if k > deal.pack:
        raise OrderError(bench.line, "k", f"the pack has {deal.pack} cards, so there is no card {k}")
    if not before:
        advance(bench, Phase.DEALING)
    if deal.hold is not None:
        bench.miss_cure()
    deal.dealt = k
    deal.counts[to] += fact.count
    last, deal.last_to = deal.last_to, to
    if fact.count == 1 and deal.order[k - 1] is to:
        deal.machine_fault = False
    elif not deal.ended:
        _astray(bench, fact, again=to is last)


def _astray(bench: Bench, fact: facts.Dealt, *, again: bool) -> None:
    """Find the fault in cards that did not fall singly or not where the rotation wants them."""
    deal = bench.deal
    belong = deal.order[fact.k - fact.count : fact.k]
    if fact.count > 1 or again:
        fault = Fault.TWO_CARDS
    elif fact.k == len(deal.order):
        fault = Fault.LAST_CARD_ASTRAY
    else:
        fault = Fault.WRONG_PACKET
    moves = sum(seat is not fact.to for seat in belong)
    bench.find(Offence(fault=fault, by=_doer(deal), seat=fact.to, k=fact.k, moves=moves))


def _doer(deal: DealState) -> Agent:
    return "machine" if deal.machine_fault else deal.dealer


@hears(facts.MachineFault)
def _machine_fault(bench: Bench, fact: facts.MachineFault) -> None:
    deal = bench.deal
    deal.machine_fault = True
    if deal.hold is not None and fact.k in (None, deal.hold.offence.k, deal.hold.offence.k - 1):
        deal.hold.by = "machine"


@hears(facts.Corrected)
def _corrected(bench: Bench, fact: facts.Corrected) -> None:
    deal = bench.deal
    if not deal.ended and bench.correct(fact.cards_moved):
        lies_as_wanted(deal)


def lies_as_wanted(deal: DealState) -> None:
    """Take every card dealt so far to lie as the rotation wants."""
    dealt = deal.order[: deal.dealt]
    deal.counts = {seat: dealt.count(seat) for seat in Seat}
    deal.last_to = dealt[-1] if dealt else None
    deal.machine_fault = False


@hears(facts.Faced)
def _faced(bench: Bench, fact: facts.Faced) -> None:
    if fact.k > bench.deal.pack:
        raise OrderError(bench.line, "k", f"the pack has {bench.deal.pack} cards, so there is no card {fact.k}")
    bench.find(Offence(fault=Fault.CARD_FACED, k=fact.k, card=fact.card))


@hears(facts.Turned)
def _turned(bench: Bench, fact: facts.Turned) -> None:
    deal = bench.deal
    needs_a_card(bench)
    to = fact.to or deal.dealer
    if to is not deal.dealer or deal.dealt < len(deal.order):
        bench.find(Offence(fault=Fault.LAST_CARD_ASTRAY, by=_doer(deal), seat=to, k=deal.dealt))
    bench.miss_cure()
    advance(bench, Phase.DEALT)
    weigh_hands(bench)


@hears(facts.LaidFaceDown)
def _laid_face_down(bench: Bench, fact: facts.LaidFaceDown) -> None:
    needs_a_card(bench)
    bench.find(Offence(fault=Fault.LAST_CARD_FACE_DOWN, by=_doer(bench.deal), seat=fact.on, k=bench.deal.dealt))
    advance(bench, Phase.DEALT)


@hears(facts.Counted)
def _counted(bench: Bench, fact: facts.Counted) -> None:
    if fact.purpose == "count" and bench.deal.phase is Phase.DEALING:
        bench.find(Offence(fault=Fault.CARDS_COUNTED, by=bench.deal.dealer))


@hears(facts.Interrupted)
def _interrupted(bench: Bench, fact: facts.Interrupted) -> None:
    deal = bench.deal
    if fact.about == "turn" and fact.upheld:
        bench.find(Offence(fault=Fault.OUT_OF_TURN, finder=fact.by, act="stop"))
    elif fact.about != "other" and fact.by in deal.adversaries and deal.phase is Phase.DEALING:
        deal.interrupted = deal.interrupted or not fact.upheld


@hears(facts.Exposed)
def _exposed(bench: Bench, fact: facts.Exposed) -> None:
    deal = bench.deal
    offence = Offence(
        fault=Fault.CARD_EXPOSED, by=fact.by, card=fact.card, k=deal.dealt, where=fact.where, t_us=deal.now_us
    )
    if deal.phase is Phase.SHUFFLE:
        if fact.by in (deal.dealer, "machine"):
            bench.find(Offence(fault=Fault.DEALER_SHOWED_FACE, by=fact.by, card=fact.card))
    elif deal.phase < Phase.DEALT:
        deal.unattributed = offence if fact.by is None else None
        bench.find(offence)


@hears(facts.Touched)
def _touched(bench: Bench, fact: facts.Touched) -> None:
    _touch(bench, fact.seat)


def _touch(bench: Bench, seat: Seat) -> None:
    deal = bench.deal
    if deal.phase is Phase.DEALING and deal.dealt and seat not in deal.touches:
        deal.touches.append(seat)
        recheck(bench, "touched")


@hears(facts.Looked)
def _looked(bench: Bench, fact: facts.Looked) -> None:
    deal = bench.deal
    if fact.at == "own" and deal.dealt and fact.seat not in deal.looked:
        deal.looked.add(fact.seat)
        recheck(bench, "looked")
    elif fact.at == "trump" and fact.seat is deal.dealer and deal.phase is Phase.DEALING:
        bench.find(Offence(fault=Fault.TRUMP_LOOKED_AT, by=fact.seat, k=deal.dealt))


@hears(facts.TakenUp)
def _taken_up(bench: Bench, fact: facts.TakenUp) -> None:
    deal = bench.deal
    _touch(bench, fact.by)
    if fact.by is not fact.of:
        bench.find(Offence(fault=Fault.HAND_TAKEN, by=fact.by, seat=fact.of))
    elif deal.dealt and fact.by not in deal.lifted:
        deal.lifted.add(fact.by)
        recheck(bench, "looked")
