"""While the cards fall: what each card, touch, look and interruption changes and which faults they show."""

from __future__ import annotations

from dataclasses import replace

from controller import facts
from controller.errors import OrderError
from controller.facts import Fact
from controller.judge_bench import Bench
from controller.judge_counts import weigh_as_dealt, weigh_card
from controller.judge_hearings import hears
from controller.judge_rights import advance, pass_over, recheck
from controller.judge_state import Agent, DealState, Offence, Phase
from controller.laws.words import Completion, Fault
from controller.table import Seat, rotation


def needs_a_card(deal: DealState, fact: Fact, line: int) -> None:
    """Refuse a fact that cannot come before the first card.

    Raises:
        OrderError: no card has been dealt.
    """
    if not deal.dealt:
        raise OrderError(line, "fact", "it needs cards on the table, and no card has been dealt")


@hears(facts.DealingBegan)
def _dealing_began(bench: Bench, fact: facts.DealingBegan) -> None:
    deal = bench.deal
    if not deal.dealt:
        deal.dealer = fact.by
        deal.deals_by(deal.pattern)
    deal.wrong_pack = fact.pack_used == "adversaries"
    deal.cut_omitted = fact.cut_omitted
    advance(bench, Phase.DEALING)


def _is_in_the_pack(deal: DealState, fact: facts.Dealt | facts.Faced, line: int) -> None:
    """Refuse a card beyond the last of the pack."""
    if fact.k > deal.pack:
        raise OrderError(line, "k", f"the pack has {deal.pack} cards, so there is no card {fact.k}")


def _is_the_next(deal: DealState, fact: facts.Dealt, line: int) -> None:
    """Refuse a card that does not follow the last one."""
    before = deal.dealt
    if fact.k != before + fact.count:
        wanted = f"expected {before + fact.count} (cards dealt before: {before}, now: {fact.count}), got {fact.k}"
        raise OrderError(line, "k", wanted)
    _is_in_the_pack(deal, fact, line)


@hears(facts.Dealt, check=_is_the_next)
def _dealt(bench: Bench, fact: facts.Dealt) -> None:
    deal = bench.deal
    k, to = fact.k, fact.to
    if fact.card is not None:
        weigh_card(bench, fact.card)
    if not deal.dealt:
        _first_card(bench)
    if deal.hold is not None:
        bench.miss_cure()
    deal.dealt = k
    deal.counts[to] += fact.count
    last, deal.last_to = deal.last_to, to
    beside_a_stray = to is last and deal.order[k - 2] is not to
    if fact.count == 1 and deal.order[k - 1] is to and not beside_a_stray:
        # A fault at the last card is told before it is known how that card lies: face up, or face down on a packet.
        deal.machine_fault = deal.machine_fault and k == deal.pattern.given
    elif not deal.ended and (beside_a_stray or not _a_pattern_fits(deal, fact)):
        _astray(bench, fact, again=to is last)
    if k == deal.pattern.given and deal.hold is None:
        _come_to_the_end(bench, face_down=fact.face == "down")


def _first_card(bench: Bench) -> None:
    deal = bench.deal
    advance(bench, Phase.DEALING)
    if deal.cut_not_proper():
        bench.find(Offence(fault=Fault.UNCUT_DEALT, by=_doer(deal)))


def _come_to_the_end(bench: Bench, *, face_down: bool) -> None:
    """Complete the deal, where the last card, as it lies, does that."""
    completion = bench.deal.code.completion
    if completion is Completion.LAST_CARD or (completion is Completion.LAST_CARD_FACE_DOWN and face_down):
        advance(bench, Phase.DEALT)
        weigh_as_dealt(bench)


def _a_pattern_fits(deal: DealState, fact: facts.Dealt) -> bool:
    """Return whether the cards fell as one of the code's patterns wants; it is then the one in use.

    The first round shows which pattern it is: a pattern may be it while it gives the cards so far to the same seats.
    """
    before = fact.k - fact.count
    turns = rotation(deal.dealer)
    for pattern in deal.patterns:
        places = pattern.places[before : fact.k]
        fits = len(places) == fact.count and all(turns[place] is fact.to for place in places)
        if fits and pattern.same_up_to(before, deal.pattern):
            if pattern is not deal.pattern:
                deal.deals_by(pattern)
            return True
    return False


def _astray(bench: Bench, fact: facts.Dealt, *, again: bool) -> None:
    """Find the fault in cards that did not fall as the pattern wants them."""
    deal = bench.deal
    faults = [Fault.WRONG_PACKET]
    if fact.count > 1:
        faults = [Fault.TWO_AT_ONCE, Fault.TWO_CARDS, Fault.UNEQUAL_PACKETS, *faults]
    elif again:
        faults = [Fault.TWO_CARDS, Fault.UNEQUAL_PACKETS, *faults]
    elif fact.k == deal.pattern.given:
        faults = [Fault.LAST_CARD_ASTRAY, *faults]
    belong = deal.order[fact.k - fact.count : fact.k]
    moves = sum(seat is not fact.to for seat in belong)
    offence = Offence(fault=faults[0], by=_doer(deal), seat=fact.to, k=fact.k, count=fact.count, moves=moves)
    bench.find(offence, *faults[1:])


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
    if deal.ended:
        return
    if deal.hold is None and fact.cards_moved:
        _take_the_pattern_meant(deal, deal.dealt - fact.cards_moved)
    if bench.correct(fact.cards_moved):
        put_right(bench)


def _take_the_pattern_meant(deal: DealState, stay: int) -> None:
    """Take another of the code's patterns: cards were moved where none lies amiss by the one that seemed in use.

    Args:
        deal: the deal.
        stay: the first cards, which fell as both patterns want them.
    """
    for pattern in deal.patterns:
        if pattern.same_up_to(stay, deal.pattern) and not pattern.same_up_to(deal.dealt, deal.pattern):
            deal.deals_by(pattern)
            return


def put_right(bench: Bench) -> None:
    """Take every card dealt so far to lie as the pattern wants, and the deal to be completed if it was the last."""
    deal = bench.deal
    dealt = deal.order[: deal.dealt]
    deal.counts = {seat: dealt.count(seat) for seat in Seat}
    deal.last_to = deal.order[min(deal.dealt, deal.pattern.given) - 1] if dealt else None
    deal.machine_fault = False
    if deal.dealt == deal.pattern.given:
        _come_to_the_end(bench, face_down=True)


@hears(facts.Faced, check=_is_in_the_pack)
def _faced(bench: Bench, fact: facts.Faced) -> None:
    if fact.card is not None:
        weigh_card(bench, fact.card)
    bench.find(Offence(fault=Fault.CARD_FACED, k=fact.k, card=fact.card))


@hears(facts.Turned, check=needs_a_card)
def _turned(bench: Bench, fact: facts.Turned) -> None:
    deal = bench.deal
    to = fact.to or deal.dealer
    weigh_card(bench, fact.card)
    deal.trump = fact.card
    pass_over(bench, fact.card)
    if to is not deal.dealer or deal.dealt < deal.pattern.given:
        bench.find(
            Offence(fault=Fault.LAST_CARD_ASTRAY, by=_doer(deal), seat=to, k=deal.dealt),
            *((Fault.TRUMP_EARLY,) if deal.dealt < deal.pattern.given else ()),
        )
    bench.miss_cure()
    advance(bench, Phase.DEALT)
    weigh_as_dealt(bench)


@hears(facts.LaidFaceDown, check=needs_a_card)
def _laid_face_down(bench: Bench, fact: facts.LaidFaceDown) -> None:
    bench.deal.last_face_down = True
    bench.find(Offence(fault=Fault.LAST_CARD_FACE_DOWN, by=_doer(bench.deal), seat=fact.on, k=bench.deal.dealt))
    advance(bench, Phase.DEALT)


@hears(facts.Counted)
def _counted(bench: Bench, fact: facts.Counted) -> None:
    if fact.purpose == "count" and bench.deal.phase is Phase.DEALING:
        bench.find(Offence(fault=Fault.COUNT_MADE, by=bench.deal.dealer), Fault.CARDS_COUNTED)


@hears(facts.Interrupted)
def _interrupted(bench: Bench, fact: facts.Interrupted) -> None:
    deal = bench.deal
    if fact.by in deal.adversaries and deal.phase is Phase.DEALING:
        deal.interrupted = True
        deal.interrupted_in_vain = deal.interrupted_in_vain or (fact.about != "other" and not fact.upheld)
    if fact.about == "turn" and fact.upheld:
        bench.find(Offence(fault=Fault.OUT_OF_TURN, finder=fact.by, act="stop"))


@hears(facts.Exposed)
def _exposed(bench: Bench, fact: facts.Exposed) -> None:
    deal = bench.deal
    if fact.card is not None:
        weigh_card(bench, fact.card)
    offence = Offence(
        fault=Fault.CARD_EXPOSED, by=fact.by, card=fact.card, k=deal.dealt, where=fact.where, t_us=deal.now_us
    )
    if deal.phase is Phase.SHUFFLE:
        if fact.by in (deal.dealer, "machine"):
            bench.find(replace(offence, fault=Fault.DEALER_SHOWED_FACE))
    elif deal.phase < Phase.DEALT:
        deal.unattributed = offence if fact.by is None else None
        bench.find(offence)
    elif _lay_on_the_stock(deal, fact):
        bench.find(replace(offence, fault=Fault.EXPOSED_WITH_TRUMP))
    elif deal.phase < Phase.PLAY:
        bench.find(replace(offence, fault=Fault.EXPOSED_AFTER_DEAL, by=fact.by or fact.owner))


def _lay_on_the_stock(deal: DealState, fact: facts.Exposed) -> bool:
    """Return whether the card came to light as the trump was turned up, and is not the trump itself."""
    turned_now = deal.phase is Phase.DEALT and not deal.calls and deal.trump is not None
    on_stock = turned_now and not deal.pattern.trump_is_dealt and fact.owner is None
    return on_stock and (fact.card is None or fact.card != deal.trump)


@hears(facts.Touched)
def _touched(bench: Bench, fact: facts.Touched) -> None:
    _touch(bench, fact.seat)


def _touch(bench: Bench, seat: Seat) -> None:
    deal = bench.deal
    if not deal.dealt or seat in deal.touched:
        return
    deal.touched.add(seat)
    if deal.phase is Phase.DEALING:
        deal.touches.append(seat)
    recheck(bench, "touched")


@hears(facts.Looked)
def _looked(bench: Bench, fact: facts.Looked) -> None:
    deal = bench.deal
    if fact.at == "own" and deal.dealt and fact.seat not in deal.looked:
        deal.looked.add(fact.seat)
        recheck(bench, "looked")
    if fact.seat is deal.dealer and deal.phase is Phase.DEALING and deal.dealt:
        fault = Fault.TRUMP_LOOKED_AT if fact.at == "trump" else Fault.DEALER_LOOKED
        bench.find(Offence(fault=fault, by=fact.seat, k=deal.dealt), Fault.DEALER_LOOKED)


@hears(facts.TakenUp)
def _taken_up(bench: Bench, fact: facts.TakenUp) -> None:
    deal = bench.deal
    _touch(bench, fact.by)
    if fact.by is not fact.of:
        bench.find(Offence(fault=Fault.HAND_TAKEN, by=fact.by, seat=fact.of))
    elif deal.dealt and fact.by not in deal.lifted:
        deal.lifted.add(fact.by)
        recheck(bench, "looked")
